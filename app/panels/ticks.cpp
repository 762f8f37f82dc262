#include "app/panels/ticks.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace auditorium::panels {

using inspector::Trouble;

Ticks lay_out_ticks(const inspector::Index& index, const TimelineLayout& timeline, float size) {
    Ticks out;
    const auto& marks = index.marks;
    for (std::size_t begin = 0, end = 0; begin < marks.size(); begin = end) {
        while (end < marks.size() && marks[end].step == marks[begin].step)
            ++end;
        const int step = marks[begin].step;
        if (std::size_t(step) + 1 >= timeline.segments.size())
            break;
        const Segment& segment = timeline.segments[std::size_t(step) + 1];
        std::vector<Trouble> kinds;  // worst first, as the marks are sorted
        for (std::size_t m = begin; m < end; ++m) {
            const inspector::Mark& mark = marks[m];
            if (kinds.empty() || kinds.back() != mark.kind)
                kinds.push_back(mark.kind);
            if (mark.kind == Trouble::conflict)
                continue;
            LaneMark* last = out.lanes.empty() ? nullptr : &out.lanes.back();
            if (last && last->step == step && last->kind == mark.kind && mark.warp <= last->last + 1)
                last->last = mark.warp;
            else
                out.lanes.push_back({step, mark.warp, mark.warp, mark.kind});
        }
        const float pitch = size + 3;
        const bool all = pitch * float(kinds.size()) <= segment.x1 - segment.x0;
        const std::size_t shown = all ? kinds.size() : 1;
        const float middle = (segment.x0 + segment.x1) / 2;
        for (std::size_t k = 0; k < shown; ++k)
            out.ticks.push_back(
                {step, kinds[k], middle + (float(k) - float(shown - 1) / 2) * pitch, shown < kinds.size()});
    }
    return out;
}

double time_of(const Tick& tick, const playback::Timeline& timeline) {
    if (tick.kind == Trouble::conflict) {
        const playback::Beat* longest = nullptr;
        for (const playback::Beat& beat : timeline.spans[std::size_t(tick.step) + 1].beats)
            if (beat.wavefronts > 1 && (!longest || beat.wavefronts > longest->wavefronts))
                longest = &beat;
        if (longest)
            return longest->begin + longest->lead + (longest->seconds() - longest->lead) / 2;
    }
    return playback::end_of_step(timeline, tick.step + 1);
}

int tick_at(const Ticks& ticks, float x, float size) {
    int best = -1;
    float nearest = size / 2 + 3;
    for (std::size_t i = 0; i < ticks.ticks.size(); ++i) {
        const float distance = std::abs(ticks.ticks[i].x - x);
        if (distance < nearest) {
            nearest = distance;
            best = int(i);
        }
    }
    return best;
}

void draw_tick(Ui& ui, Trouble kind, Point c, float size) {
    const float r = size / 2;
    const Color purple = ui.theme.hazard, panel = ui.theme.panel;
    const float line = std::max(1.f, size * 0.14f);
    switch (kind) {
        case Trouble::hazard:  // a triangle with a "!"
            ui.polygon({{c.x, c.y - r}, {c.x + r * 1.1f, c.y + r * 0.9f}, {c.x - r * 1.1f, c.y + r * 0.9f}},
                       purple);
            ui.line({c.x, c.y - r * 0.35f}, {c.x, c.y + r * 0.25f}, panel, line);
            ui.line({c.x, c.y + r * 0.45f}, {c.x, c.y + r * 0.7f}, panel, line);
            break;
        case Trouble::mismatch:  // a rope that does not meet
            ui.line({c.x - r, c.y - r}, {c.x - r, c.y + r}, purple, line * 1.3f);
            ui.line({c.x + r, c.y - r}, {c.x + r, c.y + r}, purple, line * 1.3f);
            ui.line({c.x - r, c.y - r * 0.6f}, {c.x - r * 0.25f, c.y + r * 0.2f}, purple, line);
            ui.line({c.x + r, c.y - r * 0.6f}, {c.x + r * 0.25f, c.y + r * 0.2f}, purple, line);
            break;
        case Trouble::undefined: {  // a "?" of strokes: at this size letters are too small to be read
            std::vector<Point> hook;
            for (int i = 0; i <= 10; ++i) {
                const float angle = 3.1416f + float(i) / 10 * 4.4f;
                hook.push_back(
                    {c.x + r * 0.55f * std::cos(angle), c.y - r * 0.4f + r * 0.55f * std::sin(angle)});
            }
            hook.push_back({c.x, c.y + r * 0.4f});
            ui.stroke(hook, purple, line * 1.2f);
            ui.fill({c.x - line * 0.7f, c.y + r * 0.65f, line * 1.4f, line * 1.4f}, purple);
            break;
        }
        case Trouble::lost:  // a disc with a minus
            ui.disc(c, r, purple);
            ui.fill({c.x - r * 0.55f, c.y - line * 0.6f, r * 1.1f, line * 1.2f}, panel);
            break;
        case Trouble::identity:  // a crossed zero
            ui.ring(c, r * 0.8f, purple, line);
            ui.line({c.x - r * 0.8f, c.y + r}, {c.x + r * 0.8f, c.y - r}, purple, line);
            break;
        case Trouble::conflict:  // a queue: stacked tickets
            for (int i = -1; i <= 1; ++i)
                ui.fill({c.x - r, c.y + float(i) * size * 0.36f - size * 0.13f, size, size * 0.26f},
                        ui.theme.conflict_line, 1);
            break;
    }
}

}  // namespace auditorium::panels
