#include "app/scene/layout.h"

#include <algorithm>
#include <cmath>

#include "app/scene/motion.h"

namespace auditorium::scene {
namespace {

struct Knot {
    float at, value;
};

// Piecewise linear, constant beyond the ends.
template <std::size_t N>
float between(float at, const Knot (&knots)[N]) {
    if (at <= knots[0].at)
        return knots[0].value;
    for (std::size_t i = 1; i < N; ++i)
        if (at <= knots[i].at)
            return mix(knots[i - 1].value, knots[i].value,
                       (at - knots[i - 1].at) / (knots[i].at - knots[i - 1].at));
    return knots[N - 1].value;
}

// The scene's area in the three windows of the style sheet.
constexpr float width_1280 = 742, width_1600 = 884, width_1920 = 1108;
constexpr float height_1280 = 556, height_1600 = 702, height_1920 = 856;

constexpr float least_with_titles = 230;    // a lower area has no words over the board
constexpr float least_for_callout = 400;    // a lower one keeps no room for a callout beside tickets
constexpr float least_beside_rows = 0.55f;  // a smaller table has the hall's rows leave
constexpr float least_spacing = 1.6f;       // of two rows of dots

TextSizes text_sizes(float width, float height, bool presenter) {
    if (presenter) {
        const float k = std::clamp(std::min(width / 1600, height / 722), 0.8f, 2.0f);
        return {19 * k, 19 * k, std::max(14.0f, 17 * k), std::max(14.0f, 15 * k), std::max(14.0f, 15.5f * k),
                14,     1.3f};
    }
    TextSizes out;
    const auto size = [&](float small, float middle) {
        return between(width, {{width_1280, small}, {width_1600, middle}, {width_1920, middle * 1.06f}});
    };
    out.heading = size(13, 14);
    out.body = size(13, 14.5f);
    out.label = size(12, 13);
    out.small = size(11.5f, 12);
    out.box = size(10.2f, 10.5f);
    return out;
}

void lay_board(Layout& out, bool presenter, const LayoutNeeds& needs, bool half) {
    const float pad = presenter ? 12 : 11;
    float left = presenter ? out.width * 0.0675f : between(out.width, {{width_1280, 30}, {width_1600, 53}});
    float right = presenter ? out.width * 0.0575f : between(out.width, {{width_1280, 10}, {width_1600, 8}});
    if (half) {
        left = std::max(between(out.width, {{500, 30}, {600, 42}, {778, 53}}), 12 + 2 * out.text.small);
        right = 12;
    }
    out.pitch = (out.width - left - right - 2 * pad) / 32;
    if (out.pitch > 44) {
        left += (out.pitch - 44) * 16;
        out.pitch = 44;
    }
    out.pitch = std::max(out.pitch, 4.0f);
    out.left_margin = left;
    out.first_column = left + pad + out.pitch / 2;
    out.frame.x = left;
    out.frame.w = out.pitch * 32 + 2 * pad;
    out.centre_x = out.frame.x + out.frame.w / 2;
    out.titles = !half && out.height >= least_with_titles;
    out.frame.y = half          ? 4.0f
                  : !out.titles ? 6.0f
                  : presenter   ? std::max(40.0f, out.text.heading * 2)
                                : between(out.height, {{height_1280, 24}, {height_1600, 31}});
    out.title_y = presenter ? out.frame.y / 2 - 1 : out.frame.y / 2 + 0.5f;
    float header = out.titles ? std::max(26.0f, out.text.small * 1.9f) : out.text.smallest * 1.8f;
    out.header_y = out.frame.y + header / 2 + (out.titles ? 3.0f : 2.0f);

    // Rows: 8 at the table's pitch; more rows share about the same height.
    float eight =
        between(out.height, {{300, 12}, {height_1280, 20.5f}, {height_1600, 25}, {height_1920, 29}});
    if (presenter)
        eight = std::clamp(out.height * 28 / 722, 14.0f, 44.0f);
    const int rows = needs.rows;
    const int scale_rows = std::max(rows, needs.rows_beside);
    const float share =
        half ? between(float(scale_rows), {{4, 1.2f}, {8, 1}, {16, 0.52f}, {32, 0.32f}})
             : between(float(scale_rows), {{1, 1.7f}, {4, 1.4f}, {8, 1}, {16, 0.52f}, {32, 0.32f}});
    const float tallest = half ? 1.2f : between(float(scale_rows), {{4, 1.6f}, {8, 1.2f}});  // of a pitch
    // The board takes at most half of the height.
    const float most = (out.height / 2 - out.frame.y - header - 9.5f) / float(scale_rows);
    const float row = std::max(1.2f, std::min({eight * share, out.pitch * tallest, 44.0f, most}));
    // Low rows stand a little further down, so that the first one's number keeps off the word "bank".
    const float label = std::max(out.text.smallest, out.text.small * 0.88f);
    header = std::max(header, out.header_y + 1.3f * label - row / 2 - out.frame.y);
    float live = 0, sliver_rows = 0;
    std::array<float, most_rows> fold{};
    for (int r = 0; r < rows; ++r) {
        fold[r] = needs.folded[r];
        live += 1 - fold[r];
        sliver_rows += fold[r];
    }
    const float sliver = std::min(3.0f, 36 / std::max(1.0f, sliver_rows));
    float live_row = row;
    if (rows > 16 && live > 0.5f && needs.rows_beside == 0)  // two halves keep one scale
        live_row = std::clamp((row * float(rows) - sliver * sliver_rows) / live, row, eight);
    float y = out.frame.y + header;
    for (int r = 0; r < rows; ++r) {
        out.row_h[r] = mix(live_row, sliver, fold[r]);
        out.row_y[r] = y + out.row_h[r] / 2;
        y += out.row_h[r];
    }
    out.board_bottom = y + 9.5f;
    out.frame.h = out.board_bottom - out.frame.y;
}

void lay_hall(Layout& out, bool presenter, const LayoutNeeds& needs, bool half) {
    const int rows = needs.rows;
    const float c = needs.council;
    const float wide = std::min(out.pitch / 25, 1.6f);
    // Fewer than eight rows: they stand further apart and lower, their people are larger.
    const float few = half ? 8.0f : float(std::max(rows, needs.rows_beside));
    const float largest = std::max(wide, std::min(1.6f, wide * between(few, {{4, 1.2f}, {8, 1}})));
    const float widest_apart = wide * between(few, {{1, 2.2f}, {4, 1.75f}, {8, 1}});
    const float bottom_margin = presenter ? 46 : between(out.height, {{height_1280, 16}, {height_1600, 32}});

    // In the hall: rows of standing people take 45, of seated ones 33, a rope 39.
    float aisle = between(out.height,
                          {{150, 26}, {300, 60}, {height_1280, 99}, {height_1600, 120}, {height_1920, 132}});
    const float deeper = between(few, {{4, 1.15f}, {8, 1}});
    const float sag = std::min({1.28f * out.pitch, 42.0f, out.height * 0.05f}) * deeper;
    aisle *= between(few, {{4, 1.3f}, {8, 1}});
    // Tickets need their room: rows shrink, not tickets.
    out.ticket_height = std::max(17 * std::clamp(out.pitch / 25, 0.88f, 1.5f), out.text.smallest * 1.5f);
    const float below_board = out.height - bottom_margin - out.board_bottom;
    // What the rows need at the very least; of two halves both are to be compared, so a little more.
    const float spacing_least =
        half ? std::clamp(std::min(110.0f, below_board * 0.45f) / float(std::max(rows, needs.rows_beside)),
                          least_spacing, 14.0f)
             : least_spacing;
    const float least_hall = 12 + spacing_least * float(rows - 1);
    const bool low = half || out.height < least_for_callout;
    const float beside_tickets =
        low ? 22 + sag * 0.6f
            : 20 + out.text.label * 2.2f + sag * 0.6f + 32 * (few < 8 ? largest : std::min(wide, 1.0f));
    out.ticket_slots = std::clamp(int((below_board - least_hall - beside_tickets) / out.ticket_height), 0, 8);
    const float tickets = std::min(needs.tickets, float(out.ticket_slots));
    out.ticket_room = tickets * out.ticket_height;
    if (tickets > 0)
        aisle = std::max(aisle, out.ticket_room + beside_tickets);
    aisle = std::max(8.0f, std::min(aisle, below_board - least_hall));
    float natural = 0;
    for (int r = 1; r < rows; ++r)
        natural += mix(33.0f, 45.0f, needs.stand[r]) + 39 * needs.gap[r];
    natural += 33.0f * float(std::max(0, needs.rows_beside - rows));
    const float first_gap = 16 * needs.gap[0];
    const float room = below_board - aisle;
    const float v = std::clamp(room / std::max(1.0f, natural + first_gap), 0.001f, widest_apart);
    const float left_over = std::max(0.0f, room - first_gap * v - natural * v);
    std::array<float, most_rows> y{};
    y[0] = out.board_bottom + aisle + first_gap * std::min(1.0f, v) +
           std::min(left_over * between(few, {{4, 0.6f}, {8, 0.4f}}), between(few, {{4, 320}, {8, 160}}));
    for (int r = 1; r < rows; ++r)
        y[r] = y[r - 1] + v * (mix(33.0f, 45.0f, needs.stand[r]) + 39 * needs.gap[r]);
    float person = std::min(largest, v * (presenter ? 1.5f : 1.25f));
    // Heads keep off the tickets, at the row's raised ends too.
    const float hung = std::min(1.0f, tickets);
    const float under_tickets = y[0] - out.board_bottom - out.ticket_room - 14;
    person = mix(person, std::min(person, std::max(0.1f, under_tickets / 30)), hung);
    float front_sag = sag;
    if (few < 8) {  // a rope before the front row keeps below the board
        const float rope = 60 * std::clamp(std::max(v, presenter ? person * 0.9f : v), 0.45f, 1.6f);
        front_sag = within((y[0] - out.board_bottom - rope - 6) / 1.15f, 0, sag);
    }
    const float level_sag = mix(front_sag, within(under_tickets - 30 * person, 0, front_sag), hung);
    const float spacing = 33 * v;

    // Around the table: the rows far away, at the foot of the picture.
    std::array<float, most_rows> far{};
    const float far_spacing =
        std::min(12.5f * (presenter ? 1.2f : 1.0f), 75 / std::max(1.0f, float(rows - 1)));
    for (int r = 0; r < rows; ++r)
        far[r] = out.height - 14 - far_spacing * float(rows - 1 - r);
    float far_rope = rows > 1 ? far[1] - 18 : out.height;
    const float top = out.board_bottom + 8;
    const auto scale_to = [&](float foot) {
        // The inverse of table_radius(), whose numbers do not shrink with the table.
        const float radius = (foot - top) / 2;
        const float scale = std::min(radius / 224, out.width / (2 * 230));
        return scale >= 0.73f ? scale : std::max(0.05f, (radius - 20) / 189);
    };
    float scale = scale_to(far_rope - (rows > 1 ? 12.0f : 6.0f));
    out.far_rows = scale >= least_beside_rows || rows == 1;
    if (!out.far_rows) {  // they go below the picture's foot
        const float down = out.height + 60 - far[0];
        for (int r = 0; r < rows; ++r)
            far[r] += down;
        far_rope = out.height;
        scale = scale_to(out.height - 4);
    }

    const float spread = float(std::max(7, rows - 1));
    for (int r = 0; r < rows; ++r) {
        out.seat_y[r] = mix(y[r], far[r], c);
        const float f = mix(0.97f, 1.005f, float(r) / spread);
        const float far_f = mix(0.79f, 0.89f, float(r) / spread);
        out.seat_dx[r] = out.pitch * mix(f, far_f, c);
    }
    // The ends of the front row stay below the board.
    out.sag = mix(std::min(level_sag, aisle * 0.5f), 10.0f, c);
    out.person = mix(person, std::min(0.55f, far_spacing / 22), c);
    out.spacing = mix(spacing, far_spacing, c);
    out.rope_gap = mix(39 * std::max(v, presenter ? person * 0.9f : v), presenter ? 20.0f : 14.0f, c);
    const float seen = mix(spacing, far_spacing * 1.1f, c);
    out.detail = seen >= 19 ? Detail::people : seen >= 8.5f ? Detail::heads : Detail::dots;
    if (out.detail == Detail::dots)
        out.person = std::min(wide, seen * 0.058f);
    out.hall_bottom = out.seat_y[rows - 1];

    const float foot = out.far_rows ? far_rope - (rows > 1 ? 12.0f : 6.0f) : out.height - 4;
    out.table_scale = std::min({scale, std::max(out.width / 884, 0.9f), 1.6f});
    out.table = {out.centre_x, (top + foot) / 2};
}

}  // namespace

Point Layout::seat(int row, int lane) const {
    const float t = (float(lane) - 15.5f) / 15.5f;
    return {centre_x + (float(lane) - 15.5f) * seat_dx[row], arc_y(row, t)};
}

float Layout::arc_y(int row, float t) const {
    return seat_y[row] - sag * t * t;
}

float Layout::tilt(int row, int lane) const {
    const float t = (float(lane) - 15.5f) / 15.5f;
    return std::atan2(-2 * sag * t, 15.5f * seat_dx[row]);
}

bool Layout::board_numbers(int row) const {
    return row_h[row] >= text.smallest * 1.25f;
}

float Layout::number_size(int characters) const {
    return number_size_for(0.6f * float(std::max(1, characters)));
}

float Layout::number_size_for(float width) const {
    const float fits = (pitch - 2.85f) / width;
    const float base = std::max(text.box, std::min(pitch * 0.42f, text.box * 1.06f));
    const float size = std::min(base, fits);
    return size >= text.smallest ? size : 0;
}

Layout make_layout(float width, float height, bool presenter, const LayoutNeeds& needs, bool half) {
    Layout out;
    out.width = width;
    out.height = height;
    out.text = text_sizes(width, height, presenter);
    lay_board(out, presenter, needs, half);
    lay_hall(out, presenter, needs, half);
    return out;
}

}  // namespace auditorium::scene
