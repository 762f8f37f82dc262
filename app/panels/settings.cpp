#include "app/panels/settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <concepts>
#include <cstdlib>
#include <filesystem>
#include <initializer_list>
#include <optional>
#include <vector>

#include "trace/files.h"
#include "trace/json.h"
#include "trace/text.h"

namespace auditorium {
namespace {

using playback::PairMode;
using trace::Json;

constexpr std::size_t most_bytes = 1 << 20;

constexpr const char* keys[] = {"theme",   "presenter_theme", "ui_scale",   "reduced_motion",
                                "compare", "show_code",       "show_gantt", "loop",
                                "speed",   "device",          "folder"};

const char* name_of(ThemeId theme) {
    return theme == ThemeId::dark ? "dark" : "light";
}

// Reads an object's members; what is missing leaves `into` as it is, and so does what cannot be used, which
// is remembered by its name.
struct Reader {
    const Json& root;
    std::vector<std::string> unusable;

    void read(const char* key, bool& into) {
        if (const Json* found = root.find(key))
            take(key, found->boolean(), into);
    }
    void read(const char* key, std::string& into) {
        if (const Json* found = root.find(key))
            take(key, found->text(), into);
    }
    template <std::floating_point T>
    void read(const char* key, T& into) {
        if (const Json* found = root.find(key))
            take(key, found->number(), into);
    }
    template <typename Choice>
    void read(const char* key, Choice& into, std::initializer_list<Choice> choices) {
        const Json* found = root.find(key);
        if (!found)
            return;
        const std::string text = found->text().value_or("");
        std::optional<Choice> chosen;
        for (const Choice choice : choices)
            if (text == name_of(choice))
                chosen = choice;
        take(key, chosen, into);
    }

  private:
    template <typename Found, typename T>
    void take(const char* key, const std::optional<Found>& found, T& into) {
        if (found)
            into = T(*found);
        else
            unusable.push_back(key);
    }
};

// What of a damaged object's members can still be read. They stand between commas or on lines of their own;
// no setting is a list or an object.
Json readable_members(const std::string& text) {
    Json members = Json::object();
    std::string piece;
    bool in_text = false;
    const auto end_piece = [&] {
        constexpr const char* around = " \t\r{}";
        const std::size_t begin = piece.find_first_not_of(around);
        if (begin != std::string::npos) {
            const std::size_t end = piece.find_last_not_of(around);
            const auto member = Json::parse("{" + piece.substr(begin, end - begin + 1) + "}");
            for (const char* key : keys)
                if (const Json* found = member ? member->find(key) : nullptr)
                    members[key] = *found;
        }
        piece.clear();
        in_text = false;
    };
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (c == '\n' || (c == ',' && !in_text)) {
            end_piece();
            continue;
        }
        piece += c;
        if (c == '"')
            in_text = !in_text;
        else if (c == '\\' && in_text && i + 1 < text.size() && text[i + 1] != '\n')
            piece += text[++i];
    }
    end_piece();
    return members;
}

// Keeps a settings file that was not understood whole beside it; where, or "" where that failed. What is kept
// there from before stays.
std::string keep_aside(const std::string& path, const std::string& text) {
    constexpr int most = 9;
    for (int number = 1; number <= most; ++number) {
        const std::string aside = path + (number == 1 ? ".bak" : fmt::format(".bak{}", number));
        const auto there = read_file(aside, most_bytes);
        if (there && *there == text)
            return aside;
        std::error_code error;
        if (std::filesystem::exists(std::filesystem::symlink_status(aside, error)))
            continue;
        return write_file(aside, text) ? aside : "";
    }
    return "";
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
    problem->clear();
    std::optional<Json> parsed = Json::parse(text);
    const bool whole = parsed && parsed->is_object();
    if (!whole)
        parsed = readable_members(text);
    Settings s;
    Reader reader{*parsed, {}};
    reader.read("theme", s.theme, {ThemeId::dark, ThemeId::light});
    reader.read("presenter_theme", s.presenter_theme, {ThemeId::dark, ThemeId::light});
    reader.read("ui_scale", s.ui_scale);
    reader.read("reduced_motion", s.reduced_motion);
    reader.read("compare", s.pair_mode, {PairMode::step, PairMode::phase, PairMode::race});
    reader.read("show_code", s.show_code);
    reader.read("show_gantt", s.show_gantt);
    reader.read("loop", s.loop);
    reader.read("speed", s.speed);
    reader.read("device", s.device);
    reader.read("folder", s.folder);
    s.ui_scale = std::clamp(s.ui_scale, smallest_scale, largest_scale);
    s.speed = std::clamp(s.speed, 0.25, 4.0);
    if (s.device != "auto" && s.device != "gpu" && s.device != "cpu") {
        s.device = "auto";
        reader.unusable.push_back("device");
    }
    if (!whole)
        *problem = "is damaged, so what cannot be read in it starts from its default";
    else if (!reader.unusable.empty())
        *problem = fmt::format("has no usable value for {}, so the default is taken there",
                               fmt::join(reader.unusable, ", "));
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

LoadedSettings load_settings(const std::string& path) {
    LoadedSettings loaded;
    std::error_code error;
    if (path.empty() || std::filesystem::status(path, error).type() == std::filesystem::file_type::not_found)
        return loaded;  // nothing was kept yet
    const auto text = read_file(path, most_bytes);
    if (!text) {
        std::string sentence = text.error().sentence;
        sentence.erase(sentence.find_last_not_of('.') + 1);
        loaded.problem = sentence + ", so the settings start from their defaults, and changes are not kept.";
        loaded.may_be_replaced = false;
        return loaded;
    }
    std::string why;
    loaded.settings = parse_settings(*text, &why);
    if (why.empty())
        return loaded;
    const std::string aside = keep_aside(path, *text);
    loaded.may_be_replaced = !aside.empty();
    loaded.problem = fmt::format("The settings file {} {}; {}.", in_quotes(path, 200), why,
                                 aside.empty() ? "it could not be copied, so changes are not kept"
                                               : fmt::format("it is kept as {}", in_quotes(aside, 200)));
    return loaded;
}

Expected<void> save_settings(const std::string& path, const Settings& settings) {
    if (path.empty())
        return fail(ExitStatus::bad_output,
                    "Settings cannot be kept: neither XDG_CONFIG_HOME nor HOME says where.");
    std::error_code ignored;  // what fails here fails below too
    std::filesystem::create_directories(std::filesystem::path(path).parent_path(), ignored);
    auto written = write_file(path, to_text(settings));
    if (!written)
        written.error().sentence = "Settings cannot be kept: " + written.error().sentence;
    return written;
}

}  // namespace auditorium
