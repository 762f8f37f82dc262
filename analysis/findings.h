// Findings: what is wrong with a run, each in one sentence that names the rule and where it was broken.
#pragma once

#include "analysis/analysis.h"
#include "analysis/hazards.h"
#include "analysis/provenance.h"

namespace auditorium::analysis {

// `folds`: what is folded into thread 0's result of each call. In the order race, barrier_mismatch,
// undefined_lane, bad_index, lost_input, doubled_input, identity, unfinished, wrong_result; the last only
// where no other error explains a wrong result.
std::vector<Finding> findings_of(const trace::Trace& trace, const Places& places,
                                 const Provenance& provenance, const Groups& groups, const Analysis& analysis,
                                 const std::vector<Hazard>& hazards, const std::vector<Fold>& folds);

// "0 to 15, 20 and 31": ascending numbers, runs joined.
std::string list_of(const std::vector<int>& numbers);
std::string capital(std::string text);  // as a sentence begins
// "line 15", "lines 8 and 15", "between calls", "lines 8 and 15, and between calls": of a barrier's lines, 0
// is the one between two calls.
std::string places_text(const std::vector<int>& lines);

}  // namespace auditorium::analysis
