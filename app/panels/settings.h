// What the window remembers between runs, in $XDG_CONFIG_HOME/auditorium/settings.json (~/.config where it is
// unset). A missing file gives the defaults, a damaged one the defaults and a sentence; unknown keys are
// ignored, values out of range are brought into it. Writing goes through a second file and a rename, so a
// crash leaves a whole one.
#pragma once

#include <string>

#include "app/view.h"
#include "trace/error.h"

namespace auditorium {

inline constexpr float smallest_scale = 0.75f, largest_scale = 2;

struct Settings {
    ThemeId theme = ThemeId::dark;
    ThemeId presenter_theme = ThemeId::light;
    float ui_scale = 1;
    bool reduced_motion = false;
    playback::PairMode pair_mode = playback::PairMode::race;
    bool show_code = true;
    bool show_gantt = true;
    bool loop = false;
    double speed = 1;
    std::string device = "auto";  // auto | gpu | cpu
    std::string folder;           // where the last file was opened or saved; "" for the current one
    friend bool operator==(const Settings&, const Settings&) = default;
};

std::string settings_path();  // "" where there is neither XDG_CONFIG_HOME nor HOME

Settings parse_settings(const std::string& text, std::string* problem);  // problem: "" or one sentence
std::string to_text(const Settings& settings);

Settings load_settings(const std::string& path, std::string* problem);
Expected<void> save_settings(const std::string& path, const Settings& settings);

}  // namespace auditorium
