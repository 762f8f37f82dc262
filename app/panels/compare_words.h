// What stands in a half of the compare view: which step it is, and one sentence about this very moment. Pure
// functions of trace, analysis, timeline and moment.
#pragma once

#include <string>

#include "app/playback/pair.h"

namespace auditorium::panels {

// "step 3 of 10 · round 2 of 8, stride 64"; short: without the step.
std::string round_text(const trace::Trace& trace, int span, bool with_step);

enum class Tone { plain, conflict, good, waiting };

struct Saying {
    std::string text;
    Tone tone = Tone::plain;
};

// `holds`: the side has done its part and waits for the other one.
Saying saying_at(const playback::Side& side, const playback::Moment& moment, bool holds);

// Which wavefront of the beat is being served, from 0.
int wavefront_at(const playback::Beat& beat, const playback::Moment& moment);

// A name for a run: "Contiguous + warp".
std::string run_title(const trace::Trace& trace);

}  // namespace auditorium::panels
