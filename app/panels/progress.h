// What has happened up to the playhead within its step: the numbers that the cards show. Pure functions of
// trace, analysis, timeline and moment; the panels call them when the beat changes, not once a frame.
#pragma once

#include <string>
#include <vector>

#include "analysis/analysis.h"
#include "app/playback/playback.h"
#include "trace/trace.h"

namespace auditorium::panels {

struct StepFacts {
    int number = 0, steps = 0;    // "This step 3 of 12"; 0: the cap arrive, steps + 1: done
    int active = 0, threads = 0;  // active lanes of the step
    int warps_issuing = 0, warps = 0;
    int at_rope = 0, present = 0;   // rows that wait now, of those that have not left
    int barrier = 0, barriers = 0;  // the barrier that ends the interval
    bool shuffles = false;
    int results_that_count = 0, results = 0;
    int wavefronts_ideal = 0, wavefronts = 0, conflicts = 0;  // requests served so far in this step
};

StepFacts facts_at(const trace::Trace& trace, const analysis::Analysis& analysis,
                   const playback::Timeline& timeline, const playback::Moment& moment);

// Per line: visits by a thread with an event up to the playhead (a line's several events in one visit count
// once, as analysis.hits has it).
std::vector<int> hits_at(const trace::Trace& trace, const analysis::Analysis& analysis,
                         const playback::Timeline& timeline, const playback::Moment& moment);

// The source line that most active threads are at; 0 where there is none.
int line_at(const trace::Trace& trace, const playback::Timeline& timeline, const playback::Moment& moment);

}  // namespace auditorium::panels
