// Steps: what the block does between two neighbouring turning points, found from the events alone, never from
// a label or a kernel's id.
//
// Pieces. Each thread's events are cut; a piece begins
//   after a barrier, at each shuffle, at the first access after shuffles, at a store that follows a piece of
//   loads only, and at a load that follows a store.
// A __syncwarp belongs to the piece before it, or where the interval has none yet to the one after it; a
// thread that does nothing else in an interval has no piece there.
//
// Steps. Pieces of different threads in one barrier interval are one step if the line of the first event
// (other than a __syncwarp) and the visit agree: the how-manieth piece of this thread in this interval that
// begins on the line. Steps of an interval are put in an order that keeps every thread's own; what that
// leaves open goes by depth, then by line. Where threads pass the same lines in different orders, a step is
// split.
//
// Kinds, by the most frequent kind among the active threads' pieces:
//   shuffle    begins with a shuffle
//   tree       one or two loads combined (and the store of it, which may stand behind a barrier)
//   handoff    loads only, of values that go into a shuffle next, or are stored in the same interval
//   broadcast  loads only, several threads (or the only one) reading one box; not of threads that return
//              while others go on to a barrier (Step::leaves), since nothing is finished yet
//   publish    stores only, of what the thread combined or received
//   stage      stores only, of anything else
//   other      the rest
#pragma once

#include "trace/trace.h"

namespace auditorium::trace {

// Fills trace.steps, trace.barriers, undefined marks and result_undefined. `trace` has passed trace::check;
// racy and, where it is not, writers are set. An error only where there would be more steps than max_cells
// allows.
Expected<void> find_steps(Trace& trace);

}  // namespace auditorium::trace
