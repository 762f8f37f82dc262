// One callout follows one researcher: what this thread does now, with the numbers of this run.
#include <cmath>
#include <cstdio>
#include <string>

#include "app/scene/frame.h"
#include "trace/operands.h"

namespace auditorium::scene {
namespace {

using playback::BeatKind;
using trace::Event;
using trace::EventKind;

struct Words {
    std::string who, mono, verb, value;  // "Researcher 5" "max(648, 948)" "keeps" "948"
    std::string deed;                    // at the table, where it stands above the numbers: "takes a note"
    bool undefined = false;
    bool empty() const { return who.empty(); }
};

// The operands of the combine at `at` in the thread's events: what the thread had, and what came last.
Words words_for(const Frame& frame) {
    Words out;
    const int thread = frame.followed;
    if (!frame.plan || !frame.working || !frame.active(thread))
        return out;
    const trace::Type type = frame.trace.config.type;
    const std::vector<Event>& events = frame.trace.events[thread];
    const trace::Piece& piece = frame.now->pieces[thread];
    char who[40];
    std::snprintf(who, sizeof who, frame.council > 0.5f ? "Lane %d" : "Researcher %d", thread);
    const auto show = [&](std::uint32_t bits, bool undefined) {
        return undefined ? std::string("?") : exact_number(bits, type);
    };
    const auto is_undefined = [](const Event& e) {
        return (e.flags & (Event::undefined | Event::bad_mask)) != 0;
    };

    // What belongs to the running beat.
    int orders = 0;
    const Event *load = nullptr, *previous_load = nullptr, *store = nullptr, *combine = nullptr,
                *shuffle = nullptr;
    for (std::uint32_t e = piece.begin; e < piece.end; ++e) {
        const Event& event = events[e];
        if (event.kind == EventKind::load || event.kind == EventKind::store) {
            const bool reached = orders <= frame.beat.order || (frame.beat.kind != BeatKind::load &&
                                                                frame.beat.kind != BeatKind::broadcast);
            if (event.kind == EventKind::load && reached && (!combine || frame.beat.kind == BeatKind::load)) {
                previous_load = load;
                load = &event;
            }
            if (event.kind == EventKind::store)
                store = &event;
            ++orders;
        } else if (event.kind == EventKind::combine && !combine) {
            combine = &event;
        } else if (event.kind == EventKind::shuffle) {
            shuffle = &event;
        }
    }
    const auto words = [](const char* format, int number) {
        char text[48];
        std::snprintf(text, sizeof text, format, number);
        return std::string(text);
    };
    const auto fold = [&](std::uint32_t a, bool a_unknown, std::uint32_t b, bool b_unknown,
                          const Event& result) {
        const trace::Op op =
            trace::op_of(frame.step >= 0 && frame.step < int(frame.trace.steps.size())
                             ? trace::op_of_call(frame.trace, frame.trace.steps[std::size_t(frame.step)].call)
                             : frame.trace.config.op,
                         type, a, b, result.bits);
        out.mono.append(trace::name_of(op)).append("(").append(show(a, a_unknown)).append(", ");
        out.mono.append(show(b, b_unknown)).append(")");
        out.verb = op == trace::Op::sum ? "makes" : "keeps";
        out.value = show(result.bits, is_undefined(result));
        out.undefined = is_undefined(result);
    };
    const auto fold_note = [&] {
        const bool had_unknown =
            frame.step > 0 && frame.trace.steps[frame.step - 1].register_undefined[thread];
        const std::uint32_t had = frame.step > 0 ? frame.trace.steps[frame.step - 1].registers[thread]
                                                 : frame.trace.config.values[thread];
        fold(had, had_unknown, shuffle->bits, is_undefined(*shuffle), *combine);
        out.deed = shuffle->flags & Event::no_partner ? "has no partner" : "takes a note";
    };
    switch (frame.beat.kind) {
        case BeatKind::load:
        case BeatKind::combine:
            if (shuffle && combine) {
                fold_note();
            } else if (combine && previous_load && load) {
                fold(previous_load->bits, is_undefined(*previous_load), load->bits, is_undefined(*load),
                     *combine);
            } else if (load) {
                out.verb = words("reads box %d:", load->arg);
                out.deed = words("reads box %d", load->arg);
                out.value = show(load->bits, is_undefined(*load));
                out.undefined = is_undefined(*load);
            }
            break;
        case BeatKind::broadcast:
            if (load) {
                out.verb = words("reads box %d:", load->arg);
                out.deed = words("reads box %d", load->arg);
                out.value = show(load->bits, is_undefined(*load));
            }
            break;
        case BeatKind::store:
        case BeatKind::crown:
            if (store) {
                out.verb = words("writes box %d:", store->arg);
                out.deed = words("writes box %d", store->arg);
                out.value = show(store->bits, is_undefined(*store));
                out.undefined = is_undefined(*store);
            }
            break;
        case BeatKind::note:
            if (shuffle && !(shuffle->flags & Event::no_partner) && combine) {
                // What it will come to: the note is read when it arrives.
                fold_note();
            } else if (shuffle && (shuffle->flags & Event::no_partner)) {
                out.verb = "has no partner, keeps";
                out.deed = "has no partner";
                out.value = show(shuffle->bits, false);
            } else if (shuffle) {
                out.verb = words("takes the note of lane %d:", shuffle->arg % trace::warp_size);
                out.deed = "takes a note";
                out.value = show(shuffle->bits, is_undefined(*shuffle));
                out.undefined = is_undefined(*shuffle);
            }
            break;
        default:
            break;
    }
    if (!out.value.empty())
        out.who = who;
    return out;
}

}  // namespace

void draw_callout(Frame& frame) {
    const Words words = words_for(frame);
    if (words.empty())
        return;
    const Layout& layout = frame.layout;
    const Theme& theme = frame.theme;
    Layer& layer = frame.layer(LayerId::tooltip);
    const int row = frame.followed / trace::warp_size, lane = frame.followed % trace::warp_size;
    const bool table = frame.council > 0.5f && row == 0;
    if (frame.beat.kind == BeatKind::walk)
        return;
    const float size = layout.text.label * (frame.view.presenter ? 0.98f : 1);
    const float mono = size * 0.95f, space = size * 0.5f;
    const Color value = words.undefined ? theme.hazard : theme.work;

    float who_w = text_width(Font::semibold, size, words.who) + space;
    float mono_w = words.mono.empty() ? 0 : text_width(Font::mono, mono, words.mono) + space;
    float verb_w = words.verb.empty() ? 0 : text_width(Font::regular, size, words.verb) + space;
    float value_w = text_width(Font::mono_semibold, mono, words.value);
    const float pad = size * 0.85f;
    if (table) {
        // Beside the table, with a line to the seat.
        const float a = float(lane) * 2 * 3.14159265f / 32, r = 189 * layout.table_scale;
        const Point seat = layout.table + Point{r * std::sin(a), -r * std::cos(a)};
        std::string head = words.who;
        head.append(" ").append(words.deed);
        std::string sum = words.mono;
        if (!sum.empty())
            sum.append(" = ");
        const float sum_w = text_width(Font::mono, mono, sum);
        const float width = std::max(text_width(Font::semibold, size, head), sum_w + value_w) + 2 * pad;
        const float height = size * 3.9f;
        const bool right = lane < 16;
        const float reach = layout.table_radius() + 14;
        const float beside = right ? layout.table.x + reach : layout.table.x - reach - width;
        const float corner = right ? layout.width - width - 4 : 4.0f;
        const float under = layout.board_bottom + height / 2 + 9;
        const float level = within(seat.y, under, layout.height - height / 2 - 8);
        // Beside the seat, else above or below the table's corner: where nothing else is.
        const Point places[] = {
            {beside, level}, {corner, level}, {corner, under}, {corner, layout.height - height / 2 - 8}};
        const Point* place = nullptr;
        for (const Point& p : places) {
            const Rect area{p.x, p.y - height / 2, width, height};
            if (!place && frame.inside().holds(area) && frame.taken.free(area))
                place = &p;
        }
        if (!place)
            return;
        const float x = place->x, y = place->y;
        frame.taken.add({x - 4, y - height / 2 - 4, width + 8, height + 8});
        frame.scene.words.push_back({x, y - height / 2, width, height});
        const float ring = 14.5f * layout.table_scale;
        const Point end{right ? x : x + width, y};
        const Point d = end - seat;
        const float length = std::max(1.0f, std::hypot(d.x, d.y));
        add_line(layer, seat + d * (ring / length), end, frame.px(1.6f), theme.focus);
        add_box(layer, {x + width / 2, y}, width, height, 8, theme.panel, theme.focus, frame.px(1.5f));
        add_label(layer, {x + pad, y - size * 0.8f}, head, size, Font::semibold, theme.text1, Align::left);
        add_label(layer, {x + pad, y + size * 0.85f}, sum, mono, Font::mono, theme.text1, Align::left);
        add_label(layer, {x + pad + sum_w, y + size * 0.85f}, words.value, mono, Font::mono_semibold, value,
                  Align::left);
        return;
    }
    if (frame.council > 0.02f && row == 0)
        return;
    const float width = who_w + mono_w + verb_w + value_w + 2 * pad;
    const float height = size * 2.15f;
    const Spot spot{layout.seat(row, lane), layout.tilt(row, lane), layout.person};
    const Point head = layout.detail == Detail::dots ? spot.seat : head_of(spot, frame.pose[frame.followed]);
    const float ring = (layout.detail == Detail::dots ? 4.0f : 8.2f) * std::max(0.5f, layout.person);
    const float preferred =
        within(head.x + layout.pitch * 0.8f, 4.0f, std::max(4.0f, layout.width - width - 4));
    // Under the board and its tickets; left or right of what stands there already.
    const float top = layout.hall_top() + height / 2;
    // Where the hall stands far below the board it keeps near its researcher, above what flies along the row.
    const float near = head.y - height / 2 - 42 * std::max(1.0f, layout.person);
    const float y =
        std::min(std::max(top + 4, near), head.y - height / 2 - 14 * std::min(1.0f, layout.person));
    Point place{};
    bool found = false;
    const auto try_at = [&](float x, float at) {
        const Rect area{x, at - height / 2, width, height};
        if (found || !frame.inside().holds(area) || !frame.taken.free(area))
            return;
        place = {x, at};
        found = true;
    };
    try_at(preferred, y);
    try_at(preferred, top);
    // The rows hang lower in the middle: the nearest place towards it.
    const float middle = layout.centre_x - width / 2;
    for (int i = 1; i <= 8; ++i)
        try_at(mix(preferred, middle, float(i) / 8), top);
    try_at(4, top);
    try_at(layout.width - width - 4, top);
    if (!found)
        return;
    float x = place.x;
    const float at_y = place.y;
    frame.taken.add({x - 4, at_y - height / 2 - 4, width + 8, height + 8});
    frame.scene.words.push_back({x, at_y - height / 2, width, height});
    const Point corner{within(head.x + 14, x + height * 0.3f, x + width - height * 0.3f),
                       at_y + height / 2 - 1};
    const Point d = corner - head;
    const float length = std::max(1.0f, std::hypot(d.x, d.y));
    add_line(layer, head + d * (ring / length), corner, frame.px(1.6f), theme.focus);
    const Point at{x + width / 2, at_y};
    add_box(layer, at, width, height, height * 0.42f, theme.panel, theme.focus, frame.px(1.6f));
    x += pad;
    add_label(layer, {x, at_y}, words.who, size, Font::semibold, theme.text1, Align::left);
    x += who_w;
    if (!words.mono.empty()) {
        add_label(layer, {x, at_y}, words.mono, mono, Font::mono, theme.text1, Align::left);
        x += mono_w;
    }
    if (!words.verb.empty()) {
        add_label(layer, {x, at_y}, words.verb, size, Font::regular, theme.text2, Align::left);
        x += verb_w;
    }
    add_label(layer, {x, at_y}, words.value, mono, Font::mono_semibold, value, Align::left);
}

}  // namespace auditorium::scene
