// What the window remembers between runs, in $XDG_CONFIG_HOME/auditorium/settings.json (~/.config where it is
// unset). A missing file gives the defaults; values out of range are brought into it, unknown keys are
// ignored. What cannot be used of a file gives its default and a sentence, and a copy of the file is kept,
// since the next change replaces it. One that cannot be read is not replaced.
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

// `problem`: "", or the end of a sentence that begins with the file's name.
Settings parse_settings(const std::string& text, std::string* problem);
std::string to_text(const Settings& settings);

struct LoadedSettings {
    Settings settings;
    std::string problem;  // "" or one sentence
    bool may_be_replaced = true;
};
LoadedSettings load_settings(const std::string& path);
Expected<void> save_settings(const std::string& path, const Settings& settings);  // through links

}  // namespace auditorium
