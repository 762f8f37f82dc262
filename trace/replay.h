// Replay: do the events of a trace reproduce what the run itself copied? Every load against the box that it
// read, every combine against op of its operands, every shuffle against what the source lane gave, and every
// snapshot against the boxes that the stores left.
//
// Inexact: a combine of a value computed without op, op(val, -other), counts as a difference, since the
// events do not hold that value. The catalogue combines only what it loads and receives.
//
// Of a racy run the order between threads within a barrier interval is not recorded: a box with two accesses
// that nothing orders is left out for that interval and taken from the snapshot after it, while a load that
// names the store it saw is still held against that store. Undefined values compare equal whatever their
// bits.
#pragma once

#include <string>

#include "trace/trace.h"

namespace auditorium::trace {

struct Replay {
    std::string difference;   // the first one as a sentence; empty: the events reproduce everything
    int boxes_checked = 0;    // snapshots times boxes
    int boxes_left_out = 0;   // ... that a race decides
    int values_checked = 0;   // loads, combines and shuffles
    int values_left_out = 0;  // ... undefined, or of a box that a race decides
    bool agrees() const { return difference.empty(); }
};

Replay replay(const Trace& trace);  // `trace` is finished

}  // namespace auditorium::trace
