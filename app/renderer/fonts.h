// The embedded fonts, as ImGui fonts. Inter for words, JetBrains Mono for code and for every number that
// changes; ImGui's own font where they were not found at build time. Sizes are em sizes in pixels at UI scale
// 1, as designers give them. ImGui measures a font from its ascent to its descent, so its own sizes are
// larger: font_size() converts, and asks JetBrains Mono for more, so that both families look alike.
#pragma once

#include <string_view>

#include "app/scene/shape.h"

struct ImDrawList;
struct ImFont;

namespace auditorium::renderer {

void load_fonts();  // into the current ImGui context
ImFont* font(scene::Font id);

// What to ask ImGui for (PushFont, CalcTextSizeA), so that `size` px looks alike in both families. ImGui
// rounds it to a whole number when text goes through its widgets; text() below does not.
float font_size(scene::Font id, float size);
float text_width(scene::Font id, float size, std::string_view text);

// One line of text, crisp at any size, UI scale and pixel ratio: sharp to framebuffer pixels, its capitals
// centred on at.y.
void text(ImDrawList* list, scene::Font id, float size, scene::Point at, scene::Align align,
          scene::Color color, std::string_view text);

bool fonts_embedded();  // false: ImGui's own font stands in

}  // namespace auditorium::renderer
