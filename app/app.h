// The app's state and its one frame function, the same for the window and for offscreen pictures.
//
// A host's loop: make_app, then per frame ImGui::NewFrame, frame(), ImGui::Render. It keeps view.width,
// height and pixel_ratio as the window's (width and height in px at UI scale 1, so window px / ui_scale),
// view.pointer as the mouse's, gives dropped files to drop_file(), and redraws at once while frame() returns
// true. frame() sets app.quit. Invariant: shown is always one whole run, never half of two.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "app/compare/ledger.h"
#include "app/comparing.h"
#include "app/playback/playback.h"
#include "app/scene/scene.h"
#include "app/view.h"
#include "trace/json.h"

namespace auditorium {

// A run's data as shown: replaced as a whole when a new trace is opened or recorded.
struct Shown {
    trace::Trace trace;
    analysis::Analysis analysis;
    playback::Timeline timeline;
    scene::Prepared prepared;  // scene::prepare(trace, analysis, timeline), for scene::build_into
    std::string path;          // the file that it came from or was saved to; "" for none
    std::uint64_t id =
        0;  // differs for every run shown, so that what is computed once per trace knows its own
};

// A sentence for the person at the screen; stays until dismissed.
struct Notice {
    std::string text;
    bool error = false;
};

struct App {
    Shown shown;
    playback::Playback playback;               // on clock_of(app)
    std::shared_ptr<const Compared> compared;  // empty until the compare view is asked for
    playback::Pair pair;                       // its clock
    playback::Playback put_away;               // that of the view that is not shown
    View view;
    std::vector<compare::LedgerRow> ledger;  // every run of the sitting
    std::vector<Notice> notices;
    bool quit = false;
    struct Panels;  // what panels keep between frames (text being typed, open menus); app/panels
    std::shared_ptr<Panels> panels;
};

App make_app(trace::Trace trace, View view);
Shown make_shown(trace::Trace trace, std::string path);  // all that is computed once per run
void show_run(App& app, Shown shown);
void show(App& app, trace::Trace trace, std::string path);  // replaces what is shown, keeps the view

// In the background; the last call wins, and what fails becomes a notice while the old run stays.
void open_file(App& app, const std::string& path);
void open_recording(App& app, const std::string& name);  // one of those in the program
void drop_file(App& app, const std::string& path);       // a trace, or a text of numbers to record with
void record(App& app, const trace::LaunchConfig& config);

// The window's settings: read from and kept in the user's config folder (panels/settings.h). Offscreen
// pictures call neither, so that they depend on their options alone.
std::string use_settings(App& app);  // once, before the first frame; what is wrong with them, a notice too
// At the end: waits for what is being saved and keeps the settings, as frame() does meanwhile. The sentences
// of what failed.
std::vector<std::string> leave(App& app);

// What the app shows and does, as JSON for tests: step, beat, time, kernel, focus, menus, notices, ...
trace::Json state_of(const App& app);
std::string state_json(const App& app);  // the same, printed

// Builds one frame inside an ImGui frame (between ImGui::NewFrame and ImGui::Render): panels, then the scene
// through renderer::draw. `seconds`: wall clock since the last frame; 0 offscreen. Never blocks. Returns true
// while something moves, so that a host knows whether to draw again at once.
bool frame(App& app, double seconds);

// What the last frame lies on: the host clears the window with it, which costs less than painting it.
scene::Color background(const App& app);

}  // namespace auditorium
