#include "analysis/analysis.h"
#include "analysis/barriers.h"
#include "analysis/contributions.h"
#include "analysis/divergence.h"
#include "analysis/findings.h"
#include "analysis/hazards.h"
#include "analysis/hits.h"
#include "analysis/provenance.h"
#include "analysis/requests.h"
#include "analysis/results.h"
#include "analysis/timing.h"

#include <algorithm>

namespace auditorium::analysis {

namespace {

void mark_shuffles_that_count(const trace::Trace& trace, const Places& places,
                              const std::vector<std::uint8_t>& used, std::vector<StepAnalysis>& steps) {
    for (std::size_t s = 0; s < trace.steps.size(); ++s) {
        const trace::Step& step = trace.steps[s];
        if (step.kind != trace::StepKind::shuffle)
            continue;
        StepAnalysis& out = steps[s];
        out.counts_lane.assign(step.pieces.size(), 0);
        for (std::size_t t = 0; t < step.pieces.size(); ++t)
            for (std::uint32_t e = step.pieces[t].begin; e < step.pieces[t].end; ++e)
                if (trace.events[t][e].kind == trace::EventKind::shuffle && used[places.first[t] + e])
                    out.counts_lane[t] = 1;
        out.results_that_count = int(std::count(out.counts_lane.begin(), out.counts_lane.end(), 1));
    }
}

}  // namespace

Analysis analyze(const trace::Trace& trace) {
    Analysis analysis;
    const Places places = places_of(trace);
    const Groups groups = groups_of(trace, places);

    analysis.requests = requests_of(trace, places, groups);
    analysis.first_request.resize(trace.steps.size() + 1);
    for (std::size_t s = 0, r = 0; s <= trace.steps.size(); ++s) {
        while (r < analysis.requests.size() && analysis.requests[r].step < int(s))
            ++r;
        analysis.first_request[s] = int(r);
    }

    analysis.steps.resize(trace.steps.size());
    const std::vector<Counts> counts = counts_of(trace.steps.size(), analysis.requests, groups);
    const std::vector<std::optional<double>> cycles = cycles_of(trace);
    for (std::size_t s = 0; s < trace.steps.size(); ++s) {
        const trace::Step& step = trace.steps[s];
        StepAnalysis& out = analysis.steps[s];
        out.counts = counts[s];
        out.cycles = cycles[s];
        out.active_threads = step.active_threads;
        int last_warp = -1;
        for (std::size_t t = 0; t < step.pieces.size(); ++t)
            if (!step.pieces[t].empty() && int(t / trace::warp_size) != last_warp) {
                last_warp = int(t / trace::warp_size);
                out.warps_issuing += 1;
            }
        for (int r = analysis.first_request[s]; r < analysis.first_request[s + 1]; ++r)
            out.max_ways = std::max(out.max_ways, analysis.requests[std::size_t(r)].wavefronts);
    }
    analysis.barriers = barriers_of(trace, places);
    mark_waiting(trace, analysis.barriers, analysis.steps);

    const Provenance provenance = provenance_of(trace, places, groups);
    mark_shuffles_that_count(trace, places, used_events(trace, places, provenance), analysis.steps);
    std::vector<Fold> folds;
    for (std::size_t call = 0; call < trace.results.size(); ++call) {
        folds.push_back(fold_of(trace, places, provenance, provenance.results[call][0]));
        const Fold& fold = folds.back();
        analysis.results.push_back(
            result_of(trace, int(call), fold.every_input_once() ? std::optional(fold.height) : std::nullopt));
    }
    if (!folds.empty())
        analysis.contributions = contributions_of(folds[0]);

    static_cast<Counts&>(analysis.totals) = sum_of(counts);
    analysis.totals.barriers = trace.barriers;
    analysis.totals.shuffles = analysis.totals.shuffle_requests;
    analysis.hits = hits_of(trace, places, analysis.barriers);
    analysis.findings =
        findings_of(trace, places, provenance, groups, analysis, hazards_of(trace, places), folds);
    return analysis;
}

}  // namespace auditorium::analysis
