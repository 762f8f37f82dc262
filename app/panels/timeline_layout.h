// The timeline's picture as numbers: segments with their phases, and what each warp does when. Computed once
// per trace and width; a pure function.
//
// Units: px from the left end of the segments; seconds of the Timeline. Within a segment time runs evenly; a
// segment's width grows with the square root of its duration, so that a queue of 32 tickets does not crush
// the other steps.
//
// Bars: where the trace has stamps for every warp of every step, a bar is as long as the warp's work in that
// step was in measured cycles; a segment is then as wide as its step, from its first warp's begin to its last
// warp's end, so each step has its own scale. Otherwise the bars follow the beats, which are for the eye:
// `measured` says which.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "analysis/analysis.h"
#include "app/playback/playback.h"
#include "trace/trace.h"

namespace auditorium::panels {

enum class Phase { cap, write, cuts, council, champion, other };
Phase phase_of(trace::StepKind kind);

struct Segment {
    int span = 0;
    float x0 = 0, x1 = 0;
    Phase phase = Phase::cap;
    std::string label;        // "stride 128" for the first cut of a call, then "64"
    std::string short_label;  // where `label` does not fit
    bool barrier = false;     // ends at a block-wide barrier
    bool mismatch = false;    // ... that not all threads meet at
};

struct Group {
    Phase phase{};
    std::string label, short_label;  // "cuts at the board"
    float x0 = 0, x1 = 0;
};

struct Bar {
    enum class Kind { full, half, notched, waiting, idle };
    int warp = 0;
    float x0 = 0, x1 = 0;
    Kind kind{};
    int notches = 0;  // notched: wavefronts of the request
};

// What the segment of a span says: `label`, or `short_label` where that does not fit; in the single view and
// in both rows of a comparison alike.
struct SegmentLabel {
    std::string label, short_label;
};
SegmentLabel label_of(const trace::Trace& trace, const playback::Timeline& timeline, int span);

// What a warp does in a step when it has nothing to do, or nothing more: wait at the barrier after it, or
// nothing at all.
Bar::Kind rest_in_step(const trace::Trace& trace, const analysis::Analysis& analysis, int step, int warp);
// A warp's whole part in a step as one bar, without its place: its queues, or how many of its lanes work.
Bar work_in_step(const trace::Trace& trace, const analysis::Analysis& analysis, int step, int warp);
// A warp's bars in the step of a span, as its beats have it. `x_at`: where a time of the timeline lies.
void add_modelled_bars(std::vector<Bar>& row, const trace::Trace& trace, const analysis::Analysis& analysis,
                       const playback::Span& span, int warp, const std::function<float(double)>& x_at);

struct TimelineLayout {
    float width = 0;
    std::vector<Segment> segments;  // one per span
    std::vector<Group> groups;
    std::vector<Bar> bars;  // by warp, then by time
    bool measured = false;  // the bars' lengths are cycles of the timed kernel
    // "measured", "modelled", or "stamps +42%" where the timed kernel took that much longer than the plain
    // one, more than a tenth: so where its block size was not known when it was compiled.
    std::string origin = "modelled";
    float x_of(const playback::Timeline& timeline, double time) const;
    double time_of(const playback::Timeline& timeline, float x) const;
    int segment_at(float x) const;  // nearest
};

// What a label needs, px.
struct LabelSizes {
    float text = 12.5f;    // size of the letters
    float diamond = 10.f;  // from a barrier's mark to the nearest letter: half of the mark and 3 px
};

// Where in its segment a label may stand: between the marks of the barriers at either end.
struct LabelRoom {
    float x0 = 0, x1 = 0;
};
LabelRoom label_room(const TimelineLayout& layout, std::size_t segment, float diamond);

TimelineLayout lay_out_timeline(const trace::Trace& trace, const analysis::Analysis& analysis,
                                const playback::Timeline& timeline, float width,
                                const LabelSizes& sizes = {});

}  // namespace auditorium::panels
