// Sources: trace/*.cpp analysis/*.cpp
// Fuzzes what is derived from events, past the file format: bytes become the events of a small block, which
// trace::finish refuses or turns into steps that hold every event once and in order.
#include <algorithm>
#include <cstdlib>

#include "analysis/analysis.h"
#include "trace/difference.h"
#include "trace/io.h"
#include "trace/replay.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace auditorium;
    using trace::Event;
    using trace::EventKind;
    if (size < 4) {
        return 0;
    }
    trace::Trace made;
    made.config.block = 1 + data[0] % 70;
    made.config.calls = 1 + data[1] % 3;
    made.config.op = static_cast<trace::Op>(data[2] % 3);
    made.config.type = static_cast<trace::Type>(data[3] % 2);
    const auto block = static_cast<std::size_t>(made.config.block);
    made.config.values.assign(block, 7);
    made.events.resize(block);
    made.results.assign(static_cast<std::size_t>(made.config.calls), std::vector<std::uint32_t>(block, 7));
    int passed = 0;
    // Four bytes an instruction: kind and flags, line, argument, threads (0 to 3: all, one, half, every
    // second).
    for (std::size_t at = 4; at + 4 <= std::min<std::size_t>(size, 1024); at += 4) {
        const auto kind = static_cast<EventKind>(data[at] % 6);
        const auto lane = static_cast<std::size_t>(data[at + 3] >> 2) % block;
        for (std::size_t t = 0; t < block; ++t) {
            const int who = data[at + 3] & 3;
            if ((who == 1 && t != lane) || (who == 2 && t > lane) || (who == 3 && t % 2 == lane % 2)) {
                if (kind != EventKind::barrier_arrive) {
                    continue;
                }
            }
            Event event;
            event.kind = kind;
            event.line =
                static_cast<std::uint16_t>(data[at + 1] % 8 + (kind == EventKind::barrier_arrive ? 0 : 1));
            event.bits = data[at + 2];
            switch (kind) {
                case EventKind::load:
                case EventKind::store:
                    event.arg = static_cast<std::uint16_t>((t + data[at + 2]) % block);
                    event.flags = data[at] & 128 ? Event::no_box : 0;
                    break;
                case EventKind::shuffle:
                    event.arg = static_cast<std::uint16_t>((t % 32) ^ (data[at + 2] % 32));
                    event.flags = data[at] >> 4 & 7;
                    event.sent = data[at] >> 6;
                    break;
                case EventKind::barrier_arrive:
                    event.arg = static_cast<std::uint16_t>(passed);
                    break;
                default:
                    break;
            }
            made.events[t].push_back(event);
            if (kind == EventKind::barrier_arrive) {
                event.kind = EventKind::barrier_leave;
                made.events[t].push_back(event);
            }
        }
        passed += kind == EventKind::barrier_arrive;
    }
    const auto trace = trace::finish(std::move(made));
    if (!trace) {
        return 0;
    }
    std::vector<std::uint32_t> done(block, 0);
    int interval = 0;
    for (const trace::Step& step : trace->steps) {
        if (step.interval < interval) {
            std::abort();
        }
        interval = step.interval;
        int active = 0;
        for (std::size_t t = 0; t < block; ++t) {
            const trace::Piece piece = step.pieces[t];
            if (piece.empty()) {
                continue;
            }
            ++active;
            // What a step leaves out between two pieces are barriers, and __syncwarps of an idle interval.
            if (piece.begin < done[t] || piece.end > trace->events[t].size()) {
                std::abort();
            }
            for (std::uint32_t at = done[t]; at < piece.begin; ++at) {
                if (trace->events[t][at].kind < EventKind::syncwarp) {
                    std::abort();
                }
            }
            done[t] = piece.end;
        }
        if (active != step.active_threads || active == 0) {
            std::abort();
        }
    }
    for (std::size_t t = 0; t < block; ++t) {
        for (std::size_t at = done[t]; at < trace->events[t].size(); ++at) {
            if (trace->events[t][at].kind < EventKind::syncwarp) {
                std::abort();
            }
        }
    }
    trace::replay(*trace);
    analysis::analyze(*trace);
    const auto bytes = trace::encode(*trace);
    const auto again = bytes ? trace::read(*bytes, "again.audit") : Expected<trace::Trace>(*trace);
    if (!bytes || !again || again->events != trace->events || !trace::difference(*trace, *again).empty()) {
        std::abort();
    }
    return 0;
}
