// What the inspector and the timeline's ticks need of a run beside its analysis: worked out once, when a
// trace is shown. A pure function of the trace and its analysis.
//
// Trouble is marked where it happens: by step and warp. Inexact: a score is called lost in the step after the
// last one in which any value with it in it was made; the events do not say where it "should" have gone on.
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/analysis.h"
#include "analysis/places.h"
#include "analysis/provenance.h"

namespace auditorium::inspector {

// Worst first.
enum class Trouble : std::uint8_t {
    hazard,     // an access of a race
    mismatch,   // a barrier to which some threads never come, or come from another line
    undefined,  // a value that nobody has given
    lost,       // a score that goes no further, and is not in the result
    identity,   // a constant that is not the op's identity is handed on
    conflict,   // a request that takes more than one wavefront
};
inline constexpr int troubles = 6;
const char* name_of(Trouble trouble);  // "hazard", "barrier mismatch", ...

struct Mark {
    int step = 0;  // index in trace.steps
    int warp = 0;
    Trouble kind{};
    int finding = -1;  // index in analysis.findings; -1: no finding (a conflict)
    friend bool operator==(const Mark&, const Mark&) = default;
};

struct Store {
    int step = 0;
    int thread = 0;
    std::uint32_t place = 0;  // in events[thread]
};

// A box that holds less than it should: what the same steps would have put into it if every load had seen the
// last store of an earlier step; of the box that carries the result, every input.
struct Shortfall {
    int box = 0;
    int folded = 0;            // inputs in it
    std::vector<int> missing;  // threads whose input should be in it, ascending
};

struct Index {
    analysis::Places places;
    analysis::Groups groups;
    analysis::Provenance provenance;
    std::vector<Mark> marks;                        // by step, kind, warp; each once
    std::vector<std::vector<Store>> stores;         // per box, in the order of the steps
    std::vector<std::vector<int>> hazards;          // per step: boxes with an access of a race, ascending
    std::vector<std::vector<Shortfall>> shortfall;  // per step: at its end; by box
    std::vector<int> lost_in;                       // per thread: the step in which its score is lost, or -1
    std::vector<std::uint32_t> leaves;              // per event: leaves of its tree, at most 2^31

    const trace::Event& event(const trace::Trace& trace, std::uint32_t flat) const {
        const std::size_t thread = places.thread[flat];
        return trace.events[thread][flat - places.first[thread]];
    }
    // The store that a box's value at the end of a step comes from; nullptr: never written so far.
    const Store* last_store(const trace::Trace& trace, int box, int step) const;
};

Index make_index(const trace::Trace& trace, const analysis::Analysis& analysis);

// The steps that have a mark, ascending; each once. For the keys that jump from one to the next.
std::vector<int> marked_steps(const Index& index);

}  // namespace auditorium::inspector
