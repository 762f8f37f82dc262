#include "simt/simt.h"

#include <fmt/format.h>

#include <exception>
#include <string>

#include "simt/code.h"
#include "simt/machine.h"

namespace auditorium::simt {
namespace {

tl::unexpected<Error> at_place(const std::string& file, const SourceError& error) {
    return fail(ExitStatus::bad_input,
                fmt::format("{}:{}:{}: {}", file, error.range.line, error.range.column, error.sentence));
}

Expected<trace::Trace> interpret(std::string_view source, const Entry& entry,
                                 const trace::LaunchConfig& config) {
    if (config.block < 1 || config.block > trace::max_block)
        return fail(ExitStatus::usage,
                    fmt::format("A block has 1 to {} threads, not {}.", trace::max_block, config.block));
    if (config.calls < 1 || config.calls > trace::max_calls)
        return fail(ExitStatus::usage,
                    fmt::format("A launch has 1 to {} calls, not {}.", trace::max_calls, config.calls));
    if (config.values.size() != static_cast<std::size_t>(config.block))
        return fail(ExitStatus::usage, fmt::format("The launch has {} input values for {} threads.",
                                                   config.values.size(), config.block));
    if (entry.results < 1 || config.calls % entry.results != 0)
        return fail(
            ExitStatus::usage,
            fmt::format("A call of {} gives {} results, so their number must be a multiple of that, not {}.",
                        entry.function, entry.results, config.calls));

    const std::string file = entry.file.empty() ? config.kernel + ".cuh" : std::string(entry.file);
    const auto program = parse(source);
    if (!program)
        return at_place(file, program.error());
    LaunchShape shape;
    shape.function = entry.function;
    shape.barrier_between_calls = entry.barrier_between_calls;
    shape.results_per_call = entry.results;
    shape.results = config.calls;
    shape.op = config.op;
    shape.type = config.type;
    shape.block = config.block;
    const auto code = compile(*program, shape);
    if (!code)
        return at_place(file, code.error());

    // A run that goes round in circles is cut off; where even so much of it has too many steps to be a trace,
    // earlier.
    for (Limits limits;; limits.events /= 4) {
        trace::Trace trace;
        trace.config = config;
        trace.origin.kind = trace::Origin::Kind::simulated;
        trace.source = source;
        execute(*code, limits, trace);
        auto finished = trace::finish(std::move(trace));
        if (finished || limits.events <= 32)
            return finished;
    }
}

}  // namespace

Expected<trace::Trace> run(std::string_view source, const Entry& entry, const trace::LaunchConfig& config) {
    try {
        return interpret(source, entry, config);
    } catch (const std::exception& error) {  // out of memory
        return fail(ExitStatus::usage, fmt::format("The interpreter gave up: {}.", error.what()));
    }
}

}  // namespace auditorium::simt
