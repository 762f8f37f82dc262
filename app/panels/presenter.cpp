// Presenter mode: one caption, the timeline, how many lanes work, which step. Nothing else, and nothing
// small.
#include <fmt/format.h>

#include <algorithm>

#include "app/panels/panels.h"
#include "app/panels/state.h"

namespace auditorium::panels {

void presenter(App& app, Ui& ui) {
    App::Panels& state = *app.panels;
    const Rect card = ui.layout.bottom;
    const Type& type = ui.layout.type;
    const scene::Theme& theme = ui.theme;
    ui.fill(card, theme.panel);
    ui.line({card.x, card.y}, {card.x + card.w, card.y}, theme.hairline);
    const float x = card.x + ui.layout.gutter, width = card.w - 2 * ui.layout.gutter;
    const Narration& said = panels::said(state.run, state.beat);
    const StepFacts& f = state.beat.facts;

    const float foot = card.y + card.h - type.heading * 1.1f;
    const float bar = std::clamp(card.h * 0.25f, 24.f, 52.f);
    const float bar_top = foot - type.heading * 0.5f - 16 - bar;
    // A long caption in a small window takes a second line or smaller letters, never fewer words.
    float size = type.display;
    std::vector<std::string> lines = ui.wrap(Font::semibold, size, said.caption, width);
    while (size > 14 && float(lines.size()) * size * 1.25f > bar_top - card.y - 10) {
        size -= 1;
        lines = ui.wrap(Font::semibold, size, said.caption, width);
    }
    float y = (card.y + bar_top) / 2 - float(lines.size() - 1) * size * 0.625f + 2;
    for (const std::string& line : lines) {
        ui.text({x, y}, line, size, Font::semibold, theme.text1);
        y += size * 1.25f;
    }
    timeline(app, ui, {x - 4, bar_top, width + 4, bar}, true);

    const bool cap = f.number == 0 || f.number > f.steps;
    ui.text({x, foot},
            cap ? fmt::format("{} {}", f.threads, f.threads == 1 ? "researcher" : "researchers")
                : fmt::format("{} of {} working", f.active, f.threads),
            type.heading, Font::semibold, theme.work);
    ui.text({x + width, foot},
            cap ? fmt::format("{} steps", f.steps) : fmt::format("Step {} of {}", f.number, f.steps),
            type.heading, Font::regular, theme.text2, Align::right);
}

}  // namespace auditorium::panels
