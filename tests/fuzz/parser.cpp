// Sources: simt/*.cpp trace/*.cpp
// Fuzzes the interpreter with text: it is refused with a place inside it, or run. What runs must be a trace
// that finish takes and that replays, the same every time; and where it is free of races and faults, the same
// under every schedule.
#include <cstdio>
#include <cstdlib>
#include <string>

#include "simt/code.h"
#include "simt/machine.h"
#include "trace/replay.h"

namespace {

using namespace auditorium;

[[noreturn]] void wrong(const std::string& what) {
    std::fprintf(stderr, "%s\n", what.c_str());
    std::abort();
}

void check_place(const simt::Range& range, std::size_t size) {
    if (range.begin > range.end || range.end > size || range.line < 1 || range.column < 1)
        wrong("a range outside the text");
}

void check_error(const simt::SourceError& error, std::size_t size) {
    if (error.sentence.empty() || error.sentence.back() != '.' || error.range.begin > size ||
        error.range.line < 1)
        wrong("an error without a sentence or a place: " + error.sentence);
}

// What of a run does not replay. A trace takes a combine's operands from the thread's last values, which
// holds for kernels that combine what they load and receive, not for every text: op(val, -other).
std::string difference(const trace::Trace& trace) {
    const std::string found = trace::replay(trace).difference;
    return found.rfind("The combine", 0) == 0 ? "" : found;
}

bool cut_off(const trace::Trace& trace) {
    for (const trace::RunFault& fault : trace.faults)
        if (fault.kind == trace::RunFault::Kind::step_limit || fault.kind == trace::RunFault::Kind::overflow)
            return true;
    return false;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view source(reinterpret_cast<const char*>(data), size);
    const auto program = simt::parse(source);
    if (!program) {
        check_error(program.error(), size);
        return 0;
    }
    for (const simt::Expr& expr : program->expressions)
        check_place(expr.range, size);
    for (const simt::Statement& statement : program->statements)
        check_place(statement.range, size);
    if (program->functions.empty())
        return 0;

    // The launch follows from the text, so that a text is all that a find consists of.
    const std::uint64_t hash = trace::hash_of(source);
    constexpr int blocks[] = {1, 2, 7, 32, 33, 48, 64, 70};
    trace::Trace trace;
    trace.config.kernel = "fuzzed";
    trace.config.block = blocks[hash % 8];
    trace.config.op = static_cast<trace::Op>(hash / 8 % 3);
    trace.config.type = static_cast<trace::Type>(hash / 32 % 2);
    trace.config.calls = 1 + static_cast<int>(hash / 64 % 2);
    for (int i = 0; i < trace.config.block; ++i)
        trace.config.values.push_back(static_cast<std::uint32_t>(i * 3));
    trace.source = source;

    simt::LaunchShape shape;
    shape.function = program->functions.back().name;
    for (const simt::Function& function : program->functions)
        if (function.name == "block_reduce")
            shape.function = function.name;
    shape.results = trace.config.calls;
    shape.op = trace.config.op;
    shape.type = trace.config.type;
    shape.block = trace.config.block;
    const auto code = simt::compile(*program, shape);
    if (!code) {
        check_error(code.error(), size);
        return 0;
    }

    simt::Limits limits;
    limits.instructions = 50'000;
    limits.events = 512;
    const auto run = [&](trace::Schedule schedule) {
        trace::Trace made = trace;
        made.config.schedule = schedule;
        simt::execute(*code, limits, made);
        return trace::finish(std::move(made));
    };
    using Kind = trace::Schedule::Kind;
    const auto first = run({Kind::lockstep, 0});
    if (!first)
        wrong("finish refused a run: " + first.error().sentence);
    if (!cut_off(*first) && !difference(*first).empty())
        wrong("a run does not replay: " + difference(*first));
    const trace::Schedule drifting{Kind::independent, hash};
    const auto second = run(drifting), again = run(drifting);
    if (!second || !again || second->events != again->events || second->results != again->results)
        wrong("the same seed gave another run");
    const auto third = run({Kind::seeded, hash});
    for (const auto* other : {&second, &third}) {
        if (!*other)
            wrong("finish refused a run: " + other->error().sentence);
        if (!cut_off(**other) && !difference(**other).empty())
            wrong("a run does not replay: " + difference(**other));
        if (first->racy || !first->faults.empty() || cut_off(**other))
            continue;
        if ((*other)->events != first->events || (*other)->results != first->results ||
            !(*other)->faults.empty())
            wrong("a kernel without a race ran otherwise under another schedule");
    }
    return 0;
}
