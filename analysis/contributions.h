// Contributions: which inputs are folded into a result, and which are missing or in it more than once.
#pragma once

#include "analysis/analysis.h"
#include "analysis/provenance.h"

namespace auditorium::analysis {

Contributions contributions_of(const Fold& fold);

// The bits that op leaves every value unchanged with: an infinity, INT_MIN or INT_MAX, 0.
std::uint32_t identity_of(trace::Op op, trace::Type type);

}  // namespace auditorium::analysis
