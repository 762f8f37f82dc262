// What a window shows that is too small for anything else.
#include <fmt/format.h>

#include "app/panels/panels.h"

namespace auditorium::panels {

void too_small(const View& view, Ui& ui) {
    const float w = float(view.width), h = float(view.height);
    const int least_w = view.scene_only ? least_scene_width : least_width;
    const int least_h = view.scene_only ? least_scene_height : least_height;
    std::string said = fmt::format("This window is too small: {} x {} pixels. The least is {} x {}.",
                                   view.width, view.height, least_w, least_h);
    if (view.ui_scale > 1)
        said += " Ctrl and minus make everything smaller.";
    float size = 14;
    std::vector<std::string> lines = ui.wrap(Font::regular, size, said, w - 16);
    while (size > 10 && float(lines.size()) * ui.line_height(size) > h - 8) {
        size -= 1;
        lines = ui.wrap(Font::regular, size, said, w - 16);
    }
    float y = (h - float(lines.size() - 1) * ui.line_height(size)) / 2;
    for (const std::string& line : lines) {
        ui.text({w / 2, y}, line, size, Font::regular, ui.theme.text1, Align::centre);
        y += ui.line_height(size);
    }
}

}  // namespace auditorium::panels
