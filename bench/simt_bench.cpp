// Speed of record without a GPU: parse, compile, run, and everything that trace::finish derives.
// The goal for contiguous_warp at 1024 threads is 5 ms for all of it.
#include <benchmark/benchmark.h>

#include <string>

#include "kernels/catalogue.h"
#include "simt/code.h"
#include "simt/machine.h"
#include "simt/simt.h"
#include "trace/input.h"

namespace auditorium {
namespace {

trace::LaunchConfig config_of(const kernels::Kernel& kernel, int block, const char* schedule) {
    trace::LaunchConfig config;
    config.kernel = kernel.id;
    config.block = block;
    config.calls = kernel.calls;
    config.values = trace::expand_input(config.input, config.type, block).value();
    config.schedule = trace::parse_schedule(schedule).value();
    return config;
}

simt::LaunchShape shape_of(const kernels::Kernel& kernel, const trace::LaunchConfig& config) {
    simt::LaunchShape shape;
    shape.function = kernel.entry;
    shape.barrier_between_calls = kernel.barrier_between_calls;
    shape.results_per_call = kernel.results;
    shape.results = config.calls;
    shape.op = config.op;
    shape.type = config.type;
    shape.block = config.block;
    return shape;
}

// All of it: text in, finished trace out.
void record(benchmark::State& state, const char* id, const char* schedule) {
    const kernels::Kernel& kernel = *kernels::find(id);
    const auto config = config_of(kernel, static_cast<int>(state.range(0)), schedule);
    simt::Entry entry;
    entry.function = kernel.entry;
    entry.barrier_between_calls = kernel.barrier_between_calls;
    entry.results = kernel.results;
    std::size_t events = 0;
    for (auto _ : state) {
        auto trace = simt::run(kernel.source, entry, config);
        if (!trace) {
            state.SkipWithError(trace.error().sentence.c_str());
            return;
        }
        events = 0;
        for (const auto& list : trace->events)
            events += list.size();
        benchmark::DoNotOptimize(trace);
    }
    state.counters["events"] = static_cast<double>(events);
}

// Its parts.
void parse_text(benchmark::State& state, const char* id) {
    const kernels::Kernel& kernel = *kernels::find(id);
    for (auto _ : state)
        benchmark::DoNotOptimize(simt::parse(kernel.source));
}
void compile_text(benchmark::State& state, const char* id) {
    const kernels::Kernel& kernel = *kernels::find(id);
    const auto program = simt::parse(kernel.source);
    const auto shape = shape_of(kernel, config_of(kernel, 1024, "lockstep"));
    for (auto _ : state)
        benchmark::DoNotOptimize(simt::compile(*program, shape));
}
void execute_code(benchmark::State& state, const char* id, const char* schedule) {
    const kernels::Kernel& kernel = *kernels::find(id);
    const auto config = config_of(kernel, static_cast<int>(state.range(0)), schedule);
    const auto program = simt::parse(kernel.source);
    const auto code = simt::compile(*program, shape_of(kernel, config));
    for (auto _ : state) {
        trace::Trace trace;
        trace.config = config;
        simt::execute(*code, {}, trace);
        benchmark::DoNotOptimize(trace);
    }
}

BENCHMARK_CAPTURE(record, contiguous_warp, "contiguous_warp", "lockstep")
    ->Arg(32)
    ->Arg(256)
    ->Arg(1024)
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(record, contiguous_warp_seeded, "contiguous_warp", "1")
    ->Arg(1024)
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(record, contiguous_warp_independent, "contiguous_warp", "independent:1")
    ->Arg(1024)
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(record, contiguous_full, "contiguous_full", "lockstep")
    ->Arg(256)
    ->Arg(1024)
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(record, interleaved_divergent, "interleaved_divergent", "lockstep")
    ->Arg(1024)
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(record, one_barrier, "one_barrier", "lockstep")->Arg(1024)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(record, missing_barrier, "missing_barrier", "1")->Arg(1024)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(record, back_to_back, "back_to_back", "1")->Arg(1024)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(parse_text, contiguous_warp, "contiguous_warp")->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(compile_text, contiguous_warp, "contiguous_warp")->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(execute_code, contiguous_warp, "contiguous_warp", "lockstep")
    ->Arg(1024)
    ->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace auditorium
