#include "trace/replay.h"

#include <fmt/format.h>

#include <algorithm>

#include "trace/arithmetic.h"
#include "trace/operands.h"
#include "trace/order.h"

namespace auditorium::trace {
namespace {

// Whether some two values that the thread had before events[end] combine to `bits`: a kernel may keep one
// aside.
bool some_pair_gives(const Trace& trace, int thread, std::uint32_t end, Op op, std::uint32_t bits) {
    constexpr std::size_t most = 64;
    std::vector<std::uint32_t> values = {trace.config.values[static_cast<std::size_t>(thread)]};
    for (std::uint32_t at = end; at-- > 0 && values.size() < most;) {
        const Event& event = trace.events[static_cast<std::size_t>(thread)][at];
        if (event.kind < EventKind::syncwarp) {
            values.push_back(event.bits);
        }
        if (event.kind == EventKind::shuffle) {
            values.push_back(event.sent);
        }
    }
    for (std::uint32_t a : values) {
        for (std::uint32_t b : values) {
            if (combined(op, trace.config.type, a, b) == bits) {
                return true;
            }
        }
    }
    return false;
}

// The ops that the combines of a call may be of: the one asked for, or another one if the kernel chooses it
// (back_to_back's second pass is a sum). All combines of a call must agree on one.
std::string check_combines(const Trace& trace, Replay& replay) {
    std::string difference;
    for (int call = 0; call < trace.config.calls; ++call) {
        std::string first;  // the difference under the op asked for
        for (int attempt = 0; attempt < 3; ++attempt) {
            const Op op = static_cast<Op>((static_cast<int>(trace.config.op) + attempt) % 3);
            std::string wrong;
            int checked = 0, left_out = 0;
            for (const Step& step : trace.steps) {
                if (step.call != call || !wrong.empty()) {
                    continue;
                }
                for (int thread = 0; thread < trace.config.block && wrong.empty(); ++thread) {
                    const Piece piece = step.pieces[static_cast<std::size_t>(thread)];
                    for (std::uint32_t at = piece.begin; at < piece.end; ++at) {
                        const Event& event = trace.events[static_cast<std::size_t>(thread)][at];
                        if (event.kind != EventKind::combine) {
                            continue;
                        }
                        if (event.flags & Event::undefined) {
                            ++left_out;
                            continue;
                        }
                        ++checked;
                        const Operands operands = operands_of(trace, thread, static_cast<int>(at));
                        const auto bits = combined(op, trace.config.type, operands.a.bits, operands.b.bits);
                        if (bits != event.bits && !some_pair_gives(trace, thread, at, op, event.bits)) {
                            wrong = fmt::format(
                                "The combine of thread {} on line {} gave {}, but {} of {} and {} is {}.",
                                thread, event.line, text_of(trace.config.type, event.bits), name_of(op),
                                text_of(trace.config.type, operands.a.bits),
                                text_of(trace.config.type, operands.b.bits),
                                text_of(trace.config.type, bits));
                            break;
                        }
                    }
                }
            }
            if (attempt == 0) {
                first = wrong;
            }
            if (wrong.empty()) {
                replay.values_checked += checked;
                replay.values_left_out += left_out;
                first.clear();
                break;
            }
        }
        if (!first.empty()) {
            return first;
        }
    }
    return difference;
}

std::string check_shuffles(const Trace& trace, Replay& replay) {
    for (const Step& step : trace.steps) {
        for (int thread = 0; thread < trace.config.block; ++thread) {
            const Piece piece = step.pieces[static_cast<std::size_t>(thread)];
            for (std::uint32_t at = piece.begin; at < piece.end; ++at) {
                const Event& event = trace.events[static_cast<std::size_t>(thread)][at];
                if (event.kind != EventKind::shuffle) {
                    continue;
                }
                if (event.flags & Event::undefined) {
                    ++replay.values_left_out;
                    continue;
                }
                std::uint32_t given = event.sent;
                int source = thread;
                if (!(event.flags & Event::no_partner)) {
                    source = thread - thread % warp_size + event.arg;
                    const auto peer = peer_of(trace, step, thread);
                    if (!peer) {
                        return fmt::format(
                            "Thread {} received a value from lane {} on line {}, which took no part there.",
                            thread, event.arg, event.line);
                    }
                    given =
                        trace.events[static_cast<std::size_t>(source)][static_cast<std::size_t>(*peer)].sent;
                }
                ++replay.values_checked;
                if (event.bits != given) {
                    return fmt::format("Thread {} received {} on line {}, but thread {} gave {}.", thread,
                                       text_of(trace.config.type, event.bits), event.line, source,
                                       text_of(trace.config.type, given));
                }
            }
        }
    }
    return "";
}

std::string check_memory(const Trace& trace, Replay& replay) {
    const auto block = static_cast<std::size_t>(trace.config.block);
    const std::vector<Race> races = trace.racy ? races_of(trace) : std::vector<Race>();
    std::size_t next_race = 0;
    std::vector<std::uint8_t> racing(block, 0);
    std::vector<std::uint32_t> boxes(block, 0);
    std::vector<std::uint8_t> undefined(block, 0);
    int interval = 0;
    std::string difference;
    const auto begin_interval = [&] {
        std::fill(racing.begin(), racing.end(), std::uint8_t{0});
        for (; next_race < races.size() && races[next_race].interval == interval; ++next_race) {
            racing[static_cast<std::size_t>(races[next_race].box)] = 1;
        }
    };
    begin_interval();
    in_order(
        trace,
        [&](int thread, std::size_t, const Event& event, int) {
            if (!difference.empty() || (event.flags & Event::no_box)) {
                return;
            }
            if (event.kind == EventKind::store) {
                boxes[event.arg] = event.bits;
                undefined[event.arg] = (event.flags & Event::undefined) != 0;
            } else if (event.kind == EventKind::load) {
                std::uint32_t there = boxes[event.arg];
                if (racing[event.arg]) {
                    if (event.writer == nobody) {
                        ++replay.values_left_out;
                        return;
                    }
                    there = trace.events[event.writer][event.writer_event].bits;
                }
                if ((event.flags & Event::undefined) && event.writer != nobody) {
                    ++replay.values_left_out;
                    return;
                }
                ++replay.values_checked;
                if (event.bits != there) {
                    difference = fmt::format(
                        "Thread {} loaded {} from box {} on line {}, but the stores before it left {} there.",
                        thread, text_of(trace.config.type, event.bits), event.arg, event.line,
                        text_of(trace.config.type, there));
                }
            }
        },
        [&] {
            if (!difference.empty()) {
                return false;
            }
            if (static_cast<std::size_t>(interval) < trace.snapshots.size()) {
                const auto& snapshot = trace.snapshots[static_cast<std::size_t>(interval)].boxes;
                for (std::size_t box = 0; box < block; ++box) {
                    if (racing[box] || undefined[box]) {
                        ++replay.boxes_left_out;
                        boxes[box] = snapshot[box];
                        continue;
                    }
                    ++replay.boxes_checked;
                    if (boxes[box] != snapshot[box]) {
                        difference = fmt::format(
                            "Box {} held {} at the end of barrier interval {}, but its stores left {}.", box,
                            text_of(trace.config.type, snapshot[box]), interval,
                            text_of(trace.config.type, boxes[box]));
                        return false;
                    }
                }
            }
            ++interval;
            begin_interval();
            return true;
        });
    return difference;
}

}  // namespace

Replay replay(const Trace& trace) {
    Replay replay;
    replay.difference = check_memory(trace, replay);
    if (replay.agrees()) {
        replay.difference = check_shuffles(trace, replay);
    }
    if (replay.agrees()) {
        replay.difference = check_combines(trace, replay);
    }
    return replay;
}

}  // namespace auditorium::trace
