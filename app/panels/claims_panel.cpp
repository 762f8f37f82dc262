// "What they say, what it did": sentences that are commonly said, each beside what its recordings show. Made
// in the background when it is first opened.
#include <imgui.h>

#include <algorithm>

#include "app/claims/claims.h"
#include "app/compare/recordings.h"
#include "app/panels/claims_panel.h"
#include "app/panels/panels.h"
#include "app/panels/state.h"

namespace auditorium::panels {
namespace {

using claims::Claim;

constexpr float pad = 20, badge = 104, gap_of_claims = 22;

// How one claim is broken into lines at a width.
ClaimLines lines_of(const Ui& ui, const Claim& claim, float width) {
    const Type& type = ui.layout.type;
    ClaimLines lines;
    lines.said = ui.wrap(Font::semibold, type.label, claim.said, width);
    const auto part = [&](const char* head, const std::string& text) {
        if (!text.empty())
            lines.parts.push_back({head, ui.wrap(Font::regular, type.small, text, width - 74)});
    };
    part("Trace", claim.trace);
    part("Hardware", claim.hardware);
    part("Device", claim.device);
    float height = float(lines.said.size()) * type.label * 1.4f + 4;
    for (const auto& p : lines.parts)
        height += float(p.lines.size()) * type.small * 1.4f + 2;
    lines.height = std::max(height, claim.show.empty() ? 0.f : 2 * 28.f) + gap_of_claims;
    return lines;
}

// The verdict as a shape and a word: tick, half disc, cross, question mark.
void verdict(Ui& ui, Point at, claims::Verdict verdict) {
    const scene::Theme& theme = ui.theme;
    switch (verdict) {
        case claims::Verdict::holds:
            ui.stroke({{at.x - 6, at.y}, {at.x - 2, at.y + 4}, {at.x + 6, at.y - 5}}, theme.champion, 2.2f);
            break;
        case claims::Verdict::partly:
            ui.ring(at, 6, theme.rope, 1.6f);
            ui.fill({at.x - 6, at.y - 0.5f, 12, 2}, theme.rope);
            ui.polygon({{at.x - 5.4f, at.y + 1},
                        {at.x + 5.4f, at.y + 1},
                        {at.x + 3.6f, at.y + 4.6f},
                        {at.x, at.y + 6},
                        {at.x - 3.6f, at.y + 4.6f}},
                       theme.rope);
            break;
        case claims::Verdict::not_so:
            ui.line({at.x - 5, at.y - 5}, {at.x + 5, at.y + 5}, theme.conflict_line, 2.2f);
            ui.line({at.x - 5, at.y + 5}, {at.x + 5, at.y - 5}, theme.conflict_line, 2.2f);
            break;
        case claims::Verdict::unknown:
            ui.text(at, "?", ui.layout.type.label, Font::semibold, theme.text3, Align::centre);
            break;
    }
    ui.text({at.x + 14, at.y}, name_of(verdict), ui.layout.type.small, Font::medium, theme.text1);
}

// The recordings of a claim: one as the run that is shown, two side by side.
void open_recordings(App& app, const std::vector<std::string>& names) {
    app.panels->work.ask(
        "opening " + names.front(), [names](const Background::Cancelled&) -> Background::Outcome {
            std::vector<trace::Trace> traces;
            for (const std::string& name : names)
                if (auto trace = compare::recording(name))
                    traces.push_back(std::move(*trace));
            if (traces.size() != names.size())
                return
                    [](App& target) { notice(target, "This recording is not part of the program.", true); };
            return [traces = std::move(traces)](App& target) {
                if (traces.size() == 2)
                    return compare_traces(target, traces[0], traces[1]);
                set_compare(target, false);
                show(target, traces[0], "");
            };
        });
}

}  // namespace

void ask_for_claims(App& app) {
    App::Panels& state = *app.panels;
    if (state.claims || state.study.busy())
        return;
    state.study.ask("reading the recordings", [](const Background::Cancelled&) -> Background::Outcome {
        const std::vector<Claim>* all = &claims::shipped_claims();
        return [all](App& target) { target.panels->claims = all; };
    });
}

void claims_panel(App& app, Ui& ui) {
    App::Panels& state = *app.panels;
    const Type& type = ui.layout.type;
    const scene::Theme& theme = ui.theme;
    const float vw = float(app.view.width), vh = float(app.view.height);
    const float w = std::min(980.f, vw - 16), h = std::min(860.f, vh - 16);
    const Rect r{(vw - w) / 2, (vh - h) / 2, w, h};
    begin_dialog(app, ui, r);
    const float close_width = 76;
    ui.text({r.x + pad, r.y + 26}, "What they say, what it did", type.heading, Font::semibold, theme.text1,
            Align::left, w - 3 * pad - close_width, true);
    const bool close = ui.button("close", {r.x + w - pad - close_width, r.y + 12, close_width, 28}, "Close");
    const Rect list{r.x + 1, r.y + 50, w - 2, h - 62};
    ui.line({r.x + 1, list.y}, {r.x + w - 1, list.y}, theme.hairline);

    const std::vector<std::string>* chosen = nullptr;
    if (!state.claims) {
        ui.text({r.x + pad, list.y + 24}, "Reading the recordings.", type.label, Font::regular, theme.text3);
    } else {
        // Narrow: the verdict stands over its text.
        const bool narrow = w < 560;
        const float left = narrow ? pad : pad + badge;
        const float button = 84;
        const float text_width = w - left - pad - button - 24;
        if (state.claim_lines.width != text_width || state.claim_lines.size != type.small) {
            state.claim_lines = {text_width, type.small, {}};
            for (const Claim& claim : *state.claims)
                state.claim_lines.each.push_back(lines_of(ui, claim, text_width));
        }
        float total = 12;
        for (const ClaimLines& lines : state.claim_lines.each)
            total += lines.height + (narrow ? 22.f : 0.f);
        ImGui::SetCursorScreenPos({list.x, list.y});
        ImGui::BeginChild("##claims", {list.w, list.h}, 0,
                          ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoNav);
        ImDrawList* outer = ui.list;
        ui.list = ImGui::GetWindowDrawList();
        ui.clip(list);
        float y = list.y + 12 - ImGui::GetScrollY();
        for (std::size_t i = 0; i < state.claims->size(); ++i) {
            const Claim& claim = (*state.claims)[i];
            const ClaimLines& lines = state.claim_lines.each[i];
            const float top = y;
            y += lines.height + (narrow ? 22.f : 0.f);
            const Rect show_button{r.x + w - pad - button, top + 2, button, 28};
            if (!claim.show.empty() &&
                ui.button("show." + claim.id, show_button, claim.show.size() == 2 ? "Compare" : "Show"))
                chosen = &claim.show;
            if (y < list.y || top > list.y + list.h)
                continue;
            verdict(ui, {r.x + pad + 7, top + type.label * 0.7f}, claim.verdict);
            float line = top + type.label * 0.7f + (narrow ? 22.f : 0.f);
            for (const std::string& text : lines.said) {
                ui.text({r.x + left, line}, text, type.label, Font::semibold, theme.text1);
                line += type.label * 1.4f;
            }
            line += 4 - type.label * 0.7f + type.small * 0.7f;
            for (const ClaimLines::Part& part : lines.parts) {
                ui.text({r.x + left, line}, part.head, type.small, Font::regular, theme.text3);
                for (const std::string& text : part.lines) {
                    ui.text({r.x + left + 74, line}, text, type.small, Font::regular, theme.text2);
                    line += type.small * 1.4f;
                }
                line += 2;
            }
            if (i + 1 < state.claims->size())
                ui.line({r.x + pad, y - gap_of_claims / 2}, {r.x + w - pad, y - gap_of_claims / 2},
                        theme.hairline);
        }
        ImGui::SetCursorPosY(total);
        ImGui::Dummy({0, 0});
        ui.unclip();
        ImGui::EndChild();
        ui.list = outer;
    }
    ImGui::End();
    if (close)
        return close_dialog(app);
    if (chosen) {
        close_dialog(app);
        open_recordings(app, *chosen);
    }
}

}  // namespace auditorium::panels
