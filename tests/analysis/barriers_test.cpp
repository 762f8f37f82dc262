#include "make_trace.h"

#include "analysis/analysis.h"

namespace auditorium::analysis {
namespace {

using testing::Machine;
using trace::StepKind;

bool has(const Analysis& a, Rule rule) {
    return std::any_of(a.findings.begin(), a.findings.end(),
                       [&](const Finding& f) { return f.rule == rule; });
}

TEST(Barriers, AreNumberedFromOneAndCounted) {
    Machine m(256);
    testing::tree_then_warp(m);
    const trace::Trace trace = m.finish();
    const Analysis a = analyze(trace);
    EXPECT_EQ(a.totals.barriers, 5);
    ASSERT_EQ(a.barriers.size(), 5u);
    ASSERT_EQ(a.steps.size(), 12u);
    const int expected[] = {1, 2, 3, 4, 5, 5, 5, 5, 5, 5, 5, 0};
    const bool after[] = {true, true, true, true, false, false, false, false, false, false, true, false};
    for (std::size_t s = 0; s < 12; ++s) {
        EXPECT_EQ(a.steps[s].barrier, expected[s]) << s;
        EXPECT_EQ(a.steps[s].barrier_after, after[s]) << s;
    }
    EXPECT_EQ(a.barriers[4].lines, std::vector<int>{testing::last_barrier});
    EXPECT_FALSE(has(a, Rule::barrier_mismatch));
}

TEST(Barriers, RowsWithNothingLeftToDoWait) {
    Machine m(256);
    testing::tree_then_warp(m);
    const Analysis a = analyze(m.finish());
    const auto waiting = [&](std::size_t s) {
        return std::count(a.steps[s].waiting.begin(), a.steps[s].waiting.end(), 1);
    };
    EXPECT_EQ(waiting(0), 0);   // all write
    EXPECT_EQ(waiting(1), 4);   // stride 128: rows 4 to 7
    EXPECT_EQ(waiting(2), 6);   // stride 64
    EXPECT_EQ(waiting(3), 7);   // stride 32
    EXPECT_EQ(waiting(7), 7);   // the council
    EXPECT_EQ(waiting(10), 7);  // publish
    EXPECT_EQ(waiting(11), 0);  // broadcast
    EXPECT_EQ(a.steps[2].waiting, (std::vector<std::uint8_t>{0, 0, 1, 1, 1, 1, 1, 1}));
    for (const StepAnalysis& step : a.steps)
        EXPECT_EQ(std::count(step.exited.begin(), step.exited.end(), 1), 0);
}

TEST(Barriers, ARowThatComesLaterInTheIntervalIsNotWaitingYet) {
    // Before one barrier warp 0 reads, then warp 1 reads what it will need on another line.
    Machine m(64);
    testing::stage(m);
    for (int t = 0; t < 64; ++t)
        m.load(t, 20, t);
    testing::shuffle_down(m, 0, 32);
    m.barrier(40);
    testing::everyone_reads_box_0(m);
    const Analysis a = analyze(m.finish());
    EXPECT_EQ(a.steps[1].waiting, (std::vector<std::uint8_t>{0, 0}));
    EXPECT_EQ(a.steps[2].waiting, (std::vector<std::uint8_t>{0, 1}));
}

TEST(Barriers, ARowThatHasLeftTheKernelHasExited) {
    Machine m(64);
    testing::stage(m);
    for (int t = 0; t < 32; ++t)
        m.load(t, 20, t);  // after the last barrier only warp 0 goes on
    const Analysis a = analyze(m.finish());
    EXPECT_EQ(a.steps[1].exited, (std::vector<std::uint8_t>{0, 1}));
    EXPECT_EQ(a.steps[1].waiting, (std::vector<std::uint8_t>{0, 0}));
}

TEST(Barriers, AThreadThatNeverComesIsAMismatch) {
    Machine m(64);
    testing::stage(m);
    for (int t = 0; t < 32; ++t)
        m.arrive(t, 15);
    const Analysis a = analyze(m.finish());
    ASSERT_EQ(a.barriers.size(), 2u);
    EXPECT_TRUE(a.barriers[1].mismatch);
    EXPECT_EQ(a.barriers[1].arrived, 32);
    ASSERT_TRUE(has(a, Rule::barrier_mismatch));
    for (const Finding& f : a.findings)
        if (f.rule == Rule::barrier_mismatch) {
            EXPECT_EQ(f.lines, std::vector<int>{15});
            EXPECT_EQ(f.threads.size(), 32u);
            EXPECT_EQ(f.threads.front(), 32);
        }
}

TEST(Barriers, DifferentLinesAreAMismatch) {
    Machine m(64);
    testing::stage(m);
    for (int t = 0; t < 64; ++t)
        m.arrive(t, t < 32 ? 15 : 16);
    const Analysis a = analyze(m.finish());
    EXPECT_TRUE(a.barriers.at(1).mismatch);
    EXPECT_TRUE(has(a, Rule::barrier_mismatch));
}

TEST(Barriers, OneUnderUniformControlFlowIsLegal) {
    Machine m(64);
    testing::stage(m);
    for (int i = 0; i < 3; ++i)
        m.barrier(15);  // a loop that every thread runs equally often
    const Analysis a = analyze(m.finish());
    EXPECT_EQ(a.totals.barriers, 4);
    EXPECT_FALSE(has(a, Rule::barrier_mismatch));
}

}  // namespace
}  // namespace auditorium::analysis
