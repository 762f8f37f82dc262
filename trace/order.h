// The order between the accesses of different threads, as far as barriers and __syncwarp make one.
//
// Two accesses of one box by different threads, at least one a store, need a barrier between them or, within
// a warp, a __syncwarp that both took part in; two stores of the same bits need none. Where every pair has
// one the run is race-free and any order that respects them gives the same values.
#pragma once

#include <algorithm>
#include <vector>

#include "trace/trace.h"

namespace auditorium::trace {

// A box with two accesses in one barrier interval that nothing orders.
struct Race {
    int interval = 0;
    int box = 0;
};

// Every such box, by interval, then box; with `first_only` at most one. `trace` has passed trace::check.
std::vector<Race> races_of(const Trace& trace, bool first_only = false);

// Calls visit(thread, place, event, epoch) for every event in an order that barriers and __syncwarp allow:
// interval by interval, warp by warp; within a warp the lanes take turns at each __syncwarp. epoch = how many
// of them the thread has passed in the interval. after_interval(), called after each, returns false to stop.
template <typename Visit, typename AfterInterval>
void in_order(const Trace& trace, Visit visit, AfterInterval after_interval);

// Sets writer and writer_event of every load of a race-free run, and the mark `undefined` of every load of a
// box never written.
void derive_writers(Trace& trace);

template <typename Visit, typename AfterInterval>
void in_order(const Trace& trace, Visit visit, AfterInterval after_interval) {
    const int block = trace.config.block;
    std::vector<std::uint32_t> cursor(static_cast<std::size_t>(block), 0);
    for (bool more = true; more;) {
        more = false;
        for (int first = 0; first < block; first += warp_size) {
            const int last = std::min(first + warp_size, block);
            bool waiting = true;  // some lane stands at a __syncwarp
            for (int epoch = 0; waiting; ++epoch) {
                waiting = false;
                for (int thread = first; thread < last; ++thread) {
                    const auto& events = trace.events[static_cast<std::size_t>(thread)];
                    auto& at = cursor[static_cast<std::size_t>(thread)];
                    if (epoch > 0 && (at == 0 || events[at - 1].kind != EventKind::syncwarp)) {
                        continue;
                    }
                    while (at < events.size()) {
                        const Event& event = events[at];
                        if (event.kind == EventKind::barrier_leave) {
                            break;
                        }
                        visit(thread, at, event, epoch);
                        ++at;
                        if (event.kind == EventKind::syncwarp) {
                            waiting = true;
                            break;
                        }
                    }
                }
            }
        }
        for (int thread = 0; thread < block; ++thread) {
            const auto& events = trace.events[static_cast<std::size_t>(thread)];
            auto& at = cursor[static_cast<std::size_t>(thread)];
            if (at < events.size()) {
                ++at;  // the barrier_leave
                more = more || at < events.size();
            }
        }
        if (!after_interval()) {
            return;
        }
    }
}

}  // namespace auditorium::trace
