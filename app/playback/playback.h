// Playback owns time. A Timeline is computed once per trace; a Moment is a pure function of (Timeline, time).
// No animation state lives anywhere else: seek then build equals play then build.
// Units: seconds at speed 1. Spans: 0 is the cap "arrive", 1..N are trace.steps[0..N-1], N+1 is the cap
// "done". A moment on the border of two spans (or beats) belongs to the earlier one, so that a paused step
// shows its result.
//
// A step's beats follow the events of its busiest thread: one per load, combine, store and shuffle; then the
// walk to or from the council table, if there is one; then, at a barrier, wait, hold and drop. The step
// "ends" (end_of_step) at the end of the hold: everybody is here, the rope is still up.
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/analysis.h"
#include "trace/trace.h"

namespace auditorium::playback {

enum class BeatKind {
    idle,       // a cap, or a pause
    walk,       // warp 0 walks to the council table (or back)
    load,       // reach: rays to the boxes; one beat per load of the step, longer with bank conflicts
    combine,    // compare: the value slides, the loser fades
    store,      // write
    note,       // shuffle: notes fly along their chords
    syncwarp,   //
    wait,       // the rope is drawn, rows wait
    hold,       // pause with the rope up (500 ms); left out by `render --at`
    drop,       // the rope drops
    crown,      // publish
    broadcast,  // everyone reads one box
};

struct Beat {
    BeatKind kind{};
    double begin = 0, end = 0;  // seconds from the start of the timeline
    int order = 0;              // load and store: which of the warp's requests of this step (Request::order)
    int wavefronts = 1;         // load and store: how many tickets of time it lasts
    double lead = 0;            // the first seconds of the beat, in which people stand up

    double seconds() const { return end - begin; }
};

struct Span {
    int step = -1;  // index in trace.steps; -1 for a cap
    double begin = 0, end = 0;
    std::vector<Beat> beats;  // contiguous, from begin to end
    // Is warp 0 at the council table? The two differ where a walk lies between.
    bool table_at_begin = false, table_at_end = false;
};

struct Timeline {
    std::vector<Span> spans;
    double duration = 0;
    int last_span() const { return int(spans.size()) - 1; }
};

struct Moment {
    double time = 0;
    int span = 0;
    int beat = 0;              // index in spans[span].beats
    double span_progress = 0;  // 0..1
    double beat_progress = 0;  // 0..1, linear; easing belongs to the scene
    bool at_end = false;       // exactly where the step ends (end_of_step)
};

Timeline make_timeline(const trace::Trace& trace, const analysis::Analysis& analysis);
Moment moment_at(const Timeline& timeline, double time);
double end_of_step(const Timeline& timeline, int number);  // number on screen; 0 = arrive; clamped

// `render --at`: seconds counted without the holds, as a time of the timeline.
double with_holds(const Timeline& timeline, double seconds_without_holds);
double without_holds(const Timeline& timeline, double time);  // the other way; within a hold its begin
double duration_without_holds(const Timeline& timeline);      // the largest that means something there

// Does warp 0 sit at the council table in this step? True for a shuffle that only warp 0 takes part in, and
// for what warp 0 alone does between such shuffles and right after them, up to the next barrier.
std::vector<std::uint8_t> council_steps(const trace::Trace& trace);

// Who is at the barrier that follows a step: one bit a row (warp). What the plaque in the hall, the tags, the
// facts and the narration say of a moment is all counted from this.
struct AtRope {
    std::uint32_t present = 0;   // has not left when the step begins
    std::uint32_t waiting = 0;   // stands at the rope while the step works: has nothing left to do before it
    std::uint32_t arriving = 0;  // has come to it when the step is over (any of its threads)
};
AtRope at_rope(const trace::Trace& trace, const analysis::Analysis& analysis, int step);

// How far a step is with the barrier after it.
enum class Stand : std::uint8_t {
    working,  // the step's accesses; the rows of `waiting` wait
    here,     // `arriving` wait, the rope is up
    passed,   // the rope drops: nobody waits
};
Stand stand_of(const Timeline& timeline, const Moment& moment);

// The only state: where we are and whether we move. Everything takes the timeline, nothing keeps a pointer.
struct Playback {
    double time = 0;
    double speed = 1;  // 0.25 .. 4
    bool playing = false;
    bool loop = false;
    double stop_at = -1;  // a clicker's beat: stop when reached; -1: none
};

void advance(Playback&, const Timeline&, double seconds);  // wall-clock seconds since the last frame
void seek(Playback&, const Timeline&, double time);
void step_forward(Playback&, const Timeline&);      // to the end of the next step
void step_back(Playback&, const Timeline&);         // to the end of the step before
void sub_step_forward(Playback&, const Timeline&);  // to the end of the next beat
void sub_step_back(Playback&, const Timeline&);
void play_to_step_end(Playback&, const Timeline&);  // PageDown
void first(Playback&, const Timeline&);
void last(Playback&, const Timeline&);
void toggle(Playback&, const Timeline&);  // at the end: starts again

}  // namespace auditorium::playback
