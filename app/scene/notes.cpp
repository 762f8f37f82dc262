// Notes: shuffle messages. At the table they are drawn by table.cpp; where every warp shuffles at once they
// run as low arcs along each row, seat to seat. A shuffle by xor is a pair of notes that cross.
#include "app/scene/frame.h"

namespace auditorium::scene {
namespace {

using playback::BeatKind;
using trace::Event;
using trace::EventKind;

const Event* shuffle_of(const Frame& frame, int thread) {
    const trace::Piece& piece = frame.now->pieces[thread];
    for (std::uint32_t e = piece.begin; e < piece.end; ++e)
        if (frame.trace.events[thread][e].kind == EventKind::shuffle)
            return &frame.trace.events[thread][e];
    return nullptr;
}

}  // namespace

// A slip of paper with a folded corner.
void draw_slip(Frame& frame, Layer& layer, Point centre, float width, float height) {
    const Theme& theme = frame.theme;
    const float fold = std::min(height * 0.3f, 6.0f);
    const float l = centre.x - width / 2, r = centre.x + width / 2, t = centre.y - height / 2,
                b = centre.y + height / 2;
    Shape& slip = add(layer, ShapeKind::polygon);
    slip.points = 5;
    slip.p = {Point{l, t}, Point{r - fold, t}, Point{r, t + fold}, Point{r, b}, Point{l, b}, Point{}};
    slip.fill = theme.note;
    slip.line = theme.note_edge;
    slip.line_width = frame.px(1.2f);
    add_triangle(layer, {r - fold, t}, {r, t + fold}, {r - fold, t + fold}, theme.note_edge);
}

// A note: a slip with a number, a small blank one, or one that asks.
void draw_note(Frame& frame, Layer& layer, Point centre, float width, float height, std::string_view text,
               float size, bool undefined) {
    const Theme& theme = frame.theme;
    if (undefined) {
        Shape& slip = add_box(layer, centre, width, height, 2, theme.panel, theme.hazard, frame.px(1.4f));
        slip.dash = 3;
        slip.gap = 2;
        if (!text.empty())
            add_label(layer, centre, "?", size, Font::semibold, theme.hazard);
        return;
    }
    if (text.empty()) {
        add_box(layer, centre, width, height, 1.2f, theme.note, theme.note_edge, 1);
        return;
    }
    draw_slip(frame, layer, centre, width, height);
    add_label(layer, centre, text, size, Font::mono_semibold, theme.note_ink);
}

void draw_row_notes(Frame& frame) {
    if (!frame.plan || !frame.plan->row_council || !frame.working)
        return;
    const int note_beat = frame.beat_of(BeatKind::note, 0);
    if (!frame.begun(note_beat))
        return;
    const Layout& layout = frame.layout;
    const Theme& theme = frame.theme;
    const bool flying = frame.moment.beat == note_beat;
    const float p = in_out_cubic(flying ? clamp01(frame.moment.beat_progress) : 1);
    const analysis::StepAnalysis& found = frame.analysis.steps[frame.step];
    Layer& lines = frame.layer(LayerId::notes);
    const float person = layout.person;
    const float room = std::max(7.0f, std::min(layout.spacing * 0.62f, 22.0f));  // height of an arc
    const bool many = frame.rows > 8;
    const int quiet_row =
        frame.rows <= 2 ? -1 : frame.followed / trace::warp_size;  // only there, what does not count
    const std::size_t first = lines.shapes.size();
    for (int thread = 0; thread < frame.threads; ++thread) {
        if (!frame.active(thread))
            continue;
        const Event* event = shuffle_of(frame, thread);
        if (!event)
            continue;
        const int row = thread / trace::warp_size, lane = thread % trace::warp_size;
        const bool counts = thread < int(found.counts_lane.size()) && found.counts_lane[thread];
        const bool undefined = event->flags & (Event::undefined | Event::bad_mask);
        const Point foot{0, -(layout.detail == Detail::people  ? 20
                              : layout.detail == Detail::heads ? 15
                                                               : 5) *
                                person};
        const Point to = layout.seat(row, lane) + foot;
        if (event->flags & Event::no_partner) {
            if (quiet_row < 0 || row == quiet_row)
                add_ribbon(lines, to + Point{-3 * person, 0}, to + Point{0, -14 * person},
                           to + Point{3 * person, 0}, frame.px(1), faded(theme.text3, 0.8f), 1.5f, 2.5f);
            continue;
        }
        // In a crowded hall every fourth arc stands for its neighbours.
        if (many && lane % 4 != 0 && !undefined)
            continue;
        const int source = event->arg % trace::warp_size;
        const Point from = layout.seat(row, source) + foot;
        const float height = room * (0.55f + 0.45f * std::abs(float(source - lane)) / 16);
        const Point control{(from.x + to.x) / 2,
                            std::min(from.y, to.y) + std::abs(from.y - to.y) / 2 - 2 * height};
        if (undefined)
            add_ribbon(lines, from, control, to, frame.px(1.3f), theme.hazard, 5, 4);
        else if (counts)
            add_ribbon(lines, from, control, to, frame.px(many ? 0.8f : 1.1f),
                       faded(theme.work, many ? 0.5f : 0.75f));
        else if (quiet_row < 0 || row == quiet_row)
            add_ribbon(lines, from, control, to, frame.px(1), faded(theme.text3, 0.4f), 3, 3);
        if (!counts && !undefined)
            continue;
        const bool followed = thread == frame.followed;
        // An undefined one is as large as its "?".
        const float sign = layout.text.smallest;
        const bool asks = undefined && layout.seat_dx[row] > sign * 1.3f && layout.detail != Detail::dots;
        const float w = asks ? sign * 1.3f : std::max(5.0f, 8 * person);
        const float h = asks ? sign * 1.4f : std::max(3.5f, 5.5f * person);
        const std::string_view word = asks ? "?" : "";
        if (flying && (!many || lane % 4 == 0)) {
            const Point at = frame.view.reduced_motion ? to : on_curve(from, control, to, p);
            frame.scene.targets.push_back(
                {Target::Kind::note, thread, {at.x - w / 2 - 1, at.y - h / 2 - 1, w + 2, h + 2}});
        }
        if (frame.view.reduced_motion) {
            if (!followed) {
                draw_note(frame, lines, from, w, h, word, sign, undefined);
                draw_note(frame, lines, to, w, h, word, sign, undefined);
            }
        } else if (flying && !followed && (!many || lane % 4 == 0)) {
            draw_note(frame, lines, on_curve(from, control, to, p), w, h, word, sign, undefined);
        }
    }
    gather_alike(lines, first);  // slips of paper lie over every line
    // The followed researcher's note carries its number, above all others.
    if (frame.active(frame.followed)) {
        const Event* event = shuffle_of(frame, frame.followed);
        if (event && !(event->flags & Event::no_partner) && layout.detail != Detail::dots) {
            const int row = frame.followed / trace::warp_size, lane = frame.followed % trace::warp_size;
            const Point foot{0, -20 * person};
            const int source = event->arg % trace::warp_size;
            const Point from = layout.seat(row, source) + foot, to = layout.seat(row, lane) + foot;
            const float height = room * (0.55f + 0.45f * std::abs(float(source - lane)) / 16);
            const Point control{(from.x + to.x) / 2,
                                std::min(from.y, to.y) + std::abs(from.y - to.y) / 2 - 2 * height};
            add_ribbon(lines, from, control, to, frame.px(2.2f), theme.focus);
            if (flying) {
                const ShortText text = short_number(event->bits, frame.trace.config.type);
                const float size = std::max(layout.text.smallest, layout.text.box);
                const float w = text_width(Font::mono_semibold, size, text.view()) + 9, h = size * 1.55f;
                const bool undefined = event->flags & (Event::undefined | Event::bad_mask);
                if (frame.view.reduced_motion) {  // at both ends
                    draw_note(frame, lines, from, w, h, text.view(), size, undefined);
                    draw_note(frame, lines, to, w, h, text.view(), size, undefined);
                } else {
                    draw_note(frame, lines, on_curve(from, control, to, p), w, h, text.view(), size,
                              undefined);
                }
            }
        }
    }
}

}  // namespace auditorium::scene
