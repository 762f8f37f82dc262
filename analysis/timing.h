// Measured cycles of a step, from the timed kernel's stamps.
#pragma once

#include "analysis/analysis.h"

namespace auditorium::analysis {

// Per warp and event of its lane 0, the last one being its return: medians, in cycles since the kernel's
// start; -1: not stamped. A stamp is late by what taking it costs and comes from launches of its own, so a
// warp's next one can be the smaller: what comes later bounds what came before.
std::vector<std::vector<double>> stamps_of(const trace::Trace& trace);

// Per step, over the warps whose lane 0 takes part: the latest end minus the latest begin, by stamps_of. A
// step begins when lane 0 reaches its first event (the kernel's start for event 0; right after a barrier,
// when it was released) and ends when lane 0 reaches what follows; a step with a barrier after it ends when
// the last warp is released. Empty where one of these moments was not stamped: nothing is guessed.
std::vector<std::optional<double>> cycles_of(const trace::Trace& trace);

// How long the timed kernel took as a whole: the latest return of a warp, median, in cycles. Empty where a
// warp's return was not stamped. Beside the plain kernel's cycles it says how much the stamps disturb.
std::optional<double> stamped_cycles(const trace::Trace& trace);

// stamped_cycles over the plain kernel's median, less 1: 0.02 is 2% longer. Empty where either is missing.
std::optional<double> disturbance(const trace::Trace& trace);

// What one warp did in one step, by stamps_of.
struct WarpTime {
    double begin =
        -1;  // its first event of the step; -1: it takes no part, or one of the three is not stamped
    double work = -1;  // what follows its last event: its arrival at the barrier, where one follows
    double end = -1;   // its release there; the same as `work` where no barrier follows
    bool known() const { return begin >= 0; }
};

// Per step and warp. A step of which a warp takes part without being stamped is empty: nothing is guessed.
std::vector<std::vector<WarpTime>> warp_times(const trace::Trace& trace);

}  // namespace auditorium::analysis
