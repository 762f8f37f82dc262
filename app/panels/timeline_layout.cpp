#include "app/panels/timeline_layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <utility>

#include "analysis/timing.h"
#include "app/panels/narration.h"
#include "app/scene/metrics.h"

namespace auditorium::panels {
namespace {

using playback::Beat;
using playback::BeatKind;
using trace::StepKind;

bool is_access(BeatKind kind) {
    return kind == BeatKind::load || kind == BeatKind::store || kind == BeatKind::crown ||
           kind == BeatKind::broadcast;
}

bool is_pause(BeatKind kind) {
    return kind == BeatKind::wait || kind == BeatKind::hold || kind == BeatKind::drop ||
           kind == BeatKind::idle;
}

// Widths in proportion to `weights`, none below its `least` while there is room for all of those.
std::vector<double> widths_of(const std::vector<double>& weights, std::vector<double> least, double width) {
    double all = 0;
    for (const double l : least)
        all += l;
    if (all > width) {
        for (double& l : least)
            l *= width / all;
    }
    std::vector<double> widths = least;
    std::vector<bool> fixed(weights.size(), false);
    for (std::size_t round = 0; round < weights.size(); ++round) {
        double left = width, weight = 0;
        for (std::size_t i = 0; i < weights.size(); ++i) {
            (fixed[i] ? left : weight) += fixed[i] ? -least[i] : weights[i];
        }
        bool again = false;
        for (std::size_t i = 0; i < weights.size(); ++i) {
            if (fixed[i])
                continue;
            widths[i] = weight > 0 ? left * weights[i] / weight : 0;
            if (widths[i] < least[i]) {
                widths[i] = least[i];
                fixed[i] = again = true;
            }
        }
        if (!again)
            break;
    }
    return widths;
}

std::vector<Segment> segments_of(const trace::Trace& trace, const analysis::Analysis& analysis,
                                 const playback::Timeline& timeline, float width, const LabelSizes& sizes) {
    std::vector<Segment> segments;
    std::vector<double> weights, least, rims;  // rims: what a segment needs beside its label
    for (int i = 0; i < int(timeline.spans.size()); ++i) {
        const playback::Span& span = timeline.spans[std::size_t(i)];
        Segment segment;
        segment.span = i;
        double weight = std::sqrt(std::max(0.05, span.end - span.begin));
        SegmentLabel said = label_of(trace, timeline, i);
        segment.label = std::move(said.label);
        segment.short_label = std::move(said.short_label);
        if (span.step < 0) {
            weight = 0.75;
        } else {
            const trace::Step& step = trace.steps[std::size_t(span.step)];
            segment.phase = phase_of(step.kind);
            segment.barrier = step.barrier_after;
            segment.mismatch = segment.barrier && analysis.barriers[step.interval].mismatch;
        }
        weights.push_back(weight);
        const bool before = !segments.empty() && segments.back().barrier;
        rims.push_back((segment.barrier ? sizes.diamond : 5) + (before ? sizes.diamond : 5));
        segments.push_back(std::move(segment));
    }
    // Every segment as wide as its label; where that is too much, as its short one; where that is, the
    // longest labels go first.
    const auto total = [&](bool with_short) {
        least.clear();
        for (std::size_t i = 0; i < segments.size(); ++i)
            least.push_back(rims[i] +
                            scene::text_width(scene::Font::semibold, sizes.text,
                                              with_short ? segments[i].short_label : segments[i].label) +
                            1);
        return std::accumulate(least.begin(), least.end(), 0.0);
    };
    double all = total(false);
    if (all > width)
        all = total(true);
    while (all > width) {
        std::size_t longest = 0;
        for (std::size_t i = 1; i < least.size(); ++i)
            if (least[i] - rims[i] > least[longest] - rims[longest])
                longest = i;
        if (least[longest] <= rims[longest] + 1)
            break;
        all -= least[longest] - rims[longest];
        least[longest] = rims[longest];
    }
    const std::vector<double> widths = widths_of(weights, least, width);
    double x = 0;
    for (std::size_t i = 0; i < segments.size(); ++i) {
        segments[i].x0 = float(x);
        x += widths[i];
        segments[i].x1 = i + 1 == segments.size() ? width : float(x);
    }
    return segments;
}

std::vector<Group> groups_of(const trace::Trace& trace, const playback::Timeline& timeline,
                             const std::vector<Segment>& segments) {
    std::vector<Group> groups;
    int call = -1;  // of the last step
    for (const Segment& segment : segments) {
        if (segment.phase == Phase::cap)
            continue;
        const int before = std::exchange(call, trace.steps[timeline.spans[segment.span].step].call);
        if (!groups.empty() && groups.back().phase == segment.phase && groups.back().x1 == segment.x0) {
            groups.back().x1 = segment.x1;
        } else {
            // What the warps put on the board for the council of the same call is no champion yet.
            if (!groups.empty() && groups.back().phase == Phase::champion &&
                segment.phase == Phase::council && call == before)
                groups.back().label = groups.back().short_label = "partials";
            Group group{segment.phase, "", "", segment.x0, segment.x1};
            switch (segment.phase) {
                case Phase::write:
                    group.label = group.short_label = "write";
                    break;
                case Phase::cuts:
                    group.label = "cuts at the board";
                    group.short_label = "cuts";
                    break;
                case Phase::council:
                    group.label = "council";
                    group.short_label = "council";
                    break;
                case Phase::champion:
                    group.label = group.short_label = "champion";
                    break;
                default:
                    break;
            }
            groups.push_back(group);
        }
        const int step = timeline.spans[segment.span].step;
        if (step >= 0 && trace.steps[step].kind == StepKind::shuffle)
            groups.back().label =
                trace.steps[step].exchange ? "council: exchange at distance" : "council: shuffle down by";
    }
    return groups;
}

// What one warp does in one beat of a step.
struct Doing {
    Bar::Kind kind = Bar::Kind::idle;
    int notches = 0;
    bool operator==(const Doing&) const = default;
};

// Waiting before it begins, its work, waiting after it: as stamped, scaled to the step's segment.
void measured_bars(std::vector<Bar>& row, int warp, const Segment& segment,
                   const std::vector<analysis::WarpTime>& times, Bar::Kind rest, const Bar& work) {
    double first = 0, last = 0;
    bool any = false;
    for (const analysis::WarpTime& t : times) {
        if (!t.known())
            continue;
        first = any ? std::min(first, t.begin) : t.begin;
        last = any ? std::max(last, t.end) : t.end;
        any = true;
    }
    const auto add = [&](float x0, float x1, Bar::Kind kind, int notches) {
        if (x1 <= x0)
            return;
        if (!row.empty() && row.back().kind == kind &&
            (kind == Bar::Kind::waiting || kind == Bar::Kind::idle))
            row.back().x1 = x1;
        else
            row.push_back({warp, x0, x1, kind, notches});
    };
    const analysis::WarpTime& mine = times[std::size_t(warp)];
    if (!mine.known() || last <= first)
        return add(segment.x0, segment.x1, rest, 0);
    const auto x_at = [&](double cycle) {
        return segment.x0 + float((cycle - first) / (last - first)) * (segment.x1 - segment.x0);
    };
    add(segment.x0, x_at(mine.begin), rest, 0);
    add(x_at(mine.begin), x_at(mine.work), work.kind, work.notches);
    add(x_at(mine.work), segment.x1, rest, 0);
}

int lanes_in_step(const trace::Trace& trace, int step, int warp) {
    const int begin = warp * trace::warp_size, end = std::min(trace.config.block, begin + trace::warp_size);
    int lanes = 0;
    for (int t = begin; t < end; ++t)
        lanes += trace.steps[std::size_t(step)].active(t);
    return lanes;
}

int lanes_of_warp(const trace::Trace& trace, int warp) {
    return std::min(trace.config.block - warp * trace::warp_size, trace::warp_size);
}

}  // namespace

Bar::Kind rest_in_step(const trace::Trace& trace, const analysis::Analysis& analysis, int step, int warp) {
    (void)trace;
    const analysis::StepAnalysis& counts = analysis.steps[std::size_t(step)];
    const bool exited = warp < int(counts.exited.size()) && counts.exited[std::size_t(warp)];
    // Where the barriers do not match, a warp may work in an interval and never come to its barrier.
    const bool waits =
        counts.barrier > 0 && !exited &&
        analysis.barriers[std::size_t(counts.barrier) - 1].arrival_step[std::size_t(warp)] >= 0;
    return waits ? Bar::Kind::waiting : Bar::Kind::idle;
}

Bar work_in_step(const trace::Trace& trace, const analysis::Analysis& analysis, int step, int warp) {
    int wavefronts = 0, worst = 1;
    for (int r = analysis.first_request[step]; r < analysis.first_request[step + 1]; ++r) {
        if (analysis.requests[r].warp != warp)
            continue;
        wavefronts += analysis.requests[r].wavefronts;
        worst = std::max(worst, analysis.requests[r].wavefronts);
    }
    Bar bar;
    bar.warp = warp;
    bar.kind = worst > 1                                                       ? Bar::Kind::notched
               : lanes_in_step(trace, step, warp) < lanes_of_warp(trace, warp) ? Bar::Kind::half
                                                                               : Bar::Kind::full;
    bar.notches = worst > 1 ? wavefronts : 0;
    return bar;
}

void add_modelled_bars(std::vector<Bar>& row, const trace::Trace& trace, const analysis::Analysis& analysis,
                       const playback::Span& span, int warp, const std::function<float(double)>& x_at) {
    const int lanes = lanes_in_step(trace, span.step, warp), of = lanes_of_warp(trace, warp);
    const Doing rest{rest_in_step(trace, analysis, span.step, warp), 0};
    const Doing work{lanes < of ? Bar::Kind::half : Bar::Kind::full, 0};
    // The last beat in which the warp has work; after it, it waits.
    int last = -1;
    std::vector<Doing> doing(span.beats.size(), rest);
    for (std::size_t b = 0; lanes > 0 && b < span.beats.size(); ++b) {
        const Beat& beat = span.beats[b];
        if (is_pause(beat.kind))
            continue;
        doing[b] = work;
        if (is_access(beat.kind)) {
            const analysis::Request* mine = nullptr;
            for (int r = analysis.first_request[span.step]; r < analysis.first_request[span.step + 1]; ++r) {
                if (analysis.requests[r].warp == warp && analysis.requests[r].order == beat.order)
                    mine = &analysis.requests[r];
            }
            if (!mine)
                continue;
            const bool divergent = std::popcount(mine->lanes) < of;
            doing[b] = mine->wavefronts > 1 ? Doing{Bar::Kind::notched, mine->wavefronts}
                                            : Doing{divergent ? Bar::Kind::half : Bar::Kind::full, 0};
        }
        last = int(b);
    }
    const float begin = x_at(span.begin);
    for (std::size_t b = 0; b < span.beats.size(); ++b) {
        const Doing now = int(b) > last ? rest : doing[b];
        const float x0 = x_at(span.beats[b].begin), x1 = x_at(span.beats[b].end);
        if (x1 <= x0)
            continue;
        Bar* before = row.empty() ? nullptr : &row.back();
        const bool same = before && before->kind == now.kind && now.notches == 0;
        // Work is parted at step borders, waiting runs on.
        if (same && (before->x1 > begin || now.kind == Bar::Kind::waiting || now.kind == Bar::Kind::idle))
            before->x1 = x1;
        else
            row.push_back({warp, x0, x1, now.kind, now.notches});
    }
}

Phase phase_of(StepKind kind) {
    switch (kind) {
        case StepKind::stage:
            return Phase::write;
        case StepKind::tree:
            return Phase::cuts;
        case StepKind::handoff:
        case StepKind::shuffle:
            return Phase::council;
        case StepKind::publish:
        case StepKind::broadcast:
            return Phase::champion;
        case StepKind::other:
            return Phase::other;
    }
    return Phase::other;
}

SegmentLabel label_of(const trace::Trace& trace, const playback::Timeline& timeline, int span) {
    const int s = timeline.spans[std::size_t(span)].step;
    if (s < 0)
        return {span == 0 ? "arrive" : "done", ""};
    const trace::Step& step = trace.steps[std::size_t(s)];
    const std::string name = step_name(step);
    // The first cut of a call says what its number is; those after it need not, also where other steps lie
    // between them.
    const bool first = std::none_of(
        trace.steps.begin(), trace.steps.begin() + s,
        [&](const trace::Step& other) { return other.kind == StepKind::tree && other.call == step.call; });
    if (step.kind == StepKind::tree && step.stride && first)
        return {fmt::format("stride {}", step.stride), name};
    return {name, name};
}

float TimelineLayout::x_of(const playback::Timeline& timeline, double time) const {
    for (const Segment& segment : segments) {
        const playback::Span& span = timeline.spans[segment.span];
        if (time <= span.end || &segment == &segments.back()) {
            const double length = span.end - span.begin;
            const double part = length > 0 ? std::clamp((time - span.begin) / length, 0.0, 1.0) : 1.0;
            return segment.x0 + float(part) * (segment.x1 - segment.x0);
        }
    }
    return 0;
}

double TimelineLayout::time_of(const playback::Timeline& timeline, float x) const {
    if (segments.empty())
        return 0;
    const Segment& segment = segments[segment_at(x)];
    const playback::Span& span = timeline.spans[segment.span];
    const float width = segment.x1 - segment.x0;
    const double part = width > 0 ? std::clamp(double(x - segment.x0) / width, 0.0, 1.0) : 1.0;
    return span.begin + part * (span.end - span.begin);
}

int TimelineLayout::segment_at(float x) const {
    for (std::size_t i = 0; i < segments.size(); ++i) {
        if (x < segments[i].x1)
            return int(i);
    }
    return int(segments.size()) - 1;
}

LabelRoom label_room(const TimelineLayout& layout, std::size_t segment, float diamond) {
    const Segment& s = layout.segments[segment];
    const bool before = segment > 0 && layout.segments[segment - 1].barrier;
    return {s.x0 + (before ? diamond : 3), s.x1 - (s.barrier ? diamond : 3)};
}

TimelineLayout lay_out_timeline(const trace::Trace& trace, const analysis::Analysis& analysis,
                                const playback::Timeline& timeline, float width, const LabelSizes& sizes) {
    TimelineLayout out;
    out.width = width;
    out.segments = segments_of(trace, analysis, timeline, width, sizes);
    out.groups = groups_of(trace, timeline, out.segments);

    const int warps = trace.warps();
    const std::vector<std::vector<analysis::WarpTime>> times = analysis::warp_times(trace);
    out.measured = !times.empty() &&
                   std::none_of(times.begin(), times.end(), [](const auto& row) { return row.empty(); });
    if (out.measured) {
        const double longer = analysis::disturbance(trace).value_or(0);
        out.origin = std::abs(longer) > 0.1 ? fmt::format("stamps {:+.0f}%", 100 * longer) : "measured";
    }
    std::vector<std::vector<Bar>> rows(warps);
    for (const Segment& segment : out.segments) {
        const playback::Span& span = timeline.spans[segment.span];
        if (span.step < 0) {  // before: everybody is there; after: nobody is
            for (int w = 0; w < warps; ++w)
                rows[w].push_back(
                    {w, segment.x0, segment.x1, segment.span == 0 ? Bar::Kind::full : Bar::Kind::idle, 0});
            continue;
        }
        const double length = std::max(1e-9, span.end - span.begin);
        const auto x_at = [&](double time) {
            return segment.x0 + float((time - span.begin) / length) * (segment.x1 - segment.x0);
        };
        for (int w = 0; w < warps; ++w) {
            if (out.measured)
                measured_bars(rows[w], w, segment, times[std::size_t(span.step)],
                              rest_in_step(trace, analysis, span.step, w),
                              work_in_step(trace, analysis, span.step, w));
            else
                add_modelled_bars(rows[w], trace, analysis, span, w, x_at);
        }
    }
    for (const auto& row : rows)
        out.bars.insert(out.bars.end(), row.begin(), row.end());
    return out;
}

}  // namespace auditorium::panels
