// The compare view's own menus: pairs worth a look, and what stands on one side.
#include <fmt/format.h>

#include <array>
#include <optional>

#include "app/panels/compare_view.h"
#include "app/panels/menu_items.h"
#include "app/panels/panels.h"
#include "app/panels/state.h"
#include "kernels/catalogue.h"

namespace auditorium::panels {
namespace {

void pair_menu(App& app, Ui& ui) {
    std::vector<Item> list;
    for (const compare::Preset& preset : compare::presets())
        list.push_back({fmt::format("pair.{}", preset.id), preset.title, preset.what});
    const int pressed = items(app, ui, list, app.panels->anchor, 330);
    if (pressed < 0)
        return;
    close_menu(app);
    compare_preset(app, compare::presets()[std::size_t(pressed)]);
}

void side_menu(App& app, Ui& ui) {
    App::Panels& state = *app.panels;
    const int side = state.compare.side;
    const SideSource& source = state.compare.wanted[std::size_t(side)];
    const trace::LaunchConfig& now = source.config;
    const bool file = !source.path.empty();
    const kernels::Kernel* current = kernels::find(now.kernel);

    struct Choice {
        enum class Kind { none, open, shown, alone, swap, config } kind = Kind::none;
        trace::LaunchConfig config = {};
    };
    std::vector<Item> list;
    std::vector<Choice> choices;
    const auto add = [&](Item item, Choice choice) {
        list.push_back(std::move(item));
        choices.push_back(std::move(choice));
    };
    const auto heading = [&](const char* text) { add({"", text, "", false, false, true}, {}); };
    add({"side.open", "Open a file", ""}, {Choice::Kind::open});
    add({"side.shown", "Take the run of the single view",
         fmt::format("{}, {} threads", run_title(app.shown.trace), app.shown.trace.config.block)},
        {Choice::Kind::shown});
    add({"side.alone", "Show this side alone", "with its code, its result and Save"}, {Choice::Kind::alone});
    add({"side.swap", "Change sides", ""}, {Choice::Kind::swap});
    heading("Kernel");
    bool clinic = false;
    for (const kernels::Kernel& kernel : kernels::all()) {
        if (!kernel.correct && !clinic) {
            clinic = true;
            heading("The clinic: wrong on purpose");
        }
        Choice choice{Choice::Kind::config, now};
        choice.config.kernel = kernel.id;
        choice.config.calls = kernel.calls;
        if (kernel.id != now.kernel)
            choice.config.block = block_for(kernel, now.block);
        const bool other = choice.config.block != now.block;
        add({fmt::format("side.kernel.{}", kernel.id), std::string(kernel.title),
             other ? fmt::format("at {} threads", choice.config.block) : "",
             !file && kernel.id == now.kernel},
            choice);
    }
    if (current) {
        heading("Threads of this side");
        static constexpr std::array<int, 9> sizes = {32, 48, 64, 96, 100, 128, 256, 512, 1024};
        for (int block : sizes) {
            if (current->correct && !kernels::why_not(*current, block).empty())
                continue;
            Choice choice{Choice::Kind::config, now};
            choice.config.block = block;
            add({fmt::format("side.block.{}", block), fmt::format("{}", block), "",
                 !file && block == now.block},
                choice);
        }
        heading("Turns; any but lockstep are simulated");
        using Kind = trace::Schedule::Kind;
        static constexpr std::array<trace::Schedule, 6> schedules = {{{Kind::lockstep, 0},
                                                                      {Kind::seeded, 1},
                                                                      {Kind::seeded, 7},
                                                                      {Kind::seeded, 42},
                                                                      {Kind::independent, 1},
                                                                      {Kind::independent, 7}}};
        for (const trace::Schedule& schedule : schedules) {
            Choice choice{Choice::Kind::config, now};
            choice.config.schedule = schedule;
            const std::string name = trace::name_of(schedule);
            add({"side.schedule." + name,
                 schedule.kind == Kind::lockstep ? "Lockstep"
                 : schedule.kind == Kind::seeded ? fmt::format("Warps by seed {}", schedule.seed)
                                                 : fmt::format("Lanes drift too, seed {}", schedule.seed),
                 "", !file && schedule == now.schedule},
                choice);
        }
    }
    const int pressed = items(app, ui, list, state.anchor, 300);
    if (pressed < 0)
        return;
    const Choice& choice = choices[std::size_t(pressed)];
    std::array<SideSource, 2> sources = state.compare.wanted;
    close_menu(app);
    switch (choice.kind) {
        case Choice::Kind::none:
            return;
        case Choice::Kind::open:
            return open_dialog(app, int(Dialog::open));
        case Choice::Kind::shown:
            return compare_shown(app, side);
        case Choice::Kind::alone:
            return show_alone(app, side);
        case Choice::Kind::swap:
            return compare_with(app, {sources[1], sources[0]});
        case Choice::Kind::config:
            sources[std::size_t(side)] = {choice.config, ""};
            sources[std::size_t(side)].config.values.clear();
            return compare_with(app, sources);
    }
}

}  // namespace

void compare_menus(App& app, Ui& ui) {
    if (app.panels->menu == Menu::pair)
        pair_menu(app, ui);
    else
        side_menu(app, ui);
}

}  // namespace auditorium::panels
