// Scoreboard and the cards of the two halves.
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "analysis/verdict.h"
#include "app/panels/compare_view.h"
#include "app/panels/marks.h"
#include "app/panels/panels.h"
#include "app/panels/state.h"

namespace auditorium::panels {
namespace {

std::string score_text(const analysis::Score& score, const std::optional<double>& value) {
    if (!value)
        return "–";
    return score.percent ? fmt::format("{:.0f}%", 100 * *value) : fmt::format("{:.0f}", *value);
}

// The part of a bar's length that has happened.
double so_far(const compare::Tally& tally, const std::string& field) {
    if (field == "barriers")
        return tally.barriers;
    if (field == "wavefronts")
        return tally.wavefronts;
    if (field == "conflicts")
        return tally.conflicts;
    if (field == "lane_efficiency")
        return tally.efficiency();
    return tally.cycles;
}

// The largest letters, from `size` down, in which the text is no wider than `room`.
float fitting_size(const Ui& ui, Font font, float size, const std::string& text, float room) {
    while (size > 10 && ui.width(font, size, text) > room)
        size -= 0.5f;
    return size;
}

std::string short_title(const std::string& field) {
    return field == "wavefronts"        ? "Wavefronts"
           : field == "conflicts"       ? "Conflicts"
           : field == "lane_efficiency" ? "Lanes"
           : field == "cycles"          ? "Cycles"
                                        : "Barriers";
}

// "998", and where the run has two calls "998, 312".
std::string short_results(const Shown& shown) {
    std::string text;
    for (const analysis::CallResult& result : shown.analysis.results)
        text += (text.empty() ? "" : ", ") +
                (result.undefined
                     ? std::string("?")
                     : std::string(scene::short_number(result.bits, shown.trace.config.type).view()));
    return text.empty() ? "none" : text;
}

struct Cell {
    Rect area;
    float value_y = 0, bar_y = 0, size = 0;
    float left_x = 0, right_x = 0;  // middles of the two values
};

Cell cell_of(const Ui& ui, const CompareLayout& layout, Rect area) {
    const Type& type = ui.layout.type;
    Cell cell;
    cell.area = area;
    cell.size = std::min(type.display * 1.12f, area.h * 0.3f);
    cell.value_y = layout.bars ? area.y + area.h * 0.52f : area.y + area.h * 0.66f;
    cell.bar_y = area.y + area.h * 0.82f;
    cell.left_x = area.x + area.w * 0.27f;
    cell.right_x = area.x + area.w * 0.71f;
    return cell;
}

void title_of(Ui& ui, const CompareLayout& layout, const Cell& cell, std::string title,
              const std::string& shorter) {
    const Type& type = ui.layout.type;
    if (ui.width(Font::regular, type.label, title) > cell.area.w - 8)
        title = shorter;
    const float size = fitting_size(ui, Font::regular, type.label, title, cell.area.w - 4);
    ui.text({cell.area.x + cell.area.w / 2, cell.area.y + cell.area.h * (layout.bars ? 0.2f : 0.26f)}, title,
            size, Font::regular, ui.theme.text2, Align::centre);
}

using analysis::Verdict;

// Two values of one meaning with a tick beside the better, or a mark each.
using Marks = std::array<std::optional<Verdict>, 2>;

constexpr float smallest_verdict = 10;  // px; a verdict that is too wide gets smaller down to this

// "equal, bit for bit", "3 ULP apart", "right side is wrong".
std::string verdict_text(const Ui& ui, const Compared& c, float room) {
    const std::array<Verdict, 2> stands = {analysis::verdict_of(c.sides[0]->analysis),
                                           analysis::verdict_of(c.sides[1]->analysis)};
    const std::array<bool, 2> fine = {stands[0] != Verdict::wrong, stands[1] != Verdict::wrong};
    if (!fine[0] || !fine[1])
        return fine[0] ? "right side is wrong" : fine[1] ? "left side is wrong" : "both are wrong";
    const std::array<int, 2> found = {int(c.sides[0]->analysis.findings.size()),
                                      int(c.sides[1]->analysis.findings.size())};
    if (found[0] + found[1] > 0)
        return fmt::format("{} by luck: {} {}",
                           found[0] == 0   ? "right side"
                           : found[1] == 0 ? "left side"
                                           : "both",
                           found[0] + found[1], found[0] + found[1] == 1 ? "finding" : "findings");
    if (!c.difference.comparable)
        return difference_text(
            c.sides[0]->trace.config, c.sides[1]->trace.config, room,
            [&](const std::string& text) { return ui.width(Font::regular, smallest_verdict, text); });
    if (c.difference.ulp == 0)
        return "equal, bit for bit";
    if (c.difference.ulp == std::numeric_limits<std::int64_t>::max())
        return "infinitely apart";
    if (c.sides[0]->trace.config.type == trace::Type::i32)
        return fmt::format("{} apart", c.difference.ulp);
    return fmt::format("{} ULP apart", c.difference.ulp);
}

void values_of(Ui& ui, const Cell& cell, const std::array<std::string, 2>& texts, const Marks& marks,
               const std::array<bool, 2>& strong) {
    const scene::Theme& theme = ui.theme;
    const float room = cell.area.w * 0.42f;
    float size = cell.size;
    for (std::size_t s = 0; s < 2; ++s)
        size = std::min(size, fitting_size(ui, Font::mono_semibold, cell.size, texts[s],
                                           room - (marks[s] ? cell.size * 0.9f : 4)));
    for (std::size_t s = 0; s < 2; ++s) {
        const float x = s == 0 ? cell.left_x : cell.right_x;
        const float width = ui.width(strong[s] ? Font::mono_semibold : Font::mono, size, texts[s]);
        const float mark = size * 0.72f;
        const float left = x - width / 2 - (marks[s] ? mark * 0.6f : 0);
        ui.text({left, cell.value_y}, texts[s], size, strong[s] ? Font::mono_semibold : Font::mono,
                strong[s] ? theme.text1 : theme.text2);
        const Point c{left + width + mark * 0.85f, cell.value_y};
        if (marks[s])
            verdict_mark(ui, c, mark, *marks[s]);
    }
}

void score_cell(App& app, Ui& ui, const CompareLayout& layout, Rect area, const analysis::Score& score,
                const std::array<compare::Tally, 2>& now) {
    const Compared& c = *app.compared;
    const scene::Theme& theme = ui.theme;
    const Cell cell = cell_of(ui, layout, area);
    const std::string field = score.field;
    title_of(ui, layout, cell, score.name, short_title(field));
    const analysis::Better better = score.better();
    const std::array<bool, 2> wins = {better == analysis::Better::left, better == analysis::Better::right};
    values_of(ui, cell, {score_text(score, score.left), score_text(score, score.right)},
              {wins[0] ? std::optional(Verdict::right) : std::nullopt,
               wins[1] ? std::optional(Verdict::right) : std::nullopt},
              wins);
    if (!layout.bars)
        return;
    const double most = score.percent ? 1 : std::max(score.left.value_or(0), score.right.value_or(0));
    const float room = area.w * 0.4f, thick = 6;
    for (std::size_t s = 0; s < 2; ++s) {
        const std::optional<double>& value = s == 0 ? score.left : score.right;
        if (!value || most <= 0)
            continue;
        const float whole = std::max(2.f, room * float(*value / most));
        double part = so_far(now[s], field);
        // The split of a race's stamps may end elsewhere than the plain kernel's own median.
        if (field == "cycles" && c.tallies[s].cycles.total > 0)
            part *= *value / c.tallies[s].cycles.total;
        const float done = room * float(std::min(part, *value) / most);
        const float x = (s == 0 ? cell.left_x : cell.right_x) - room / 2;
        const Color color = wins[s] ? theme.champion : theme.text3;
        if (done > 0)
            ui.fill({x, cell.bar_y - thick / 2, std::min(done, whole), thick}, color, 1.5f);
        ui.outline({x, cell.bar_y - thick / 2, whole, thick}, color, 1.5f);
    }
}

void result_cell(App& app, Ui& ui, const CompareLayout& layout, Rect area) {
    const Compared& c = *app.compared;
    const Type& type = ui.layout.type;
    const Rect button{area.x + 4, area.y + 4, area.w - 8, area.h - 8};
    const Press press = ui.press("result", button);
    if (press.hovered)
        ui.fill(button, ui.theme.raised, 6);
    if (press.focused)
        ui.focus_ring({button.x + 2, button.y + 2, button.w - 4, button.h - 4}, 6);
    if (press.pressed)
        open_dialog(app, int(Dialog::trees));
    const Cell cell = cell_of(ui, layout, area);
    title_of(ui, layout, cell, c.difference.by_order ? "Result: two orders" : "Result", "Result");
    values_of(ui, cell, {short_results(*c.sides[0]), short_results(*c.sides[1])},
              {analysis::verdict_of(c.sides[0]->analysis), analysis::verdict_of(c.sides[1]->analysis)},
              {true, true});
    if (!layout.bars)
        return;
    const std::string verdict = verdict_text(ui, c, area.w - 16);
    const float size = fitting_size(ui, Font::regular, type.small, verdict, area.w - 16);
    ui.text({area.x + area.w / 2, cell.bar_y}, verdict, size, Font::regular, ui.theme.text2, Align::centre);
}

}  // namespace

playback::Moment side_moment(const App& app, int side) {
    return playback::moment_at(app.compared->sides[std::size_t(side)]->timeline,
                               playback::side_time(app.pair, side, app.playback.time));
}

void fill_compare_caches(App& app) {
    CompareState& state = app.panels->compare;
    const Compared& c = *app.compared;
    for (int s = 0; s < 2; ++s) {
        const Shown& shown = *c.sides[std::size_t(s)];
        const playback::Moment moment = side_moment(app, s);
        const playback::Span& span = shown.timeline.spans[std::size_t(moment.span)];
        const playback::Beat& beat = span.beats[std::size_t(moment.beat)];
        // It holds where its time stands still while the clock is within a row that the other one still has.
        const double later = std::min(app.playback.time + 1e-3, app.pair.clock.duration);
        const bool holds = app.pair.mode != playback::PairMode::race && app.playback.time > 0 &&
                           playback::side_time(app.pair, s, later) == moment.time &&
                           playback::side_time(app.pair, 1 - s, later) !=
                               playback::side_time(app.pair, 1 - s, app.playback.time);
        const int served = wavefront_at(beat, moment);
        HalfWords& words = state.words[std::size_t(s)];
        const bool over = moment.at_end || moment.beat_progress >= 1;
        if (words.id == c.id && words.span == moment.span && words.beat == moment.beat &&
            words.served == served && words.holds == holds && words.over == over)
            continue;
        words = {};
        words.id = c.id;
        words.span = moment.span;
        words.beat = moment.beat;
        words.served = served;
        words.holds = holds;
        words.over = over;
        words.title = run_title(shown.trace);
        words.name = name_beside(shown.trace, c.sides[std::size_t(1 - s)]->trace);
        words.round = round_text(shown.trace, moment.span, true);
        words.short_round = round_text(shown.trace, moment.span, false);
        words.recorded = shown.trace.origin.kind == trace::Origin::Kind::gpu;
        words.origin =
            fmt::format("{} thread{}, {}", shown.trace.config.block, shown.trace.config.block == 1 ? "" : "s",
                        words.recorded ? "recorded" : "simulated");
        if (!words.recorded && shown.trace.config.schedule.kind != trace::Schedule::Kind::lockstep)
            words.origin += ", turns " + trace::name_of(shown.trace.config.schedule);
        if (const int line = line_at(shown.trace, shown.timeline, moment); line > 0) {
            words.code = fmt::format("{}  {}", line, trace::trimmed(trace::source_line(shown.trace, line)));
        }
        words.said = saying_at(side_of(shown), moment, holds);
    }
    if (state.laid_out != c.id || state.laid_out_mode != app.pair.mode)
        state.layout = {};
    state.laid_out = c.id;
    state.laid_out_mode = app.pair.mode;
}

void compare_scores(App& app, Ui& ui, const CompareLayout& layout) {
    const Rect r = layout.score;
    if (r.w <= 0)
        return;
    const Compared& c = *app.compared;
    const Type& type = ui.layout.type;
    const scene::Theme& theme = ui.theme;
    std::array<compare::Tally, 2> now;
    for (std::size_t s = 0; s < 2; ++s)
        now[s] = compare::tally_at(c.tallies[s], side_of(*c.sides[s]), side_moment(app, int(s)));
    float x = r.x + ui.layout.pad;
    const bool legend = layout.bars && r.w >= 900;
    if (legend) {
        const float legend_width = std::max(ui.width(Font::semibold, type.heading, "Scoreboard"),
                                            36 + ui.width(Font::regular, type.small, "whole run")) +
                                   22;
        ui.text({x, r.y + r.h * 0.25f}, "Scoreboard", type.heading, Font::semibold, theme.text1);
        const float y0 = r.y + r.h * 0.54f, y1 = r.y + r.h * 0.8f;
        ui.outline({x, y0 - 3, 26, 6}, theme.text3, 1.5f);
        ui.text({x + 34, y0}, "whole run", type.small, Font::regular, theme.text2);
        ui.fill({x, y1 - 3, 26, 6}, theme.text3, 1.5f);
        ui.text({x + 34, y1}, "so far", type.small, Font::regular, theme.text2);
        x += legend_width;
    }
    const float width = (r.x + r.w - 4 - x) / float(c.scores.size() + 1);
    for (std::size_t i = 0; i <= c.scores.size(); ++i) {
        const Rect cell{x + width * float(i), r.y, width, r.h};
        if (i > 0 || legend)
            ui.line({cell.x, r.y + 14}, {cell.x, r.y + r.h - 14}, theme.hairline);
        if (i < c.scores.size())
            score_cell(app, ui, layout, cell, c.scores[i], now);
        else
            result_cell(app, ui, layout, cell);
    }
}

void compare_halves(App& app, Ui& ui, const CompareLayout& layout) {
    const Type& type = ui.layout.type;
    const scene::Theme& theme = ui.theme;
    for (std::size_t s = 0; s < 2; ++s) {
        const HalfWords& words = app.panels->compare.words[s];
        const Rect head = layout.head[s], say = layout.say[s];
        if (head.h <= 0)
            continue;
        const float pad = std::max(10.f, ui.layout.pad);
        const float left = head.x + pad, right = head.x + head.w - pad;
        const float title_y = layout.code ? head.y + 9 + type.display * 0.6f : head.y + head.h / 2;
        // Where no chips say what tells the sides apart, the title does.
        const std::string& name = layout.code ? words.title : words.name;
        const float size = type.display * 0.86f, title = ui.width(Font::semibold, size, name);
        const bool scene_only = app.view.scene_only;
        const std::string& beside = scene_only ? words.origin : words.round;
        const std::string& shorter = scene_only ? beside : words.short_round;
        const bool both =
            layout.code || title + 14 + ui.width(Font::regular, type.label, shorter) <= right - left;
        const float title_room = std::min(title, (right - left) * (layout.code ? 0.62f : 1.f));
        ui.text({left, title_y}, name, size, Font::semibold, theme.text1, Align::left, title_room + 1, true);
        const float room = right - left - title_room - 14;
        const std::string& round = ui.width(Font::regular, type.label, beside) <= room ? beside : shorter;
        if (both && ui.width(Font::regular, type.label, round) <= room)
            ui.text({right, title_y}, round, type.label, Font::regular, theme.text2, Align::right);
        if (layout.code) {
            const float y = head.y + head.h - 4 - type.code * 0.8f;
            const float origin = ui.width(Font::regular, type.small, words.origin);
            const float origin_x = right - origin;
            ui.text({origin_x, y}, words.origin, type.small, Font::regular, theme.text3);
            if (words.recorded)
                ui.disc({origin_x - 9, y}, 3.4f, theme.champion);
            else
                ui.ring({origin_x - 9, y}, 3.2f, theme.text2, 1.4f);
            if (!words.code.empty())
                ui.text({left, y}, words.code, type.code, Font::mono, theme.text2, Align::left,
                        origin_x - 24 - left, true);
        }
        if (say.w > 0 && !words.said.text.empty()) {
            const Color color = words.said.tone == Tone::conflict  ? theme.conflict_text
                                : words.said.tone == Tone::good    ? theme.champion
                                : words.said.tone == Tone::waiting ? theme.rope_text
                                                                   : theme.text1;
            const float size = fitting_size(ui, Font::semibold, type.body, words.said.text, say.w - 2 * pad);
            ui.text({say.x + say.w / 2, say.y + say.h / 2 - 2}, words.said.text, size, Font::semibold, color,
                    Align::centre, say.w - 2 * pad, true);
        }
    }
}

}  // namespace auditorium::panels
