#include "app/inspector/now.h"

#include <algorithm>

namespace auditorium::inspector {

using playback::Beat;
using playback::BeatKind;
using trace::EventKind;

Now::Now(const trace::Trace& trace, const analysis::Analysis& analysis, const playback::Timeline& timeline,
         const playback::Moment& moment)
    : trace_(trace),
      analysis_(analysis),
      span_(&timeline.spans[std::size_t(moment.span)]),
      moment_(moment),
      step_(span_->step >= 0   ? span_->step
            : moment.span == 0 ? -1
                               : int(trace.steps.size())) {}

const analysis::Request* Now::request(int thread, std::uint32_t place) const {
    if (!in_step())
        return nullptr;
    const trace::Event& event = trace_.events[std::size_t(thread)][place];
    // The same box may be loaded twice on a line: then by how many of the thread's accesses lie before it.
    int before = 0;
    for (std::uint32_t e = trace_.steps[std::size_t(step_)].pieces[std::size_t(thread)].begin; e < place;
         ++e) {
        const trace::Event& other = trace_.events[std::size_t(thread)][e];
        before += other.kind == event.kind && other.line == event.line;
    }
    const int lane = thread % trace::warp_size;
    for (int r = analysis_.first_request[std::size_t(step_)];
         r < analysis_.first_request[std::size_t(step_) + 1]; ++r) {
        const analysis::Request& request = analysis_.requests[std::size_t(r)];
        if (request.warp == thread / trace::warp_size && request.kind == event.kind &&
            request.line == event.line && (request.lanes >> lane & 1) && before-- == 0)
            return &request;
    }
    return nullptr;
}

int Now::beat_of(const analysis::Request& request) const {
    for (std::size_t b = 0; b < span_->beats.size(); ++b) {
        const Beat& beat = span_->beats[b];
        const bool kind = request.kind == EventKind::load
                              ? beat.kind == BeatKind::load || beat.kind == BeatKind::broadcast
                              : beat.kind == BeatKind::store || beat.kind == BeatKind::crown;
        if (kind && beat.order == request.order)
            return int(b);
    }
    return -1;
}

bool Now::current(const analysis::Request& request) const {
    return in_step() && request.step == step_ && beat_of(request) == moment_.beat;
}

int Now::wavefront() const {
    const Beat& beat = span_->beats[std::size_t(moment_.beat)];
    const double one = (beat.seconds() - beat.lead) / beat.wavefronts;
    const int at = one > 0 ? int((moment_.time - beat.begin - beat.lead) / one) : 0;
    return std::clamp(at, 0, beat.wavefronts - 1);
}

bool Now::happened(int thread, std::uint32_t place) const {
    if (!in_step())
        return false;
    const trace::Event& event = trace_.events[std::size_t(thread)][place];
    const auto passed = [&](int beat) {
        return beat >= 0 && (beat < moment_.beat || (beat == moment_.beat && moment_.beat_progress >= 1));
    };
    switch (event.kind) {
        case EventKind::load:
        case EventKind::store: {
            const analysis::Request* access = request(thread, place);
            const int beat = access ? beat_of(*access) : -1;
            if (event.kind == EventKind::load || beat != moment_.beat)
                return passed(beat);
            const Beat& now = span_->beats[std::size_t(beat)];
            const double one = (now.seconds() - now.lead) / now.wavefronts;
            const double in_beat = moment_.time - now.begin - now.lead;
            const int at = wavefront();
            const bool half = one <= 0 || in_beat / one - at > 0.5;
            return access->wavefront[std::size_t(thread % trace::warp_size)] < at + (half ? 1 : 0);
        }
        default: {
            const BeatKind kind = event.kind == EventKind::combine ? BeatKind::combine : BeatKind::note;
            int at = -1, last = -1;
            for (std::size_t b = 0; b < span_->beats.size(); ++b) {
                const BeatKind is = span_->beats[b].kind;
                if (is == kind)
                    at = int(b);
                if (is != BeatKind::wait && is != BeatKind::hold && is != BeatKind::drop)
                    last = int(b);
            }
            return passed(at >= 0 ? at : last);
        }
    }
}

}  // namespace auditorium::inspector
