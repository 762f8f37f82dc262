#include "trace/trace.h"

#include <fmt/format.h>

#include <algorithm>

#include "trace/check.h"
#include "trace/operands.h"
#include "trace/order.h"
#include "trace/steps.h"

namespace auditorium::trace {

const char* name_of(StepKind kind) {
    switch (kind) {
        case StepKind::stage:
            return "stage";
        case StepKind::tree:
            return "tree";
        case StepKind::handoff:
            return "handoff";
        case StepKind::shuffle:
            return "shuffle";
        case StepKind::publish:
            return "publish";
        case StepKind::broadcast:
            return "broadcast";
        case StepKind::other:
            return "other";
    }
    return "?";
}

std::optional<std::uint64_t> LineCounters::value(int line, std::string_view metric) const {
    const auto row = std::lower_bound(lines.begin(), lines.end(), line);
    const auto column = std::find(metrics.begin(), metrics.end(), metric);
    if (row == lines.end() || *row != line || column == metrics.end()) {
        return std::nullopt;
    }
    return values[static_cast<std::size_t>(row - lines.begin()) * metrics.size() +
                  static_cast<std::size_t>(column - metrics.begin())];
}

std::string device_text(const Trace& trace) {
    if (trace.origin.kind == Origin::Kind::simulated)
        return "simulated on the CPU";
    return trace.date.empty() ? trace.origin.device
                              : fmt::format("{}, recorded {}", trace.origin.device, trace.date.substr(0, 10));
}

std::uint64_t hash_of(std::string_view text) {
    std::uint64_t hash = 0xcbf29ce484222325u;
    for (char c : text) {
        hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
    }
    return hash;
}

std::string_view source_line(const Trace& trace, int line) {
    const std::string_view text = trace.source;
    std::size_t begin = 0;
    for (int i = 1; i < line; ++i) {
        begin = text.find('\n', begin);
        if (begin == std::string_view::npos)
            return {};
        ++begin;
    }
    return line < 1 ? std::string_view() : text.substr(begin, text.find('\n', begin) - begin);
}

std::string_view trimmed(std::string_view line) {
    const std::size_t first = line.find_first_not_of(" \t");
    return first == std::string_view::npos ? std::string_view() : line.substr(first);
}

int barriers_passed(const std::vector<Event>& events) {
    for (auto event = events.rbegin(); event != events.rend(); ++event) {
        if (event->kind == EventKind::barrier_leave) {
            return event->arg + 1;
        }
    }
    return 0;
}

bool ended(const Trace& trace) {
    for (const RunFault& fault : trace.faults) {
        // A GPU runs on where the trace has no more room.
        if (fault.kind == RunFault::Kind::step_limit ||
            (fault.kind == RunFault::Kind::overflow && trace.origin.kind == Origin::Kind::simulated)) {
            return false;
        }
    }
    return std::none_of(trace.events.begin(), trace.events.end(), [](const std::vector<Event>& events) {
        return !events.empty() && events.back().kind == EventKind::barrier_arrive;
    });
}

Expected<Trace> finish(Trace trace) {
    if (auto ok = check(trace); !ok) {
        return tl::unexpected<Error>(ok.error());
    }
    // What an event's kind does not use is zero, so that equal runs have equal events.
    for (auto& events : trace.events) {
        for (Event& event : events) {
            if (event.kind != EventKind::load || event.writer == nobody) {
                event.writer = nobody;
                event.writer_event = 0;
            }
            if (event.kind != EventKind::shuffle) {
                event.sent = 0;
            }
            if (event.kind >= EventKind::syncwarp) {
                event.bits = 0;
                event.flags = 0;
            }
            if (event.kind == EventKind::syncwarp || event.kind == EventKind::combine) {
                event.arg = 0;
            }
        }
    }
    // A run that stopped has marks of its own: threads that never returned.
    auto stopped = std::move(trace.result_undefined);
    if (trace.results.empty()) {
        const auto calls = static_cast<std::size_t>(trace.config.calls);
        const auto block = static_cast<std::size_t>(trace.config.block);
        trace.results.assign(calls, std::vector<std::uint32_t>(block, 0));
        stopped.assign(calls, std::vector<std::uint8_t>(block, 1));
    }
    trace.source_hash = hash_of(trace.source);
    trace.racy = !races_of(trace, true).empty();
    if (!trace.racy) {
        derive_writers(trace);
    }
    if (auto ok = find_steps(trace); !ok) {
        return tl::unexpected<Error>(ok.error());
    }
    trace.calls = calls_of(trace);
    if (!trace.faults.empty() && stopped.size() == trace.result_undefined.size()) {
        for (std::size_t call = 0; call < stopped.size(); ++call) {
            auto& marks = trace.result_undefined[call];
            for (std::size_t thread = 0; thread < std::min(marks.size(), stopped[call].size()); ++thread) {
                marks[thread] = marks[thread] || stopped[call][thread];
            }
        }
    }
    return trace;
}

}  // namespace auditorium::trace
