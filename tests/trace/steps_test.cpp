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

// The tree without its barriers, as missing_barrier has it: many rounds in one interval.
TEST(Steps, rounds_without_barriers_are_told_apart_by_their_visits) {
    Block block(256);
    block.stage(10);
    block.barrier(11);
    for (int stride = 128; stride > 0; stride /= 2) {
        block.tree(15, stride, stride);
    }
    block.barrier(17);
    block.broadcast(18);
    block.end_of_call();
    const auto trace = block.finish();
    ASSERT_TRUE(trace) << trace.error().sentence;
    EXPECT_TRUE(trace->racy);
    EXPECT_EQ(outline(*trace),
              "stage, tree 128, tree 64, tree 32, tree 16, tree 8, tree 4, tree 2, tree 1, broadcast");
    EXPECT_EQ(trace->steps[3].active_threads, 32);
    EXPECT_TRUE(trace->steps[8].barrier_after);
    EXPECT_FALSE(trace->steps[7].barrier_after);
}

// The last warp unrolled through shared memory, with and without __syncwarp between its reads and writes.
TEST(Steps, a_syncwarp_belongs_to_the_piece_before_it_and_orders) {
    for (const bool synchronized : {false, true}) {
        Block block(64);
        block.stage(10);
        block.barrier(11);
        for (int stride = 32; stride > 0; stride /= 2) {
            std::vector<std::uint32_t> result(32);
            for (int t = 0; t < 32; ++t) {
                const auto a = block.load(t, 13, t);
                const auto b = block.load(t, 14, t + stride);
                result[static_cast<std::size_t>(t)] = block.combine(t, 15, a, b);
                if (synchronized) {
                    block.syncwarp(t, 16);
                }
            }
            for (int t = 0; t < 32; ++t) {
                block.store(t, 17, t, result[static_cast<std::size_t>(t)]);
                if (synchronized) {
                    block.syncwarp(t, 18);
                }
            }
        }
        block.barrier(20);
        block.broadcast(21);
        block.end_of_call();
        const auto trace = block.finish();
        ASSERT_TRUE(trace) << trace.error().sentence;
        EXPECT_EQ(trace->racy, !synchronized);
        EXPECT_EQ(outline(*trace), "stage, tree 32, tree 16, tree 8, tree 4, tree 2, tree 1, broadcast");
        EXPECT_EQ(trace->steps[1].active_threads, 32);
        if (synchronized) {
            EXPECT_EQ(trace->events[0][7].kind, EventKind::store);
            EXPECT_EQ(trace->events[0][9].writer, 0) << "box 0 was written by thread 0 in the round before";
            EXPECT_EQ(trace->events[0][9].writer_event, 7);
        }
    }
}

TEST(Steps, calls_with_a_barrier_between_them) {
    Block block(64);
    block.contiguous_warp();
    block.barrier(0);
    block.value = block.trace.config.values;
    block.contiguous_warp();
    block.trace.config.calls = 2;
    const auto trace = block.finish();
    ASSERT_TRUE(trace) << trace.error().sentence;
    const std::string once =
        "stage, tree 32, handoff, shuffle 16, shuffle 8, shuffle 4, shuffle 2, shuffle 1, publish, broadcast";
    EXPECT_EQ(outline(*trace), once + ", " + once);
    for (std::size_t s = 0; s < trace->steps.size(); ++s) {
        EXPECT_EQ(trace->steps[s].call, s < 10 ? 0 : 1) << s;
    }
}

// As back_to_back has it: the second pass stages how far each value is from the first pass's result.
TEST(Steps, calls_without_a_barrier_are_found_where_the_lines_begin_again) {
    Block block(128);
    block.contiguous_warp();
    for (std::size_t t = 0; t < 128; ++t) {
        block.value[t] = block.value[t] - block.trace.config.values[t];
    }
    block.trace.config.op = Op::sum;
    block.contiguous_warp();
    block.trace.config.op = Op::max;
    block.trace.config.calls = 2;
    const auto trace = block.finish();
    ASSERT_TRUE(trace) << trace.error().sentence;
    EXPECT_TRUE(trace->racy) << "box 0 may be staged anew before everybody has read it";
    const std::string once =
        "stage, tree 64, tree 32, handoff, shuffle 16, shuffle 8, shuffle 4, shuffle 2, shuffle 1, publish, "
        "broadcast";
    EXPECT_EQ(outline(*trace), once + ", " + once);
    for (std::size_t s = 0; s < trace->steps.size(); ++s) {
        EXPECT_EQ(trace->steps[s].call, s < 11 ? 0 : 1) << s;
    }
    EXPECT_EQ(trace->steps[10].interval, trace->steps[11].interval);
    // Seat 5 shows the distance once it has written it down.
    EXPECT_EQ(trace->steps[11].registers[5], trace->results[0][5] - trace->config.values[5]);
}

TEST(Steps, one_thread_hands_off_and_publishes_without_a_shuffle) {
    Block block(1);
    block.stage(26);
    block.barrier(27);
    block.value[0] = block.load(0, 40, 0);
    block.store(0, 42, 0, block.value[0]);
    block.barrier(44);
    block.broadcast(45);
    block.end_of_call();
    const auto trace = block.finish();
    ASSERT_TRUE(trace) << trace.error().sentence;
    EXPECT_EQ(outline(*trace), "stage, handoff, publish, broadcast");
}

// Lanes missing though the mask names them: what they would have given is undefined, and what it reaches.
TEST(Steps, undefined_values_are_followed) {
    Block block(48);
    for (int w = 0; w < 2; ++w) {
        block.warp_reduce(w, 4);
        block.store(w * 32, 12, w, block.value[static_cast<std::size_t>(w * 32)]);
    }
    block.barrier(14);
    for (int t = 0; t < 32; ++t) {
        block.value[static_cast<std::size_t>(t)] = t < 2 ? block.load(t, 16, t) : 0;
    }
    block.warp_reduce(0, 4);
    block.store(0, 18, 0, block.value[0]);
    block.barrier(20);
    block.broadcast(21);
    block.end_of_call();
    const auto trace = block.finish();
    ASSERT_TRUE(trace) << trace.error().sentence;
    EXPECT_EQ(
        outline(*trace),
        "shuffle 16, shuffle 8, shuffle 4, shuffle 2, shuffle 1, publish, handoff, shuffle 16, shuffle 8, "
        "shuffle 4, shuffle 2, shuffle 1, publish, broadcast");
    const auto& steps = trace->steps;
    EXPECT_TRUE(steps[0].register_undefined[32]);  // lane 16 of warp 1 is not there
    EXPECT_FALSE(steps[0].register_undefined[0]);
    EXPECT_EQ(steps[5].box_state[0], box_defined);
    EXPECT_EQ(steps[5].box_state[1], box_undefined);
    EXPECT_EQ(steps[5].box_state[2], box_never_written);
    EXPECT_FALSE(steps[6].register_undefined[0]);
    EXPECT_TRUE(steps[6].register_undefined[1]);
    EXPECT_FALSE(steps[6].register_undefined[20]) << "it took a constant";
    EXPECT_FALSE(steps[10].register_undefined[0]);
    EXPECT_TRUE(steps[11].register_undefined[0]) << "it has received from lane 1";
    EXPECT_TRUE(trace->result_undefined[0][0]);
    EXPECT_TRUE(trace->result_undefined[0][47]);
}

TEST(Steps, a_box_never_written_is_undefined_when_read) {
    Block block(32);
    block.value[3] = block.load(3, 10, 7);
    block.store(3, 11, 4, block.value[3]);
    block.end_of_call();
    const auto trace = block.finish();
    ASSERT_TRUE(trace) << trace.error().sentence;
    EXPECT_TRUE(trace->events[3][0].flags & Event::undefined);
    EXPECT_EQ(trace->events[3][0].writer, nobody);
    EXPECT_EQ(trace->steps.back().box_state[4], box_undefined);
    EXPECT_TRUE(trace->result_undefined[0][3]);
}

// Kernels that only this test knows.

// Each thread of the first half takes two boxes a round further on, keeps the result in a register across a
// barrier, and writes it behind it; the last four meet in one thread; the result goes out through box 1.
TEST(Steps, an_unknown_kernel_that_writes_behind_a_barrier) {
    Block block(64, Op::sum);
    block.stage(3);
    block.barrier(4);
    for (int half = 32; half >= 4; half /= 2) {
        std::vector<std::uint32_t> kept(static_cast<std::size_t>(half));
        for (int t = 0; t < half; ++t) {
            const auto mine = block.load(t, 7, t);
            kept[static_cast<std::size_t>(t)] = block.combine(t, 8, mine, block.load(t, 8, t + half));
        }
        block.barrier(9);
        for (int t = 0; t < half; ++t) {
            block.store(t, 11, t, kept[static_cast<std::size_t>(t)]);
        }
        block.barrier(12);
    }
    std::uint32_t last = block.load(63, 15, 0);
    for (int box = 1; box < 4; ++box) {
        last = block.combine(63, 17, last, block.load(63, 17, box));
    }
    block.store(63, 18, 1, last);
    block.barrier(19);
    for (int t = 0; t < 64; ++t) {
        block.value[static_cast<std::size_t>(t)] = block.load(t, 20, 1);
    }
    block.end_of_call();
    const auto trace = block.finish();
    ASSERT_TRUE(trace) << trace.error().sentence;
    EXPECT_FALSE(trace->racy);
    EXPECT_EQ(outline(*trace),
              "stage, tree 32, tree 32, tree 16, tree 16, tree 8, tree 8, tree 4, tree 4, other, broadcast");
    EXPECT_EQ(trace->barriers, 10);
    EXPECT_EQ(trace->results[0][7], last);
}

// Warp 1 exchanges while warp 0 works in shared memory, on lines that stand in the other order.
TEST(Steps, an_unknown_kernel_whose_warps_do_different_things) {
    Block block(64);
    block.stage(30);
    block.barrier(31);
    for (int t = 0; t < 16; ++t) {
        const auto a = block.load(t, 42, t), b = block.load(t, 42, t + 16);
        block.store(t, 42, t, block.combine(t, 42, a, b));
    }
    block.warp_reduce(1, 8, true);
    block.store(32, 50, 32, block.value[32]);
    block.barrier(52);
    block.end_of_call();
    const auto trace = block.finish();
    ASSERT_TRUE(trace) << trace.error().sentence;
    EXPECT_EQ(outline(*trace),
              "stage, shuffle x16, tree 16, shuffle x8, shuffle x4, shuffle x2, shuffle x1, publish");
}

// Threads that pass two lines in different orders: the step is split, and every thread's own order is kept.
TEST(Steps, lines_passed_in_different_orders_are_split) {
    Block block(4);
    for (int t = 0; t < 4; ++t) {
        const int first = t < 3 ? 5 : 6;
        block.store(t, first, t, 1);
        block.load(t, 11 - first, t);
    }
    block.end_of_call();
    const auto trace = block.finish();
    ASSERT_TRUE(trace) << trace.error().sentence;
    std::vector<std::uint32_t> done(4, 0);
    int pieces = 0;
    for (const Step& step : trace->steps) {
        for (std::size_t t = 0; t < 4; ++t) {
            if (!step.pieces[t].empty()) {
                EXPECT_EQ(step.pieces[t].begin, done[t]);
                done[t] = step.pieces[t].end;
                ++pieces;
            }
        }
    }
    EXPECT_EQ(done, (std::vector<std::uint32_t>{2, 2, 2, 2}));
    EXPECT_EQ(pieces, 8);
}

TEST(Steps, neither_an_id_nor_a_text_changes_them) {
    for (const char* id : {"contiguous_warp", "shuffle_first", "nonsense", ""}) {
        Block block(128);
        block.trace.config.kernel = id;
        block.trace.source = std::string(60, '\n');
        block.one_barrier();
        const auto trace = block.finish();
        ASSERT_TRUE(trace) << trace.error().sentence;
        EXPECT_EQ(
            outline(*trace),
            "shuffle x16, shuffle x8, shuffle x4, shuffle x2, shuffle x1, publish, handoff, shuffle x16, "
            "shuffle x8, shuffle x4, shuffle x2, shuffle x1");
    }
}

TEST(Steps, more_steps_than_can_be_shown_are_refused) {
    Block block(1024);
    for (int t = 0; t < 1024; ++t) {
        for (int i = 0; i < 8; ++i) {
            block.store(t, 1 + t * 8 + i, t, 1);
            block.load(t, 1 + t * 8 + i, t);
        }
    }
    block.end_of_call();
    const auto trace = block.finish();
    ASSERT_FALSE(trace);
    EXPECT_EQ(trace.error().sentence, "The run has more than 4096 steps, too many to show.");
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
