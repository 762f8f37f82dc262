#include "app/compare/tally.h"

#include <algorithm>
#include <bit>

namespace auditorium::compare {
namespace {

using playback::Beat;
using playback::BeatKind;
using trace::EventKind;

bool serves(const Beat& beat, const analysis::Request& request) {
    const bool load = beat.kind == BeatKind::load || beat.kind == BeatKind::broadcast;
    const bool store = beat.kind == BeatKind::store || beat.kind == BeatKind::crown;
    return beat.order == request.order &&
           ((load && request.kind == EventKind::load) || (store && request.kind == EventKind::store));
}

double end_before(const playback::StepCycles& cycles, int step) {
    return step > 0 ? cycles.ends[std::size_t(step - 1)] : 0;
}

}  // namespace

Tallies tallies_of(const playback::Side& side) {
    Tallies out;
    Tally sum;
    out.before.push_back(sum);
    out.cycles = playback::step_cycles(side);
    for (std::size_t s = 0; s < side.analysis.steps.size(); ++s) {
        const analysis::Counts& counts = side.analysis.steps[s].counts;
        sum.barriers += side.analysis.steps[s].barrier_after;
        sum.wavefronts += counts.load_wavefronts + counts.store_wavefronts;
        sum.conflicts += counts.load_bank_conflicts + counts.store_bank_conflicts;
        sum.active_lanes += counts.active_lanes;
        sum.lane_slots += counts.lane_slots;
        sum.cycles = out.cycles.ends[s];
        out.before.push_back(sum);
    }
    return out;
}

Tally tally_at(const Tallies& tallies, const playback::Side& side, const playback::Moment& moment) {
    const playback::Span& span = side.timeline.spans[std::size_t(moment.span)];
    if (span.step < 0)
        return moment.span == 0 ? Tally{} : tallies.whole();
    const std::size_t step = std::size_t(span.step);
    if (moment.time >= span.end)
        return tallies.before[step + 1];
    const BeatKind now = span.beats[std::size_t(moment.beat)].kind;
    Tally tally = tallies.before[step];
    if (moment.at_end || now == BeatKind::drop || now == BeatKind::hold || now == BeatKind::wait) {
        const int barriers = tally.barriers;
        tally = tallies.before[step + 1];
        if (!moment.at_end && now != BeatKind::drop)
            tally.barriers = barriers;
    } else {
        const auto& analysis = side.analysis;
        long access_lanes = 0;
        for (int r = analysis.first_request[step]; r < analysis.first_request[step + 1]; ++r) {
            const analysis::Request& request = analysis.requests[std::size_t(r)];
            const int lanes = std::popcount(request.lanes);
            access_lanes += lanes;
            for (int b = 0; b <= moment.beat; ++b) {
                const Beat& beat = span.beats[std::size_t(b)];
                if (!serves(beat, request))
                    continue;
                const bool over = b < moment.beat || moment.beat_progress >= 1;
                // All queues of the beat move at one pace; the longest fills it.
                const double part =
                    beat.seconds() > beat.lead
                        ? (moment.beat_progress * beat.seconds() - beat.lead) / (beat.seconds() - beat.lead)
                        : 1;
                const int served = over ? request.wavefronts
                                        : std::clamp(int(part * beat.wavefronts), 0, request.wavefronts);
                if (served == 0)
                    continue;
                tally.wavefronts += served;
                tally.conflicts += served - 1;
                tally.active_lanes += lanes;
                tally.lane_slots += trace::warp_size;
            }
        }
        const analysis::Counts& counts = analysis.steps[step].counts;
        for (int b = 0; b < moment.beat + (moment.beat_progress >= 1 ? 1 : 0); ++b) {
            if (span.beats[std::size_t(b)].kind == BeatKind::note) {
                tally.active_lanes += counts.active_lanes - access_lanes;
                tally.lane_slots += long(trace::warp_size) * counts.shuffle_requests;
                break;
            }
        }
    }
    const double begin = end_before(tallies.cycles, span.step);
    tally.cycles = begin + (tallies.cycles.ends[step] - begin) * moment.span_progress;
    return tally;
}

std::vector<analysis::Score> scoreboard(const playback::Side& left, const playback::Side& right) {
    const analysis::Totals &a = left.analysis.totals, &b = right.analysis.totals;
    const bool same_work = left.trace.config.block == right.trace.config.block &&
                           left.trace.config.calls == right.trace.config.calls;
    const int less = same_work ? -1 : 0;
    const auto efficiency = [](const analysis::Totals& t) {
        return t.lane_slots ? std::optional<double>(t.lane_efficiency()) : std::nullopt;
    };
    const auto cycles = [](const trace::Trace& trace) {
        return trace.cycles ? std::optional<double>(trace.cycles->median) : std::nullopt;
    };
    const auto sum = [](int x, int y) { return std::optional<double>(x + y); };
    return {
        {"Barriers", "barriers", double(a.barriers), double(b.barriers), less},
        {"Shared-memory wavefronts", "wavefronts", sum(a.load_wavefronts, a.store_wavefronts),
         sum(b.load_wavefronts, b.store_wavefronts), less},
        {"Bank conflicts", "conflicts", sum(a.load_bank_conflicts, a.store_bank_conflicts),
         sum(b.load_bank_conflicts, b.store_bank_conflicts), less},
        {"Lane efficiency", "lane_efficiency", efficiency(a), efficiency(b), 1, true},
        {"Cycles, measured", "cycles", cycles(left.trace), cycles(right.trace), less},
    };
}

}  // namespace auditorium::compare
