// The GPU half of launch. Without the CUDA Toolkit at configure time none.cpp stands in for it.
#pragma once

#include "launch/launch.h"
#include "launch/speed.h"

namespace auditorium::launch::gpu {

GpuInfo info();
std::string why_no_counters();

// Runs `config`, which is checked, on the GPU: the plain kernel for its results, the traced one for
// everything else, and the clocks where options ask for them. The trace is not finished (trace::finish). Any
// failing call of the runtime is an Error with status `device`; the device is then reset, so that a later
// launch can succeed.
Expected<trace::Trace> record(const kernels::Kernel& kernel, const trace::LaunchConfig& config,
                              const Options& options);

// The plain kernel alone: [call][thread]. For tools that look at the machine while it runs.
Expected<std::vector<std::vector<std::uint32_t>>> plain_results(const kernels::Kernel& kernel,
                                                                const trace::LaunchConfig& config);

// The hardware's counters of one launch of the plain kernel.
Expected<std::vector<trace::Counter>> plain_counters(const kernels::Kernel& kernel,
                                                     const trace::LaunchConfig& config);

// The same per line of the kernel's text, once in the life of a process (line_counters.h).
Expected<trace::LineCounters> plain_line_counters(const kernels::Kernel& kernel,
                                                  const trace::LaunchConfig& config);

// launch/speed.h's; the date is left empty.
Expected<Speed> measure_speed(int runs, const std::function<bool()>& cancelled);

}  // namespace auditorium::launch::gpu
