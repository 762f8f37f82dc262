// Transport and timeline.
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "app/panels/compare_view.h"
#include "app/panels/panels.h"
#include "app/panels/state.h"

namespace auditorium::panels {

PhaseColors colors_of(Phase phase, const scene::Theme& t) {
    switch (phase) {
        case Phase::write:
            return {t.write_fill, t.write_ink};
        case Phase::cuts:
            return {t.cut_fill, t.cut_ink};
        case Phase::council:
            return {t.shuffle_fill, t.shuffle_ink};
        case Phase::champion:
            return {t.champion_fill, t.champion_ink};
        case Phase::cap:
            return {t.raised, t.text3};
        case Phase::other:
            break;
    }
    return {t.raised, t.text1};
}

namespace {

using playback::Playback;

constexpr float most_pitch = 14;  // of the lanes

bool round_button(Ui& ui, const std::string& name, Point c, float radius, bool strong,
                  const std::string& says) {
    const Rect r{c.x - radius, c.y - radius, 2 * radius, 2 * radius};
    const Press p = ui.press(name, r);
    ui.says(p, r, says);
    if (strong) {
        ui.disc(c, radius, p.hovered ? mix(ui.theme.work, ui.theme.focus, 0.2f) : ui.theme.work);
    } else {
        if (p.hovered)
            ui.disc(c, radius, ui.theme.raised);
        ui.ring(c, radius, ui.theme.edge, 1);
    }
    if (p.focused)
        ui.ring(c, radius + 3, ui.theme.focus, 2);
    return p.pressed;
}

void triangle(Ui& ui, Point c, float size, float direction, Color color) {
    ui.polygon({{c.x - direction * size * 0.5f, c.y - size * 0.62f},
                {c.x + direction * size * 0.62f, c.y},
                {c.x - direction * size * 0.5f, c.y + size * 0.62f}},
               color);
}

void bar(Ui& ui, Point c, float size, Color color) {
    ui.fill({c.x - size * 0.11f, c.y - size * 0.62f, size * 0.22f, size * 1.24f}, color);
}

}  // namespace

void transport(App& app, Ui& ui) {
    const Rect r = ui.layout.transport;
    const Type& type = ui.layout.type;
    const scene::Theme& theme = ui.theme;
    Playback& play = app.playback;
    const playback::Timeline& timeline = clock_of(app);
    const float unit = type.label / 13;  // the buttons follow the type
    // Without lanes the speeds stand close below the buttons, at the foot.
    const bool low = ui.layout.speeds && r.h < 110;
    const float speed_height = low ? 18 : 24, foot = 15;
    const float room = low ? r.h - foot - speed_height / 2 - 5 : r.h;  // for the buttons
    const float y = low ? r.y + 2 + room / 2 : ui.layout.speeds ? r.y + 39 * unit : r.y + r.h / 2;
    const float small = 16.5f * unit, large = std::min(24 * unit, room / 2 - (low ? 2 : 4));
    const float start = r.x + ui.layout.pad + small + 2;
    const std::array<float, 5> x = {start, start + 44 * unit, start + 98 * unit, start + 152 * unit,
                                    start + 196 * unit};
    const Color ink = theme.text1;

    if (round_button(ui, "first", {x[0], y}, small, false, "First (Home)"))
        playback::first(play, timeline);
    bar(ui, {x[0] - 6 * unit, y}, 11 * unit, ink);
    triangle(ui, {x[0] - 0.5f * unit, y}, 8 * unit, -1, ink);
    triangle(ui, {x[0] + 6 * unit, y}, 8 * unit, -1, ink);

    if (round_button(ui, "back", {x[1], y}, small, false, "One step back (Left)"))
        playback::step_back(play, timeline);
    bar(ui, {x[1] - 5 * unit, y}, 11 * unit, ink);
    triangle(ui, {x[1] + 2 * unit, y}, 11 * unit, -1, ink);

    if (round_button(ui, "play", {x[2], y}, large, true, play.playing ? "Pause (Space)" : "Play (Space)"))
        playback::toggle(play, timeline);
    const Color on = theme.background;
    if (play.playing) {
        ui.fill({x[2] - 7 * unit, y - 8 * unit, 5 * unit, 16 * unit}, on, 1);
        ui.fill({x[2] + 2 * unit, y - 8 * unit, 5 * unit, 16 * unit}, on, 1);
    } else {
        triangle(ui, {x[2] + 1 * unit, y}, 15 * unit, 1, on);
    }

    if (round_button(ui, "forward", {x[3], y}, small, false, "One step on (Right)"))
        step_on(app);
    triangle(ui, {x[3] - 2 * unit, y}, 11 * unit, 1, ink);
    bar(ui, {x[3] + 5 * unit, y}, 11 * unit, ink);

    if (round_button(ui, "last", {x[4], y}, small, false, "Last (End)"))
        playback::last(play, timeline);
    triangle(ui, {x[4] - 6 * unit, y}, 8 * unit, 1, ink);
    triangle(ui, {x[4] + 0.5f * unit, y}, 8 * unit, 1, ink);
    bar(ui, {x[4] + 6 * unit, y}, 11 * unit, ink);

    if (!ui.layout.speeds)
        return;
    const float sy = low ? r.y + r.h - foot : y + 50 * unit;
    float sx = r.x + ui.layout.pad + 2;
    if (r.w > 300)
        sx += ui.text({sx, sy}, "Speed", type.label, Font::regular, theme.text2) + 12;
    static constexpr std::array<double, 5> speeds = {0.25, 0.5, 1, 2, 4};
    const float height = speed_height;
    for (double speed : speeds) {
        const std::string label = fmt::format("{}x", speed);
        const float width = ui.width(Font::medium, type.small, label) + 14 * unit;
        const Rect at{sx, sy - height / 2, width, height};
        const Press p = ui.press("speed." + label, at);
        const bool chosen = play.speed == speed;
        if (chosen || p.hovered)
            ui.fill(at, theme.raised, 6);
        if (chosen)
            ui.outline(at, theme.edge, 6);
        ui.text({sx + width / 2, sy}, label, type.small, chosen ? Font::semibold : Font::regular,
                chosen ? theme.text1 : theme.text2, Align::centre);
        if (p.focused)
            ui.focus_ring(at, 6);
        if (p.pressed)
            play.speed = speed;
        sx += width + 2;
    }
    // Loop: an open ring with an arrow head.
    const Rect at{sx + 2, sy - height / 2, 28, height};
    const Press p = ui.press("loop", at);
    ui.says(p, at, play.loop ? "Repeat: on (R)" : "Repeat: off (R)");
    if (play.loop || p.hovered)
        ui.fill(at, theme.raised, 6);
    if (play.loop)
        ui.outline(at, theme.work, 6);
    const Point c{at.x + at.w / 2, sy};
    const Color loop_ink = play.loop ? theme.work : theme.text2;
    std::vector<Point> arc;
    for (int i = 0; i <= 16; ++i) {
        const float angle = -0.6f + float(i) / 16 * 5.1f;
        arc.push_back({c.x + 5.5f * std::cos(angle), c.y + 5.5f * std::sin(angle)});
    }
    ui.stroke(arc, loop_ink, 1.6f);
    const Point tip = arc.front();
    ui.polygon({{tip.x - 4, tip.y + 0.5f}, {tip.x + 1.2f, tip.y + 3.2f}, {tip.x + 2.4f, tip.y - 3}},
               loop_ink);
    if (p.focused)
        ui.focus_ring(at, 6);
    if (p.pressed)
        play.loop = !play.loop;
}

namespace {

// How the lanes of the warps stand: on whole pixels of the screen, or neighbours would differ in height.
struct LaneRows {
    float y = 0, pitch = 0, thick = 0;
};

LaneRows lane_rows(Rect r, int warps) {
    const float pixels = std::max(1.f, ImGui::GetIO().DisplayFramebufferScale.y);
    const float pitch = std::max(1.f, std::floor(std::min(r.h / float(warps), most_pitch) * pixels)) / pixels;
    const float thick = pitch > 3 ? pitch - 1.f / pixels - (pitch > 6 ? 0.5f : 0.f) : pitch;
    return {std::round(r.y * pixels) / pixels, pitch, thick};
}

}  // namespace

void lane_bars(Ui& ui, const std::vector<Bar>& all, int warps, int share, Rect r, float playhead) {
    const LaneRows rows = lane_rows(r, (warps + share - 1) / share);
    const float pitch = rows.pitch, thick = rows.thick;
    r.y = rows.y;
    const bool dense = pitch < 4;
    const scene::Theme& theme = ui.theme;
    // What is still to come is dim.
    const Color work = theme.work, dim_work = mix(theme.panel, theme.work, 0.45f);
    const Color rope = dense ? mix(theme.panel, theme.rope, 0.55f) : theme.rope;
    const Color dim_rope = mix(theme.panel, theme.rope, dense ? 0.22f : 0.45f);
    const Color queue = theme.conflict, dim_queue = mix(theme.panel, theme.conflict, 0.5f);
    const auto piece = [&](const Bar& bar, float x0, float x1, bool past) {
        const float y = r.y + pitch * float(bar.warp / share), middle = y + thick / 2;
        const float left = r.x + x0, width = x1 - x0;
        switch (bar.kind) {
            case Bar::Kind::full:
                ui.fill({left, y, width, thick}, past ? work : dim_work, 0);
                break;
            case Bar::Kind::half:
                ui.fill({left, y + (dense ? 0 : thick / 2), width, dense ? 1 : thick / 2},
                        past ? work : dim_work, 0);
                break;
            case Bar::Kind::notched:
                ui.fill({left, y, width, thick}, past ? queue : dim_queue, 0);
                break;
            case Bar::Kind::waiting:
                ui.fill({left, middle - 0.5f, width, 1}, past ? rope : dim_rope, 0);
                break;
            case Bar::Kind::idle:
                break;
        }
    };
    const auto draw = [&](const Bar& bar) {
        float x0 = bar.x0, x1 = bar.x1;
        if (bar.kind == Bar::Kind::idle) {
            if (share > 1 || (dense && bar.warp % 3 != 1))
                return;
            const float middle = r.y + pitch * float(bar.warp) + thick / 2;
            const float step = std::max(dense ? 8.f : 5.f, pitch);
            for (float x = x0 + 3; x < x1 - 1; x += step)
                ui.fill({r.x + x, middle - 0.5f, 1, 1}, theme.edge, 0);
            return;
        }
        if (bar.kind != Bar::Kind::waiting && x1 - x0 > 3)
            x1 -= 1;  // a hair between neighbours
        if (playhead > x0)
            piece(bar, x0, std::min(x1, playhead), true);
        if (playhead < x1)
            piece(bar, std::max(x0, playhead), x1, false);
        if (bar.kind == Bar::Kind::notched && bar.notches > 1) {
            const float part = (x1 - x0) / float(bar.notches);
            const float y = r.y + pitch * float(bar.warp / share);
            if (part > 2) {
                for (int i = 1; i < bar.notches; ++i)
                    ui.fill({r.x + x0 + part * float(i) - 0.5f, y, 1, thick}, theme.panel, 0);
            } else {  // too many to tell apart: every few, so that it still reads as a queue
                for (float x = x0 + 3; x < x1 - 1; x += 3)
                    ui.fill({r.x + x, y, 1, thick * 0.6f}, theme.panel, 0);
            }
        }
    };
    if (share == 1) {
        for (const Bar& bar : all)
            draw(bar);
        return;
    }
    // Of warps that share a lane the one that does most is seen: who works before who waits, a queue first.
    for (const Bar::Kind kind : {Bar::Kind::waiting, Bar::Kind::half, Bar::Kind::full, Bar::Kind::notched})
        for (const Bar& bar : all)
            if (bar.kind == kind)
                draw(bar);
}

namespace {

const TimelineLayout& laid_out(App& app, float width, const LabelSizes& sizes, float tick_size) {
    App::Panels& state = *app.panels;
    if (state.width.id != app.shown.id || state.width.width != width || state.width.text != sizes.text ||
        state.width.tick_size != tick_size) {
        PerWidth now;
        now.id = app.shown.id;
        now.width = width;
        now.text = sizes.text;
        now.tick_size = tick_size;
        now.timeline =
            lay_out_timeline(app.shown.trace, app.shown.analysis, app.shown.timeline, width, sizes);
        if (tick_size > 0)
            now.ticks = lay_out_ticks(app.shown.prepared.index, now.timeline, tick_size);
        state.width = std::move(now);
    }
    return state.width.timeline;
}

void group_labels(Ui& ui, const TimelineLayout& t, float x, float y) {
    const float size = ui.layout.type.small;
    for (const Group& group : t.groups) {
        const float room = group.x1 - group.x0 - 8;
        std::string label = group.label;
        if (ui.width(Font::regular, size, label) + 24 > room)
            label = group.short_label;
        const float width = ui.width(Font::regular, size, label);
        if (label.empty() || width > room)
            continue;
        const float middle = x + (group.x0 + group.x1) / 2;
        const Color line = ui.theme.hairline;
        if (width + 24 < room) {
            ui.line({x + group.x0 + 2, y}, {middle - width / 2 - 7, y}, line);
            ui.line({middle + width / 2 + 7, y}, {x + group.x1 - 2, y}, line);
        }
        ui.text({middle, y}, label, size, Font::regular, ui.theme.text2, Align::centre);
    }
}

// Whether the lanes' bars were measured; in the corner over the first cap, or, where that is too narrow,
// under the lanes' names.
void lanes_origin(Ui& ui, const TimelineLayout& t, float left, float x, float over, float beside) {
    float right = x + t.width;
    if (!t.groups.empty())
        right = x + t.groups.front().x0;
    const float size = ui.layout.type.small, room = over > 0 ? right - left - 8 : 0;
    std::string said = fmt::format("lanes: {}", t.origin);
    if (ui.width(Font::regular, size, said) > room)
        said = t.origin;
    if (ui.width(Font::regular, size, said) <= room)
        ui.text({left, over}, said, size, Font::regular, ui.theme.text3);
    else
        ui.text({x - 9 - ui.width(Font::mono, size, "W31") - 7, beside}, said, size, Font::regular,
                ui.theme.text3, Align::right);
}

// Which warps the trouble of a step is in. Where a lane is high enough its shape says which, else a hatched
// edge at the end of the step says that there is some.
void lane_marks(Ui& ui, const TimelineLayout& t, const Ticks& ticks, Rect r, int warps) {
    const LaneRows rows = lane_rows(r, warps);
    const Color purple = ui.theme.hazard;
    int step = -1, beside = 0;
    for (const LaneMark& mark : ticks.lanes) {
        const Segment& segment = t.segments[std::size_t(mark.step) + 1];
        beside = mark.step != step ? 0 : beside;
        step = mark.step;
        const float y = rows.y + rows.pitch * float(mark.first);
        const float bottom = rows.y + rows.pitch * float(mark.last) + rows.thick;
        if (rows.pitch >= 7) {
            const float size = std::min(9.f, rows.thick);
            const float x = r.x + (segment.x0 + segment.x1) / 2 + float(beside) * (size + 2);
            for (int warp = mark.first; warp <= mark.last; ++warp) {
                const float middle = rows.y + rows.pitch * float(warp) + rows.thick / 2;
                ui.fill({x - size / 2 - 2, middle - rows.thick / 2, size + 4, rows.thick}, ui.theme.panel);
                draw_tick(ui, mark.kind, {x, middle}, size);
            }
        } else {  // a strip with notches, through all its rows
            const float x = r.x + (segment.x0 + segment.x1) / 2 - 2 + float(beside) * 6;
            ui.fill({x - 1, y, 6, bottom - y}, ui.theme.panel);
            for (float at = y; at < bottom; at += 3)
                ui.fill({x, at, 4, std::min(2.f, bottom - at)}, purple);
        }
        // The next kind of this step stands beside it, not over it.
        if (&mark != &ticks.lanes.back() && (&mark + 1)->step == step && (&mark + 1)->kind != mark.kind)
            ++beside;
    }
}

void draw_ticks(Ui& ui, const PerWidth& laid, float y) {
    for (const Tick& tick : laid.ticks.ticks) {
        const Point middle{laid.x + tick.x, y};
        draw_tick(ui, tick.kind, middle, laid.tick_size);
        if (tick.more)  // a dot: the step has other trouble too
            ui.disc({middle.x + laid.tick_size * 0.5f + 2, middle.y - laid.tick_size * 0.4f}, 1.3f,
                    ui.theme.text2);
    }
}

void lanes(Ui& ui, const TimelineLayout& t, const trace::Trace& trace, Rect r, float playhead) {
    const int warps = trace.warps();
    const auto [top, pitch, thick] = lane_rows(r, warps);
    r.y = top;
    const scene::Theme& theme = ui.theme;
    const float size = ui.layout.type.small;
    ui.text({r.x - 9, r.y + std::max(pitch / 2, size / 2 - 2)}, "W0", size, Font::mono, theme.text3,
            Align::right);
    if (warps > 1 && pitch * float(warps) > 2 * size)
        ui.text({r.x - 9, r.y + pitch * (float(warps) - 0.5f)}, fmt::format("W{}", warps - 1), size,
                Font::mono, theme.text3, Align::right);
    lane_bars(ui, t.bars, warps, 1, r, playhead);
}

void diamond(Ui& ui, Point c, float size, Color color, Color around) {
    ui.polygon({{c.x, c.y - size - 2}, {c.x + size + 2, c.y}, {c.x, c.y + size + 2}, {c.x - size - 2, c.y}},
               around);
    ui.polygon({{c.x, c.y - size}, {c.x + size, c.y}, {c.x, c.y + size}, {c.x - size, c.y}}, color);
}

}  // namespace

void scrub_to(App& app, const Press& press, double time) {
    App::Panels& state = *app.panels;
    if (press.dragged) {
        if (!state.dragging_time)
            state.was_playing = app.playback.playing;
        state.dragging_time = true;
        app.playback.playing = false;
        playback::seek(app.playback, clock_of(app), time);
    }
    if (!press.held && state.dragging_time) {
        state.dragging_time = false;
        app.playback.playing = state.was_playing;
    }
}

void go_to_tick(App& app, const Tick& tick) {
    app.playback.stop_at = -1;
    playback::seek(app.playback, app.shown.timeline, time_of(tick, app.shown.timeline));
}

void next_tick(App& app, int direction) {
    if (app.view.compare)
        return next_tick_of_pair(app, direction);
    // Also where the timeline is too narrow for all of them, or not shown at all.
    const std::vector<inspector::Mark>& marks = app.shown.prepared.index.marks;
    const double now = app.playback.time;
    const Tick* best = nullptr;
    double best_time = 0;
    std::vector<Tick> all;
    for (const inspector::Mark& mark : marks)
        if (all.empty() || all.back().step != mark.step || all.back().kind != mark.kind)
            all.push_back({mark.step, mark.kind, 0, false});
    for (const Tick& tick : all) {
        const double time = time_of(tick, app.shown.timeline);
        const bool ahead = direction > 0 ? time > now + 1e-9 : time < now - 1e-9;
        if (ahead && (!best || (direction > 0 ? time < best_time : time > best_time))) {
            best = &tick;
            best_time = time;
        }
    }
    if (all.empty())
        notice(app, "This run has no bank conflict, no race, and no lost or undefined value to go to.",
               false);
    if (!best)
        return;
    app.playback.playing = false;
    go_to_tick(app, *best);
}

void timeline(App& app, Ui& ui, Rect area, bool presenter) {
    App::Panels& state = *app.panels;
    const scene::Theme& theme = ui.theme;
    const Type& type = ui.layout.type;
    const playback::Timeline& time = app.shown.timeline;
    const bool with_lanes = !presenter && ui.layout.gantt;
    const bool with_groups = !presenter && area.h >= 70;
    const float gutter = with_lanes ? ui.width(Font::mono, type.small, "W31") + 14 : 4;
    const Rect r{area.x + gutter, area.y, area.w - gutter, area.h};
    const float unit = type.label / 13;
    const float label_size = presenter ? type.label : type.small + 0.5f;
    const float diamond_size = presenter ? 6.f : 5.f * unit;
    const float beside_diamond = diamond_size + 2 + 3;   // with its rim
    const bool with_ticks = !presenter || area.h >= 36;  // where there is room below the segments
    const float tick_size = with_ticks ? std::round((presenter ? 11.f : 10.f) * unit) : 0;
    const TimelineLayout& t = laid_out(app, r.w, {label_size, beside_diamond}, tick_size);

    float y = r.y;
    if (with_groups) {
        group_labels(ui, t, r.x, r.y + 12 * unit);
        y = r.y + 25 * unit;
    } else if (!presenter) {
        y = r.y + (r.h - 24 * unit) / 2 - 4;
    }
    const float height = presenter ? r.h : 24 * unit;
    const float lanes_top = y + height + 9 * unit;
    const float lanes_bottom =
        std::min(area.y + area.h - 15 * unit, lanes_top + most_pitch * float(app.shown.trace.warps()));
    const float below = presenter ? y + height + 2 : with_lanes ? lanes_bottom : y + height;
    const float tick_y = below + 3 + tick_size / 2;
    state.width.x = r.x;
    state.width.tick_y = tick_y;
    if (with_lanes)
        lanes_origin(ui, t, area.x, r.x, with_groups ? r.y + 12 * unit : 0,
                     area.y + area.h - 15 * unit - type.small * 0.35f);

    // Scrubbing: press anywhere on segments or lanes and move.
    const bool any_ticks = !state.width.ticks.ticks.empty();
    const Rect scrub{r.x, y, r.w,
                     std::max((with_lanes ? lanes_bottom : y + height + (presenter ? 0 : 8)),
                              any_ticks ? tick_y + tick_size / 2 + 1 : 0) -
                         y};
    const Press press = ui.press("timeline", scrub);
    state.timeline_area = scrub;
    const float pointer = ImGui::GetIO().MousePos.x - r.x;
    const bool at_ticks = any_ticks && ImGui::GetIO().MousePos.y > tick_y - tick_size / 2 - 1;
    const int tick = press.hovered && at_ticks ? tick_at(state.width.ticks, pointer, tick_size) : -1;
    if (tick >= 0 && !state.dragging_time && ImGui::IsMouseClicked(ImGuiMouseButton_Left)) {
        app.playback.playing = false;
        go_to_tick(app, state.width.ticks.ticks[std::size_t(tick)]);
        state.on_tick = true;
    }
    if (state.on_tick) {
        state.on_tick = press.held;
    } else {
        scrub_to(app, press, t.time_of(time, std::clamp(pointer, 0.f, r.w)));
    }
    const float playhead = t.x_of(time, app.playback.time);
    const int current = playback::moment_at(time, app.playback.time).span;

    for (std::size_t i = 0; i < t.segments.size(); ++i) {
        const Segment& s = t.segments[i];
        const PhaseColors c = colors_of(s.phase, theme);
        const Rect box{r.x + s.x0 + 1, y, s.x1 - s.x0 - 2, height};
        const bool here = s.span == current;
        ui.fill(box, c.fill, 3);
        const float middle = y + height / 2 - (here && height > 20 ? 2.f : 0.f);
        const std::string* label = &s.label;
        const Font font = here ? Font::semibold : Font::medium;
        const LabelRoom room = label_room(t, i, beside_diamond);
        if (!s.label.empty() && ui.width(font, label_size, *label) > room.x1 - room.x0)
            label = &s.short_label;
        const float width = ui.width(font, label_size, *label);
        if (!label->empty() && width <= room.x1 - room.x0) {
            const float centre =
                std::clamp((s.x0 + s.x1) / 2, room.x0 + width / 2, std::max(room.x0, room.x1 - width / 2));
            ui.text({r.x + centre, middle}, *label, label_size, font, c.ink, Align::centre);
        }
        if (here) {
            const float inset = 4, length = std::max(0.f, playhead - s.x0 - inset);
            const Color ink = c.ink;
            ui.fill({box.x + inset, y + height - 5, box.w - 2 * inset, 2}, faded(ink, 0.35f), 1);
            ui.fill({box.x + inset, y + height - 5, std::min(length, box.w - 2 * inset), 2}, ink, 1);
        }
        if (press.hovered && pointer >= s.x0 && pointer < s.x1 && !here)
            ui.outline(box, theme.edge, 3, 1.5f);
    }
    if (with_lanes)
        lanes(ui, t, app.shown.trace, {r.x, lanes_top, r.w, lanes_bottom - lanes_top}, playhead);
    if (with_lanes)
        lane_marks(ui, t, state.width.ticks, {r.x, lanes_top, r.w, lanes_bottom - lanes_top},
                   app.shown.trace.warps());
    for (const Segment& s : t.segments) {
        if (s.span == current)
            ui.outline({r.x + s.x0 - 1, y - 2, s.x1 - s.x0 + 2, height + 4}, theme.focus, 4,
                       presenter ? 2.5f : 2);
    }
    for (const Segment& s : t.segments) {
        if (!s.barrier)
            continue;
        const bool past = playhead >= s.x1;
        const Color sound = s.mismatch ? theme.hazard : theme.rope;
        const Color rope = past ? sound : mix(theme.panel, sound, 0.7f);
        const float x = r.x + s.x1;
        ui.line({x, y - 3}, {x, with_lanes ? lanes_bottom : y + height + 3}, rope, 1.4f);
        diamond(ui, {x, y + height / 2}, diamond_size, sound, theme.panel);
        const float half = diamond_size + 2;
        ui.mark("barrier", {x - half, y + height / 2 - half, 2 * half, 2 * half});
    }
    // The segment that the inspector is asked about, and of a warp its lane.
    state.timeline_hovered.reset();
    if (press.hovered && !state.dragging_time && !t.segments.empty()) {
        const int span = t.segments[std::size_t(t.segment_at(std::clamp(pointer, 0.f, r.w)))].span;
        state.timeline_hovered = inspector::Thing{inspector::Thing::Kind::step, span, -1};
        const float below_top = ImGui::GetIO().MousePos.y - lanes_top;
        const LaneRows rows =
            lane_rows({r.x, lanes_top, r.w, lanes_bottom - lanes_top}, app.shown.trace.warps());
        const int warp = int(below_top / rows.pitch);
        if (with_lanes && below_top >= 0 && warp < app.shown.trace.warps() && span > 0 &&
            span < time.last_span())
            state.timeline_hovered->other = warp;
    }
    if (const inspector::Thing* asked = app.view.asked(); asked &&
                                                          asked->kind == inspector::Thing::Kind::step &&
                                                          std::size_t(asked->index) < t.segments.size()) {
        const Segment& s = t.segments[std::size_t(asked->index)];
        if (asked->other >= 0 && with_lanes) {
            const LaneRows rows =
                lane_rows({r.x, lanes_top, r.w, lanes_bottom - lanes_top}, app.shown.trace.warps());
            ui.outline(
                {r.x + s.x0, rows.y + rows.pitch * float(asked->other) - 1, s.x1 - s.x0, rows.thick + 2},
                theme.focus, 2, 1.5f);
        } else {
            ui.outline({r.x + s.x0, y - 1, s.x1 - s.x0, height + 2}, theme.focus, 4, 1.5f);
        }
    }
    const float x = r.x + playhead;
    if (presenter) {
        const float top = y + height + 4;
        ui.polygon({{x, top - 1}, {x + 6, top + 5}, {x + 6, top + 10}, {x - 6, top + 10}, {x - 6, top + 5}},
                   theme.focus);
    } else {
        const float bottom = with_lanes ? lanes_bottom + 3 : y + height + 4;
        ui.line({x, y + height + 2}, {x, bottom}, theme.focus, 2);
        ui.polygon({{x, bottom - 2},
                    {x + 5, bottom + 2},
                    {x + 5, bottom + 8},
                    {x - 5, bottom + 8},
                    {x - 5, bottom + 2}},
                   theme.focus);
    }
    draw_ticks(ui, state.width, tick_y);
    if (tick >= 0)
        ui.ring({r.x + state.width.ticks.ticks[std::size_t(tick)].x, tick_y}, tick_size / 2 + 3, theme.focus,
                1.5f);
    if (press.focused)
        ui.focus_ring({scrub.x, y - 3, scrub.w, height + 6}, 4);
}

void bottom_card(App& app, Ui& ui) {
    transport(app, ui);
    timeline(app, ui, ui.layout.timeline, false);
}

}  // namespace auditorium::panels
