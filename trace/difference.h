// Two runs of the same launch, a GPU's and a simulated one: are they the same, bit for bit?
#pragma once

#include <string>

#include "trace/trace.h"

namespace auditorium::trace {

// The first difference as a sentence that names the place and both values; empty: none. Compared: what was
// asked for (not the schedule), the kernel's text, per-thread event lists, snapshots, registers after each
// step, and results. Undefined values compare equal whatever their bits, and the stores that the loads saw
// are compared in race-free runs only. Both traces are finished.
std::string difference(const Trace& a, const Trace& b);

}  // namespace auditorium::trace
