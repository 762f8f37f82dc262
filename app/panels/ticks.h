// Where trouble is, along the timeline: one tick a step and kind, each kind with a shape of its own; and in
// the lanes, which warps. Computed once per trace and width.
#pragma once

#include <vector>

#include "app/inspector/index.h"
#include "app/panels/timeline_layout.h"
#include "app/panels/ui.h"

namespace auditorium::panels {

struct Tick {
    int step = 0;  // index in trace.steps
    inspector::Trouble kind{};
    float x = 0;        // its middle, px from the left end of the segments
    bool more = false;  // there was no room for the step's other kinds
};

// Neighbouring warps that have the same trouble in a step. Conflicts are notches of the bars, and not here.
struct LaneMark {
    int step = 0, first = 0, last = 0;  // warps
    inspector::Trouble kind{};
};

struct Ticks {
    std::vector<Tick> ticks;  // by x
    std::vector<LaneMark> lanes;
};

// `size`: of a tick, px.
Ticks lay_out_ticks(const inspector::Index& index, const TimelineLayout& timeline, float size);

// The moment that shows the trouble: a queue half way through, all else at the end of its step.
double time_of(const Tick& tick, const playback::Timeline& timeline);

// The tick at x, or -1.
int tick_at(const Ticks& ticks, float x, float size);

// A kind's shape: stacked bars, a triangle, a torn pair, a dashed ring with a "?", ...
void draw_tick(Ui& ui, inspector::Trouble kind, Point middle, float size);

}  // namespace auditorium::panels
