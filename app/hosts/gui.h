// What both hosts share around frame(): the ImGui context, its fonts, its scale, and drawing into the current
// GL context.
#pragma once

#include <functional>
#include <string>

#include "app/scene/shape.h"

namespace auditorium::gui {

// Makes the ImGui context, loads the fonts and starts the renderer on the current GL context (functions
// loaded). One sentence on failure, else "".
std::string start();
void stop();

struct Surface {
    int width = 0, height = 0;  // framebuffer pixels
    float ui_scale = 1;
    float pixel_ratio = 1;
};

// Where a frame's time went, ms of wall clock.
struct Cost {
    double ui = 0;    // `ui` and ImGui's own work
    double draw = 0;  // giving it to OpenGL; a GPU may still be at work afterwards
};

// One frame on `surface`: `ui` runs between ImGui::NewFrame and ImGui::Render; then everything is drawn over
// the colour that it returned. Nothing is drawn where the surface is empty. `seconds`: since the last frame,
// for ImGui.
Cost paint(const Surface& surface, double seconds, const std::function<scene::Color()>& ui);

// After the surface has become much smaller: gives back what its larger pictures took. What is on the surface
// is lost, so another frame must follow.
void give_memory_back();

}  // namespace auditorium::gui
