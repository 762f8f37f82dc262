// frame(): keys, then panels and scene, then what is left to keep. Reads as the data flows.
#include <fmt/format.h>
#include <imgui.h>
#include <imgui_internal.h>  // the queue of input events

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cmath>

#include "analysis/verdict.h"
#include "app/app.h"
#include "app/compare/recordings.h"
#include "app/panels/compare_view.h"
#include "app/panels/keys.h"
#include "app/panels/panels.h"
#include "app/panels/state.h"
#include "app/renderer/renderer.h"
#include "app/scene/pick.h"
#include "kernels/catalogue.h"
#include "launch/find_wrong.h"
#include "trace/io.h"
#include "trace/json.h"

namespace auditorium {

using namespace panels;
using trace::Json;

namespace {

std::uint64_t next_id() {
    static std::atomic<std::uint64_t> last{0};
    return ++last;
}

void put(App& app, Shown shown) {
    const bool other_text = app.shown.trace.source_hash != shown.trace.source_hash;
    app.shown = std::move(shown);
    note_run(app, app.shown);
    playback::Playback& play = app.view.compare ? app.put_away : app.playback;
    play.time = 0;
    play.playing = false;
    play.stop_at = -1;
    app.view.followed = std::clamp(app.view.followed, 0, std::max(0, app.shown.trace.config.block - 1));
    app.view.manual_camera.reset();
    // Another run may not have that box, or that step.
    App::Panels& state = *app.panels;
    const int findings = int(app.shown.analysis.findings.size());
    const bool away = app.view.compare;
    for (std::optional<inspector::Thing>* thing :
         {away ? &state.compare.away_pin : &app.view.pin,
          away ? &state.compare.away_selected : &app.view.selected, &app.view.hovered})
        if (*thing && !inspector::exists(**thing, app.shown.trace, findings))
            thing->reset();
    app.view.marked_lines.clear();
    state.has_wanted = false;
    if (state.menu != Menu::data)
        state.data = form_of(app.shown.trace.config.input);
    if (other_text)
        state.code_scroll = 0;
}

void fill_caches(App& app) {
    if (app.view.compare)
        return fill_compare_caches(app);
    App::Panels& state = *app.panels;
    const Shown& shown = app.shown;
    if (state.run.id != shown.id) {
        PerRun run;
        run.id = shown.id;
        run.code = colour(shown.trace.source);
        const kernels::Kernel* kernel = kernels::find(shown.trace.config.kernel);
        run.file = kernel ? std::string(kernel->file) : shown.trace.config.kernel + ".cuh";
        for (int span = 0; span <= shown.timeline.last_span(); ++span) {
            playback::Moment moment;
            moment.span = span;
            std::array<Narration, 3>& said = run.narration.emplace_back();
            said[0] = narrate(shown.trace, shown.analysis, moment);
            const int step = shown.timeline.spans[std::size_t(span)].step;
            const bool barrier = step >= 0 && shown.analysis.steps[std::size_t(step)].barrier_after;
            for (const auto stand : {playback::Stand::here, playback::Stand::passed})
                said[std::size_t(stand)] =
                    barrier ? narrate(shown.trace, shown.analysis, moment, stand) : said[0];
        }
        state.run = std::move(run);
    }
    const playback::Moment moment = playback::moment_at(shown.timeline, app.playback.time);
    const int over = (moment.at_end ? 2 : 0) + (moment.beat_progress >= 1 ? 1 : 0);
    if (state.beat.id != shown.id || state.beat.span != moment.span || state.beat.beat != moment.beat ||
        state.beat.over != over) {
        state.beat = {shown.id,
                      moment.span,
                      moment.beat,
                      over,
                      playback::stand_of(shown.timeline, moment),
                      facts_at(shown.trace, shown.analysis, shown.timeline, moment),
                      hits_at(shown.trace, shown.analysis, shown.timeline, moment),
                      line_at(shown.trace, shown.timeline, moment)};
    }
}

Phase phase_at(const Shown& shown, int span) {
    const auto& spans = shown.timeline.spans;
    const int step = spans[std::size_t(std::clamp(span, 0, shown.timeline.last_span()))].step;
    return step < 0 ? Phase::cap : phase_of(shown.trace.steps[std::size_t(step)].kind);
}

std::array<Phase, 2> phases_of_halves(const App& app) {
    return {phase_at(*app.compared->sides[0], side_moment(app, 0).span),
            phase_at(*app.compared->sides[1], side_moment(app, 1).span)};
}

// The camera is the person's until the next phase: from which one?
void note_camera_phase(App& app) {
    App::Panels& state = *app.panels;
    if (app.view.compare)
        state.compare.camera_phases = phases_of_halves(app);
    else
        state.camera_phase = state.beat.span;
}

void zoom(App& app, float factor, scene::Point at) {
    const App::Panels& state = *app.panels;
    scene::Camera camera = app.view.manual_camera.value_or(state.scene.camera);
    const float before = camera.zoom;
    camera.zoom = std::clamp(before * factor, 0.5f, 6.f);
    // The point under the pointer stays.
    const scene::Rect area = state.scene_area;
    const float dx = at.x - area.x - area.w / 2, dy = at.y - area.y - area.h / 2;
    camera.centre.x += dx / before - dx / camera.zoom;
    camera.centre.y += dy / before - dy / camera.zoom;
    app.view.manual_camera = camera;
    note_camera_phase(app);
}

void pan(App& app, float dx, float dy) {
    scene::Camera camera = app.view.manual_camera.value_or(app.panels->scene.camera);
    camera.centre.x += dx / camera.zoom;
    camera.centre.y += dy / camera.zoom;
    app.view.manual_camera = camera;
    note_camera_phase(app);
}

scene::Point middle_of(scene::Rect r) {
    return {r.x + r.w / 2, r.y + r.h / 2};
}

void set_scale(App& app, float scale) {
    app.view.ui_scale = std::clamp(std::round(scale * 8) / 8, smallest_scale, largest_scale);
}

// Leaves whatever is on top.
void escape(App& app) {
    App::Panels& state = *app.panels;
    if (state.dialog != Dialog::none)
        close_dialog(app);
    else if (state.menu != Menu::none)
        close_menu(app);
    else if (app.view.blank)
        app.view.blank = false;
    else if (app.view.pin || app.view.selected || !app.view.marked_lines.empty()) {
        app.view.pin.reset();
        app.view.selected.reset();
        app.view.marked_lines.clear();
    } else if (!app.notices.empty())
        app.notices.pop_back();
    else if (app.view.presenter)
        set_presenter(app, false);
    else
        state.focus.name.clear();
}

void set_speed(App& app, int direction) {
    static constexpr std::array<double, 5> speeds = {0.25, 0.5, 1, 2, 4};
    int nearest = 0;
    for (int i = 0; i < int(speeds.size()); ++i) {
        if (std::abs(speeds[std::size_t(i)] - app.playback.speed) <
            std::abs(speeds[std::size_t(nearest)] - app.playback.speed))
            nearest = i;
    }
    app.playback.speed = speeds[std::size_t(std::clamp(nearest + direction, 0, int(speeds.size()) - 1))];
}

// The researcher that the callout follows, as far as that run has one of that number.
inspector::Thing followed_in(const App& app, const Shown& shown) {
    return {inspector::Thing::Kind::thread,
            std::clamp(app.view.followed, 0, std::max(0, shown.trace.config.block - 1)), -1};
}

void select(App& app, const inspector::Thing& thing, int side) {
    View& view = app.view;
    view.hovered.reset();
    app.panels->pointer_asks = false;
    (view.pin ? view.pin : view.selected) = thing;
    (view.pin ? view.pin_side : view.selected_side) = side;
    if (thing.kind == inspector::Thing::Kind::thread)
        view.followed = thing.index;
}

// To the next thing of a half, and over the edge between the halves to the other one.
void ask_in_half(App& app, int dx, int dy) {
    View& view = app.view;
    const int side = view.asked_side();
    const auto& sides = app.compared->sides;
    const inspector::Thing from = view.asked() ? *view.asked() : followed_in(app, *sides[std::size_t(side)]);
    if (const auto next = scene::neighbour(app.panels->compare.scene[std::size_t(side)], from, dx, dy))
        return select(app, *next, side);
    using Kind = inspector::Thing::Kind;
    const bool grid = from.kind == Kind::box || from.kind == Kind::thread || from.kind == Kind::bank;
    const int other = side + dx;
    if (!grid || dx == 0 || other < 0 || other > 1)
        return;
    const Shown& beside = *sides[std::size_t(other)];
    inspector::Thing there = from;
    there.index += (dx > 0 ? 0 : trace::warp_size - 1) - from.index % trace::warp_size;
    if (inspector::exists(there, beside.trace, int(beside.analysis.findings.size())))
        select(app, there, other);
}

// To the next thing, from the pinned one, the selected one, or the researcher that the callout follows.
void ask(App& app, int dx, int dy) {
    using Kind = inspector::Thing::Kind;
    App::Panels& state = *app.panels;
    View& view = app.view;
    if (view.compare)
        return ask_in_half(app, dx, dy);
    const inspector::Thing from = view.asked() ? *view.asked() : followed_in(app, app.shown);
    const int last = app.shown.timeline.last_span(), warps = app.shown.trace.warps();
    const bool lanes = view.show_gantt && !view.presenter;
    std::optional<inspector::Thing> next;
    if (from.kind == Kind::step) {  // along the timeline, and down its lanes
        next = inspector::Thing{Kind::step, std::clamp(from.index + dx, 0, last), from.other + dy};
        const bool cap = next->index == 0 || next->index == last;
        if (from.other + dy < -1)
            next = inspector::Thing{
                Kind::thread,
                app.shown.trace.config.block - 1 -
                    (trace::warp_size - 1 - view.followed % trace::warp_size) % app.shown.trace.config.block,
                -1};
        else if (cap || !lanes)
            next->other = -1;
        else
            next->other = std::min(next->other, warps - 1);
    } else {
        next = scene::neighbour(state.scene, from, dx, dy);
        if (!next && dy > 0 && !view.scene_only)
            next = inspector::Thing{Kind::step, state.beat.span, -1};
    }
    if (next)
        select(app, *next, 0);
}

void toggle_pin(App& app) {
    View& view = app.view;
    if (view.pin) {
        view.selected = view.pin;
        view.selected_side = view.pin_side;
        view.pin.reset();
    } else {
        const int side = view.asked_side();
        view.pin = view.asked() ? *view.asked() : followed_in(app, asked_run(app));
        view.pin_side = side;
    }
}

// A race begins with the first step.
bool has_cap(const App& app) {
    return !app.view.compare || app.pair.mode != playback::PairMode::race;
}

void perform(App& app, Action action) {
    App::Panels& state = *app.panels;
    playback::Playback& play = app.playback;
    const playback::Timeline& timeline = clock_of(app);
    switch (action) {
        case Action::play_pause:
            return playback::toggle(play, timeline);
        case Action::step_forward:
            return step_on(app);
        case Action::step_back:
        case Action::previous_beat:
            return playback::step_back(play, timeline);
        case Action::sub_step_forward:
            return playback::sub_step_forward(play, timeline);
        case Action::sub_step_back:
            return playback::sub_step_back(play, timeline);
        case Action::first:
            return playback::first(play, timeline);
        case Action::last:
            return playback::last(play, timeline);
        case Action::next_beat:
            playback::play_to_step_end(play, timeline);
            if (app.view.compare
                    ? has_cap(app) && play.time <= playback::end_of_step(timeline, 0)
                    : state.beat.span == 0)  // nothing happens in the cap: on to the end of the first step
                play.stop_at = playback::end_of_step(timeline, 1);
            return;
        case Action::next_tick:
            return next_tick(app, 1);
        case Action::previous_tick:
            return next_tick(app, -1);
        case Action::blank:
            app.view.blank = !app.view.blank;
            return;
        case Action::compare:
            return set_compare(app, !app.view.compare);
        case Action::ledger:
            state.dialog == Dialog::ledger ? close_dialog(app) : open_dialog(app, int(Dialog::ledger));
            return;
        case Action::presenter:
            return set_presenter(app, !app.view.presenter);
        case Action::escape:
            return escape(app);
        case Action::slower:
            return set_speed(app, -1);
        case Action::faster:
            return set_speed(app, 1);
        case Action::loop:
            play.loop = !play.loop;
            return;
        case Action::code:
            app.view.show_code = !app.view.show_code;
            return;
        case Action::gantt:
            app.view.show_gantt = !app.view.show_gantt;
            return;
        case Action::theme:
            app.view.theme = app.view.theme == ThemeId::dark ? ThemeId::light : ThemeId::dark;
            return;
        case Action::reduced_motion:
            app.view.reduced_motion = !app.view.reduced_motion;
            return;
        case Action::fit:
            app.view.manual_camera.reset();
            return;
        case Action::zoom_in:
            return zoom(app, 1.25f, middle_of(state.scene_area));
        case Action::zoom_out:
            return zoom(app, 0.8f, middle_of(state.scene_area));
        case Action::pan_left:
            return pan(app, -40, 0);
        case Action::pan_right:
            return pan(app, 40, 0);
        case Action::pan_up:
            return pan(app, 0, -40);
        case Action::pan_down:
            return pan(app, 0, 40);
        case Action::ask_left:
            return ask(app, -1, 0);
        case Action::ask_right:
            return ask(app, 1, 0);
        case Action::ask_up:
            return ask(app, 0, -1);
        case Action::ask_down:
            return ask(app, 0, 1);
        case Action::pin:
            return toggle_pin(app);
        case Action::scale_up:
            return set_scale(app, app.view.ui_scale + 0.125f);
        case Action::scale_down:
            return set_scale(app, app.view.ui_scale - 0.125f);
        case Action::scale_reset:
            return set_scale(app, 1);
        case Action::open:
            return open_dialog(app, int(Dialog::open));
        case Action::save:
            if (app.view.compare)
                return notice(app, "A run is saved from its own view: \"Show this side alone\" in its menu.",
                              false);
            return open_dialog(app, int(Dialog::save));
        case Action::quit:
            app.quit = true;
            return;
        case Action::claims:
            state.dialog == Dialog::claims ? close_dialog(app) : open_dialog(app, int(Dialog::claims));
            return;
        case Action::help:
            state.dialog == Dialog::keys ? close_dialog(app) : open_dialog(app, int(Dialog::keys));
            return;
    }
}

// Tab, Shift+Tab and Enter over the controls of the topmost scope.
void move_focus(App& app) {
    Focus& focus = app.panels->focus;
    focus.moved = focus.pressed = false;
    const ImGuiIO& io = ImGui::GetIO();
    int by = 0;
    if (ImGui::IsKeyPressed(ImGuiKey_Tab) && !io.KeyCtrl && !io.KeyAlt)
        by = io.KeyShift ? -1 : 1;
    const bool in_list = app.panels->menu != Menu::none || app.panels->dialog != Dialog::none;
    if (by == 0 && in_list && !io.KeyCtrl && !io.KeyAlt && !io.KeyShift)
        by = (ImGui::IsKeyPressed(ImGuiKey_DownArrow) ? 1 : 0) -
             (ImGui::IsKeyPressed(ImGuiKey_UpArrow) ? 1 : 0);
    if (by != 0 && !focus.stops.empty()) {
        const int count = int(focus.stops.size());
        const auto found = std::find(focus.stops.begin(), focus.stops.end(), focus.name);
        const int at = found == focus.stops.end() ? (by > 0 ? -1 : count) : int(found - focus.stops.begin());
        focus.name = focus.stops[std::size_t((at + by + count) % count)];
        focus.visible = focus.moved = true;
    }
    if ((ImGui::IsKeyPressed(ImGuiKey_Enter, false) || ImGui::IsKeyPressed(ImGuiKey_KeypadEnter, false)) &&
        !io.WantTextInput && focus.visible)
        focus.pressed = true;
}

// A blank screen comes back with the next key, which does nothing else.
bool wake(App& app) {
    bool any = ImGui::IsMouseClicked(0);
    for (int key = ImGuiKey_NamedKey_BEGIN; key < ImGuiKey_GamepadStart && !any; ++key)
        any = ImGui::IsKeyPressed(ImGuiKey(key), false) &&
              !(key >= ImGuiKey_LeftCtrl && key <= ImGuiKey_RightSuper);
    if (any)
        app.view.blank = false;
    return any;
}

// A key that went down since the last frame, and which of Shift, Ctrl and Alt were down at that very moment:
// a quick hand has let go of Ctrl before the frame is drawn.
struct KeyDown {
    int key = 0;
    int mods = 0;
};

std::vector<KeyDown> keys_down(int& mods) {
    std::vector<KeyDown> downs;
    for (const ImGuiInputEvent& event : ImGui::GetCurrentContext()->InputEventsTrail) {
        if (event.Type != ImGuiInputEventType_Key)
            continue;
        const int mod = event.Key.Key == ImGuiMod_Shift  ? int(shift)
                        : event.Key.Key == ImGuiMod_Ctrl ? int(ctrl)
                        : event.Key.Key == ImGuiMod_Alt  ? int(alt)
                                                         : 0;
        if (mod != 0)
            mods = event.Key.Down ? mods | mod : mods & ~mod;
        else if (event.Key.Down)
            downs.push_back({int(event.Key.Key), mods});
    }
    return downs;
}

// An open menu or dialog has the keys: what lies behind it stays as it is. Its own are Tab, arrows and Enter
// (move_focus()), Escape, and the key that has opened it; the program can be left at any time.
bool is_its_own(Action action, Dialog dialog) {
    switch (action) {
        case Action::escape:
        case Action::quit:
            return true;
        case Action::help:
            return dialog == Dialog::keys;
        case Action::ledger:
            return dialog == Dialog::ledger;
        case Action::claims:
            return dialog == Dialog::claims;
        default:
            return false;
    }
}

void obey_keys(App& app) {
    const ImGuiIO& io = ImGui::GetIO();
    App::Panels& state = *app.panels;
    if (app.view.blank) {
        wake(app);
        return;
    }
    move_focus(app);
    int mods = state.mods;
    const std::vector<KeyDown> downs = keys_down(mods);
    state.mods = mods = (io.KeyShift ? shift : 0) | (io.KeyCtrl ? ctrl : 0) | (io.KeyAlt ? alt : 0);
    const bool typing = io.WantTextInput;
    const bool on_top = state.menu != Menu::none || state.dialog != Dialog::none;
    for (const Key& key : key_map()) {
        bool down = false;
        if (key.symbol != 0) {
            down = !typing && !io.KeyCtrl && !io.KeyAlt &&
                   std::find(io.InputQueueCharacters.begin(), io.InputQueueCharacters.end(),
                             ImWchar(key.symbol)) != io.InputQueueCharacters.end();
        } else {
            const auto pressed =
                std::find_if(downs.begin(), downs.end(), [&](const KeyDown& d) { return d.key == key.key; });
            down = pressed != downs.end()
                       ? pressed->mods == key.mods
                       : key.repeats && key.mods == mods && ImGui::IsKeyPressed(ImGuiKey(key.key));
            // A text field has every key but Escape.
            if (typing && key.action != Action::escape)
                down = false;
        }
        if (!down)
            continue;
        if (on_top && !is_its_own(key.action, state.dialog))
            continue;
        perform(app, key.action);
    }
}

// The scene's own pointer: the wheel zooms, dragging pans, a click on a seat follows its thread.
void obey_pointer(App& app, Ui& ui, const char* name, scene::Rect area, const scene::Scene& scene,
                  int side = 0) {
    App::Panels& state = *app.panels;
    const ImGuiIO& io = ImGui::GetIO();
    if (area.w <= 0 || area.h <= 0)
        return;
    const Press press = ui.press(name, area, true, false);
    const scene::Point at{io.MousePos.x, io.MousePos.y};
    if (press.hovered || press.held || state.scene_area.w <= 0 || !app.view.compare)
        state.scene_area = area;  // of two, the one that the pointer is in
    if (press.hovered && io.MouseWheel != 0)
        zoom(app, std::pow(1.15f, io.MouseWheel), at);
    if (press.dragged) {
        const scene::Point from = state.scene_moved
                                      ? state.dragged_to
                                      : scene::Point{io.MouseClickedPos[0].x, io.MouseClickedPos[0].y};
        if (state.scene_moved || std::hypot(at.x - from.x, at.y - from.y) >= 4) {
            pan(app, from.x - at.x, from.y - at.y);
            state.dragged_to = at;
            state.scene_moved = true;
        }
    }
    if (press.pressed && !state.scene_moved) {  // a click pins what is there, or lets go
        const auto thing = scene::pick(scene, at);
        const bool pinned = thing == app.view.pin && side == app.view.pin_side;
        app.view.pin = pinned ? std::nullopt : thing;
        app.view.pin_side = side;
        app.view.selected.reset();
        if (thing && thing->kind == inspector::Thing::Kind::thread)
            app.view.followed = thing->index;
    }
    if (!ImGui::IsMouseDown(ImGuiMouseButton_Left))
        state.scene_moved = false;
    if (press.hovered)
        app.view.pointer = at;
    else if (app.view.pointer && area.contains(*app.view.pointer))
        app.view.pointer.reset();
    if (state.pointer_moved)
        state.pointer_asks = true;  // until the keyboard asks about something else
}

// What the inspector says of a thing, worked out again only when the thing or the moment is another one.
const inspector::Description* describe(PerAsked& asked, const Shown& shown, const playback::Moment& moment,
                                       const inspector::Thing* thing) {
    if (!thing) {
        asked.description.reset();
        return nullptr;
    }
    const playback::Span& span = shown.timeline.spans[std::size_t(moment.span)];
    const playback::Beat& beat = span.beats[std::size_t(moment.beat)];
    // Half a wavefront is the finest change that it tells of.
    const double served = (moment.time - beat.begin - beat.lead) / (beat.seconds() - beat.lead);
    const int half = int(std::floor(std::max(-1.0, served) * 2 * beat.wavefronts + 1e-9)), over = served >= 1;
    if (!asked.description || asked.id != shown.id || !(asked.description->thing == *thing) ||
        asked.span != moment.span || asked.beat != moment.beat || asked.over != over ||
        asked.served != half) {
        asked = {shown.id,
                 moment.span,
                 moment.beat,
                 over,
                 half,
                 inspector::describe(shown.trace, shown.analysis, shown.timeline, shown.prepared.index,
                                     moment, *thing),
                 asked.card};
    }
    return &*asked.description;
}

// Two runs side by side, with one camera.
void compare_frame(App& app, Ui& ui, const CompareLayout& halves, float ui_scale) {
    App::Panels& state = *app.panels;
    static constexpr std::array<const char*, 2> names = {"scene.left", "scene.right"};
    app.view.pointer.reset();
    for (std::size_t s = 0; s < 2; ++s) {
        obey_pointer(app, ui, names[s], halves.scene[s], state.compare.scene[s], int(s));
    }
    if (!app.view.scene_only)
        ui.ground({halves.score, halves.half[0], halves.half[1], halves.base.bottom});
    const Compared& compared = *app.compared;
    const std::array<playback::Moment, 2> moments = {side_moment(app, 0), side_moment(app, 1)};
    const auto build = [&] {
        for (std::size_t s = 0; s < 2; ++s) {
            const Shown& shown = *compared.sides[s];
            View view = app.view;
            view.half = true;
            view.cuts = app.pair.mode == playback::PairMode::race;
            // What is asked about in one half is shown in both, where the other run has it too.
            view.pin.reset();
            view.hovered.reset();
            view.selected.reset();
            if (const inspector::Thing* thing = app.view.asked();
                thing && inspector::exists(*thing, shown.trace, int(shown.analysis.findings.size())))
                view.pin = *thing;
            PerAsked& kept = int(s) == app.view.asked_side() ? state.asked : state.asked_beside;
            const inspector::Description* said =
                describe(kept, shown, moments[s], view.pin ? &*view.pin : nullptr);
            view.tickets_beside =
                scene::tickets_shown(compared.sides[1 - s]->timeline, moments[1 - s], app.view);
            view.rows_beside = compared.sides[1 - s]->trace.warps();
            scene::build_into(state.compare.scene[s], shown.trace, shown.analysis, shown.timeline,
                              shown.prepared, moments[s], view, ui.theme, halves.scene[s], said);
        }
    };
    build();
    // As in the single view: what lies under the pointer is known once the scenes stand.
    std::optional<inspector::Thing> hovered;
    int hovered_side = 0;
    for (int s = 0; s < 2 && !hovered; ++s) {
        if (state.pointer_asks && !app.view.pin && app.view.pointer)
            hovered = scene::pick(state.compare.scene[std::size_t(s)], *app.view.pointer);
        hovered_side = s;
    }
    if (hovered != app.view.hovered || (hovered && hovered_side != app.view.hovered_side)) {
        app.view.hovered = hovered;
        app.view.hovered_side = hovered_side;
        build();
    }
    for (const scene::Scene& scene : state.compare.scene)
        renderer::draw(ui.list, scene, ui_scale, app.view.pixel_ratio);
    state.scene.camera = state.compare.scene[0].camera;  // what zooming and panning start from
    compare_halves(app, ui, halves);
    if (app.view.scene_only)
        return;
    compare_scores(app, ui, halves);
    compare_time(app, ui, halves);
    if (!app.view.presenter)
        compare_bar(app, ui);
}

// The lesson's next phase has its own framing. The two halves have one camera: it goes back to fitting both
// as soon as one of them is in another phase.
void release_camera(App& app) {
    App::Panels& state = *app.panels;
    if (!app.view.manual_camera)
        return;
    if (app.view.compare) {
        if (state.compare.camera_phases && *state.compare.camera_phases != phases_of_halves(app)) {
            app.view.manual_camera.reset();
            state.compare.camera_phases.reset();
        }
        return;
    }
    if (state.camera_phase >= 0 &&
        phase_at(app.shown, state.camera_phase) != phase_at(app.shown, state.beat.span)) {
        app.view.manual_camera.reset();
        state.camera_phase = -1;
    }
}

void draw_scene(App& app, Ui& ui, float ui_scale) {
    App::Panels& state = *app.panels;
    const playback::Moment moment = playback::moment_at(app.shown.timeline, app.playback.time);
    const auto build = [&] {
        scene::build_into(state.scene, app.shown.trace, app.shown.analysis, app.shown.timeline,
                          app.shown.prepared, moment, app.view, ui.theme, ui.layout.scene,
                          describe(state.asked, app.shown, moment, app.view.asked()));
    };
    build();
    // What lies under the pointer is known once the scene stands; where it is another thing than before, the
    // scene is built again with what belongs to that.
    std::optional<inspector::Thing> hovered;
    if (state.pointer_asks && !app.view.pin && app.view.pointer)
        hovered = scene::pick(state.scene, *app.view.pointer);
    if (!hovered && state.pointer_asks && !app.view.pin)
        hovered = state.timeline_hovered;
    if (hovered != app.view.hovered) {
        app.view.hovered = hovered;
        build();
    }
    renderer::draw(ui.list, state.scene, ui_scale, app.view.pixel_ratio);
}

// A press beside the open menu closes it and does nothing else.
void beside_menu(App& app) {
    ImGui::SetNextWindowPos({0, 0});
    ImGui::SetNextWindowSize(ImGui::GetIO().DisplaySize);
    ImGui::Begin("##beside", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                     ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoNav);
    bring_to_front();
    const bool pressed = ImGui::IsWindowHovered() && ImGui::IsMouseClicked(ImGuiMouseButton_Left);
    ImGui::End();
    if (pressed)
        close_menu(app);
}

// Settings follow the view; they are written when nothing has changed for a second, and at the end.
Settings settings_now(const App& app) {
    const App::Panels& state = *app.panels;
    Settings s = state.settings;
    (app.view.presenter ? s.presenter_theme : s.theme) = app.view.theme;
    s.ui_scale = app.view.ui_scale;
    s.reduced_motion = app.view.reduced_motion;
    s.pair_mode = app.view.pair_mode;
    s.show_code = app.view.show_code;
    s.show_gantt = app.view.show_gantt;
    s.loop = app.playback.loop;
    s.speed = app.playback.speed;
    s.device = state.device == launch::Device::gpu   ? "gpu"
               : state.device == launch::Device::cpu ? "cpu"
                                                     : "auto";
    return s;
}

void write_settings(App& app) {
    App::Panels& state = *app.panels;
    state.kept = state.settings;
    const Expected<void> kept = save_settings(state.settings_path, state.settings);
    if (!kept && !state.keeping_failed)  // said once
        notice(app, kept.error().sentence, true);
    state.keeping_failed = !kept;
}

bool keep_changes(App& app, double seconds) {
    App::Panels& state = *app.panels;
    if (!state.persist)
        return false;
    const Settings now = settings_now(app);
    if (!(now == state.settings)) {
        state.settings = now;
        state.since_change = 0;
    }
    if (state.settings == state.kept)
        return false;
    state.since_change += seconds;
    if (state.since_change < 1)
        return true;
    write_settings(app);
    return false;
}

void take_outcomes(App& app) {
    App::Panels& state = *app.panels;
    state.work.poll(app);
    state.writing.poll(app);
    state.probe.poll(app);
    state.study.poll(app);
}

void hide_pointer(App& app, double seconds) {
    App::Panels& state = *app.panels;
    const ImVec2 at = ImGui::GetIO().MousePos;
    const bool moved = at.x != state.pointer_last.x || at.y != state.pointer_last.y;
    state.pointer_last = {at.x, at.y};
    state.pointer_moved = moved;
    state.pointer_still = moved ? 0 : state.pointer_still + seconds;
    if (app.view.presenter && state.pointer_still > 2)
        ImGui::SetMouseCursor(ImGuiMouseCursor_None);
}

const char* name_of(playback::BeatKind kind) {
    static constexpr std::array<const char*, 12> names = {"idle",  "walk", "load",     "combine",
                                                          "store", "note", "syncwarp", "wait",
                                                          "hold",  "drop", "crown",    "broadcast"};
    return std::size_t(kind) < names.size() ? names[std::size_t(kind)] : "";
}

}  // namespace

namespace panels {

const Shown& asked_run(const App& app) {
    return app.view.compare ? *app.compared->sides[std::size_t(app.view.asked_side())] : app.shown;
}

void open_menu(App& app, int menu, Rect anchor, const std::string& from) {
    App::Panels& state = *app.panels;
    state.menu = Menu(menu);
    state.anchor = anchor;
    state.focus_before = from;
    state.focus.name.clear();
    state.focus.stops.clear();
    state.menu_problem.clear();
    if (state.menu == Menu::data)
        state.data = form_of(wanted(app).input);
    if (state.menu == Menu::block)
        state.block_text.clear();
    if (state.menu == Menu::device && !state.gpu && !state.probe.busy()) {
        state.probe.ask("looking for a GPU", [](const Background::Cancelled&) -> Background::Outcome {
            return [info = launch::gpu_info()](App& target) { target.panels->gpu = info; };
        });
    }
}

void close_menu(App& app) {
    App::Panels& state = *app.panels;
    if (state.menu == Menu::none)
        return;
    state.menu = Menu::none;
    state.menu_problem.clear();
    state.focus.name = state.focus_before;
}

trace::LaunchConfig wanted(const App& app) {
    const App::Panels& state = *app.panels;
    if (app.view.compare)
        return state.compare.wanted[0].config;
    return state.has_wanted ? state.wanted : app.shown.trace.config;
}

void choose(App& app, trace::LaunchConfig config) {
    if (app.view.compare)
        return compare_config(app, config, false);
    const trace::LaunchConfig& now = app.shown.trace.config;
    trace::LaunchConfig same = config;
    same.values = now.values;
    if (!app.panels->work.busy() && same == now && !config.input.starts_with("file:"))
        return;
    record(app, config);
}

void step_on(App& app) {
    const playback::Timeline& timeline = clock_of(app);
    playback::step_forward(app.playback, timeline);
    // The cap "arrive" shows the same from its begin to its end: one press leaves it.
    if (has_cap(app) && app.playback.time <= playback::end_of_step(timeline, 0))
        playback::step_forward(app.playback, timeline);
}

void set_presenter(App& app, bool on) {
    App::Panels& state = *app.panels;
    if (app.view.presenter == on)
        return;
    close_menu(app);
    state.dialog = Dialog::none;
    const ThemeId now = app.view.theme;
    (app.view.presenter ? state.settings.presenter_theme : state.settings.theme) = now;
    app.view.presenter = on;
    app.view.theme = on ? state.settings.presenter_theme : state.settings.theme;
    app.view.manual_camera.reset();
    state.focus.name.clear();
    state.pointer_still = 0;
}

}  // namespace panels

// May take milliseconds, so recording and opening do it on their thread.
Shown make_shown(trace::Trace trace, std::string path) {
    Shown shown;
    shown.analysis = analysis::analyze(trace);
    shown.timeline = playback::make_timeline(trace, shown.analysis);
    shown.prepared = scene::prepare(trace, shown.analysis, shown.timeline);
    shown.trace = std::move(trace);
    shown.path = std::move(path);
    shown.id = next_id();
    return shown;
}

void show_run(App& app, Shown shown) {
    put(app, std::move(shown));
}

App make_app(trace::Trace trace, View view) {
    App app;
    app.view = view;
    app.panels = std::make_shared<App::Panels>();
    app.panels->settings.theme = view.theme;
    show(app, std::move(trace), "");
    return app;
}

void show(App& app, trace::Trace trace, std::string path) {
    put(app, make_shown(std::move(trace), std::move(path)));
}

void open_file(App& app, const std::string& path) {
    if (app.view.compare)
        return compare_file(app, app.panels->compare.side, path);
    app.panels->has_wanted = false;
    app.panels->work.ask("opening", [path](const Background::Cancelled&) -> Background::Outcome {
        Expected<trace::Trace> trace = trace::read(path);
        if (!trace)
            return [sentence = trace.error().sentence](App& target) { notice(target, sentence, true); };
        auto shown = std::make_shared<Shown>(make_shown(std::move(*trace), path));
        return [shown](App& target) { put(target, std::move(*shown)); };
    });
}

void open_recording(App& app, const std::string& name) {
    if (app.view.compare) {
        if (auto trace = compare::recording(name))
            compare_recording(app, app.panels->compare.side, std::move(*trace));
        return;
    }
    app.panels->has_wanted = false;
    app.panels->work.ask("opening", [name](const Background::Cancelled&) -> Background::Outcome {
        std::optional<trace::Trace> trace = compare::recording(name);
        if (!trace)
            return [name](App& target) {
                notice(target, fmt::format("There is no recording {} in this program.", name), true);
            };
        auto shown = std::make_shared<Shown>(make_shown(std::move(*trace), ""));
        return [shown](App& target) { put(target, std::move(*shown)); };
    });
}

void drop_file(App& app, const std::string& path) {
    const auto ends = [&](const char* with) { return path.ends_with(with); };
    const bool numbers = !ends(".audit") && (app.panels->menu == Menu::data || ends(".txt") || ends(".csv") ||
                                             ends(".tsv") || ends(".dat") || ends(".num"));
    if (!numbers) {
        close_menu(app);
        if (app.panels->dialog != Dialog::none)  // what it was to bring is there
            close_dialog(app);
        if (app.view.compare)  // onto the half that the pointer is in
            app.panels->compare.side = ImGui::GetIO().MousePos.x < float(app.view.width) / 2 ? 0 : 1;
        return open_file(app, path);
    }
    close_menu(app);
    trace::LaunchConfig config = wanted(app);
    config.input = "file:" + path;
    config.values.clear();
    record(app, config);
}

void record(App& app, const trace::LaunchConfig& config) {
    if (app.view.compare)
        return compare_config(app, config, true);
    App::Panels& state = *app.panels;
    state.wanted = config;
    state.has_wanted = true;
    const kernels::Kernel* kernel = kernels::find(config.kernel);
    launch::Options options;
    options.device = state.device;
    options.allow_wrong = kernel && !kernel->correct;
    state.work.ask("recording",
                   [config, options](const Background::Cancelled& cancelled) mutable -> Background::Outcome {
                       options.cancelled = cancelled;
                       // Where there is no GPU the recording of just that launch is nearer to one than the
                       // interpreter is.
                       std::optional<trace::Trace> recorded;
                       if (options.device == launch::Device::automatic && !launch::gpu_info().available)
                           recorded = compare::recorded(config);
                       Expected<trace::Trace> trace = recorded ? Expected<trace::Trace>(std::move(*recorded))
                                                               : launch::run(config, options);
                       if (!trace) {
                           return [sentence = trace.error().sentence](App& target) {
                               target.panels->has_wanted = false;
                               notice(target, sentence, true);
                           };
                       }
                       const std::string note = trace->origin.note;
                       auto shown = std::make_shared<Shown>(make_shown(std::move(*trace), ""));
                       return [shown, note, asked = options.device](App& target) {
                           put(target, std::move(*shown));
                           // Under `auto` a GPU that failed says so; that there is none, the device chip
                           // says.
                           if (!note.empty() && asked == launch::Device::automatic && target.panels->gpu &&
                               target.panels->gpu->available)
                               notice(target, note, true);
                       };
                   });
}

namespace panels {

void show_other_run(App& app) {
    App::Panels& state = *app.panels;
    const auto is_wrong = [](const trace::Trace& trace) {
        return analysis::is_wrong(analysis::analyze(trace));
    };
    trace::LaunchConfig config = app.shown.trace.config;
    const bool to_right = analysis::is_wrong(app.shown.analysis);
    const int span = state.beat.span;
    state.work.ask(
        to_right ? "looking for a run that is right" : "looking for a run that is wrong",
        [config, is_wrong, to_right,
         span](const Background::Cancelled& cancelled) mutable -> Background::Outcome {
            launch::Options options;
            options.device = launch::Device::cpu;
            options.allow_wrong = true;
            options.cancelled = cancelled;
            if (to_right)
                config.schedule = {};  // lockstep
            Expected<trace::Trace> trace =
                to_right ? launch::run(config, options) : launch::find_wrong(config, options, is_wrong);
            if (!trace)
                return [sentence = trace.error().sentence](App& target) { notice(target, sentence, true); };
            const std::string schedule = trace::name_of(trace->config.schedule);
            const std::string input = trace->config.input;
            auto shown = std::make_shared<Shown>(make_shown(std::move(*trace), ""));
            const bool wrong = analysis::is_wrong(shown->analysis);
            const std::string said = fmt::format("Simulated under schedule {}, input {}: the result is {}.",
                                                 schedule, input, wrong ? "wrong" : "right, by luck");
            return [shown, said, span](App& target) {
                put(target, std::move(*shown));
                const playback::Timeline& timeline = target.shown.timeline;
                playback::seek(target.playback, timeline,
                               playback::end_of_step(timeline, std::min(span, timeline.last_span())));
                notice(target, said, false);
            };
        });
}

}  // namespace panels

std::string use_settings(App& app) {
    App::Panels& state = *app.panels;
    state.settings_path = settings_path();
    const LoadedSettings loaded = load_settings(state.settings_path);
    state.persist = loaded.may_be_replaced;
    state.settings = state.kept = loaded.settings;
    if (!loaded.problem.empty())
        notice(app, loaded.problem, true);
    const Settings& s = state.settings;
    app.view.theme = app.view.presenter ? s.presenter_theme : s.theme;
    app.view.ui_scale = s.ui_scale;
    app.view.reduced_motion = s.reduced_motion;
    app.view.pair_mode = s.pair_mode;
    app.view.show_code = s.show_code;
    app.view.show_gantt = s.show_gantt;
    app.playback.loop = s.loop;
    app.playback.speed = s.speed;
    state.device = s.device == "gpu"   ? launch::Device::gpu
                   : s.device == "cpu" ? launch::Device::cpu
                                       : launch::Device::automatic;
    return loaded.problem;
}

std::vector<std::string> leave(App& app) {
    App::Panels& state = *app.panels;
    const std::size_t before = app.notices.size();
    state.writing.wait();
    state.writing.poll(app);
    std::vector<std::string> failed;
    for (std::size_t i = before; i < app.notices.size(); ++i)
        if (app.notices[i].error)
            failed.push_back(app.notices[i].text);
    if (!state.persist)
        return failed;
    state.settings = settings_now(app);
    if (state.settings == state.kept && !state.keeping_failed)
        return failed;
    // What could not be kept before is tried again.
    if (const Expected<void> kept = save_settings(state.settings_path, state.settings); !kept)
        failed.push_back(kept.error().sentence);
    state.kept = state.settings;
    return failed;
}

namespace {

const char* name_of(Menu menu) {
    switch (menu) {
        case Menu::none:
            return "";
        case Menu::kernel:
            return "kernel";
        case Menu::op:
            return "op";
        case Menu::type:
            return "type";
        case Menu::block:
            return "block";
        case Menu::data:
            return "data";
        case Menu::device:
            return "device";
        case Menu::more:
            return "more";
        case Menu::pair:
            return "pair";
        case Menu::side:
            return "side";
    }
    return "";
}

const char* name_of(Dialog dialog) {
    switch (dialog) {
        case Dialog::none:
            return "";
        case Dialog::open:
            return "open";
        case Dialog::save:
            return "save";
        case Dialog::pick_data:
            return "pick_data";
        case Dialog::keys:
            return "keys";
        case Dialog::trees:
            return "trees";
        case Dialog::ledger:
            return "ledger";
        case Dialog::save_ledger:
            return "save_ledger";
        case Dialog::claims:
            return "claims";
        case Dialog::speed:
            return "speed";
    }
    return "";
}

// null while one run is shown.
Json compare_json(const App& app) {
    if (!app.view.compare)
        return nullptr;
    Json out = {{"mode", playback::name_of(app.pair.mode)}, {"rows", app.pair.rows.size()}};
    static constexpr std::array<const char*, 2> names = {"left", "right"};
    for (std::size_t s = 0; s < 2; ++s) {
        const Shown& shown = *app.compared->sides[s];
        const playback::Moment moment = side_moment(app, int(s));
        out[names[s]] = {
            {"kernel", shown.trace.config.kernel},
            {"block", shown.trace.config.block},
            {"schedule", trace::name_of(shown.trace.config.schedule)},
            {"origin", shown.trace.origin.kind == trace::Origin::Kind::gpu ? "gpu" : "simulated"},
            {"path", shown.path},
            {"step", moment.span},
            {"time", moment.time},
            {"said", app.panels->compare.words[s].said.text}};
    }
    return out;
}

}  // namespace

Json state_of(const App& app) {
    const App::Panels& state = *app.panels;
    const playback::Timeline& clock = clock_of(app);
    const playback::Moment moment = playback::moment_at(clock, app.playback.time);
    const trace::LaunchConfig& config = app.shown.trace.config;
    Json notices = Json::array();
    for (const Notice& notice : app.notices)
        notices.push_back({{"text", notice.text}, {"error", notice.error}});
    const float pixels = app.view.ui_scale * app.view.pixel_ratio;  // what an xdotool counts in
    Json controls = Json::object();
    for (const Drawn& drawn : state.drawn) {
        if (drawn.control)
            controls[drawn.text] = Json::array(
                {drawn.area.x * pixels, drawn.area.y * pixels, drawn.area.w * pixels, drawn.area.h * pixels});
    }
    Json ticks = Json::array();  // step on screen, kind, where
    for (const Tick& tick : state.width.ticks.ticks)
        ticks.push_back({{"step", tick.step + 1},
                         {"kind", inspector::name_of(tick.kind)},
                         {"x", (state.width.x + tick.x) * pixels},
                         {"y", state.width.tick_y * pixels}});
    Json seats = Json::object();
    for (const scene::Target& target : state.scene.targets) {
        if (target.kind != scene::Target::Kind::seat)
            continue;
        const scene::Rect area = state.scene_area;
        const auto x = [&](float v) {
            return (v - state.scene.camera.centre.x) * state.scene.camera.zoom + area.x + area.w / 2;
        };
        const auto y = [&](float v) {
            return (v - state.scene.camera.centre.y) * state.scene.camera.zoom + area.y + area.h / 2;
        };
        seats[std::to_string(target.index)] = Json::array(
            {x(target.area.x + target.area.w / 2) * pixels, y(target.area.y + target.area.h / 2) * pixels});
    }
    const playback::Span& span = clock.spans[std::size_t(moment.span)];
    return {
        {"run", app.shown.id},
        {"kernel", config.kernel},
        {"op", trace::name_of(config.op)},
        {"type", trace::name_of(config.type)},
        {"block", config.block},
        {"input", config.input},
        {"origin", app.shown.trace.origin.kind == trace::Origin::Kind::gpu ? "gpu" : "simulated"},
        {"path", app.shown.path},
        {"step", moment.span},
        {"steps", app.shown.trace.steps.size()},
        {"beat",
         name_of(span.beats.empty() ? playback::BeatKind::idle : span.beats[std::size_t(moment.beat)].kind)},
        {"time", app.playback.time},
        {"at", playback::without_holds(app.shown.timeline, app.playback.time)},  // as `render --at` counts it
        {"duration", clock.duration},
        {"at_end", moment.at_end},
        {"playing", app.playback.playing},
        {"speed", app.playback.speed},
        {"loop", app.playback.loop},
        {"busy", state.work.busy() || state.writing.busy()},
        {"theme", app.view.theme == ThemeId::dark ? "dark" : "light"},
        {"ui_scale", app.view.ui_scale},
        {"width", app.view.width},
        {"height", app.view.height},
        {"presenter", app.view.presenter},
        {"blank", app.view.blank},
        {"reduced_motion", app.view.reduced_motion},
        {"show_code", app.view.show_code},
        {"show_gantt", app.view.show_gantt},
        {"followed", app.view.followed},
        {"asked", app.view.asked() ? inspector::name_of(*app.view.asked()) : ""},
        {"pin", app.view.pin ? inspector::name_of(*app.view.pin) : ""},
        {"asked_side", !app.view.compare || !app.view.asked() ? ""
                       : app.view.asked_side() == 0           ? "left"
                                                              : "right"},
        {"marked_lines", app.view.marked_lines},
        {"camera", app.view.manual_camera ? "manual" : "automatic"},
        {"menu", name_of(state.menu)},
        {"dialog", name_of(state.dialog)},
        {"focus", state.focus.visible ? state.focus.name : ""},
        {"line", state.beat.line},
        {"headline", state.beat.span >= 0 && state.beat.span < int(state.run.narration.size())
                         ? said(state.run, state.beat).headline
                         : ""},
        {"compare", compare_json(app)},
        {"ledger", app.ledger.size()},
        {"notices", notices},
        {"controls", controls},
        {"seats", seats},
        {"ticks", ticks},
        {"quit", app.quit},
    };
}

std::string state_json(const App& app) {
    return state_of(app).dump();
}

scene::Color background(const App& app) {
    return app.panels->background;
}

bool frame(App& app, double seconds) {
    App::Panels& state = *app.panels;
    const float scale = app.view.ui_scale;  // width and height are the window's at this one
    take_outcomes(app);
    fill_caches(app);
    obey_keys(app);
    playback::advance(app.playback, clock_of(app), seconds);
    fill_caches(app);
    release_camera(app);
    if (state.beat.span != state.marked_span)
        app.view.marked_lines.clear();
    hide_pointer(app, seconds);

    View drawn_view = app.view;
    drawn_view.ui_scale = scale;
    const CompareLayout halves = drawn_view.compare ? compare_layout(drawn_view) : CompareLayout{};
    const Layout layout = drawn_view.compare ? halves.base : panels::layout(drawn_view, result_rows(app));
    state.drawn.clear();
    state.focus.next_stops.clear();
    state.focus.scope = state.dialog != Dialog::none ? Scope::dialog
                        : state.menu != Menu::none   ? Scope::menu
                                                     : Scope::panels;
    const Scope topmost = state.focus.scope;
    Ui ui{scene::theme(drawn_view.theme), layout, state.focus, state.drawn};

    ImGui::SetNextWindowPos({0, 0});
    ImGui::SetNextWindowSize(ImGui::GetIO().DisplaySize);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 0);
    ImGui::PushStyleVar(ImGuiStyleVar_ChildBorderSize, 0);
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, 0});
    ImGui::PushStyleVar(ImGuiStyleVar_ScrollbarSize, 8);
    ImGui::PushStyleColor(ImGuiCol_ScrollbarBg, 0u);
    ImGui::PushStyleColor(ImGuiCol_ScrollbarGrab, ui.theme.edge);
    ImGui::Begin("##auditorium", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                     ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoBringToFrontOnFocus |
                     ImGuiWindowFlags_NoNav);
    ui.list = ImGui::GetWindowDrawList();
    state.background = drawn_view.blank ? scene::rgb(0) : ui.theme.background;
    if (drawn_view.blank) {
        ImGui::End();
    } else if (layout.too_small) {
        too_small(drawn_view, ui);
        ImGui::End();
    } else {
        if (drawn_view.compare) {
            compare_frame(app, ui, halves, scale);
        } else {
            obey_pointer(app, ui, "scene", ui.layout.scene, state.scene);
            draw_scene(app, ui, scale);
        }
        if (drawn_view.compare) {
            // drawn
        } else if (drawn_view.presenter && !drawn_view.scene_only) {
            presenter(app, ui);
        } else if (!drawn_view.scene_only) {
            ui.ground({layout.left, layout.caption, layout.code, layout.result, layout.bottom});
            top_bar(app, ui);
            if (layout.left.w > 0)
                left_card(app, ui);
            if (layout.caption.w > 0)
                caption(app, ui);
            if (layout.code.w > 0)
                code_panel(app, ui);
            if (layout.result.w > 0)
                result_card(app, ui);
            bottom_card(app, ui);
        }
        ImGui::End();
        if (topmost == Scope::panels && !drawn_view.scene_only)
            inspector_card(app, ui);
        notices(app, ui);
        if (topmost == Scope::menu) {
            ui.scope = Scope::menu;
            beside_menu(app);
            menus(app, ui);
        } else if (topmost == Scope::dialog) {
            ui.scope = Scope::dialog;
            dialogs(app, ui);
        }
        ui.draw_tip(float(drawn_view.width), float(drawn_view.height));
    }
    ImGui::PopStyleColor(2);
    ImGui::PopStyleVar(5);
    if (state.focus.scope == topmost)
        state.focus.stops = state.focus.next_stops;
    const bool keeping = keep_changes(app, seconds);
    // Fast typing takes ImGui several frames.
    const bool input_waits = !ImGui::GetCurrentContext()->InputEventsQueue.empty();
    return app.playback.playing || input_waits || state.work.busy() || state.writing.busy() ||
           state.probe.busy() || state.study.busy() || keeping || state.dragging_time ||
           app.view.ui_scale != drawn_view.ui_scale || app.view.theme != drawn_view.theme ||
           app.view.presenter != drawn_view.presenter ||
           (app.view.presenter && state.persist && state.pointer_still <= 2);
}

}  // namespace auditorium
