// A step in words, made from its events: nothing here knows a kernel.
#pragma once

#include <string>

#include "analysis/analysis.h"
#include "trace/trace.h"

namespace auditorium::cli {

std::string phase_text(const trace::Step& step);               // "stage", "stride 64", "shuffle by 16", ...
std::string threads_text(const trace::Step& step);             // "0 to 63", "every 4th", "all"
std::string action_text(const trace::Trace& trace, int step);  // "box t = max(box t, box t + 64)"
std::string synchronization_text(const trace::Trace& trace, const analysis::Analysis& analysis, int step);
// "; 8 of them are mismatched: ...", or nothing where all threads meet at all barriers.
std::string mismatch_text(const analysis::Analysis& analysis);

}  // namespace auditorium::cli
