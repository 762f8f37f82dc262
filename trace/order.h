// The order between the accesses of different threads, as far as barriers and __syncwarp make one.
//
// Two accesses of one box by different threads, at least one a store, need a barrier between them or, within
// a warp, a __syncwarp that both took part in; two stores of the same bits need none. Where every pair has
// one the run is race-free and any order that respects them gives the same values.
#pragma once

#include "trace/trace.h"

namespace auditorium::trace {

// Whether some pair of accesses is not ordered. `trace` has passed trace::check.
bool has_race(const Trace& trace);

// Sets writer and writer_event of every load of a race-free run, and the mark `undefined` of every load of a
// box never written.
void derive_writers(Trace& trace);

}  // namespace auditorium::trace
