// What went wrong, where it went wrong: boxes with an access of a race (hatched by board.cpp) carry a "!",
// boxes that hold too little a dashed edge and a minus, people whose score goes no further a torn note.
#include <algorithm>

#include "app/scene/frame.h"

namespace auditorium::scene {
namespace {

// The step whose end is shown, or that runs; -1: none yet.
int shown_step(const Frame& frame) {
    return frame.step >= 0 ? frame.step : frame.moment.span == 0 ? -1 : int(frame.trace.steps.size()) - 1;
}

// The sign stands on the box's upper edge, clear of the digits below it and above it.
void draw_hazards(Frame& frame) {
    if (frame.step < 0)
        return;
    const Layout& layout = frame.layout;
    const Theme& theme = frame.theme;
    Layer& layer = frame.layer(LayerId::rays);
    const float w = layout.box_width();
    const float digits = frame.numbers.size > 0 ? frame.numbers.size : layout.text.smallest;
    for (const int box : frame.prepared.index.hazards[std::size_t(frame.step)]) {
        const int row = box / trace::warp_size;
        const float row_h = layout.row_h[std::size_t(row)];
        if (row_h < 14 || layout.pitch < 16)
            continue;
        const float y = layout.row_y[std::size_t(row)];
        const float number = y - (row_h < 24 ? 1.2f : 0) - 0.42f * digits;
        // Between this number and the one above it, or the bank's.
        const float ceiling = row == 0 ? layout.header_foot() + 0.5f : number - row_h + 0.84f * digits + 0.6f;
        const float foot = number - 0.6f;
        const float high = std::min(std::clamp(row_h * 0.36f, 6.0f, 12.0f), foot - ceiling);
        if (high < 4)
            continue;  // the hatch alone
        const Point c{layout.column_x(box % trace::warp_size) - w / 2 + high * 0.5f, foot};
        const Color white = rgb(0xFFFFFF);
        Shape& sign = add_triangle(layer, {c.x, c.y - high}, {c.x + high * 0.58f, c.y},
                                   {c.x - high * 0.58f, c.y}, theme.board_hazard);
        sign.line = white;  // apart from the box's own edge
        sign.line_width = 0.8f;
        add_line(layer, {c.x, c.y - high * 0.66f}, {c.x, c.y - high * 0.38f}, high * 0.13f, white);
        add_disc(layer, {c.x, c.y - high * 0.18f}, high * 0.08f, white);
    }
}

void draw_shortfall(Frame& frame) {
    const int step = shown_step(frame);
    if (step < 0)
        return;
    const Layout& layout = frame.layout;
    const Theme& theme = frame.theme;
    Layer& layer = frame.layer(LayerId::rays);
    const auto mark = [&](const inspector::Shortfall& less) {
        const int row = less.box / trace::warp_size;
        const float row_h = layout.row_h[std::size_t(row)], w = layout.box_width();
        if (row_h < 6)
            return;
        const float h = row_h >= 16 ? row_h - 2.5f : row_h - 1;
        const Point at{layout.column_x(less.box % trace::warp_size), layout.row_y[std::size_t(row)]};
        Shape& edge = add_box(layer, at, w, h, 3, 0, theme.board_hazard, frame.px(1.8f));
        edge.dash = 4;
        edge.gap = 2.5f;
        const float r = std::clamp(row_h * 0.18f, 2.5f, 6.0f);
        const Point c{at.x + w / 2 - r * 0.2f, at.y - h / 2 - r * 0.1f};
        add_disc(layer, c, r, theme.board_hazard, rgb(0xFFFFFF), 1);
        add_line(layer, {c.x - r * 0.5f, c.y}, {c.x + r * 0.5f, c.y}, std::max(1.2f, r * 0.3f),
                 rgb(0xFFFFFF));
    };
    // A box that the running step has written shows what it holds after it, all others what before.
    if (frame.step >= 0) {
        for (const inspector::Shortfall& less : frame.prepared.index.shortfall[std::size_t(step)])
            if (frame.written[std::size_t(less.box)])
                mark(less);
        if (step > 0)
            for (const inspector::Shortfall& less : frame.prepared.index.shortfall[std::size_t(step) - 1])
                if (!frame.written[std::size_t(less.box)])
                    mark(less);
    } else {
        for (const inspector::Shortfall& less : frame.prepared.index.shortfall[std::size_t(step)])
            mark(less);
    }
}

// A note in two halves.
void draw_torn(Frame& frame, Layer& layer, Point at, float w, float h) {
    const Theme& theme = frame.theme;
    const float gap = w * 0.12f;
    for (const float side : {-1.0f, 1.0f}) {
        const float inner = at.x + side * gap, outer = at.x + side * w / 2;
        const float bite = side * w * 0.12f;
        Shape& half = add(layer, ShapeKind::polygon);
        half.points = 5;
        half.p = {Point{outer, at.y - h / 2}, Point{inner, at.y - h / 2}, Point{inner + bite, at.y},
                  Point{inner, at.y + h / 2}, Point{outer, at.y + h / 2}, Point{}};
        half.fill = theme.note;
        half.line = theme.hazard;
        half.line_width = frame.px(1.2f);
    }
}

void draw_torn_notes(Frame& frame) {
    const int step = shown_step(frame);
    const Layout& layout = frame.layout;
    if (step < 0 || layout.detail == Detail::dots)
        return;
    const int call = frame.trace.steps[std::size_t(step)].call;
    Layer& layer = frame.layer(LayerId::people);
    const std::vector<int>& lost = frame.prepared.index.lost_in;
    for (int thread = 0; thread < frame.threads; ++thread) {
        const int row = thread / trace::warp_size, lane = thread % trace::warp_size;
        if (call != 0 || lost[std::size_t(thread)] < 0 || lost[std::size_t(thread)] > step ||
            (row == 0 && frame.council > 0.02f))
            continue;
        const Spot spot{layout.seat(row, lane), layout.tilt(row, lane), layout.person};
        // On the seat: over the heads of the first row hang the rope and its plaque.
        const float k = std::max(0.55f, layout.person);
        draw_torn(frame, layer, {spot.seat.x, spot.seat.y}, 15 * k, 8 * k);
    }
}

}  // namespace

void draw_troubles(Frame& frame) {
    draw_hazards(frame);
    draw_shortfall(frame);
}

void draw_lost(Frame& frame) {
    draw_torn_notes(frame);
}

}  // namespace auditorium::scene
