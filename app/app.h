// The app's state and its one frame function, the same for the window and for offscreen pictures.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/playback/playback.h"
#include "app/scene/scene.h"
#include "app/view.h"

namespace auditorium {

// A run's data as shown: replaced as a whole when a new trace is opened or recorded.
struct Shown {
    trace::Trace trace;
    analysis::Analysis analysis;
    playback::Timeline timeline;
    std::string path;  // the file that it came from or was saved to; "" for none
};

// A sentence for the person at the screen; stays until dismissed.
struct Notice {
    std::string text;
    bool error = false;
};

struct App {
    Shown shown;
    playback::Playback playback;
    View view;
    std::vector<Notice> notices;
    bool quit = false;
    struct Panels;  // what panels keep between frames (text being typed, open menus); app/panels
    std::shared_ptr<Panels> panels;
};

App make_app(trace::Trace trace, View view);
void show(App& app, trace::Trace trace, std::string path);  // replaces what is shown, keeps the view

// Builds one frame inside an ImGui frame (between ImGui::NewFrame and ImGui::Render): panels, then the scene
// through renderer::draw. `seconds`: wall clock since the last frame; 0 offscreen. Never blocks. Returns true
// while something moves, so that a host knows whether to draw again at once.
bool frame(App& app, double seconds);

}  // namespace auditorium
