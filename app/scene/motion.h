// Easing: how a progress of 0..1 looks. Everything that moves goes through one of these.
#pragma once

#include <algorithm>
#include <cmath>

#include "app/scene/shape.h"

namespace auditorium::scene {

inline float clamp01(double t) {
    return float(std::clamp(t, 0.0, 1.0));
}

// Between `low` and `high`, and at `low` where there is no room between them.
inline float within(float value, float low, float high) {
    return std::max(low, std::min(value, high));
}

inline float out_cubic(float t) {
    const float u = 1 - t;
    return 1 - u * u * u;
}

inline float in_out_cubic(float t) {
    const float u = 2 - 2 * t;
    return t < 0.5f ? 4 * t * t * t : 1 - u * u * u / 2;
}

inline float in_quad(float t) {
    return t * t;
}

inline float mix(float a, float b, float t) {
    return a + (b - a) * t;
}

inline Point mix(Point a, Point b, float t) {
    return {mix(a.x, b.x, t), mix(a.y, b.y, t)};
}

// On a quadratic Bezier curve.
inline Point on_curve(Point a, Point control, Point b, float t) {
    return mix(mix(a, control, t), mix(control, b, t), t);
}

inline Color mix(Color a, Color b, float t) {
    Color out = 0;
    for (int shift = 0; shift < 32; shift += 8) {
        const float x = float((a >> shift) & 0xff), y = float((b >> shift) & 0xff);
        out |= Color(std::lround(mix(x, y, t))) << shift;
    }
    return out;
}

// The same colour, this much of its opacity.
inline Color faded(Color color, float opacity) {
    const Color alpha = Color(std::lround(float(color >> 24) * std::clamp(opacity, 0.0f, 1.0f)));
    return (color & 0x00ffffff) | (alpha << 24);
}

}  // namespace auditorium::scene
