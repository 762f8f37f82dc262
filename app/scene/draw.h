// Small helpers that put shapes and labels into a layer.
#pragma once

#include <cmath>
#include <string>
#include <string_view>

#include "app/scene/metrics.h"
#include "app/scene/motion.h"
#include "app/scene/shape.h"

namespace auditorium::scene {

inline Shape& add(Layer& layer, ShapeKind kind) {
    Shape& shape = layer.shapes.emplace_back();
    shape.kind = kind;
    return shape;
}

inline Shape& add_box(Layer& layer, Point centre, float width, float height, float radius, Color fill,
                      Color line = 0, float line_width = 0) {
    Shape& shape = add(layer, ShapeKind::round_box);
    shape.p[0] = centre;
    shape.p[1] = {width / 2, height / 2};
    shape.radius = std::min(radius, std::min(width, height) / 2);
    shape.fill = fill;
    shape.line = line;
    shape.line_width = line_width;
    return shape;
}

inline Shape& add_disc(Layer& layer, Point centre, float radius, Color fill, Color line = 0,
                       float line_width = 0) {
    Shape& shape = add(layer, ShapeKind::disc);
    shape.p[0] = centre;
    shape.p[1] = {radius, 0};
    shape.fill = fill;
    shape.line = line;
    shape.line_width = line_width;
    return shape;
}

inline Shape& add_line(Layer& layer, Point a, Point b, float width, Color color) {
    Shape& shape = add(layer, ShapeKind::capsule);
    shape.p[0] = a;
    shape.p[1] = b;
    shape.radius = width / 2;
    shape.fill = color;
    return shape;
}

// A stroke along a quadratic curve. Dashes go along it.
inline Shape& add_ribbon(Layer& layer, Point a, Point control, Point b, float width, Color color,
                         float dash = 0, float gap = 0) {
    Shape& shape = add(layer, ShapeKind::ribbon);
    shape.p[0] = a;
    shape.p[1] = control;
    shape.p[2] = b;
    shape.radius = width / 2;
    shape.fill = color;
    shape.dash = dash;
    shape.gap = gap;
    return shape;
}

inline Shape& add_dashed_line(Layer& layer, Point a, Point b, float width, Color color, float dash,
                              float gap) {
    // Bent by half a pixel: a curve's formula has no answer for a straight line.
    const Point middle = mix(a, b, 0.5f);
    return add_ribbon(layer, a, {middle.x, middle.y + 0.5f}, b, width, color, dash, gap);
}

// A long, nearly straight curve as a few straight strokes: one ribbon would be painted over its whole
// bounding box.
inline void add_arc(Layer& layer, Point a, Point control, Point b, float width, Color color,
                    int strokes = 12) {
    Point from = a;
    for (int i = 1; i <= strokes; ++i) {
        const Point to = on_curve(a, control, b, float(i) / float(strokes));
        add_line(layer, from, to, width, color);
        from = to;
    }
}

inline Shape& add_triangle(Layer& layer, Point a, Point b, Point c, Color fill) {
    Shape& shape = add(layer, ShapeKind::polygon);
    shape.points = 3;
    shape.p[0] = a;
    shape.p[1] = b;
    shape.p[2] = c;
    shape.fill = fill;
    return shape;
}

// Puts the shapes from `first` on into groups that one program of the renderer paints each, curves first,
// then dashed curves, dashed and hatched boxes, polygons and plain boxes; the order within a group stays. For
// shapes of which none has to lie over another: changes of programs are what software GL is slowest at.
void gather_alike(Layer& layer, std::size_t first);

inline Label& add_label(Layer& layer, Point at, std::string_view text, float size, Font font, Color color,
                        Align align = Align::centre) {
    return layer.labels.emplace_back(Label{at, std::string(text), size, font, align, color});
}

inline Point rotated(Point offset, float angle) {
    const float c = std::cos(angle), s = std::sin(angle);
    return {offset.x * c - offset.y * s, offset.x * s + offset.y * c};
}

inline Point operator+(Point a, Point b) {
    return {a.x + b.x, a.y + b.y};
}

inline Point operator-(Point a, Point b) {
    return {a.x - b.x, a.y - b.y};
}

inline Point operator*(Point a, float k) {
    return {a.x * k, a.y * k};
}

}  // namespace auditorium::scene
