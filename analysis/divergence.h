// Divergence: how many lanes take part in each warp-wide instruction.
#pragma once

#include "analysis/analysis.h"
#include "analysis/places.h"

namespace auditorium::analysis {

// Counts of each step: requests and their wavefronts, and over loads, stores and shuffles the lanes that take
// part (active_lanes) and those that could (lane_slots, 32 an instruction, also in a warp that the block does
// not fill).
std::vector<Counts> counts_of(std::size_t steps, const std::vector<Request>& requests, const Groups& groups);

// Sums of all steps.
Counts sum_of(const std::vector<Counts>& counts);

}  // namespace auditorium::analysis
