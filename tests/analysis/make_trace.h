// Hand-written traces: a small machine that does what a test says, in the order in which the test says it,
// and notes each event as a recording would.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <string>
#include <vector>

#include "trace/trace.h"

namespace auditorium::testing {

inline std::uint32_t bits(float value) {
    return std::bit_cast<std::uint32_t>(value);
}

class Machine {
  public:
    using Event = trace::Event;
    using Kind = trace::EventKind;

    // Inputs are 0, 1, 2, ... as ints, the op is the sum, unless said otherwise.
    explicit Machine(int block, trace::Op op = trace::Op::sum, trace::Type type = trace::Type::i32) {
        trace_.config.kernel = "by_hand";
        trace_.config.op = op;
        trace_.config.type = type;
        trace_.config.block = block;
        for (int t = 0; t < block; ++t)
            trace_.config.values.push_back(type == trace::Type::i32 ? std::uint32_t(t) : bits(float(t)));
        restart();
    }

    void inputs(std::vector<std::uint32_t> values) {
        trace_.config.values = std::move(values);
        restart();
    }

    int block() const { return trace_.config.block; }
    std::uint32_t held(int t) const { return register_[std::size_t(t)]; }

    void load(int t, int line, int box) {
        Event event;
        event.kind = Kind::load;
        event.line = std::uint16_t(line);
        event.arg = std::uint16_t(box);
        event.bits = boxes_[std::size_t(box)];
        event.writer = writer_[std::size_t(box)];
        event.writer_event = writer_event_[std::size_t(box)];
        if (event.writer == trace::nobody)
            event.flags = Event::undefined;
        receive(t, event);
    }
    // Stores what the thread holds, or `value`.
    void store(int t, int line, int box) { store_bits(t, line, box, held(t)); }
    void store_bits(int t, int line, int box, std::uint32_t value) {
        Event event;
        event.kind = Kind::store;
        event.line = std::uint16_t(line);
        event.arg = std::uint16_t(box);
        event.bits = value;
        boxes_[std::size_t(box)] = value;
        writer_[std::size_t(box)] = std::uint16_t(t);
        writer_event_[std::size_t(box)] = std::uint16_t(events(t).size());
        events(t).push_back(event);
    }
    void combine(int t, int line) {
        Event event;
        event.kind = Kind::combine;
        event.line = std::uint16_t(line);
        event.bits = apply(before_last_[std::size_t(t)], last_received_[std::size_t(t)]);
        register_[std::size_t(t)] = event.bits;
        events(t).push_back(event);
    }
    // Every lane t in [begin, end) of one warp takes what lane source(t) gives; without a partner its own.
    // `give(t)`: what a lane gives, if not what it holds.
    template <typename SourceOf>
    void shuffle(int begin, int end, int line, SourceOf source) {
        shuffle(begin, end, line, source, [this](int t) { return held(t); });
    }
    template <typename SourceOf, typename Give>
    void shuffle(int begin, int end, int line, SourceOf source, Give give) {
        std::vector<std::uint32_t> given(std::size_t(end), 0);
        for (int t = begin; t < end; ++t)
            given[std::size_t(t)] = give(t);
        for (int t = begin; t < end; ++t) {
            const int lane = t % trace::warp_size, base = t - lane, from = source(lane);
            Event event;
            event.kind = Kind::shuffle;
            event.line = std::uint16_t(line);
            event.sent = given[std::size_t(t)];
            event.arg = std::uint16_t(from);
            if (from < 0 || from >= trace::warp_size) {
                event.arg = std::uint16_t(lane);
                event.flags = Event::no_partner;
                event.bits = event.sent;
            } else if (base + from < begin || base + from >= end) {
                event.flags = Event::undefined | Event::bad_mask;
            } else {
                event.bits = given[std::size_t(base + from)];
            }
            register_[std::size_t(t)] = event.sent;  // the variable given is the one combined with
            receive(t, event);
        }
    }
    void syncwarp(int t, int line) {
        Event event;
        event.kind = Kind::syncwarp;
        event.line = std::uint16_t(line);
        events(t).push_back(event);
    }
    void arrive(int t, int line) { barrier_event(t, line, Kind::barrier_arrive); }
    void leave(int t, int line) {
        barrier_event(t, line, Kind::barrier_leave);
        passed_[std::size_t(t)] += 1;
    }
    void barrier(int line) {
        for (int t = 0; t < block(); ++t)
            arrive(t, line);
        snapshot();
        for (int t = 0; t < block(); ++t)
            leave(t, line);
    }
    // Every thread returns what it holds.
    void end_call() {
        trace_.results.push_back(register_);
        trace_.result_undefined.push_back(std::vector<std::uint8_t>(std::size_t(block()), 0));
        register_ = trace_.config.values;
    }

    trace::Trace& raw() { return trace_; }

    // Ends the call, if none was ended, and derives the rest.
    trace::Trace finish() {
        if (trace_.results.empty())
            end_call();
        trace_.config.calls = int(trace_.results.size());
        snapshot();
        auto finished = trace::finish(trace_);
        if (!finished) {
            ADD_FAILURE() << finished.error().sentence;
            return trace_;
        }
        return *std::move(finished);
    }

  private:
    std::vector<Event>& events(int t) { return trace_.events[std::size_t(t)]; }
    void restart() {
        const std::size_t n = std::size_t(block());
        trace_.events.assign(n, {});
        boxes_.assign(n, 0);
        writer_.assign(n, trace::nobody);
        writer_event_.assign(n, 0);
        register_ = before_last_ = last_received_ = trace_.config.values;
        passed_.assign(n, 0);
    }
    void receive(int t, const Event& event) {
        before_last_[std::size_t(t)] = register_[std::size_t(t)];
        last_received_[std::size_t(t)] = register_[std::size_t(t)] = event.bits;
        events(t).push_back(event);
    }
    void barrier_event(int t, int line, Kind kind) {
        Event event;
        event.kind = kind;
        event.line = std::uint16_t(line);
        event.arg = std::uint16_t(passed_[std::size_t(t)]);
        events(t).push_back(event);
    }
    void snapshot() { trace_.snapshots.push_back({int(trace_.snapshots.size()), boxes_}); }
    std::uint32_t apply(std::uint32_t a, std::uint32_t b) const {
        if (trace_.config.type == trace::Type::i32) {
            const std::int32_t x = std::int32_t(a), y = std::int32_t(b);
            return trace_.config.op == trace::Op::sum   ? a + b
                   : trace_.config.op == trace::Op::max ? std::uint32_t(std::max(x, y))
                                                        : std::uint32_t(std::min(x, y));
        }
        const float x = std::bit_cast<float>(a), y = std::bit_cast<float>(b);
        return bits(trace_.config.op == trace::Op::sum   ? x + y
                    : trace_.config.op == trace::Op::max ? std::max(x, y)
                                                         : std::min(x, y));
    }

    trace::Trace trace_;
    std::vector<std::uint32_t> boxes_, register_, before_last_, last_received_;
    std::vector<std::uint16_t> writer_, writer_event_;
    std::vector<int> passed_;
};

// Kernels written out by hand, with made-up lines.
enum Line {
    stage_line = 10,
    stage_barrier = 11,
    own_line = 20,
    other_line = 21,
    fold_line = 22,
    tree_barrier = 24,
    read_line = 30,
    shuffle_line = 31,
    shuffle_fold = 32,
    publish_line = 33,
    last_barrier = 34,
    return_line = 35
};

inline void stage(Machine& m) {
    for (int t = 0; t < m.block(); ++t)
        m.store(t, stage_line, t);
    m.barrier(stage_barrier);
}

// One halving: thread t < stride folds box t + stride into box t. With `barrier`, as it should be.
inline void halve(Machine& m, int stride, bool barrier = true) {
    for (int t = 0; t < stride; ++t) {
        m.load(t, own_line, t);
        m.load(t, other_line, t + stride);
        m.combine(t, fold_line);
        m.store(t, fold_line, t);
    }
    if (barrier)
        m.barrier(tree_barrier);
}

inline void everyone_reads_box_0(Machine& m) {
    for (int t = 0; t < m.block(); ++t)
        m.load(t, return_line, 0);
}

inline void shuffle_down(Machine& m, int begin, int end) {
    for (int offset = 16; offset > 0; offset /= 2) {
        m.shuffle(begin, end, shuffle_line, [&](int lane) { return lane + offset; });
        for (int t = begin; t < end; ++t)
            m.combine(t, shuffle_fold);
    }
}

// The tree down to 32 boxes, then warp 0 shuffles.
inline void tree_then_warp(Machine& m) {
    stage(m);
    for (int stride = m.block() / 2; stride >= 32; stride /= 2)
        halve(m, stride);
    for (int t = 0; t < 32; ++t)
        m.load(t, read_line, t);
    shuffle_down(m, 0, 32);
    m.store(0, publish_line, 0);
    m.barrier(last_barrier);
    everyone_reads_box_0(m);
}

}  // namespace auditorium::testing
