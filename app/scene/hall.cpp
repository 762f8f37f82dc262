// The hall: one concave row a warp, its floor, its people and its tag. People who sit at the council table
// leave a dashed seat behind.
#include <bit>
#include <cstdio>

#include "app/scene/frame.h"

namespace auditorium::scene {
namespace {

enum class RowState { quiet, issuing, waiting, left };

RowState row_state(const Frame& frame, int row) {
    if (!frame.plan)
        return RowState::quiet;
    if (!(frame.plan->present >> row & 1))
        return RowState::left;
    if (frame.resting && !(frame.plan->arriving >> row & 1))
        return RowState::left;
    if (frame.beat.kind == playback::BeatKind::drop)
        return RowState::quiet;
    if (frame.resting || (frame.plan->waiting >> row & 1))
        return RowState::waiting;
    return frame.plan->active[row] ? RowState::issuing : RowState::quiet;
}

struct TagLook {
    Color fill, line, ink;
};

TagLook look_of(const Theme& theme, RowState state, bool hazard) {
    switch (state) {
        case RowState::issuing:
            return {theme.work, theme.work, theme.background};
        case RowState::waiting:
            return hazard ? TagLook{theme.panel, theme.hazard, theme.hazard}
                          : TagLook{theme.rope_soft, theme.rope, theme.rope_text};
        case RowState::left:
            return {0, theme.hairline, theme.text3};
        case RowState::quiet:
            break;
    }
    return {theme.raised, theme.edge, theme.text2};
}

// One tag for the rows first..last.
void draw_tag(Frame& frame, int first, int last, RowState state, bool hazard) {
    const Layout& layout = frame.layout;
    Layer& layer = frame.layer(LayerId::labels);
    const TagLook look = look_of(frame.theme, state, hazard);
    const float size = std::max(layout.text.small * 0.96f, layout.text.smallest);
    char text[40];
    if (first == last)
        std::snprintf(text, sizeof text, "W%d", first);
    else
        std::snprintf(text, sizeof text, "W%d\u2013%d", first, last);
    const bool icon = state == RowState::issuing || state == RowState::waiting;
    float words = text_width(Font::semibold, size, text);
    const Point from = layout.seat(first, 0), to = layout.seat(last, 0);
    const bool group = first != last;
    // A group's tag has its icon below the words: it is narrow, and as high as it likes.
    const bool stacked = group && icon && layout.spacing * float(last - first) > size * 3.4f;
    const float reach = layout.pitch * (group ? 1.15f : 0.95f);
    const float lift = 6 * layout.person;
    // Where even that is too broad for the margin, the words stand on two lines.
    const float margin = std::min(from.x, to.x) - std::max(4.0f, 7.5f * layout.person) - 0.5f;
    const bool tight = words + size * 1.75f + 3 > margin;  // a little less air, then
    const float air = icon && !stacked ? (tight ? 1.55f : 1.75f) : 1.1f;
    const bool two_lines = group && words + size * air + 3 > margin;
    char second[24];
    if (two_lines) {
        std::snprintf(text, sizeof text, "W%d", first);
        std::snprintf(second, sizeof second, "to %d", last);
        words = std::max(text_width(Font::semibold, size, text), text_width(Font::semibold, size, second));
    }
    const float height = size * ((stacked ? 2.9f : 1.65f) + (two_lines ? 1.1f : 0));
    const float width = words + size * (two_lines && stacked ? 0.8f : air);
    if (width + 2 > margin)
        return;  // it would lie on the row's first seats
    // Everything here stays inside the area.
    const float right = std::max(std::min(from.x, to.x) - reach, width + (tight ? 2.0f : 3.0f));
    const Point at{right - width / 2, within((from.y + to.y) / 2 - lift, layout.hall_top() + height / 2 + 1,
                                             layout.height - height / 2 - 3)};
    const Rect area{at.x - width / 2, at.y - height / 2, width, height};
    if (!frame.taken.free(area))
        return;
    frame.taken.add(area);
    frame.scene.words.push_back(area);
    if (group && layout.spacing * float(last - first) > height) {
        const float x = std::min(right + 3, std::min(from.x, to.x) - 10 * layout.person);
        const Color line = state == RowState::quiet ? frame.theme.edge : look.line;
        if (x > right + 1) {
            add_line(layer, {x, from.y - lift * 0.5f}, {x, to.y}, frame.px(1.2f), line);
            add_line(layer, {x, from.y - lift * 0.5f}, {x + 4, from.y - lift * 0.5f}, frame.px(1.2f), line);
            add_line(layer, {x, to.y}, {x + 4, to.y}, frame.px(1.2f), line);
        }
    }
    add_box(layer, at, width, height, stacked ? size * 0.75f : height / 2, look.fill, look.line,
            frame.px(1.3f));
    const float text_x = at.x - (stacked ? words / 2 : width / 2 - size * (tight ? 0.5f : 0.6f));
    const float text_y = (stacked ? at.y - size * 0.6f : at.y) - (two_lines ? size * 0.55f : 0);
    add_label(layer, {text_x, text_y}, text, size, Font::semibold, look.ink, Align::left);
    if (two_lines)
        add_label(layer, {text_x, text_y + size * 1.1f}, second, size, Font::semibold, look.ink, Align::left);
    const Point mark = stacked ? Point{at.x - size * 0.28f, at.y + size * (two_lines ? 1.25f : 0.7f)}
                               : Point{text_x + words + size * 0.2f, at.y};
    if (state == RowState::issuing) {
        add_triangle(layer, {mark.x, mark.y - size * 0.34f}, {mark.x + size * 0.55f, mark.y},
                     {mark.x, mark.y + size * 0.34f}, look.ink);
    } else if (state == RowState::waiting) {
        add_box(layer, {mark.x + size * 0.12f, mark.y}, size * 0.17f, size * 0.68f, 0.8f, look.ink);
        add_box(layer, {mark.x + size * 0.46f, mark.y}, size * 0.17f, size * 0.68f, 0.8f, look.ink);
    }
    // A divergent row says how many of its lanes work.
    if (state == RowState::issuing && !group && frame.plan) {
        const int lanes = std::min(trace::warp_size, frame.threads - first * trace::warp_size);
        const int working = std::popcount(frame.plan->active[first]);
        const float below =
            first + 1 < frame.rows ? layout.seat(first + 1, 0).y - from.y : layout.spacing * 1.3f;
        if (working < lanes && below > height + layout.text.smallest * 1.2f) {
            std::snprintf(text, sizeof text, "%d/%d", working, lanes);
            add_label(layer, {at.x, at.y + height / 2 + layout.text.smallest * 0.75f}, text,
                      layout.text.smallest, Font::mono, frame.theme.work);
        }
    }
}

void draw_tags(Frame& frame, bool mismatch) {
    const Layout& layout = frame.layout;
    const float least = layout.text.small * 1.7f;  // rows nearer than this share a tag
    const bool share = layout.spacing < least;
    if (frame.council > 0.5f && !layout.far_rows)
        return;
    // W0's people sit at the table: their tag would hang beside empty seats.
    for (int row = frame.council > 0.5f ? 1 : 0; row < frame.rows;) {
        const RowState state = row_state(frame, row);
        int last = row;
        while (share && last + 1 < frame.rows && row_state(frame, last + 1) == state)
            ++last;
        // Tags of neighbouring runs may still be too near: only a run with room for its tag, or the first of
        // all.
        const bool room = !share || layout.spacing * float(last - row + 1) >= least || frame.rows == 1 ||
                          state == RowState::issuing;
        if (room)
            draw_tag(frame, row, last, state, mismatch && state == RowState::waiting);
        row = last + 1;
    }
}

}  // namespace

void draw_hall(Frame& frame, const RopeState& rope) {
    const Layout& layout = frame.layout;
    Layer& floor = frame.layer(LayerId::floor);
    Layer& people = frame.layer(LayerId::people);
    const bool dots = layout.detail == Detail::dots;
    for (int row = 0; row < frame.rows; ++row) {
        if (row == 0 && frame.council > 0.99f && frame.rows == 1)
            continue;
        // A parabola is a quadratic curve: this is the row's own line, a little longer than its seats.
        const float t = 1.12f, drop = (dots ? 0.0f : 7.5f) * layout.person;
        const float end = layout.arc_y(row, t) + drop;
        const float half = 15.5f * t * layout.seat_dx[row];
        const float middle = layout.seat_y[row] + drop;
        const Point control{layout.centre_x, 2 * middle - end};
        add_arc(floor, {layout.centre_x - half, end}, control, {layout.centre_x + half, end},
                (dots ? 3.0f : 5.0f) * std::max(0.5f, layout.person), frame.theme.floor);
    }
    if (frame.council <= 0.02f) {
        // The front row: words may stand before it, not on it.
        for (int lane = 0; lane < trace::warp_size; lane += 4) {
            const Point a = layout.seat(0, lane), b = layout.seat(0, lane + 3);
            const float top = std::min(a.y, b.y) - (dots ? 4.0f : 29 * layout.person);
            const float half = 7 * layout.person;
            frame.taken.add(
                {a.x - half, top, b.x - a.x + 2 * half, std::max(a.y, b.y) - top + 4 * layout.person});
        }
    }
    for (int thread = 0; thread < frame.threads; ++thread) {
        const int row = thread / trace::warp_size, lane = thread % trace::warp_size;
        const Spot spot{layout.seat(row, lane), layout.tilt(row, lane), layout.person};
        Pose pose = frame.pose[thread];
        if (row == 0 && frame.council > 0) {
            if (frame.rows == 1 && frame.council > 0.99f)
                continue;
            pose.present = 0;  // drawn on the way, or at the table
            pose.strange = 0;
        }
        if (layout.detail == Detail::people)
            draw_person(frame, people, spot, pose);
        else if (layout.detail == Detail::heads)
            draw_head(frame, people, spot, pose);
        else
            draw_dot(frame, people, spot, pose);
        if (row > 0 || frame.council <= 0) {
            const float w = std::max(4.0f, layout.seat_dx[row] * 0.9f);
            const float h = std::max(4.0f, (dots ? 14.0f : mix(24.0f, 34.0f, pose.stand)) * layout.person);
            frame.scene.targets.push_back({Target::Kind::seat,
                                           thread,
                                           {spot.seat.x - w / 2, spot.seat.y - h + 5 * layout.person, w, h}});
        }
        if (thread == frame.followed && (row > 0 || frame.council <= 0) && layout.detail != Detail::dots) {
            const Point head = head_of(spot, pose);
            add_disc(people, head, (layout.detail == Detail::people ? 8.2f : 7.0f) * layout.person, 0,
                     frame.theme.focus, frame.px(1.8f));
        } else if (thread == frame.followed && (row > 0 || frame.council <= 0)) {
            add_disc(people, spot.seat, std::max(4.0f, 11 * layout.person), 0, frame.theme.focus,
                     frame.px(1.4f));
        }
    }
    draw_tags(frame, rope.mismatch);
}

}  // namespace auditorium::scene
