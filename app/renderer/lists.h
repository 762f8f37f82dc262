// Paints Dear ImGui's draw lists: in the place of its OpenGL backend, which brings all of OpenGL's state up
// to date for each list and each callback, and interpolates text between texels.
#pragma once

#include <string>

struct ImDrawData;

namespace auditorium::renderer {

std::string start_lists(bool es);  // on the current context; one sentence on failure, else ""
void stop_lists();

// Paints the frame's lists on the current framebuffer, of which it sets viewport and scissor. Textures are up
// to date already. A callback may change the program, the vertex array and the scissor; it leaves blending
// on, for premultiplied colours.
void draw_lists(const ImDrawData& data);

}  // namespace auditorium::renderer
