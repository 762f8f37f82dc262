#include "app/panels/marks.h"

#include <algorithm>

namespace auditorium::panels {
namespace {

void tick(Ui& ui, Point c, float size, Color color) {
    const float r = size / 2;
    ui.ring(c, r, color, std::max(1.2f, size * 0.09f));
    ui.stroke({{c.x - r * 0.45f, c.y + r * 0.02f},
               {c.x - r * 0.1f, c.y + r * 0.36f},
               {c.x + r * 0.48f, c.y - r * 0.36f}},
              color, std::max(1.4f, size * 0.11f));
}

void cross(Ui& ui, Point c, float size, Color color) {
    const float r = size / 2, k = r * 0.42f, width = std::max(1.4f, size * 0.11f);
    ui.outline({c.x - r, c.y - r, size, size}, color, 3, std::max(1.2f, size * 0.09f));
    ui.stroke({{c.x - k, c.y - k}, {c.x + k, c.y + k}}, color, width);
    ui.stroke({{c.x - k, c.y + k}, {c.x + k, c.y - k}}, color, width);
}

}  // namespace

void warning(Ui& ui, Point c, float size, Color color) {
    const float r = size / 2, width = std::max(1.3f, size * 0.1f);
    ui.stroke({{c.x, c.y - r}, {c.x + r, c.y + r * 0.8f}, {c.x - r, c.y + r * 0.8f}, {c.x, c.y - r}}, color,
              width);
    ui.line({c.x, c.y - r * 0.3f}, {c.x, c.y + r * 0.25f}, color, width);
    ui.disc({c.x, c.y + r * 0.54f}, width * 0.62f, color);
}

void verdict_mark(Ui& ui, Point centre, float size, analysis::Verdict verdict) {
    switch (verdict) {
        case analysis::Verdict::right:
            return tick(ui, centre, size, ui.theme.champion);
        case analysis::Verdict::luck:
            return warning(ui, centre, size, ui.theme.hazard);
        case analysis::Verdict::wrong:
            return cross(ui, centre, size, ui.theme.hazard);
    }
}

}  // namespace auditorium::panels
