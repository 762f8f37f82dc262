// Runs compiled code for one thread block and records what every thread does.
#pragma once

#include "simt/code.h"
#include "trace/trace.h"

namespace auditorium::simt {

// Bounds on a run, so that it always ends and its trace stays small.
inline constexpr std::uint64_t max_executed =
    20'000'000;  // instructions, of a warp or of a lane that runs alone
inline constexpr std::size_t max_events = trace::max_events;  // of one thread
inline constexpr std::size_t max_depth = 64;                  // calls inside one another
inline constexpr std::size_t max_warp_slots = 16384;

// Fills events (at most `events` of a thread), snapshots, results and faults of `trace`, whose config is
// filled. Nothing derived (steps, marks that follow from others) is computed here: trace::finish does that.
void execute(const Code& code, std::size_t events, trace::Trace& trace);

}  // namespace auditorium::simt
