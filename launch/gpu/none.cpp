#include "launch/backend.h"
#include "launch/gpu/gpu.h"

namespace auditorium::launch::gpu {

GpuInfo info() {
    GpuInfo info;
    info.reason = "This program was built without the CUDA Toolkit, so it cannot use a GPU.";
    return info;
}

std::string why_no_counters() {
    return info().reason;
}

Expected<trace::Trace> record(const kernels::Kernel&, const trace::LaunchConfig&, const Options&) {
    return fail(ExitStatus::device, info().reason);
}

Expected<Speed> measure_speed(int, const std::function<bool()>&) {
    return fail(ExitStatus::device, info().reason);
}

}  // namespace auditorium::launch::gpu

std::optional<int> auditorium::launch::serve_line_counts(int, char**) {
    return std::nullopt;
}
