// One launch: LaunchConfig in, Trace out, on the GPU or through the interpreter. Only this folder may write
// the origin `gpu`.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "kernels/catalogue.h"
#include "trace/trace.h"

namespace auditorium::launch {

enum class Device { automatic, gpu, cpu };

struct Options {
    Device device = Device::automatic;
    bool allow_wrong = false;         // run a size that the kernel is not right for
    bool timings = true;              // GPU: cycles of the plain kernel and stamps of the timed one
    bool counters = true;             // GPU: the hardware's counters, of the launch and of each line
    std::function<bool()> cancelled;  // asked now and then from the calling thread; may be empty
};

struct GpuInfo {
    bool available = false;
    std::string reason;  // why not, one sentence
    std::string name, driver, cuda;
    int compute_major = 0, compute_minor = 0;
};
GpuInfo gpu_info();  // never throws; any error of the driver means "no GPU", with its reason

// Counts per line are made in a process of their own: this program, started again with arguments that only
// this function knows. main() of a program that records begins with it, and returns its exit status if there
// is one.
std::optional<int> serve_line_counts(int argc, char** argv);

// Why the GPU's counters cannot be read here, one sentence that names the setting to change; "" if they can.
// Tries it, which takes a moment.
std::string why_no_counters();

// Checks the config against the catalogue (unknown id, block outside 1..1024, a size that does not suit,
// wrong number of values) and fills values from config.input where empty.
Expected<trace::LaunchConfig> prepare(trace::LaunchConfig config, const Options& options);

// Runs it. Under `automatic` a missing or failing GPU falls back to simulation and origin.note says why. A
// GPU trace also carries plain and simulated results. Errors: usage, bad_input, device.
Expected<trace::Trace> run(const trace::LaunchConfig& config, const Options& options = {});

}  // namespace auditorium::launch
