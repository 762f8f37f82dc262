// The panels of the compare view, one function each. They draw into the rects of a CompareLayout.
#pragma once

#include "app/app.h"
#include "app/panels/compare_layout.h"
#include "app/panels/ui.h"

namespace auditorium::panels {

// What the common chips say of the two sides, and of both where they differ.
struct CommonTexts {
    std::string op, type, block, data;
};
CommonTexts common_texts(const trace::LaunchConfig& left, const trace::LaunchConfig& right);

void compare_bar(App& app, Ui& ui);  // top: the two sides, what both do, the way back
void compare_scores(App& app, Ui& ui, const CompareLayout& layout);
void compare_halves(App& app, Ui& ui, const CompareLayout& layout);  // titles and sentences
void compare_time(App& app, Ui& ui, const CompareLayout& layout);    // modes, clock, both rows
void compare_menus(App& app, Ui& ui);
void next_tick_of_pair(App& app, int direction);  // to the next trouble of either side

// Over everything else.
void trees_dialog(App& app, Ui& ui);   // the two orders of folding
void ledger_dialog(App& app, Ui& ui);  // every run of the sitting

// The lanes of `warps` warps in r, `share` of them in each lane; the bars' x from r's left edge. What lies
// after the playhead is dim.
void lane_bars(Ui& ui, const std::vector<Bar>& all, int warps, int share, Rect r, float playhead);

void transport(App& app, Ui& ui);  // buttons and speeds of the bottom card
struct PhaseColors {
    Color fill, ink;
};
PhaseColors colors_of(Phase phase, const scene::Theme& theme);  // of a segment of the timeline
// Which sides were recorded on a GPU; a single run counts as both.
enum class Recorded { neither, left, right, both };
// What ran it, and the menu of the device: a filled disc was recorded, a hollow ring was not. `width`: of the
// words; 0: none.
void device_chip(App& app, Ui& ui, Rect r, const std::string& words, float width, bool may_be_cut,
                 Recorded recorded);
void logo(Ui& ui, Point at);
void chevron(Ui& ui, Point at, Color color);

// Once per pair, beat and width.
void fill_compare_caches(App& app);
playback::Moment side_moment(const App& app, int side);

}  // namespace auditorium::panels
