// Inside launch: the two ways to run, and the rule that chooses between them. Apart from the rest so that a
// test can hand in a GPU that is missing or fails.
#pragma once

#include <functional>

#include "launch/launch.h"

namespace auditorium::launch {

struct Backend {
    std::function<GpuInfo()> info;
    // Records on the GPU; `device` errors are failures of the machine.
    std::function<Expected<trace::Trace>(const kernels::Kernel&, const trace::LaunchConfig&, const Options&)>
        record;
};

Expected<trace::Trace> run_with(const Backend& gpu, const trace::LaunchConfig& config,
                                const Options& options);

// The error of a run that options.cancelled ended.
tl::unexpected<Error> cancelled();

}  // namespace auditorium::launch
