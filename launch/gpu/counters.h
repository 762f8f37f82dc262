// The hardware's own counters of a launch, read in process through CUPTI's range profiler. CUPTI is opened
// when it is needed: a program that runs without it lacks the counters and nothing else.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "trace/trace.h"

namespace auditorium::launch::gpu {

// Launches with `launch` (once; the profiler repeats it if it needs to) and counts the shared-memory
// wavefronts and bank conflicts of its loads and stores. Fails where CUPTI is missing or the system keeps its
// counters to administrators. A device context must be current.
Expected<std::vector<trace::Counter>> count(const std::function<void()>& launch);

}  // namespace auditorium::launch::gpu
