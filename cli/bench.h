// What bench measures: one row for each thing timed. The app adds its own rows where it is built in.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace auditorium::cli {

struct BenchRow {
    std::string what;    // "record", "analyze", "read", ...
    std::string kernel;  // "" where it does not matter
    int threads = 0;
    std::string unit = "ms";
    double min = 0, median = 0;
    std::optional<double> goal;  // at most
};

// Runs `work` `runs` times after one warm-up; min and median in ms of wall clock.
BenchRow measure(std::string what, std::string kernel, int threads, int runs,
                 const std::function<void()>& work);

std::vector<BenchRow> bench_app(int runs);  // pictures_with_app.cpp; empty without the app

}  // namespace auditorium::cli
