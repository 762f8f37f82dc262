#include "trace/order.h"

#include <algorithm>

namespace auditorium::trace {
namespace {

bool is_access(const Event& event) {
    return (event.kind == EventKind::load || event.kind == EventKind::store) &&
           !(event.flags & Event::no_box);
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

std::vector<Race> races_of(const Trace& trace, bool first_only) {
    const auto block = static_cast<std::size_t>(trace.config.block);
    constexpr int none = -1, several = -2;
    struct Use {
        std::uint32_t interval = 0;  // from 1; the use is of another interval: none
        int loaded_by = none, stored_by = none;
    };
    std::vector<Use> uses(block);
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
                use = Use{interval, none, none};
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
    std::vector<Race> races;
    if (!suspicious) {
        return races;
    }
    // Second pass: pair by pair. A hostile trace may hold very many; past the budget a box counts as racing.
    std::vector<std::uint32_t> last_epoch(block, 0);
    std::vector<Access> accesses;  // of the interval
    std::size_t budget = 50'000'000;
    interval = 0;
    in_order(
        trace,
        [&](int thread, std::size_t, const Event& event, int epoch) {
            last_epoch[static_cast<std::size_t>(thread)] =
                static_cast<std::uint32_t>(epoch + (event.kind == EventKind::syncwarp));
            if (is_access(event)) {
                accesses.push_back({event.arg, static_cast<std::uint16_t>(thread),
                                    static_cast<std::uint32_t>(epoch), event.kind == EventKind::store,
                                    event.bits});
            }
        },
        [&] {
            std::stable_sort(accesses.begin(), accesses.end(),
                             [](const Access& a, const Access& b) { return a.box < b.box; });
            for (std::size_t begin = 0, end = 0; begin < accesses.size(); begin = end) {
                bool stored = false;
                while (end < accesses.size() && accesses[end].box == accesses[begin].box) {
                    stored = stored || accesses[end].store;
                    ++end;
                }
                bool race = false;
                for (std::size_t i = begin; stored && i < end && !race; ++i) {
                    if (budget < end - i) {
                        race = true;
                        break;
                    }
                    budget -= end - i;
                    for (std::size_t j = i + 1; j < end && !race; ++j) {
                        race = unordered(accesses[i], accesses[j], last_epoch);
                    }
                }
                if (race) {
                    races.push_back({static_cast<int>(interval), accesses[begin].box});
                    if (first_only) {
                        return false;
                    }
                }
            }
            accesses.clear();
            std::fill(last_epoch.begin(), last_epoch.end(), 0);
            ++interval;
            return true;
        });
    return races;
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
