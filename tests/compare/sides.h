// Runs for the tests of the comparison: simulated, or a recording that the program carries.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "analysis/analysis.h"
#include "app/compare/presets.h"
#include "app/compare/recordings.h"
#include "app/playback/pair.h"

namespace auditorium::test {

// "contiguous_warp", "ragged_block@96", "missing_barrier@256@7"
inline trace::Trace simulated(const std::string& entry, trace::LaunchConfig base = {}) {
    auto config = compare::config_of(entry, base);
    auto trace = config ? compare::run(*config, launch::Device::cpu) : tl::unexpected(config.error());
    if (!trace) {
        ADD_FAILURE() << entry << ": " << trace.error().sentence;
        return {};
    }
    return std::move(*trace);
}

struct Run {
    trace::Trace trace;
    analysis::Analysis analysis;
    playback::Timeline timeline;
    playback::Side side() const { return {trace, analysis, timeline}; }
};

inline Run run_of(trace::Trace trace) {
    Run run{std::move(trace), {}, {}};
    run.analysis = analysis::analyze(run.trace);
    run.timeline = playback::make_timeline(run.trace, run.analysis);
    return run;
}

inline Run run_of(const std::string& entry, trace::LaunchConfig base = {}) {
    return run_of(simulated(entry, base));
}

// As if it had been recorded, with cycles and no stamps.
inline Run with_cycles(const std::string& entry, double cycles) {
    trace::Trace trace = simulated(entry);
    trace.origin.kind = trace::Origin::Kind::gpu;
    trace.origin.device = "a GPU";
    trace.cycles = trace::Cycles{cycles, cycles, cycles, 1, true};
    return run_of(std::move(trace));
}

}  // namespace auditorium::test
