#include "trace/operands.h"

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

}  // namespace auditorium::trace
