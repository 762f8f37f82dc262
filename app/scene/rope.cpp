// The gold rope: __syncthreads(). It runs before each run of rows that wait; when every row has arrived it
// runs before the first and then drops. Rows held at barriers that do not match have purple dashed ropes.
#include <bit>
#include <cstdio>
#include <string>

#include "app/scene/frame.h"

namespace auditorium::scene {
namespace {

using playback::Beat;
using playback::BeatKind;

constexpr double rope_draws = 0.26;
constexpr int posts = 8;

// The ropes that stand (or lie) at the end of a beat.
struct Ropes {
    std::uint32_t rows = 0;
    bool dropped = false;
};

Ropes ropes_in(const Frame& frame, int span_index, int beat_index) {
    const playback::Span& span = frame.timeline.spans[span_index];
    if (span.step < 0)
        return {};
    const StepPlan& plan = frame.prepared.steps[span.step];
    const BeatKind kind = span.beats[beat_index].kind;
    if (kind == BeatKind::wait || kind == BeatKind::hold || kind == BeatKind::drop)
        return {plan.rope_after, kind == BeatKind::drop};
    return {plan.rope, false};
}

struct Curve {
    Point a, control, b;
};

// The part of a curve from its begin to t.
Curve part(const Curve& curve, float t) {
    return {curve.a, mix(curve.a, curve.control, t), on_curve(curve.a, curve.control, curve.b, t)};
}

// How large a rope is where people are small.
float rope_scale(const Layout& layout) {
    return std::clamp(layout.rope_gap / 39, 0.45f, 1.6f);
}

Point post_at(const Layout& layout, int row, int post) {
    const float lane = mix(-0.8f, 31.8f, float(post) / (posts - 1));
    const float t = (lane - 15.5f) / 15.5f;
    const float k = rope_scale(layout);
    const float before = row == 0 ? 36 : 29;
    return {layout.centre_x + (lane - 15.5f) * layout.seat_dx[row], layout.arc_y(row, t) - before * k};
}

void draw_rope(Frame& frame, const RopeState& state, int row) {
    Layer& layer = frame.layer(LayerId::rope);
    const Layout& layout = frame.layout;
    const float k = rope_scale(layout), opacity = state.shown[row];
    const float drop = state.drop[row];
    const float post_h = 18 * k;
    const Color color = faded(state.mismatch ? frame.theme.hazard : frame.theme.rope, opacity);
    const Color twist = faded(frame.theme.background, 0.55f * opacity);
    const float drawn = state.drawn[row] * (posts - 1);
    for (int post = 0; post < posts; ++post) {
        if (float(post) > drawn + 0.001f)
            break;
        const Point base = post_at(layout, row, post);
        const Point ball{base.x, base.y - post_h};
        if (row == 0 && post + 1 < posts) {
            const Point next = post_at(layout, row, post + 1);
            const float top = std::min(base.y, next.y) - post_h - 5 * k;
            frame.taken.add({base.x, top, next.x - base.x, std::max(base.y, next.y) - top});
        }
        if (post + 1 < posts && drawn > float(post)) {
            const Point next = post_at(layout, row, post + 1);
            const Point next_ball{next.x, next.y - post_h};
            const float hang = mix(10 * k, post_h, drop);
            Curve curve{ball, mix(ball, next_ball, 0.5f) + Point{0, 2 * hang}, next_ball};
            const float t = std::min(1.0f, drawn - float(post));
            if (t < 1)
                curve = part(curve, t);
            const bool dashed = state.mismatch || drop > 0.5f;
            const Color rope = drop > 0 ? faded(color, mix(1.0f, 0.7f, drop)) : color;
            add_ribbon(layer, curve.a, curve.control, curve.b, frame.px(2.8f) * std::min(1.0f, k + 0.2f),
                       rope, dashed ? 7 : 0, dashed ? 4 : 0);
            if (!dashed)
                add_ribbon(layer, curve.a, curve.control, curve.b, frame.px(1), twist, 2.5f, 4);
        }
        add_line(layer, base, ball, 3.2f * k, color);
        add_line(layer, {base.x - 5 * k, base.y}, {base.x + 5 * k, base.y}, 3 * k, color);
        add_disc(layer, ball, 3.6f * k, color);
    }
}

std::string plaque_text(const Frame& frame, const RopeState& state) {
    char text[96];
    if (!frame.plan)
        return {};
    const analysis::StepAnalysis& found = frame.analysis.steps[frame.step];
    const int present = std::popcount(frame.plan->present);
    const int arriving = std::popcount(frame.plan->arriving);
    const int waiting = std::popcount(frame.plan->waiting);
    char head[40];
    if (found.barrier > 0)
        std::snprintf(head, sizeof head, "Barrier %d of %d", found.barrier, frame.analysis.totals.barriers);
    else
        std::snprintf(head, sizeof head, "Barrier");
    if (state.mismatch) {
        std::snprintf(text, sizeof text, "%s, mismatch: undefined, may hang", head);
    } else if (frame.beat.kind == BeatKind::drop) {
        std::snprintf(text, sizeof text, "%s: passed", head);
    } else if (frame.resting) {
        std::snprintf(text, sizeof text, "%s: %d of %d %s here%s", head, arriving, present,
                      present == 1 ? "row is" : "rows are",
                      frame.beat.kind == BeatKind::hold ? ", the rope drops" : "");
    } else {
        if (waiting == 0)  // a rope on its way out
            return {};
        const std::uint32_t run = frame.plan->waiting >> std::countr_zero(frame.plan->waiting);
        if (frame.council > 0.5f && waiting > 1 && (run & (run + 1)) == 0) {
            const int first = std::countr_zero(frame.plan->waiting);
            std::snprintf(text, sizeof text, "%s: W%d\u2013W%d are waiting", head, first,
                          first + waiting - 1);
        } else {
            std::snprintf(text, sizeof text, "%s: %d of %d %s waiting", head, waiting, present,
                          waiting == 1 ? (present == 1 ? "row is" : "rows is") : "rows are");
        }
    }
    return text;
}

// From the highest head or hand to the lowest seat of the people of a row who sit within `half` of the
// middle; of empty seats nothing is hidden.
struct Reach {
    float top = 1e9f, bottom = -1e9f;
};

Reach reach_of(const Frame& frame, int row, float half) {
    const Layout& layout = frame.layout;
    const bool dots = layout.detail == Detail::dots, heads = layout.detail == Detail::heads;
    const float k = layout.person;
    Reach out;
    for (int lane = 0; lane < trace::warp_size; ++lane) {
        const int thread = row * trace::warp_size + lane;
        const Point seat = layout.seat(row, lane);
        if (thread >= frame.threads || std::abs(seat.x - layout.centre_x) > half + 6 * k)
            continue;
        const Pose& pose = frame.pose[thread];
        if (pose.present < 0.5f && pose.strange < 0.5f)
            continue;
        const bool arms = std::max(pose.arm_left, pose.arm_right) > 0.1f;
        const float over = dots    ? 7.0f
                           : heads ? mix(14.0f, arms ? 20.0f : 18.5f, pose.stand)
                           : arms  ? 29.0f
                                   : pose.head_y + pose.head_r;
        out.top = std::min(out.top, seat.y - over * k);
        out.bottom = std::max(out.bottom, seat.y + (dots ? 7.0f : 4.6f) * k);
    }
    return out;
}

// Where the plaque hides nobody, nearest to the rope: in the gap that the rope has, below all rows, before
// the front one. On rows of dots it may lie where they are many: a few of them do. Negative: nowhere.
float plaque_y(const Frame& frame, int row, float wish, float width, float height) {
    const Layout& layout = frame.layout;
    const float half = width / 2 + 1, foot = layout.height - 2 - height / 2;
    const float above = layout.hall_top() + height / 2;
    const auto free = [&](float y) {
        return frame.taken.free({layout.centre_x - half, y - height / 2 + 1, 2 * half, height - 2});
    };
    const Reach behind = reach_of(frame, row, half);
    const Reach before = row > 0 ? reach_of(frame, row - 1, half) : Reach{};
    // Seats may lie under its edge, nothing of a person.
    const float seat = layout.detail == Detail::dots ? 0 : 8 * layout.person;
    const float lowest = std::min(foot, behind.top - height / 2 + 0.5f);
    const float highest = std::max(above, before.bottom + height / 2 - seat);
    if (highest <= lowest)
        return std::clamp(wish, highest, lowest);
    const float below = reach_of(frame, frame.rows - 1, half).bottom + height / 2 + 3;
    if (below <= foot && free(below))
        return below;
    const bool many = layout.detail == Detail::dots && layout.hall_bottom - layout.seat_y[0] > 4 * height;
    if (many && wish <= foot)
        return wish;
    const float front = reach_of(frame, 0, half).top - height / 2;
    return row > 0 && front >= above ? front : -1;
}

void draw_plaque(Frame& frame, const RopeState& state, int row) {
    const std::string text = plaque_text(frame, state);
    if (text.empty())
        return;
    const Layout& layout = frame.layout;
    const Theme& theme = frame.theme;
    Layer& shapes = frame.layer(LayerId::tickets);
    const float size = frame.view.presenter ? layout.text.label : layout.text.small;
    const float width = text_width(Font::semibold, size, text) + size * 3.4f;
    const float height = size * 2.1f;
    const Point base = post_at(layout, row, 0);
    const float middle = layout.arc_y(row, 0) + (base.y - layout.arc_y(row, -16.3f / 15.5f));
    const float k = rope_scale(layout);
    // On the rope; where the board or its tickets are too near, just under them.
    const float wish =
        std::max(middle - 9 * k + (frame.council > 0.5f ? 8.0f : 0), layout.hall_top() + height / 2);
    const Point at{layout.centre_x, frame.council > 0.02f ? wish : plaque_y(frame, row, wish, width, height)};
    if (width > layout.width - 8 || at.y < 0 || at.y + height / 2 > layout.height - 2)
        return;
    const bool hazard = state.mismatch;
    const Color line = hazard ? theme.hazard : theme.rope;
    const float opacity = state.shown[row] * std::clamp(state.drawn[row] * 2 - 0.8f, 0.0f, 1.0f);
    if (opacity <= 0.02f)
        return;
    frame.taken.add({at.x - width / 2 - 4, at.y - height / 2 - 4, width + 8, height + 8});
    frame.scene.words.push_back({at.x - width / 2, at.y - height / 2, width, height});
    add_box(shapes, at, width, height, height / 2, faded(theme.panel, opacity), faded(line, opacity),
            frame.px(1.5f));
    const float left = at.x - width / 2 + size * 1.15f;
    const Color ink = faded(hazard ? theme.hazard : theme.rope_text, opacity);
    add_box(shapes, {left, at.y}, size * 0.2f, size * 0.75f, 1, ink);
    add_box(shapes, {left + size * 0.42f, at.y}, size * 0.2f, size * 0.75f, 1, ink);
    add_label(shapes, {left + size * 1.15f, at.y}, text, size, Font::semibold, ink, Align::left);
}

}  // namespace

RopeState rope_state(const Frame& frame) {
    RopeState out;
    const int span = frame.moment.span, beat = frame.moment.beat;
    const Ropes now = ropes_in(frame, span, beat);
    Ropes earlier{};
    float q = 1;
    const bool work = !frame.resting;
    if (work && frame.in_span < rope_draws) {
        if (span > 0)
            earlier = ropes_in(frame, span - 1, int(frame.timeline.spans[span - 1].beats.size()) - 1);
        q = clamp01(frame.in_span / rope_draws);
    } else if (frame.beat.kind == BeatKind::wait) {
        if (beat > 0)
            earlier = ropes_in(frame, span, beat - 1);
        q = clamp01(frame.in_beat / rope_draws);
    }
    if (frame.view.reduced_motion)
        q = 1;
    const float eased = in_out_cubic(q);
    for (int row = 0; row < frame.rows; ++row) {
        const bool is = now.rows >> row & 1;
        const bool was = q < 1 && (earlier.rows >> row & 1);
        if (!is && !was)
            continue;
        out.rows |= 1u << row;
        out.gap[row] = is && was ? 1 : is ? eased : 1 - eased;
        if (is && was && !earlier.dropped) {
            out.drawn[row] = out.shown[row] = 1;
        } else if (is) {
            out.drawn[row] = q;
            out.shown[row] = 1;
        } else {
            out.drawn[row] = 1;
            out.shown[row] =
                work && earlier.dropped
                    ? 1 - clamp01(frame.view.reduced_motion ? 1 : double(frame.in_span) / dropped_rope_fades)
                    : 1 - q;
            out.drop[row] = earlier.dropped;
        }
        if (is && now.dropped)
            out.drop[row] = frame.view.reduced_motion ? 1 : in_quad(clamp01(frame.moment.beat_progress));
    }
    out.mismatch = frame.plan && frame.plan->mismatch;
    return out;
}

void draw_ropes(Frame& frame, const RopeState& state) {
    Layer& layer = frame.layer(LayerId::rope);
    const std::size_t first = layer.shapes.size();
    for (int row = 0; row < frame.rows; ++row)
        if ((state.rows >> row & 1) && state.shown[row] > 0)
            draw_rope(frame, state, row);
    gather_alike(layer, first);  // posts stand before every rope
    for (int row = 0; row < frame.rows; ++row) {
        // One plaque: it speaks for every rope.
        if ((state.rows >> row & 1) && state.shown[row] > 0.99f) {
            draw_plaque(frame, state, row);
            break;
        }
    }
}

}  // namespace auditorium::scene
