#include "make_trace.h"

#include "analysis/analysis.h"

namespace auditorium::analysis {
namespace {

using testing::Machine;

TEST(Hits, AreLanesThatHaveHadAnEventOnTheLineSoFar) {
    Machine m(256);
    testing::tree_then_warp(m);
    const trace::Trace trace = m.finish();
    const Analysis a = analyze(trace);
    ASSERT_EQ(a.hits.size(), trace.steps.size() + 1);
    const auto hits = [&](std::size_t after, int line) { return a.hits[after][std::size_t(line)]; };
    EXPECT_EQ(hits(0, testing::stage_line), 0);
    EXPECT_EQ(hits(1, testing::stage_line), 256);
    EXPECT_EQ(hits(1, testing::stage_barrier), 256);
    EXPECT_EQ(hits(3, testing::own_line), 128 + 64);
    EXPECT_EQ(hits(3, testing::fold_line), 128 + 64) << "a fold and its store are one visit of the line";
    EXPECT_EQ(hits(3, testing::tree_barrier), 512);
    EXPECT_EQ(hits(7, testing::shuffle_line), 64) << "two passes of 32";
    EXPECT_EQ(hits(7, testing::last_barrier), 224) << "the rows that wait already";
    EXPECT_EQ(hits(11, testing::last_barrier), 256);
    EXPECT_EQ(hits(12, testing::return_line), 256);
}

TEST(Hits, ATraceMadeToFillTheMemoryDoesNot) {
    Machine m(1);
    m.store(0, trace::max_lines, 0);
    for (int i = 0; i < 2000; ++i) {
        m.barrier(1);
        m.load(0, 2, 0);
    }
    const Analysis a = analyze(m.finish());
    std::size_t cells = 0;
    for (const auto& row : a.hits)
        cells += row.size();
    EXPECT_LE(cells, std::size_t(1) << 24);
}

TEST(Timing, ComesFromTheStampsOrIsUnknown) {
    Machine m(64);
    testing::stage(m);
    testing::halve(m, 32);
    testing::everyone_reads_box_0(m);
    trace::Trace trace = m.finish();
    for (const StepAnalysis& step : analyze(trace).steps)
        EXPECT_FALSE(step.cycles.has_value());

    // Events of lane 0: store, arrive, leave | load, load, combine, store, arrive, leave | load.
    const auto stamp = [&](int warp, int event, double median) {
        trace.stamps.push_back({warp, event, median - 1, median, median + 1, 100});
    };
    stamp(0, 2, 50);
    stamp(1, 2, 52);
    stamp(0, 8, 140);
    stamp(1, 4, 141);
    const Analysis a = analyze(trace);
    EXPECT_EQ(a.steps[0].cycles, 52.0);
    EXPECT_EQ(a.steps[1].cycles, 90.0) << "only warp 0 takes part: 140 - 50";
    EXPECT_FALSE(a.steps[2].cycles.has_value()) << "its end was not stamped";
}

}  // namespace
}  // namespace auditorium::analysis
