#include "app/panels/layout.h"

#include <algorithm>

namespace auditorium::panels {
float between(float s, float small, float middle, float large) {
    s = std::clamp(s, 0.8f, 1.2f);
    return s < 1 ? small + (middle - small) * (s - 0.8f) / 0.2f : middle + (large - middle) * (s - 1) / 0.2f;
}

namespace {

Layout presenter_layout(float w, float h) {
    Layout out;
    const float s = std::clamp(std::min(w / 1600, h / 900), 0.45f, 1.4f);
    out.type = {.display = std::max(17.f, 31 * s),
                .heading = std::max(15.f, 19 * s),
                .body = std::max(14.f, 17 * s),
                .label = std::max(14.f, 17 * s),
                .small = std::max(14.f, 15 * s),
                .code = std::max(14.f, 15 * s)};
    out.gutter = std::max(16.f, 64 * s);
    const float height = std::max(110.f, 178 * s);
    out.bottom = {0, h - height, w, height};
    out.scene = {0, 0, w, h - height};
    return out;
}

}  // namespace

Layout layout(const View& view, int result_rows) {
    const float w = float(view.width), h = float(view.height);
    const bool bare = view.scene_only;
    if (view.width < (bare ? least_scene_width : least_width) ||
        view.height < (bare ? least_scene_height : least_height)) {
        Layout out;
        out.too_small = true;
        return out;
    }
    if (view.scene_only) {
        Layout out;
        out.scene = {0, 0, w, h};
        return out;
    }
    if (view.presenter)
        return presenter_layout(w, h);

    Layout out;
    const float s = std::min(w / 1600, h / 900);
    out.type = {.display = between(s, 18, 21, 22),
                .heading = between(s, 13, 14, 15),
                .body = between(s, 13, 14.5f, 15),
                .label = between(s, 12, 13, 13.5f),
                .small = between(s, 11.5f, 12, 12.5f),
                .code = between(s, 11, 12, 13)};
    out.gutter = between(s, 8, 16, 16);
    out.pad = between(s, 14, 18, 20);
    const float gap = between(s, 8, 10, 12);
    const float top = between(s, 40, 48, 52);
    out.top = {0, 0, w, top};
    out.pips = w >= 1400 && s >= 0.875f;  // a low window has narrow cards
    out.hits_column = out.pips;
    out.device_date = w >= 1400;
    out.chip_labels = w >= 1240;

    const bool short_window = h < 560;
    out.gantt = view.show_gantt && !short_window;
    out.speeds = !short_window;
    float bottom = between(s, 116, 140, 156);
    if (!out.gantt)
        bottom = short_window ? 60 : between(s, 82, 90, 96);
    const float edge = out.gutter;
    out.bottom = {edge, h - bottom - gap, w - 2 * edge, bottom};
    const float y0 = top + gap, y1 = out.bottom.y - gap;
    const float height = y1 - y0;

    float x0 = edge, x1 = w - edge;
    const bool left = w >= 1100;
    if (left) {
        out.left = {x0, y0, between(s, 232, 304, 340), height};
        x0 += out.left.w + gap;
    }
    const bool right = w >= 860 && view.show_code;
    float scene_bottom = y1;
    if (right) {
        const float width = between(s, 290, 380, 440);
        out.row = between(s, 22, 26, 29);
        const float result = between(s, 40, 46, 50) + out.row * float(result_rows) + between(s, 6, 8, 10);
        x1 -= width;
        out.result = {x1, y1 - result, width, result};
        out.code = {x1, y0, width, height - result - gap};
        if (out.code.h < 90) {
            out.code = {};
            out.result.y = y0;
        }
        x1 -= gap;
    }
    if (!left) {
        // One line of at most 90 letters, or two of them.
        const float lines = x1 - edge > 90 * 0.48f * out.type.body + 2 * out.pad ? 1.f : 2.f;
        const float caption = out.type.display + lines * out.type.body * 1.4f + 22;
        out.caption = {edge, y1 - caption, x1 - edge, caption};
        scene_bottom = out.caption.y - gap;
    }
    // The scene reaches to the cards' edges; its own margins keep the gap.
    const float scene_left = left ? x0 - gap : 0, scene_right = right ? x1 + gap : w;
    out.scene = {scene_left, top, scene_right - scene_left, scene_bottom + gap - top};

    const float transport = w >= 1240 ? between(s, 240, 316, 340) : 238;
    out.transport = {out.bottom.x, out.bottom.y, transport, bottom};
    out.timeline = {out.bottom.x + transport, out.bottom.y, out.bottom.w - transport - out.pad, bottom};
    return out;
}

}  // namespace auditorium::panels
