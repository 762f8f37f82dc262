#include "trace/order.h"

#include <algorithm>

namespace auditorium::trace {
namespace {

bool is_access(const Event& event) {
    return (event.kind == EventKind::load || event.kind == EventKind::store) &&
           !(event.flags & Event::no_box);
}

// Calls visit(thread, index, event, epoch) for every event, interval by interval, warp by warp; within a warp
// the lanes take turns at each __syncwarp. epoch = how many of them the thread has passed in the interval.
// after_interval() follows each interval; it returns false to stop.
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

struct Access {
    std::uint16_t box = 0, thread = 0;
    std::uint32_t epoch = 0;
    bool store = false;
    std::uint32_t bits = 0;
};

// Looks at every pair within one box. `last_epoch[thread]` = the syncwarps that the thread passed in all.
bool unordered(const Access& x, const Access& y, const std::vector<std::uint32_t>& last_epoch) {
    if (x.thread == y.thread || (!x.store && !y.store) || (x.store && y.store && x.bits == y.bits)) {
        return false;
    }
    if (x.thread / warp_size != y.thread / warp_size || x.epoch == y.epoch) {
        return true;
    }
    // The earlier one must take part in the __syncwarp that follows it.
    const Access& earlier = x.epoch < y.epoch ? x : y;
    return last_epoch[earlier.thread] <= earlier.epoch;
}

}  // namespace

bool has_race(const Trace& trace) {
    const auto block = static_cast<std::size_t>(trace.config.block);
    constexpr int none = -1, several = -2;
    struct Use {
        std::uint32_t interval = 0;  // from 1; the use is of another interval: none
        int loaded_by = none, stored_by = none;
        bool suspicious = false;
    };
    std::vector<Use> uses(block);
    std::vector<std::uint32_t> last_epoch(block, 0);
    std::vector<Access> kept;  // accesses of the interval, kept only where a trace has suspicious boxes
    std::uint32_t interval = 1;
    bool suspicious = false;
    const auto note = [&](int& who, int thread) { who = who == none || who == thread ? thread : several; };
    // First pass: is any box used by two threads in one interval, with a store among them?
    in_order(
        trace,
        [&](int thread, std::size_t, const Event& event, int) {
            if (!is_access(event)) {
                return;
            }
            Use& use = uses[event.arg];
            if (use.interval != interval) {
                use = Use{interval, none, none, false};
            }
            note(event.kind == EventKind::load ? use.loaded_by : use.stored_by, thread);
            if (use.stored_by != none && (use.stored_by == several || use.loaded_by == several ||
                                          (use.loaded_by != none && use.loaded_by != use.stored_by))) {
                suspicious = true;
            }
        },
        [&] {
            ++interval;
            return !suspicious;
        });
    if (!suspicious) {
        return false;
    }
    // Second pass: pair by pair. A hostile trace may hold very many pairs; past the budget it counts as racy.
    bool race = false;
    std::size_t budget = 50'000'000;
    in_order(
        trace,
        [&](int thread, std::size_t, const Event& event, int epoch) {
            last_epoch[static_cast<std::size_t>(thread)] =
                static_cast<std::uint32_t>(epoch + (event.kind == EventKind::syncwarp));
            if (is_access(event)) {
                kept.push_back({event.arg, static_cast<std::uint16_t>(thread),
                                static_cast<std::uint32_t>(epoch), event.kind == EventKind::store,
                                event.bits});
            }
        },
        [&] {
            std::stable_sort(kept.begin(), kept.end(),
                             [](const Access& a, const Access& b) { return a.box < b.box; });
            for (std::size_t begin = 0; begin < kept.size() && !race;) {
                std::size_t end = begin;
                bool stored = false;
                while (end < kept.size() && kept[end].box == kept[begin].box) {
                    stored = stored || kept[end].store;
                    ++end;
                }
                for (std::size_t i = begin; stored && i < end && !race; ++i) {
                    if (budget < end - i) {
                        race = true;
                        break;
                    }
                    budget -= end - i;
                    for (std::size_t j = i + 1; j < end && !race; ++j) {
                        race = unordered(kept[i], kept[j], last_epoch);
                    }
                }
                begin = end;
            }
            kept.clear();
            std::fill(last_epoch.begin(), last_epoch.end(), 0);
            return !race;
        });
    return race;
}

void derive_writers(Trace& trace) {
    struct Last {
        std::uint16_t thread = nobody, event = 0;
    };
    std::vector<Last> last(static_cast<std::size_t>(trace.config.block));
    in_order(
        trace,
        [&](int thread, std::size_t at, const Event& event, int) {
            if (!is_access(event)) {
                return;
            }
            if (event.kind == EventKind::store) {
                last[event.arg] = {static_cast<std::uint16_t>(thread), static_cast<std::uint16_t>(at)};
                return;
            }
            Event& load = trace.events[static_cast<std::size_t>(thread)][at];
            load.writer = last[event.arg].thread;
            load.writer_event = last[event.arg].event;
            if (load.writer == nobody) {
                load.flags |= Event::undefined;
            }
        },
        [] { return true; });
}

}  // namespace auditorium::trace
