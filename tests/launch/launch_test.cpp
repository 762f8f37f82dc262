// What launch refuses, and what it does where a GPU is missing or fails.
#include "launch/launch.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <utility>

#include "launch/backend.h"
#include "launch/find_wrong.h"

namespace auditorium::launch {
namespace {

trace::LaunchConfig config_of(const std::string& kernel, int block) {
    trace::LaunchConfig config;
    config.kernel = kernel;
    config.block = block;
    return config;
}

void expect_refused(const trace::LaunchConfig& config, ExitStatus status, const std::string& part,
                    const Options& options = {}) {
    const auto prepared = prepare(config, options);
    ASSERT_FALSE(prepared) << part;
    EXPECT_EQ(prepared.error().status, status) << prepared.error().sentence;
    EXPECT_NE(prepared.error().sentence.find(part), std::string::npos) << prepared.error().sentence;
}

TEST(Prepare, RefusesWhatCannotRun) {
    Options anything;
    anything.allow_wrong = true;
    expect_refused(config_of("no_such_kernel", 256), ExitStatus::usage, "no kernel 'no_such_kernel'");
    expect_refused(config_of("contiguous_warp", 0), ExitStatus::usage, "1 to 1024 threads, not 0");
    expect_refused(config_of("contiguous_warp", 1025), ExitStatus::usage, "1 to 1024 threads, not 1025",
                   anything);
    expect_refused(config_of("missing_barrier", 0), ExitStatus::usage, "1 to 1024 threads, not 0", anything);
    expect_refused(config_of("contiguous_warp", 96), ExitStatus::usage, "--allow-wrong");
    expect_refused(config_of("shuffle_first", 48), ExitStatus::usage, "multiple of 32");
    trace::LaunchConfig config = config_of("contiguous_warp", 64);
    config.calls = trace::max_calls + 1;
    expect_refused(config, ExitStatus::usage, "calls");
    config.calls = 0;
    expect_refused(config, ExitStatus::usage, "calls");
    config = config_of("back_to_back", 64);
    config.calls = 3;
    expect_refused(config, ExitStatus::usage, "2 at a time");
    config = config_of("contiguous_warp", 64);
    config.values = {1, 2, 3};
    expect_refused(config, ExitStatus::bad_input, "64 threads need 64 values, and there are 3");
    config.values.clear();
    config.input = "values:1,2,3";
    EXPECT_FALSE(prepare(config, {}));
    config.input = "no such spec";
    EXPECT_FALSE(prepare(config, {}));
}

TEST(Prepare, FillsInWhatIsMissing) {
    const auto plain = prepare(config_of("contiguous_warp", 256), {});
    ASSERT_TRUE(plain);
    EXPECT_EQ(plain->values.size(), 256u);
    EXPECT_EQ(plain->calls, 1);
    const auto again = prepare(*plain, {});
    ASSERT_TRUE(again);
    EXPECT_EQ(*again, *plain);
    EXPECT_EQ(prepare(config_of("back_to_back", 256), {})->calls, 2);
    // The clinic's kernels are wrong on purpose: their sizes need no permission.
    EXPECT_TRUE(prepare(config_of("ragged_block", 96), {}));
    EXPECT_TRUE(prepare(config_of("partial_mask", 17), {}));
    Options anything;
    anything.allow_wrong = true;
    EXPECT_TRUE(prepare(config_of("contiguous_warp", 96), anything));
    EXPECT_TRUE(prepare(config_of("contiguous_any", 97), {}));
}

Backend no_gpu() {
    return {[] {
                GpuInfo info;
                info.reason = "There is no GPU here.";
                return info;
            },
            [](const kernels::Kernel&, const trace::LaunchConfig&, const Options&) -> Expected<trace::Trace> {
                ADD_FAILURE() << "a GPU that is missing was used";
                return fail(ExitStatus::device, "");
            }};
}

Backend failing_gpu() {
    return {[] {
                GpuInfo info;
                info.available = true;
                return info;
            },
            [](const kernels::Kernel&, const trace::LaunchConfig&, const Options&) -> Expected<trace::Trace> {
                return fail(ExitStatus::device, "The GPU failed while running: it fell off the bus.");
            }};
}

TEST(Run, WithoutAGpuSimulatesAndSaysWhy) {
    const auto trace = run_with(no_gpu(), config_of("contiguous_warp", 64), {});
    ASSERT_TRUE(trace) << trace.error().sentence;
    EXPECT_EQ(trace->origin.kind, trace::Origin::Kind::simulated);
    EXPECT_EQ(trace->origin.note, "There is no GPU here.");
    EXPECT_FALSE(trace->date.empty());
    EXPECT_FALSE(trace->tool_version.empty());
    EXPECT_EQ(trace->source, kernels::find("contiguous_warp")->source);
    EXPECT_EQ(trace->config.values.size(), 64u);
}

TEST(Run, AGpuThatFailsInMidRunFallsBackAndSaysWhy) {
    const auto trace = run_with(failing_gpu(), config_of("one_barrier", 64), {});
    ASSERT_TRUE(trace) << trace.error().sentence;
    EXPECT_EQ(trace->origin.kind, trace::Origin::Kind::simulated);
    EXPECT_EQ(trace->origin.note, "The GPU failed while running: it fell off the bus.");
}

TEST(Run, AGpuThatWasAskedForMustBeThere) {
    Options options;
    options.device = Device::gpu;
    for (const Backend& backend : {no_gpu(), failing_gpu()}) {
        const auto trace = run_with(backend, config_of("contiguous_warp", 64), options);
        ASSERT_FALSE(trace);
        EXPECT_EQ(trace.error().status, ExitStatus::device);
        EXPECT_NE(trace.error().sentence.find("GPU"), std::string::npos);
    }
}

TEST(Run, OnTheCpuNobodyAsksForAGpu) {
    Options options;
    options.device = Device::cpu;
    Backend backend = no_gpu();
    backend.info = [] {
        ADD_FAILURE() << "asked for a GPU";
        return GpuInfo{};
    };
    const auto trace = run_with(backend, config_of("contiguous_any", 97), options);
    ASSERT_TRUE(trace) << trace.error().sentence;
    EXPECT_EQ(trace->origin.note, "");
}

TEST(Run, TheDivergentBarrierNeverReachesAGpu) {
    Backend backend = failing_gpu();
    backend.record = no_gpu().record;
    const auto trace = run_with(backend, config_of("divergent_barrier", 64), {});
    ASSERT_TRUE(trace) << trace.error().sentence;
    EXPECT_NE(trace->origin.note.find("may hang"), std::string::npos) << trace->origin.note;
    Options options;
    options.device = Device::gpu;
    const auto refused = run_with(backend, config_of("divergent_barrier", 64), options);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().status, ExitStatus::usage);
}

TEST(Run, ARunThatIsCancelledDoesNotFallBack) {
    Options options;
    options.cancelled = [] { return true; };
    Backend backend = failing_gpu();
    backend.record = [](const kernels::Kernel&, const trace::LaunchConfig&,
                        const Options&) -> Expected<trace::Trace> { return cancelled(); };
    const auto trace = run_with(backend, config_of("contiguous_warp", 64), options);
    ASSERT_FALSE(trace);
    EXPECT_EQ(trace.error().sentence, "The recording was cancelled.");
}

TEST(GpuInfo, SaysWhatThereIsOrWhyNot) {
    const GpuInfo info = gpu_info();
    EXPECT_EQ(info.available, info.reason.empty());
    if (info.available) {
        EXPECT_FALSE(info.name.empty());
        EXPECT_GT(info.compute_major, 0);
    } else {
        EXPECT_EQ(info.reason.back(), '.') << info.reason;
    }
}

// What is asked for is held to; what is not said is varied.
TEST(FindWrong, VariesWhatItMayAndSaysWhatItTries) {
    const trace::LaunchConfig asked = config_of("contiguous_warp", 32);
    for (const auto& [inputs, schedules] : {std::pair(true, false), {false, true}}) {
        std::set<std::string> tried_inputs, tried_schedules;
        int last = -1, limit = 0;
        Search search;
        search.inputs = inputs;
        search.schedules = schedules;
        search.trying = [&](const trace::LaunchConfig& config, int runs, int most) {
            tried_inputs.insert(config.input);
            tried_schedules.insert(trace::name_of(config.schedule));
            EXPECT_EQ(runs, last + 1);
            last = runs;
            limit = most;
        };
        const auto found = find_wrong(
            asked, {}, [](const trace::Trace&) { return false; }, search);
        ASSERT_FALSE(found);
        EXPECT_EQ(found.error().status, ExitStatus::finding);
        EXPECT_EQ(last + 1, limit);
        EXPECT_NE(found.error().sentence.find(std::to_string(limit) + " simulated runs"), std::string::npos);
        EXPECT_EQ(inputs ? tried_schedules.size() : tried_inputs.size(), 1u);
        EXPECT_GT(inputs ? tried_inputs.size() : tried_schedules.size(), 1000u);
        EXPECT_EQ(tried_inputs.count(asked.input), 1u);
    }
}

}  // namespace
}  // namespace auditorium::launch
