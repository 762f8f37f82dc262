// Window coordinates, here and in ImGui, are pixels at UI scale 1: the host gives ImGui the window's size
// divided by the UI scale and the pixel ratio, and a framebuffer scale that makes up for it. So panels lay
// out as if the scale were 1, and all is crisp at any scale.
//
// The only code with our GL draws. Shapes are instanced quads with signed-distance anti-aliasing; text is
// ImGui text. Both enter one ImDrawList, layer by layer: shapes as callbacks, so that a layer's text lies
// under the next layer's shapes.
#pragma once

#include "app/scene/shape.h"

struct ImDrawList;

namespace auditorium::renderer {

// Makes buffers and the first shader on the current GL context: 3.3 core, or with `es` ES 3.00. Returns one
// sentence on failure, else "".
std::string init(bool es = false);
std::string init_all(bool es = false);  // the same with every shader at once; init() leaves the others until
                                        // a shape needs them
void shutdown();                        // with the same context current
std::string last_error();               // a shader that failed since; "" for none

// Adds the scene to the list, clipped to scene.area. `ui_scale` x `pixel_ratio` turn scene pixels into
// framebuffer's.
void draw(ImDrawList* list, const scene::Scene& scene, float ui_scale, float pixel_ratio);

// A few shapes for panels (icons, chips, bars), in window pixels, added at the list's current place.
void draw_shapes(ImDrawList* list, const std::vector<scene::Shape>& shapes, float ui_scale,
                 float pixel_ratio);

// Call once per frame after the draw data was rendered: gives this frame's instance memory back.
void end_frame();

}  // namespace auditorium::renderer
