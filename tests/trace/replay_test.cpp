// Events reproduce snapshots and values, and two runs of one launch are compared bit for bit.
#include "trace/replay.h"

#include <gtest/gtest.h>

#include <functional>

#include "tests/trace/block.h"
#include "trace/arithmetic.h"
#include "trace/difference.h"
#include "trace/operands.h"

namespace auditorium::trace::test {
namespace {

Trace made(const std::function<void(Block&)>& fill, int threads = 128) {
    Block block(threads);
    fill(block);
    auto trace = block.finish();
    EXPECT_TRUE(trace) << trace.error().sentence;
    return *trace;
}

TEST(Replay, events_reproduce_every_snapshot_and_value) {
    for (const auto& trace :
         {made([](Block& b) { b.contiguous_warp(); }), made([](Block& b) { b.shuffle_first(); }),
          made([](Block& b) { b.one_barrier(); })}) {
        const auto found = replay(trace);
        EXPECT_EQ(found.difference, "");
        EXPECT_EQ(found.boxes_checked, 128 * (trace.barriers + 1));
        EXPECT_EQ(found.boxes_left_out + found.values_left_out, 0);
        EXPECT_GT(found.values_checked, 500);
    }
}

TEST(Replay, a_changed_snapshot_load_combine_or_shuffle_is_found) {
    const Trace good = made([](Block& b) { b.contiguous_warp(); });
    Trace snapshot = good;
    snapshot.snapshots[2].boxes[70] ^= 1;
    EXPECT_NE(replay(snapshot).difference.find("Box 70 held"), std::string::npos);
    const auto changed = [&](EventKind kind) {
        Trace trace = good;
        for (Event& event : trace.events[7]) {
            if (event.kind == kind) {
                event.bits += 100000;
                break;
            }
        }
        return replay(trace).difference;
    };
    EXPECT_NE(changed(EventKind::load).find("Thread 7 loaded"), std::string::npos);
    EXPECT_NE(changed(EventKind::combine).find("The combine of thread 7"), std::string::npos);
    EXPECT_NE(changed(EventKind::shuffle).find("Thread 7 received"), std::string::npos);
    EXPECT_NE(changed(EventKind::store), "");
}

TEST(Replay, a_value_kept_aside_may_be_combined) {
    const Trace trace = made([](Block& b) {
        b.stage(10);
        b.barrier(11);
        const auto a = b.load(0, 12, 0), kept = b.load(0, 13, 1), c = b.load(0, 14, 2);
        b.combine(0, 15, b.combine(0, 15, a, c), kept);
        b.end_of_call();
    });
    EXPECT_EQ(replay(trace).difference, "");
}

TEST(Replay, boxes_that_a_race_decides_are_left_out_and_no_others) {
    Trace trace = made([](Block& b) {
        b.stage(10);
        b.barrier(11);
        b.store(0, 12, 5, 77);
        b.value[100] = b.load(100, 13, 5);
        b.barrier(14);
        b.broadcast(15);
        b.end_of_call();
    });
    ASSERT_TRUE(trace.racy);
    trace.snapshots[1].boxes[5] = 1234;  // the GPU saw another order
    trace.snapshots[2].boxes[5] = 1234;
    auto found = replay(trace);
    EXPECT_EQ(found.difference, "");
    EXPECT_EQ(found.boxes_left_out, 1);
    trace.snapshots[1].boxes[6] = 1234;
    EXPECT_NE(replay(trace).difference, "");
}

TEST(Replay, operands_name_where_they_came_from) {
    const Trace trace = made([](Block& b) { b.shuffle_first(); });
    // Thread 1 of the first shuffle: its input and what it received.
    auto operands = operands_of(trace, 1, 1);
    EXPECT_EQ(operands.a.from, Operand::From::input);
    EXPECT_EQ(operands.a.bits, trace.config.values[1]);
    EXPECT_EQ(operands.b.from, Operand::From::shuffle);
    EXPECT_EQ(operands.b.bits, trace.config.values[17]);
    // Thread 20 has no partial: it gave a constant in the second council.
    const auto& events = trace.events[20];
    const int second = 12;  // ten events of the first council, arrive, leave
    ASSERT_EQ(events[second].kind, EventKind::shuffle);
    operands = operands_of(trace, 20, second + 1);
    EXPECT_EQ(operands.a.from, Operand::From::constant);
    EXPECT_EQ(operands.a.bits, 0u);
    for (const Step& step : trace.steps) {
        if (step.kind == StepKind::shuffle) {
            const auto peer = peer_of(trace, step, 1);
            ASSERT_TRUE(peer);
            const Event& given =
                trace.events[static_cast<std::size_t>(1 + step.offset)][static_cast<std::size_t>(*peer)];
            EXPECT_EQ(given.sent, trace.events[1][step.pieces[1].begin].bits);
        }
    }
    const Trace tree = made([](Block& b) { b.contiguous_warp(); });
    operands = operands_of(tree, 9, 5);  // store, arrive, leave, load, load, combine
    EXPECT_EQ(operands.a.from, Operand::From::load);
    EXPECT_EQ(operands.a.event, 3);
    EXPECT_EQ(operands.b.event, 4);
}

TEST(Difference, equal_runs_have_none_and_every_change_is_named) {
    const Trace a = made([](Block& b) { b.contiguous_warp(); });
    EXPECT_EQ(difference(a, a), "");
    const auto changed = [&](const std::function<void(Trace&)>& change) {
        Trace b = a;
        change(b);
        return difference(a, b);
    };
    EXPECT_NE(changed([](Trace& t) { t.events[3][0].bits ^= 1; }).find("Event 0 of thread 3"),
              std::string::npos);
    EXPECT_NE(changed([](Trace& t) { t.events[3][0].line ^= 1; }).find("line"), std::string::npos);
    EXPECT_NE(changed([](Trace& t) { t.events[3].pop_back(); }).find("Thread 3 has"), std::string::npos);
    EXPECT_NE(changed([](Trace& t) { t.events[3].back().writer = 5; }).find("store"), std::string::npos);
    EXPECT_NE(changed([](Trace& t) { t.snapshots[1].boxes[8] ^= 1; }).find("Box 8"), std::string::npos);
    EXPECT_NE(changed([](Trace& t) { t.results[0][8] ^= 1; }).find("result"), std::string::npos);
    EXPECT_NE(changed([](Trace& t) { t.steps[4].registers[8] ^= 1; }).find("After step 5"),
              std::string::npos);
    EXPECT_NE(changed([](Trace& t) { t.config.values[8] ^= 1; }).find("input"), std::string::npos);
    EXPECT_NE(changed([](Trace& t) { t.config.block = 64; }).find("launches"), std::string::npos);
    EXPECT_EQ(changed([](Trace& t) { t.config.schedule.seed = 9; }), "");
}

TEST(Difference, undefined_values_are_equal_whatever_their_bits) {
    const auto with = [](std::uint32_t garbage) {
        return made(
            [garbage](Block& b) {
                b.shuffle(0, 4, 16);
                b.store(16, 5, 0, b.value[16]);
                b.end_of_call();
                for (auto& events : b.trace.events) {
                    for (Event& event : events) {
                        if (event.flags & Event::bad_mask) {
                            event.bits = garbage;
                        }
                    }
                }
            },
            17);
    };
    EXPECT_EQ(difference(with(1), with(2)), "");
    EXPECT_EQ(with(1).events[1][0].flags, Event::undefined | Event::bad_mask);
}

TEST(Arithmetic, is_that_of_ptx) {
    const std::uint32_t one = 0x3f800000, two = 0x40000000, nan = 0x7fc01234, inf = 0x7f800000,
                        minus_inf = 0xff800000;
    const std::uint32_t zero = 0, minus_zero = 0x80000000, canonical = 0x7fffffff, denormal = 1;
    EXPECT_EQ(combined(Op::max, Type::f32, one, two), two);
    EXPECT_EQ(combined(Op::min, Type::f32, one, two), one);
    EXPECT_EQ(combined(Op::max, Type::f32, nan, one), one);
    EXPECT_EQ(combined(Op::min, Type::f32, one, nan), one);
    EXPECT_EQ(combined(Op::max, Type::f32, nan, nan), canonical);
    EXPECT_EQ(combined(Op::sum, Type::f32, nan, one), canonical);
    EXPECT_EQ(combined(Op::sum, Type::f32, inf, minus_inf), canonical);
    EXPECT_EQ(combined(Op::sum, Type::f32, denormal, denormal), 2u);
    for (auto [a, b] : {std::pair(zero, minus_zero), std::pair(minus_zero, zero)}) {
        EXPECT_EQ(combined(Op::max, Type::f32, a, b), zero);
        EXPECT_EQ(combined(Op::min, Type::f32, a, b), minus_zero);
    }
    EXPECT_EQ(combined(Op::max, Type::i32, 0xffffffff, 3), 3u);
    EXPECT_EQ(combined(Op::min, Type::i32, 0xffffffff, 3), 0xffffffffu);
    EXPECT_EQ(combined(Op::sum, Type::i32, 0x7fffffff, 1), 0x80000000u);
}

}  // namespace
}  // namespace auditorium::trace::test
