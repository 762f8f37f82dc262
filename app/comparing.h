// Two runs side by side: what the app shows in place of one run while View::compare is set. A frame is a pure
// function of the two traces, the clock's time (App::playback) and the view.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "analysis/compare.h"
#include "analysis/tree.h"
#include "app/compare/presets.h"
#include "app/compare/tally.h"
#include "app/playback/pair.h"

namespace auditorium {

struct App;
struct Shown;

// Where a side comes from: a file, or a launch.
struct SideSource {
    trace::LaunchConfig config;
    std::string path;  // "": a launch
    friend bool operator==(const SideSource&, const SideSource&) = default;
};

// Never changed once made: whatever replaces a side makes a new one.
struct Compared {
    std::array<std::shared_ptr<const Shown>, 2> sides;
    std::array<SideSource, 2> sources;
    std::array<compare::Tallies, 2> tallies;
    std::vector<analysis::Score> scores;
    analysis::ResultDifference difference;
    std::array<analysis::OrderTree, 2> trees;  // of the first call's results
    std::uint64_t id = 0;
};

playback::Side side_of(const Shown& shown);

// At once, on the calling thread; and opens the view. For pictures and tests.
void compare_traces(App& app, trace::Trace left, trace::Trace right);

// In the background; the last call wins, what fails becomes a notice while the old pair stays.
void compare_with(App& app, const std::array<SideSource, 2>& sources, bool again = false);
// What the chips choose for both: op, type, input, and the block size where it is another one than the left
// side's.
void compare_config(App& app, const trace::LaunchConfig& config, bool again);
void compare_file(App& app, int side, const std::string& path);
void compare_recording(App& app, int side, trace::Trace recording);
void compare_shown(App& app, int side);  // puts the run of the single view there
void compare_preset(App& app, const compare::Preset& preset);

// Opening it for the first time asks for the first preset, and it opens when that is there. Each of the two
// views keeps its own time.
void set_compare(App& app, bool on);
void set_pair_mode(App& app, playback::PairMode mode);
void show_alone(App& app, int side);  // as the one run, out of the compare view

// Adds a run to the ledger, once.
void note_run(App& app, const Shown& shown);

// Why the two cannot race, one sentence; "" if they can.
std::string why_no_race(const App& app);

// The timeline that App::playback moves on: the pair's clock, or that of the run shown.
const playback::Timeline& clock_of(const App& app);

}  // namespace auditorium
