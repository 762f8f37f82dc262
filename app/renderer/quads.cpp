#include "app/renderer/quads.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace auditorium::renderer {

using scene::Point;
using scene::Shape;
using scene::ShapeKind;

namespace {

constexpr float round_from = 1.1f;  // px; a stroke of a smaller radius has square ends that nobody can tell

constexpr float thin_curve = 2;  // px; up to here a curve's ends may be square
constexpr float large = 16000;   // px; from here on a box is taken apart

bool seen(scene::Color color) {
    return color >> 24 != 0;
}

bool opaque(scene::Color color) {
    return color >> 24 == 0xff;
}

// The camera does not magnify the lines of some shapes.
float line_scale(const Shape& shape, const Transform& transform) {
    return shape.screen_width != 0 ? transform.scale / transform.zoom : transform.scale;
}

float radius_of(const Shape& shape, const Transform& transform) {
    return shape.radius * line_scale(shape, transform);
}

// What all corners of a shape have in common.
struct Body {
    Point centre, axis, half;
    float radius, half_line;
    scene::Color fill, line;
};

// The part of a body from `lo` to `hi` in its own frame.
void add_part(std::vector<Corner>& out, const Body& b, Point lo, Point hi) {
    const auto corner = [&b](float px, float py) {
        return Corner{
            {b.centre.x + px * b.axis.x - py * b.axis.y, b.centre.y + px * b.axis.y + py * b.axis.x},
            {px, py},
            b.half.x,
            b.half.y,
            b.radius,
            b.half_line,
            b.fill,
            b.line};
    };
    out.insert(out.end(), {corner(lo.x, lo.y), corner(hi.x, lo.y), corner(lo.x, hi.y), corner(hi.x, hi.y)});
}

// A thin curve as straight pieces that share their ends, so near to it that nobody can tell.
Added add_curve(std::vector<Corner>& out, const Shape& shape, const Transform& transform,
                const scene::Rect& clip) {
    const auto on_screen = [&](Point q) {
        return Point{q.x * transform.scale + transform.offset.x, q.y * transform.scale + transform.offset.y};
    };
    const Point a = on_screen(shape.p[0]), b = on_screen(shape.p[1]), c = on_screen(shape.p[2]);
    const float half = radius_of(shape, transform);
    const float reach = half + 0.5f;
    const auto outside = [reach](float p, float q, float r, float low, float high) {
        return std::max({p, q, r}) + reach < low || std::min({p, q, r}) - reach > high;
    };
    if (!seen(shape.fill) || !(half > 0) || outside(a.x, b.x, c.x, clip.x, clip.x + clip.w) ||
        outside(a.y, b.y, c.y, clip.y, clip.y + clip.h)) {
        return {};
    }
    constexpr float error = 0.12f;  // px between a piece and the curve
    constexpr int most = 32;
    const float bend = std::hypot(a.x - 2 * b.x + c.x, a.y - 2 * b.y + c.y);
    const int pieces = std::clamp(int(std::ceil(std::sqrt(bend / (4 * error)))), 2, most);
    std::array<Point, most + 1> at, normal;
    std::array<float, most + 1> along{};
    for (int i = 0; i <= pieces; ++i) {
        const float t = float(i) / float(pieces), s = 1 - t;
        at[std::size_t(i)] = {s * s * a.x + 2 * s * t * b.x + t * t * c.x,
                              s * s * a.y + 2 * s * t * b.y + t * t * c.y};
        Point d{s * (b.x - a.x) + t * (c.x - b.x), s * (b.y - a.y) + t * (c.y - b.y)};
        float length = std::hypot(d.x, d.y);
        if (length < 1e-4f) {
            d = {c.x - a.x, c.y - a.y};
            length = std::hypot(d.x, d.y);
        }
        normal[std::size_t(i)] = length > 0 ? Point{-d.y / length, d.x / length} : Point{0, 1};
        if (i > 0) {
            along[std::size_t(i)] =
                along[std::size_t(i - 1)] + std::hypot(at[std::size_t(i)].x - at[std::size_t(i - 1)].x,
                                                       at[std::size_t(i)].y - at[std::size_t(i - 1)].y);
        }
    }
    const float middle = 0.5f * along[std::size_t(pieces)];
    const auto corner = [&](int i, float side) {
        const auto n = std::size_t(i);
        // The first and the last corner lie past the end.
        const float past = i == 0 ? -reach : i == pieces ? reach : 0;
        const Point q{at[n].x + normal[n].x * side * reach + normal[n].y * past,
                      at[n].y + normal[n].y * side * reach - normal[n].x * past};
        return Corner{q, {along[n] + past - middle, side * reach}, middle + half, half, 0, 0, shape.fill, 0};
    };
    for (int i = 0; i < pieces; ++i) {
        out.insert(out.end(), {corner(i, -1), corner(i + 1, -1), corner(i, 1), corner(i + 1, 1)});
    }
    return {0, pieces, QuadKind::stroke, 4 * (middle + reach) * reach};
}

}  // namespace

bool is_quad(const Shape& shape, const Transform& transform) {
    if (shape.hatch != 0 || (shape.dash > 0 && shape.gap > 0) || shape.kind == ShapeKind::polygon) {
        return false;
    }
    return shape.kind != ShapeKind::ribbon ||
           (shape.line_width <= 0 && radius_of(shape, transform) <= thin_curve);
}

Added add_quads(std::vector<Corner>& out, const Shape& shape, const Transform& transform,
                const scene::Rect& clip) {
    if (shape.kind == ShapeKind::ribbon) {
        return add_curve(out, shape, transform, clip);
    }
    const float scale = transform.scale, lines = line_scale(shape, transform);
    const auto on_screen = [&](Point q) {
        return Point{q.x * scale + transform.offset.x, q.y * scale + transform.offset.y};
    };
    Point centre = on_screen(shape.p[0]);
    Point half{shape.p[1].x * scale, shape.p[1].y * scale};
    float radius = shape.radius * scale;
    Point axis{1, 0};
    if (shape.kind == ShapeKind::disc) {
        half.y = radius = half.x;
    } else if (shape.kind == ShapeKind::capsule) {
        const Point end = on_screen(shape.p[1]);
        const Point along{end.x - centre.x, end.y - centre.y};
        const float length = std::sqrt(along.x * along.x + along.y * along.y);
        if (length > 0) {
            axis = {along.x / length, along.y / length};
        }
        radius = shape.radius * lines;
        centre = {0.5f * (centre.x + end.x), 0.5f * (centre.y + end.y)};
        half = {0.5f * length + radius, radius};
    } else if (shape.rotation != 0) {
        axis = {std::cos(shape.rotation), std::sin(shape.rotation)};
    }
    radius = std::min({radius, half.x, half.y});

    const bool outlined = shape.line_width > 0 && seen(shape.line);
    const float half_line = outlined ? 0.5f * shape.line_width * lines : 0;
    const Body body{centre, axis, half, radius, half_line, shape.fill, outlined ? shape.line : 0};
    const Point reach{half.x + 0.5f + half_line, half.y + 0.5f + half_line};
    const float wide = std::abs(axis.x) * reach.x + std::abs(axis.y) * reach.y;
    const float high = std::abs(axis.y) * reach.x + std::abs(axis.x) * reach.y;
    if ((!outlined && !seen(shape.fill)) || !(reach.x > 0 && reach.y > 0) || centre.x + wide < clip.x ||
        centre.y + high < clip.y || centre.x - wide > clip.x + clip.w || centre.y - high > clip.y + clip.h) {
        return {};
    }
    const bool square = radius <= (shape.kind == ShapeKind::capsule ? round_from : 0.05f);
    Added added;
    added.kind = outlined ? QuadKind::outlined : square ? QuadKind::stroke : QuadKind::body;

    // A point so far inside of the corner's square is inside of its circle too.
    const float inset = 0.3f * radius + half_line + 1;
    const Point lo{std::ceil(centre.x - half.x + inset) - centre.x,
                   std::ceil(centre.y - half.y + inset) - centre.y};
    const Point hi{std::floor(centre.x + half.x - inset) - centre.x,
                   std::floor(centre.y + half.y - inset) - centre.y};
    if (axis.y == 0 && opaque(shape.fill) && hi.x > lo.x && hi.y > lo.y &&
        (hi.x - lo.x) * (hi.y - lo.y) > large) {
        add_part(out, body, lo, hi);
        added.solid = 1;
        const std::array<float, 4> xs = {-reach.x, lo.x, hi.x, reach.x};
        const std::array<float, 4> ys = {-reach.y, lo.y, hi.y, reach.y};
        for (std::size_t y = 0; y < 3; ++y) {
            for (std::size_t x = 0; x < 3; ++x) {
                if (x != 1 || y != 1) {
                    add_part(out, body, {xs[x], ys[y]}, {xs[x + 1], ys[y + 1]});
                    ++added.quads;
                }
            }
        }
        added.pixels = 4 * reach.x * reach.y - (hi.x - lo.x) * (hi.y - lo.y);
        return added;
    }
    add_part(out, body, {-reach.x, -reach.y}, reach);
    added.quads = 1;
    added.pixels = 4 * reach.x * reach.y;
    return added;
}

}  // namespace auditorium::renderer
