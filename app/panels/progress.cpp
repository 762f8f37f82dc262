#include "app/panels/progress.h"

#include <algorithm>
#include <bit>
#include <map>

namespace auditorium::panels {
namespace {

using playback::Beat;
using playback::BeatKind;
using trace::Event;
using trace::EventKind;

bool is_load(BeatKind kind) {
    return kind == BeatKind::load || kind == BeatKind::broadcast;
}
bool is_store(BeatKind kind) {
    return kind == BeatKind::store || kind == BeatKind::crown;
}
bool at_barrier(BeatKind kind) {
    return kind == BeatKind::wait || kind == BeatKind::hold || kind == BeatKind::drop;
}

// Beats of the span that are over at the moment.
int beats_over(const playback::Span& span, const playback::Moment& moment) {
    if (moment.at_end)
        return int(span.beats.size());
    return std::min(int(span.beats.size()), moment.beat + (moment.beat_progress >= 1 ? 1 : 0));
}

// Loads and stores of the step whose beats are over: bit 0 of `kind`s by Request::order.
bool served(const analysis::Request& request, const playback::Span& span, int over) {
    for (int b = 0; b < over; ++b) {
        const Beat& beat = span.beats[b];
        if (beat.order == request.order && ((request.kind == EventKind::load && is_load(beat.kind)) ||
                                            (request.kind == EventKind::store && is_store(beat.kind))))
            return true;
    }
    return over == int(span.beats.size());
}

// Where in its piece each thread stands after `over` beats.
std::uint32_t events_over(const trace::Trace& trace, const trace::Piece& piece, int thread,
                          const analysis::Analysis& analysis, const playback::Span& span, int over) {
    if (over == int(span.beats.size()))
        return piece.end;
    std::uint32_t e = piece.begin;
    const auto& events = trace.events[thread];
    const int warp = thread / trace::warp_size, lane = thread % trace::warp_size;
    const auto takes_part = [&](const Beat& beat, EventKind kind) {
        for (int r = analysis.first_request[span.step]; r < analysis.first_request[span.step + 1]; ++r) {
            const analysis::Request& request = analysis.requests[r];
            if (request.warp == warp && request.order == beat.order && request.kind == kind)
                return ((request.lanes >> lane) & 1u) != 0;
        }
        return false;
    };
    for (int b = 0; b < over && e < piece.end; ++b) {
        const Beat& beat = span.beats[b];
        if (is_load(beat.kind) || is_store(beat.kind)) {
            const EventKind kind = is_load(beat.kind) ? EventKind::load : EventKind::store;
            if (!takes_part(beat, kind))
                continue;
            while (e < piece.end && events[e].kind != kind)
                ++e;
            e = std::min(e + 1, piece.end);
        } else if (beat.kind == BeatKind::combine) {
            while (e < piece.end && events[e].kind == EventKind::combine)
                ++e;
        } else if (beat.kind == BeatKind::note) {
            while (e < piece.end && events[e].kind != EventKind::shuffle)
                ++e;
            e = std::min(e + 1, piece.end);
        } else if (beat.kind == BeatKind::syncwarp) {
            while (e < piece.end && events[e].kind == EventKind::syncwarp)
                ++e;
        } else if (at_barrier(beat.kind)) {
            e = piece.end;
        }
    }
    return e;
}

}  // namespace

StepFacts facts_at(const trace::Trace& trace, const analysis::Analysis& analysis,
                   const playback::Timeline& timeline, const playback::Moment& moment) {
    StepFacts f;
    f.steps = int(trace.steps.size());
    f.threads = trace.config.block;
    f.warps = trace.warps();
    f.barriers = analysis.totals.barriers;
    f.number = moment.span;
    const playback::Span& span = timeline.spans[moment.span];
    if (span.step < 0) {
        f.barrier = moment.span == 0 ? 0 : f.barriers;
        if (moment.span != 0) {  // the whole run
            f.wavefronts_ideal = analysis.totals.load_requests + analysis.totals.store_requests;
            f.wavefronts = analysis.totals.load_wavefronts + analysis.totals.store_wavefronts;
            f.conflicts = analysis.totals.load_bank_conflicts + analysis.totals.store_bank_conflicts;
        }
        return f;
    }
    const trace::Step& step = trace.steps[span.step];
    const analysis::StepAnalysis& counts = analysis.steps[span.step];
    f.active = counts.active_threads;
    f.warps_issuing = counts.warps_issuing;
    f.barrier = counts.barrier;
    const playback::AtRope rope = playback::at_rope(trace, analysis, span.step);
    f.present = std::popcount(rope.present);
    switch (playback::stand_of(timeline, moment)) {
        case playback::Stand::working:
            f.at_rope = std::popcount(rope.waiting);
            break;
        case playback::Stand::here:
            f.at_rope = std::popcount(step.barrier_after ? rope.arriving : rope.waiting);
            break;
        case playback::Stand::passed:
            break;
    }
    f.shuffles = step.kind == trace::StepKind::shuffle;
    f.results = counts.active_threads;
    f.results_that_count = counts.results_that_count;
    const int over = beats_over(span, moment);
    for (int r = analysis.first_request[span.step]; r < analysis.first_request[span.step + 1]; ++r) {
        if (!served(analysis.requests[r], span, over))
            continue;
        ++f.wavefronts_ideal;
        f.wavefronts += analysis.requests[r].wavefronts;
    }
    f.conflicts = f.wavefronts - f.wavefronts_ideal;
    return f;
}

std::vector<int> hits_at(const trace::Trace& trace, const analysis::Analysis& analysis,
                         const playback::Timeline& timeline, const playback::Moment& moment) {
    const playback::Span& span = timeline.spans[moment.span];
    const int last = int(analysis.hits.size()) - 1;
    if (last < 0)
        return {};
    if (span.step < 0 || moment.at_end)
        return analysis.hits[std::min(moment.span, last)];
    std::vector<int> hits = analysis.hits[std::min(moment.span - 1, last)];
    const std::vector<int>& at_end = analysis.hits[std::min(moment.span, last)];
    hits.resize(std::max(hits.size(), at_end.size()), 0);
    const int over = beats_over(span, moment);
    const trace::Step& step = trace.steps[span.step];
    std::vector<int> seen;
    for (int t = 0; t < trace.config.block; ++t) {
        const trace::Piece piece = step.pieces[t];
        if (piece.empty())
            continue;
        const std::uint32_t end = events_over(trace, piece, t, analysis, span, over);
        seen.clear();
        for (std::uint32_t e = piece.begin; e < end; ++e) {
            const int line = trace.events[t][e].line;
            if (std::find(seen.begin(), seen.end(), line) == seen.end())
                seen.push_back(line);
        }
        for (int line : seen) {
            // A line's visits up to the end of the step bound what is counted inside it.
            if (line < int(hits.size()) && line < int(at_end.size()) && hits[line] < at_end[line])
                ++hits[line];
        }
    }
    if (over > 0 && over == int(span.beats.size()))
        return at_end;
    return hits;
}

int line_at(const trace::Trace& trace, const playback::Timeline& timeline, const playback::Moment& moment) {
    const playback::Span& span = timeline.spans[moment.span];
    if (span.step < 0 || span.beats.empty())
        return 0;
    const trace::Step& step = trace.steps[span.step];
    const Beat& beat = span.beats[moment.beat];
    if (at_barrier(beat.kind) && step.barrier_after) {
        for (const auto& events : trace.events) {
            for (const Event& event : events) {
                if (event.kind == EventKind::barrier_arrive && event.arg == step.interval)
                    return event.line;
            }
        }
    }
    EventKind kind{};
    bool known = true;
    if (is_load(beat.kind))
        kind = EventKind::load;
    else if (is_store(beat.kind))
        kind = EventKind::store;
    else if (beat.kind == BeatKind::combine)
        kind = EventKind::combine;
    else if (beat.kind == BeatKind::note)
        kind = EventKind::shuffle;
    else if (beat.kind == BeatKind::syncwarp)
        kind = EventKind::syncwarp;
    else
        known = false;
    std::map<int, int> votes;
    for (int t = 0; t < trace.config.block; ++t) {
        const trace::Piece piece = step.pieces[t];
        int nth = 0;
        for (std::uint32_t e = piece.begin; e < piece.end; ++e) {
            const Event& event = trace.events[t][e];
            if (!known) {
                ++votes[event.line];
                break;
            }
            if (event.kind != kind)
                continue;
            // The beat's place among the beats of its kind picks the event of that kind.
            int wanted = 0;
            for (int b = 0; b < moment.beat; ++b)
                wanted += span.beats[b].kind == beat.kind;
            if (nth++ == wanted) {
                ++votes[event.line];
                break;
            }
        }
    }
    int best = 0, most = 0;
    for (const auto& [line, count] : votes) {
        if (count > most) {
            best = line;
            most = count;
        }
    }
    return best ? best : step.line;
}

}  // namespace auditorium::panels
