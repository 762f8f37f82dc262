// Turns a trace into beats of time. Durations are those of the style sheet, in seconds at speed 1.
#include <algorithm>

#include "app/playback/playback.h"

namespace auditorium::playback {
namespace {

using trace::EventKind;
using trace::StepKind;

constexpr double cap = 0.8;
constexpr double stand = 0.22;
constexpr double reach = 0.24;
constexpr double compare = 0.32 + 0.16;  // the value slides, then the loser fades
constexpr double write = 0.20;
constexpr double ticket = 0.20;  // one wavefront
constexpr double note = 0.56;
constexpr double take_note = 0.32;  // the receiver's value changes
constexpr double synchronize = 0.12;
constexpr double publish = 0.32;
constexpr double broadcast = 0.48;
constexpr double row_stagger = 0.04;
constexpr double most_stagger = 0.40;
constexpr double walk = 0.70 + 31 * 0.006;
constexpr double rope_draws = 0.26;
constexpr double hold = 0.50;
constexpr double rope_drops = 0.32;

bool only_warp_0(const trace::Step& step) {
    bool any = false;
    for (std::size_t thread = 0; thread < step.pieces.size(); ++thread) {
        if (!step.pieces[thread].empty()) {
            if (thread >= trace::warp_size)
                return false;
            any = true;
        }
    }
    return any;
}

bool has_store(const trace::Trace& trace, const trace::Step& step) {
    for (std::size_t thread = 0; thread < step.pieces.size(); ++thread)
        for (std::uint32_t e = step.pieces[thread].begin; e < step.pieces[thread].end; ++e)
            if (trace.events[thread][e].kind == EventKind::store)
                return true;
    return false;
}

// The loads and stores of a step as the warps issue them: the k-th request of any warp, with the worst of
// them.
struct Need {
    EventKind kind{};
    int order = 0;
    int wavefronts = 1;
    bool placed = false;
};

std::vector<Need> needs_of(const analysis::Analysis& analysis, int step) {
    std::vector<Need> needs;
    const int first = analysis.first_request[step], last = analysis.first_request[step + 1];
    for (int i = first; i < last; ++i) {
        const analysis::Request& request = analysis.requests[i];
        auto same = std::find_if(needs.begin(), needs.end(), [&](const Need& need) {
            return need.kind == request.kind && need.order == request.order;
        });
        if (same == needs.end())
            needs.push_back({request.kind, request.order, request.wavefronts, false});
        else
            same->wavefronts = std::max(same->wavefronts, request.wavefronts);
    }
    std::sort(needs.begin(), needs.end(), [](const Need& a, const Need& b) {
        return a.order != b.order ? a.order < b.order : a.kind < b.kind;
    });
    return needs;
}

struct Maker {
    const trace::Trace& trace;
    const analysis::Analysis& analysis;
    Timeline timeline;

    void add(Span& span, BeatKind kind, double seconds, int order = 0, int wavefronts = 1, double lead = 0) {
        span.beats.push_back({kind, span.end, span.end + lead + seconds, order, wavefronts, lead});
        span.end = span.beats.back().end;
    }

    void add_access(Span& span, const trace::Step& step, Need& need, double lead) {
        need.placed = true;
        const bool load = need.kind == EventKind::load;
        const double queue = need.wavefronts > 1 ? need.wavefronts * ticket : 0;
        if (load && step.kind == StepKind::broadcast) {
            const double stagger = std::min(most_stagger, row_stagger * (trace.warps() - 1));
            add(span, BeatKind::broadcast, std::max(queue, broadcast + stagger), need.order, need.wavefronts,
                lead);
        } else if (load) {
            add(span, BeatKind::load, std::max(queue, reach), need.order, need.wavefronts, lead);
        } else if (step.kind == StepKind::publish && step.active_threads == 1) {
            add(span, BeatKind::crown, publish, need.order, need.wavefronts, lead);
        } else {
            add(span, BeatKind::store, std::max(queue, write), need.order, need.wavefronts, lead);
        }
    }

    void add_step(Span& span, int index, bool stands) {
        const trace::Step& step = trace.steps[index];
        std::vector<Need> needs = needs_of(analysis, index);
        int busiest = -1;
        std::uint32_t most = 0;
        for (int thread = 0; thread < int(step.pieces.size()); ++thread) {
            const trace::Piece& piece = step.pieces[thread];
            if (piece.end - piece.begin > most) {
                most = piece.end - piece.begin;
                busiest = thread;
            }
        }
        double lead = stands ? stand : 0;
        int order = 0;
        const auto add_once = [&](BeatKind kind, double seconds) {
            if (!span.beats.empty() && span.beats.back().kind == kind)
                return;
            add(span, kind, seconds, 0, 1, lead);
            lead = 0;
        };
        bool noted = false;
        for (std::uint32_t e = 0; e < most; ++e) {
            const EventKind kind = trace.events[busiest][step.pieces[busiest].begin + e].kind;
            switch (kind) {
                case EventKind::load:
                case EventKind::store:
                    for (Need& need : needs) {
                        if (!need.placed && need.kind == kind && need.order == order) {
                            add_access(span, step, need, lead);
                            lead = 0;
                        }
                    }
                    ++order;
                    break;
                case EventKind::combine:
                    add_once(BeatKind::combine, noted ? take_note : compare);
                    break;
                case EventKind::shuffle:
                    add_once(BeatKind::note, note);
                    noted = true;
                    break;
                case EventKind::syncwarp:
                    add_once(BeatKind::syncwarp, synchronize);
                    break;
                case EventKind::barrier_arrive:
                case EventKind::barrier_leave:
                    break;
            }
        }
        for (Need& need : needs) {  // requests that the busiest thread takes no part in
            if (!need.placed) {
                add_access(span, step, need, lead);
                lead = 0;
            }
        }
    }
};

}  // namespace

std::vector<std::uint8_t> council_steps(const trace::Trace& trace) {
    const int steps = int(trace.steps.size());
    std::vector<std::uint8_t> council(steps, 0);
    for (int s = 0; s < steps; ++s) {
        const trace::Step& step = trace.steps[s];
        if (step.kind == StepKind::shuffle && only_warp_0(step)) {
            council[s] = 1;
        } else if (s > 0 && council[s - 1] && step.interval == trace.steps[s - 1].interval &&
                   only_warp_0(step)) {
            // Between two shuffles, or the publishing after the last: warp 0 stays at the table.
            bool shuffles_again = false;
            for (int n = s + 1; n < steps && trace.steps[n].interval == step.interval; ++n)
                shuffles_again |= trace.steps[n].kind == StepKind::shuffle && only_warp_0(trace.steps[n]);
            council[s] = shuffles_again || has_store(trace, step);
        }
    }
    return council;
}

Timeline make_timeline(const trace::Trace& trace, const analysis::Analysis& analysis) {
    Maker maker{trace, analysis, {}};
    const int steps = int(trace.steps.size());
    const std::vector<std::uint8_t> council = council_steps(trace);
    double now = 0;
    const auto open = [&](int step) {
        Span span;
        span.step = step;
        span.begin = span.end = now;
        return span;
    };
    const auto close = [&](Span& span) {
        now = span.end;
        maker.timeline.spans.push_back(std::move(span));
    };

    Span arrive = open(-1);
    maker.add(arrive, BeatKind::idle, cap);
    close(arrive);

    bool at_table = false;
    for (int s = 0; s < steps; ++s) {
        const trace::Step& step = trace.steps[s];
        Span span = open(s);
        span.table_at_begin = at_table;
        // Warp 0 walks to the table with what it has just loaded, or, where nothing was loaded, before its
        // first note.
        if (council[s] && !at_table) {
            maker.add(span, BeatKind::walk, walk);
            at_table = true;
        }
        const bool stands = !council[s] && (s == 0 || trace.steps[s - 1].barrier_after || council[s - 1] ||
                                            step.kind == StepKind::shuffle);
        maker.add_step(span, s, stands);
        const bool next_council = s + 1 < steps && council[s + 1];
        if (!council[s] && next_council && !step.barrier_after && only_warp_0(step)) {
            maker.add(span, BeatKind::walk, walk);
            at_table = true;
        } else if (at_table && (!next_council || step.barrier_after)) {
            maker.add(span, BeatKind::walk, walk);
            at_table = false;
        }
        span.table_at_end = at_table;
        if (step.barrier_after) {
            maker.add(span, BeatKind::wait, rope_draws);
            maker.add(span, BeatKind::hold, hold);
            maker.add(span, BeatKind::drop, rope_drops);
        }
        if (span.beats.empty())
            maker.add(span, BeatKind::idle, reach);
        close(span);
    }

    Span done = open(-1);
    maker.add(done, BeatKind::idle, cap);
    close(done);
    maker.timeline.duration = now;
    return std::move(maker.timeline);
}

Moment moment_at(const Timeline& timeline, double time) {
    Moment moment;
    if (timeline.spans.empty())
        return moment;
    moment.time = std::clamp(time, 0.0, timeline.duration);
    const auto span = std::find_if(timeline.spans.begin(), timeline.spans.end() - 1,
                                   [&](const Span& candidate) { return moment.time <= candidate.end; });
    moment.span = int(span - timeline.spans.begin());
    const auto progress = [&](double begin, double end) {
        return end > begin ? std::clamp((moment.time - begin) / (end - begin), 0.0, 1.0) : 1.0;
    };
    moment.span_progress = progress(span->begin, span->end);
    const auto beat = std::find_if(span->beats.begin(), span->beats.end() - 1,
                                   [&](const Beat& candidate) { return moment.time <= candidate.end; });
    moment.beat = int(beat - span->beats.begin());
    moment.beat_progress = progress(beat->begin, beat->end);
    moment.at_end = moment.time == end_of_step(timeline, moment.span);
    return moment;
}

double end_of_step(const Timeline& timeline, int number) {
    if (timeline.spans.empty())
        return 0;
    const Span& span = timeline.spans[std::clamp(number, 0, timeline.last_span())];
    if (!span.beats.empty() && span.beats.back().kind == BeatKind::drop)
        return span.beats.back().begin;
    return span.end;
}

double with_holds(const Timeline& timeline, double seconds_without_holds) {
    double left = std::max(0.0, seconds_without_holds);
    for (const Span& span : timeline.spans) {
        for (const Beat& beat : span.beats) {
            if (beat.kind == BeatKind::hold)
                continue;
            if (left <= beat.seconds())
                return beat.begin + left;
            left -= beat.seconds();
        }
    }
    return timeline.duration;
}

double without_holds(const Timeline& timeline, double time) {
    double seconds = 0;
    for (const Span& span : timeline.spans)
        for (const Beat& beat : span.beats)
            if (beat.kind != BeatKind::hold && beat.begin < time)
                seconds += std::min(time, beat.end) - beat.begin;
    return seconds;
}

double duration_without_holds(const Timeline& timeline) {
    return without_holds(timeline, timeline.duration);
}

}  // namespace auditorium::playback
