// What the program shows when it is given no file.
#pragma once

#include "trace/trace.h"

namespace auditorium::cli {

// The recording that is built in; where none was at build time, the same launch, simulated.
Expected<trace::Trace> default_trace();

}  // namespace auditorium::cli
