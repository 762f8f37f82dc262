#include "app/hosts/icon.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace auditorium {

namespace {

struct Rgb {
    float r, g, b;
};
constexpr Rgb hall{0x16, 0x1D, 0x26}, board{0xED, 0xF1, 0xF5}, work{0x56, 0xB4, 0xE9},
    champion{0x2F, 0xC4, 0x9B};

// Distance to a box with round corners; the icon is one unit wide.
float round_box(float x, float y, float cx, float cy, float hx, float hy, float r) {
    const float qx = std::abs(x - cx) - hx + r, qy = std::abs(y - cy) - hy + r;
    return std::hypot(std::max(qx, 0.0f), std::max(qy, 0.0f)) + std::min(std::max(qx, qy), 0.0f) - r;
}

}  // namespace

Image icon(int size) {
    Image image{.width = size, .height = size, .rgba = {}};
    image.rgba.resize(std::size_t(size) * std::size_t(size) * 4);
    const float pixel = 1.0f / float(size);
    for (int py = 0; py < size; ++py) {
        for (int px = 0; px < size; ++px) {
            const float x = (float(px) + 0.5f) * pixel, y = (float(py) + 0.5f) * pixel;
            const auto cover = [pixel](float d) { return std::clamp(0.5f - d / pixel, 0.0f, 1.0f); };
            Rgb color = hall;
            const auto put = [&color, &cover](float d, const Rgb& c) {
                const float a = cover(d);
                color = {color.r + (c.r - color.r) * a, color.g + (c.g - color.g) * a,
                         color.b + (c.b - color.b) * a};
            };
            put(round_box(x, y, 0.5f, 0.28f, 0.34f, 0.1f, 0.04f), board);
            for (int row = 0; row < 2; ++row) {
                for (int seat = 0; seat < 5; ++seat) {
                    const float s = float(seat - 2) / 2;
                    const float cx = 0.5f + 0.34f * s, cy = 0.64f + 0.2f * float(row) - 0.1f * s * s;
                    put(std::hypot(x - cx, y - cy) - 0.065f, row == 0 && seat == 2 ? champion : work);
                }
            }
            const float alpha = cover(round_box(x, y, 0.5f, 0.5f, 0.5f, 0.5f, 0.16f));
            const std::array<float, 4> rgba = {color.r, color.g, color.b, 255 * alpha};
            for (std::size_t c = 0; c < 4; ++c) {
                image.rgba[(std::size_t(py) * std::size_t(size) + std::size_t(px)) * 4 + c] =
                    std::uint8_t(std::lround(rgba[c]));
            }
        }
    }
    return image;
}

}  // namespace auditorium
