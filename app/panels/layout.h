// Where the cards lie and how large their type is: a pure function of the window's size.
//
// Units: px at UI scale 1. The design's table names three sizes, 1280x720, 1600x900 and 1920x1080; between
// them every length is interpolated by the smaller of the two ratios to 1600x900, outside them it stays.
// Smaller windows (a large UI scale makes one) give up what explains before what shows: first the left card
// becomes a caption, then the right column goes and its result moves into the caption, then the lanes of the
// timeline go. A rect of width 0 is not shown. Below least_width x least_height there is no layout that shows
// anything well: the window says so, and nothing else is drawn.
#pragma once

#include "app/scene/shape.h"
#include "app/view.h"

namespace auditorium::panels {

struct Type {
    float display = 0, heading = 0, body = 0, label = 0, small = 0, code = 0;
};

inline constexpr int least_width = 640, least_height = 360;              // of a window
inline constexpr int least_scene_width = 520, least_scene_height = 170;  // of the scene by itself

struct Layout {
    bool too_small = false;
    scene::Rect top, left, caption, scene, code, result, bottom;
    scene::Rect timeline;   // in the bottom card: phases, segments and lanes
    scene::Rect transport;  // in the bottom card: buttons and speed
    Type type;
    float gutter = 0;
    float pad = 0;             // inside cards
    float row = 0;             // height of a row of the result card
    bool pips = false;         // in the facts
    bool hits_column = false;  // else a bar in the gutter
    bool device_date = false;
    bool gantt = false;
    bool speeds = false;       // the row of speeds below the transport buttons
    bool chip_labels = false;  // the words before the chips
};

Layout layout(const View& view, int result_rows);

// Linear between the three columns of the design's table; s = 0.8, 1, 1.2.
float between(float s, float small, float middle, float large);

}  // namespace auditorium::panels
