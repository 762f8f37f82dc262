// What the hardware executed on each line of a kernel's text: CUPTI's counts per machine instruction of one
// launch, joined to the lines by the line table of the machine code itself.
//
// CUPTI (of CUDA 13.0) makes these counts once in the life of a process: the second configuration fails with
// CUPTI_ERROR_OUT_OF_MEMORY, also after everything was undone, and nothing more is recorded under the first.
// So every count is made in a process of its own: this program, started again.
#pragma once

#include <functional>
#include <optional>
#include <string_view>

#include "trace/trace.h"

namespace auditorium::launch::gpu {

// Counts in a new process. Fails where CUPTI is missing or may not count, or where main() does not begin with
// launch::serve_line_counts(). Empty if `cancelled` turned true.
Expected<trace::LineCounters> count_lines(const trace::LaunchConfig& config,
                                          const std::function<bool()>& cancelled);

// What is done there. keep_line_tables() before the kernel is loaded, then one launch by `launch`. `file`:
// the name of the kernel's text. Instructions that stand on none of its lines count for line 0.
void keep_line_tables();
Expected<trace::LineCounters> count_lines_here(const std::function<void()>& launch, std::string_view file);

}  // namespace auditorium::launch::gpu
