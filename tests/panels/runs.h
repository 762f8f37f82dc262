// Runs for the tests of the panels: any catalogue entry, simulated.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "app/app.h"
#include "kernels/catalogue.h"
#include "launch/launch.h"

namespace auditorium::test {

struct Recorded {
    trace::Trace trace;
    analysis::Analysis analysis;
    playback::Timeline timeline;
};

inline trace::Trace record(const std::string& kernel, int block, trace::Op op = trace::Op::max,
                           trace::Type type = trace::Type::f32,
                           const std::string& input = "random:3664:0:999") {
    trace::LaunchConfig config;
    config.kernel = kernel;
    config.block = block;
    config.op = op;
    config.type = type;
    config.input = input;
    if (const kernels::Kernel* found = kernels::find(kernel))
        config.calls = found->calls;
    launch::Options options;
    options.device = launch::Device::cpu;
    options.allow_wrong = true;
    auto trace = launch::run(config, options);
    if (!trace) {
        ADD_FAILURE() << kernel << " at " << block << ": " << trace.error().sentence;
        return {};
    }
    return std::move(*trace);
}

inline Recorded run(const std::string& kernel, int block, trace::Op op = trace::Op::max,
                    trace::Type type = trace::Type::f32, const std::string& input = "random:3664:0:999") {
    Recorded run;
    run.trace = record(kernel, block, op, type, input);
    run.analysis = analysis::analyze(run.trace);
    run.timeline = playback::make_timeline(run.trace, run.analysis);
    return run;
}

inline playback::Moment end_of(const Recorded& run, int step) {
    return playback::moment_at(run.timeline, playback::end_of_step(run.timeline, step));
}

}  // namespace auditorium::test
