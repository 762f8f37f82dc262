// Where each value came from, from the events alone: a load from the store that it saw, a shuffle from what
// the source lane gave, a combine from its two operands.
//
// Inexact: the events name values, not variables. A store or a shuffle hands on the thread's register if the
// bits agree, else the thread's input if those agree, else a constant or a value computed without op (which,
// when stored, counts as the thread's own input). A lane that has loaded nothing since the barrier, while
// other lanes of its warp have, gives a constant (an identity) and not the register that it kept from before.
#pragma once

#include "analysis/analysis.h"
#include "analysis/places.h"

namespace auditorium::analysis {

struct Source {
    enum class Kind : std::uint8_t {
        event,      // at = flat index of the event that made the value
        input,      // at = thread whose input it is
        constant,   // at = bits
        undefined,  // a box never written, or a lane that took no part
    };
    Kind kind = Kind::undefined;
    std::uint32_t at = 0;
    friend bool operator==(const Source&, const Source&) = default;
};

struct Made {
    Source a;  // load: the store; store: the value stored; shuffle: what was received; combine: first operand
    Source b;  // combine: second operand; shuffle: what this lane gave
};

struct Provenance {
    std::vector<Made> of_event;                // per event; unused for syncwarp and barriers
    std::vector<std::vector<Source>> results;  // [call][thread]
};

Provenance provenance_of(const trace::Trace& trace, const Places& places, const Groups& groups);

// Everything folded into one value.
struct Fold {
    std::vector<std::uint8_t> times;       // per thread: how often its input is in it: 0, 1, or 2 for more
    std::vector<std::uint32_t> constants;  // bits of the constants in it, ascending, each once
    bool undefined = false;                // something undefined is in it
    int height = 0;                        // combines on the longest way from a leaf
    bool every_input_once() const;
};
Fold fold_of(const trace::Trace& trace, const Places& places, const Provenance& provenance, Source value);

// Per event: 1 where some returned result depends on the value that the event made.
std::vector<std::uint8_t> used_events(const trace::Trace& trace, const Places& places,
                                      const Provenance& provenance);

}  // namespace auditorium::analysis
