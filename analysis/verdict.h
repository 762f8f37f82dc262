// How a run stands, of its results and its findings together.
#pragma once

#include "analysis/analysis.h"

namespace auditorium::analysis {

enum class Verdict {
    right,
    luck,   // the result is right, and yet something was found in the run: it may come out otherwise
    wrong,  // some result is not the right one, is undefined, or not the same in all threads
};

// "right", "right by luck", "wrong": in files and on screen.
const char* name_of(Verdict verdict);

// Of all results; without one it is wrong.
Verdict verdict_of(const Analysis& analysis);
bool is_wrong(const Analysis& analysis);  // that verdict
// Of one call's result.
Verdict verdict_of(const Analysis& analysis, const CallResult& result);

// What explains a wrong result beside a race. `size_fits`: the kernel is right for the block's size; where it
// is not, inputs that are lost, doubled or never written are lost by the size, else by the race.
bool explained_without_race(const Analysis& analysis, bool size_fits);

// "32 of 96 inputs are not in it", "3 of 96 inputs are in it twice"; "" where each is in the first result
// once.
std::string inputs_amiss(const Analysis& analysis, int block);

}  // namespace auditorium::analysis
