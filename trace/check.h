// The invariants of a Trace (trace/trace.h), checked on whatever a maker or a file hands in.
#pragma once

#include "trace/trace.h"

namespace auditorium::trace {

// The first broken invariant as one sentence. Reads the trace only within its bounds.
Expected<void> check(const Trace& trace);

}  // namespace auditorium::trace
