// The whiteboard: shared memory, one column a bank. What a step does with a box shows as its shape: own box
// filled, partner with a tab towards its winner, just written with a pen, eliminated hatched, never written
// dashed.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "app/scene/frame.h"

namespace auditorium::scene {
namespace {

using playback::BeatKind;
using trace::EventKind;

constexpr double slide_seconds = 0.32, fade_seconds = 0.16;

enum class Queue : std::uint8_t { none, waits, served };

// How each box is lit at this moment.
struct Light {
    std::array<std::uint8_t, trace::max_block> role{};  // BoxRole bits that have begun
    std::array<std::uint8_t, trace::max_block> pen{};   // just written
    std::array<Queue, trace::max_block> queue{};
    std::uint32_t busy_banks = 0;  // banks with a queue
    bool folded_in = false;        // the winners' values have arrived in their own boxes
};

int store_beat(const Frame& frame, int order) {
    const int at = frame.beat_of(BeatKind::store, order);
    return at >= 0 ? at : frame.beat_of(BeatKind::crown, order);
}

int load_beat(const Frame& frame, int order) {
    const int at = frame.beat_of(BeatKind::load, order);
    return at >= 0 ? at : frame.beat_of(BeatKind::broadcast, order);
}

void find_light(const Frame& frame, Light& light) {
    if (!frame.plan || !frame.working)
        return;
    const StepPlan& plan = *frame.plan;
    for (int row = 0; row < frame.rows; ++row) {
        for (int order = 0; order < plan.orders; ++order) {
            const analysis::Request* request = frame.request(row, order);
            if (!request)
                continue;
            const bool load = request->kind == EventKind::load;
            const int at = load ? load_beat(frame, order) : store_beat(frame, order);
            if (!frame.begun(at))
                continue;
            const bool current = at == frame.moment.beat;
            std::array<int, trace::warp_size> bank_load{};
            if (current && request->wavefronts > 1) {
                for (int lane = 0; lane < trace::warp_size; ++lane)
                    if (request->lanes >> lane & 1) {
                        int& worst = bank_load[request->box[lane] % trace::warp_size];
                        worst = std::max(worst, request->wavefront[lane] + 1);
                    }
                for (int bank = 0; bank < trace::warp_size; ++bank)
                    if (bank_load[bank] > 1)
                        light.busy_banks |= 1u << bank;
            }
            for (int lane = 0; lane < trace::warp_size; ++lane) {
                if (!(request->lanes >> lane & 1))
                    continue;
                const int box = request->box[lane];
                if (load)
                    light.role[box] |= plan.role[box] & (role_own | role_partner);
                else
                    light.pen[box] |= frame.written[box];
                if (current && request->wavefronts > 1 && bank_load[box % trace::warp_size] > 1) {
                    const int turn = request->wavefront[lane], now = frame.wavefront();
                    if (turn >= now)
                        light.queue[box] = turn == now ? Queue::served : Queue::waits;
                }
            }
        }
    }
    for (std::size_t i = 0; i < frame.span.beats.size(); ++i) {
        const playback::Beat& beat = frame.span.beats[i];
        if (beat.kind == BeatKind::combine && frame.begun(int(i)))
            light.folded_in = frame.passed(int(i)) || frame.in_beat >= beat.lead + slide_seconds;
    }
}

void draw_frame(Frame& frame, const Light& light) {
    const Layout& layout = frame.layout;
    const Theme& theme = frame.theme;
    Layer& layer = frame.layer(LayerId::board);
    const Rect& r = layout.frame;
    // The pen tray hangs below.
    const float tray = 150 * layout.pitch / 25;
    add_box(layer, {layout.centre_x, r.y + r.h + 2.5f}, tray, 7, 2.5f, theme.board_frame);
    add_box(layer, {r.x + r.w / 2, r.y + r.h / 2}, r.w, r.h, 7, theme.board, theme.board_frame, frame.px(4));
    add_box(layer, {layout.centre_x - tray * 0.26f, r.y + r.h}, tray * 0.17f, 3.4f, 1.7f, theme.board_work);
    add_box(layer, {layout.centre_x + tray * 0.05f, r.y + r.h}, tray * 0.17f, 3.4f, 1.7f,
            theme.ink_eliminated);

    frame.taken.add({0, 0, layout.width, layout.hall_top() - 1});

    const float size = layout.header_size();
    const bool every = layout.pitch >= 2 * 0.6f * size + 2;
    char text[16];
    for (int bank = 0; bank < trace::warp_size; ++bank) {
        const Point at{layout.column_x(bank), layout.header_y};
        const bool busy = light.busy_banks >> bank & 1;
        if (busy)
            add_box(layer, at, layout.pitch - 3, size * 1.6f, 3, theme.board_conflict,
                    theme.board_conflict_outline, frame.px(1));
        if (every || bank % 4 == 0) {
            std::snprintf(text, sizeof text, "%d", bank);
            add_label(layer, at, text, size, busy ? Font::mono_semibold : Font::mono,
                      busy ? theme.conflict_ink : theme.ink_eliminated);
        }
        frame.scene.targets.push_back(
            {Target::Kind::bank, bank, {at.x - layout.pitch / 2, at.y - size, layout.pitch, size * 2}});
    }

    // Index of each row's first box.
    const float index_x = r.x - 9;
    if (layout.left_margin >= 42)
        add_label(layer, {index_x, layout.header_y}, "bank", size, Font::regular, theme.text3, Align::right);
    float last_y = -100;
    for (int row = 0; row < frame.rows; ++row) {
        if (layout.row_h[row] < (frame.council > 0 ? size * 0.9f : 4.0f) ||
            layout.row_y[row] - last_y < size * 1.15f)
            continue;
        last_y = layout.row_y[row];
        std::snprintf(text, sizeof text, "%d", row * trace::warp_size);
        add_label(layer, {index_x, layout.row_y[row]}, text, size, Font::mono, theme.text3, Align::right);
    }
}

bool hazard_sign(const Frame& frame, int box) {
    if (frame.step < 0)
        return false;
    const std::vector<int>& boxes = frame.prepared.index.hazards[std::size_t(frame.step)];
    return std::find(boxes.begin(), boxes.end(), box) != boxes.end();
}

// Over the champion's upper edge, and over every outline of the box: it leaves the digits below it and the
// bank's number above it free. Where a "!" stands at the box's left corner it stands at the right one.
void draw_crown(Frame& frame, int box) {
    const Layout& layout = frame.layout;
    const int row = box / trace::warp_size;
    const float row_h = layout.row_h[row];
    if (row_h < 12)
        return;
    Layer& layer = frame.layer(LayerId::rays);
    const Color color = frame.theme.board_champion;
    const float width = layout.box_width();
    Point top{layout.column_x(box % trace::warp_size),
              layout.row_y[row] - (row_h >= 16 ? row_h - 2.5f : row_h - 1) / 2};
    const float number = layout.header_foot();
    const float h = std::min(std::clamp(width * 0.28f, 4.0f, 9.0f), std::max(1.5f, top.y - number - 1));
    const bool beside = hazard_sign(frame, box);
    if (beside)
        top.x += width * 0.2f;
    // Where there is little room above the box it sinks into it.
    const float w = beside ? std::clamp(width * 0.42f, 6.0f, 22.0f) : std::clamp(width * 0.56f, 8.0f, 22.0f);
    const float foot = top.y + std::clamp(5 - h, 1.2f, 3.5f);
    for (int i = -1; i <= 1; ++i) {
        const float x = top.x + float(i) * w * 0.3f;
        add_triangle(layer, {x - w * 0.26f, foot}, {x + float(i) * w * 0.2f, top.y - h},
                     {x + w * 0.26f, foot}, color);
    }
    add_box(layer, {top.x, foot}, w * 1.05f, 2.2f, 0.5f, color);
}

void draw_tab(Layer& layer, Point centre, float w, float h, Toward toward, Color color) {
    const float s = std::clamp(w * 0.16f, 2.0f, 5.0f);
    switch (toward) {
        case Toward::up:
            add_triangle(layer, {centre.x - s, centre.y - h / 2}, {centre.x, centre.y - h / 2 - s},
                         {centre.x + s, centre.y - h / 2}, color);
            break;
        case Toward::down:
            add_triangle(layer, {centre.x - s, centre.y + h / 2}, {centre.x, centre.y + h / 2 + s},
                         {centre.x + s, centre.y + h / 2}, color);
            break;
        case Toward::left:
            add_triangle(layer, {centre.x - w / 2, centre.y - s}, {centre.x - w / 2 - s, centre.y},
                         {centre.x - w / 2, centre.y + s}, color);
            break;
        case Toward::right:
            add_triangle(layer, {centre.x + w / 2, centre.y - s}, {centre.x + w / 2 + s, centre.y},
                         {centre.x + w / 2, centre.y + s}, color);
            break;
        case Toward::nowhere:
            break;
    }
}

void draw_pen(Frame& frame, Layer& layer, Point corner, float scale) {
    add_line(layer, {corner.x - 7 * scale, corner.y + 6 * scale},
             {corner.x - 1 * scale, corner.y + 0.5f * scale}, 3 * scale, frame.theme.ink);
}

// Does the box show its new value already?
bool shows_after(const Frame& frame, const Light& light, int box) {
    return frame.written[box] ||
           (light.folded_in && (frame.plan->role[box] & role_own) && (frame.plan->role[box] & role_written));
}

// Returns the box that wears the crown; -1: none.
int draw_boxes(Frame& frame, const Light& light) {
    const Layout& layout = frame.layout;
    const Theme& theme = frame.theme;
    Layer& layer = frame.layer(LayerId::boxes);
    Layer& marks = frame.layer(LayerId::rays);  // over the boxes: tabs, pens, the crown
    const float w = layout.box_width();
    const float radius = layout.pitch >= 18 ? 3 : 2;
    const int champion = frame.before->champion;
    const int crowned = frame.after->champion;
    int crown = -1;
    const std::size_t first_box = layer.shapes.size(), first_mark = marks.shapes.size();
    const float mark_px = frame.layout.number_size(1);  // of a "?"
    std::array<bool, trace::max_block> hazards{};       // boxes with an access of a race in this step
    if (frame.step >= 0)
        for (const int box : frame.prepared.index.hazards[std::size_t(frame.step)])
            hazards[std::size_t(box)] = true;
    for (int box = 0; box < frame.threads; ++box) {
        const int row = box / trace::warp_size, bank = box % trace::warp_size;
        const float row_h = layout.row_h[row];
        const float h = row_h >= 16 ? row_h - 2.5f : std::max(row_h - 1.0f, 1.6f);
        const Point at{layout.column_x(bank), layout.row_y[row]};
        frame.scene.targets.push_back(
            {Target::Kind::box, box, {at.x - layout.pitch / 2, at.y - row_h / 2, layout.pitch, row_h}});
        const bool after = shows_after(frame, light, box);
        const BoardState& shown = after ? *frame.after : *frame.before;
        const float out =
            std::max(float(frame.before->eliminated[box]), frame.after->eliminated[box] * frame.fade);
        const bool was = frame.before->eliminated[box] && !after;
        // What the inspector is asked about is not faded, and the eliminated ones beside it say nothing.
        const bool asked = frame.asked && frame.box_asked[std::size_t(box)];
        const bool eliminated = !asked && (was || (frame.after->eliminated[box] && frame.fade >= 0.999f));
        if (row_h < 6 &&
            (eliminated ||
             shown.state[box] == trace::box_never_written)) {  // a sliver: a plain line of the folded board
            add_box(layer, at, w, h, 1, theme.box_eliminated);
            continue;
        }
        if (shown.state[box] == trace::box_never_written) {
            Shape& shape = add_box(layer, at, w, h, radius, 0, theme.board_frame, frame.px(1));
            shape.dash = 3;
            shape.gap = 2.5f;
            if (row_h >= 16 && layout.pitch >= std::max(layout.text.smallest, layout.text.box) * 1.45f)
                add_label(layer, at, "?", std::max(layout.text.smallest, layout.text.box), Font::mono,
                          theme.ink_eliminated);
            continue;
        }
        const bool is_champion =
            (box == crowned && frame.written[box]) || (box == champion && box == crowned) ||
            (box == crowned && frame.now && frame.now->kind == trace::StepKind::broadcast);
        Color fill = mix(theme.box, theme.box_eliminated, asked ? 0 : was ? 1 : out);
        Color line = theme.box_hatch;
        float line_w = frame.px(1);
        bool lit = false;
        float dash = 0;
        if (light.role[box] & role_own) {
            fill = theme.box_own;
            line = theme.board_work;
            line_w = frame.px(1.5f);
            lit = true;
        } else if ((light.role[box] & role_partner) && out < 0.5f) {
            line = theme.board_work;
            line_w = frame.px(1.1f);
            lit = true;
        }
        if (light.pen[box]) {
            fill = theme.box_own;
            line = theme.board_work;
            line_w = frame.px(1.5f);
            lit = true;
        }
        if (light.queue[box] != Queue::none) {
            line = theme.board_conflict;
            line_w = frame.px(1.8f);
            fill = light.queue[box] == Queue::served ? theme.box_served : theme.box;
            dash = light.queue[box] == Queue::waits ? 3.0f : 0;
        }
        if (is_champion && !(light.role[box] & role_own && !frame.now)) {
            fill = mix(theme.box, theme.board_champion, 0.18f);
            line = theme.board_champion;
            line_w = frame.px(2.2f);
        }
        const bool hazard = hazards[std::size_t(box)];
        if (hazard) {
            line = theme.board_hazard;
            line_w = frame.px(row_h >= 10 ? 2.0f : 1.2f);
            dash = 0;
        }
        Shape& shape = add_box(layer, at, w, h, radius, fill, line, line_w);
        shape.dash = dash;
        shape.gap = dash > 0 ? 2.0f : 0;
        if (hazard) {
            shape.hatch = 1;
            shape.hatch_color = faded(theme.board_hazard, 0.5f);
        } else if (eliminated && row_h >= 6) {
            shape.hatch = 1;
            shape.hatch_color = theme.box_hatch;
        }
        if ((light.role[box] & role_partner) && out < 0.5f && frame.plan->toward[box] != Toward::nowhere &&
            row_h >= 10)
            draw_tab(marks, at, w, h, frame.plan->toward[box], theme.board_work);
        if (is_champion)
            crown = box;

        const bool undefined = shown.state[box] == trace::box_undefined;
        const bool half = frame.view.half;
        const bool crowded = (half || frame.rows > 8) && !lit && !is_champion;  // numbers on touched boxes
        const float size = undefined ? mark_px : frame.numbers.size;
        const bool unrelated = frame.asked && !frame.asked->boxes.empty() && eliminated;
        const bool number =
            layout.board_numbers(row) && size > 0 && (!crowded || (row_h >= 16 && !half)) && !unrelated;
        const Color ink = eliminated ? theme.ink_eliminated : theme.ink;
        const bool bar = !eliminated && !undefined && row_h >= 6 && (!number || row_h >= 19);
        const Point number_at{at.x, at.y - (bar && row_h < 24 ? 1.2f : 0)};
        if (number && hazard)  // on a plate: the hatch does not run through the digits
            add_box(layer, number_at,
                    std::min((undefined ? size * 0.6f : number_width(frame, shown, box)) + 2, w - 2),
                    size * 0.98f, 1.5f, fill);
        if (number && undefined)
            add_label(layer, number_at, "?", size, Font::mono_semibold, theme.board_hazard);
        else if (number)
            draw_number(frame, layer, number_at, shown, box, Font::mono, ink);
        frame.numbers.shown |= number && !undefined;
        if (bar) {
            const float level = mix(shown.level[box], frame.after->level[box], after ? 1.0f : 0.0f);
            const float room = w - 6, thick = std::clamp(row_h * 0.09f, 1.4f, 3.0f);
            const float y = number ? at.y + h / 2 - thick * 1.6f : at.y + h * 0.22f;
            const float length = std::max(thick, room * level);
            add_box(layer, {at.x - room / 2 + length / 2, y}, length, thick, thick / 2,
                    lit ? theme.board_work : mix(theme.board_frame, theme.box, 0.3f));
        }
        if (light.pen[box] && row_h >= 16)
            draw_pen(frame, marks, {at.x + w / 2 + 1, at.y - h / 2 - 0.5f}, std::clamp(w / 26, 0.7f, 1.4f));
    }
    gather_alike(layer, first_box);
    gather_alike(marks, first_mark);
    return crown;
}

// The winner's value travels from the partner's box to its own.
void draw_slides(Frame& frame) {
    if (!frame.plan || frame.beat.kind != BeatKind::combine || frame.view.reduced_motion || !frame.now ||
        frame.step == 0)
        return;
    const float t = clamp01((frame.in_beat - frame.beat.lead) / slide_seconds);
    if (t <= 0 || t >= 1)
        return;
    const Layout& layout = frame.layout;
    Layer& layer = frame.layer(LayerId::notes);
    const float size = frame.numbers.size;
    const std::vector<std::uint32_t>& old = frame.trace.steps[frame.step - 1].boxes;
    for (int row = 0; row < frame.rows; ++row) {
        const analysis::Request* store = nullptr;
        for (int order = 0; order < frame.plan->orders; ++order)
            if (const analysis::Request* request = frame.request(row, order);
                request && request->kind == EventKind::store)
                store = request;
        if (!store)
            continue;
        for (int order = 0; order < frame.plan->orders; ++order) {
            const analysis::Request* load = frame.request(row, order);
            if (!load || load->kind != EventKind::load)
                continue;
            for (int lane = 0; lane < trace::warp_size; ++lane) {
                if (!(load->lanes & store->lanes & (1u << lane)))
                    continue;
                const int from = load->box[lane], to = store->box[lane];
                if (from == to)
                    continue;
                // On a crowded board only the followed one travels.
                if (frame.rows > 8 && row * trace::warp_size + lane != frame.followed)
                    continue;
                // The partner's value won, or was added.
                const bool wins = frame.now->boxes[to] != old[to];
                if (!wins || size <= 0 || !layout.board_numbers(from / 32) ||
                    !layout.board_numbers(to / 32) || frame.before->state[from] != trace::box_defined)
                    continue;
                const Point a{layout.column_x(from % 32), layout.row_y[from / 32]};
                const Point b{layout.column_x(to % 32), layout.row_y[to / 32]};
                const Point at = mix(a, b, in_out_cubic(t));
                const float width = number_width(frame, *frame.before, from) + 3;
                add_box(layer, at, std::min(width, layout.box_width() - 1), size * 1.25f, 2.5f,
                        frame.theme.board_work);
                draw_number(frame, layer, at, *frame.before, from, Font::mono_semibold, rgb(0xFFFFFF));
            }
        }
    }
}

void draw_folds(Frame& frame, const Light& light) {
    if (!frame.plan || !frame.working || frame.council > 0.5f || frame.plan->folds.empty())
        return;
    bool begun = false;
    for (int box = 0; box < frame.threads && !begun; ++box)
        begun = light.role[box] & role_partner;
    if (!begun)
        return;
    const Layout& layout = frame.layout;
    Layer& layer = frame.layer(LayerId::board);
    const float size = std::max(layout.text.smallest, layout.text.small * 0.88f);
    const std::vector<Fold>& folds = frame.plan->folds;
    const float digits = frame.rows > 31 ? 4 : 3;
    const float edge = layout.frame.x - 9 - digits * 0.6f * size - 3;
    const float arrow = 5 * std::clamp(layout.pitch / 25, 0.9f, 1.5f);
    const float room = edge - arrow - 3;
    if (room < 4)
        return;
    const std::size_t count = folds.size();
    const float apart = count > 1 ? std::min(7.0f * layout.text.line, room / float(count - 1)) : 0;
    const std::size_t every = apart < 3 ? (count + 3) / 4 : 1;
    std::size_t place = 0;
    const std::size_t places = (count + every - 1) / every;
    const float step = places > 1 ? std::min(7.0f * layout.text.line, room / float(places - 1)) : 0;
    for (std::size_t i = 0; i < count; i += every, ++place) {
        const float x = edge - arrow - float(places - 1 - place) * step;
        const float from = layout.row_y[folds[i].from], to = layout.row_y[folds[i].to];
        const float w = frame.px(1.6f);
        const Color color = frame.theme.work;
        add_line(layer, {edge, from}, {x, from}, w, color);
        add_line(layer, {x, from}, {x, to}, w, color);
        add_line(layer, {x, to}, {edge - arrow * 0.6f, to}, w, color);
        const float h = arrow * 0.7f;
        add_triangle(layer, {edge - arrow, to - h}, {edge + 1, to}, {edge - arrow, to + h}, color);
    }
}

// Dark outlines around the boxes that the followed researcher uses now.
void draw_followed(Frame& frame, const Light& light) {
    if (!frame.plan || !frame.working || !frame.active(frame.followed))
        return;
    const Layout& layout = frame.layout;
    const int row = frame.followed / trace::warp_size, lane = frame.followed % trace::warp_size;
    for (int order = 0; order < frame.plan->orders; ++order) {
        const analysis::Request* request = frame.request(row, order);
        if (!request || !(request->lanes >> lane & 1))
            continue;
        const int box = request->box[lane];
        if (!light.role[box] && !light.pen[box])
            continue;
        const int box_row = box / trace::warp_size;
        add_box(frame.layer(LayerId::rays), {layout.column_x(box % 32), layout.row_y[box_row]}, layout.pitch,
                std::max(layout.row_h[box_row], 5.0f), 4, 0, frame.theme.ink, frame.px(2.4f));
    }
}

}  // namespace

// From the board before the step and after it, so that no number changes its form while the step runs.
Numbers numbers_of(const Frame& frame) {
    const Layout& layout = frame.layout;
    const BoardState &a = *frame.before, &b = *frame.after;
    Numbers out;
    out.size = layout.number_size(std::max(a.longest, b.longest));
    // A unit is said in the title: without one there are bars.
    if (out.size > 0 || !layout.titles || frame.view.half)
        return out;
    const float largest = std::max(a.largest, b.largest);
    out.power = unit_of(largest);
    const float scaled = largest / std::pow(1000.0f, float(out.power));
    const bool whole = out.power == 0 && !a.fractional && !b.fractional;
    for (out.digits = 3; out.digits >= 2; --out.digits) {
        // Of three digits before the point there is none after it.
        const float digits = 0.6f * float(out.digits) + (whole ? 0 : point_advance + 0.09f);
        out.size = layout.number_size_for(std::max(digits, scaled >= 99.4f ? 1.8f : 0) +
                                          (a.negative || b.negative ? minus_advance : 0));
        if (out.size > 0)
            return out;
    }
    return {};
}

float number_width(const Frame& frame, const BoardState& state, int box) {
    const Numbers& numbers = frame.numbers;
    if (numbers.digits == 0 || !std::isfinite(state.value[box]))
        return text_width(Font::mono, numbers.size, state.text[box].view());
    const Numeral numeral = numeral_of(state.value[box], numbers.power, numbers.digits);
    return numbers.size * (0.6f * float(numeral.length) + (numeral.point() ? point_advance : 0) +
                           (numeral.negative ? minus_advance : 0));
}

void draw_number(Frame& frame, Layer& layer, Point at, const BoardState& state, int box, Font font,
                 Color color) {
    const Numbers& numbers = frame.numbers;
    const float size = numbers.size;
    if (numbers.digits == 0 || !std::isfinite(state.value[box])) {
        add_label(layer, at, state.text[box].view(), size, font, color);
        return;
    }
    const Numeral numeral = numeral_of(state.value[box], numbers.power, numbers.digits);
    float x = at.x - number_width(frame, state, box) / 2;
    if (numeral.negative) {
        add_box(layer, {x + 0.16f * size, at.y}, 0.3f * size, 0.11f * size, 0, color);
        x += minus_advance * size;
    }
    const std::string_view digits(numeral.digit.data(), numeral.length);
    if (!numeral.point()) {
        add_label(layer, {x, at.y}, digits, size, font, color, Align::left);
        return;
    }
    if (numeral.before_point > 0)
        add_label(layer, {x, at.y}, digits.substr(0, numeral.before_point), size, font, color, Align::left);
    x += 0.6f * size * float(numeral.before_point);
    const float dot = std::max(1.3f, 0.14f * size);
    add_box(layer, {x + point_advance * size / 2, at.y + 0.34f * size - dot / 2}, dot, dot, dot / 2, color);
    x += point_advance * size;
    add_label(layer, {x, at.y}, digits.substr(numeral.before_point), size, font, color, Align::left);
}

void draw_board(Frame& frame) {
    static_assert(slide_seconds + fade_seconds < 0.49);
    Light light;
    find_light(frame, light);
    draw_frame(frame, light);
    draw_folds(frame, light);
    const int crown = draw_boxes(frame, light);
    draw_followed(frame, light);
    if (crown >= 0)
        draw_crown(frame, crown);
    draw_slides(frame);
}

}  // namespace auditorium::scene
