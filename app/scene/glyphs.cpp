// The researchers, seen from behind. Every state has its own shape; colour only repeats it.
#include "app/scene/frame.h"

namespace auditorium::scene {
namespace {

constexpr float seat_w = 18.5f, seat_h = 9.3f, seat_r = 4.2f;
constexpr Point shoulder{5.6f, -16.6f}, hand{10.6f, -28.5f};
constexpr Point pen_from{11.3f, -30}, pen_to{14.6f, -36.5f};

Point place(const Spot& spot, Point offset) {
    return spot.seat + rotated(offset * spot.size, spot.tilt);
}

void draw_seat(Frame& frame, Layer& layer, const Spot& spot, const Pose& pose) {
    const Theme& theme = frame.theme;
    const bool dashed = pose.present < 0.5f;
    const Color line = pose.strange > 0.5f ? theme.hazard : theme.seat_line;
    Shape& seat = add_box(layer, spot.seat, seat_w * spot.size, seat_h * spot.size, seat_r * spot.size,
                          dashed ? 0 : theme.seat, line, frame.px(1));
    seat.rotation = spot.tilt;
    if (dashed) {
        seat.dash = 3;
        seat.gap = 2;
    }
}

}  // namespace

Point head_of(const Spot& spot, const Pose& pose) {
    return place(spot, {pose.head_x, -pose.head_y});
}

Point hand_of(const Spot& spot, const Pose& pose, bool left) {
    const float side = left ? -1.0f : 1.0f;
    const float arm = left ? pose.arm_left : pose.arm_right;
    const Point at = mix(shoulder, hand, arm);
    return place(spot, {side * at.x, at.y + 17 * (1 - pose.stand) * 0.5f});
}

void draw_person(Frame& frame, Layer& layer, const Spot& spot, const Pose& pose) {
    const Theme& theme = frame.theme;
    const float k = spot.size;
    if (pose.present > 0.02f) {
        const Color color = faded(pose.color, pose.present);
        const bool hollow = pose.filled < 0.5f;
        for (const float side : {-1.0f, 1.0f}) {
            const float arm = side < 0 ? pose.arm_left : pose.arm_right;
            if (arm > 0.02f) {
                const Point from{side * shoulder.x, shoulder.y}, to = mix(from, {side * hand.x, hand.y}, arm);
                add_line(layer, place(spot, from), place(spot, to), 2.7f * k, color);
            }
        }
        if (pose.pen > 0.02f)
            add_line(layer, place(spot, pen_from), place(spot, mix(pen_from, pen_to, pose.pen)), 2.2f * k,
                     theme.note);
        const float outline = hollow ? frame.px(1.3f) : 0;
        Shape& body = add_box(layer, place(spot, {0, -pose.body_y}), pose.body_w * k, pose.body_h * k,
                              std::min(pose.body_w, pose.body_h) * 0.42f * k, hollow ? 0 : color,
                              hollow ? color : 0, outline);
        body.rotation = spot.tilt;
        add_disc(layer, head_of(spot, pose), pose.head_r * k, hollow ? theme.background : color,
                 hollow ? color : 0, outline);
    }
    draw_seat(frame, layer, spot, pose);
    if (pose.strange > 0.5f) {
        Shape& ring = add_disc(layer, place(spot, {0, -13}), 6.2f * k, 0, theme.hazard, frame.px(1.3f));
        ring.dash = 2.5f;
        ring.gap = 2;
        const float size = std::max(10 * k, frame.layout.text.smallest);
        if (12.4f * k >= size)  // in the ring
            add_label(layer, place(spot, {0, -13}), "?", size, Font::semibold, theme.hazard);
    }
}

void draw_head(Frame& frame, Layer& layer, const Spot& spot, const Pose& pose) {
    const Theme& theme = frame.theme;
    const float k = spot.size;
    if (pose.present > 0.02f) {
        const Color color = faded(pose.color, pose.present);
        const float y = mix(9.0f, 13.5f, pose.stand) - (pose.head_x > 1 ? 1.5f : 0);
        const bool hollow = pose.filled < 0.5f;
        // A raised arm at this size is a stroke beside the head.
        if (pose.arm_right > 0.3f)
            add_line(layer, place(spot, {5.5f, -9}), place(spot, {8, -19}), 2.6f * k, color);
        if (pose.arm_left > 0.3f)
            add_line(layer, place(spot, {-5.5f, -9}), place(spot, {-8, -19}), 2.6f * k, color);
        add_disc(layer, place(spot, {pose.head_x, -y}), (hollow ? 4.0f : 4.8f) * k,
                 hollow ? theme.background : color, hollow ? color : 0, hollow ? frame.px(1.2f) : 0);
    }
    draw_seat(frame, layer, spot, pose);
}

void draw_dot(Frame& frame, Layer& layer, const Spot& spot, const Pose& pose) {
    const Theme& theme = frame.theme;
    const float r = 7 * spot.size;
    if (pose.strange > 0.5f || pose.present < 0.5f) {
        const Color color = pose.strange > 0.5f ? theme.hazard : theme.seat_line;
        add_line(layer, place(spot, {-7, 0}), place(spot, {7, 0}), frame.px(1.2f), color);
    } else if (pose.filled < 0.5f) {
        add_disc(layer, spot.seat, r * 0.85f, 0, pose.color, frame.px(1.1f));
    } else {
        add_disc(layer, spot.seat, r * (pose.head_x > 1 ? 0.7f : 1.0f), pose.color);
    }
}

}  // namespace auditorium::scene
