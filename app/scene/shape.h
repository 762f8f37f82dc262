// What a scene is made of: plain instances and labels, no GL. One instance is drawn as one quad with a
// signed-distance shape in it. An outline is centred on the shape's edge, so a 1 px outline is crisp where
// the edge lies on half pixels. Of a capsule and a ribbon, dashes cut the body; elsewhere they cut the
// outline, stretched a little so that they close. Coordinates are pixels of the scene's own area at UI scale
// 1, y down, before the camera.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace auditorium::scene {

using Color = std::uint32_t;  // 0xAABBGGRR as ImGui's IM_COL32

enum class ShapeKind : std::uint8_t {
    round_box,  // p[0] = centre, p[1] = half size; radius = corner radius; rotation
    disc,       // p[0] = centre, p[1].x = radius; with line only: a ring
    capsule,    // p[0], p[1] = ends; radius = half thickness
    ribbon,     // p[0], p[1], p[2] = quadratic Bezier: start, control, end; radius = half thickness
    polygon,    // p[0..points-1], at most 6; radius = how far it is grown, with rounded corners
};

struct Point {
    float x = 0, y = 0;
};

struct Shape {
    ShapeKind kind = ShapeKind::round_box;
    std::uint8_t points = 0;  // polygon
    std::uint8_t hatch =
        0;  // 45-degree hatch in `hatch_color`, pitch 5 px, over the fill; 1: thin lines, 2: broad ones
    std::uint8_t screen_width = 0;  // 1: lines (outline, dashes, a capsule's and a ribbon's thickness) do not
                                    // grow with the camera's zoom
    std::array<Point, 6> p{};
    float radius = 0;
    float rotation = 0;       // radians, about p[0] (round_box)
    float line_width = 0;     // 0: no outline
    float dash = 0, gap = 0;  // of the outline or ribbon, px along it; 0: solid
    float dash_phase = 0;
    Color fill = 0;  // alpha 0: no fill
    Color line = 0;
    Color hatch_color = 0;
};

enum class Font : std::uint8_t { regular, medium, semibold, mono, mono_semibold };
enum class Align : std::uint8_t { left, centre, right };

struct Label {
    Point at;  // baseline-independent: vertical centre of the text
    std::string text;
    float size = 12;  // px at UI scale 1 (JetBrains Mono is enlarged by the renderer, not here)
    Font font = Font::regular;
    Align align = Align::centre;
    Color color = 0xffffffff;
};

// Draw order. A layer's text lies under the next layer's shapes.
enum class LayerId { floor, board, boxes, rays, rope, people, tickets, notes, labels, tooltip, count };

struct Layer {
    std::vector<Shape> shapes;
    std::vector<Label> labels;
};

struct Rect {
    float x = 0, y = 0, w = 0, h = 0;
    bool contains(Point q) const { return q.x >= x && q.y >= y && q.x < x + w && q.y < y + h; }
    bool holds(const Rect& r) const {
        return r.x >= x && r.y >= y && r.x + r.w <= x + w && r.y + r.h <= y + h;
    }
};

// Something under the pointer: for hover, and for ui tests.
struct Target {
    enum class Kind : std::uint8_t { box, seat, note, ticket, bank };
    Kind kind{};
    int index = 0;  // box, thread or bank
    Rect area;
    int other = -1;  // ticket: its place in the queue, from 0
};

// A ray under the pointer: from the hand to the board's edge, and up its gutter.
struct RayTarget {
    int thread = 0, box = 0;
    Point hand, edge, top;
};

struct Camera {
    float zoom = 1;  // 0.5 .. 6
    Point centre;    // scene point in the middle of the area
};

struct Scene {
    std::array<Layer, std::size_t(LayerId::count)> layers;
    std::vector<Target> targets;
    std::vector<RayTarget> rays;
    // Titles, legend, plaque, callout, tags: what is laid over the scene covers all of one, or nothing.
    std::vector<Rect> words;
    Rect table{};   // the council table with its numbers; no breadth: nobody sits at it
    Rect area;      // where the scene lies in the window, px
    Camera camera;  // applied by the renderer to everything above
    Layer& operator[](LayerId id) { return layers[std::size_t(id)]; }
    const Layer& operator[](LayerId id) const { return layers[std::size_t(id)]; }
};

}  // namespace auditorium::scene
