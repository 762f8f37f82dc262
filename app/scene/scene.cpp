// Puts a frame together: finds out where in time we are, what everyone does, where everything stands; then
// draws.
#include "app/scene/scene.h"

#include <algorithm>

#include "app/scene/crossfade.h"
#include "app/scene/frame.h"

namespace auditorium::scene {
namespace {

using playback::BeatKind;

constexpr double board_fade = 0.32;  // seconds into the compare when the losers begin to fade
constexpr double most_shown_tickets = 8;
constexpr double room_opens = 0.26;  // seconds in which the hall makes room for tickets, or takes it back

void clear(Scene& scene) {
    for (Layer& layer : scene.layers) {
        layer.shapes.clear();
        layer.labels.clear();
    }
    scene.targets.clear();
    scene.rays.clear();
    scene.words.clear();
    scene.table = {};
}

// 0 before the losers of this step fade, 1 after.
float fade_of(const Frame& frame) {
    if (!frame.now || frame.resting)
        return 1;
    const int combine = frame.beat_of(BeatKind::combine, 0);
    if (combine < 0)
        return frame.moment.at_end ? 1 : 0;
    if (frame.passed(combine))
        return 1;
    if (!frame.begun(combine))
        return 0;
    const float t = clamp01((frame.in_beat - frame.beat.lead - board_fade) / 0.16);
    return frame.view.reduced_motion ? (t > 0 ? 1.0f : 0.0f) : t;
}

// Tickets of the step's longest queue, as far as they are shown.
float tickets_of(const playback::Timeline& timeline, int span) {
    int most = 0;
    for (const playback::Beat& beat : timeline.spans[span].beats)
        if (beat.wavefronts > 1)
            most = std::max(most, beat.wavefronts);
    return float(std::min<double>(most, most_shown_tickets));
}

}  // namespace

float tickets_shown(const playback::Timeline& timeline, const playback::Moment& moment, const View& view) {
    const int span = moment.span;
    const playback::Span& now = timeline.spans[std::size_t(span)];
    const playback::Beat& beat = now.beats[std::size_t(moment.beat)];
    const auto eased = [&](double since, double seconds) {
        return view.reduced_motion ? float(moment.time > since)
                                   : in_out_cubic(clamp01((moment.time - since) / seconds));
    };
    // While everybody waits nothing hangs under the board: the hall has the room, until the next queue. Two
    // halves keep it, so that they do not move against each other.
    const bool gives_back = !view.compare;
    const auto ends_at_rest = [&](const playback::Span& s) {
        return !s.beats.empty() && rests(s.beats.back().kind);
    };
    const auto left_by = [&](int s) {
        return gives_back && ends_at_rest(timeline.spans[std::size_t(s)]) ? 0 : tickets_of(timeline, s);
    };
    // The room for a step's queue is made before the step begins: while the rope drops, else in the last
    // moment of the step before.
    const float next = span < timeline.last_span() ? tickets_of(timeline, span + 1) : 0;
    const auto made_for_next = [&](float room) {
        if (next <= room || moment.beat + 1 < int(now.beats.size()))
            return room;
        const bool at_rest = rests(beat.kind);
        if (view.reduced_motion && !at_rest)
            return room;
        const double seconds = at_rest ? beat.seconds() : std::min(room_opens, beat.seconds());
        return mix(room, next, eased(beat.end - seconds, seconds));
    };
    if (gives_back && rests(beat.kind)) {
        const auto wait = std::find_if(now.beats.begin(), now.beats.end(),
                                       [](const playback::Beat& b) { return rests(b.kind); });
        return made_for_next(mix(tickets_of(timeline, span), 0, eased(wait->begin, room_opens)));
    }
    const float mine = tickets_of(timeline, span);
    const float earlier = span > 0 ? std::max(left_by(span - 1), mine) : mine;
    return made_for_next(mix(earlier, mine, eased(now.begin, room_opens)));
}

namespace {

void lay_out(Frame& frame, const RopeState& rope) {
    LayoutNeeds needs;
    needs.rows = frame.rows;
    needs.rows_beside = frame.view.rows_beside;
    needs.council = frame.council;
    needs.gap = rope.gap;
    for (int row = 0; row < frame.rows; ++row) {
        const int first = row * trace::warp_size, last = std::min(frame.threads, first + trace::warp_size);
        float stand = 0;
        for (int thread = first; thread < last; ++thread)
            stand = std::max(stand, frame.pose[thread].stand);
        needs.stand[row] = stand;
        // What is eliminated may fold in the hall already, what was never written only at the council.
        const auto fold = [&](const std::vector<std::uint8_t>& before,
                              const std::vector<std::uint8_t>& after) {
            if (before[row] && !after[row])  // a row that is written again unfolds
                return frame.view.reduced_motion ? 0 : 1 - clamp01(frame.in_span / 0.26);
            return std::max(float(before[row]), float(after[row]) * frame.fade);
        };
        const float eliminated = fold(frame.before->row_eliminated, frame.after->row_eliminated);
        const float idle = fold(frame.before->row_idle, frame.after->row_idle);
        needs.folded[row] =
            frame.rows > 16 ? std::max(eliminated, idle * frame.council) : idle * frame.council;
    }
    needs.tickets =
        std::max(tickets_shown(frame.timeline, frame.moment, frame.view), frame.view.tickets_beside);
    frame.layout =
        make_layout(frame.scene.area.w, frame.scene.area.h, frame.view.presenter, needs, frame.view.half);
}

float council_of(const Frame& frame) {
    float c = frame.span.table_at_begin;
    for (std::size_t i = 0; i < frame.span.beats.size(); ++i) {
        if (frame.span.beats[i].kind != BeatKind::walk)
            continue;
        if (frame.passed(int(i)))
            c = frame.span.table_at_end;
        else if (frame.begun(int(i))) {
            const float t = clamp01(frame.in_beat / 0.7);
            const float moved = frame.view.reduced_motion ? float(t > 0.5f) : t;
            c = mix(float(frame.span.table_at_begin), float(frame.span.table_at_end), moved);
        }
    }
    return in_out_cubic(c);
}

// The picture of a moment; in reduced motion the still one.
void draw_moment(Scene& scene, const trace::Trace& trace, const analysis::Analysis& analysis,
                 const playback::Timeline& timeline, const Prepared& prepared, const playback::Moment& moment,
                 const View& view, const Theme& theme, Rect area, const inspector::Description* asked) {
    clear(scene);
    scene.area = area;
    scene.camera = view.manual_camera.value_or(Camera{1, {area.w / 2, area.h / 2}});
    if (timeline.spans.empty() || prepared.empty() || area.w < 40 || area.h < 40)
        return;
    const playback::Span& span = timeline.spans[moment.span];
    Frame frame{trace, analysis, timeline, prepared, moment,
                view,  theme,    scene,    span,     span.beats[moment.beat]};
    std::optional<inspector::Description> own;
    if (!asked && view.asked())
        own = inspector::describe(trace, analysis, timeline, prepared.index, moment, *view.asked());
    frame.asked = asked ? asked : own ? &*own : nullptr;
    frame.step = span.step;
    frame.in_beat = float(moment.time - frame.beat.begin);
    frame.in_span = float(moment.time - span.begin);
    frame.rows = prepared.rows;
    frame.threads = trace.config.block;
    frame.followed = std::clamp(view.followed, 0, frame.threads - 1);
    frame.resting = playback::rests(frame.beat.kind);
    if (frame.step >= 0) {
        frame.now = &trace.steps[frame.step];
        frame.plan = &prepared.steps[frame.step];
        frame.before = &prepared.states[frame.step];
        frame.after = &prepared.states[frame.step + 1];
        frame.working = !frame.resting && frame.beat.kind != BeatKind::idle;
    } else {
        frame.before = frame.after = moment.span == 0 ? &prepared.states.front() : &prepared.states.back();
    }
    frame.council = council_of(frame);
    frame.fade = fade_of(frame);
    find_poses(frame);
    find_written(frame);
    const RopeState rope = rope_state(frame);
    lay_out(frame, rope);

    frame.numbers = numbers_of(frame);

    find_asked(frame);
    draw_board(frame);
    if (!view.half)
        draw_titles(frame);
    draw_troubles(frame);
    draw_rays(frame);
    draw_ropes(frame, rope);
    draw_hall(frame, rope);
    draw_row_notes(frame);
    draw_table(frame);
    draw_tickets(frame);
    draw_lost(frame);
    draw_asked(frame);
    if (!view.half && !frame.asked)  // the inspector says it in its place
        draw_callout(frame);
    draw_beside_table(frame);
}

}  // namespace

void build_into(Scene& scene, const trace::Trace& trace, const analysis::Analysis& analysis,
                const playback::Timeline& timeline, const Prepared& prepared, const playback::Moment& moment,
                const View& view, const Theme& theme, Rect area, const inspector::Description* asked) {
    draw_moment(scene, trace, analysis, timeline, prepared, moment, view, theme, area, asked);
    if (!view.reduced_motion || view.cuts || timeline.spans.empty())
        return;
    const Change change = change_at(timeline, moment);
    if (change.part >= 1)
        return;
    Scene old;
    draw_moment(old, trace, analysis, timeline, prepared, playback::moment_at(timeline, change.before), view,
                theme, area, nullptr);
    fade_from(scene, old, change.part);
}

Scene build(const trace::Trace& trace, const analysis::Analysis& analysis, const playback::Timeline& timeline,
            const playback::Moment& moment, const View& view, const Theme& theme, Rect area) {
    Scene scene;
    build_into(scene, trace, analysis, timeline, prepare(trace, analysis, timeline), moment, view, theme,
               area);
    return scene;
}

}  // namespace auditorium::scene
