// Which events have happened at a moment. Steps before the running one: all. In the running step an event has
// happened when its beat is over; a store as soon as the picture shows it, half way through its wavefront.
#pragma once

#include "analysis/analysis.h"
#include "app/playback/playback.h"

namespace auditorium::inspector {

class Now {
  public:
    Now(const trace::Trace& trace, const analysis::Analysis& analysis, const playback::Timeline& timeline,
        const playback::Moment& moment);

    // Index in trace.steps of the step that runs: -1 while everybody arrives, steps.size() when all is done.
    int step() const { return step_; }
    bool in_step() const { return span_->step >= 0; }
    // Has the event at `place` in the thread's events, which belongs to the running step, happened?
    bool happened(int thread, std::uint32_t place) const;
    // The request that an access of the running step is a part of; nullptr: none.
    const analysis::Request* request(int thread, std::uint32_t place) const;
    // The requests whose beat it is now.
    bool current(const analysis::Request& request) const;
    int wavefront() const;  // being served, from 0; only while a request is current
    const playback::Moment& moment() const { return moment_; }

  private:
    int beat_of(const analysis::Request& request) const;

    const trace::Trace& trace_;
    const analysis::Analysis& analysis_;
    const playback::Span* span_;
    playback::Moment moment_;
    int step_ = -1;
};

}  // namespace auditorium::inspector
