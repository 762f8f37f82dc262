// What bench measures: one row for each thing timed. The app adds its own rows where it is built in.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "kernels/catalogue.h"
#include "trace/trace.h"

namespace auditorium::cli {

struct BenchRow {
    std::string what;    // "record", "analyze", "read", ...
    std::string kernel;  // "" where it does not matter
    int threads = 0;
    std::string unit = "ms";
    double min = 0, median = 0;
    std::optional<double> goal;  // at most
    std::string why;             // why it could not be measured; the numbers are nothing then
};

struct BenchOptions {
    int runs = 11;
    std::optional<std::string> kernel;  // this one alone; none: the whole catalogue
};

// Runs `work` `runs` times after one warm-up; min and median in ms of wall clock.
BenchRow measure(std::string what, std::string kernel, int threads, int runs,
                 const std::function<void()>& work);
BenchRow not_measured(std::string what, std::string kernel, int threads, std::string why);

// The kernels that are measured, and of one its largest block that suits it.
std::vector<const kernels::Kernel*> bench_kernels(const BenchOptions& options);
int largest_block(const kernels::Kernel& kernel);

// A simulated run of the kernel on its usual input, the wrong ones of the clinic too.
Expected<trace::Trace> bench_trace(const kernels::Kernel& kernel, int block);

// What of the app there is to time; `driver` is set to what draws. bench_with_app.cpp; one row that says why
// not without the app.
std::vector<BenchRow> bench_app(const BenchOptions& options, std::string& driver);

}  // namespace auditorium::cli
