// A thing on screen that can be asked about. It is a name, not a place: box 5 is box 5 at every moment, so a
// pinned thing stays valid forwards and backwards in time.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "trace/error.h"
#include "trace/trace.h"

namespace auditorium::inspector {

struct Thing {
    enum class Kind : std::uint8_t {
        box,      // index = box
        thread,   // index = thread
        note,     // index = the thread that takes it
        ray,      // index = thread, other = box
        ticket,   // index = bank, other = place in the queue, from 0
        bank,     // index = bank
        step,     // index = number on screen (0 = arrive, steps + 1 = done); other = warp, -1: all
        finding,  // index = place in analysis.findings
    };
    Kind kind{};
    int index = 0;
    int other = -1;
    friend bool operator==(const Thing&, const Thing&) = default;
};

// "box:5", "thread:37", "note:3", "ray:37:165", "ticket:5:2" (the third in the queue of bank 5), "bank:5",
// "step:4", "step:4:1" (warp 1 in step 4), "finding:0".
std::string name_of(const Thing& thing);

// The opposite, held against a trace: a name that says nothing, or a thing that this run does not have, is an
// error of status usage. `findings`: how many analysis has.
Expected<Thing> parse_thing(std::string_view name, const trace::Trace& trace, int findings);

// Does a run have it? (A box of another run's larger block is none.)
bool exists(const Thing& thing, const trace::Trace& trace, int findings);

}  // namespace auditorium::inspector
