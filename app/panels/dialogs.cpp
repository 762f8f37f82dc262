// Open, save, and the key list, over everything else.
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <filesystem>

#include "app/compare/recordings.h"
#include "app/panels/compare_view.h"
#include "app/panels/keys.h"
#include "app/panels/panels.h"
#include "app/panels/state.h"
#include "kernels/catalogue.h"
#include "trace/files.h"
#include "trace/io.h"

namespace auditorium::panels {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_entries = 2000;

Folder list_folder(const std::string& path) {
    Folder folder;
    folder.path = path;
    std::error_code error;
    fs::directory_iterator it(path, fs::directory_options::skip_permission_denied, error);
    for (; !error && it != fs::directory_iterator(); it.increment(error)) {
        std::error_code ignored;
        const std::string name = it->path().filename().string();
        if (name.empty() || name[0] == '.')
            continue;
        const bool is_folder = it->is_directory(ignored);
        if (folder.entries.size() >= most_entries) {
            folder.problem = fmt::format("Only the first {} entries are listed.", most_entries);
            break;
        }
        folder.entries.push_back({name, is_folder, is_folder ? 0 : std::uint64_t(it->file_size(ignored))});
    }
    if (error)
        folder.problem = fmt::format("{} cannot be listed: {}.", path, error.message());
    std::sort(folder.entries.begin(), folder.entries.end(),
              [](const auto& a, const auto& b) { return a.folder != b.folder ? a.folder : a.name < b.name; });
    return folder;
}

std::string absolute(const std::string& path) {
    if (path == "~" || path.starts_with("~/")) {
        const char* home = std::getenv("HOME");
        if (home)
            return home + path.substr(1);
    }
    std::error_code error;
    const fs::path whole = fs::absolute(path, error);
    return error ? path : whole.lexically_normal().string();
}

std::string size_text(std::uint64_t bytes) {
    return bytes < 1000      ? fmt::format("{} B", bytes)
           : bytes < 1000000 ? fmt::format("{} KB", bytes / 1000)
                             : fmt::format("{} MB", bytes / 1000000);
}

// A recording that the program carries: "contiguous_warp-max-float-256", perhaps "-common" behind it.
struct Recording {
    std::string name;    // its own
    std::string kernel;  // "contiguous + warp"
    std::string what;    // "max, float, 256 threads"
};

std::vector<Recording> recordings() {
    std::vector<Recording> out;
    for (const kernels::Kernel& kernel : kernels::all()) {
        const std::string begin = std::string(kernel.id) + "-";
        const std::size_t first = out.size();
        for (const compare::EmbeddedRecording* file = compare::embedded_recordings(); file->name; ++file) {
            const std::string_view name = file->name;
            if (!name.starts_with(begin))
                continue;
            std::array<std::string, 4> parts;  // op, type, block, what else it says
            std::size_t at = begin.size();
            for (std::size_t i = 0; i < parts.size() && at <= name.size(); ++i) {
                const std::size_t end =
                    i + 1 < parts.size() ? std::min(name.find('-', at), name.size()) : name.size();
                parts[i] = name.substr(at, end - at);
                at = end + 1;
            }
            out.push_back({std::string(name), std::string(kernel.title),
                           fmt::format("{}, {}, {} threads{}{}", parts[0], parts[1], parts[2],
                                       parts[3].empty() ? "" : ", ", parts[3])});
        }
        // By op, then by size.
        std::stable_sort(out.begin() + long(first), out.end(), [](const Recording& a, const Recording& b) {
            const auto key = [](const Recording& r) {
                const std::string op = r.what.substr(0, r.what.find(','));
                return std::pair(op, r.what.size());
            };
            return key(a) < key(b);
        });
    }
    return out;
}

// Every word of `words` is somewhere in `text`, large letters as small ones.
bool has_words(std::string text, std::string words) {
    const auto small = [](std::string& s) {
        for (char& c : s)
            c = char(std::tolower(static_cast<unsigned char>(c)));
    };
    small(text);
    small(words);
    for (std::size_t i = 0; i < words.size();) {
        const std::size_t end = std::min(words.find(' ', i), words.size());
        if (text.find(words.substr(i, end - i)) == std::string::npos)
            return false;
        i = end + 1;
    }
    return true;
}

std::string proposed_name(const App& app) {
    if (app.panels->dialog == Dialog::save_ledger)
        return app.panels->folder.path + "/ledger.csv";
    if (!app.shown.path.empty())
        return absolute(app.shown.path);
    const trace::LaunchConfig& c = app.shown.trace.config;
    return fmt::format("{}/{}_{}_{}_{}.audit", app.panels->folder.path, c.kernel, trace::name_of(c.op),
                       trace::name_of(c.type), c.block);
}

}  // namespace

void begin_dialog(App& app, Ui& ui, Rect r) {
    ImGui::SetNextWindowPos({0, 0});
    ImGui::SetNextWindowSize({float(app.view.width), float(app.view.height)});
    ImGui::Begin("##dialog", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                     ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoNav |
                     ImGuiWindowFlags_NoScrollWithMouse);
    bring_to_front();
    ui.list = ImGui::GetWindowDrawList();
    ui.fill({0, 0, float(app.view.width), float(app.view.height)}, faded(ui.theme.background, 0.72f));
    ui.fill(r, ui.theme.panel, 10);
    ui.outline(r, ui.theme.edge, 10);
}

namespace {

// The program's own recordings by kernel, as far as `words` name them; returns the one that was chosen.
std::string recording_list(Ui& ui, Rect list, const std::string& words, std::vector<std::string>& left_over) {
    static const std::vector<Recording> all = recordings();
    const Type& type = ui.layout.type;
    const scene::Theme& theme = ui.theme;
    ui.fill(list, theme.background, 6);
    ImGui::SetCursorScreenPos({list.x, list.y});
    ImGui::BeginChild("##recordings", {list.w, list.h}, 0, ImGuiWindowFlags_NoBackground);
    ImDrawList* outer = ui.list;
    ui.list = ImGui::GetWindowDrawList();
    ui.clip(list);
    const float row = 26, scrolled = ImGui::GetScrollY();
    float y = list.y + 4 - scrolled;
    std::string chosen, kernel;
    for (const Recording& recording : all) {
        if (!has_words(recording.kernel + " " + recording.what + " " + recording.name, words))
            continue;
        if (!words.empty() && left_over.size() < 2)
            left_over.push_back(recording.name);
        if (recording.kernel != kernel) {
            kernel = recording.kernel;
            if (y + row >= list.y && y <= list.y + list.h)
                ui.text({list.x + 12, y + row / 2 + 2}, kernel, type.small, Font::semibold, theme.text2,
                        Align::left, list.w - 32, true);
            y += row;
        }
        const Rect line{list.x + 4, y, list.w - 16, row};
        y += row;
        const Press press = ui.press("recording." + recording.name, line);
        if (press.hovered)
            ui.fill(line, theme.raised, 4);
        if (press.focused)
            ui.outline(line, theme.focus, 4, 2);
        if (press.pressed)
            chosen = recording.name;
        if (line.y + row < list.y || line.y > list.y + list.h)
            continue;
        ui.disc({line.x + 16, line.y + row / 2}, 3.4f, theme.champion);  // as in the device chip: recorded
        ui.text({line.x + 28, line.y + row / 2}, recording.what, type.label, Font::regular, theme.text1,
                Align::left, line.w - 34, true);
    }
    if (kernel.empty())
        ui.text({list.x + 14, list.y + 18}, "No recording of that name.", type.label, Font::regular,
                theme.text3, Align::left, list.w - 24, true);
    ImGui::SetCursorPosY(y + scrolled - list.y + 4);
    ImGui::Dummy({0, 0});
    ui.unclip();
    ImGui::EndChild();
    ui.list = outer;
    return chosen;
}

void file_dialog(App& app, Ui& ui) {
    App::Panels& state = *app.panels;
    const Type& type = ui.layout.type;
    const scene::Theme& theme = ui.theme;
    const bool opening = state.dialog == Dialog::open;  // recordings too
    const float w = std::min(opening ? 860.f : 680.f, float(app.view.width) - 24),
                h = std::min(520.f, float(app.view.height) - 24);
    const Rect r{(float(app.view.width) - w) / 2, (float(app.view.height) - h) / 2, w, h};
    begin_dialog(app, ui, r);
    const bool ledger = state.dialog == Dialog::save_ledger;
    const bool saving = state.dialog == Dialog::save || ledger;
    const float pad = 18;
    float y = r.y + 24;
    ui.text({r.x + pad, y},
            ledger   ? "Export the ledger as .csv, .md or .json"
            : saving ? "Save this trace"
            : state.dialog == Dialog::open && app.view.compare
                ? (state.compare.side == 0 ? "Open a trace on the left" : "Open a trace on the right")
            : state.dialog == Dialog::open ? "Open a trace"
                                           : "Open numbers",
            type.heading, Font::semibold, theme.text1);
    y += 18;
    bool entered = ui.text_field("path", {r.x + pad, y, w - 2 * pad, 32}, state.path_text,
                                 opening ? "path of a file, or words to look for" : "path of a file");
    // Without a slash it is looked for, in names of files and of recordings.
    const std::string words =
        opening && state.path_text.find('/') == std::string::npos && !state.path_text.starts_with("~")
            ? state.path_text
            : "";
    y += 42;
    // Beside each other, or where the dialog is narrow one above the other.
    const bool beside = opening && w >= 600;
    const float gap = 14, files_w = beside ? (w - 2 * pad - gap) / 2 : w - 2 * pad;
    const float files_x = beside ? r.x + pad + files_w + gap : r.x + pad;

    const float foot = 50;
    std::vector<std::string> problem;
    if (!state.menu_problem.empty())
        problem = ui.wrap(Font::regular, type.small, state.menu_problem, w - 2 * pad);
    const float problem_height = float(problem.size()) * type.small * 1.35f;
    const float lists_end = r.y + h - foot - problem_height - 8;
    std::string recording;               // the one that was chosen
    std::vector<std::string> left_over;  // of recordings and files, what the words have left: at most two
    if (opening) {
        const float head = beside ? 36.f : 22.f;
        const float end = beside ? lists_end : y + head + std::max(30.f, (lists_end - y) * 0.5f - head - 8);
        ui.text({r.x + pad, y + head / 2 - 4}, "Recordings in the program", type.small, Font::semibold,
                theme.text2);
        recording = recording_list(ui, {r.x + pad, y + head, files_w, end - y - head}, words, left_over);
        if (!beside)
            y = end + 8;
    }
    const bool up = ui.button("up", {files_x, y, 44, 28}, "Up");
    ui.text({files_x + 54, y + 14}, state.folder.path, type.small, Font::mono, theme.text2, Align::left,
            files_w - 54, true);
    y += 36;
    const Rect list{files_x, y, files_w, std::max(30.f, lists_end - y)};
    ui.fill(list, theme.background, 6);
    ImGui::SetCursorScreenPos({list.x, list.y});
    ImGui::BeginChild("##list", {list.w, list.h}, 0, ImGuiWindowFlags_NoBackground);
    ImDrawList* outer = ui.list;
    ui.list = ImGui::GetWindowDrawList();
    ui.clip(list);
    const float row = 26;
    const float scrolled = ImGui::GetScrollY();
    std::string into;
    std::string chosen;
    int shown_entries = 0;
    for (const Folder::Entry& entry : state.folder.entries) {
        if (!has_words(entry.name, words))
            continue;
        if (!words.empty() && !entry.folder && left_over.size() < 2)
            left_over.push_back((fs::path(state.folder.path) / entry.name).string());
        const Rect line{list.x + 4, list.y + 4 + float(shown_entries++) * row - scrolled, list.w - 16, row};
        const Press press = ui.press("entry." + entry.name, line);
        if (press.hovered)
            ui.fill(line, theme.raised, 4);
        if (press.focused)
            ui.outline(line, theme.focus, 4, 2);
        if (press.pressed)
            (entry.folder ? into : chosen) = entry.name;
        if (line.y + row < list.y || line.y > list.y + list.h)
            continue;
        const Point c{line.x + 14, line.y + row / 2};
        if (entry.folder)
            ui.stroke({{c.x - 6, c.y + 4},
                       {c.x - 6, c.y - 4},
                       {c.x - 1, c.y - 4},
                       {c.x + 1, c.y - 2},
                       {c.x + 6, c.y - 2},
                       {c.x + 6, c.y + 4},
                       {c.x - 6, c.y + 4}},
                      theme.text2, 1.3f);
        ui.text({line.x + 28, c.y}, entry.name, type.label, Font::regular,
                entry.folder || entry.name.ends_with(".audit") || state.dialog == Dialog::pick_data
                    ? theme.text1
                    : theme.text3,
                Align::left, line.w - 110, true);
        if (!entry.folder)
            ui.text({line.x + line.w - 8, c.y}, size_text(entry.bytes), type.small, Font::mono, theme.text3,
                    Align::right);
    }
    if (shown_entries == 0)
        ui.text({list.x + 14, list.y + 18},
                !state.folder.problem.empty() ? state.folder.problem
                : words.empty()               ? "Nothing here."
                                              : "No file of that name.",
                type.label, Font::regular, theme.text3, Align::left, list.w - 24, true);
    ImGui::SetCursorPosY(float(shown_entries) * row + 8);
    ImGui::Dummy({0, 0});
    ui.unclip();
    ImGui::EndChild();
    ui.list = outer;

    float py = list.y + list.h + 4 + type.small * 0.7f;
    for (const std::string& line : problem) {
        ui.text({r.x + pad, py}, line, type.small, Font::regular, theme.conflict_text);
        py += type.small * 1.35f;
    }
    const float by = r.y + h - foot + 6;
    const bool cancel = ui.button("cancel", {r.x + w - pad - 200, by, 94, 32}, "Cancel");
    const bool warned = saving && !state.overwrite.empty() && state.overwrite == absolute(state.path_text);
    const bool ok = ui.button("ok", {r.x + w - pad - 98, by, 98, 32},
                              warned   ? "Replace"
                              : saving ? "Save"
                                       : "Open",
                              true);
    ImGui::End();

    if (cancel)
        return close_dialog(app);
    if (up) {
        state.folder = list_folder(fs::path(state.folder.path).parent_path().string());
        return;
    }
    if (!into.empty()) {
        state.folder = list_folder((fs::path(state.folder.path) / into).lexically_normal().string());
        if (saving)
            state.path_text = (fs::path(state.folder.path) / fs::path(state.path_text).filename()).string();
        return;
    }
    if (!chosen.empty()) {
        const std::string path = (fs::path(state.folder.path) / chosen).string();
        // In the open dialog a click opens; in the save dialog it names what to replace.
        state.path_text = path;
        if (!saving)
            entered = true;
    }
    // Enter is the dialog's, unless a button has it.
    const bool enter =
        ImGui::IsKeyPressed(ImGuiKey_Enter, false) || ImGui::IsKeyPressed(ImGuiKey_KeypadEnter, false);
    if (enter && !ImGui::GetIO().WantTextInput && (!state.focus.visible || state.focus.name == "path"))
        entered = true;
    const auto open = [&](const std::string& name) {
        close_dialog(app);
        open_recording(app, name);
    };
    if (!recording.empty())
        return open(recording);
    if (!ok && !entered)
        return;
    if (state.path_text.empty()) {
        state.focus.grab = entered;
        state.menu_problem = opening ? "Type the path of a file, or choose a recording or a file below."
                                     : "Type the path of a file, or choose one below.";
        return;
    }
    std::string path = absolute(state.path_text);
    std::error_code error;
    // Words that leave one thing mean that; a file of just that name comes first.
    if (chosen.empty() && !words.empty() && !fs::exists(path, error) && !left_over.empty()) {
        if (left_over.size() > 1) {
            state.focus.grab = entered;
            state.menu_problem = "More than one has these words: choose one below.";
            return;
        }
        if (left_over[0].find('/') == std::string::npos)
            return open(left_over[0]);
        path = left_over[0];
    }
    if (fs::is_directory(path, error)) {
        state.folder = list_folder(path);
        state.path_text = saving ? (fs::path(path) / fs::path(proposed_name(app)).filename()).string() : "";
        return;
    }
    state.settings.folder = fs::path(path).parent_path().string();
    if (state.dialog == Dialog::pick_data) {
        state.data.path = path;
        close_dialog(app);
        state.menu = Menu::data;
        return;
    }
    if (!saving) {
        close_dialog(app);
        return open_file(app, path);
    }
    if (fs::exists(path, error) && !warned) {
        state.overwrite = path;
        state.path_text = path;
        state.focus.grab = entered;
        state.menu_problem =
            fmt::format("{} exists. Press again to replace it.", fs::path(path).filename().string());
        return;
    }
    if (ledger) {
        const bool csv = path.ends_with(".csv"), markdown = path.ends_with(".md");
        if (!csv && !markdown && !path.ends_with(".json")) {
            state.focus.grab = entered;
            state.menu_problem = "The name's ending says the format: .csv, .md or .json.";
            return;
        }
        close_dialog(app);
        state.writing.ask("saving",
                          [text = csv        ? compare::ledger_csv(app.ledger)
                                  : markdown ? compare::ledger_markdown(app.ledger)
                                             : compare::ledger_json(app.ledger),
                           path](const Background::Cancelled&) -> Background::Outcome {
                              const Expected<void> written = write_file(path, text);
                              return
                                  [sentence = written ? fmt::format("The ledger is saved as {}.", path)
                                                      : written.error().sentence,
                                   failed = !written](App& shown_in) { notice(shown_in, sentence, failed); };
                          });
        return;
    }
    close_dialog(app);
    // The run is copied, since another may be shown before the file is whole.
    state.writing.ask("saving",
                      [trace = app.shown.trace, id = app.shown.id,
                       path](const Background::Cancelled&) -> Background::Outcome {
                          const Expected<void> written = trace::write(trace, path);
                          if (!written) {
                              return [sentence = written.error().sentence](App& shown_in) {
                                  notice(shown_in, sentence, true);
                              };
                          }
                          return [id, path](App& shown_in) {
                              if (shown_in.shown.id == id)
                                  shown_in.shown.path = path;
                              notice(shown_in, fmt::format("Saved as {}.", path), false);
                          };
                      });
}

void key_list(App& app, Ui& ui) {
    const auto help = key_help();
    const Type& type = ui.layout.type;
    const scene::Theme& theme = ui.theme;
    const float size = type.label;
    const float vw = float(app.view.width), vh = float(app.view.height);
    float keys_width = 0, what_width = 0;
    for (const KeyHelp& key : help) {
        keys_width = std::max(keys_width, ui.width(Font::mono, type.small, key.keys));
        what_width = std::max(what_width, ui.width(Font::regular, size, key.what));
    }
    // Rows: a heading a group, then its keys.
    struct Line {
        const char* heading;
        const KeyHelp* key;
    };
    std::vector<Line> lines;
    for (const KeyHelp& key : help) {
        if (lines.empty() || std::string_view(lines.back().key->group) != key.group)
            lines.push_back({key.group, &key});
        lines.push_back({nullptr, &key});
    }
    const float column = keys_width + 18 + what_width, between = 36, side = 24;
    const float head = 50, foot = 14;
    const int count = int(lines.size());
    const float least_row = size * 1.4f;
    // As few columns as the height allows, no more than the width does; each ends where a group does. What is
    // still too high scrolls.
    std::vector<int> starts;  // first line of each column
    int most = count;         // lines of the longest
    for (int columns = 1; columns <= 3; ++columns) {
        if (columns > 1 && float(columns) * (column + between) - between + 2 * side > vw - 16)
            break;
        starts = {0};
        for (int c = 1; c < columns; ++c) {
            int split = std::max(starts.back() + 1, (count * c + columns - 1) / columns);
            while (split < count && lines[std::size_t(split)].heading == nullptr)
                ++split;
            if (split < count)
                starts.push_back(split);
        }
        most = 0;
        for (std::size_t c = 0; c < starts.size(); ++c)
            most = std::max(most, (c + 1 < starts.size() ? starts[c + 1] : count) - starts[c]);
        if (float(most) * least_row + head + foot <= vh - 16)
            break;
    }
    const float row = std::clamp((vh - 16 - head - foot) / float(most), least_row, size * 1.8f);
    const float inner = row * float(most);
    const float h = std::min(inner + head + foot, vh - 16);
    const float w =
        std::min(vw - 16, std::max(float(starts.size()) * (column + between) - between + 2 * side, 300.f));
    const Rect r{(vw - w) / 2, (vh - h) / 2, w, h};
    begin_dialog(app, ui, r);
    ui.text({r.x + side, r.y + 26}, "Keys", type.heading, Font::semibold, theme.text1);
    const bool close = ui.button("close", {r.x + w - side - 76, r.y + 12, 76, 28}, "Close");
    const Rect list{r.x + 8, r.y + head, w - 16, h - head - foot};
    ImGui::SetCursorScreenPos({list.x, list.y});
    ImGui::BeginChild("##keys", {list.w, list.h}, 0, ImGuiWindowFlags_NoBackground);
    if (ImGui::IsWindowAppearing())
        ImGui::SetScrollY(0);
    const float wheel = row * 3;
    if (ImGui::IsKeyPressed(ImGuiKey_DownArrow))
        ImGui::SetScrollY(ImGui::GetScrollY() + wheel);
    if (ImGui::IsKeyPressed(ImGuiKey_UpArrow))
        ImGui::SetScrollY(std::max(0.f, ImGui::GetScrollY() - wheel));
    ImDrawList* outer = ui.list;
    ui.list = ImGui::GetWindowDrawList();
    ui.clip(list);
    const float scrolled = ImGui::GetScrollY();
    std::size_t c = 0;
    for (int i = 0; i < count; ++i) {
        if (c + 1 < starts.size() && i == starts[c + 1])
            ++c;
        const float x = r.x + side + float(c) * (column + between);
        const float y = list.y + (float(i - starts[c]) + 0.5f) * row - scrolled;
        if (y < list.y - row || y > list.y + list.h + row)
            continue;
        const Line& line = lines[std::size_t(i)];
        if (line.heading) {
            ui.text({x, y}, line.heading, type.small, Font::semibold, theme.text3);
        } else {
            ui.text({x, y}, line.key->keys, type.small, Font::mono, theme.text1);
            ui.text({x + keys_width + 18, y}, line.key->what, size, Font::regular, theme.text2);
        }
    }
    ImGui::SetCursorPosY(inner);
    ImGui::Dummy({0, 0});
    ui.unclip();
    ImGui::EndChild();
    ui.list = outer;
    ImGui::End();
    if (close)
        close_dialog(app);
}

}  // namespace

void open_dialog(App& app, int dialog) {
    App::Panels& state = *app.panels;
    const std::string before = state.menu == Menu::none ? state.focus.name : state.focus_before;
    close_menu(app);
    state.focus_before = before;
    state.dialog = Dialog(dialog);
    state.menu_problem.clear();
    state.overwrite.clear();
    state.focus.name.clear();
    state.focus.stops.clear();
    if (state.dialog == Dialog::speed)
        state.speed_size = 0;
    if (state.dialog == Dialog::claims)
        ask_for_claims(app);
    if (state.dialog == Dialog::keys || state.dialog == Dialog::trees || state.dialog == Dialog::ledger ||
        state.dialog == Dialog::claims || state.dialog == Dialog::speed)
        return;
    std::error_code error;
    std::string start = state.settings.folder;
    if (start.empty() || !fs::is_directory(start, error))
        start = fs::current_path(error).string();
    state.folder = list_folder(start);
    const bool saving = state.dialog == Dialog::save || state.dialog == Dialog::save_ledger;
    state.path_text = saving ? proposed_name(app) : "";
    state.focus.name = "path";
    state.focus.grab = true;
}

void close_dialog(App& app) {
    App::Panels& state = *app.panels;
    state.dialog = Dialog::none;
    state.menu_problem.clear();
    state.focus.name = state.focus_before;
}

void dialogs(App& app, Ui& ui) {
    switch (app.panels->dialog) {
        case Dialog::none:
            return;
        case Dialog::keys:
            return key_list(app, ui);
        case Dialog::speed:
            return speed_dialog(app, ui, [&](Rect r) { begin_dialog(app, ui, r); });
        case Dialog::claims:
            return claims_panel(app, ui);
        case Dialog::trees:
            return trees_dialog(app, ui);
        case Dialog::ledger:
            return ledger_dialog(app, ui);
        default:
            return file_dialog(app, ui);
    }
}

}  // namespace auditorium::panels
