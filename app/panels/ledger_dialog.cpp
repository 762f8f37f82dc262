// The ledger: every run of the sitting as a row. A press on a column's title sorts by it; under the pointer,
// or where the keyboard is, a cell says what it is, the hardware's name for it, and the command that measures
// it.
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <array>

#include "app/panels/compare_view.h"
#include "app/panels/marks.h"
#include "app/panels/panels.h"
#include "app/panels/state.h"

namespace auditorium::panels {
namespace {

using compare::LedgerColumn;
constexpr int columns = int(LedgerColumn::count);

// Columns that go first where the window is narrow, one after the other.
constexpr std::array<LedgerColumn, 6> dispensable = {LedgerColumn::device,
                                                     LedgerColumn::store_conflicts,
                                                     LedgerColumn::store_wavefronts,
                                                     LedgerColumn::lane_efficiency,
                                                     LedgerColumn::op,
                                                     LedgerColumn::load_conflicts};

std::vector<float> widths_of(const Ui& ui, const std::vector<compare::LedgerRow>& rows, float size) {
    std::vector<float> widths;
    for (int c = 0; c < columns; ++c) {
        const LedgerColumn column = LedgerColumn(c);
        float w = ui.width(Font::semibold, size, compare::info_of(column).title) + 14;
        for (const compare::LedgerRow& row : rows)
            w = std::max(w, ui.width(Font::mono, size, compare::cell_text(row, column)));
        if (column == LedgerColumn::result)
            w += size * 1.6f;
        widths.push_back(std::min(w, 230.f) + 16);
    }
    return widths;
}

}  // namespace

void ledger_dialog(App& app, Ui& ui) {
    App::Panels& state = *app.panels;
    const Type& type = ui.layout.type;
    const scene::Theme& theme = ui.theme;
    const float vw = float(app.view.width), vh = float(app.view.height);
    const Rect r{12, std::max(8.f, vh * 0.05f), vw - 24, std::min(vh - 16, vh * 0.9f)};
    begin_dialog(app, ui, r);
    const float pad = 18, size = type.small;
    ui.text({r.x + pad, r.y + 26},
            fmt::format("Ledger: {} {} of this sitting", app.ledger.size(),
                        app.ledger.size() == 1 ? "run" : "runs"),
            type.heading, Font::semibold, theme.text1);
    const bool save = ui.button("ledger.save", {r.x + r.w - pad - 166, r.y + 12, 80, 28}, "Export");
    const bool close = ui.button("close", {r.x + r.w - pad - 76, r.y + 12, 76, 28}, "Close");

    std::vector<float> widths = widths_of(ui, app.ledger, size);
    float total = 0;
    for (float w : widths)
        total += w;
    for (LedgerColumn column : dispensable) {
        if (total <= r.w - 2 * pad)
            break;
        total -= widths[std::size_t(column)];
        widths[std::size_t(column)] = 0;
    }
    const float stretch = std::max(0.f, r.w - 2 * pad - total) / float(columns);

    const float foot_h = size * 1.45f * 4 + 14;
    const float head_y = r.y + 50, head_h = 28, row_h = size * 2.1f;
    int shown_row = -1, shown_column = -1;
    float x = r.x + pad;
    std::array<float, std::size_t(columns)> left{}, width{};
    for (int c = 0; c < columns; ++c) {
        const std::size_t k = std::size_t(c);
        left[k] = x;
        width[k] = widths[k] > 0 ? widths[k] + stretch : 0;
        x += width[k];
        if (width[k] <= 0)
            continue;
        const compare::ColumnInfo& info = compare::info_of(LedgerColumn(c));
        const Rect at{left[k], head_y, width[k] - 2, head_h};
        const Press press = ui.press(std::string("ledger.") + info.field, at);
        if (press.hovered || press.focused)
            shown_column = c;
        if (press.hovered)
            ui.fill(at, theme.raised, 5);
        const bool sorted = state.ledger_sorted == c;
        const float text_x = info.number ? at.x + at.w - 18 : at.x + 6;
        ui.text({text_x, at.y + at.h / 2}, info.title, size, Font::semibold,
                sorted ? theme.text1 : theme.text2, info.number ? Align::right : Align::left, at.w - 22,
                true);
        if (sorted) {
            const Point p{at.x + at.w - 9, at.y + at.h / 2};
            const float d = state.ledger_descending ? 1.f : -1.f;
            ui.polygon({{p.x - 4, p.y - 2.5f * d}, {p.x + 4, p.y - 2.5f * d}, {p.x, p.y + 3 * d}},
                       theme.text1);
        }
        if (press.focused)
            ui.focus_ring(at, 5);
        if (press.pressed) {
            // First by what is best at the top, then the other way.
            state.ledger_descending =
                sorted ? !state.ledger_descending : LedgerColumn(c) == LedgerColumn::lane_efficiency;
            state.ledger_sorted = c;
            compare::sort_ledger(app.ledger, LedgerColumn(c), state.ledger_descending);
        }
    }
    ui.line({r.x + pad, head_y + head_h}, {r.x + r.w - pad, head_y + head_h}, theme.hairline);

    const Rect list{r.x + pad, head_y + head_h + 2, r.w - 2 * pad,
                    std::max(row_h, r.y + r.h - foot_h - head_y - head_h - 6)};
    ImGui::SetCursorScreenPos({list.x, list.y});
    ImGui::BeginChild("##ledger", {list.w, list.h}, 0, ImGuiWindowFlags_NoBackground);
    ImDrawList* outer = ui.list;
    ui.list = ImGui::GetWindowDrawList();
    ui.clip(list);
    const float scrolled = ImGui::GetScrollY();
    for (std::size_t i = 0; i < app.ledger.size(); ++i) {
        const compare::LedgerRow& row = app.ledger[i];
        const Rect line{list.x, list.y + float(i) * row_h - scrolled, list.w, row_h};
        const Press press = ui.press(fmt::format("ledger.row.{}", i), line);
        if (press.focused || press.hovered) {
            shown_row = int(i);
            ui.fill(line, theme.raised, 4);
            if (press.hovered)
                for (int c = 0; c < columns; ++c)
                    if (width[std::size_t(c)] > 0 && ImGui::GetIO().MousePos.x >= left[std::size_t(c)])
                        shown_column = c;
        }
        if (press.focused)
            ui.outline(line, theme.focus, 4, 2);
        if (press.pressed)
            state.ledger_row = state.ledger_row == int(i) ? -1 : int(i);
        if (line.y + row_h < list.y || line.y > list.y + list.h)
            continue;
        const float middle = line.y + row_h / 2;
        for (int c = 0; c < columns; ++c) {
            const std::size_t k = std::size_t(c);
            if (width[k] <= 0)
                continue;
            const LedgerColumn column = LedgerColumn(c);
            const bool number = compare::info_of(column).number;
            const float mark = column == LedgerColumn::result ? size * 1.6f : 0;
            const Color ink = column == LedgerColumn::findings && row.errors > 0 ? theme.hazard : theme.text1;
            ui.text({number ? left[k] + width[k] - 20 : left[k] + 6 + mark, middle},
                    compare::cell_text(row, column), size, Font::mono, ink,
                    number ? Align::right : Align::left, width[k] - 10 - mark, true);
            if (column == LedgerColumn::result) {
                const Point at{left[k] + 6 + size * 0.6f, middle};
                verdict_mark(ui, at, size, row.verdict);
            }
        }
    }
    ImGui::SetCursorPosY(float(app.ledger.size()) * row_h + 4);
    ImGui::Dummy({0, 0});
    ui.unclip();
    ImGui::EndChild();
    ui.list = outer;

    // What the column is, its metric, and the command for the row.
    float y = r.y + r.h - foot_h + size * 0.8f;
    ui.line({r.x + pad, y - size}, {r.x + r.w - pad, y - size}, theme.hairline);
    const int column = shown_column >= 0          ? shown_column
                       : state.ledger_sorted >= 0 ? state.ledger_sorted
                                                  : int(LedgerColumn::load_wavefronts);
    const compare::ColumnInfo& info = compare::info_of(LedgerColumn(column));
    ui.text({r.x + pad, y}, fmt::format("{}: {}", info.title, info.what), size, Font::regular, theme.text2,
            Align::left, r.w - 2 * pad, true);
    y += size * 1.45f;
    if (*info.metric) {
        ui.text({r.x + pad, y}, info.metric, size, Font::mono, theme.text1, Align::left, r.w - 2 * pad, true);
        y += size * 1.45f;
    }
    const int row = shown_row >= 0 ? shown_row : std::min(state.ledger_row, int(app.ledger.size()) - 1);
    if (row < 0) {
        ui.text({r.x + pad, y}, "Point at a row, or go to it with Tab, for the command that measures it.",
                size, Font::regular, theme.text3, Align::left, r.w - 2 * pad, true);
    } else {
        const std::string command = compare::command_for(app.ledger[std::size_t(row)], LedgerColumn(column));
        int lines = 0;
        for (const std::string& line : ui.wrap(Font::mono, size, command, r.w - 2 * pad)) {
            if (++lines > 2)
                break;
            ui.text({r.x + pad, y}, line, size, Font::mono, theme.text1, Align::left, r.w - 2 * pad, true);
            y += size * 1.45f;
        }
    }
    ImGui::End();
    if (close)
        return close_dialog(app);
    if (save)
        open_dialog(app, int(Dialog::save_ledger));
}

}  // namespace auditorium::panels
