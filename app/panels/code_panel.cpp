// The kernel's own file with the line at the playhead, how often lanes have come by each line so far, and
// where a trace has them the hardware's own counts of the whole launch.
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "app/panels/panels.h"
#include "app/panels/state.h"

namespace auditorium::panels {
namespace {

Color color_of(Token token, const scene::Theme& theme) {
    switch (token) {
        case Token::keyword:
            return theme.keyword;
        case Token::call:
            return theme.call;
        case Token::number:
            return theme.number;
        case Token::comment:
            return theme.text3;
        case Token::plain:
            break;
    }
    return theme.text1;
}

// The first line shown: the current one stays in the middle third, and the text stands still while it does.
// From the current line alone, so that scrubbing shows what playing did.
int first_line(int current, int rows, int lines) {
    if (lines <= rows)
        return 0;
    const int third = std::max(1, rows / 3);
    const int first = (std::max(0, current - 1 - third) / third) * third;
    return std::clamp(first, 0, lines - rows);
}

constexpr const char* warp_instructions = "smsp__sass_inst_executed";
constexpr const char* thread_instructions = "smsp__sass_thread_inst_executed";
constexpr const char* wavefronts = "smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared";
constexpr const char* ideal_wavefronts = "smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared_ideal";

// What the hardware counted on a line, a sentence each, and its hits; empty where there is neither.
std::vector<std::string> hardware_counts(const trace::Trace& trace, int line, int hits) {
    const auto count = [&](const char* metric) { return trace.line_counters.value(line, metric); };
    std::vector<std::string> texts;
    const auto warps = count(warp_instructions), threads = count(thread_instructions);
    if (!warps && hits <= 0)
        return texts;
    texts.push_back(warps ? fmt::format("Line {}, counted by the {}", line, trace.origin.device)
                          : fmt::format("Line {}", line));
    if (!warps) {
        texts.push_back(hits == 1 ? "1 hit so far" : fmt::format("{} hits so far", hits));
        return texts;
    }
    texts.push_back(threads ? fmt::format("{} warp instructions, {} of threads", *warps, *threads)
                            : fmt::format("{} warp instructions", *warps));
    const auto got = count(wavefronts), ideal = count(ideal_wavefronts);
    if (got && ideal && *got > 0)
        texts.push_back(fmt::format("{} wavefronts in shared memory, {} of them by bank conflicts", *got,
                                    *got > *ideal ? *got - *ideal : 0));
    texts.push_back("the plain kernel, the whole launch");
    if (hits > 0)
        texts.push_back(fmt::format("hits so far, from the trace: {}", hits));
    return texts;
}

void show_hardware_counts(Ui& ui, const Layout& layout, Point at, const std::vector<std::string>& texts) {
    const float size = layout.type.small, pitch = size * 1.5f, pad = 10;
    float width = 0;
    for (const std::string& text : texts)
        width = std::max(width, ui.width(Font::regular, size, text));
    const Rect r{std::max(8.f, at.x - width - 2 * pad - 8), at.y, width + 2 * pad,
                 pitch * float(texts.size()) + pad};
    ui.fill(r, ui.theme.raised, 6);
    ui.outline(r, ui.theme.edge, 6);
    float y = r.y + pad / 2 + pitch / 2;
    for (const std::string& text : texts) {
        ui.text({r.x + pad, y}, text, size, &text == &texts.front() ? Font::semibold : Font::regular,
                &text == &texts.front() ? ui.theme.text1 : ui.theme.text2);
        y += pitch;
    }
}

}  // namespace

void code_panel(App& app, Ui& ui) {
    App::Panels& state = *app.panels;
    const Rect card = ui.layout.code;
    const Type& type = ui.layout.type;
    const scene::Theme& theme = ui.theme;
    const float pad = ui.layout.pad;
    const float head = type.heading * 2.7f;
    ui.text({card.x + pad, card.y + head / 2}, state.run.file, type.heading, Font::semibold, theme.text1,
            Align::left, card.w - 2 * pad - 60, true);
    const trace::Trace& trace = app.shown.trace;
    const bool hardware = ui.layout.hits_column && !trace.line_counters.empty();
    ui.line({card.x, card.y + head}, {card.x + card.w, card.y + head}, theme.hairline);

    const std::vector<CodeLine>& code = state.run.code;
    const std::vector<int>& hits = state.beat.hits;
    const int current = state.beat.line;
    int most = 1, most_hits = 1;
    for (const CodeLine& line : code)
        most = std::max(most, int(line.text.size()));
    for (int n : hits)
        most_hits = std::max(most_hits, n);
    // The letters shrink a little where that lets the longest line fit; what is still longer scrolls.
    const bool column = ui.layout.hits_column;
    const float left = column ? 10.f : 5.f, margin = column ? 10.f : 7.f;
    const float columns = float(most) + 2 + 1.1f + (column ? 4.6f : 0.f) +
                          (hardware ? 4.6f : 0.f);  // numbers, a gap, text, hits, the hardware's
    const float full = ui.width(Font::mono, type.code, "0123456789") / 10;
    const float fitting = (card.w - left - margin) / columns / full;
    // 9 here are 10.8 px: the renderer draws JetBrains Mono larger than it is asked for (renderer/fonts.h).
    const float size = std::max(std::min(9.f, type.code), type.code * std::min(1.f, fitting));
    const float pitch = std::round(size * 1.36f);
    const Rect body{card.x + 1, card.y + head + 4, card.w - 2, card.h - head - 8};
    const int rows = std::max(1, int(body.h / pitch));
    if (state.code_line != current) {
        state.code_line = current;
        state.code_scroll = 0;
    }
    const int lines = int(code.size());
    // A link leads to its lines until the step moves on; else the current line is kept in sight.
    const std::vector<int>& marked = app.view.marked_lines;
    const int automatic = first_line(!marked.empty() ? marked.front()
                                     : current > 0   ? current
                                                     : 1,
                                     rows, lines);
    const Press press = ui.press("code", body);
    int wheel = 0;
    if (press.hovered) {
        wheel = -int(ImGui::GetIO().MouseWheel * 3);
        state.code_shift += -ImGui::GetIO().MouseWheelH * 24;
    }
    if (!press.focused) {
        state.code_selected = 0;
    } else {
        const int by = (ImGui::IsKeyPressed(ImGuiKey_DownArrow) ? 1 : 0) -
                       (ImGui::IsKeyPressed(ImGuiKey_UpArrow) ? 1 : 0);
        int& selected = state.code_selected;
        if (selected == 0)  // the panel has just got the keyboard
            selected = std::clamp(current > 0 ? current : 1, 1, lines);
        else
            selected = std::clamp(selected + by, 1, lines);
        // It stays in sight.
        const int top = automatic + state.code_scroll;
        wheel += std::min(0, selected - 1 - top) + std::max(0, selected - (top + rows));
        ui.focus_ring({body.x + 3, body.y + 3, body.w - 6, body.h - 6}, 4);
    }
    const int first = std::clamp(automatic + state.code_scroll + wheel, 0, std::max(0, lines - rows));
    state.code_scroll = first - automatic;

    const float advance = ui.width(Font::mono, size, "0123456789") / 10;
    const float number = card.x + left + advance * 2;
    const float text_x = number + advance * 1.1f;
    const float edge = card.x + card.w - margin;  // of the hardware's counts; the hits are left of them
    const float right = hardware ? edge - advance * 4.6f : edge;
    if (hardware) {
        ui.text({edge, card.y + head / 2}, "GPU", type.small, Font::regular, theme.text3, Align::right);
        // Over the end of its column, or further left where the words would touch.
        const float hits = std::min(right, edge - ui.width(Font::regular, type.small, "GPU") - 6);
        ui.text({hits, card.y + head / 2}, "hits", type.small, Font::regular, theme.text3, Align::right);
    } else {
        ui.text({card.x + card.w - pad, card.y + head / 2}, column ? "hits" : "hits: bar", type.small,
                Font::regular, theme.text3, Align::right);
    }
    std::vector<std::string> hovered_counts;
    float hovered_y = 0;
    state.code_shift =
        std::clamp(state.code_shift, 0.f,
                   std::max(0.f, float(most) * advance - (right - (column ? advance * 4.4f : 0.f) - text_x)));

    const int statement = current > 0 && current <= lines ? code[std::size_t(current - 1)].statement : 0;
    ui.clip(body);
    for (int i = first; i < std::min(lines, first + rows); ++i) {
        const CodeLine& line = code[std::size_t(i)];
        const float y = body.y + (float(i - first) + 0.5f) * pitch;
        const bool here = statement > 0 && line.statement == statement;
        if (here) {
            ui.fill({body.x, y - pitch / 2, body.w, pitch}, theme.current_line);
            ui.fill({body.x, y - pitch / 2, 3, pitch}, theme.work);
        }
        if (std::find(marked.begin(), marked.end(), i + 1) != marked.end()) {
            ui.fill({body.x, y - pitch / 2, body.w, pitch}, mix(theme.panel, theme.hazard, 0.22f));
            ui.fill({body.x, y - pitch / 2, 4, pitch}, theme.hazard);
        }
        ui.text({number, y}, fmt::format("{}", i + 1), size, here ? Font::mono_semibold : Font::mono,
                here ? theme.text1 : theme.text3, Align::right);
        const int hit = i + 1 < int(hits.size()) ? hits[std::size_t(i + 1)] : 0;
        if (hit > 0 && ui.layout.hits_column) {
            ui.text({right, y}, fmt::format("{}", hit), size, here ? Font::mono_semibold : Font::mono,
                    here ? theme.text1 : theme.text3, Align::right);
        } else if (hit > 0) {
            const float length = std::max(0.2f, float(hit) / float(most_hits)) * (pitch - 4);
            ui.fill({body.x + 1, y + (pitch - 4) / 2 - length, 2.5f, length}, theme.work);
        }
        const auto counted = hardware ? trace.line_counters.value(i + 1, warp_instructions) : std::nullopt;
        if (counted)
            ui.text({edge, y},
                    *counted < 10000 ? fmt::format("{}", *counted) : fmt::format("{}k", *counted / 1000),
                    size, here ? Font::mono_semibold : Font::mono, here ? theme.text1 : theme.text3,
                    Align::right);
        if (press.hovered && std::abs(ImGui::GetIO().MousePos.y - y) < pitch / 2) {
            hovered_counts = hardware_counts(trace, i + 1, hit);
            hovered_y = y + pitch / 2 + 2;
        }
        if (state.code_selected == i + 1) {
            ui.outline({body.x + 1, y - pitch / 2, body.w - 2, pitch}, theme.focus, 3);
            if (!press.hovered) {
                hovered_counts = hardware_counts(trace, i + 1, hit);
                hovered_y = y + pitch / 2 + 2;
            }
        }
        // A line with counts ends before them, another may use their room.
        const float end = column && hit > 0 ? right - advance * 4.4f : counted ? edge - advance * 4.4f : edge;
        const bool cut = state.code_shift > 0 || text_x + float(line.text.size()) * advance > end;
        if (cut)
            ui.clip({text_x - 1, y - pitch / 2, end - text_x + 1, pitch});
        for (const Piece& piece : line.pieces) {
            const float x = text_x + float(piece.column) * advance - state.code_shift;
            if (x > edge || x + float(piece.length) * advance < text_x)
                continue;
            ui.text({x, y},
                    std::string_view(line.text).substr(std::size_t(piece.column), std::size_t(piece.length)),
                    size, here ? Font::mono_semibold : Font::mono, color_of(piece.token, theme));
        }
        if (cut)
            ui.unclip();
    }
    ui.unclip();
    if (!hovered_counts.empty())
        show_hardware_counts(
            ui, ui.layout,
            {edge,
             std::min(hovered_y, card.y + card.h - type.small * 1.5f * float(hovered_counts.size()) - 12)},
            hovered_counts);
}

}  // namespace auditorium::panels
