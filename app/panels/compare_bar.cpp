// The compare view's top bar: pairs worth a look, the two sides, what both do, and the way back. What does
// not fit gives way: first the words before the chips, then the device's words, then the common chips become
// one.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "app/panels/bar.h"
#include "app/panels/compare_view.h"
#include "app/panels/compare_words.h"
#include "app/panels/panels.h"
#include "app/panels/state.h"
#include "kernels/catalogue.h"

namespace auditorium::panels {
namespace {

struct SideChip {
    Menu menu{};
    int side = -1;
    const char* label;
    const char* name;
    std::string text;
};

struct SideFit {
    bool labels = true;  // before all chips; else before the two sides, unless there is no room for those
    bool device = true;
    bool title = true;
    bool merged = false;
    bool few = false;  // merged, and says no more than what differs
    bool side_labels = true;
    bool icons = false;  // in place of Ledger, Compare, Present
};

std::string side_text(const App& app, int side) {
    const SideSource& source = app.panels->compare.wanted[std::size_t(side)];
    if (!source.path.empty())
        return source.path.substr(source.path.find_last_of('/') + 1);
    const kernels::Kernel* kernel = kernels::find(source.config.kernel);
    std::string text = kernel ? std::string(kernel->title) : source.config.kernel;
    if (app.panels->compare.wanted[0].config.schedule != app.panels->compare.wanted[1].config.schedule)
        text += ", " + trace::name_of(source.config.schedule);
    return text;
}

std::vector<SideChip> chips_of(const App& app, const SideFit& fit) {
    const std::array<SideSource, 2>& wanted = app.panels->compare.wanted;
    const CommonTexts common = common_texts(wanted[0].config, wanted[1].config);
    std::vector<SideChip> chips = {{Menu::pair, -1, "", "chip.pair", "Pairs"},
                                   {Menu::side, 0, "left", "chip.left", side_text(app, 0)},
                                   {Menu::side, 1, "right", "chip.right", side_text(app, 1)}};
    if (fit.merged) {
        // What differs is in the menu, word for word; here at least that it does.
        const bool other_data = wanted[0].config.input != wanted[1].config.input;
        std::string text = fmt::format("{} {} · {}{}", common.op, common.type, common.block,
                                       other_data ? " · two data" : "");
        if (fit.few)
            text = wanted[0].config.block != wanted[1].config.block ? common.block
                   : wanted[0].config.op != wanted[1].config.op     ? common.op
                   : wanted[0].config.type != wanted[1].config.type ? common.type
                                                                    : common.block;
        chips.push_back({Menu::more, -1, "", "chip.more", text});
        return chips;
    }
    chips.push_back({Menu::op, -1, "op", "chip.op", common.op});
    chips.push_back({Menu::type, -1, "type", "chip.type", common.type});
    chips.push_back({Menu::block, -1, "block", "chip.block", common.block});
    chips.push_back({Menu::data, -1, "data", "chip.data", common.data});
    return chips;
}

Recorded recorded(const App& app) {
    const bool l = app.compared->sides[0]->trace.origin.kind == trace::Origin::Kind::gpu;
    const bool r = app.compared->sides[1]->trace.origin.kind == trace::Origin::Kind::gpu;
    return l && r ? Recorded::both : l ? Recorded::left : r ? Recorded::right : Recorded::neither;
}

std::string device_text(const App& app, const Ui& ui, const SideFit& fit) {
    if (app.panels->work.busy())
        return app.panels->work.what();
    if (!fit.device)
        return "";
    const trace::Trace& left = app.compared->sides[0]->trace;
    switch (recorded(app)) {
        case Recorded::neither:
            return "simulated on CPU";
        case Recorded::left:
            return "left recorded, right simulated";
        case Recorded::right:
            return "left simulated, right recorded";
        case Recorded::both:
            break;
    }
    if (left.origin.device != app.compared->sides[1]->trace.origin.device)
        return "recorded on two GPUs";
    std::string device = left.origin.device;
    if (device.starts_with("NVIDIA "))
        device = device.substr(7);
    const std::string day = left.date.substr(0, 10);
    return ui.layout.device_date && !day.empty() ? fmt::format("{} · recorded {}", device, day)
                                                 : device + " · recorded";
}

bool labelled(const SideFit& fit, const SideChip& chip) {
    return *chip.label && (chip.side >= 0 ? fit.side_labels : fit.labels);
}

constexpr float side_gap = 12;

float chip_width(const Ui& ui, const std::string& text, float most) {
    return std::min(most, ui.width(Font::medium, ui.layout.type.label, text) + 34);
}

constexpr std::array<BarAction, 4> side_actions = {{{"ledger", "Ledger", "All runs so far (J)"},
                                                    {"compare", "Compare", "Back to one run (C)", true},
                                                    {"present", "Present", "Presenter mode (P)"},
                                                    {"help", "?", "All keys (?)"}}};

float total_width(const App& app, const Ui& ui, const SideFit& fit, float most) {
    const Type& type = ui.layout.type;
    float x = ui.layout.gutter + 36;
    if (fit.title)
        x += ui.width(Font::semibold, type.display * 0.86f, "Auditorium") + 8;
    for (const SideChip& chip : chips_of(app, fit)) {
        x += side_gap;
        if (labelled(fit, chip))
            x += ui.width(Font::regular, type.label, chip.label) + label_gap;
        x += chip_width(ui, chip.text, chip.side >= 0 ? most : 400);
    }
    const std::string device = device_text(app, ui, fit);
    x += side_gap + 22 + (device.empty() ? 0 : ui.width(Font::regular, type.label, device)) + 24;
    for (const BarAction& action : side_actions)
        x += 8 + action_width(ui, action, fit.icons);
    return x + ui.layout.gutter;
}

}  // namespace

CommonTexts common_texts(const trace::LaunchConfig& left, const trace::LaunchConfig& right) {
    std::string data = short_name(right.input);
    if (left.input != right.input && data == short_name(left.input))
        data = "others";  // two lists of values have one name
    return {both_texts(trace::name_of(left.op), trace::name_of(right.op)),
            both_texts(trace::name_of(left.type), trace::name_of(right.type)),
            both_texts(fmt::format("{}", left.block), fmt::format("{}", right.block)),
            both_texts(short_name(left.input), data)};
}

void compare_bar(App& app, Ui& ui) {
    App::Panels& state = *app.panels;
    const scene::Theme& theme = ui.theme;
    const Type& type = ui.layout.type;
    const Rect bar = ui.layout.top;
    ui.line({bar.x, bar.y + bar.h}, {bar.x + bar.w, bar.y + bar.h}, theme.hairline);
    const float middle = bar.y + bar.h / 2;
    static constexpr std::array<SideFit, 8> levels = {
        {{},
         {.labels = false},
         {.labels = false, .side_labels = false},
         {.labels = false, .side_labels = false, .icons = true},
         {.labels = false, .device = false, .side_labels = false, .icons = true},
         {.labels = false, .device = false, .title = false, .side_labels = false, .icons = true},
         {.labels = false,
          .device = false,
          .title = false,
          .merged = true,
          .side_labels = false,
          .icons = true},
         {.labels = false,
          .device = false,
          .title = false,
          .merged = true,
          .few = true,
          .side_labels = false,
          .icons = true}}};
    SideFit fit = levels.back();
    float most = 400;
    bool found = false;
    for (const SideFit& level : levels) {
        if (total_width(app, ui, level, 400) <= bar.w) {
            fit = level;
            found = true;
            break;
        }
    }
    while (!found && most > 60 && total_width(app, ui, fit, most) > bar.w)
        most -= 4;

    float x = ui.layout.gutter;
    logo(ui, {x, middle});
    x += 36;
    if (fit.title)
        x += ui.text({x, middle}, "Auditorium", type.display * 0.86f, Font::semibold, theme.text1) + 8;
    const float height = bar.h - 22 + (bar.h < 44 ? 6 : 0);
    std::vector<SideChip> chips = chips_of(app, fit);
    // Two sides that both read "co…" say nothing.
    const auto& wanted = state.compare.wanted;
    const std::array<std::string, 2> shorter = names_apart(
        {chips[1].text, chips[2].text},
        {fmt::format("{}", wanted[0].config.block), fmt::format("{}", wanted[1].config.block)}, most - 33,
        [&](const std::string& text) { return ui.width(Font::medium, type.label, text); });
    std::array<std::string, 2> whole;  // of a name that is shortened
    for (std::size_t s = 0; s < 2; ++s)
        if (chips[1 + s].text != shorter[s]) {
            whole[s] = std::exchange(chips[1 + s].text, shorter[s]);
            if (wanted[0].config.block != wanted[1].config.block)
                whole[s] += fmt::format(", {} threads", wanted[s].config.block);
        }
    for (const SideChip& chip : chips) {
        x += side_gap;
        if (labelled(fit, chip))
            x += ui.text({x, middle}, chip.label, type.label, Font::regular, theme.text2) + label_gap;
        const float width = chip_width(ui, chip.text, chip.side >= 0 ? most : 400);
        const Rect r{x, middle - height / 2, width, height};
        const Press press = ui.press(chip.name, r);
        if (chip.side >= 0 && !whole[std::size_t(chip.side)].empty())
            ui.says(press, r, whole[std::size_t(chip.side)]);
        const bool open = state.menu == chip.menu && (chip.side < 0 || state.compare.side == chip.side);
        ui.fill(r, press.hovered || open ? mix(theme.raised, theme.edge, 0.5f) : theme.raised, 6);
        ui.text({x + 10, middle}, chip.text, type.label, Font::medium, theme.text1, Align::left, width - 33,
                chip.side >= 0);
        chevron(ui, {x + width - 13, middle}, theme.text2);
        if (press.focused)
            ui.focus_ring(r, 6);
        if (press.pressed) {
            if (open) {
                close_menu(app);
            } else {
                if (chip.side >= 0)
                    state.compare.side = chip.side;
                open_menu(app, int(chip.menu), r, chip.name);
            }
        }
        x += width;
    }

    // The devices: a filled disc was recorded, a hollow ring was not; of a mixed pair one of each.
    x += side_gap;
    float right = bar.w - ui.layout.gutter;
    for (const BarAction& action : side_actions)
        right -= action_width(ui, action, fit.icons) + 8;
    const std::string device = device_text(app, ui, fit);
    const float words = std::min(ui.width(Font::regular, type.label, device), std::max(0.f, right - x - 46));
    const Rect r{x, middle - height / 2, 22 + words + 24, height};
    device_chip(app, ui, r, device, words > 30 ? words : 0, true, recorded(app));

    float at = right + 8;
    for (const BarAction& action : side_actions) {
        const float width = action_width(ui, action, fit.icons);
        const Rect button{at, middle - height / 2 - 1, width, height + 2};
        if (action_button(ui, action, button, fit.icons)) {
            const std::string name = action.name;
            if (name == "compare")
                set_compare(app, false);
            else if (name == "ledger")
                open_dialog(app, int(Dialog::ledger));
            else if (name == "present")
                set_presenter(app, true);
            else
                open_dialog(app, int(Dialog::keys));
        }
        at += width + 8;
    }
}

}  // namespace auditorium::panels
