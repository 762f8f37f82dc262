// Lanes that part and meet again, barriers that do not match, lanes that take no part, and schedules.
#include <fmt/format.h>

#include <functional>
#include <set>

#include "tests/simt/support.h"
#include "trace/replay.h"

namespace auditorium {
namespace {

using trace::Event;
using trace::EventKind;
using trace::RunFault;

const char* const every_schedule[] = {"lockstep",     "1", "2", "3", "4", "independent:1", "independent:2",
                                      "independent:3"};

std::vector<int> range(int first, int last) {
    std::vector<int> all;
    for (int i = first; i <= last; ++i)
        all.push_back(i);
    return all;
}

TEST(Threads, lanes_meet_again_where_the_statement_ends) {
    // Every shuffle has all its lanes, whatever happened before it.
    for (const char* text : {
             "if (tid % 2) val += 1; else if (tid % 3) val -= 1;\n"
             "return __shfl_xor_sync(~0u, val, 1);",
             "for (int i = 0; i < tid; ++i) { if (i == 5) break; val += i; }\n"
             "return __shfl_down_sync(~0u, val, 3);",
             "int n = 0; while (true) { if (n >= tid % 5) break; ++n; if (n % 2) continue; val += n; }\n"
             "return __shfl_sync(~0u, val, 31);",
             "val = tid < 7 ? val * 2 : tid > 9 && val > 3 ? val - 1 : val;\n"
             "return __shfl_up_sync(~0u, val, 1);",
             "val = f(val);\nreturn __shfl_xor_sync(~0u, val, 16);",
         })
        for (const char* schedule : every_schedule) {
            const auto trace = run_text(body(text,
                                             "__device__ T f(T x) { if (x > 9) return x; for (;;) { x += 2; "
                                             "if (x > 7) return -x; } }\n"),
                                        ints(64, "ramp", schedule));
            ASSERT_TRUE(trace) << trace.error().sentence;
            EXPECT_TRUE(trace->faults.empty()) << text << trace->faults[0].text;
            const auto first = run_text(body(text,
                                             "__device__ T f(T x) { if (x > 9) return x; for (;;) { x += 2; "
                                             "if (x > 7) return -x; } }\n"),
                                        ints(64));
            EXPECT_EQ(trace->results, first->results) << text << schedule;
            EXPECT_EQ(trace->events, first->events) << text << schedule;
        }
}

TEST(Threads, a_shuffle_needs_its_lanes) {
    for (const char* schedule : every_schedule) {
        SCOPED_TRACE(schedule);
        const auto trace = run_text(body("if (tid < 16)\n"
                                         "  val = __shfl_down_sync(~0u, val, 8);\n"
                                         "__syncthreads();\n"
                                         "return val;"),
                                    ints(32, "ramp", schedule));
        ASSERT_TRUE(trace) << trace.error().sentence;
        ASSERT_EQ(trace->faults.size(), 1u);
        const RunFault& fault = trace->faults[0];
        EXPECT_EQ(fault.kind, RunFault::Kind::undefined_lane);
        EXPECT_EQ(fault.threads, range(8, 15));
        EXPECT_EQ(fault.lines, std::vector<int>{3});
        for (int tid = 0; tid < 16; ++tid) {
            const Event& event = trace->events[static_cast<std::size_t>(tid)][0];
            EXPECT_EQ(event.kind, EventKind::shuffle);
            EXPECT_EQ(event.flags, tid < 8 ? 0 : Event::undefined | Event::bad_mask);
            EXPECT_EQ(trace->result_undefined[0][static_cast<std::size_t>(tid)], tid >= 8);
        }
    }
    // The right mask makes it right.
    for (const char* schedule : every_schedule) {
        const auto trace = run_text(body("if (tid < 16) val = __shfl_xor_sync(0xffff, val, 8); return val;"),
                                    ints(32, "ramp", schedule));
        ASSERT_TRUE(trace);
        EXPECT_TRUE(trace->faults.empty());
        EXPECT_EQ(trace->results[0][3], 11u);
    }
    // A lane that the mask does not name is no partner either, and a lane that its own mask leaves out has
    // none.
    const auto unnamed = run_text(body("return __shfl_sync(1, val, tid % 2);"), ints(4));
    ASSERT_EQ(unnamed->faults.size(), 1u);
    EXPECT_EQ(unnamed->faults[0].threads, range(1, 3));
    for (std::size_t tid = 1; tid < 4; ++tid) {
        EXPECT_EQ(unnamed->events[tid][0].flags, Event::undefined | Event::bad_mask);
        EXPECT_TRUE(unnamed->result_undefined[0][tid]);
    }
    EXPECT_FALSE(unnamed->result_undefined[0][0]);
}

TEST(Threads, barriers_must_match) {
    // Both sides have a barrier of their own: what a GPU counts as one and the language calls undefined.
    for (const char* schedule : every_schedule) {
        SCOPED_TRACE(schedule);
        const auto trace = run_text(body("shared[tid] = val;\n"
                                         "if (tid < 40) {\n"
                                         "  __syncthreads();\n"
                                         "  val += 1;\n"
                                         "} else {\n"
                                         "  __syncthreads();\n"
                                         "}\n"
                                         "__syncthreads();\n"
                                         "return val + shared[0];"),
                                    ints(64, "ramp", schedule));
        ASSERT_TRUE(trace) << trace.error().sentence;
        ASSERT_EQ(trace->faults.size(), 1u);
        EXPECT_EQ(trace->faults[0].kind, RunFault::Kind::barrier_mismatch);
        EXPECT_EQ(trace->faults[0].lines, (std::vector<int>{4, 7}));
        EXPECT_EQ(trace->faults[0].threads, range(0, 63));
        EXPECT_EQ(trace->faults[0].text,
                  "Threads 0 to 39 wait at the barrier in line 4, threads 40 to 63 wait at the barrier in "
                  "line 7. A "
                  "barrier must be reached by every thread of the block.");
        EXPECT_EQ(trace->barriers, 2);
        for (int tid = 0; tid < 64; ++tid)
            EXPECT_EQ(trace->results[0][static_cast<std::size_t>(tid)], bits(tid + (tid < 40)));
    }
    // Under a condition that is the same for all threads a barrier is right.
    for (const char* schedule : every_schedule) {
        const auto trace = run_text(body("for (int i = 0; i < 3; ++i) if (i != 1) __syncthreads(); if "
                                         "(blockDim.x > 1) __syncthreads(); return val;"),
                                    ints(64, "ramp", schedule));
        EXPECT_TRUE(trace->faults.empty());
        EXPECT_EQ(trace->barriers, 3);
    }
}

TEST(Threads, leaving_while_others_wait) {
    for (const char* schedule : every_schedule) {
        SCOPED_TRACE(schedule);
        const auto trace = run_text(body("if (tid >= 33) return val;\n"
                                         "shared[tid] = val;\n"
                                         "__syncthreads();\n"
                                         "return shared[32 - tid];"),
                                    ints(70, "ramp", schedule));
        ASSERT_TRUE(trace) << trace.error().sentence;
        ASSERT_EQ(trace->faults.size(), 1u);
        EXPECT_EQ(trace->faults[0].kind, RunFault::Kind::barrier_mismatch);
        EXPECT_EQ(trace->faults[0].lines, std::vector<int>{4});
        EXPECT_EQ(trace->faults[0].threads, range(0, 32));
        EXPECT_EQ(trace->faults[0].text,
                  "Threads 0 to 32 wait at the barrier in line 4, but threads 33 to 69 have already left the "
                  "kernel. "
                  "A barrier must be reached by every thread of the block.");
        for (int tid = 0; tid < 70; ++tid)
            EXPECT_EQ(trace->results[0][static_cast<std::size_t>(tid)], bits(tid < 33 ? 32 - tid : tid));
    }
}

TEST(Threads, a_loop_with_fewer_rounds_for_some) {
    // Thread t passes t % 3 barriers inside the loop and one behind it.
    for (const char* schedule : every_schedule) {
        const auto trace = run_text(body("for (int i = 0; i < tid % 3; ++i)\n"
                                         "  __syncthreads();\n"
                                         "__syncthreads();\n"
                                         "return val;"),
                                    ints(48, "ramp", schedule));
        ASSERT_TRUE(trace) << trace.error().sentence;
        ASSERT_FALSE(trace->faults.empty());
        for (const RunFault& fault : trace->faults)
            EXPECT_EQ(fault.kind, RunFault::Kind::barrier_mismatch);
        for (int tid = 0; tid < 48; ++tid)
            EXPECT_EQ(trace::barriers_passed(trace->events[static_cast<std::size_t>(tid)]), tid % 3 + 1);
    }
}

TEST(Threads, syncwarp_orders_the_lanes_of_a_warp) {
    const std::string right = body(
        "shared[tid] = val;\n"
        "__syncwarp();\n"
        "T other = shared[tid ^ 1];\n"
        "__syncwarp();\n"
        "shared[tid] = other + val;\n"
        "__syncwarp();\n"
        "return shared[tid ^ 2];");
    const auto first = run_text(right, ints(52));
    ASSERT_TRUE(first) << first.error().sentence;
    for (const char* schedule : every_schedule) {
        const auto trace = run_text(right, ints(52, "ramp", schedule));
        EXPECT_TRUE(trace->faults.empty());
        EXPECT_FALSE(trace->racy);
        EXPECT_EQ(trace->results, first->results);
        EXPECT_EQ(trace->events, first->events);
    }
    const auto missing =
        run_text(body("if (tid < 5)\n  __syncwarp();\n__syncthreads();\nreturn val;"), ints(32));
    ASSERT_EQ(missing->faults.size(), 1u);
    EXPECT_EQ(missing->faults[0].kind, RunFault::Kind::barrier_mismatch);
    EXPECT_EQ(missing->faults[0].lines, std::vector<int>{3});
    EXPECT_EQ(missing->faults[0].threads, range(0, 4));
    const auto named =
        run_text(body("if (tid < 5)\n  __syncwarp(31);\n__syncthreads();\nreturn val;"), ints(32));
    EXPECT_TRUE(named->faults.empty());
}

TEST(Threads, undefined_values_stay_marked) {
    for (const char* schedule : every_schedule) {
        const auto trace = run_text(body("T a;\n"
                                         "T b = shared[tid];\n"
                                         "T c = a + val;\n"
                                         "T d = op(b, val);\n"
                                         "if (tid == 0) return a;\n"
                                         "if (tid == 1) return b;\n"
                                         "if (tid == 2) return c;\n"
                                         "if (tid == 3) return d;\n"
                                         "a = val;\n"
                                         "return a;"),
                                    ints(6, "ramp", schedule));
        ASSERT_TRUE(trace) << trace.error().sentence;
        // b and d come from a box never written: the trace derives those marks from the events.
        EXPECT_TRUE(trace->events[0][0].flags & Event::undefined);
        EXPECT_TRUE(trace->events[0][1].flags & Event::undefined);
    }
}

TEST(Threads, the_same_seed_gives_the_same_run) {
    std::set<std::uint32_t> results;
    for (int seed = 0; seed < 12; ++seed)
        for (const char* kind : {"{}", "independent:{}"}) {
            const std::string schedule = fmt::format(fmt::runtime(kind), seed);
            auto config = ints(256, "random:3664:0:999", schedule);
            config.kernel = "missing_barrier";
            const auto one = run_kernel(config), two = run_kernel(config);
            EXPECT_EQ(one->events, two->events);
            EXPECT_EQ(one->results, two->results);
            results.insert(one->results[0][0]);
        }
    EXPECT_GT(results.size(), 3u);  // and seeds differ
}

TEST(Threads, every_run_replays) {
    for (const kernels::Kernel& kernel : kernels::all())
        for (const char* schedule : every_schedule)
            for (const auto type : {trace::Type::f32, trace::Type::i32})
                for (const int block : {32, 64, 96, 256}) {
                    const auto trace = run_kernel(config_for(std::string(kernel.id), trace::Op::sum, type,
                                                             block, "random:9:-500:500", schedule));
                    ASSERT_TRUE(trace) << trace.error().sentence;
                    const trace::Replay replay = trace::replay(*trace);
                    EXPECT_TRUE(replay.agrees())
                        << kernel.id << " " << block << " " << schedule << ": " << replay.difference;
                }
}

}  // namespace
}  // namespace auditorium
