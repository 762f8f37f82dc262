#include "launch/launch.h"

#include <fmt/format.h>

#include <chrono>
#include <ctime>

#include "launch/backend.h"
#include "launch/gpu/gpu.h"
#include "simt/simt.h"
#include "trace/input.h"
#include "trace/text.h"

namespace auditorium::launch {
namespace {

std::string now_utc() {
    const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
    std::tm parts{};
    gmtime_r(&now, &parts);
    char text[32];
    std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
    return text;
}

Expected<trace::Trace> simulate(const kernels::Kernel& kernel, const trace::LaunchConfig& config) {
    const simt::Entry entry{kernel.entry, kernel.barrier_between_calls, kernel.results, kernel.file};
    return simt::run(kernel.source, entry, config);
}

}  // namespace

tl::unexpected<Error> cancelled() {
    return fail(ExitStatus::device, "The recording was cancelled.");
}

GpuInfo gpu_info() {
    static const GpuInfo info = gpu::info();
    return info;
}

std::string why_no_counters() {
    return gpu::why_no_counters();
}

Expected<trace::LaunchConfig> prepare(trace::LaunchConfig config, const Options& options) {
    const kernels::Kernel* kernel = kernels::find(config.kernel);
    if (!kernel) {
        return fail(ExitStatus::usage,
                    fmt::format("There is no kernel {}: `auditorium kernels` lists those there are.",
                                in_quotes(config.kernel, 60)));
    }
    const std::string why = kernels::why_not(*kernel, config.block);
    const bool possible = config.block >= 1 && config.block <= trace::max_block;
    if (!why.empty() && (!possible || (kernel->correct && !options.allow_wrong))) {
        return fail(
            ExitStatus::usage,
            possible ? why + " With --allow-wrong it runs all the same, to show what goes wrong." : why);
    }
    if (config.calls == 1) {
        config.calls = kernel->calls;
    }
    if (config.calls < 1 || config.calls > trace::max_calls) {
        return fail(ExitStatus::usage,
                    fmt::format("A launch makes 1 to {} calls, not {}.", trace::max_calls, config.calls));
    }
    if (config.calls % kernel->results != 0) {
        return fail(ExitStatus::usage,
                    fmt::format("{} yields its results {} at a time, so it cannot make {} calls.", kernel->id,
                                kernel->results, config.calls));
    }
    if (config.values.empty()) {
        auto values = trace::expand_input(config.input, config.type, config.block);
        if (!values) {
            return tl::unexpected(values.error());
        }
        config.values = std::move(*values);
    }
    if (static_cast<int>(config.values.size()) != config.block) {
        return fail(ExitStatus::bad_input, fmt::format("{} threads need {} values, and there are {}.",
                                                       config.block, config.block, config.values.size()));
    }
    return config;
}

Expected<trace::Trace> run_with(const Backend& gpu, const trace::LaunchConfig& asked,
                                const Options& options) {
    auto prepared = prepare(asked, options);
    if (!prepared) {
        return tl::unexpected(prepared.error());
    }
    const trace::LaunchConfig& config = *prepared;
    const kernels::Kernel& kernel = *kernels::find(config.kernel);
    const auto complete = [&](trace::Trace trace) {
        trace.date = now_utc();
        trace.tool_version = AUDITORIUM_VERSION;
        return trace;
    };

    std::string note;
    if (options.device != Device::cpu) {
        Error error{ExitStatus::ok, ""};
        if (!kernel.may_run_on_gpu) {
            error = {
                ExitStatus::usage,
                fmt::format("{} never runs on a GPU, which it may hang: it is simulated only.", kernel.id)};
        } else if (const GpuInfo info = gpu.info(); !info.available) {
            error = {ExitStatus::device, info.reason};
        } else if (auto trace = gpu.record(kernel, config, options); trace) {
            auto simulated = simulate(kernel, config);
            if (!simulated) {
                return tl::unexpected(simulated.error());
            }
            trace->simulated_results = std::move(simulated->results);
            return trace::finish(complete(std::move(*trace)));
        } else {
            error = trace.error();
        }
        const bool stopped = options.cancelled && options.cancelled();
        if (options.device == Device::gpu || stopped) {
            return tl::unexpected(error);
        }
        note = error.sentence;
    }
    auto trace = simulate(kernel, config);
    if (!trace) {
        return trace;
    }
    trace->origin.note = std::move(note);
    return complete(std::move(*trace));
}

Expected<trace::Trace> run(const trace::LaunchConfig& config, const Options& options) {
    return run_with({gpu_info, gpu::record}, config, options);
}

Expected<Speed> measure_speed(int runs, const std::function<bool()>& cancelled) {
    if (const GpuInfo info = gpu_info(); !info.available) {
        return fail(ExitStatus::device, info.reason);
    }
    auto speed = gpu::measure_speed(runs, cancelled);
    if (speed) {
        speed->date = now_utc();
    }
    return speed;
}

}  // namespace auditorium::launch
