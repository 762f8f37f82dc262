// The catalogue, interpreted: steps, replay and files; and two kernels that only this test knows.
#include <gtest/gtest.h>

#include <map>

#include "analysis/hazards.h"
#include "kernels/catalogue.h"
#include "simt/simt.h"
#include "tests/trace/block.h"
#include "trace/difference.h"
#include "trace/input.h"
#include "trace/io.h"
#include "trace/replay.h"

namespace auditorium::trace::test {
namespace {

Trace run_text(std::string_view source, const simt::Entry& entry, LaunchConfig config) {
    config.values = *expand_input(config.input, config.type, config.block);
    auto trace = simt::run(source, entry, config);
    EXPECT_TRUE(trace) << trace.error().sentence;
    return trace ? std::move(*trace) : Trace{};
}

Trace run(const kernels::Kernel& kernel, int block, const std::string& id = "") {
    LaunchConfig config;
    config.kernel = id.empty() ? std::string(kernel.id) : id;
    config.block = block;
    config.calls = kernel.calls;
    return run_text(kernel.source, {kernel.entry, kernel.barrier_between_calls, kernel.results, kernel.file},
                    config);
}

std::string outline_of(const char* id, int block) {
    return outline(run(*kernels::find(id), block));
}

const std::string council = "shuffle 16, shuffle 8, shuffle 4, shuffle 2, shuffle 1";
const std::string exchange = "shuffle x16, shuffle x8, shuffle x4, shuffle x2, shuffle x1";

TEST(Kernels, every_kernel_has_the_steps_that_its_text_says) {
    const std::string tree_down = "tree 128, tree 64, tree 32, tree 16, tree 8, tree 4, tree 2, tree 1";
    const std::string tree_up = "tree 1, tree 2, tree 4, tree 8, tree 16, tree 32, tree 64, tree 128";
    const std::string article =
        "stage, tree 128, tree 64, tree 32, handoff, " + council + ", publish, broadcast";
    const std::string councils = council + ", publish, handoff, " + council + ", publish, broadcast";
    const std::map<std::string, std::string> expected = {
        {"contiguous_warp", article},
        {"contiguous_full", "stage, " + tree_down + ", broadcast"},
        {"interleaved_divergent", "stage, " + tree_up + ", broadcast"},
        {"interleaved_strided", "stage, " + tree_up + ", broadcast"},
        {"shuffle_first", councils},
        {"one_barrier", exchange + ", publish, handoff, shuffle x4, shuffle x2, shuffle x1"},
        {"contiguous_any",
         "stage, tree 128, tree 64, tree 32, handoff, " + exchange + ", publish, broadcast"},
        {"missing_barrier", "stage, " + tree_down + ", broadcast"},
        {"back_to_back", article + ", " + article},
        {"ragged_block", article},
        {"zero_identity", councils},
        {"partial_mask", councils},
        {"missing_syncwarp", "stage, " + tree_down + ", broadcast"},
        {"divergent_barrier",
         "stage, tree 128, other, tree 64, other, tree 32, other, tree 16, other, tree 8, other, tree 4, "
         "other, tree 2, other, tree 1, other, other"},
    };
    for (const auto& kernel : kernels::all()) {
        const auto outline = expected.find(std::string(kernel.id));
        ASSERT_NE(outline, expected.end()) << kernel.id;
        EXPECT_EQ(test::outline(run(kernel, 256)), outline->second) << kernel.id;
    }
}

// Threads that return while others go on to a barrier leave; where all return alike, nobody does.
TEST(Kernels, who_leaves) {
    for (const auto& kernel : kernels::all()) {
        const Trace trace = run(kernel, 256);
        for (std::size_t s = 0; s < trace.steps.size(); ++s) {
            const bool leaves = kernel.id == "divergent_barrier" && trace.steps[s].kind == StepKind::other;
            EXPECT_EQ(trace.steps[s].leaves, leaves) << kernel.id << " " << s;
        }
    }
    const Trace trace = run(*kernels::find("divergent_barrier"), 64);
    int leavers = 0;
    for (const Step& step : trace.steps) {
        leavers += step.leaves ? step.active_threads : 0;
    }
    EXPECT_EQ(leavers, 64) << "each thread leaves once";
}

TEST(Kernels, odd_sizes) {
    EXPECT_EQ(outline_of("contiguous_warp", 32), "stage, handoff, " + council + ", publish, broadcast");
    EXPECT_EQ(outline_of("contiguous_any", 1), "stage, handoff, publish, broadcast");
    EXPECT_EQ(outline_of("contiguous_any", 17),
              "stage, tree 16, handoff, shuffle x8, shuffle x4, shuffle x2, shuffle x1, publish, broadcast");
    EXPECT_EQ(outline_of("contiguous_any", 96),
              "stage, tree 64, tree 32, handoff, " + exchange + ", publish, broadcast");
    EXPECT_EQ(outline_of("one_barrier", 32), exchange + ", publish, broadcast");
    EXPECT_EQ(outline_of("ragged_block", 96), "stage, tree 48, handoff, " + council + ", publish, broadcast");
    EXPECT_EQ(outline_of("partial_mask", 17),
              council + ", publish, handoff, " + council + ", publish, broadcast");
}

// The catalogue with each kernel under another one's id.
TEST(Kernels, ids_do_not_matter) {
    const auto all = kernels::all();
    for (std::size_t k = 0; k < all.size(); ++k) {
        const auto& other = all[(k + 5) % all.size()];
        const Trace named = run(all[k], 64), disguised = run(all[k], 64, std::string(other.id));
        ASSERT_EQ(named.steps.size(), disguised.steps.size());
        EXPECT_EQ(outline(named), outline(disguised)) << all[k].id << " as " << other.id;
        for (std::size_t s = 0; s < named.steps.size(); ++s) {
            EXPECT_EQ(named.steps[s].call, disguised.steps[s].call);
        }
    }
}

TEST(Kernels, events_replay_to_snapshots_and_files_hold_them) {
    for (const auto& kernel : kernels::all()) {
        for (int block : {1, 17, 32, 96, 256, 1024}) {
            if (kernel.correct && !kernels::why_not(kernel, block).empty()) {
                continue;
            }
            const Trace trace = run(kernel, block);
            const auto found = replay(trace);
            EXPECT_EQ(found.difference, "") << kernel.id << " at " << block;
            EXPECT_TRUE(trace.racy || found.boxes_left_out == 0 || !trace.faults.empty()) << kernel.id;
            const auto bytes = encode(trace);
            ASSERT_TRUE(bytes) << bytes.error().sentence;
            const auto back = read(*bytes, "memory");
            ASSERT_TRUE(back) << back.error().sentence;
            EXPECT_EQ(back->events, trace.events) << kernel.id << " at " << block;
            EXPECT_EQ(difference(trace, *back), "") << kernel.id << " at " << block;
        }
    }
}

TEST(Kernels, a_race_free_kernel_has_the_same_run_under_every_schedule) {
    const auto& kernel = *kernels::find("contiguous_any");
    LaunchConfig config;
    config.kernel = "contiguous_any";
    config.block = 100;
    const simt::Entry entry{kernel.entry, true, 1, kernel.file};
    const Trace lockstep = run_text(kernel.source, entry, config);
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
        config.schedule = {seed % 2 ? Schedule::Kind::independent : Schedule::Kind::seeded, seed};
        EXPECT_EQ(difference(lockstep, run_text(kernel.source, entry, config)), "");
    }
}

TEST(Kernels, a_trace_is_racy_where_analysis_finds_a_hazard) {
    int racy = 0;
    for (const auto& kernel : kernels::all()) {
        for (int block : {1, 32, 33, 64, 128, 1024}) {
            const Trace trace = run(kernel, block);
            const auto hazards = analysis::hazards_of(trace, analysis::places_of(trace));
            EXPECT_EQ(trace.racy, !hazards.empty()) << kernel.id << " at " << block;
            racy += trace.racy;
        }
    }
    EXPECT_GT(racy, 5);
}

// Two halves of the block work towards their own first box; then two threads put them together, and the
// result goes out through the last box.
constexpr const char* two_halves = R"(template <typename Op>
__device__ T gather(
    T val, Shared shared, int tid, Op op) {
  int middle = blockDim.x / 2;
  int i = tid % middle;
  shared[tid] = val;
  __syncthreads();
  for (int s = middle / 2; s > 0; s /= 2) {
    if (i < s) {
      T near = shared[tid];
      T far = shared[tid + s];
      shared[tid] = op(near, far);
    }
    __syncthreads();
  }
  if (tid == 0) {
    T low = shared[0];
    T high = shared[middle];
    shared[2 * middle - 1] = op(low, high);
  }
  __syncthreads();
  return shared[2 * middle - 1];
}
)";

TEST(Kernels, two_halves_that_only_this_test_knows) {
    LaunchConfig config;
    config.kernel = "contiguous_warp";  // a lie, which nothing may believe
    config.block = 64;
    config.op = Op::sum;
    config.type = Type::i32;
    const Trace trace = run_text(two_halves, {"gather", true, 1, {}}, config);
    ASSERT_FALSE(trace.steps.empty());
    EXPECT_EQ(outline(trace), "stage, tree 16, tree 8, tree 4, tree 2, tree 1, tree 32, broadcast");
    EXPECT_EQ(trace.steps[1].active_threads, 32);
    EXPECT_EQ(trace.steps[6].active_threads, 1);
    EXPECT_EQ(trace.barriers, 7);
    EXPECT_FALSE(trace.racy);
    EXPECT_EQ(replay(trace).difference, "");
}

// Shuffles first within groups of eight lanes, every group's first lane writes its part, and the first warp
// goes on in shared memory with __syncwarp, without another barrier of the block until the end.
constexpr const char* groups_then_warp = R"(template <typename Op>
__device__ T groups(
    T val, Shared shared, int tid, Op op) {
  for (int d = 4; d > 0; d /= 2) {
    T other = __shfl_xor_sync(~0u, val, d);
    val = op(val, other);
  }
  if (tid % 8 == 0) shared[tid / 8] = val;
  __syncthreads();
  if (tid < 32) {
    for (int s = blockDim.x / 16; s > 0; s /= 2) {
      T mine = val;
      if (tid < s) {
        mine = shared[tid];
        T more = shared[tid + s];
        mine = op(mine, more);
      }
      __syncwarp();
      if (tid < s) shared[tid] = mine;
      __syncwarp();
    }
  }
  __syncthreads();
  return shared[0];
}
)";

TEST(Kernels, groups_then_warp_that_only_this_test_knows) {
    LaunchConfig config;
    config.kernel = "divergent_barrier";
    config.block = 128;
    const Trace trace = run_text(groups_then_warp, {"groups", true, 1, {}}, config);
    ASSERT_FALSE(trace.steps.empty());
    EXPECT_EQ(outline(trace),
              "shuffle x4, shuffle x2, shuffle x1, publish, tree 8, tree 4, tree 2, tree 1, broadcast");
    EXPECT_EQ(trace.steps[3].active_threads, 16);
    EXPECT_EQ(trace.steps[4].active_threads, 8);
    EXPECT_EQ(trace.barriers, 2);
    EXPECT_FALSE(trace.racy) << "__syncwarp orders the warp's reads and writes";
    EXPECT_EQ(replay(trace).difference, "");
}

}  // namespace
}  // namespace auditorium::trace::test
