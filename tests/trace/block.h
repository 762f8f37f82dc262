// Writes event lists by hand: a block whose threads one tells what to do, keeping only the values that the
// next event needs. It knows nothing of steps, so that what trace::finish makes of the events is put to the
// test.
#pragma once

#include <algorithm>
#include <bit>
#include <vector>

#include "trace/trace.h"

namespace auditorium::trace::test {

// int32 maximum or sum; the values are small whole numbers.
struct Block {
    Trace trace;
    std::vector<std::uint32_t> value;  // per thread: its variable val
    std::vector<std::uint32_t> boxes;
    int passed = 0;

    explicit Block(int block, Op op = Op::max) {
        trace.config.block = block;
        trace.config.op = op;
        trace.config.type = Type::i32;
        for (int t = 0; t < block; ++t) {
            trace.config.values.push_back(static_cast<std::uint32_t>((t * 37 + 11) % 997 + 1));
        }
        value = trace.config.values;
        boxes.assign(static_cast<std::size_t>(block), 0);
        trace.events.resize(static_cast<std::size_t>(block));
    }

    int block() const { return trace.config.block; }
    std::uint32_t op(std::uint32_t a, std::uint32_t b) const {
        return trace.config.op == Op::max   ? std::max(a, b)
               : trace.config.op == Op::min ? std::min(a, b)
                                            : a + b;
    }
    Event& add(int t, EventKind kind, int line, int arg, std::uint32_t bits) {
        Event event;
        event.kind = kind;
        event.line = static_cast<std::uint16_t>(line);
        event.arg = static_cast<std::uint16_t>(arg);
        event.bits = bits;
        trace.events[static_cast<std::size_t>(t)].push_back(event);
        return trace.events[static_cast<std::size_t>(t)].back();
    }
    std::uint32_t load(int t, int line, int box) {
        add(t, EventKind::load, line, box, boxes[static_cast<std::size_t>(box)]);
        return boxes[static_cast<std::size_t>(box)];
    }
    void store(int t, int line, int box, std::uint32_t bits) {
        boxes[static_cast<std::size_t>(box)] = bits;
        add(t, EventKind::store, line, box, bits);
    }
    std::uint32_t combine(int t, int line, std::uint32_t a, std::uint32_t b) {
        add(t, EventKind::combine, line, 0, op(a, b));
        return op(a, b);
    }
    void syncwarp(int t, int line) { add(t, EventKind::syncwarp, line, 0, 0); }
    void barrier(int line) {
        for (int t = 0; t < block(); ++t) {
            add(t, EventKind::barrier_arrive, line, passed, 0);
            add(t, EventKind::barrier_leave, line, passed, 0);
        }
        trace.snapshots.push_back({passed, boxes});
        ++passed;
    }
    // shared[t] = op(shared[t], shared[t + stride]) of the threads below `below`, lockstep.
    void tree(int line, int stride, int below) {
        for (int t = 0; t < below; ++t) {
            const auto a = load(t, line, t);
            const auto b = load(t, line, t + stride);
            store(t, line, t, combine(t, line, a, b));
        }
    }
    // val = op(val, shfl(val, offset)) of warp `warp`; xor: pairs exchange.
    void shuffle(int warp, int line, int offset, bool exchange = false) {
        const int first = warp * warp_size, last = std::min(first + warp_size, block());
        const auto before = value;
        for (int t = first; t < last; ++t) {
            const int lane = t - first;
            const int source = exchange ? (lane ^ offset) : lane + offset;
            Event event;
            event.kind = EventKind::shuffle;
            event.line = static_cast<std::uint16_t>(line);
            event.sent = before[static_cast<std::size_t>(t)];
            if (source >= warp_size) {
                event.arg = static_cast<std::uint16_t>(lane);
                event.flags = Event::no_partner;
                event.bits = before[static_cast<std::size_t>(t)];
            } else if (first + source >= last) {
                event.arg = static_cast<std::uint16_t>(source);
                event.flags = Event::undefined | Event::bad_mask;
                event.bits = 0;
            } else {
                event.arg = static_cast<std::uint16_t>(source);
                event.bits = before[static_cast<std::size_t>(first + source)];
            }
            trace.events[static_cast<std::size_t>(t)].push_back(event);
            value[static_cast<std::size_t>(t)] =
                combine(t, line, before[static_cast<std::size_t>(t)], event.bits);
        }
    }
    void warp_reduce(int warp, int line, bool exchange = false) {
        for (int offset = 16; offset > 0; offset /= 2) {
            shuffle(warp, line, offset, exchange);
        }
    }
    void stage(int line) {
        for (int t = 0; t < block(); ++t) {
            store(t, line, t, value[static_cast<std::size_t>(t)]);
        }
    }
    void broadcast(int line) {
        for (int t = 0; t < block(); ++t) {
            value[static_cast<std::size_t>(t)] = load(t, line, 0);
        }
    }
    void end_of_call() { trace.results.push_back(value); }
    Expected<Trace> finish() {
        trace.snapshots.push_back({passed, boxes});
        return trace::finish(trace);
    }

    // The kernels of the catalogue that the tests need, as event lists.
    void contiguous_warp() {
        stage(10);
        barrier(11);
        for (int stride = block() / 2; stride >= 32; stride /= 2) {
            tree(15, stride, stride);
            barrier(17);
        }
        for (int t = 0; t < std::min(32, block()); ++t) {
            value[static_cast<std::size_t>(t)] = load(t, 20, t);
        }
        warp_reduce(0, 4);
        store(0, 22, 0, value[0]);
        barrier(24);
        broadcast(25);
        end_of_call();
    }
    void shuffle_first() {
        const int warps = (block() + 31) / 32;
        for (int w = 0; w < warps; ++w) {
            warp_reduce(w, 4);
            store(w * 32, 12, w, value[static_cast<std::size_t>(w * 32)]);
        }
        barrier(14);
        for (int t = 0; t < 32; ++t) {
            value[static_cast<std::size_t>(t)] = t < warps ? load(t, 16, t) : 0;
        }
        warp_reduce(0, 4);
        store(0, 18, 0, value[0]);
        barrier(20);
        broadcast(21);
        end_of_call();
    }
    void one_barrier() {
        const int warps = block() / 32;
        for (int w = 0; w < warps; ++w) {
            warp_reduce(w, 4, true);
            store(w * 32, 12, w, value[static_cast<std::size_t>(w * 32)]);
        }
        barrier(14);
        for (int w = 0; w < warps; ++w) {
            for (int lane = 0; lane < 32; ++lane) {
                const int t = w * 32 + lane;
                value[static_cast<std::size_t>(t)] = lane < warps ? load(t, 16, lane) : 0;
            }
            warp_reduce(w, 4, true);
        }
        end_of_call();
    }
};

// "stage, tree 128, shuffle 16, shuffle x16": kinds with stride or offset.
inline std::string outline(const Trace& trace) {
    std::string out;
    for (const Step& step : trace.steps) {
        out += out.empty() ? "" : ", ";
        out += name_of(step.kind);
        if (step.kind == StepKind::tree) {
            out += " " + std::to_string(step.stride);
        }
        if (step.kind == StepKind::shuffle) {
            out += (step.exchange ? " x" : " ") + std::to_string(step.offset);
        }
    }
    return out;
}

}  // namespace auditorium::trace::test
