// What the panels keep between frames: what is being typed, what is open, the work in the background, and
// what is computed once per run (or once per beat) from what is shown. Nothing here decides what a picture of
// a run looks like.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "app/app.h"
#include "app/claims/claims.h"
#include "app/inspector/describe.h"
#include "app/panels/background.h"
#include "app/panels/claims_panel.h"
#include "app/panels/compare_state.h"
#include "app/panels/layout.h"
#include "app/panels/narration.h"
#include "app/panels/progress.h"
#include "app/panels/settings.h"
#include "app/panels/syntax.h"
#include "app/panels/ticks.h"
#include "app/panels/timeline_layout.h"
#include "app/panels/ui.h"
#include "launch/launch.h"
#include "launch/speed.h"

namespace auditorium {

namespace panels {

enum class Menu { none, kernel, op, type, block, data, device, more, pair, side };
enum class Dialog { none, open, save, pick_data, keys, trees, ledger, save_ledger, claims, speed };

// The form of the data menu.
struct DataForm {
    enum class Kind { random, ramp, ones, values, file };
    Kind kind = Kind::random;
    std::string seed = "3664", low = "0", high = "999", values, path;
};
DataForm form_of(const std::string& spec);
std::string spec_of(const DataForm& form);
std::string short_name(const std::string& spec);  // "0–999, seed 3664"

struct Folder {
    struct Entry {
        std::string name;
        bool folder = false;
        std::uint64_t bytes = 0;
    };
    std::string path;
    std::vector<Entry> entries;  // folders first, by name
    std::string problem;         // why it cannot be listed
};

// Once per run shown.
struct PerRun {
    std::uint64_t id = 0;
    std::vector<CodeLine> code;
    std::string file;                                 // "contiguous_warp.cuh"
    std::vector<std::array<Narration, 3>> narration;  // per span, by playback::Stand
};

// Once per beat.
struct PerBeat {
    std::uint64_t id = 0;
    int span = -1, beat = -1, over = -1;
    playback::Stand stand{};
    StepFacts facts;
    std::vector<int> hits;
    int line = 0;
};

// What the inspector says: once per thing and change of the moment.
struct PerAsked {
    std::uint64_t id = 0;
    int span = -1, beat = -1, over = -1, served = -1;
    std::optional<inspector::Description> description;
    scene::Rect card;  // as drawn last
};

struct PerWidth {
    std::uint64_t id = 0;
    float width = 0, text = 0;
    TimelineLayout timeline;
    Ticks ticks;
    float tick_size = 0, tick_y = 0, x = 0;  // as drawn last: size, middle, and where the segments begin
};

// What is said of the moment.
inline const Narration& said(const PerRun& run, const PerBeat& beat) {
    return run.narration[std::size_t(beat.span)][std::size_t(beat.stand)];
}

// The left card's text, broken into lines: once per step, its stand, width and size.
struct PerCard {
    std::uint64_t id = 0;
    int span = -1;
    playback::Stand stand{};
    float width = 0, height = 0;
    std::vector<std::string> headline, body;
};

}  // namespace panels

struct App::Panels {
    Background work;     // recording and opening: the last choice wins
    Background writing;  // saving: nothing overtakes it but the next save
    Background probe;    // what GPU there is
    Background study;    // what the recordings say of the claims
    std::optional<launch::GpuInfo> gpu;
    std::optional<launch::Speed> speed_here;  // measured in this sitting
    int speed_size = 0;                       // threads, in the speed dialog; 0: as the shown run has

    bool persist = false;
    std::string settings_path;
    Settings settings, kept;  // kept: as in the file
    bool keeping_failed = false;
    double since_change = 0;

    panels::Focus focus;
    int mods = 0;  // Shift, Ctrl, Alt at the end of the last frame
    panels::Menu menu = panels::Menu::none;
    panels::Dialog dialog = panels::Dialog::none;
    scene::Rect anchor;        // of the open menu's chip
    std::string focus_before;  // which control had the keyboard before the menu or dialog opened
    panels::DataForm data;
    std::string block_text;  // typed block size
    panels::Folder folder;
    std::string path_text;     // of the open or save dialog
    std::string overwrite;     // save: the path that the person has been warned about
    std::string menu_problem;  // one sentence in the open menu or dialog

    launch::Device device = launch::Device::automatic;
    trace::LaunchConfig wanted;  // what the chips say: the last choice, before its run is shown
    bool has_wanted = false;

    int code_scroll = 0;  // lines, by the wheel, until the current line changes
    int code_line = 0;
    int code_selected = 0;  // by the keyboard, while the panel has it: its counts are shown; 0: none
    int marked_span = -1;   // in which lines were marked: they are until another step
    float code_shift = 0;   // px to the right
    int camera_phase = -1;  // of the step at which the camera was moved by hand
    scene::Scene scene;     // the last one; its storage is used again
    scene::Rect scene_area;
    bool dragging_time = false, was_playing = false;
    bool on_tick = false;        // the button went down on a tick
    bool scene_moved = false;    // the button went down in the scene and the pointer has gone on since
    scene::Point dragged_to;     // as far as the camera has followed it
    bool pointer_moved = false;  // since the last frame
    bool pointer_asks = true;    // the pointer, not the keyboard, says what the inspector is asked about
    double pointer_still = 0;    // seconds; the pointer hides in presenter mode
    scene::Point pointer_last;
    std::optional<ThemeId> theme_before;  // presenter mode has its own

    panels::CompareState compare;
    const std::vector<claims::Claim>* claims = nullptr;  // once they are made
    panels::ClaimsAtWidth claim_lines;
    int ledger_sorted = -1, ledger_row = -1;  // column; the row that was pressed
    bool ledger_descending = false;
    panels::PerRun run;
    panels::PerBeat beat;
    panels::PerWidth width;
    panels::PerAsked asked;
    panels::PerAsked asked_beside;  // the same thing in the other half
    scene::Rect timeline_area;      // segments and lanes, as drawn last; width 0: not on show
    std::optional<inspector::Thing> timeline_hovered;
    panels::PerCard card;
    std::vector<panels::Drawn> drawn;
    scene::Color background = 0xff000000;
};

}  // namespace auditorium
