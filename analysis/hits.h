// Hits: how many lanes have had an event on each line, as a profiler beside the code counts them. A lane
// counts once for each step in which it has an event there, and once for each barrier that it arrives at.
#pragma once

#include "analysis/analysis.h"
#include "analysis/places.h"

namespace auditorium::analysis {

// hits[s][line], up to the end of step s - 1 (hits[0] is before the first step); size steps + 1. A warp
// arrives at a barrier at the end of the last step in which it has something to do before it.
std::vector<std::vector<int>> hits_of(const trace::Trace& trace, const Places& places,
                                      const std::vector<Barrier>& barriers);

}  // namespace auditorium::analysis
