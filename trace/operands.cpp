#include "trace/operands.h"

#include <algorithm>
#include <array>

#include "trace/arithmetic.h"

namespace auditorium::trace {
namespace {

bool is_value(EventKind kind) {
    return kind == EventKind::load || kind == EventKind::combine || kind == EventKind::shuffle;
}

// The value that the thread had before events[end].
Operand value_before(const Trace& trace, int thread, int end) {
    const auto& events = trace.events[static_cast<std::size_t>(thread)];
    for (int at = end - 1; at >= 0; --at) {
        const Event& event = events[static_cast<std::size_t>(at)];
        if (is_value(event.kind)) {
            const auto from = event.kind == EventKind::load      ? Operand::From::load
                              : event.kind == EventKind::shuffle ? Operand::From::shuffle
                                                                 : Operand::From::combine;
            return {from, at, event.bits, (event.flags & Event::undefined) != 0};
        }
    }
    return {Operand::From::input, -1, trace.config.values[static_cast<std::size_t>(thread)], false};
}

const Event* shuffle_in(const Trace& trace, const Step& step, std::size_t thread, int& at) {
    const Piece piece = step.pieces[thread];
    for (std::uint32_t i = piece.begin; i < piece.end; ++i) {
        if (trace.events[thread][i].kind == EventKind::shuffle) {
            at = static_cast<int>(i);
            return &trace.events[thread][i];
        }
    }
    return nullptr;
}

}  // namespace

Operands operands_of(const Trace& trace, int thread, int event) {
    Operands operands;
    operands.b = value_before(trace, thread, event);
    if (operands.b.event < 0) {
        operands.a = operands.b;
        return operands;
    }
    operands.a = value_before(trace, thread, operands.b.event);
    if (operands.b.from == Operand::From::shuffle) {
        const Event& shuffle =
            trace.events[static_cast<std::size_t>(thread)][static_cast<std::size_t>(operands.b.event)];
        if (shuffle.sent != operands.a.bits) {
            const std::uint32_t input = trace.config.values[static_cast<std::size_t>(thread)];
            operands.a = {shuffle.sent == input ? Operand::From::input : Operand::From::constant, -1,
                          shuffle.sent, false};
        }
    }
    return operands;
}

std::optional<int> peer_of(const Trace& trace, const Step& step, int thread) {
    int at = 0;
    const Event* shuffle = shuffle_in(trace, step, static_cast<std::size_t>(thread), at);
    if (shuffle == nullptr || (shuffle->flags & Event::no_partner)) {
        return std::nullopt;
    }
    const int source = thread - thread % warp_size + shuffle->arg;
    if (source >= trace.config.block ||
        shuffle_in(trace, step, static_cast<std::size_t>(source), at) == nullptr) {
        return std::nullopt;
    }
    return at;
}

Op op_of(Op likely, Type type, std::uint32_t a, std::uint32_t b, std::uint32_t result) {
    if (combined(likely, type, a, b) != result) {
        for (const Op other : {Op::max, Op::min, Op::sum}) {
            if (combined(other, type, a, b) == result) {
                return other;
            }
        }
    }
    return likely;
}

namespace {

// From what its threads first store or give.
bool brings_inputs(const Trace& trace, int call) {
    for (const Step& step : trace.steps) {
        if (step.call != call) {
            continue;
        }
        for (std::size_t thread = 0; thread < step.pieces.size(); ++thread) {
            const Piece piece = step.pieces[thread];
            if (piece.begin == piece.end) {
                continue;
            }
            const Event& first = trace.events[thread][piece.begin];
            const bool brings = first.kind == EventKind::store || first.kind == EventKind::shuffle;
            const std::uint32_t bits = first.kind == EventKind::shuffle ? first.sent : first.bits;
            if (brings && bits != trace.config.values[thread]) {
                return false;
            }
        }
        return true;
    }
    return true;
}

// From the operands and results of its combines: the launch's, unless another one explains more of them.
Op told_by_combines(const Trace& trace, int call) {
    constexpr int enough = 64;  // combines that only one op explains
    constexpr std::array<Op, 3> ops{Op::max, Op::min, Op::sum};
    std::array<int, 3> explained{};
    int told = 0;
    for (const Step& step : trace.steps) {
        if (step.call != call) {
            continue;
        }
        for (std::size_t thread = 0; thread < step.pieces.size() && told < enough; ++thread) {
            const Piece piece = step.pieces[thread];
            for (std::uint32_t at = piece.begin; at < piece.end; ++at) {
                const Event& event = trace.events[thread][at];
                if (event.kind != EventKind::combine || (event.flags & Event::undefined)) {
                    continue;
                }
                const Operands operands = operands_of(trace, static_cast<int>(thread), static_cast<int>(at));
                int by = 0;
                for (std::size_t op = 0; op < ops.size(); ++op) {
                    if (combined(ops[op], trace.config.type, operands.a.bits, operands.b.bits) ==
                        event.bits) {
                        ++explained[op];
                        ++by;
                    }
                }
                told += by == 1;
            }
        }
    }
    Op best = trace.config.op;
    for (const Op op : ops) {
        if (explained[static_cast<std::size_t>(op)] > explained[static_cast<std::size_t>(best)]) {
            best = op;
        }
    }
    return best;
}

}  // namespace

std::vector<Call> calls_of(const Trace& trace) {
    int calls = 0;
    for (const Step& step : trace.steps) {
        calls = std::max(calls, step.call + 1);
    }
    std::vector<Call> out;
    for (int call = 0; call < calls; ++call) {
        out.push_back({told_by_combines(trace, call), brings_inputs(trace, call)});
    }
    return out;
}

bool folds_inputs(const Trace& trace, int call) {
    return call < 0 || static_cast<std::size_t>(call) >= trace.calls.size() ||
           trace.calls[static_cast<std::size_t>(call)].folds_inputs;
}

Op op_of_call(const Trace& trace, int call) {
    return call < 0 || static_cast<std::size_t>(call) >= trace.calls.size()
               ? trace.config.op
               : trace.calls[static_cast<std::size_t>(call)].op;
}

}  // namespace auditorium::trace
