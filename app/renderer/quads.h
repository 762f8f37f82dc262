// Boxes, discs, capsules and thin curves as quads of four corners, worked out on the CPU: software GL takes
// one long list of corners much faster than as many instances.
#pragma once

#include <cstdint>
#include <vector>

#include "app/scene/shape.h"

namespace auditorium::renderer {

// Framebuffer pixels = scene * scale + offset.
struct Transform {
    float scale = 1;
    scene::Point offset;
    float zoom = 1;  // the camera's part in the scale
};

// A vertex, as shaders/quad.vert reads it; framebuffer pixels.
struct Corner {
    scene::Point at;  // on the framebuffer
    scene::Point p;   // from the shape's centre, along its axes
    float half_width, half_height, radius, half_line;
    scene::Color fill, line;
};

// Which program paints a quad, the cheapest first. But for `solid`, a dearer one paints what a cheaper one
// does, to the same pixels except at the corners of a stroke thinner than two pixels.
enum class QuadKind : std::uint8_t { solid, stroke, body, outlined };

// Whether the shape becomes quads: a box, a disc, a stroke or a thin curve, with neither dashes nor a hatch.
bool is_quad(const scene::Shape& shape, const Transform& transform);

// Adds the corners of a shape for which is_quad() holds. Of a large opaque box the middle is one solid quad,
// on whole pixels, and what is left of it a frame of eight. Nothing is added for what cannot be seen: no
// colour, no area, or outside of `clip` (framebuffer pixels).
struct Added {
    int solid = 0, quads = 0;          // in this order
    QuadKind kind = QuadKind::stroke;  // of the latter
    float pixels = 0;                  // that they cover
};
Added add_quads(std::vector<Corner>& out, const scene::Shape& shape, const Transform& transform,
                const scene::Rect& clip);

}  // namespace auditorium::renderer
