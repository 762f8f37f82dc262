// Who stands, sits, reads or writes at this moment, and which boxes have been written already.
#include <algorithm>

#include "app/scene/frame.h"

namespace auditorium::scene {
namespace {

using playback::Beat;
using playback::BeatKind;
using trace::EventKind;
using trace::StepKind;

constexpr float settle = 0.22f;   // seconds to stand up or sit down
constexpr float call_up = 0.10f;  // the next in a queue
constexpr int everyone_served = 1 << 20;

bool rests(BeatKind kind) {
    return kind == BeatKind::wait || kind == BeatKind::hold || kind == BeatKind::drop;
}

Posture at_rest(const Frame& frame, int span, int thread, bool active, Rest rest) {
    if (rest == Rest::left)
        return Posture::gone;
    const int step = frame.timeline.spans[span].step;
    if (step >= 0 && frame.trace.steps[step].register_undefined[thread])
        return Posture::unknown;
    return rest == Rest::running || active ? Posture::seated : Posture::slumped;
}

// What the thread does in a beat; `wavefront` is the one being served, where the beat has a queue.
Posture posture_in(const Frame& frame, int thread, int span_index, int beat_index, int wavefront) {
    const playback::Span& span = frame.timeline.spans[span_index];
    if (span.step < 0)
        return Posture::seated;
    const trace::Step& step = frame.trace.steps[span.step];
    const StepPlan& plan = frame.prepared.steps[span.step];
    const Beat& beat = span.beats[beat_index];
    const int row = thread / trace::warp_size, lane = thread % trace::warp_size;
    const bool active = plan.active[row] >> lane & 1;
    if (rests(beat.kind) && plan.leaves[thread])
        return Posture::gone;
    if (rests(beat.kind) || beat.kind == BeatKind::idle)
        return at_rest(frame, span_index, thread, active, plan.rest[thread]);
    if (!active) {
        const Posture rest = at_rest(frame, span_index, thread, false, plan.rest[thread]);
        return plan.active[row] && rest != Posture::gone ? Posture::off : rest;
    }
    const auto request = [&]() -> const analysis::Request* {
        if (beat.order >= plan.orders)
            return nullptr;
        const int index = plan.request[row * plan.orders + beat.order];
        return index < 0 ? nullptr : &frame.analysis.requests[index];
    };
    const auto access = [&](EventKind kind, Posture doing) {
        const analysis::Request* found = request();
        if (!found || found->kind != kind || !(found->lanes >> lane & 1))
            return Posture::served;
        if (found->wavefronts == 1)
            return doing;
        const int mine = found->wavefront[lane];
        return mine < wavefront ? Posture::served : mine == wavefront ? doing : Posture::queued;
    };
    switch (beat.kind) {
        case BeatKind::load:
        case BeatKind::broadcast:
            return access(EventKind::load, Posture::reading);
        case BeatKind::store:
        case BeatKind::crown:
            return access(EventKind::store, Posture::writing);
        case BeatKind::combine:
            if (step.kind != StepKind::shuffle)
                return Posture::reading;
            return step.register_undefined[std::size_t(thread)] ? Posture::unknown : Posture::noting;
        case BeatKind::note:  // what it gives is what it had before
            return span.step > 0 && frame.trace.steps[std::size_t(span.step) - 1]
                                        .register_undefined[std::size_t(thread)]
                       ? Posture::unknown
                       : Posture::noting;
        default:
            return Posture::served;
    }
}

Pose pose_of(Posture posture, const Theme& theme) {
    Pose pose;
    pose.color = theme.person;
    switch (posture) {
        case Posture::seated:
            break;
        case Posture::noting:
            pose.color = theme.work;
            break;
        case Posture::slumped:
            pose.body_y = 3.6f;
            pose.body_w = 11;
            pose.body_h = 7.2f;
            pose.head_x = 1.9f;
            pose.head_y = 9.7f;
            pose.head_r = 3.6f;
            pose.color = theme.eliminated;
            break;
        case Posture::off:
            pose.filled = 0;
            pose.body_w = 12.5f;
            pose.head_r = 4;
            pose.color = theme.work;
            break;
        case Posture::gone:
            pose.present = 0;
            break;
        case Posture::unknown:
            pose.present = 0;
            pose.strange = 1;
            break;
        case Posture::reading:
        case Posture::writing:
        case Posture::queued:
        case Posture::served:
            pose.body_y = 11.8f;
            pose.body_h = 14.6f;
            pose.head_y = 23.4f;
            pose.head_r = 4.65f;
            pose.stand = 1;
            pose.color = posture == Posture::queued ? theme.person : theme.work;
            pose.arm_left = posture == Posture::reading;
            pose.arm_right = posture == Posture::reading || posture == Posture::writing;
            pose.pen = posture == Posture::writing;
            break;
    }
    return pose;
}

Pose blend(const Pose& a, const Pose& b, float t) {
    Pose out;
    out.body_y = mix(a.body_y, b.body_y, t);
    out.body_w = mix(a.body_w, b.body_w, t);
    out.body_h = mix(a.body_h, b.body_h, t);
    out.head_x = mix(a.head_x, b.head_x, t);
    out.head_y = mix(a.head_y, b.head_y, t);
    out.head_r = mix(a.head_r, b.head_r, t);
    out.arm_left = mix(a.arm_left, b.arm_left, t);
    out.arm_right = mix(a.arm_right, b.arm_right, t);
    out.pen = mix(a.pen, b.pen, t);
    out.filled = mix(a.filled, b.filled, t);
    out.present = mix(a.present, b.present, t);
    out.stand = mix(a.stand, b.stand, t);
    out.strange = mix(a.strange, b.strange, t);
    out.color = a.color == b.color ? a.color : mix(a.color, b.color, t);
    return out;
}

}  // namespace

int Frame::beat_of(BeatKind kind, int order) const {
    for (std::size_t i = 0; i < span.beats.size(); ++i)
        if (span.beats[i].kind == kind && span.beats[i].order == order)
            return int(i);
    return -1;
}

const analysis::Request* Frame::request(int row, int order) const {
    if (!plan || order >= plan->orders)
        return nullptr;
    const int index = plan->request[row * plan->orders + order];
    return index < 0 ? nullptr : &analysis.requests[index];
}

int Frame::wavefront() const {
    const double one = (beat.seconds() - beat.lead) / beat.wavefronts;
    const int at = one > 0 ? int((in_beat - beat.lead) / one) : 0;
    // The beat's last instant still shows the last wavefront; what follows shows everybody served.
    return std::clamp(at, 0, beat.wavefronts - 1);
}

float Frame::wavefront_progress() const {
    const double one = (beat.seconds() - beat.lead) / beat.wavefronts;
    return one > 0 ? clamp01((in_beat - beat.lead) / one - wavefront()) : 1;
}

void find_poses(Frame& frame) {
    const int span = frame.moment.span, beat = frame.moment.beat;
    int span_before = span, beat_before = beat - 1;
    if (beat_before < 0) {
        span_before = std::max(0, span - 1);
        beat_before = span == 0 ? 0 : int(frame.timeline.spans[span_before].beats.size()) - 1;
    }
    const int wavefront = frame.wavefront();
    float settled = frame.view.reduced_motion ? 1 : out_cubic(clamp01(frame.in_beat / settle));
    const bool in_queue = frame.beat.wavefronts > 1 && wavefront > 0;
    if (in_queue) {
        const double one = (frame.beat.seconds() - frame.beat.lead) / frame.beat.wavefronts;
        settled =
            frame.view.reduced_motion ? 1 : out_cubic(clamp01(frame.wavefront_progress() * one / call_up));
    }
    std::array<Pose, 10> figures;
    for (int i = 0; i < 10; ++i)
        figures[i] = pose_of(Posture(i), frame.theme);
    for (int thread = 0; thread < frame.threads; ++thread) {
        const Posture to = posture_in(frame, thread, span, beat, wavefront);
        const Posture from = in_queue ? posture_in(frame, thread, span, beat, wavefront - 1)
                                      : posture_in(frame, thread, span_before, beat_before, everyone_served);
        frame.pose[thread] = from == to || settled >= 1
                                 ? figures[int(to)]
                                 : blend(figures[int(from)], figures[int(to)], settled);
    }
}

void find_written(Frame& frame) {
    std::fill_n(frame.written.begin(), frame.threads, std::uint8_t(0));
    if (!frame.plan)
        return;
    for (int row = 0; row < frame.rows; ++row) {
        for (int order = 0; order < frame.plan->orders; ++order) {
            const analysis::Request* request = frame.request(row, order);
            if (!request || request->kind != EventKind::store)
                continue;
            int at = frame.beat_of(BeatKind::store, order);
            if (at < 0)
                at = frame.beat_of(BeatKind::crown, order);
            if (!frame.begun(at))
                continue;
            int served = everyone_served;
            if (!frame.passed(at))
                served = frame.wavefront() + (frame.wavefront_progress() > 0.5f ? 1 : 0);
            for (int lane = 0; lane < trace::warp_size; ++lane)
                if ((request->lanes >> lane & 1) && request->wavefront[lane] < served)
                    frame.written[request->box[lane]] = 1;
        }
    }
}

}  // namespace auditorium::scene
