#include "trace/difference.h"

#include <fmt/format.h>

namespace auditorium::trace {
namespace {

const char* word_of(EventKind kind) {
    switch (kind) {
        case EventKind::load:
            return "load";
        case EventKind::store:
            return "store";
        case EventKind::combine:
            return "combine";
        case EventKind::shuffle:
            return "shuffle";
        case EventKind::syncwarp:
            return "__syncwarp";
        case EventKind::barrier_arrive:
            return "arrival at a barrier";
        case EventKind::barrier_leave:
            return "leaving of a barrier";
    }
    return "?";
}

std::string of_config(const LaunchConfig& a, const LaunchConfig& b) {
    if (a.kernel != b.kernel) {
        return fmt::format("The kernels differ: {} and {}.", a.kernel, b.kernel);
    }
    if (a.op != b.op || a.type != b.type) {
        return fmt::format("The ops differ: {} of {} and {} of {}.", name_of(a.op), name_of(a.type),
                           name_of(b.op), name_of(b.type));
    }
    if (a.block != b.block || a.calls != b.calls) {
        return fmt::format("The launches differ: {} threads and {} calls, {} threads and {} calls.", a.block,
                           a.calls, b.block, b.calls);
    }
    return a.values != b.values ? "The input values differ." : "";
}

std::string of_events(const Trace& a, const Trace& b, std::size_t thread) {
    const auto& one = a.events[thread];
    const auto& two = b.events[thread];
    bool register_undefined = false;  // what the thread has, in one of them
    for (std::size_t at = 0; at < std::min(one.size(), two.size()); ++at) {
        const Event& x = one[at];
        const Event& y = two[at];
        const auto place = [&] { return fmt::format("Event {} of thread {}", at, thread); };
        if (x.kind != y.kind || x.line != y.line) {
            return fmt::format("{} is a {} on line {} in one run and a {} on line {} in the other.", place(),
                               word_of(x.kind), x.line, word_of(y.kind), y.line);
        }
        if (x.arg != y.arg) {
            return fmt::format("{}, a {} on line {}, is of {} {} in one run and {} in the other.", place(),
                               word_of(x.kind), x.line, x.kind == EventKind::shuffle ? "lane" : "box", x.arg,
                               y.arg);
        }
        if (x.flags != y.flags) {
            return fmt::format("{}, a {} on line {}, is marked {:#x} in one run and {:#x} in the other.",
                               place(), word_of(x.kind), x.line, x.flags, y.flags);
        }
        const bool undefined = (x.flags & Event::undefined) != 0;
        if (!undefined && x.bits != y.bits) {
            return fmt::format("{}, a {} on line {}, has {} in one run and {} in the other.", place(),
                               word_of(x.kind), x.line, text_of(a.config.type, x.bits),
                               text_of(a.config.type, y.bits));
        }
        if (x.kind == EventKind::shuffle && !register_undefined && x.sent != y.sent) {
            return fmt::format("{}, a shuffle on line {}, gave {} in one run and {} in the other.", place(),
                               x.line, text_of(a.config.type, x.sent), text_of(a.config.type, y.sent));
        }
        if (!a.racy && (x.writer != y.writer || x.writer_event != y.writer_event)) {
            return fmt::format(
                "{}, a load on line {}, saw a store of thread {} in one run and of thread {} in the other.",
                place(), x.line, x.writer, y.writer);
        }
        if (x.kind == EventKind::load || x.kind == EventKind::combine || x.kind == EventKind::shuffle) {
            register_undefined = undefined;
        }
    }
    if (one.size() != two.size()) {
        return fmt::format("Thread {} has {} events in one run and {} in the other.", thread, one.size(),
                           two.size());
    }
    return "";
}

std::string of_snapshots(const Trace& a, const Trace& b) {
    if (a.snapshots.size() != b.snapshots.size()) {
        return fmt::format("One run has {} snapshots of shared memory and the other {}.", a.snapshots.size(),
                           b.snapshots.size());
    }
    const std::vector<std::uint8_t>* state = nullptr;  // at the end of the interval
    std::size_t step = 0;
    for (std::size_t k = 0; k < a.snapshots.size(); ++k) {
        while (step < a.steps.size() && a.steps[step].interval <= static_cast<int>(k)) {
            state = &a.steps[step++].box_state;
        }
        for (std::size_t box = 0; box < a.snapshots[k].boxes.size(); ++box) {
            const bool undefined = state != nullptr && (*state)[box] == box_undefined;
            if (!undefined && a.snapshots[k].boxes[box] != b.snapshots[k].boxes[box]) {
                return fmt::format(
                    "Box {} at the end of barrier interval {} is {} in one run and {} in the other.", box, k,
                    text_of(a.config.type, a.snapshots[k].boxes[box]),
                    text_of(a.config.type, b.snapshots[k].boxes[box]));
            }
        }
    }
    return "";
}

std::string of_registers(const Trace& a, const Trace& b) {
    if (a.steps.size() != b.steps.size()) {
        return fmt::format("One run has {} steps and the other {}.", a.steps.size(), b.steps.size());
    }
    for (std::size_t s = 0; s < a.steps.size(); ++s) {
        for (std::size_t t = 0; t < a.steps[s].registers.size(); ++t) {
            if (a.steps[s].register_undefined[t] != b.steps[s].register_undefined[t] ||
                (!a.steps[s].register_undefined[t] && a.steps[s].registers[t] != b.steps[s].registers[t])) {
                return fmt::format("After step {} thread {} has {} in one run and {} in the other.", s + 1, t,
                                   text_of(a.config.type, a.steps[s].registers[t]),
                                   text_of(a.config.type, b.steps[s].registers[t]));
            }
        }
    }
    return "";
}

std::string of_results(const Trace& a, const Trace& b) {
    for (std::size_t call = 0; call < a.results.size(); ++call) {
        for (std::size_t t = 0; t < a.results[call].size(); ++t) {
            if (a.result_undefined[call][t] != b.result_undefined[call][t]) {
                return fmt::format("The result of call {} in thread {} is undefined in one run only.",
                                   call + 1, t);
            }
            if (!a.result_undefined[call][t] && a.results[call][t] != b.results[call][t]) {
                return fmt::format("The result of call {} in thread {} is {} in one run and {} in the other.",
                                   call + 1, t, text_of(a.config.type, a.results[call][t]),
                                   text_of(a.config.type, b.results[call][t]));
            }
        }
    }
    return "";
}

}  // namespace

std::string difference(const Trace& a, const Trace& b) {
    if (auto found = of_config(a.config, b.config); !found.empty()) {
        return found;
    }
    if (a.source != b.source) {
        return "The kernel's text differs.";
    }
    for (std::size_t thread = 0; thread < a.events.size(); ++thread) {
        if (auto found = of_events(a, b, thread); !found.empty()) {
            return found;
        }
    }
    if (auto found = of_snapshots(a, b); !found.empty()) {
        return found;
    }
    if (auto found = of_registers(a, b); !found.empty()) {
        return found;
    }
    return of_results(a, b);
}

}  // namespace auditorium::trace
