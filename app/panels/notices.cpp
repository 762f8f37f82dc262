// Sentences for the person at the screen, newest at the bottom, each with a button that dismisses it.
#include <imgui.h>

#include <fmt/format.h>

#include <algorithm>

#include "app/panels/panels.h"
#include "app/panels/state.h"

namespace auditorium::panels {

void notice(App& app, std::string text, bool error) {
    // The same sentence twice says nothing new.
    std::erase_if(app.notices, [&](const Notice& n) { return n.text == text; });
    app.notices.push_back({std::move(text), error});
}

void notices(App& app, Ui& ui) {
    if (app.notices.empty())
        return;
    const Type& type = ui.layout.type;
    const scene::Theme& theme = ui.theme;
    const float window_width = float(app.view.width);
    const float width = std::min(560.f, window_width - 32);
    const float x = (window_width - width) / 2;
    float bottom = ui.layout.bottom.y - 12;
    const float size = type.body, pitch = ui.line_height(size);
    int shown = 0;
    int dismissed = -1;
    for (std::size_t i = app.notices.size(); i-- > 0 && shown < 3; ++shown) {
        const std::vector<std::string> lines = ui.wrap(Font::regular, size, app.notices[i].text, width - 76);
        const float height = float(lines.size()) * pitch + 20;
        const Rect r{x, bottom - height, width, height};
        if (r.y < ui.layout.top.h)
            break;
        ImGui::SetNextWindowPos({r.x - 4, r.y - 4});  // with room for rings and lines at the edge
        ImGui::SetNextWindowSize({r.w + 8, r.h + 8});
        const std::string window = fmt::format("##notice{}", i);
        ImGui::Begin(window.c_str(), nullptr,
                     ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                         ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoBackground |
                         ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoNav);
        ui.list = ImGui::GetWindowDrawList();
        ui.fill(r, theme.raised, 8);
        ui.outline(r, app.notices[i].error ? theme.conflict_line : theme.edge, 8, 1.5f);
        const Color mark = app.notices[i].error ? theme.conflict_line : theme.work;
        const Point c{r.x + 20, r.y + 10 + pitch / 2};
        ui.ring(c, 7, mark, 1.5f);
        ui.fill({c.x - 1, c.y - 4, 2, 5}, mark);
        ui.fill({c.x - 1, c.y + 2.2f, 2, 2}, mark);
        float y = r.y + 10 + pitch / 2;
        for (const std::string& line : lines) {
            ui.text({r.x + 38, y}, line, size, Font::regular, theme.text1);
            y += pitch;
        }
        const Rect close{r.x + r.w - 34, r.y + 6, 28, 28};
        const Press press = ui.press(fmt::format("dismiss.{}", i), close);
        ui.says(press, close, i + 1 == app.notices.size() ? "Dismiss (Esc)" : "Dismiss");
        if (press.hovered)
            ui.fill(close, theme.panel, 6);
        const Point k{close.x + 14, close.y + 14};
        ui.line({k.x - 4, k.y - 4}, {k.x + 4, k.y + 4}, theme.text1, 1.6f);
        ui.line({k.x - 4, k.y + 4}, {k.x + 4, k.y - 4}, theme.text1, 1.6f);
        if (press.focused)
            ui.focus_ring(close, 6);
        if (press.pressed)
            dismissed = int(i);
        ImGui::End();
        bottom = r.y - 8;
    }
    if (dismissed >= 0)
        app.notices.erase(app.notices.begin() + dismissed);
}

}  // namespace auditorium::panels
