// The window: GLFW around frame(). It never blocks on work, redraws only what moves (three frames after an
// event, then it waits), and keeps to the display's rate where vsync does not.
#pragma once

#include <functional>
#include <string>

#include "app/app.h"

namespace auditorium::window {

struct Options {
    int width = 1600, height = 900;  // px at UI scale 1; less where the screen is smaller
    std::string state_file;     // tests: what the app shows, as JSON, rewritten whenever it changes; "": none
    int exit_after_frames = 0;  // bench and tests: leave once so many frames were drawn; 0: run until closed
    bool show_window = true;
    // The display is gone while the window is open. Xlib allows no return: the program ends after this with
    // status `device`, so what is to be kept is kept here.
    std::function<void()> on_display_lost;
};

// Runs until the window is closed, app.quit is set or a signal asks for an end (SIGINT, SIGTERM, SIGHUP). No
// display, or no OpenGL 3.3 on it: one sentence,
// status `device`; nothing was shown then.
Expected<void> run(App& app, const Options& options);

// "" if a window could open here, else one sentence that says why not.
std::string why_none();

}  // namespace auditorium::window
