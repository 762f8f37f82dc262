// What the step at the playhead does, in words made from the trace: its kernel, its numbers, its lines, its
// values. Pure functions; nothing here knows a kernel's name. Words follow what the events did: a step of any
// kernel, also one that goes wrong, gets its own sentences.
#pragma once

#include <string>
#include <vector>

#include "analysis/analysis.h"
#include "app/playback/playback.h"
#include "trace/trace.h"

namespace auditorium::panels {

struct Narration {
    std::string headline;
    std::string body;     // whole sentences; '\n' between paragraphs
    std::string caption;  // for presenter mode: at most two sentences and 90 characters (code points)
    std::string call;     // of a launch with several: "call 2 of 2", "calls 1 and 2"; else ""
};

// `stand`: who waits is said of that moment, as the plaque in the hall says it (playback::at_rope).
Narration narrate(const trace::Trace& trace, const analysis::Analysis& analysis,
                  const playback::Moment& moment, playback::Stand stand = playback::Stand::working);

using trace::value_text;  // "998", "-0", "1.5e-40", "nan"; an int as it is

// "0–63", "5", "0, 2, … 254", "0–15 and 32–47", else "37 threads". Ascending.
std::string threads_text(const std::vector<int>& threads);

// "stage", "stride 64", "sit", "16", "publish", ... as the timeline has it.
std::string step_name(const trace::Step& step);

}  // namespace auditorium::panels
