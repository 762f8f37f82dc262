// View: everything that a frame depends on besides the trace and the time.
#pragma once

#include <optional>
#include <vector>

#include "app/inspector/thing.h"
#include "app/playback/pair.h"
#include "app/scene/shape.h"

namespace auditorium {

enum class ThemeId { dark, light };

struct View {
    int width = 1600, height = 900;  // window, px at UI scale 1
    float ui_scale = 1;              // Ctrl and plus or minus
    float pixel_ratio = 1;           // high-DPI
    ThemeId theme = ThemeId::dark;
    bool presenter = false;
    bool scene_only = false;                                  // render --view scene
    bool compare = false;                                     // two runs side by side
    playback::PairMode pair_mode = playback::PairMode::race;  // as wished; what cannot race goes by step
    bool racing = false;                                      // the compare view's clock is a race
    bool reduced_motion = false;
    bool show_code = true;
    bool show_gantt = true;
    bool blank = false;                          // B: black screen
    int followed = 5;                            // the thread that one callout follows
    std::optional<scene::Camera> manual_camera;  // the user has moved it; empty: automatic framing
    std::optional<scene::Point> pointer;         // in the window, px at UI scale 1; empty: outside
    // What the inspector is asked about: pinned by I or a click, under the pointer, or reached by Alt and
    // arrows; the first of these that there is.
    std::optional<inspector::Thing> pin, hovered, selected;
    int pin_side = 0, hovered_side = 0, selected_side = 0;  // of two halves, the one that each is in
    std::vector<int> marked_lines;  // of the code panel: where a link of the inspector led, ascending

    const inspector::Thing* asked() const {
        return pin ? &*pin : hovered ? &*hovered : selected ? &*selected : nullptr;
    }
    int asked_side() const { return pin ? pin_side : hovered ? hovered_side : selected_side; }

    // Set by the compare view for each of its halves.
    bool half = false;  // no titles, no callout
    // Reduced motion does not fade: a race stands still in the middle of one side's fade, which would show
    // two pictures at once.
    bool cuts = false;
    int rows_beside = 0;       // warps of the other half, so that both are drawn in one scale
    float tickets_beside = 0;  // and the tickets that it shows (scene::tickets_shown)
};

}  // namespace auditorium
