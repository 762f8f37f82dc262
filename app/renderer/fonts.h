// The embedded fonts, as ImGui fonts. Inter for words, JetBrains Mono (asked for 20% larger) for code and for
// every number that changes; ImGui's own font where they were not found at build time.
#pragma once

#include "app/scene/shape.h"

struct ImFont;

namespace auditorium::renderer {

void load_fonts();  // into the current ImGui context
ImFont* font(scene::Font id);
float font_size(scene::Font id,
                float size);  // what to ask ImGui for, so that `size` px looks alike in both families
float text_width(scene::Font id, float size, const char* text);
bool fonts_embedded();  // false: ImGui's own font stands in

}  // namespace auditorium::renderer
