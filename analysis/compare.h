// Two runs beside each other: which is better in what, how far apart their results are, and why. Pure
// functions of two traces.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/analysis.h"
#include "trace/trace.h"

namespace auditorium::analysis {

struct Run {
    const trace::Trace& trace;
    const Analysis& analysis;
};

enum class Better { neither, left, right };

// One line of the scoreboard. A value that is not known, or has no meaning for the run, is empty.
struct Score {
    const char* name;   // "load wavefronts"
    const char* field;  // "load_wavefronts", as in JSON
    std::optional<double> left, right;
    int ranked = 0;  // -1: less is better, 1: more is better, 0: neither
    bool percent = false;
    // neither where the two are level, or cannot be ranked.
    Better better() const;
};

std::vector<Score> scores_of(const Run& left, const Run& right);

// In what two launches differ beside the kernel, in this order: "op", "type", "data", "block", "schedule".
// Data are told apart by what the threads that both have are given; of two types by how they were asked for.
std::vector<std::string> differences_between(const trace::LaunchConfig& left,
                                             const trace::LaunchConfig& right);

// "op", "op and data", "op, type and data".
std::string listed(const std::vector<std::string>& words);

struct ResultDifference {
    bool comparable = false;  // the same op, type and inputs
    std::int64_t ulp = 0;     // INT64_MAX: infinitely far
    bool by_order = false;    // both right, and the order of float additions tells them apart
    int call = -1;            // the first whose results differ, from 0
    std::string reason;       // one sentence; `left` and `right` are called what the caller calls them
};

// Of the results of thread 0, call by call: the first that differ, else that all are equal. Says which of the
// two has a race.
ResultDifference difference_of(const Run& left, const Run& right, const std::string& left_name,
                               const std::string& right_name);

}  // namespace auditorium::analysis
