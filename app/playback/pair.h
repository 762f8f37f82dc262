// Two timelines on one clock. A Pair is computed once per two traces and mode; where each side stands is a
// pure function of (Pair, clock time), so that seeking equals playing here too.
//
// Units: seconds at speed 1, of the clock and of each side's own Timeline. `clock` is a Timeline itself, so
// everything in playback.h moves on it: its spans are the rows of the comparison (end_of_step is where both
// sides have done theirs), its beats end wherever a beat of either side does.
//
//   step   the n-th step of one beside the n-th of the other; each at its own pace, and who is done first
//          holds, with its rope still up, until the other is there
//   phase  the same within a phase (writing, cuts, council, publishing, reading); phases of one kind stand
//          beside each other, a phase that only one side has runs while the other holds
//   race   by cycles: one second of the clock is `cycles_per_second` cycles on both sides. A step begins and
//          ends where the stamps of its warps' lane 0 say; where a recording has no stamps, its total is the
//          plain kernel's measured median and the split between steps is modelled. The split within a step
//          is always modelled, and so it is where warps run ahead of each other so that no stamp divides two
//          steps. Then both are "done".
#pragma once

#include <array>
#include <string>
#include <vector>

#include "app/playback/playback.h"

namespace auditorium::playback {

enum class PairMode { step, phase, race };
const char* name_of(PairMode mode);  // "step" | "phase" | "race"

struct Side {
    const trace::Trace& trace;
    const analysis::Analysis& analysis;
    const Timeline& timeline;
};

// Where the cycles of a race come from.
enum class CycleSource { none, modelled, stamps };

// When each step of a run ends, in cycles since its start. ends[s] belongs to trace.steps[s].
struct StepCycles {
    CycleSource source = CycleSource::none;
    std::vector<double> ends;
    double total = 0;
};
StepCycles step_cycles(const Side& side);

// One sentence: why this run cannot race; "" if it can.
std::string why_no_race(const trace::Trace& trace);

struct Knot {
    double clock = 0, side = 0;
};

struct Pair {
    PairMode mode = PairMode::step;
    Timeline clock;
    std::array<std::vector<Knot>, 2> knots;  // both ascending; between two knots time runs evenly
    // Per span of the clock and side: the span of the side's timeline that runs in it; where it holds, the
    // one at whose end it does.
    std::vector<std::array<int, 2>> rows;
    // Race only.
    double cycles_per_second = 0;
    std::array<StepCycles, 2> cycles;
};

// `race` needs both sides to have cycles; else the pair is one by step.
Pair make_pair(PairMode mode, const Side& left, const Side& right);

double side_time(const Pair& pair, int side, double clock);
// The earliest clock time at which the side is there.
double clock_time(const Pair& pair, int side, double time);

}  // namespace auditorium::playback
