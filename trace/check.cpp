#include "trace/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

namespace auditorium::trace {
namespace {

tl::unexpected<Error> broken(std::string sentence) {
    return fail(ExitStatus::bad_input, std::move(sentence));
}

Expected<void> check_config(const LaunchConfig& config) {
    if (config.block < 1 || config.block > max_block) {
        return broken(fmt::format("The trace has a block of {} threads; 1 to {} are possible.", config.block,
                                  max_block));
    }
    if (config.calls < 1 || config.calls > max_calls) {
        return broken(fmt::format("The trace has {} calls; 1 to {} are possible.", config.calls, max_calls));
    }
    if (config.op > Op::sum || config.type > Type::i32 ||
        config.schedule.kind > Schedule::Kind::independent) {
        return broken("The trace has an op, a type or a schedule that is unknown.");
    }
    if (config.values.size() != static_cast<std::size_t>(config.block)) {
        return broken(
            fmt::format("The trace has {} input values for {} threads.", config.values.size(), config.block));
    }
    return {};
}

Expected<void> check_results(const Trace& trace, const std::vector<std::vector<std::uint32_t>>& results,
                             const char* whose, bool required) {
    if (results.empty() && !required) {
        return {};
    }
    if (results.size() != static_cast<std::size_t>(trace.config.calls)) {
        return broken(fmt::format("The trace has {} results of {} calls for {} calls.", whose, results.size(),
                                  trace.config.calls));
    }
    for (const auto& call : results) {
        if (call.size() != static_cast<std::size_t>(trace.config.block)) {
            return broken(fmt::format("The trace has {} {} results for {} threads.", call.size(), whose,
                                      trace.config.block));
        }
    }
    return {};
}

Expected<void> check_line_counters(const Trace& trace) {
    const LineCounters& counters = trace.line_counters;
    const auto lines = static_cast<int>(std::count(trace.source.begin(), trace.source.end(), '\n'));
    if (counters.values.size() != counters.lines.size() * counters.metrics.size() ||
        std::adjacent_find(counters.lines.begin(), counters.lines.end(), std::greater_equal<>()) !=
            counters.lines.end() ||
        std::any_of(counters.lines.begin(), counters.lines.end(),
                    [&](int line) { return line < 0 || line > lines + 1; })) {
        return broken("The hardware counts per line of the trace do not fit the kernel's text.");
    }
    return {};
}

// One thread's events; `lines` is how many the source has, 0 where there is no source.
Expected<void> check_events(const Trace& trace, int thread, int lines) {
    const auto& events = trace.events[static_cast<std::size_t>(thread)];
    const int block = trace.config.block;
    const auto bad = [&](std::size_t at, const char* what) {
        return broken(fmt::format("Event {} of thread {} {}.", at, thread, what));
    };
    if (events.size() > static_cast<std::size_t>(max_events)) {
        return broken(fmt::format("Thread {} has {} events; at most {} are possible.", thread, events.size(),
                                  max_events));
    }
    int passed = 0;
    bool arrived = false;
    for (std::size_t at = 0; at < events.size(); ++at) {
        const Event& event = events[at];
        if (event.kind > EventKind::barrier_leave || event.flags > 15) {
            return bad(at, "has an unknown kind");
        }
        const bool barrier =
            event.kind == EventKind::barrier_arrive || event.kind == EventKind::barrier_leave;
        if (event.line > (lines > 0 ? lines : max_lines) || (event.line == 0 && !barrier)) {
            return bad(at, "is on a line that the kernel's text does not have");
        }
        if (arrived && event.kind != EventKind::barrier_leave) {
            return bad(at, "happens while the thread waits at a barrier");
        }
        switch (event.kind) {
            case EventKind::load:
            case EventKind::store:
                if (event.arg >= block) {
                    return bad(at, "uses a box that the block does not have");
                }
                if (event.kind == EventKind::load && event.writer != nobody) {
                    if (event.writer >= block || event.writer_event >= trace.events[event.writer].size()) {
                        return bad(at, "names a store that does not exist");
                    }
                    const Event& store = trace.events[event.writer][event.writer_event];
                    if (store.kind != EventKind::store || store.arg != event.arg) {
                        return bad(at, "names a store that went to another box");
                    }
                }
                break;
            case EventKind::shuffle:
                if (event.arg >= warp_size) {
                    return bad(at, "reads a lane that a warp does not have");
                }
                break;
            case EventKind::barrier_arrive:
                if (event.arg != passed) {
                    return bad(at, "is a barrier that is counted wrongly");
                }
                arrived = true;
                break;
            case EventKind::barrier_leave:
                if (!arrived || event.arg != passed || event.line != events[at - 1].line) {
                    return bad(at, "leaves a barrier that the thread did not arrive at");
                }
                arrived = false;
                ++passed;
                break;
            case EventKind::combine:
            case EventKind::syncwarp:
                break;
        }
    }
    return {};
}

}  // namespace

Expected<void> check(const Trace& trace) {
    if (auto ok = check_config(trace.config); !ok) {
        return ok;
    }
    const auto block = static_cast<std::size_t>(trace.config.block);
    if (trace.events.size() != block) {
        return broken(
            fmt::format("The trace has events of {} threads for a block of {}.", trace.events.size(), block));
    }
    const auto lines =
        trace.source.empty() ? 0 : 1 + std::count(trace.source.begin(), trace.source.end(), '\n');
    if (lines > max_lines) {
        return broken(
            fmt::format("The kernel's text has {} lines; at most {} are possible.", lines, max_lines));
    }
    for (int thread = 0; thread < trace.config.block; ++thread) {
        if (auto ok = check_events(trace, thread, static_cast<int>(lines)); !ok) {
            return ok;
        }
    }
    int barriers = 0;
    bool all_the_same = true;
    for (std::size_t thread = 0; thread < block; ++thread) {
        const int passed = barriers_passed(trace.events[thread]);
        all_the_same = all_the_same && (thread == 0 || passed == barriers);
        barriers = std::max(barriers, passed);
    }
    const bool whole = trace.faults.empty();  // a run with a fault may stop anywhere
    if (whole && !all_the_same) {
        return broken("The threads of the trace have passed different numbers of barriers.");
    }
    if (trace.snapshots.size() > static_cast<std::size_t>(barriers) + 1 ||
        (whole && !trace.snapshots.empty() &&
         trace.snapshots.size() != static_cast<std::size_t>(barriers) + 1)) {
        return broken(fmt::format("The trace has {} snapshots of shared memory for {} barriers.",
                                  trace.snapshots.size(), barriers));
    }
    for (std::size_t k = 0; k < trace.snapshots.size(); ++k) {
        if (trace.snapshots[k].interval != static_cast<int>(k) || trace.snapshots[k].boxes.size() != block) {
            return broken(fmt::format("Snapshot {} of the trace is not one of {} boxes.", k, block));
        }
    }
    if (auto ok = check_results(trace, trace.results, "traced", whole); !ok) {
        return ok;
    }
    if (auto ok = check_results(trace, trace.plain_results, "plain", false); !ok) {
        return ok;
    }
    if (auto ok = check_results(trace, trace.simulated_results, "simulated", false); !ok) {
        return ok;
    }
    const auto cycles_possible = [](double min, double median, double max, int launches) {
        return std::isfinite(min) && std::isfinite(median) && std::isfinite(max) && min >= 0 &&
               min <= median && median <= max && launches >= 0;
    };
    if (trace.cycles && !cycles_possible(trace.cycles->min, trace.cycles->median, trace.cycles->max,
                                         trace.cycles->launches)) {
        return broken("The cycles of the trace are impossible.");
    }
    for (const Stamp& stamp : trace.stamps) {
        if (stamp.warp < 0 || stamp.warp >= trace.warps() || stamp.event < 0 ||
            static_cast<std::size_t>(stamp.event) >
                trace.events[static_cast<std::size_t>(stamp.warp) * warp_size].size() ||
            !cycles_possible(stamp.min, stamp.median, stamp.max, stamp.launches)) {
            return broken("A time stamp of the trace belongs to no event.");
        }
    }
    for (const Counter& counter : trace.counters) {
        if (!std::isfinite(counter.value)) {
            return broken("A hardware counter of the trace is no number.");
        }
    }
    if (auto ok = check_line_counters(trace); !ok) {
        return ok;
    }
    for (const RunFault& fault : trace.faults) {
        const auto outside = [](int last) { return [last](int value) { return value < 0 || value > last; }; };
        if (fault.kind > RunFault::Kind::step_limit ||
            std::any_of(fault.threads.begin(), fault.threads.end(), outside(trace.config.block - 1)) ||
            std::any_of(fault.lines.begin(), fault.lines.end(), outside(max_lines))) {
            return broken("A fault of the trace names a thread or a line that does not exist.");
        }
    }
    return {};
}

}  // namespace auditorium::trace
