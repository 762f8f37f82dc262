// What stands in a half of the compare view: which step it is, and one sentence about this very moment. Pure
// functions of trace, analysis, timeline and moment.
#pragma once

#include <array>
#include <functional>
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

// What a chip says of two sides: "max" where they are alike, else both, "max | sum"; of two seeds of one
// range the range once, "0–999, seed 3664 | 5".
std::string both_texts(const std::string& left, const std::string& right);

// Two names in chips that are too narrow for them, shortened so that the two stay apart: at the end, in the
// middle, or at the begin, whichever leaves something different in both. Names that are alike are followed by
// what sets the two `apart`, which is never cut: "con…256" and "co…1024". `width` measures a text.
std::array<std::string, 2> names_apart(std::array<std::string, 2> names,
                                       const std::array<std::string, 2>& apart, float room,
                                       const std::function<float(const std::string&)>& width);

// Why two results cannot be compared: "different op and data". Where that is wider than `room` its last words
// become a number; `width` measures a text.
std::string difference_text(const trace::LaunchConfig& left, const trace::LaunchConfig& right, float room,
                            const std::function<float(const std::string&)>& width);

// A name for a run: "Contiguous + warp".
std::string run_title(const trace::Trace& trace);

// The same with what tells it from the other one: "Contiguous + warp, sum, 1024 threads".
std::string name_beside(const trace::Trace& trace, const trace::Trace& other);

}  // namespace auditorium::panels
