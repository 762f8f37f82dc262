// What a run has cost up to a moment: the scoreboard's "so far" beside its "whole run". Pure functions;
// Tallies once per trace.
#pragma once

#include <vector>

#include "analysis/compare.h"
#include "app/playback/pair.h"

namespace auditorium::compare {

struct Tally {
    int barriers = 0;    // passed: everybody has come
    int wavefronts = 0;  // shared memory, loads and stores; one that is being served counts when it is over
    int conflicts = 0;   // wavefronts beyond the first of each request
    long active_lanes = 0;  // over loads, stores and shuffles
    long lane_slots = 0;    // 32 each
    double cycles = 0;      // 0 where the run has none
    double efficiency() const { return lane_slots ? double(active_lanes) / double(lane_slots) : 0; }
};

struct Tallies {
    std::vector<Tally> before;  // [s]: before step s; [steps]: the whole run
    playback::StepCycles cycles;
    const Tally& whole() const { return before.back(); }
};

Tallies tallies_of(const playback::Side& side);
Tally tally_at(const Tallies& tallies, const playback::Side& side, const playback::Moment& moment);

// The scoreboard's lines: barriers, wavefronts, conflicts, lane_efficiency, cycles. Runs of different block
// sizes or calls do different work: of them only lane efficiency, a ratio, has a better side.
std::vector<analysis::Score> scoreboard(const playback::Side& left, const playback::Side& right);

}  // namespace auditorium::compare
