// The two operands of a combine, and where each came from, found from the thread's own events: b is the last
// value before the combine (a load, a shuffle or an earlier combine), a the value that the thread had before
// that.
//
// Inexact: events name values, not variables. A value that the kernel kept aside, or computed without op, is
// not seen; of a shuffle what the lane gave is known exactly, so a constant given in place of a register is.
#pragma once

#include <optional>

#include "trace/trace.h"

namespace auditorium::trace {

struct Operand {
    enum class From : std::uint8_t {
        input,     // the thread's input
        load,      // `event` of this thread: the box and whose store it saw stand there
        shuffle,   // `event` of this thread: received from another lane
        combine,   // `event` of this thread: an earlier result
        constant,  // given to a shuffle, and nothing that the thread was seen to have
    };
    From from = From::input;
    int event = -1;  // place in the thread's events; -1: input or constant
    std::uint32_t bits = 0;
    bool undefined = false;
};

struct Operands {
    Operand a, b;
};

// `event` is the place of a combine in trace.events[thread].
Operands operands_of(const Trace& trace, int thread, int event);

// The place in trace.events[source thread] of the shuffle that `step`'s shuffle of `thread` received from;
// empty if that lane took no part, or there is no partner.
std::optional<int> peer_of(const Trace& trace, const Step& step, int thread);

// Which op a combine of `a` and `b` was: `likely`, unless only another one explains the result.
Op op_of(Op likely, Type type, std::uint32_t a, std::uint32_t b, std::uint32_t result);

// What trace.calls holds, from a trace whose steps are found; finish asks for it.
std::vector<Call> calls_of(const Trace& trace);

// Which op a call's combines are of, from their operands and results: the launch's, unless another one
// explains more of them (a kernel may use two: back_to_back's second call is a sum).
Op op_of_call(const Trace& trace, int call);

// Whether a call begins with the launch's inputs, from what its threads first store or give; false where they
// bring something that they computed (back_to_back's second call: distances).
bool folds_inputs(const Trace& trace, int call);

}  // namespace auditorium::trace
