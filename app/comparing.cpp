#include "app/comparing.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "app/app.h"
#include "app/compare/recordings.h"
#include "app/panels/panels.h"
#include "app/panels/state.h"
#include "trace/io.h"

namespace auditorium {
namespace {

using Sides = std::array<std::shared_ptr<const Shown>, 2>;

std::shared_ptr<const Compared> make_compared(Sides sides, std::array<SideSource, 2> sources) {
    auto made = std::make_shared<Compared>();
    const Shown &left = *sides[0], &right = *sides[1];
    made->tallies = {compare::tallies_of(side_of(left)), compare::tallies_of(side_of(right))};
    made->scores = compare::scoreboard(side_of(left), side_of(right));
    made->difference =
        analysis::difference_of({left.trace, left.analysis}, {right.trace, right.analysis}, "left", "right");
    made->trees = {analysis::tree_of(left.trace, 0, 3), analysis::tree_of(right.trace, 0, 3)};
    made->id = left.id * 0x9e3779b97f4a7c15u + right.id;
    made->sides = std::move(sides);
    made->sources = std::move(sources);
    return made;
}

void remake_pair(App& app) {
    const Compared& compared = *app.compared;
    app.pair =
        playback::make_pair(app.view.pair_mode, side_of(*compared.sides[0]), side_of(*compared.sides[1]));
    app.view.racing = app.pair.mode == playback::PairMode::race;
}

// Each of the two views has a time of its own; speed and loop are common.
void swap_playback(App& app) {
    playback::Playback other = app.put_away;
    other.playing = false;
    other.stop_at = -1;
    other.speed = app.playback.speed;
    other.loop = app.playback.loop;
    app.put_away = app.playback;
    app.playback = other;
    app.view.manual_camera.reset();
    // And things of its own that are asked about.
    panels::CompareState& compare = app.panels->compare;
    std::swap(app.view.pin, compare.away_pin);
    std::swap(app.view.selected, compare.away_selected);
    app.view.hovered.reset();
    app.view.marked_lines.clear();
}

// A thing that its side no longer has is asked about no more.
void forget_what_is_gone(App& app) {
    View& view = app.view;
    const auto check = [&](std::optional<inspector::Thing>& thing, int side) {
        const Shown& shown = *app.compared->sides[std::size_t(side)];
        if (thing && !inspector::exists(*thing, shown.trace, int(shown.analysis.findings.size())))
            thing.reset();
    };
    check(view.pin, view.pin_side);
    check(view.hovered, view.hovered_side);
    check(view.selected, view.selected_side);
}

void open_view(App& app, bool on) {
    if (app.view.compare == on)
        return;
    panels::close_menu(app);
    app.panels->focus.name.clear();
    if (!on) {  // what is still being made for this view would open it again
        app.panels->work.cancel();
        app.panels->compare.wanted = app.compared->sources;
    }
    app.view.compare = on;
    swap_playback(app);
    if (!on)  // the sides may have had larger blocks
        app.view.followed = std::clamp(app.view.followed, 0, std::max(0, app.shown.trace.config.block - 1));
}

void put(App& app, std::shared_ptr<const Compared> compared) {
    app.compared = std::move(compared);
    for (const auto& side : app.compared->sides)
        note_run(app, *side);
    app.panels->compare.wanted = app.compared->sources;
    remake_pair(app);
    open_view(app, true);
    forget_what_is_gone(app);
    app.playback.time = 0;
    app.playback.playing = false;
    app.playback.stop_at = -1;
    app.view.manual_camera.reset();
}

}  // namespace

playback::Side side_of(const Shown& shown) {
    return {shown.trace, shown.analysis, shown.timeline};
}

void compare_traces(App& app, trace::Trace left, trace::Trace right) {
    const std::array<SideSource, 2> sources = {SideSource{left.config, ""}, SideSource{right.config, ""}};
    Sides sides = {std::make_shared<const Shown>(make_shown(std::move(left), "")),
                   std::make_shared<const Shown>(make_shown(std::move(right), ""))};
    put(app, make_compared(std::move(sides), sources));
}

void compare_with(App& app, const std::array<SideSource, 2>& sources, bool again) {
    App::Panels& state = *app.panels;
    state.compare.wanted = sources;
    state.work.ask("recording",
                   [sources, again, now = app.compared,
                    device = state.device](const Background::Cancelled& cancelled) -> Background::Outcome {
                       Sides sides;
                       std::array<SideSource, 2> made = sources;
                       for (std::size_t s = 0; s < 2; ++s) {
                           // What is shown already, on either side, is not made again.
                           for (std::size_t k : {s, 1 - s})
                               if (now && !again && !sides[s] && now->sources[k] == sources[s])
                                   sides[s] = now->sides[k];
                           if (sides[s])
                               continue;
                           Expected<trace::Trace> trace =
                               sources[s].path.empty() ? compare::run(sources[s].config, device, cancelled)
                                                       : trace::read(sources[s].path);
                           if (!trace) {
                               return [sentence = trace.error().sentence](App& target) {
                                   if (target.compared)
                                       target.panels->compare.wanted = target.compared->sources;
                                   panels::notice(target, sentence, true);
                               };
                           }
                           if (!sources[s].path.empty())
                               made[s].config = trace->config;
                           sides[s] =
                               std::make_shared<const Shown>(make_shown(std::move(*trace), sources[s].path));
                       }
                       auto compared = make_compared(std::move(sides), std::move(made));
                       return [compared](App& target) { put(target, compared); };
                   });
}

void compare_config(App& app, const trace::LaunchConfig& config, bool again) {
    std::array<SideSource, 2> sources = app.panels->compare.wanted;
    // What was chosen is what differs from the left side; what the left side has already is chosen for the
    // right one.
    const trace::LaunchConfig left = sources[0].config;
    const bool resized = config.block != left.block;
    const bool op = config.op != left.op, type = config.type != left.type, input = config.input != left.input;
    const bool as_left = !resized && !op && !type && !input;
    for (SideSource& source : sources) {
        SideSource next{source.config, ""};
        if (op || as_left)
            next.config.op = config.op;
        if (type || as_left)
            next.config.type = config.type;
        if (input || as_left)
            next.config.input = config.input;
        if (resized)
            next.config.block = config.block;
        if (next.config == source.config)
            continue;  // a file stays one
        next.config.values.clear();
        source = next;
    }
    compare_with(app, sources, again);
}

void compare_file(App& app, int side, const std::string& path) {
    std::array<SideSource, 2> sources = app.panels->compare.wanted;
    sources[std::size_t(side)] = {{}, path};
    compare_with(app, sources);
}

namespace {

void put_side(App& app, int side, std::shared_ptr<const Shown> shown) {
    if (!app.compared)
        return;
    Sides sides = app.compared->sides;
    std::array<SideSource, 2> sources = app.compared->sources;
    sources[std::size_t(side)] = {shown->trace.config, shown->path};
    sides[std::size_t(side)] = std::move(shown);
    app.panels->work.cancel();
    put(app, make_compared(std::move(sides), sources));
}

}  // namespace

void compare_recording(App& app, int side, trace::Trace recording) {
    put_side(app, side, std::make_shared<const Shown>(make_shown(std::move(recording), "")));
}

void compare_shown(App& app, int side) {
    put_side(app, side, std::make_shared<const Shown>(app.shown));
}

void compare_preset(App& app, const compare::Preset& preset) {
    trace::LaunchConfig base;
    if (app.compared) {
        base = app.panels->compare.wanted[0].config;
        // A preset's own input is no choice of the person's.
        for (const compare::Preset& other : compare::presets())
            if (other.input && base.input == other.input)
                base.input = trace::LaunchConfig().input;
    }
    const auto configs = compare::configs_of(preset, base);
    compare_with(app, {SideSource{configs[0], ""}, SideSource{configs[1], ""}});
}

void set_compare(App& app, bool on) {
    if (on && !app.compared)
        compare_preset(app, compare::presets().front());
    else
        open_view(app, on);
}

void set_pair_mode(App& app, playback::PairMode mode) {
    app.view.pair_mode = mode;
    if (!app.compared || app.pair.mode == mode)
        return;
    // The left side stays where it is.
    const double time = playback::side_time(app.pair, 0, app.playback.time);
    const bool over = app.playback.time >= app.pair.clock.duration;
    remake_pair(app);
    app.playback.stop_at = -1;
    app.playback.time = over ? app.pair.clock.duration : playback::clock_time(app.pair, 0, time);
}

void show_alone(App& app, int side) {
    if (!app.compared)
        return;
    Shown shown = *app.compared->sides[std::size_t(side)];
    const double time = playback::side_time(app.pair, side, app.playback.time);
    const std::optional<inspector::Thing> pin = side == app.view.pin_side ? app.view.pin : std::nullopt;
    open_view(app, false);
    show_run(app, std::move(shown));
    app.playback.time = time;
    app.view.pin = pin;
}

void note_run(App& app, const Shown& shown) {
    for (const compare::LedgerRow& row : app.ledger)
        if (row.id == shown.id)
            return;
    app.ledger.push_back(compare::row_of(shown.id, shown.trace, shown.analysis));
}

std::string why_no_race(const App& app) {
    if (!app.compared)
        return {};
    const std::string left = playback::why_no_race(app.compared->sides[0]->trace);
    const std::string right = playback::why_no_race(app.compared->sides[1]->trace);
    if (left.empty() && right.empty())
        return {};
    if (left == right)
        return fmt::format("Each side {}: no race, but steps and phases.", left);
    return fmt::format("The {} side {}: no race, but steps and phases.", left.empty() ? "right" : "left",
                       left.empty() ? right : left);
}

const playback::Timeline& clock_of(const App& app) {
    return app.view.compare ? app.pair.clock : app.shown.timeline;
}

}  // namespace auditorium
