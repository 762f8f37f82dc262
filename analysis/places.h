// Where each event of a trace stands, in flat arrays over all threads, so that the definitions beside this
// file can be loops. An event's flat index is first[thread] + its place in trace.events[thread].
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "trace/trace.h"

namespace auditorium::analysis {

inline constexpr int no_step = -1;
inline constexpr int no_group = -1;

struct Places {
    std::vector<std::uint32_t> first;    // per thread; size block + 1
    std::vector<std::int32_t> step;      // per event: index in trace.steps, or no_step (barriers)
    std::vector<std::int32_t> interval;  // per event: barriers that its thread had passed before it
    std::vector<std::uint16_t> thread;   // per event
};

Places places_of(const trace::Trace& trace);

// One warp-wide instruction: the events of one warp with equal line, kind (load, store or shuffle), barrier
// interval and count among that thread's events of that kind on the line in the interval. An access outside
// the boxes did not happen and is in no group.
struct Group {
    int step = 0;  // the step of its lowest lane
    int warp = 0;
    int line = 0;
    int interval = 0;
    int count = 0;
    trace::EventKind kind{};
    std::uint32_t lanes = 0;
    std::uint32_t rank = 0;               // latest place in a lane's piece: orders the groups of a step
    std::array<std::uint32_t, 32> event;  // per lane in `lanes`: flat index
};

struct Groups {
    std::vector<Group> all;              // sorted by step, warp, rank, line, kind
    std::vector<std::int32_t> of_event;  // per event: index in all, or no_group
};

Groups groups_of(const trace::Trace& trace, const Places& places);

}  // namespace auditorium::analysis
