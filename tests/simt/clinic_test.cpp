// The clinic's entries are wrong in the way that the catalogue says, and their benign twins are not.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "tests/simt/support.h"

namespace auditorium {
namespace {

using trace::Event;
using trace::Op;
using trace::RunFault;
using trace::Trace;
using trace::Type;

Trace run_or_fail(const trace::LaunchConfig& config) {
    auto trace = run_kernel(config);
    if (!trace) {
        ADD_FAILURE() << trace.error().sentence;
        return {};
    }
    return *trace;
}

std::int64_t sum_of(const trace::LaunchConfig& config) {
    std::int64_t sum = 0;
    for (const std::uint32_t value : config.values)
        sum += static_cast<std::int32_t>(value);
    return sum;
}
std::int32_t max_of(const trace::LaunchConfig& config) {
    std::int32_t best = static_cast<std::int32_t>(config.values[0]);
    for (const std::uint32_t value : config.values)
        best = std::max(best, static_cast<std::int32_t>(value));
    return best;
}

// Results of thread 0 (of the last call) over many schedules.
std::set<std::int64_t> results_over(trace::LaunchConfig config, const char* schedules, int how_many) {
    std::set<std::int64_t> results;
    for (int seed = 1; seed <= how_many; ++seed) {
        config.schedule = trace::parse_schedule(fmt::format(fmt::runtime(schedules), seed)).value();
        results.insert(static_cast<std::int32_t>(run_or_fail(config).results.back()[0]));
    }
    return results;
}

TEST(Clinic, missing_barrier_is_right_by_luck_or_wrong) {
    const auto config = config_for("missing_barrier", Op::sum, Type::i32, 256, "random:3664:0:999");
    const Trace lockstep = run_or_fail(config);
    EXPECT_TRUE(lockstep.racy);
    EXPECT_EQ(lockstep.results[0][0], static_cast<std::uint32_t>(sum_of(config)));  // by luck
    auto results = results_over(config, "{}", 20);
    results.erase(sum_of(config));
    EXPECT_FALSE(results.empty());
    for (const std::int64_t wrong : results)
        EXPECT_LT(wrong, sum_of(config));  // something came too late
    // Two warps share no box after the first barrier: warps in lockstep cannot go wrong.
    const auto small = config_for("missing_barrier", Op::sum, Type::i32, 64, "random:3664:0:999");
    EXPECT_EQ(results_over(small, "{}", 20), (std::set<std::int64_t>{sum_of(small)}));
}

TEST(Clinic, back_to_back_overtakes_its_own_result) {
    const auto config = config_for("back_to_back", Op::max, Type::i32, 256, "random:3664:0:999");
    const std::int64_t spread = std::int64_t(max_of(config)) * 256 - sum_of(config);
    const Trace lockstep = run_or_fail(config);
    ASSERT_EQ(lockstep.results.size(), 2u);
    EXPECT_TRUE(lockstep.racy);
    EXPECT_EQ(lockstep.results[0][0], bits(max_of(config)));
    EXPECT_EQ(lockstep.results[1][0], static_cast<std::uint32_t>(spread));
    auto results = results_over(config, "{}", 20);
    results.erase(spread);
    EXPECT_FALSE(results.empty());
    // One warp alone keeps in step with itself.
    const auto warp = config_for("back_to_back", Op::max, Type::i32, 32, "random:3664:0:999");
    EXPECT_EQ(results_over(warp, "{}", 10),
              (std::set<std::int64_t>{std::int64_t(max_of(warp)) * 32 - sum_of(warp)}));
}

TEST(Clinic, ragged_block_loses_whole_rows) {
    // At 96 threads: the inputs 32 to 47 and 80 to 95, whatever the schedule.
    auto config = config_for("ragged_block", Op::sum, Type::i32, 96, "ones");
    EXPECT_EQ(results_over(config, "{}", 10), (std::set<std::int64_t>{64}));
    for (int thread = 0; thread < 96; ++thread) {
        std::fill(config.values.begin(), config.values.end(), 0);
        config.values[static_cast<std::size_t>(thread)] = 1;
        const bool lost = (thread >= 32 && thread < 48) || thread >= 80;
        const Trace trace = run_or_fail(config);
        EXPECT_EQ(trace.results[0][0], lost ? 0u : 1u) << thread;
        EXPECT_FALSE(trace.racy);
    }
    config = config_for("ragged_block", Op::sum, Type::i32, 48, "ones");
    EXPECT_EQ(run_or_fail(config).results[0][0], 32u);
    EXPECT_EQ(run_or_fail(config_for("ragged_block", Op::sum, Type::i32, 64, "ones")).results[0][0], 64u);
}

TEST(Clinic, zero_identity_invents_a_maximum) {
    const auto negative = config_for("zero_identity", Op::max, Type::f32, 256, "random:1:-99:-1");
    EXPECT_EQ(run_or_fail(negative).results[0][0], bits(0.0f));
    EXPECT_FALSE(run_or_fail(negative).racy);
    // Positive data hides it, and so does a block whose partials fill a warp.
    const auto positive = config_for("zero_identity", Op::max, Type::i32, 256, "random:1:1:99");
    EXPECT_EQ(run_or_fail(positive).results[0][0], bits(max_of(positive)));
    const auto full = config_for("zero_identity", Op::max, Type::i32, 1024, "random:1:-99:-1");
    EXPECT_EQ(run_or_fail(full).results[0][0], bits(max_of(full)));
}

TEST(Clinic, partial_mask_names_lanes_that_do_not_exist) {
    for (const int block : {17, 31, 48})
        for (const char* schedule : {"lockstep", "7", "independent:7"}) {
            const Trace trace = run_or_fail(
                config_for("partial_mask", Op::max, Type::i32, block, "random:3664:0:999", schedule));
            ASSERT_EQ(trace.faults.size(), 1u);
            EXPECT_EQ(trace.faults[0].kind, RunFault::Kind::undefined_lane);
            ASSERT_EQ(trace.faults[0].lines.size(), 1u);
            // Exactly the lanes within reach of one that is missing.
            const int first = block / 32 * 32, lanes = block % 32;
            std::vector<int> expected;
            for (int lane = 0; lane < lanes; ++lane) {
                bool reads_missing = false;
                for (int d = 16; d > 0; d /= 2)
                    reads_missing |= lane + d < 32 && lane + d >= lanes;
                if (reads_missing)
                    expected.push_back(first + lane);
            }
            EXPECT_EQ(trace.faults[0].threads, expected) << block;
            for (const int thread : expected) {
                const auto& events = trace.events[static_cast<std::size_t>(thread)];
                EXPECT_TRUE(std::any_of(events.begin(), events.end(), [](const Event& event) {
                    return event.flags == (Event::undefined | Event::bad_mask);
                }));
            }
            EXPECT_TRUE(trace.result_undefined[0][0]);
        }
    EXPECT_TRUE(run_or_fail(config_for("partial_mask", Op::max, Type::i32, 64, "ramp")).faults.empty());
}

TEST(Clinic, missing_syncwarp_trusts_lockstep) {
    const auto config = config_for("missing_syncwarp", Op::sum, Type::i32, 256, "random:3664:0:999");
    EXPECT_TRUE(run_or_fail(config).racy);
    // Warps in lockstep: right, always. Lanes that drift: wrong.
    EXPECT_EQ(results_over(config, "{}", 10), (std::set<std::int64_t>{sum_of(config)}));
    auto results = results_over(config, "independent:{}", 10);
    results.erase(sum_of(config));
    EXPECT_FALSE(results.empty());
}

TEST(Clinic, divergent_barrier_is_found_and_ends) {
    for (const int block : {2, 8, 64, 256, 1024})
        for (const char* schedule : {"lockstep", "7", "independent:7"}) {
            const Trace trace =
                run_or_fail(config_for("divergent_barrier", Op::sum, Type::i32, block, "ramp", schedule));
            ASSERT_FALSE(trace.faults.empty());
            EXPECT_EQ(trace.faults[0].kind, RunFault::Kind::barrier_mismatch);
            EXPECT_EQ(trace.faults[0].lines, std::vector<int>{15});
            EXPECT_EQ(trace.faults[0].threads.size(), static_cast<std::size_t>(block / 2));
            EXPECT_NE(trace.faults[0].text.find("already left the kernel"), std::string::npos);
        }
}

// Every entry ends, in every size that a block can have and under every kind of schedule.
TEST(Clinic, nothing_hangs_at_any_size) {
    for (const kernels::Kernel& kernel : kernels::all())
        for (int block = 1; block <= 1024; block += block < 70 ? 1 : 119)
            for (const char* schedule : {"lockstep", "11", "independent:11"}) {
                const Trace trace = run_or_fail(
                    config_for(std::string(kernel.id), Op::sum, Type::f32, block, "ramp", schedule));
                for (const RunFault& fault : trace.faults)
                    EXPECT_NE(fault.kind, RunFault::Kind::step_limit) << kernel.id << " " << block;
                EXPECT_EQ(trace.results.size(), static_cast<std::size_t>(kernel.calls));
            }
}

}  // namespace
}  // namespace auditorium
