// Logo, the chips that choose the launch, the device, and the buttons. What does not fit gives way in
// the order of `levels`: first the words before the chips, at last everything goes into one menu.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "app/panels/bar.h"
#include "app/panels/compare_view.h"
#include "app/panels/marks.h"
#include "app/panels/panels.h"
#include "app/panels/state.h"
#include "kernels/catalogue.h"

namespace auditorium::panels {
namespace {

struct Chip {
    Menu menu{};
    const char* label;
    const char* name;
    std::string text;
    bool wrong = false;  // the kernel is not right for what it says
};

struct Fit {
    bool labels = true;
    bool date = true;
    bool device_text = true;
    bool title = true;
    bool icons = false;   // the buttons as icons
    bool merged = false;  // op, type, block, data in one chip
    bool no_logo = false;
};

std::string device_text(const App& app, const Fit& fit) {
    const App::Panels& state = *app.panels;
    if (state.work.busy())
        return state.work.what();
    const trace::Origin& origin = app.shown.trace.origin;
    if (!fit.device_text)
        return origin.kind == trace::Origin::Kind::gpu ? "GPU" : "CPU";
    if (origin.kind == trace::Origin::Kind::simulated)
        return "simulated on CPU";
    std::string device = origin.device;
    if (!fit.date && device.starts_with("NVIDIA "))
        device = device.substr(7);
    const std::string day = app.shown.trace.date.substr(0, 10);
    return fit.date && !day.empty() ? fmt::format("{} · recorded {}", device, day) : device + " · recorded";
}

std::vector<Chip> chips_of(const App& app, bool merged) {
    const trace::LaunchConfig config = wanted(app);
    const kernels::Kernel* kernel = kernels::find(config.kernel);
    const bool wrong = kernel && !kernels::why_not(*kernel, config.block).empty();
    const std::string title = kernel ? std::string(kernel->title) : config.kernel;
    std::vector<Chip> chips{{Menu::kernel, "kernel", "chip.kernel", title}};
    if (merged) {
        chips.push_back(
            {Menu::more, "", "chip.more",
             fmt::format("{} {} · {}", trace::name_of(config.op), trace::name_of(config.type), config.block),
             wrong});
        return chips;
    }
    chips.push_back({Menu::op, "op", "chip.op", trace::name_of(config.op)});
    chips.push_back({Menu::type, "type", "chip.type", trace::name_of(config.type)});
    chips.push_back({Menu::block, "block", "chip.block", fmt::format("{}", config.block), wrong});
    chips.push_back({Menu::data, "data", "chip.data", short_name(config.input)});
    return chips;
}

constexpr float chip_gap = 14, mark_width = 19;

float chip_width(const Ui& ui, const Chip& chip) {
    return ui.width(Font::medium, ui.layout.type.label, chip.text) + 10 + 24 + (chip.wrong ? mark_width : 0);
}

}  // namespace

void chevron(Ui& ui, Point at, Color color) {
    ui.stroke({{at.x - 3.5f, at.y - 2}, {at.x, at.y + 2}, {at.x + 3.5f, at.y - 2}}, color, 1.3f);
}

void device_chip(App& app, Ui& ui, Rect r, const std::string& words, float width, bool may_be_cut,
                 Recorded recorded) {
    App::Panels& state = *app.panels;
    const scene::Theme& theme = ui.theme;
    const float x = r.x, middle = r.y + r.h / 2;
    const Press press = ui.press("chip.device", r);
    if (width <= 0)
        ui.says(press, r,
                recorded == Recorded::both      ? "Recorded on a GPU"
                : recorded == Recorded::neither ? "Simulated on the CPU"
                                                : "One side recorded, one simulated");
    if (press.hovered || state.menu == Menu::device)
        ui.fill(r, theme.raised, 6);
    if (state.work.busy()) {
        for (int i = 0; i < 3; ++i)
            ui.disc({x + 6 + float(i) * 4.5f, middle}, 1.5f, theme.rope);
    } else if (recorded == Recorded::both) {
        ui.disc({x + 11, middle}, 4, theme.champion);
    } else if (recorded == Recorded::neither) {
        ui.ring({x + 11, middle}, 3.7f, theme.text2, 1.5f);
    } else {
        const bool left = recorded == Recorded::left;
        ui.disc({left ? x + 6 : x + 15, middle}, 3.6f, theme.champion);
        ui.ring({left ? x + 15 : x + 6, middle}, 3.3f, theme.text2, 1.4f);
    }
    if (width > 0)
        ui.text({x + 22, middle}, words, ui.layout.type.label, Font::regular, theme.text2, Align::left,
                width + 1, may_be_cut);
    chevron(ui, {r.x + r.w - 12, middle}, theme.text3);
    if (press.focused)
        ui.focus_ring(r, 6);
    if (press.pressed)
        state.menu == Menu::device ? close_menu(app) : open_menu(app, int(Menu::device), r, "chip.device");
}

void logo(Ui& ui, Point at) {
    // A lit board and three rows of seats.
    ui.fill({at.x, at.y - 11, 26, 6}, ui.theme.text1, 2);
    const std::array<std::array<float, 3>, 5> seats = {
        {{2, -1, 0}, {7.5f, 1.2f, 0}, {13, 2, 0}, {18.5f, 1.2f, 0}, {24, -1, 0}}};
    for (const auto& seat : seats) {
        ui.disc({at.x + seat[0], at.y + seat[1]}, 1.9f, ui.theme.work);
        ui.disc({at.x + 13 + (seat[0] - 13) * 1.08f, at.y + 6 + seat[1]}, 1.9f,
                mix(ui.theme.panel, ui.theme.work, .6f));
    }
}

namespace {

constexpr std::array<BarAction, 5> actions = {{{"open", "Open", "Open a trace (Ctrl + O)"},
                                               {"save", "Save", "Save this trace (Ctrl + S)"},
                                               {"compare", "Compare", "Two runs side by side (C)"},
                                               {"present", "Present", "Presenter mode (P)"},
                                               {"help", "?", "All keys (?)"}}};

float total_width(const App& app, const Ui& ui, const Fit& fit) {
    const Type& type = ui.layout.type;
    float x = ui.layout.gutter;
    if (!fit.no_logo)
        x += 26 + 10;
    if (fit.title)
        x += ui.width(Font::semibold, type.display * 0.86f, "Auditorium");
    x += 10;
    for (const Chip& chip : chips_of(app, fit.merged)) {
        x += chip_gap;
        if (fit.labels && *chip.label)
            x += ui.width(Font::regular, type.label, chip.label) + label_gap;
        x += chip_width(ui, chip);
    }
    x += chip_gap + 8 + 14 + ui.width(Font::regular, type.label, device_text(app, fit)) + 24;
    for (const BarAction& action : actions)
        x += 8 + action_width(ui, action, fit.icons);
    return x + ui.layout.gutter;
}

Fit fit_of(const App& app, const Ui& ui) {
    constexpr std::array<Fit, 8> levels = {{
        {},
        {.labels = false},
        {.labels = false, .date = false},
        {.labels = false, .date = false, .icons = true},
        {.labels = false, .date = false, .title = false, .icons = true},
        {.labels = false, .date = false, .device_text = false, .title = false, .icons = true},
        {.labels = false, .date = false, .device_text = false, .title = false, .icons = true, .merged = true},
        {.labels = false,
         .date = false,
         .device_text = false,
         .title = false,
         .icons = true,
         .merged = true,
         .no_logo = true},
    }};
    for (Fit fit : levels) {
        fit.date &= ui.layout.device_date;
        if (total_width(app, ui, fit) <= ui.layout.top.w)
            return fit;
    }
    return levels.back();
}

}  // namespace

void top_bar(App& app, Ui& ui) {
    App::Panels& state = *app.panels;
    const scene::Theme& theme = ui.theme;
    const Type& type = ui.layout.type;
    const Rect bar = ui.layout.top;
    ui.line({bar.x, bar.y + bar.h}, {bar.x + bar.w, bar.y + bar.h}, theme.hairline);
    const float middle = bar.y + bar.h / 2;
    const Fit fit = fit_of(app, ui);

    float right = bar.w - ui.layout.gutter;
    for (std::size_t i = actions.size(); i-- > 0;)
        right -= action_width(ui, actions[i], fit.icons) + 8;

    float x = ui.layout.gutter;
    if (!fit.no_logo) {
        logo(ui, {x, middle});
        x += 36;
    }
    if (fit.title)
        x += ui.text({x, middle}, "Auditorium", type.display * 0.86f, Font::semibold, theme.text1);
    x += 10;

    const float height = bar.h - 22 + (bar.h < 44 ? 6 : 0);
    for (const Chip& chip : chips_of(app, fit.merged)) {
        x += chip_gap;
        if (fit.labels && *chip.label)
            x += ui.text({x, middle}, chip.label, type.label, Font::regular, theme.text2) + label_gap;
        float width = chip_width(ui, chip);
        if (fit.no_logo)
            width = std::min(width, std::max(60.f, (right - x - 80) * 0.6f));
        const Rect r{x, middle - height / 2, width, height};
        const Press press = ui.press(chip.name, r);
        const bool open = state.menu == chip.menu;
        ui.fill(r, press.hovered || open ? mix(theme.raised, theme.edge, 0.5f) : theme.raised, 6);
        const float mark = chip.wrong ? mark_width : 0;
        if (chip.wrong) {
            warning(ui, {x + 16, middle}, 13, theme.hazard);
            ui.mark("wrong size", {x + 9, middle - 7, 14, 14});
        }
        ui.text({x + 10 + mark, middle}, chip.text, type.label, Font::medium, theme.text1, Align::left,
                width - 34 - mark, fit.no_logo);
        chevron(ui, {x + width - 13, middle}, theme.text2);
        if (press.focused)
            ui.focus_ring(r, 6);
        if (press.pressed)
            open ? close_menu(app) : open_menu(app, int(chip.menu), r, chip.name);
        x += width;
    }

    // The device: a filled disc was recorded, a hollow ring was not.
    x += chip_gap;
    const std::string device = device_text(app, fit);
    const float text_width =
        std::min(ui.width(Font::regular, type.label, device), std::max(10.f, right - x - 46));
    const Rect r{x, middle - height / 2, 8 + 14 + text_width + 24, height};
    const bool gpu = app.shown.trace.origin.kind == trace::Origin::Kind::gpu;
    device_chip(app, ui, r, device, text_width, state.work.busy(), gpu ? Recorded::both : Recorded::neither);

    float at = right + 8;
    for (const BarAction& action : actions) {
        const float width = action_width(ui, action, fit.icons);
        const Rect button{at, middle - height / 2 - 1, width, height + 2};
        if (action_button(ui, action, button, fit.icons)) {
            const std::string name = action.name;
            if (name == "open")
                open_dialog(app, int(Dialog::open));
            else if (name == "save")
                open_dialog(app, int(Dialog::save));
            else if (name == "compare")
                set_compare(app, true);
            else if (name == "present")
                set_presenter(app, true);
            else
                open_dialog(app, int(Dialog::keys));
        }
        at += width + 8;
    }
}

}  // namespace auditorium::panels
