// Barriers: how many, who arrives when, who waits for whom, and whether all threads meet at the same ones.
#pragma once

#include "analysis/analysis.h"
#include "analysis/places.h"

namespace auditorium::analysis {

// Barrier k (from 0) ends barrier interval k. All barriers that any thread arrives at, in order.
std::vector<Barrier> barriers_of(const trace::Trace& trace, const Places& places);

// Fills barrier, barrier_after, waiting and exited of each step.
void mark_waiting(const trace::Trace& trace, const std::vector<Barrier>& barriers,
                  std::vector<StepAnalysis>& steps);

}  // namespace auditorium::analysis
