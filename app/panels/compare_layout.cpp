#include "app/panels/compare_layout.h"

#include <algorithm>
#include <cmath>

#include "analysis/timing.h"

namespace auditorium::panels {
CompareLayout compare_layout(const View& view) {
    const float w = float(view.width), h = float(view.height);
    CompareLayout out;
    View with_lanes = view;
    with_lanes.show_gantt = true;
    with_lanes.scene_only = false;
    out.base = layout(with_lanes, 0);
    Layout& base = out.base;
    const float s =
        view.presenter ? std::clamp(std::min(w / 1600, h / 900), 0.8f, 1.2f) : std::min(w / 1600, h / 900);
    const float gap = between(s, 8, 10, 12), edge = view.presenter ? gap * 2 : base.gutter;
    if (view.presenter)
        base.pad = 16;
    base.left = base.caption = base.code = base.result = base.scene = {};

    float y0 = gap, y1 = h - gap;
    if (!view.scene_only) {
        if (!view.presenter)
            y0 = base.top.h + gap;
        // A race has the lanes of both sides below their bars: a warp of eight gets 4 px where the window is
        // high.
        float bottom = h < 560 ? 92.f : std::max(base.bottom.h, 132.f);
        if (view.racing && h >= 680)
            bottom += between(s, 18, 34, 44);
        if (view.presenter)
            bottom = std::max(124.f, 150 * s);  // no letter of it smaller than 14 px
        base.bottom = {edge, h - gap - bottom, w - 2 * edge, bottom};
        const float transport = view.presenter ? 0
                                : w >= 1240    ? between(s, 240, 300, 340)
                                : w < 760      ? 208
                                               : 238;
        const float modes = view.presenter ? 0 : 36;
        base.transport = {base.bottom.x, base.bottom.y, transport, bottom - modes};
        out.modes = {base.bottom.x + base.pad, base.bottom.y + bottom - modes, transport - base.pad, 26};
        if (view.presenter)
            out.modes = {};
        base.timeline = {base.bottom.x + transport + base.pad, base.bottom.y,
                         base.bottom.w - transport - 2 * base.pad, bottom};
        base.speeds = h >= 560;
        out.axis = true;
        y1 = base.bottom.y - gap;
        out.bars = h >= 560;
        const float score = h < 440          ? 0
                            : h < 560        ? base.type.heading * 3.6f
                            : view.presenter ? base.type.heading * 5.4f
                                             : between(s, 82, 96, 108);
        if (score > 0) {
            out.score = {edge, y0, w - 2 * edge, score};
            y0 += score + gap;
        }
    }
    const float width = (w - 2 * edge - gap) / 2, height = y1 - y0;
    out.code = height >= 300 && !view.presenter;
    if (view.scene_only)
        out.code = false;
    const float head = view.scene_only && height < 160 ? 0
                       : out.code                      ? base.type.display + base.type.code * 1.5f + 22
                                                       : base.type.display * 1.1f + 12;
    const float say = view.scene_only || height < 220 ? 0 : base.type.body * 1.4f + 10;
    for (std::size_t i = 0; i < 2; ++i) {
        const float x = edge + float(i) * (width + gap);
        out.half[i] = {x, y0, width, height};
        out.head[i] = {x, y0, width, head};
        if (say > 0)
            out.say[i] = {x, y1 - say, width, say};
        out.scene[i] = {x + 1, y0 + head, width - 2, std::max(0.f, height - head - say)};
    }
    return out;
}

namespace {

PairLanes lanes_of(const playback::Pair& pair, int s, const playback::Side& side, const PairLayout& at) {
    PairLanes out;
    out.warps = side.trace.warps();
    const playback::StepCycles& cycles = pair.cycles[std::size_t(s)];
    const auto times = analysis::warp_times(side.trace);
    out.measured = cycles.source == playback::CycleSource::stamps && !times.empty() &&
                   std::none_of(times.begin(), times.end(), [](const auto& row) { return row.empty(); });
    const auto x_of_cycle = [&](double cycle) { return at.x_of(pair, cycle / pair.cycles_per_second); };
    const auto x_of_time = [&](double time) { return at.x_of(pair, playback::clock_time(pair, s, time)); };
    for (int w = 0; w < out.warps; ++w) {
        std::vector<Bar> row;
        const auto add = [&](float x0, float x1, Bar bar) {
            bar.warp = w;
            bar.x0 = row.empty() ? std::max(0.f, x0) : std::max(x0, row.back().x1);
            bar.x1 = x1;
            if (bar.x1 > bar.x0 && bar.kind != Bar::Kind::idle)
                row.push_back(bar);
        };
        for (const playback::Span& span : side.timeline.spans) {
            if (span.step < 0)
                continue;
            if (!out.measured) {
                add_modelled_bars(row, side.trace, side.analysis, span, w, x_of_time);
                continue;
            }
            const std::size_t step = std::size_t(span.step);
            const analysis::WarpTime& mine = times[step][std::size_t(w)];
            Bar rest;
            rest.kind = rest_in_step(side.trace, side.analysis, span.step, w);
            if (!mine.known()) {  // no part in it: it waits at the barrier after it, if there is one
                add(x_of_cycle(step > 0 ? cycles.ends[step - 1] : 0), x_of_cycle(cycles.ends[step]), rest);
                continue;
            }
            add(x_of_cycle(mine.begin), x_of_cycle(mine.work),
                work_in_step(side.trace, side.analysis, span.step, w));
            add(x_of_cycle(mine.work), x_of_cycle(mine.end), rest);
        }
        out.bars.insert(out.bars.end(), row.begin(), row.end());
    }
    return out;
}

}  // namespace

int warps_a_lane(int warps, float room, float least) {
    int share = 1;
    while (share < warps && room / float((warps + share - 1) / share) < least)
        share *= 2;
    return share;
}

PairLayout lay_out_pair(const playback::Pair& pair, const playback::Side& left, const playback::Side& right,
                        float width) {
    PairLayout out;
    out.width = width;
    const auto& spans = pair.clock.spans;
    // A race has a scale; elsewhere a long queue must not crush the other steps.
    std::vector<double> ends;
    double all = 0;
    for (const playback::Span& span : spans) {
        const double seconds = span.end - span.begin;
        all += pair.mode == playback::PairMode::race ? seconds : std::sqrt(std::max(0.3, seconds));
        ends.push_back(all);
    }
    out.edges.push_back(0);
    for (double end : ends)
        out.edges.push_back(float(end / all) * width);
    const std::array<const playback::Side*, 2> sides = {&left, &right};
    for (std::size_t s = 0; s < 2; ++s) {
        const playback::Timeline& timeline = sides[s]->timeline;
        const trace::Trace& trace = sides[s]->trace;
        // In a race nobody waits for the caps.
        const int first = pair.mode == playback::PairMode::race ? 1 : 0;
        const int last = timeline.last_span() - first;
        for (int i = first; i <= last; ++i) {
            const playback::Span& span = timeline.spans[std::size_t(i)];
            PairSegment segment;
            segment.span = i;
            const std::vector<playback::Knot>& knots = pair.knots[s];
            // It begins where the clock first leaves the span before: that one's hold is not this one's time.
            const auto begin =
                std::upper_bound(knots.begin(), knots.end(), span.begin,
                                 [](double time, const playback::Knot& knot) { return time < knot.side; });
            const double from = begin == knots.begin() ? 0 : (begin - 1)->clock;
            const double to = playback::clock_time(pair, int(s), span.end);
            segment.x0 = out.x_of(pair, i == first ? 0 : from);
            segment.x1 = out.x_of(pair, to);
            SegmentLabel said = label_of(trace, timeline, i);
            segment.label = std::move(said.label);
            segment.short_label = std::move(said.short_label);
            if (span.step >= 0) {
                const trace::Step& step = trace.steps[std::size_t(span.step)];
                segment.phase = phase_of(step.kind);
                segment.barrier = step.barrier_after;
                if (step.kind == trace::StepKind::broadcast)
                    segment.short_label = "read";
            }
            if (!out.sides[s].empty())
                out.sides[s].back().until = segment.x0;
            segment.until = segment.x1;
            out.sides[s].push_back(std::move(segment));
        }
        if (!out.sides[s].empty() && pair.mode != playback::PairMode::race)
            out.sides[s].back().until = width;
        if (pair.mode == playback::PairMode::race)
            out.lanes[s] = lanes_of(pair, int(s), *sides[s], out);
    }
    return out;
}

float PairLayout::x_of(const playback::Pair& pair, double clock) const {
    const auto& spans = pair.clock.spans;
    for (std::size_t i = 0; i < spans.size(); ++i) {
        if (clock <= spans[i].end || i + 1 == spans.size()) {
            const double length = spans[i].end - spans[i].begin;
            const double part = length > 0 ? std::clamp((clock - spans[i].begin) / length, 0.0, 1.0) : 1;
            return edges[i] + float(part) * (edges[i + 1] - edges[i]);
        }
    }
    return 0;
}

double PairLayout::clock_of(const playback::Pair& pair, float x) const {
    const auto& spans = pair.clock.spans;
    for (std::size_t i = 0; i < spans.size(); ++i) {
        if (x <= edges[i + 1] || i + 1 == spans.size()) {
            const float length = edges[i + 1] - edges[i];
            const double part = length > 0 ? std::clamp(double(x - edges[i]) / length, 0.0, 1.0) : 1;
            return spans[i].begin + part * (spans[i].end - spans[i].begin);
        }
    }
    return 0;
}

double tick_step(double most, float width, float least) {
    const double rough = most * least / std::max(1.f, width);
    const double power = std::pow(10, std::floor(std::log10(std::max(rough, 1.0))));
    for (const double factor : {1.0, 2.0, 2.5, 5.0})
        if (power * factor >= rough)
            return std::max(1.0, power * factor);
    return power * 10;
}

}  // namespace auditorium::panels
