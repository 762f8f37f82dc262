// The bottom card of the compare view: how the two are aligned, and what each does when, on one clock.
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "app/panels/compare_view.h"
#include "app/panels/panels.h"
#include "app/panels/state.h"

namespace auditorium::panels {
namespace {

using playback::PairMode;

void modes(App& app, Ui& ui, Rect r) {
    if (r.w <= 0)
        return;
    const Type& type = ui.layout.type;
    const scene::Theme& theme = ui.theme;
    const std::string why = why_no_race(app);
    struct Choice {
        PairMode mode;
        const char* name;
        const char* label;
    };
    static constexpr std::array<Choice, 3> choices = {{{PairMode::step, "mode.step", "Steps"},
                                                       {PairMode::phase, "mode.phase", "Phases"},
                                                       {PairMode::race, "mode.race", "Race"}}};
    const float width = std::min(84.f, r.w / 3);
    ui.outline({r.x, r.y, width * 3, r.h}, theme.edge, 6);
    for (std::size_t i = 0; i < choices.size(); ++i) {
        const Rect at{r.x + width * float(i), r.y, width, r.h};
        const bool enabled = choices[i].mode != PairMode::race || why.empty();
        const bool chosen = app.pair.mode == choices[i].mode;
        const Press press = ui.press(choices[i].name, at, enabled);
        if (chosen)
            ui.fill({at.x + 2, at.y + 2, at.w - 4, at.h - 4}, theme.work_soft, 4);
        else if (press.hovered)
            ui.fill({at.x + 2, at.y + 2, at.w - 4, at.h - 4}, theme.raised, 4);
        ui.text({at.x + at.w / 2, at.y + at.h / 2}, choices[i].label, type.small,
                chosen ? Font::semibold : Font::medium, enabled ? theme.text1 : theme.text3, Align::centre);
        if (press.focused)
            ui.focus_ring(at, 6);
        if (press.pressed) {
            set_pair_mode(app, choices[i].mode);
            fill_compare_caches(app);  // what follows in this frame is laid out for the new mode
        }
    }
}

// What the row of cycles is worth, in one line.
std::string note_of(const App& app) {
    const Compared& c = *app.compared;
    if (app.pair.mode != PairMode::race)
        return why_no_race(app);
    const trace::Origin &a = c.sides[0]->trace.origin, &b = c.sides[1]->trace.origin;
    if (a.device != b.device)
        return "Recorded on two kinds of GPU: their cycles are not of one clock.";
    const bool stamps[2] = {app.pair.cycles[0].source == playback::CycleSource::stamps,
                            app.pair.cycles[1].source == playback::CycleSource::stamps};
    const auto &x = c.sides[0]->trace.cycles, &y = c.sides[1]->trace.cycles;
    if (stamps[0] && stamps[1] && x && y)
        return fmt::format(
            "Measured stamps: the timed kernels take {:.0f} and {:.0f} cycles, the plain ones {:.0f} and "
            "{:.0f}. "
            "Within a step the split is modelled.",
            app.pair.cycles[0].total, app.pair.cycles[1].total, x->median, y->median);
    if (stamps[0] && stamps[1])
        return "Steps end where the stamps of their warps say; within a step the split is modelled.";
    if (stamps[0] || stamps[1])
        return fmt::format(
            "Stamps measured on the {}; on the other side only the total, the split is modelled.",
            stamps[0] ? "left" : "right");
    return "Totals are measured; the split between steps is modelled.";
}

// "lanes: a warp each, measured", "lanes: 2 and 4 warps each, left measured, right modelled", "lanes: a warp
// each, 4 on the left, measured".
std::string lanes_text(const PairLayout& t, const std::array<int, 2>& share) {
    const auto word = [&](std::size_t s) { return t.lanes[s].measured ? "measured" : "modelled"; };
    const std::string how = t.lanes[0].measured == t.lanes[1].measured
                                ? word(0)
                                : fmt::format("left {}, right {}", word(0), word(1));
    std::string many = share[0] == 1 ? "a warp each" : fmt::format("{} warps each", share[0]);
    if (share[0] != share[1] && std::min(share[0], share[1]) > 1)
        many = fmt::format("{} and {} warps each", share[0], share[1]);
    else if (share[0] != share[1])
        many = fmt::format("a warp each, {} on the {}", std::max(share[0], share[1]),
                           share[0] > share[1] ? "left" : "right");
    return fmt::format("lanes: {}, {}", many, how);
}

void flag(Ui& ui, Point foot, float height) {
    const float cell = height * 0.22f;
    ui.line({foot.x, foot.y}, {foot.x, foot.y - height}, ui.theme.text1, 1.4f);
    for (int row = 0; row < 3; ++row)
        for (int column = 0; column < 4; ++column)
            if ((row + column) % 2 == 0)
                ui.fill({foot.x + 1 + float(column) * cell, foot.y - height + float(row) * cell, cell, cell},
                        ui.theme.text1);
}

void segments(Ui& ui, const std::vector<PairSegment>& all, Rect r, int current, float playhead, bool race) {
    const scene::Theme& theme = ui.theme;
    const float size = std::max(10.f, std::min(ui.layout.type.small + 0.5f, r.h * 0.68f));
    for (const PairSegment& s : all) {
        const auto [fill, ink] = colors_of(s.phase, theme);
        const Rect box{r.x + s.x0 + 0.5f, r.y, std::max(1.f, s.x1 - s.x0 - 1), r.h};
        ui.fill(box, fill, std::min(3.f, box.w / 2));
        const bool here = s.span == current;
        const Font font = here ? Font::semibold : Font::medium;
        const std::string* label = &s.label;
        if (!label->empty() && ui.width(font, size, *label) > box.w - 8)
            label = &s.short_label;
        if (!label->empty() && ui.width(font, size, *label) <= box.w - 3)
            ui.text({box.x + box.w / 2, r.y + r.h / 2}, *label, size, font, ink, Align::centre);
        // Held: dots until the other side is there.
        for (float x = s.x1 + 5; !race && x < s.until - 3; x += 6)
            ui.fill({r.x + x, r.y + r.h / 2 - 1, 2, 2}, theme.text3);
    }
    for (const PairSegment& s : all) {
        if (s.span == current)
            ui.outline({r.x + s.x0 - 0.5f, r.y - 1.5f, std::max(2.f, s.x1 - s.x0 + 1), r.h + 3}, theme.focus,
                       4, 2);
    }
    for (const PairSegment& s : all) {
        if (!s.barrier)
            continue;
        const Color rope = playhead >= s.x1 ? theme.rope : mix(theme.panel, theme.rope, 0.7f);
        ui.line({r.x + s.x1, r.y - 1}, {r.x + s.x1, r.y + r.h + 1}, rope, 1.6f);
    }
}

// From y0 down to y1, over every bar and over no word: it breaks off where one of those drawn since `first`
// stands.
void playhead_line(Ui& ui, std::size_t first, float x, float y0, float y1) {
    std::vector<Rect> words;
    for (std::size_t i = first; i < ui.drawn.size(); ++i) {
        const Drawn& d = ui.drawn[i];
        if (!d.control && !d.mark && d.area.x - 3 < x && x < d.area.x + d.area.w + 3)
            words.push_back(d.area);
    }
    std::sort(words.begin(), words.end(), [](const Rect& a, const Rect& b) { return a.y < b.y; });
    const auto piece = [&](float from, float to) {
        if (to - from < 2)
            return;
        ui.line({x, from}, {x, to}, ui.theme.focus, 2);
        ui.mark("playhead", {x - 1, from, 2, to - from});
    };
    for (const Rect& word : words) {
        piece(y0, std::min(word.y - 1, y1));
        y0 = std::max(y0, word.y + word.h + 1);
    }
    piece(y0, y1);
}

}  // namespace

void next_tick_of_pair(App& app, int direction) {
    bool any = false;
    double best = -1;
    for (int s = 0; s < 2; ++s) {
        const Shown& shown = *app.compared->sides[std::size_t(s)];
        for (const inspector::Mark& mark : shown.prepared.index.marks) {
            any = true;
            const double at =
                playback::clock_time(app.pair, s, time_of({mark.step, mark.kind, 0, false}, shown.timeline));
            const bool ahead = direction > 0 ? at > app.playback.time + 1e-9 : at < app.playback.time - 1e-9;
            if (ahead && (best < 0 || (direction > 0 ? at < best : at > best)))
                best = at;
        }
    }
    if (!any)
        notice(app, "Neither side has a bank conflict, a race, or a lost or undefined value to go to.",
               false);
    if (best < 0)
        return;
    app.playback.playing = false;
    playback::seek(app.playback, app.pair.clock, best);
}

void compare_time(App& app, Ui& ui, const CompareLayout& layout) {
    App::Panels& state = *app.panels;
    const Compared& c = *app.compared;
    const scene::Theme& theme = ui.theme;
    const Type& type = ui.layout.type;
    if (ui.layout.transport.w > 0)
        transport(app, ui);
    modes(app, ui, layout.modes);

    const Rect area = ui.layout.timeline;
    const bool race = app.pair.mode == PairMode::race;
    const float label_width =
        std::max({ui.width(Font::regular, type.label, "cycles"), ui.width(Font::regular, type.label, "right"),
                  race ? ui.width(Font::mono, type.small, "W0–31") : 0.f}) +
        12;
    const float after = race ? ui.width(Font::mono, type.small, "99999") + 14 : 2;  // the flags
    const float x0 = area.x + label_width, width = std::max(40.f, area.w - label_width - after);
    CompareState& compare = state.compare;
    if (compare.layout.width != width)
        compare.layout = lay_out_pair(app.pair, side_of(*c.sides[0]), side_of(*c.sides[1]), width);
    const PairLayout& t = compare.layout;

    const std::string note = note_of(app);
    const float axis_h = type.small * 2;
    const float note_h = note.empty() ? 4 : type.small * 1.7f;
    const float foot_h = 8;  // of the playhead, below the rows and above the note
    const float top = area.y + 6 + axis_h, bottom = area.y + area.h - 4 - note_h - foot_h;
    const float pitch = (bottom - top) / 2;
    // In a race each side has its bar of steps and, where there is room below it, its warps' lanes.
    const float block_h = race ? pitch - 3 : std::min(28.f, pitch - 6);
    const float bar_h = std::max(14.f, type.small + 2), lanes_room = block_h - bar_h - 1;
    const bool with_lanes = race && !app.view.presenter && lanes_room >= 8;
    const float row_h = with_lanes ? bar_h : std::min(28.f, block_h);
    const auto row_y = [&](int side) {
        return top + pitch * float(side) + (pitch - (with_lanes ? block_h : row_h)) / 2;
    };
    const auto share_of = [&](int side) {
        return warps_a_lane(t.lanes[std::size_t(side)].warps, lanes_room, 3);
    };
    const float axis_y = area.y + 6 + axis_h * 0.5f;
    const float playhead = t.x_of(app.pair, app.playback.time);

    const std::size_t words_before = ui.drawn.size();
    const Rect scrub{x0, area.y + 4, width, bottom - area.y};
    const Press press = ui.press("timeline", scrub);
    scrub_to(app, press, t.clock_of(app.pair, std::clamp(ImGui::GetIO().MousePos.x - x0, 0.f, width)));

    // The axis: cycles, or the rows of the comparison.
    const std::string chip =
        race ? fmt::format("{:.0f}", app.playback.time * app.pair.cycles_per_second) : "";
    const float chip_w = chip.empty() ? 0 : ui.width(Font::mono_semibold, type.small, chip) + 14;
    const float chip_x = std::clamp(playhead, chip_w / 2, std::max(chip_w / 2, width - chip_w / 2));
    const auto clear_of_chip = [&](float x, float w) {
        return chip.empty() || x + w / 2 < chip_x - chip_w / 2 - 3 || x - w / 2 > chip_x + chip_w / 2 + 3;
    };
    ui.text({x0 - 12, axis_y},
            race                               ? "cycles"
            : app.pair.mode == PairMode::phase ? "row"
                                               : "step",
            type.label, Font::regular, theme.text2, Align::right);
    if (race) {
        const double most = app.pair.clock.duration * app.pair.cycles_per_second;
        const double tick = tick_step(most, width, 64);
        for (double at = 0; at <= most; at += tick) {
            const float x = t.x_of(app.pair, at / app.pair.cycles_per_second);
            ui.line({x0 + x, top - 2}, {x0 + x, bottom}, theme.hairline);
            const std::string text = fmt::format("{:.0f}", at);
            const float w = ui.width(Font::mono, type.small, text);
            if (clear_of_chip(x, w) && x - w / 2 > -label_width * 0.1f && x + w / 2 < width + after)
                ui.text({x0 + x, axis_y}, text, type.small, Font::mono, theme.text3, Align::centre);
        }
    } else {
        const int rows = int(app.pair.rows.size());
        const int now = playback::moment_at(app.pair.clock, app.playback.time).span;
        for (int i = 1; i < rows; ++i) {
            const float a = t.edges[std::size_t(i)], b = t.edges[std::size_t(i) + 1];
            ui.line({x0 + a, top - 2}, {x0 + a, bottom}, theme.hairline);
            if (i + 1 == rows)
                continue;  // done has no number
            const std::string text = fmt::format("{}", i);
            if (ui.width(Font::mono_semibold, type.small, text) <= b - a - 2)
                ui.text({x0 + (a + b) / 2, axis_y}, text, type.small,
                        i == now ? Font::mono_semibold : Font::mono, i == now ? theme.text1 : theme.text3,
                        Align::centre);
        }
    }
    for (int s = 0; s < 2; ++s) {
        const Rect row{x0, row_y(s), width, row_h};
        ui.text({x0 - 12, row.y + row_h / 2}, s == 0 ? "left" : "right", type.label, Font::regular,
                theme.text1, Align::right);
        segments(ui, t.sides[std::size_t(s)], row, side_moment(app, s).span, playhead, race);
        if (with_lanes) {
            const PairLanes& lanes = t.lanes[std::size_t(s)];
            lane_bars(ui, lanes.bars, lanes.warps, share_of(s), {x0, row.y + row_h + 1, width, lanes_room},
                      playhead);
            if (lanes_room > type.small)
                ui.text({x0 - 12, row.y + row_h + 1 + lanes_room / 2},
                        lanes.warps > 1 ? fmt::format("W0–{}", lanes.warps - 1) : "W0", type.small,
                        Font::mono, theme.text3, Align::right);
        }
        if (race && !t.sides[std::size_t(s)].empty()) {
            const float x = x0 + t.sides[std::size_t(s)].back().x1, h = std::min(28.f, block_h);
            flag(ui, {x + 2, row.y + h * 0.5f}, h * 0.6f);
            ui.text({x + 8, row.y + h * 0.74f}, fmt::format("{:.0f}", app.pair.cycles[std::size_t(s)].total),
                    std::min(type.small, h * 0.5f + 2), Font::mono, theme.text1);
        }
    }
    const float note_y = area.y + area.h - 4 - note_h / 2;
    float said = 0;
    if (with_lanes)
        said = 16 + ui.text({x0, note_y}, lanes_text(t, {share_of(0), share_of(1)}), type.small,
                            Font::regular, theme.text3, Align::left, area.w * 0.5f, true);
    if (!note.empty())
        ui.text({area.x + area.w, note_y}, note, type.small, Font::regular, theme.text3, Align::right,
                area.x + area.w - x0 - said, true);

    const float x = x0 + playhead;
    playhead_line(ui, words_before, x, race ? axis_y + type.small * 0.8f : top - 4, bottom + 1);
    ui.polygon({{x, bottom - 2},
                {x + 5, bottom + 2},
                {x + 5, bottom + foot_h},
                {x - 5, bottom + foot_h},
                {x - 5, bottom + 2}},
               theme.focus);
    ui.mark("playhead", {x - 5, bottom + 1, 10, foot_h - 1});
    if (!chip.empty()) {
        const Rect r{x0 + chip_x - chip_w / 2, axis_y - type.small * 0.8f, chip_w, type.small * 1.6f};
        ui.fill(r, theme.focus, 3);
        ui.text({r.x + r.w / 2, axis_y}, chip, type.small, Font::mono_semibold, theme.background,
                Align::centre);
    }
    if (press.focused)
        ui.focus_ring({scrub.x, top, scrub.w, bottom - top}, 4);
}

}  // namespace auditorium::panels
