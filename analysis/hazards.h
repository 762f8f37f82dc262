// Hazards: two accesses of one box by different threads, at least one of them a store, not ordered by a
// barrier or, within a warp, by __syncwarp. The verdict is compute-sanitizer racecheck's: an error between
// warps, a warning within one. Lockstep is no ordering, volatile is none, and a shuffle is none: it exchanges
// registers. Two stores of the same bits are no hazard.
//
// A hazard is named by the places of the two accesses in their threads since the last barrier: the earlier
// place comes first, whoever was first by the clock (else one race would get two names); at equal places the
// store comes first. __syncwarp orders two accesses if both threads pass the same one (counted since the
// last barrier) between them. Inexact: after 2^24 pairs of accesses, which no kernel of the catalogue comes
// near, no further ones are looked at.
#pragma once

#include "analysis/analysis.h"
#include "analysis/places.h"

namespace auditorium::analysis {

// One hazard for each name, severity and pair of lines; ascending. `lines`: the first access's, the
// second's. Its example is the pair with the lowest box.
struct Hazard {
    std::string kind;  // "RAW" | "WAR" | "WAW"
    Severity severity = Severity::error;
    int first_line = 0, second_line = 0;
    std::vector<int> boxes, threads;  // ascending
    int box = 0;                      // example
    int first_thread = 0, second_thread = 0;
};

std::vector<Hazard> hazards_of(const trace::Trace& trace, const Places& places);

}  // namespace auditorium::analysis
