// What the hardware executed on each line of a kernel's text: CUPTI's counts per machine instruction of one
// launch, joined to the lines by the line table of the machine code itself.
#pragma once

#include <functional>
#include <string_view>

#include "trace/trace.h"

namespace auditorium::launch::gpu {

// Keeps the line tables of the machine code that is loaded from now on; call it before a kernel's first
// launch. Does nothing where CUPTI is missing or somebody else (a profiler) listens to it.
void keep_line_tables();

// Launches with `launch`, once, and counts. `file`: the name of the kernel's text. Instructions that stand on
// none of its lines count for line 0. Fails where CUPTI is missing or may not count, or where the kernel was
// loaded before keep_line_tables().
Expected<trace::LineCounters> count_lines(const std::function<void()>& launch, std::string_view file);

}  // namespace auditorium::launch::gpu
