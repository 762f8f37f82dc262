// The picture of a question: what belongs to the thing that the inspector is asked about. Boxes that its
// value came through get a thick outline, the people whose scores are in it a ring and a note with their
// first score.
#include <algorithm>
#include <string>

#include "app/scene/frame.h"
#include "app/scene/pick.h"

namespace auditorium::scene {
namespace {

using inspector::Description;
using Kind = inspector::Thing::Kind;

constexpr int most_rings = 64, most_notes = 16;

struct Seat {
    Point head;
    float radius = 0;
    bool table = false;
};

Seat seat_of(const Frame& frame, int thread) {
    const Layout& layout = frame.layout;
    const int row = thread / trace::warp_size, lane = thread % trace::warp_size;
    if (row == 0 && frame.council > 0.5f)
        return {place_at_table(layout, lane), 13.5f * layout.table_scale, true};
    const Spot spot{layout.seat(row, lane), layout.tilt(row, lane), layout.person};
    if (layout.detail == Detail::dots)
        return {spot.seat, std::max(4.0f, 11 * layout.person), false};
    return {head_of(spot, frame.pose[std::size_t(thread)]),
            (layout.detail == Detail::people ? 8.6f : 7.4f) * layout.person, false};
}

void outline_boxes(Frame& frame) {
    const Layout& layout = frame.layout;
    const Theme& theme = frame.theme;
    Layer& layer = frame.layer(LayerId::rays);
    const std::vector<int>& boxes = frame.asked->boxes;
    if (boxes.empty())
        return;
    // Boxes of one column that follow each other down the board share a frame.
    const bool column = std::all_of(boxes.begin(), boxes.end(), [&](int box) {
        return box % trace::warp_size == boxes[0] % trace::warp_size;
    });
    const auto height = [&](int row) { return std::max(layout.row_h[std::size_t(row)], 3.0f); };
    if (column && boxes.size() > 1) {
        const int first = boxes.front() / trace::warp_size, last = boxes.back() / trace::warp_size;
        const float top = layout.row_y[std::size_t(first)] - height(first) / 2,
                    bottom = layout.row_y[std::size_t(last)] + height(last) / 2;
        add_box(layer, {layout.column_x(boxes[0] % trace::warp_size), (top + bottom) / 2},
                layout.pitch + 2 * frame.px(1.4f), bottom - top + 2 * frame.px(1.4f), 6, 0, theme.ink,
                frame.px(1.6f));
    }
    const bool many = boxes.size() > most_rings;
    for (const int box : boxes) {
        const int row = box / trace::warp_size;
        if (many && layout.row_h[std::size_t(row)] < 6)
            continue;
        add_box(layer, {layout.column_x(box % trace::warp_size), layout.row_y[std::size_t(row)]},
                layout.box_width(), std::max(height(row) - 2.5f, 2.0f), 3, 0, theme.ink,
                frame.px(many ? 1.2f : 2.0f));
    }
    // The box itself: once more in the colour of the focus, which no other box has.
    if (frame.asked->thing.kind == Kind::box) {
        const int box = frame.asked->thing.index, row = box / trace::warp_size;
        add_box(layer, {layout.column_x(box % trace::warp_size), layout.row_y[std::size_t(row)]},
                layout.pitch + frame.px(0.5f), height(row) + frame.px(0.5f), 4, 0, theme.board_work,
                frame.px(1.8f));
    }
}

void ring_people(Frame& frame) {
    const Layout& layout = frame.layout;
    const Theme& theme = frame.theme;
    const Description& asked = *frame.asked;
    const bool many = asked.people.size() > most_rings;
    Layer& rings = frame.layer(LayerId::people);
    for (const int thread : asked.people) {
        // Of very many only the winner, and whom it is about.
        const bool self = asked.thing.kind == Kind::thread && asked.thing.index == thread;
        if (many && thread != asked.winner && !self)
            continue;
        const Seat seat = seat_of(frame, thread);
        add_disc(rings, seat.head, seat.radius, 0, self ? theme.work : theme.focus,
                 frame.px(self ? 2.6f : 1.6f));
    }
    if (!asked.scores || layout.detail == Detail::dots || frame.council > 0.5f)
        return;
    Layer& notes = frame.layer(LayerId::notes);
    const bool each = asked.people.size() <= most_notes;
    const float size = std::max(layout.text.smallest, layout.text.box);
    for (const int thread : asked.people) {
        const bool won = thread == asked.winner;
        if (!each && !won)
            continue;
        const Seat seat = seat_of(frame, thread);
        const ShortText text =
            short_number(frame.trace.config.values[std::size_t(thread)], frame.trace.config.type);
        const float width = text_width(Font::mono_semibold, size, text.view()) + 9, height = size * 1.55f;
        const float tick = won ? height * 0.9f : 0;
        float x = seat.head.x + seat.radius + 3 + width / 2;
        if (x + width / 2 + tick > layout.width - 2)
            x = seat.head.x - seat.radius - 3 - width / 2;
        const Point at{x, seat.head.y};
        draw_note(frame, notes, at, width, height, text.view(), size, false);
        if (!won)
            continue;
        add_box(notes, at, width, height, 2, 0, theme.champion, frame.px(2));
        const Point mark{at.x + width / 2 + tick * 0.6f, at.y};
        const float r = tick * 0.45f;
        add_disc(notes, mark, r, theme.champion_soft, theme.champion, frame.px(1.2f));
        add_line(notes, {mark.x - r * 0.45f, mark.y}, {mark.x - r * 0.1f, mark.y + r * 0.38f}, frame.px(1.3f),
                 theme.champion);
        add_line(notes, {mark.x - r * 0.1f, mark.y + r * 0.38f}, {mark.x + r * 0.5f, mark.y - r * 0.38f},
                 frame.px(1.3f), theme.champion);
    }
}

void light_ray(Frame& frame) {
    for (const RayTarget& ray : frame.scene.rays) {
        if (ray.thread != frame.asked->thing.index || ray.box != frame.asked->thing.other)
            continue;
        Layer& layer = frame.layer(LayerId::rays);
        add_line(layer, ray.hand, ray.edge, frame.px(2.8f), frame.theme.focus);
        add_line(layer, ray.edge, ray.top, frame.px(2.8f), frame.theme.ink);
        return;
    }
}

void frame_target(Frame& frame, const inspector::Thing& thing) {
    for (const Target& target : frame.scene.targets)
        if (thing_of(target) == thing) {
            const Rect& r = target.area;
            add_box(frame.layer(LayerId::labels), {r.x + r.w / 2, r.y + r.h / 2}, r.w + 3, r.h + 3, 4, 0,
                    thing.kind == Kind::bank ? frame.theme.ink : frame.theme.focus, frame.px(1.8f));
            return;
        }
}

}  // namespace

void find_asked(Frame& frame) {
    if (!frame.asked)
        return;
    for (const int box : frame.asked->boxes)
        if (box < frame.threads)
            frame.box_asked[std::size_t(box)] = 1;
    // The people whose scores are in it sit up, as if they were in the running: their score still is.
    if (!frame.asked->scores || frame.asked->people.size() > most_rings)
        return;
    for (const int thread : frame.asked->people) {
        Pose& pose = frame.pose[std::size_t(thread)];
        const Pose upright;
        if (pose.color != frame.theme.eliminated || pose.stand > 0)
            continue;
        pose = upright;
        pose.color = frame.theme.person;
    }
}

void draw_asked(Frame& frame) {
    if (!frame.asked)
        return;
    outline_boxes(frame);
    ring_people(frame);
    switch (frame.asked->thing.kind) {
        case Kind::ray:
            light_ray(frame);
            break;
        case Kind::note:
        case Kind::ticket:
        case Kind::bank:
            frame_target(frame, frame.asked->thing);
            break;
        default:
            break;
    }
}

}  // namespace auditorium::scene
