#include "analysis/verdict.h"

#include <fmt/format.h>

#include <algorithm>

namespace auditorium::analysis {

Verdict verdict_of(const Analysis& analysis, const CallResult& result) {
    if (!result.correct || result.undefined || !result.all_threads_agree)
        return Verdict::wrong;
    return analysis.findings.empty() ? Verdict::right : Verdict::luck;
}

Verdict verdict_of(const Analysis& analysis) {
    if (analysis.results.empty())
        return Verdict::wrong;
    Verdict worst = Verdict::right;
    for (const CallResult& result : analysis.results)
        worst = std::max(worst, verdict_of(analysis, result));
    return worst;
}

bool is_wrong(const Analysis& analysis) {
    return verdict_of(analysis) == Verdict::wrong;
}

const char* name_of(Verdict verdict) {
    switch (verdict) {
        case Verdict::right:
            return "right";
        case Verdict::luck:
            return "right by luck";
        case Verdict::wrong:
            return "wrong";
    }
    return "";
}

bool explained_without_race(const Analysis& analysis, bool size_fits) {
    return std::any_of(analysis.findings.begin(), analysis.findings.end(), [&](const Finding& finding) {
        if (finding.severity != Severity::error)
            return false;
        switch (finding.rule) {
            case Rule::barrier_mismatch:
            case Rule::bad_index:
            case Rule::identity:
                return true;
            case Rule::undefined_lane:  // of a box never written: who reads too early may come to one
                return finding.boxes.empty() || !size_fits;
            case Rule::lost_input:
            case Rule::doubled_input:
                return !size_fits;
            default:
                return false;
        }
    });
}

std::string inputs_amiss(const Analysis& analysis, int block) {
    const Contributions& found = analysis.contributions;
    const auto of = [&](std::size_t n, const char* what) {
        return fmt::format("{} of {} inputs {} {}", n, block, n == 1 ? "is" : "are", what);
    };
    if (!found.missing.empty())
        return of(found.missing.size(), "not in it");
    return found.doubled.empty() ? "" : of(found.doubled.size(), "in it twice");
}

}  // namespace auditorium::analysis
