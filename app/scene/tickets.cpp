// Bank queues. When a warp's lanes want different words of one bank, the bank serves them one wavefront after
// the other: one numbered ticket each, hanging under the bank's column. Done is a dashed tick, the one being
// served is solid, the rest are paper; a lane's line ends at its ticket. Which lane goes first is a drawing
// convention (ascending lanes): the hardware does not say.
#include <array>
#include <cstdio>

#include "app/scene/frame.h"

namespace auditorium::scene {
namespace {

constexpr int most_slots = 8;  // above it: six tickets, dots, the last number; fewer where there is less room

// The tickets of one bank that are on show: numbers from 0, -1 for the dots.
struct Slots {
    std::array<int, most_slots> number{};
    int count = 0;
};

Slots slots_of(int depth, int serving, int most) {
    Slots out;
    if (depth <= most) {
        for (int i = 0; i < depth; ++i)
            out.number[out.count++] = i;
        return out;
    }
    // The done one, the one being served and what comes next; then dots and the last.
    const int first = std::clamp(serving - (most > 3), 0, depth - most);
    if (first == depth - most || most < 3) {
        for (int i = 0; i < most; ++i)
            out.number[out.count++] = first + i;
        return out;
    }
    for (int i = 0; i < most - 2; ++i)
        out.number[out.count++] = first + i;
    out.number[out.count++] = -1;
    out.number[out.count++] = depth - 1;
    return out;
}

int slot_of(const Slots& slots, int number) {
    int dots = 0;
    for (int i = 0; i < slots.count; ++i) {
        if (slots.number[i] == number)
            return i;
        if (slots.number[i] < 0)
            dots = i;
    }
    return number < slots.number[0] ? 0 : dots;
}

struct TicketSize {
    float w = 28, h = 17, top = 0;
};

void draw_ticket(Frame& frame, Point at, const TicketSize& size, int number, int serving) {
    Layer& layer = frame.layer(LayerId::tickets);
    const Theme& theme = frame.theme;
    const float h = size.h - 1.2f;
    if (number < 0) {
        for (int i = -1; i <= 1; ++i)
            add_disc(layer, {at.x + float(i) * 5, at.y}, 1.6f, theme.conflict_line);
        return;
    }
    const bool done = number < serving, now = number == serving;
    const Color line = done ? theme.text3 : theme.conflict;
    Shape& body = add_box(layer, at, size.w, h, 1.5f,
                          done  ? theme.background
                          : now ? theme.conflict
                                : theme.note,
                          line, frame.px(1.3f));
    if (done) {
        body.dash = 3;
        body.gap = 2;
        const float s = h * 0.2f;
        add_line(layer, {at.x - 1.6f * s, at.y}, {at.x - 0.4f * s, at.y + s}, 1.6f, theme.text2);
        add_line(layer, {at.x - 0.4f * s, at.y + s}, {at.x + 1.8f * s, at.y - s}, 1.6f, theme.text2);
        return;
    }
    // The bites of a ticket.
    for (const float side : {-1.0f, 1.0f})
        add_disc(layer, {at.x + side * size.w / 2, at.y}, h * 0.17f, theme.background);
    char text[16];
    std::snprintf(text, sizeof text, "%d", number + 1);
    const float letters = std::clamp(h * 0.72f, frame.layout.text.smallest, 16.0f);
    add_label(layer, at, text, letters, Font::mono_semibold, now ? theme.conflict_ink : theme.note_ink);
}

}  // namespace

void draw_tickets(Frame& frame) {
    if (!frame.plan || !frame.working || frame.beat.wavefronts < 2 || frame.council > 0.5f)
        return;
    // The rope that dropped before the step is gone first.
    if (!frame.view.reduced_motion && frame.moment.beat == 0 && frame.moment.span > 0 &&
        frame.in_beat < dropped_rope_fades)
        return;
    const Layout& layout = frame.layout;
    const int order = frame.beat.order, serving = frame.wavefront();
    const bool store =
        frame.beat.kind == playback::BeatKind::store || frame.beat.kind == playback::BeatKind::crown;

    // How deep each bank's queue is, over the rows that issue together.
    std::array<int, trace::warp_size> depth{};
    int rows_queueing = 0, first_row = -1;
    for (int row = 0; row < frame.rows; ++row) {
        const analysis::Request* request = frame.request(row, order);
        if (!request || (request->kind == trace::EventKind::store) != store || request->wavefronts < 2)
            continue;
        ++rows_queueing;
        if (first_row < 0 || row == frame.followed / trace::warp_size)
            first_row = row;
        for (int lane = 0; lane < trace::warp_size; ++lane)
            if (request->lanes >> lane & 1) {
                int& deep = depth[request->box[lane] % trace::warp_size];
                deep = std::max(deep, request->wavefront[lane] + 1);
            }
    }
    int apart = trace::warp_size, before = -trace::warp_size;
    for (int bank = 0; bank < trace::warp_size; ++bank)
        if (depth[bank] > 1) {
            apart = std::min(apart, bank - before);
            before = bank;
        }
    const int most = std::min(most_slots, layout.ticket_slots);
    TicketSize size;
    size.h = layout.ticket_height;
    size.w = std::min(size.h * 1.65f, layout.pitch * float(apart) - 3);
    size.top = layout.board_bottom + 12;

    if (most < 1 || size.w < size.h * 0.9f)
        return;  // no room for any: the banks' headers and the bar under the scene show the queue
    std::array<Slots, trace::warp_size> slots;
    for (int bank = 0; bank < trace::warp_size; ++bank)
        slots[bank] = slots_of(depth[bank], serving, most);
    const auto ticket_at = [&](int bank, int number) {
        const int slot = slot_of(slots[bank], number);
        return Point{layout.column_x(bank), size.top + size.h * (float(slot) + 0.5f)};
    };

    // Lines: from those being served, and, for one row, from those who wait.
    Layer& lines = frame.layer(LayerId::rays);
    const Theme& theme = frame.theme;
    for (int row = 0; row < frame.rows; ++row) {
        const analysis::Request* request = frame.request(row, order);
        if (!request || (request->kind == trace::EventKind::store) != store || request->wavefronts < 2)
            continue;
        if (rows_queueing > 2 && row != first_row)
            continue;
        for (int lane = 0; lane < trace::warp_size; ++lane) {
            if (!(request->lanes >> lane & 1))
                continue;
            const int thread = row * trace::warp_size + lane, bank = request->box[lane] % trace::warp_size;
            const int turn = request->wavefront[lane];
            if (turn < serving)
                continue;
            const Spot spot{layout.seat(row, lane), layout.tilt(row, lane), layout.person};
            const Point head = layout.detail == Detail::dots ? spot.seat : head_of(spot, frame.pose[thread]);
            const Point from{head.x, head.y - 6 * layout.person};
            Point to = ticket_at(bank, turn);
            if (depth[bank] < 2)
                to = {layout.column_x(bank), layout.board_bottom};
            else
                to.x += (from.x > to.x ? 0.5f : from.x < to.x ? -0.5f : 0) * size.w;
            const bool followed = thread == frame.followed;
            // The next ones are called up in a tenth of a second, as their arms rise (pose.cpp).
            const double one = (frame.beat.seconds() - frame.beat.lead) / frame.beat.wavefronts;
            const float called = clamp01(frame.wavefront_progress() * one / 0.1);
            if (turn == serving)
                add_line(lines, from, frame.view.reduced_motion ? to : mix(from, to, out_cubic(called)),
                         frame.px(followed ? 2.8f : 1.8f), theme.conflict_line);
            else if (row == first_row && request->wavefronts <= 16)
                add_dashed_line(lines, from, to, frame.px(followed ? 1.6f : 1),
                                faded(theme.conflict_line, followed ? 1 : 0.5f), 4, 4);
        }
    }

    Layer& layer = frame.layer(LayerId::tickets);
    for (int bank = 0; bank < trace::warp_size; ++bank) {
        if (depth[bank] < 2)
            continue;
        frame.taken.add({layout.column_x(bank) - size.w / 2 - 2, layout.board_bottom, size.w + 4,
                         size.top - layout.board_bottom + size.h * float(slots[bank].count)});
        add_line(layer, {layout.column_x(bank), layout.board_bottom - 5}, {layout.column_x(bank), size.top},
                 frame.px(2), theme.conflict_line);
        for (int i = 0; i < slots[bank].count; ++i) {
            const Point at{layout.column_x(bank), size.top + size.h * (float(i) + 0.5f)};
            draw_ticket(frame, at, size, slots[bank].number[i], serving);
            if (slots[bank].number[i] >= 0)
                frame.scene.targets.push_back({Target::Kind::ticket,
                                               bank,
                                               {at.x - size.w / 2, at.y - size.h / 2, size.w, size.h},
                                               slots[bank].number[i]});
        }
    }
}

}  // namespace auditorium::scene
