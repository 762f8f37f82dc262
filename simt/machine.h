// Runs compiled code for one thread block and records what every thread does.
#pragma once

#include "simt/code.h"
#include "trace/trace.h"

namespace auditorium::simt {

// Bounds on a run, so that it always ends and its trace stays small.
struct Limits {
    std::size_t events = trace::max_events;   // of one thread
    std::uint64_t instructions = 20'000'000;  // of a warp, or of a lane that runs alone; all strands together
};
inline constexpr std::size_t max_depth = 64;  // calls inside one another
inline constexpr std::size_t max_warp_slots = 16384;

// Fills events, snapshots, results and faults of `trace`, whose config is filled. Nothing derived (steps,
// marks that follow from others) is computed here: trace::finish does that.
void execute(const Code& code, const Limits& limits, trace::Trace& trace);

}  // namespace auditorium::simt
