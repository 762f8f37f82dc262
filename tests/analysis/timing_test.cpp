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

}  // namespace
}  // namespace auditorium::analysis
