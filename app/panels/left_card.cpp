// Narration of the step at the playhead and, anchored to the bottom, its facts. In a narrow window the same
// words become a caption under the scene.
#include <fmt/format.h>

#include <algorithm>

#include "app/panels/panels.h"
#include "app/panels/state.h"
#include "kernels/catalogue.h"

namespace auditorium::panels {
namespace {

struct Row {
    std::string label, value;
    enum class Mark { none, bar, pips, rope_pips } mark = Mark::none;
    int part = 0, of = 1;
};

std::vector<Row> rows_of(const App& app, const StepFacts& f) {
    std::vector<Row> rows;
    const bool cap = f.number == 0 || f.number > f.steps;
    if (!cap) {
        rows.push_back(
            {"Active lanes", fmt::format("{}/{}", f.active, f.threads), Row::Mark::bar, f.active, f.threads});
        rows.push_back({"Warps issuing", fmt::format("{}/{}", f.warps_issuing, f.warps), Row::Mark::pips,
                        f.warps_issuing, f.warps});
        rows.push_back({"Rows at the rope", fmt::format("{}/{}", f.at_rope, f.present), Row::Mark::rope_pips,
                        f.at_rope, std::max(1, f.present)});
    }
    if (f.barriers > 0)
        rows.push_back({f.number > f.steps ? "Barriers" : "Barrier",
                        f.barrier > 0 ? fmt::format("{}/{}", f.barrier, f.barriers)
                                      : fmt::format("{}/{}", cap ? 0 : f.barriers, f.barriers),
                        Row::Mark::rope_pips, f.barrier > 0 ? f.barrier : (cap ? 0 : f.barriers),
                        f.barriers});
    if (f.shuffles)
        rows.push_back({"Results that count", fmt::format("{}/{}", f.results_that_count, f.results),
                        Row::Mark::bar, f.results_that_count, std::max(1, f.results)});
    rows.push_back({"Bank conflicts", fmt::format("{}", f.conflicts)});
    if (f.shuffles && f.wavefronts_ideal == 0) {
        rows.push_back({"Shared wavefronts", "0"});
    } else {
        rows.push_back({"Wavefronts, ideal", fmt::format("{}", f.wavefronts_ideal)});
        rows.push_back({"Wavefronts, actual", fmt::format("{}", f.wavefronts)});
    }
    if (f.number > f.steps)
        rows.push_back(
            {"Lane efficiency", fmt::format("{:.0f}%", 100 * app.shown.analysis.totals.lane_efficiency())});
    return rows;
}

void bar(Ui& ui, Rect r, float part, Color color) {
    ui.fill(r, ui.theme.raised, r.h / 2);
    if (part > 0)
        ui.fill({r.x, r.y, std::max(r.h, r.w * part), r.h}, color, r.h / 2);
}

void pips(Ui& ui, Rect r, const Row& row, Color color) {
    if (row.of > 9) {
        bar(ui, r, float(row.part) / float(row.of), color);
        return;
    }
    // Those at the rope come from the back rows, so they fill from the right.
    const float width = std::min(6.f, (r.w - 2 * float(row.of - 1)) / float(row.of));
    for (int i = 0; i < row.of; ++i) {
        const bool on = row.mark == Row::Mark::rope_pips && row.label.starts_with("Rows")
                            ? i >= row.of - row.part
                            : i < row.part;
        ui.fill({r.x + float(i) * (width + 2), r.y - 1, width, r.h + 2}, on ? color : ui.theme.raised, 1.5f);
    }
}

std::string context(const App& app) {
    const trace::Trace& trace = app.shown.trace;
    const kernels::Kernel* kernel = kernels::find(trace.config.kernel);
    std::string text = kernel ? std::string(kernel->title) : trace.config.kernel;
    const int s = app.panels->beat.span - 1;
    if (kernel && !kernel->correct)
        text += " · wrong on purpose";
    else if (s >= 0 && s < int(trace.steps.size())) {
        switch (phase_of(trace.steps[s].kind)) {
            case Phase::write:
                text += " · write";
                break;
            case Phase::cuts:
                text += " · cuts";
                break;
            case Phase::council:
                text += " · council";
                break;
            case Phase::champion:
                text += " · champion";
                break;
            default:
                break;
        }
    }
    return text;
}

// Whole paragraphs, then whole sentences, that fit into `height`; an empty line is half a line high.
float height_of(const Ui& ui, const std::vector<std::string>& lines, float size) {
    float height = 0;
    for (const std::string& line : lines)
        height += ui.line_height(size) * (line.empty() ? 0.5f : 1.f);
    return height;
}

std::vector<std::string> fitting_body(const Ui& ui, std::string body, float width, float height, float size) {
    while (true) {
        std::string spaced;
        for (const char c : body)
            spaced += c == '\n' ? std::string("\n\n") : std::string(1, c);
        std::vector<std::string> lines = ui.wrap(Font::regular, size, spaced, width);
        if (height_of(ui, lines, size) <= height || body.empty())
            return lines;
        // First without the gaps, then with fewer sentences.
        if (const std::size_t gap = body.find('\n'); gap != std::string::npos) {
            body[gap] = ' ';
            continue;
        }
        const std::size_t end = body.find_last_of('.', body.size() - 2);
        if (end == std::string::npos || body.size() < 2)
            return {};
        body.resize(end + 1);
    }
}

}  // namespace

void left_card(App& app, Ui& ui) {
    App::Panels& state = *app.panels;
    const Rect card = ui.layout.left;
    const Type& type = ui.layout.type;
    const scene::Theme& theme = ui.theme;
    const float pad = ui.layout.pad, inner = card.w - 2 * pad;

    const StepFacts& facts = state.beat.facts;
    std::vector<Row> rows = rows_of(app, facts);
    const bool tight = card.h < 420;
    const float row = tight ? 19 : type.label * 2.05f;
    const std::string result = ui.layout.result.w > 0 ? "" : result_line(app);
    if (!result.empty())
        rows.push_back({"Result", result});
    const float facts_height = row * (float(rows.size()) + 1) + 10;
    const float facts_top = card.y + card.h - pad - facts_height + 4;

    float y = card.y + pad + type.label * 0.55f;
    ui.text({card.x + pad, y}, context(app), type.label, Font::regular, theme.text3, Align::left, inner,
            true);
    y += type.label * 0.8f + 8;

    const Narration& said = panels::said(state.run, state.beat);
    const float room = facts_top - y - 14;
    if (state.card.id != state.run.id || state.card.span != state.beat.span ||
        state.card.stand != state.beat.stand || state.card.width != inner || state.card.height != room) {
        state.card = {state.run.id, state.beat.span, state.beat.stand, inner, room, {}, {}};
        state.card.headline = ui.wrap(Font::semibold, type.display, said.headline, inner);
        const float headline = float(state.card.headline.size()) * type.display * 1.22f + 6;
        state.card.body = fitting_body(ui, said.body, inner, room - headline, type.body);
    }
    for (const std::string& text : state.card.headline) {
        y += type.display * 0.61f;
        ui.text({card.x + pad, y}, text, type.display, Font::semibold, theme.text1);
        y += type.display * 0.61f;
    }
    y += 6;
    for (const std::string& text : state.card.body) {
        if (text.empty()) {
            y += ui.line_height(type.body) / 2;
            continue;
        }
        y += ui.line_height(type.body) / 2;
        ui.text({card.x + pad, y}, text, type.body, Font::regular, theme.text2);
        y += ui.line_height(type.body) / 2;
    }

    y = facts_top;
    ui.line({card.x + pad, y}, {card.x + card.w - pad, y}, theme.hairline);
    y += row * 0.5f + 10;
    const bool cap = facts.number == 0 || facts.number > facts.steps;
    ui.text({card.x + pad, y},
            facts.number == 0   ? std::string("Before the first step")
            : cap               ? std::string("The whole run")
            : said.call.empty() ? std::string("This step")
                                : "This step, " + said.call,
            type.label, Font::regular, theme.text3);
    ui.text({card.x + card.w - pad, y},
            cap ? fmt::format("{} steps", facts.steps) : fmt::format("{} of {}", facts.number, facts.steps),
            type.label, Font::mono_semibold, theme.text2, Align::right);
    for (const Row& r : rows) {
        y += row;
        ui.text({card.x + pad, y}, r.label, type.label, Font::regular, theme.text2);
        ui.text({card.x + card.w - pad, y}, r.value, type.label, Font::mono_semibold, theme.text1,
                Align::right);
        if (!ui.layout.pips || r.mark == Row::Mark::none)
            continue;
        const Rect mark{card.x + pad + inner * 0.49f, y - 3, inner * 0.22f, 6};
        if (r.mark == Row::Mark::bar)
            bar(ui, mark, float(r.part) / float(r.of), theme.work);
        else
            pips(ui, mark, r, r.mark == Row::Mark::rope_pips ? theme.rope : theme.work);
    }
}

void caption(App& app, Ui& ui) {
    App::Panels& state = *app.panels;
    const Rect card = ui.layout.caption;
    const Type& type = ui.layout.type;
    const Narration& said = panels::said(state.run, state.beat);
    const StepFacts& facts = state.beat.facts;
    const float x = card.x + ui.layout.pad, width = card.w - 2 * ui.layout.pad;
    float y = card.y + 10 + type.display * 0.5f;
    const bool cap = facts.number == 0 || facts.number > facts.steps;
    std::string right =
        cap ? fmt::format("{} steps", facts.steps) : fmt::format("{} of {}", facts.number, facts.steps);
    if (ui.layout.result.w <= 0 && facts.number > facts.steps)
        right = result_line(app);
    const float taken = ui.text({card.x + card.w - ui.layout.pad, y}, right, type.label, Font::mono_semibold,
                                ui.theme.text2, Align::right);
    const std::vector<std::string> head =
        ui.wrap(Font::semibold, type.display, said.headline, width - taken - 12);
    if (!head.empty())
        ui.text({x, y}, head.size() == 1 ? head[0] : said.headline, type.display, Font::semibold,
                ui.theme.text1, Align::left, width - taken - 12, true);
    y += type.display * 0.5f + 6;
    const std::vector<std::string> lines =
        fitting_body(ui, said.caption, width, card.y + card.h - y - 6, type.body);
    for (const std::string& text : lines) {
        y += ui.line_height(type.body) / 2;
        ui.text({x, y}, text, type.body, Font::regular, ui.theme.text2);
        y += ui.line_height(type.body) / 2;
    }
}

}  // namespace auditorium::panels
