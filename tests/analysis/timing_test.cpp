// What the stamps say of a whole launch.
#include "analysis/timing.h"

#include <gtest/gtest.h>

namespace auditorium::analysis {
namespace {

trace::Trace two_warps() {
    trace::Trace trace;
    trace.config.block = 64;
    trace.events.resize(64);
    trace.events[0].resize(3);
    trace.events[32].resize(2);
    trace.cycles = trace::Cycles{95, 100, 110, 201, true};
    return trace;
}

TEST(Timing, TheLatestReturnIsTheStampedLaunch) {
    trace::Trace trace = two_warps();
    EXPECT_FALSE(stamped_cycles(trace));
    EXPECT_FALSE(disturbance(trace));
    // warp, event, min, median, max, launches
    trace.stamps = {{0, 1, 40, 41, 42, 31}, {0, 3, 90, 98, 99, 31}, {1, 2, 100, 104, 109, 31}};
    ASSERT_TRUE(stamped_cycles(trace));
    EXPECT_EQ(*stamped_cycles(trace), 104);
    EXPECT_NEAR(*disturbance(trace), 0.04, 1e-9);
}

TEST(Timing, AWarpWithoutAReturnLeavesItUnknown) {
    trace::Trace trace = two_warps();
    trace.stamps = {{0, 3, 90, 98, 99, 31}, {1, 1, 100, 104, 109, 31}};
    EXPECT_FALSE(stamped_cycles(trace));
    trace.stamps = {{0, 3, 90, 98, 99, 31}, {1, 2, 80, 81, 82, 31}};
    trace.cycles.reset();
    EXPECT_EQ(*stamped_cycles(trace), 98);
    EXPECT_FALSE(disturbance(trace));
}

// One warp, one step: two events, an arrival at a barrier, a release.
TEST(Timing, AStampIsBoundedByTheNextOne) {
    trace::Trace trace;
    trace.config.block = 32;
    trace.events.resize(32);
    trace.events[0].resize(4);
    trace.events[0][2].kind = trace::EventKind::barrier_arrive;
    trace.events[0][3].kind = trace::EventKind::barrier_leave;
    trace::Step step;
    step.barrier_after = true;
    step.pieces.resize(32);
    step.pieces[0] = {0, 2};
    trace.steps = {step};
    trace.stamps = {
        {0, 1, 20, 20, 20, 9}, {0, 2, 40, 44, 44, 9}, {0, 3, 41, 41, 41, 9}, {0, 4, 60, 60, 60, 9}};
    const auto times = warp_times(trace);
    ASSERT_EQ(times.size(), 1u);
    ASSERT_EQ(times[0].size(), 1u);
    EXPECT_EQ(times[0][0].begin, 0);
    EXPECT_EQ(times[0][0].work, 41);  // not after its release
    EXPECT_EQ(times[0][0].end, 41);
    trace.stamps[2].median = 50;
    EXPECT_EQ(warp_times(trace)[0][0].work, 44);
    EXPECT_EQ(warp_times(trace)[0][0].end, 50);
}

}  // namespace
}  // namespace auditorium::analysis
