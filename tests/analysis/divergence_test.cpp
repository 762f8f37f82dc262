#include "make_trace.h"

#include "analysis/analysis.h"

namespace auditorium::analysis {
namespace {

using testing::Machine;

TEST(Divergence, LaneEfficiencyIsActiveLanesOverSlots) {
    Machine m(64);
    testing::stage(m);  // 2 requests of 32 lanes
    for (int t = 0; t < 64; t += 2)
        m.load(t, 20, t);  // 2 requests of 16 lanes
    const Analysis a = analyze(m.finish());
    EXPECT_EQ(a.totals.active_lanes, 64 + 32);
    EXPECT_EQ(a.totals.lane_slots, 4 * 32);
    EXPECT_DOUBLE_EQ(a.totals.lane_efficiency(), 0.75);
    EXPECT_DOUBLE_EQ(a.steps[1].counts.lane_efficiency(), 0.5);
    EXPECT_EQ(a.steps[1].warps_issuing, 2);
    EXPECT_EQ(a.steps[1].active_threads, 32);
}

TEST(Divergence, AWarpThatSleepsCostsNothing) {
    Machine m(64);
    testing::stage(m);
    for (int t = 0; t < 32; ++t)
        m.load(t, 20, t);  // as many threads as above, but in one warp
    const Analysis a = analyze(m.finish());
    EXPECT_DOUBLE_EQ(a.steps[1].counts.lane_efficiency(), 1);
    EXPECT_EQ(a.steps[1].warps_issuing, 1);
}

TEST(Divergence, ShufflesCountAsSlotsToo) {
    Machine m(32);
    testing::stage(m);
    for (int t = 0; t < 32; ++t)
        m.load(t, testing::read_line, t);
    testing::shuffle_down(m, 0, 32);
    const Analysis a = analyze(m.finish());
    EXPECT_EQ(a.totals.shuffles, 5);
    EXPECT_EQ(a.totals.shuffle_requests, 5);
    EXPECT_EQ(a.totals.lane_slots, 7 * 32);
    EXPECT_EQ(a.totals.active_lanes, 7 * 32);
}

TEST(Divergence, AWarpThatTheBlockDoesNotFillHas32SlotsAllTheSame) {
    Machine m(8);
    testing::stage(m);
    const Analysis a = analyze(m.finish());
    EXPECT_EQ(a.totals.lane_slots, 32);
    EXPECT_EQ(a.totals.active_lanes, 8);
}

TEST(Divergence, StepsSumToTheTotals) {
    Machine m(256);
    testing::tree_then_warp(m);
    const Analysis a = analyze(m.finish());
    Counts sum;
    for (const StepAnalysis& step : a.steps) {
        sum.load_requests += step.counts.load_requests;
        sum.store_wavefronts += step.counts.store_wavefronts;
        sum.active_lanes += step.counts.active_lanes;
        sum.shuffle_requests += step.counts.shuffle_requests;
    }
    EXPECT_EQ(sum.load_requests, a.totals.load_requests);
    EXPECT_EQ(sum.store_wavefronts, a.totals.store_wavefronts);
    EXPECT_EQ(sum.active_lanes, a.totals.active_lanes);
    EXPECT_EQ(sum.shuffle_requests, a.totals.shuffles);
    EXPECT_EQ(a.totals.load_wavefronts, 23);
    EXPECT_EQ(a.totals.store_wavefronts, 16);
}

TEST(Divergence, LanesThatCountAreThoseThatAResultDependsOn) {
    Machine m(64);
    testing::tree_then_warp(m);
    const trace::Trace trace = m.finish();
    const Analysis a = analyze(trace);
    std::vector<int> counting;
    for (std::size_t s = 0; s < trace.steps.size(); ++s) {
        if (trace.steps[s].kind != trace::StepKind::shuffle) {
            EXPECT_TRUE(a.steps[s].counts_lane.empty());
            continue;
        }
        counting.push_back(a.steps[s].results_that_count);
        for (std::size_t t = 0; t < 64; ++t)
            EXPECT_EQ(a.steps[s].counts_lane[t], t < std::size_t(counting.back()))
                << "step " << s << " thread " << t;
    }
    EXPECT_EQ(counting, (std::vector<int>{16, 8, 4, 2, 1}));
}

TEST(Divergence, WhereEveryLaneReturnsItsOwnResultEveryLaneCounts) {
    Machine m(32);
    for (int offset = 16; offset > 0; offset /= 2) {
        m.shuffle(0, 32, 20, [&](int lane) { return lane ^ offset; });
        for (int t = 0; t < 32; ++t)
            m.combine(t, 21);
    }
    const Analysis a = analyze(m.finish());
    for (const StepAnalysis& step : a.steps)
        EXPECT_EQ(step.results_that_count, 32);
}

}  // namespace
}  // namespace auditorium::analysis
