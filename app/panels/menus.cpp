// The menus below the chips: kernel, op, type, block, data, device; and all of them in one where the bar is
// too narrow. A kernel that is right is offered only at sizes that it is right for, the others show why not;
// a clinic entry runs at any size, and says so.
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <numeric>

#include "app/panels/compare_view.h"
#include "app/panels/menu_items.h"
#include "app/panels/panels.h"
#include "app/panels/state.h"
#include "kernels/catalogue.h"
#include "trace/input.h"

namespace auditorium::panels {
int block_for(const kernels::Kernel& kernel, int block) {
    if (!kernel.correct)
        return kernel.clinic_block;
    for (int distance = 0; distance < trace::max_block; ++distance) {
        for (int candidate : {block - distance, block + distance}) {
            if (candidate >= 1 && candidate <= trace::max_block &&
                kernels::why_not(kernel, candidate).empty())
                return candidate;
        }
    }
    return block;
}

int items(App& app, Ui& ui, const std::vector<Item>& list, Rect anchor, float least_width) {
    const Type& type = ui.layout.type;
    const scene::Theme& theme = ui.theme;
    float width = least_width;
    for (const Item& item : list)
        width = std::max(width, ui.width(Font::medium, type.label, item.title) + 56);
    width = std::min(width, float(app.view.width) - 16);
    const float detail_size = type.small;
    std::vector<float> heights;
    std::vector<std::vector<std::string>> details;
    float total = 12;
    for (const Item& item : list) {
        details.push_back(item.detail.empty() ? std::vector<std::string>{}
                                              : ui.wrap(Font::regular, detail_size, item.detail, width - 46));
        heights.push_back(item.heading
                              ? 30.f
                              : std::max(30.f, type.label * 1.45f + 10 +
                                                   float(details.back().size()) * detail_size * 1.3f));
        total += heights.back();
    }
    const float top = anchor.y + anchor.h + 6;
    const float room = float(app.view.height) - top - 8;
    // Too many for the height: more columns, each from a heading on, so that the longest is as short as it
    // can be. What is still too high scrolls.
    std::vector<std::size_t> headings;
    for (std::size_t i = 1; i < list.size(); ++i)
        if (list[i].heading)
            headings.push_back(i);
    const auto between = [&](std::size_t from, std::size_t to) {
        return std::accumulate(heights.begin() + long(from), heights.begin() + long(to), 12.f);
    };
    std::array<std::size_t, 2> starts = {list.size(), list.size()};  // of the second column and the third
    if (total > room && 2 * width <= float(app.view.width) - 16)
        for (const std::size_t second : headings) {
            const float longest = std::max(between(0, second), between(second, list.size()));
            if (longest < total) {
                total = longest;
                starts[0] = second;
            }
        }
    if (total > room && 3 * width <= float(app.view.width) - 16)
        for (const std::size_t second : headings)
            for (const std::size_t third : headings) {
                if (third <= second)
                    continue;
                const float longest =
                    std::max({between(0, second), between(second, third), between(third, list.size())});
                if (longest < total) {
                    total = longest;
                    starts = {second, third};
                }
            }
    const float column = width;
    for (const std::size_t start : starts)
        width += start < list.size() ? column : 0;
    const float height = std::min(total, room);
    const float x = std::clamp(anchor.x, 8.f, std::max(8.f, float(app.view.width) - width - 8));
    ImGui::SetNextWindowPos({x, top});
    ImGui::SetNextWindowSize({width, height});
    ImGui::SetNextWindowContentSize({0, total});
    ImGui::Begin("##menu", nullptr,
                 ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoCollapse |
                     ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                     ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoNav);
    bring_to_front();
    ui.list = ImGui::GetWindowDrawList();
    const Rect frame{x, top, width, height};
    ui.fill(frame, theme.raised, 8);
    ui.outline(frame, theme.edge, 8);
    ui.clip({x + 1, top + 1, width - 2, height - 2});
    float y = top + 6 - ImGui::GetScrollY(), column_x = x;
    int chosen = -1;
    for (std::size_t i = 0; i < list.size(); ++i) {
        const Item& item = list[i];
        if (i == starts[0] || i == starts[1]) {
            column_x += column;
            y = top + 6 - ImGui::GetScrollY();
            ui.line({column_x, top + 10}, {column_x, top + height - 10}, theme.edge);
        }
        const Rect r{column_x + 6, y, column - 12, heights[i]};
        y += heights[i];
        if (item.heading) {
            ui.text({r.x + 8, r.y + 17}, item.title, type.small, Font::medium, theme.text3, Align::left,
                    r.w - 12, true);
            continue;
        }
        const Press press = ui.press(item.name, r, item.enabled);
        if (press.hovered && item.enabled)
            ui.fill(r, mix(theme.raised, theme.edge, 0.5f), 5);
        const Color ink = item.enabled ? theme.text1 : theme.text3;
        const float first =
            r.y + 5 + type.label * 0.72f + (details[i].empty() ? (r.h - 10 - type.label * 1.45f) / 2 : 0);
        if (item.chosen)
            ui.stroke({{r.x + 8, first}, {r.x + 11, first + 3}, {r.x + 17, first - 4}}, theme.champion, 2);
        ui.text({r.x + 26, first}, item.title, type.label, Font::medium, ink, Align::left, r.w - 34, true);
        float line = first + type.label * 0.72f + detail_size * 0.75f;
        for (const std::string& text : details[i]) {
            ui.text({r.x + 26, line}, text, detail_size, Font::regular, theme.text3);
            line += detail_size * 1.3f;
        }
        if (press.focused)
            ui.outline(r, theme.focus, 5, 2);
        if (press.pressed && item.enabled)
            chosen = int(i);
    }
    ui.unclip();
    ImGui::End();
    return chosen;
}

namespace {

// What the right side does, where there is one: a tick stands at what either side has.
trace::LaunchConfig wanted_beside(const App& app) {
    return app.view.compare ? app.panels->compare.wanted[1].config : wanted(app);
}

void kernel_menu(App& app, Ui& ui) {
    const trace::LaunchConfig now = wanted(app);
    std::vector<Item> list;
    std::vector<const kernels::Kernel*> kernels;
    bool clinic = false;
    for (const kernels::Kernel& kernel : kernels::all()) {
        if (!kernel.correct && !clinic) {
            clinic = true;
            list.push_back({"", "The clinic: wrong on purpose", "", false, false, true});
            kernels.push_back(nullptr);
        }
        const int block = block_for(kernel, now.block);
        std::string detail;
        if (block != now.block && kernel.id != now.kernel)
            detail = kernel.correct
                         ? fmt::format("at {} threads: {}", block, kernels::why_not(kernel, now.block))
                         : fmt::format("at {} threads", block);
        list.push_back({fmt::format("kernel.{}", kernel.id), std::string(kernel.title), detail,
                        kernel.id == now.kernel});
        kernels.push_back(&kernel);
    }
    list.push_back({"", "About them", "", false, false, true});
    list.push_back({"claims", "What they say, what it did", "common sentences, held against the recordings"});
    kernels.resize(list.size());
    const int pressed = items(app, ui, list, app.panels->anchor, 300);
    if (pressed < 0)
        return;
    if (!kernels[std::size_t(pressed)])
        return open_dialog(app, int(Dialog::claims));
    const kernels::Kernel& kernel = *kernels[std::size_t(pressed)];
    trace::LaunchConfig config = now;
    config.kernel = kernel.id;
    if (kernel.id != now.kernel) {
        config.block = block_for(kernel, now.block);
        if (!kernel.clinic_input.empty())
            config.input = kernel.clinic_input;
    }
    config.calls = kernel.calls;
    config.values.clear();
    close_menu(app);
    choose(app, config);
}

template <typename T, std::size_t N>
void choice_menu(App& app, Ui& ui, const char* prefix, const std::array<T, N>& all,
                 const std::array<const char*, N>& details, T trace::LaunchConfig::*member) {
    const trace::LaunchConfig now = wanted(app), beside = wanted_beside(app);
    std::vector<Item> list;
    for (std::size_t i = 0; i < N; ++i)
        list.push_back({fmt::format("{}.{}", prefix, trace::name_of(all[i])), trace::name_of(all[i]),
                        details[i], now.*member == all[i] || beside.*member == all[i]});
    const int pressed = items(app, ui, list, app.panels->anchor, 210);
    if (pressed < 0)
        return;
    trace::LaunchConfig config = now;
    config.*member = all[std::size_t(pressed)];
    config.values.clear();
    close_menu(app);
    choose(app, config);
}

// A small window with a form in it, as high as `height`.
Rect begin_form(App& app, Ui& ui, float width, float height) {
    const Rect anchor = app.panels->anchor;
    width = std::min(width, float(app.view.width) - 16);
    const float top = std::min(anchor.y + anchor.h + 6, std::max(4.f, float(app.view.height) - height - 8));
    const float x = std::clamp(anchor.x, 8.f, std::max(8.f, float(app.view.width) - width - 8));
    ImGui::SetNextWindowPos({x, top});
    ImGui::SetNextWindowSize({width, height});
    ImGui::Begin("##menu", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                     ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoNav);
    bring_to_front();
    ui.list = ImGui::GetWindowDrawList();
    const Rect frame{x, top, width, height};
    ui.fill(frame, ui.theme.raised, 8);
    ui.outline(frame, ui.theme.edge, 8);
    return frame;
}

bool radio(Ui& ui, const std::string& name, Rect r, std::string_view label, bool chosen) {
    const Press press = ui.press(name, r);
    if (press.hovered)
        ui.fill(r, mix(ui.theme.raised, ui.theme.edge, 0.5f), 5);
    const Point c{r.x + 14, r.y + r.h / 2};
    ui.ring(c, 6, chosen ? ui.theme.work : ui.theme.text3, 1.5f);
    if (chosen)
        ui.disc(c, 3, ui.theme.work);
    ui.text({r.x + 28, c.y}, label, ui.layout.type.label, Font::medium, ui.theme.text1, Align::left,
            r.w - 34);
    if (press.focused)
        ui.outline(r, ui.theme.focus, 5, 2);
    return press.pressed;
}

void problem_line(App& app, Ui& ui, Rect frame, float y, const std::string& text) {
    (void)app;
    for (const std::string& line : ui.wrap(Font::regular, ui.layout.type.small, text, frame.w - 32)) {
        ui.text({frame.x + 16, y}, line, ui.layout.type.small, Font::regular, ui.theme.conflict_text);
        y += ui.layout.type.small * 1.3f;
    }
}

void block_menu(App& app, Ui& ui) {
    App::Panels& state = *app.panels;
    const trace::LaunchConfig now = wanted(app);
    const int beside = wanted_beside(app).block;
    const kernels::Kernel* kernel = kernels::find(now.kernel);
    static constexpr std::array<int, 9> sizes = {32, 48, 64, 96, 100, 128, 256, 512, 1024};
    const Type& type = ui.layout.type;
    const scene::Theme& theme = ui.theme;
    // Two columns: sizes that suit, and beside each the reason where one does not.
    struct Size {
        int block;
        std::string why;
    };
    std::vector<Size> list;
    for (int block : sizes) {
        const std::string why = kernel ? kernels::why_not(*kernel, block) : "";
        const bool usual = block >= 32 && (block & (block - 1)) == 0;
        if (usual || why.empty() || (kernel && !kernel->correct))
            list.push_back({block, why});
    }
    const bool clinic = kernel && !kernel->correct;
    const float row = 28;
    const std::string typed_why = [&]() -> std::string {
        if (state.block_text.empty())
            return {};
        int block = 0;
        const auto [end, error] = std::from_chars(state.block_text.data(),
                                                  state.block_text.data() + state.block_text.size(), block);
        if (error != std::errc() || end != state.block_text.data() + state.block_text.size())
            return "A block size is a whole number from 1 to 1024.";
        if (block < 1 || block > trace::max_block)
            return fmt::format("A block has 1 to {} threads.", trace::max_block);
        return kernel ? kernels::why_not(*kernel, block) : "";
    }();
    const float width = 330;
    const float reason =
        typed_why.empty()
            ? 0
            : float(ui.wrap(Font::regular, type.small, typed_why, width - 32).size()) * type.small * 1.3f;
    float wanted_height = 20 + row * float(list.size()) + 52 + reason;
    const bool grid = wanted_height > float(app.view.height) - 60;  // low window: two columns
    if (grid)
        wanted_height = 20 + row * float((list.size() + 1) / 2) + 52 + reason;
    const Rect f = begin_form(app, ui, width, wanted_height);
    float y = f.y + 8;
    int picked = 0;
    for (std::size_t i = 0; i < list.size(); ++i) {
        const Size& size = list[i];
        const bool enabled = size.why.empty() || clinic;
        const float column = grid ? (f.w - 12) / 2 : f.w - 12;
        const Rect r{f.x + 6 + (grid && i % 2 ? column : 0), y, column, row};
        if (!grid || i % 2 || i + 1 == list.size())
            y += row;
        const Press press = ui.press(fmt::format("block.{}", size.block), r, enabled);
        if (press.hovered && enabled)
            ui.fill(r, mix(theme.raised, theme.edge, 0.5f), 5);
        if (size.block == now.block || size.block == beside)
            ui.stroke(
                {{r.x + 8, r.y + row / 2}, {r.x + 11, r.y + row / 2 + 3}, {r.x + 17, r.y + row / 2 - 4}},
                theme.champion, 2);
        const float w = ui.text({r.x + 26, r.y + row / 2}, fmt::format("{}", size.block), type.label,
                                Font::mono_semibold, enabled ? theme.text1 : theme.text3);
        if (!size.why.empty() && !grid)
            ui.text({r.x + 26 + w + 10, r.y + row / 2}, clinic ? "run anyway" : size.why, type.small,
                    Font::regular, theme.text3, Align::left, r.w - w - 44, true);
        if (press.focused)
            ui.outline(r, theme.focus, 5, 2);
        if (press.pressed && enabled)
            picked = size.block;
    }
    y += 6;
    ui.text({f.x + 16, y + 15}, "other", type.label, Font::regular, theme.text2);
    const bool entered = ui.text_field("block.other", {f.x + 70, y, 90, 30}, state.block_text, "1 to 1024");
    const bool can = !state.block_text.empty() && (typed_why.empty() || clinic);
    const bool number_ok = can && typed_why.find("1 to") == std::string::npos;
    const bool run =
        ui.button("block.run", {f.x + 170, y, f.w - 186, 30},
                  !typed_why.empty() && clinic && number_ok ? "Run anyway" : "Record", false, number_ok);
    y += 36;
    if (!typed_why.empty() && !(clinic && number_ok))
        problem_line(app, ui, f, y + type.small * 0.6f, typed_why);
    ImGui::End();
    if ((entered || run) && number_ok)
        picked = std::atoi(state.block_text.c_str());
    if (picked > 0) {
        trace::LaunchConfig config = now;
        config.block = picked;
        config.values.clear();
        close_menu(app);
        choose(app, config);
    }
}

void data_menu(App& app, Ui& ui) {
    App::Panels& state = *app.panels;
    DataForm& form = state.data;
    const Type& type = ui.layout.type;
    const trace::LaunchConfig now = wanted(app);
    using Kind = DataForm::Kind;
    static constexpr std::array<std::pair<Kind, const char*>, 5> kinds = {
        {{Kind::random, "Random, from a seed"},
         {Kind::ramp, "Ramp: 0, 1, 2, ..."},
         {Kind::ones, "Ones"},
         {Kind::values, "Own values"},
         {Kind::file, "From a file"}}};
    const float row = float(app.view.height) < 420 ? 24.f : 30.f;
    const bool fields = form.kind != Kind::ramp && form.kind != Kind::ones;
    const float width = 360;
    const float problem =
        state.menu_problem.empty()
            ? 0
            : float(ui.wrap(Font::regular, type.small, state.menu_problem, width - 32).size()) * type.small *
                      1.3f +
                  6;
    const Rect f = begin_form(app, ui, width, 16 + row * 5 + (fields ? 62.f : 6.f) + problem + 44);
    float y = f.y + 8;
    for (const auto& [kind, label] : kinds) {
        static constexpr std::array<const char*, 5> names = {"data.random", "data.ramp", "data.ones",
                                                             "data.values", "data.file"};
        if (radio(ui, names[std::size_t(kind)], {f.x + 6, y, f.w - 12, row}, label, form.kind == kind)) {
            form.kind = kind;
            state.menu_problem.clear();
            // What is typed next is meant for its field.
            state.focus.name = kind == Kind::random   ? "data.seed"
                               : kind == Kind::values ? "data.typed"
                               : kind == Kind::file   ? "data.path"
                                                      : state.focus.name;
            state.focus.grab = kind != Kind::ramp && kind != Kind::ones;
        }
        y += row;
    }
    y += 6;
    bool entered = false;
    const auto labelled = [&](float x, float w, const char* label, const char* name, std::string& value) {
        ui.text({x, y + 8}, label, type.small, Font::regular, ui.theme.text2);
        entered |= ui.text_field(name, {x, y + 18, w, 30}, value);
    };
    if (form.kind == Kind::random) {
        labelled(f.x + 16, 120, "seed", "data.seed", form.seed);
        labelled(f.x + 146, 90, "from", "data.low", form.low);
        labelled(f.x + 246, 90, "to", "data.high", form.high);
    } else if (form.kind == Kind::values) {
        labelled(f.x + 16, f.w - 32, fmt::format("{} numbers, with commas", now.block).c_str(), "data.typed",
                 form.values);
    } else if (form.kind == Kind::file) {
        labelled(f.x + 16, f.w - 122, "path of a file with numbers", "data.path", form.path);
        if (ui.button("data.browse", {f.x + f.w - 98, y + 18, 82, 30}, "Browse")) {
            ImGui::End();
            open_dialog(app, int(Dialog::pick_data));
            return;
        }
    }
    y += fields ? 56 : 0;
    if (!state.menu_problem.empty()) {
        problem_line(app, ui, f, y + type.small * 0.7f, state.menu_problem);
        y += problem;
    }
    const bool record = ui.button("data.record", {f.x + 16, y, 110, 30}, "Record", true);
    ImGui::End();
    if (!record && !entered)
        return;
    trace::LaunchConfig config = now;
    config.input = spec_of(form);
    config.values.clear();
    // A sentence in the form is nearer to the mistake than a notice. A file is read in the background.
    if (form.kind != Kind::file) {
        const auto values = trace::expand_input(config.input, config.type, config.block);
        if (!values) {
            state.menu_problem = values.error().sentence;
            return;
        }
    } else if (form.path.empty()) {
        state.menu_problem = "Type the path of a file with numbers, or browse for one.";
        return;
    }
    close_menu(app);
    choose(app, config);
}

void device_menu(App& app, Ui& ui) {
    App::Panels& state = *app.panels;
    const Type& type = ui.layout.type;
    const scene::Theme& theme = ui.theme;
    const trace::Origin& origin = app.shown.trace.origin;
    std::vector<std::string> lines;
    const float width = 360, inner = width - 32;
    const auto say = [&](const std::string& text) {
        for (std::string& line : ui.wrap(Font::regular, type.small, text, inner))
            lines.push_back(std::move(line));
    };
    if (app.view.compare)
        for (const auto& side : app.compared->sides)
            say(fmt::format("{}: {}", side == app.compared->sides[0] ? "Left" : "Right",
                            side->trace.origin.kind == trace::Origin::Kind::gpu
                                ? fmt::format("recorded on {}, {}.", side->trace.origin.device,
                                              side->trace.date.substr(0, 10))
                                : "simulated on the CPU."));
    else if (origin.kind == trace::Origin::Kind::gpu)
        say(fmt::format("Shown: recorded on {} (compute capability {}.{}, driver {}, CUDA {}){}.",
                        origin.device, origin.compute_major, origin.compute_minor, origin.driver, origin.cuda,
                        app.shown.trace.date.empty() ? "" : " on " + app.shown.trace.date.substr(0, 10)));
    else
        say("Shown: simulated on the CPU.");
    if (!state.gpu)
        say("Looking for a GPU here.");
    else if (state.gpu->available)
        say(fmt::format("Here: {}, driver {}.", state.gpu->name, state.gpu->driver));
    else
        say(state.gpu->reason + " What was recorded on one is shown as recorded, all else is simulated.");
    const float row = 30;
    const Rect f =
        begin_form(app, ui, width, 8 + row * 3 + 8 + float(lines.size()) * type.small * 1.35f + 52);
    float y = f.y + 8;
    struct Choice {
        launch::Device device;
        const char* name;
        const char* label;
    };
    static constexpr std::array<Choice, 3> choices = {
        {{launch::Device::automatic, "device.auto", "The GPU where there is one"},
         {launch::Device::gpu, "device.gpu", "The GPU"},
         {launch::Device::cpu, "device.cpu", "Simulated on the CPU"}}};
    for (const Choice& choice : choices) {
        if (radio(ui, choice.name, {f.x + 6, y, f.w - 12, row}, choice.label, state.device == choice.device))
            state.device = choice.device;
        y += row;
    }
    y += 8 + type.small * 0.7f;
    for (const std::string& line : lines) {
        ui.text({f.x + 16, y}, line, type.small, Font::regular, theme.text2);
        y += type.small * 1.35f;
    }
    const bool again = ui.button("device.record", {f.x + 16, y, 130, 30}, "Record again", true);
    const bool speed = ui.button("device.speed", {f.x + 156, y, 176, 30}, "How fast on this GPU");
    ImGui::End();
    if (speed)
        return open_dialog(app, int(Dialog::speed));
    if (again) {
        trace::LaunchConfig config = wanted(app);
        close_menu(app);
        record(app, config);
    }
}

void more_menu(App& app, Ui& ui) {
    const CommonTexts now = common_texts(wanted(app), wanted_beside(app));
    const std::vector<Item> list = {{"more.op", "op: " + now.op, ""},
                                    {"more.type", "type: " + now.type, ""},
                                    {"more.block", "block: " + now.block, ""},
                                    {"more.data", "data: " + now.data, ""}};
    static constexpr std::array<Menu, 4> next = {Menu::op, Menu::type, Menu::block, Menu::data};
    const int pressed = items(app, ui, list, app.panels->anchor, app.view.compare ? 300 : 200);
    if (pressed >= 0)
        open_menu(app, int(next[std::size_t(pressed)]), app.panels->anchor, app.panels->focus_before);
}

}  // namespace

DataForm form_of(const std::string& spec) {
    DataForm form;
    const auto after = [&](const char* prefix) { return spec.substr(std::string_view(prefix).size()); };
    if (spec == "ramp") {
        form.kind = DataForm::Kind::ramp;
    } else if (spec == "ones") {
        form.kind = DataForm::Kind::ones;
    } else if (spec.starts_with("values:")) {
        form.kind = DataForm::Kind::values;
        form.values = after("values:");
    } else if (spec.starts_with("file:")) {
        form.kind = DataForm::Kind::file;
        form.path = after("file:");
    } else if (spec.starts_with("random:")) {
        const std::string rest = after("random:");
        const std::size_t first = rest.find(':');
        form.seed = rest.substr(0, first);
        if (first != std::string::npos) {
            const std::size_t second = rest.find(':', first + 1);
            form.low = rest.substr(first + 1, second == std::string::npos ? second : second - first - 1);
            if (second != std::string::npos)
                form.high = rest.substr(second + 1);
        }
    }
    return form;
}

std::string spec_of(const DataForm& form) {
    switch (form.kind) {
        case DataForm::Kind::random:
            return fmt::format("random:{}:{}:{}", form.seed, form.low, form.high);
        case DataForm::Kind::ramp:
            return "ramp";
        case DataForm::Kind::ones:
            return "ones";
        case DataForm::Kind::values:
            return "values:" + form.values;
        case DataForm::Kind::file:
            return "file:" + form.path;
    }
    return {};
}

std::string short_name(const std::string& spec) {
    const DataForm form = form_of(spec);
    switch (form.kind) {
        case DataForm::Kind::random:
            return form.low.starts_with('-')
                       ? fmt::format("{} to {}, seed {}", form.low, form.high, form.seed)
                       : fmt::format("{}–{}, seed {}", form.low, form.high, form.seed);
        case DataForm::Kind::ramp:
            return "ramp";
        case DataForm::Kind::ones:
            return "ones";
        case DataForm::Kind::values:
            return "own values";
        case DataForm::Kind::file: {
            const std::string name = form.path.substr(form.path.find_last_of('/') + 1);
            return name.size() > 18 ? name.substr(0, 17) + "…" : name;
        }
    }
    return {};
}

void menus(App& app, Ui& ui) {
    App::Panels& state = *app.panels;
    switch (state.menu) {
        case Menu::none:
            return;
        case Menu::kernel:
            return kernel_menu(app, ui);
        case Menu::op:
            return choice_menu<trace::Op, 3>(
                app, ui, "op", {trace::Op::max, trace::Op::min, trace::Op::sum},
                {"the highest score wins", "the lowest score wins", "all scores added up"},
                &trace::LaunchConfig::op);
        case Menu::type:
            return choice_menu<trace::Type, 2>(
                app, ui, "type", {trace::Type::f32, trace::Type::i32},
                {"32 bits, with NaN and signed zeros", "32 bits; a sum may wrap"},
                &trace::LaunchConfig::type);
        case Menu::block:
            return block_menu(app, ui);
        case Menu::data:
            return data_menu(app, ui);
        case Menu::device:
            return device_menu(app, ui);
        case Menu::more:
            return more_menu(app, ui);
        case Menu::pair:
        case Menu::side:
            return compare_menus(app, ui);
    }
}

}  // namespace auditorium::panels
