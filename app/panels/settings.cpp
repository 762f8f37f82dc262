#include "app/panels/settings.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "trace/json.h"

namespace auditorium {
namespace {

using playback::PairMode;
using trace::Json;

const char* name_of(ThemeId theme) {
    return theme == ThemeId::dark ? "dark" : "light";
}

// What is missing or of another type leaves `into` as it is.
void read(const Json& from, const char* key, bool& into) {
    const Json* found = from.find(key);
    if (found && found->boolean())
        into = *found->boolean();
}
void read(const Json& from, const char* key, std::string& into) {
    const Json* found = from.find(key);
    if (found && found->text())
        into = *found->text();
}
template <std::floating_point T>
void read(const Json& from, const char* key, T& into) {
    const Json* found = from.find(key);
    const auto number = found ? found->number() : std::nullopt;
    if (number && std::isfinite(*number))
        into = T(*number);
}
template <typename Choice>
void read(const Json& from, const char* key, Choice& into, std::initializer_list<Choice> choices) {
    std::string text;
    read(from, key, text);
    for (const Choice choice : choices)
        if (text == name_of(choice))
            into = choice;
}

}  // namespace

std::string settings_path() {
    namespace fs = std::filesystem;
    const char* config = std::getenv("XDG_CONFIG_HOME");
    if (config && config[0] == '/')  // a relative one is to be ignored
        return (fs::path(config) / "auditorium" / "settings.json").string();
    const char* home = std::getenv("HOME");
    if (home && *home)
        return (fs::path(home) / ".config" / "auditorium" / "settings.json").string();
    return {};
}

Settings parse_settings(const std::string& text, std::string* problem) {
    Settings s;
    const std::optional<Json> parsed = Json::parse(text);
    if (!parsed || !parsed->is_object()) {
        *problem = "is damaged, so the settings start from their defaults";
        return s;
    }
    const Json& root = *parsed;
    read(root, "theme", s.theme, {ThemeId::dark, ThemeId::light});
    read(root, "presenter_theme", s.presenter_theme, {ThemeId::dark, ThemeId::light});
    read(root, "ui_scale", s.ui_scale);
    read(root, "reduced_motion", s.reduced_motion);
    read(root, "compare", s.pair_mode, {PairMode::step, PairMode::phase, PairMode::race});
    read(root, "show_code", s.show_code);
    read(root, "show_gantt", s.show_gantt);
    read(root, "loop", s.loop);
    read(root, "speed", s.speed);
    read(root, "device", s.device);
    read(root, "folder", s.folder);
    s.ui_scale = std::clamp(s.ui_scale, smallest_scale, largest_scale);
    s.speed = std::clamp(s.speed, 0.25, 4.0);
    if (s.device != "gpu" && s.device != "cpu")
        s.device = "auto";
    return s;
}

std::string to_text(const Settings& s) {
    const Json root = {{"theme", name_of(s.theme)},
                       {"presenter_theme", name_of(s.presenter_theme)},
                       {"ui_scale", s.ui_scale},
                       {"reduced_motion", s.reduced_motion},
                       {"compare", name_of(s.pair_mode)},
                       {"show_code", s.show_code},
                       {"show_gantt", s.show_gantt},
                       {"loop", s.loop},
                       {"speed", s.speed},
                       {"device", s.device},
                       {"folder", s.folder}};
    return root.dump(2) + "\n";
}

Settings load_settings(const std::string& path, std::string* problem) {
    problem->clear();
    // A FIFO or a device would never end; what is not there yet is no problem.
    std::error_code error;
    const auto status = std::filesystem::status(path, error);
    if (path.empty() || !std::filesystem::exists(status))
        return {};
    constexpr std::uintmax_t most_bytes = 1 << 20;
    std::ifstream file;
    if (std::filesystem::is_regular_file(status) && std::filesystem::file_size(path, error) <= most_bytes)
        file.open(path, std::ios::binary);
    if (!file.is_open()) {
        *problem = fmt::format("{} cannot be read as settings, so they start from their defaults.", path);
        return {};
    }
    std::ostringstream text;
    text << file.rdbuf();
    Settings settings = parse_settings(text.str(), problem);
    if (!problem->empty())
        *problem = fmt::format("{} {}.", path, *problem);
    return settings;
}

Expected<void> save_settings(const std::string& path, const Settings& settings) {
    namespace fs = std::filesystem;
    if (path.empty())
        return fail(ExitStatus::bad_output,
                    "Settings cannot be kept: neither XDG_CONFIG_HOME nor HOME says where.");
    std::error_code error;
    fs::create_directories(fs::path(path).parent_path(), error);
    const std::string part = fmt::format("{}.{}", path, ::getpid());
    {
        std::ofstream file(part, std::ios::binary);
        file << to_text(settings);
        file.flush();
        if (!file) {
            fs::remove(part, error);
            return fail(ExitStatus::bad_output,
                        fmt::format("Settings cannot be kept in {}: it cannot be written.",
                                    fs::path(path).parent_path().string()));
        }
    }
    fs::rename(part, path, error);
    if (error) {
        std::error_code ignored;
        fs::remove(part, ignored);
        return fail(ExitStatus::bad_output,
                    fmt::format("Settings cannot be kept in {}: {}.", path, error.message()));
    }
    return {};
}

}  // namespace auditorium
