// Steps are found from events alone; these event lists are written by hand.
#include "trace/steps.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdio>

#include "tests/trace/block.h"

namespace auditorium::trace::test {
namespace {

TEST(Steps, contiguous_warp_at_256_has_exactly_12) {
    Block block(256);
    block.contiguous_warp();
    const auto trace = block.finish();
    ASSERT_TRUE(trace) << trace.error().sentence;
    EXPECT_EQ(outline(*trace),
              "stage, tree 128, tree 64, tree 32, handoff, shuffle 16, shuffle 8, shuffle 4, shuffle 2, "
              "shuffle 1, publish, broadcast");
    EXPECT_EQ(trace->barriers, 5);
    EXPECT_FALSE(trace->racy);
    std::vector<int> active, barrier_after;
    for (const Step& step : trace->steps) {
        active.push_back(step.active_threads);
        barrier_after.push_back(step.barrier_after);
    }
    EXPECT_EQ(active, (std::vector<int>{256, 128, 64, 32, 32, 32, 32, 32, 32, 32, 1, 256}));
    EXPECT_EQ(barrier_after, (std::vector<int>{1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 1, 0}));
}

TEST(Steps, shuffle_first_publishes_its_partials_and_shows_the_constants_of_the_missing_ones) {
    Block block(256);
    block.shuffle_first();
    const auto trace = block.finish();
    ASSERT_TRUE(trace) << trace.error().sentence;
    EXPECT_EQ(
        outline(*trace),
        "shuffle 16, shuffle 8, shuffle 4, shuffle 2, shuffle 1, publish, handoff, shuffle 16, shuffle 8, "
        "shuffle 4, shuffle 2, shuffle 1, publish, broadcast");
    EXPECT_EQ(trace->steps[0].active_threads, 256);
    EXPECT_EQ(trace->steps[5].active_threads, 8);
    EXPECT_EQ(trace->steps[6].active_threads, 8);
    // Lane 20 has no partial to load: the hand-off shows the constant it took, not its own old value.
    EXPECT_NE(trace->steps[5].registers[20], 0u);
    EXPECT_EQ(trace->steps[6].registers[20], 0u);
}

TEST(Steps, one_barrier_exchanges_in_pairs) {
    Block block(128);
    block.one_barrier();
    const auto trace = block.finish();
    ASSERT_TRUE(trace) << trace.error().sentence;
    EXPECT_EQ(outline(*trace),
              "shuffle x16, shuffle x8, shuffle x4, shuffle x2, shuffle x1, publish, handoff, shuffle x16, "
              "shuffle x8, shuffle x4, shuffle x2, shuffle x1");
}

TEST(Steps, finishing_1024_threads_takes_well_under_2_ms) {
    Block block(1024);
    block.contiguous_warp();
    block.trace.snapshots.push_back({block.passed, block.boxes});
    double best = 1e9;
    for (int i = 0; i < 20; ++i) {
        Trace copy = block.trace;
        const auto begin = std::chrono::steady_clock::now();
        const auto trace = finish(std::move(copy));
        best = std::min(
            best,
            std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count());
        ASSERT_TRUE(trace);
    }
    std::printf("finish, 1024 threads: %.2f ms\n", best);
#if !defined(__SANITIZE_ADDRESS__)
    EXPECT_LT(best, 4.0);  // twice the goal, since other work may share the machine
#endif
}

}  // namespace
}  // namespace auditorium::trace::test
