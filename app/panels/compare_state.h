// What the compare view keeps between frames; nothing here decides what a picture looks like.
#pragma once

#include <array>
#include <optional>
#include <string>

#include "app/comparing.h"
#include "app/panels/compare_layout.h"
#include "app/panels/compare_words.h"

namespace auditorium::panels {

// Of one half, once per beat and wavefront.
struct HalfWords {
    std::uint64_t id = 0;  // of the pair
    int span = -1, beat = -1, served = -1;
    bool holds = false, over = false;
    std::string title, name, round, short_round, code, origin;
    bool recorded = false;
    Saying said;
};

struct CompareState {
    std::array<SideSource, 2> wanted;  // what the chips say: the last choice, before its run is shown
    int side = 1;                      // the one whose menu is open, or that a file is opened for
    std::array<scene::Scene, 2> scene;
    std::array<HalfWords, 2> words;
    // What the inspector is asked about in the view that is not shown: each of the two keeps its own.
    std::optional<inspector::Thing> away_pin, away_selected;
    std::optional<std::array<Phase, 2>> camera_phases;  // of the sides when the camera was moved by hand
    std::uint64_t laid_out = 0;                         // of which pair `layout` is
    playback::PairMode laid_out_mode{};
    PairLayout layout;
};

}  // namespace auditorium::panels
