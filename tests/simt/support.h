// What the tests of the interpreter share: launches of the catalogue, and kernels written in the test itself.
#pragma once

#include <gtest/gtest.h>

#include <bit>
#include <string>
#include <vector>

#include "kernels/catalogue.h"
#include "simt/simt.h"
#include "trace/input.h"

namespace auditorium {

inline std::uint32_t bits(float value) {
    return std::bit_cast<std::uint32_t>(value);
}
inline std::uint32_t bits(int value) {
    return static_cast<std::uint32_t>(value);
}

inline trace::LaunchConfig config_for(std::string kernel, trace::Op op, trace::Type type, int block,
                                      const std::string& input, const std::string& schedule = "lockstep") {
    trace::LaunchConfig config;
    config.kernel = std::move(kernel);
    config.op = op;
    config.type = type;
    config.block = block;
    config.input = input;
    config.values = trace::expand_input(input, type, block).value();
    config.schedule = trace::parse_schedule(schedule).value();
    return config;
}

inline simt::Entry entry_of(const kernels::Kernel& kernel) {
    simt::Entry entry;
    entry.function = kernel.entry;
    entry.barrier_between_calls = kernel.barrier_between_calls;
    entry.results = kernel.results;
    entry.file = kernel.file;
    return entry;
}

inline Expected<trace::Trace> run_kernel(const trace::LaunchConfig& config) {
    const kernels::Kernel& kernel = *kernels::find(config.kernel);
    trace::LaunchConfig filled = config;
    filled.calls = std::max(config.calls, kernel.calls);
    return simt::run(kernel.source, entry_of(kernel), filled);
}

// A kernel written in a test: the body of block_reduce.
inline std::string body(const std::string& text, const std::string& before = "") {
    return before +
           "template <typename Op> __device__ T block_reduce(T val, Shared shared, int tid, Op op) {\n" +
           text + "\n}\n";
}
// Errors are named test.cuh:LINE:COLUMN.
inline Expected<trace::Trace> run_text(const std::string& source, const trace::LaunchConfig& config) {
    simt::Entry entry;
    entry.file = "test.cuh";
    return simt::run(source, entry, config);
}
inline trace::LaunchConfig ints(int block, const std::string& input = "ramp",
                                const std::string& schedule = "lockstep") {
    return config_for("test", trace::Op::sum, trace::Type::i32, block, input, schedule);
}
inline trace::LaunchConfig floats(int block, const std::string& input = "ramp",
                                  const std::string& schedule = "lockstep") {
    return config_for("test", trace::Op::sum, trace::Type::f32, block, input, schedule);
}

}  // namespace auditorium
