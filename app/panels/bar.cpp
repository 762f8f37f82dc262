#include "app/panels/bar.h"

#include <string>

namespace auditorium::panels {
namespace {

void icon(Ui& ui, const std::string& which, Rect r, Color color) {
    const Point c{r.x + r.w / 2, r.y + r.h / 2};
    if (which == "ledger") {
        for (int i = -1; i <= 1; ++i)
            ui.line({c.x - 7, c.y + 5.f * float(i)}, {c.x + 7, c.y + 5.f * float(i)}, color, 1.5f);
    } else if (which == "open") {
        ui.stroke({{c.x - 7, c.y + 5},
                   {c.x - 7, c.y - 5},
                   {c.x - 2, c.y - 5},
                   {c.x, c.y - 3},
                   {c.x + 7, c.y - 3},
                   {c.x + 7, c.y + 5},
                   {c.x - 7, c.y + 5}},
                  color, 1.5f);
    } else if (which == "save") {
        ui.stroke({{c.x, c.y - 6}, {c.x, c.y + 2}}, color, 1.5f);
        ui.stroke({{c.x - 4, c.y - 2}, {c.x, c.y + 2}, {c.x + 4, c.y - 2}}, color, 1.5f);
        ui.stroke({{c.x - 7, c.y + 2}, {c.x - 7, c.y + 6}, {c.x + 7, c.y + 6}, {c.x + 7, c.y + 2}}, color,
                  1.5f);
    } else if (which == "compare") {
        ui.outline({c.x - 8, c.y - 5, 7, 10}, color, 1, 1.5f);
        ui.outline({c.x + 1, c.y - 5, 7, 10}, color, 1, 1.5f);
    } else {
        ui.outline({c.x - 8, c.y - 6, 16, 10}, color, 1, 1.5f);
        ui.polygon({{c.x - 2, c.y - 4}, {c.x + 3, c.y - 1}, {c.x - 2, c.y + 2}}, color);
        ui.stroke({{c.x - 3, c.y + 7}, {c.x + 3, c.y + 7}}, color, 1.5f);
    }
}

bool as_icon(const BarAction& action, bool icons) {
    return icons && action.text[1] != 0;
}

}  // namespace

float action_width(const Ui& ui, const BarAction& action, bool icons) {
    if (icons || action.text[1] == 0)
        return 32;
    return ui.width(Font::medium, ui.layout.type.label, action.text) + 28;
}

bool action_button(Ui& ui, const BarAction& action, Rect r, bool icons) {
    const Press press =
        ui.button_press(action.name, r, as_icon(action, icons) ? "" : action.text, action.strong);
    ui.says(press, r, action.says);
    if (as_icon(action, icons))
        icon(ui, action.name, r, ui.theme.text1);
    return press.pressed;
}

}  // namespace auditorium::panels
