// Where the parts of the compare view lie: a scoreboard on top, the two halves with one size and scale, their
// common time below. A pure function of the window's size; px at UI scale 1. A rect of width 0 is not shown.
#pragma once

#include <array>
#include <vector>

#include "app/panels/layout.h"
#include "app/panels/timeline_layout.h"
#include "app/playback/pair.h"

namespace auditorium::panels {

struct CompareLayout {
    Layout base;  // type, top bar, bottom card with transport and timeline
    scene::Rect score;
    std::array<scene::Rect, 2> half;   // cards
    std::array<scene::Rect, 2> head;   // in them, on top: title and line of code
    std::array<scene::Rect, 2> scene;  // in them
    std::array<scene::Rect, 2> say;    // in them, at the foot: one sentence
    scene::Rect modes;                 // in the bottom card: step, phase, race
    bool code = false;                 // the head has two lines
    bool bars = false;                 // the scoreboard has bars
    bool axis = false;                 // above the two rows of time
};

CompareLayout compare_layout(const View& view);

// The two rows of the bottom card, once per pair and width.
struct PairSegment {
    int span = 0;  // of the side's timeline
    float x0 = 0, x1 = 0;
    float until = 0;  // up to here the side holds
    Phase phase = Phase::cap;
    std::string label, short_label;
    bool barrier = false;
};

// What each warp of a side does when, in a race: on the common scale of cycles, by the stamps of its lane 0
// where every step of the recording has them, else by the model that splits the steps.
struct PairLanes {
    std::vector<Bar> bars;  // by warp, then by time
    int warps = 0;
    bool measured = false;
};

struct PairLayout {
    float width = 0;
    std::vector<float> edges;  // per span of the clock its left end, and the right end of all
    std::array<std::vector<PairSegment>, 2> sides;
    std::array<PairLanes, 2> lanes;  // of a race
    float x_of(const playback::Pair& pair, double clock) const;
    double clock_of(const playback::Pair& pair, float x) const;
};

PairLayout lay_out_pair(const playback::Pair& pair, const playback::Side& left, const playback::Side& right,
                        float width);

// How many warps share a lane so that lanes at least `least` px high fit: 1, 2, 4, ...
int warps_a_lane(int warps, float room, float least);

// A step between the ticks of an axis from 0 to `most` so that they stand at least `least` px apart.
double tick_step(double most, float width, float least);

}  // namespace auditorium::panels
