// Every invariant of a trace: what breaks one is refused with a sentence.
#include "trace/check.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "tests/trace/block.h"
#include "trace/difference.h"
#include "trace/io.h"

namespace auditorium::trace::test {
namespace {

std::string refusal(const std::function<void(Trace&)>& change) {
    Block block(64);
    block.trace.source = std::string(40, '\n');
    block.contiguous_warp();
    block.trace.snapshots.push_back({block.passed, block.boxes});
    change(block.trace);
    const auto trace = finish(block.trace);
    return trace ? "" : trace.error().sentence;
}

TEST(Check, a_sound_trace_passes) {
    EXPECT_EQ(refusal([](Trace&) {}), "");
}

TEST(Check, every_broken_invariant_is_found) {
    const std::function<void(Trace&)> changes[] = {
        [](Trace& t) { t.config.block = 0; },
        [](Trace& t) { t.config.block = 1025; },
        [](Trace& t) { t.config.block = 32; },
        [](Trace& t) { t.config.calls = 0; },
        [](Trace& t) { t.config.calls = 2; },
        [](Trace& t) { t.config.op = static_cast<Op>(3); },
        [](Trace& t) { t.config.type = static_cast<Type>(2); },
        [](Trace& t) { t.config.schedule.kind = static_cast<Schedule::Kind>(3); },
        [](Trace& t) { t.config.values.pop_back(); },
        [](Trace& t) { t.events.pop_back(); },
        [](Trace& t) { t.events[1].resize(8193); },
        [](Trace& t) { t.events[1][0].kind = static_cast<EventKind>(7); },
        [](Trace& t) { t.events[1][0].flags = 16; },
        [](Trace& t) { t.events[1][0].line = 42; },
        [](Trace& t) { t.events[1][0].line = 0; },
        [](Trace& t) { t.events[1][0].arg = 64; },
        [](Trace& t) { t.events[1][1].arg = 1; },
        [](Trace& t) { t.events[1][2].arg = 1; },
        [](Trace& t) { t.events[1][2].line = 12; },
        [](Trace& t) { t.events[1].erase(t.events[1].begin() + 1); },
        [](Trace& t) { t.events[1].erase(t.events[1].begin() + 2); },
        [](Trace& t) { t.events[1].resize(1); },
        [](Trace& t) {
            for (Event& event : t.events[1]) {
                if (event.kind == EventKind::shuffle) {
                    event.arg = 32;
                }
            }
        },
        [](Trace& t) { t.events[1].back().writer = 64; },
        [](Trace& t) {
            t.events[1].back().writer = 3;
            t.events[1].back().writer_event = 1;  // no store
        },
        [](Trace& t) {
            t.events[1].back().writer = 3;
            t.events[1].back().writer_event = 0;  // of another box
        },
        [](Trace& t) { t.snapshots.pop_back(); },
        [](Trace& t) { t.snapshots[1].interval = 0; },
        [](Trace& t) { t.snapshots[1].boxes.pop_back(); },
        [](Trace& t) { t.results.clear(); },
        [](Trace& t) { t.results[0].pop_back(); },
        [](Trace& t) {
            t.plain_results = {{1, 2}};
        },
        [](Trace& t) { t.simulated_results = {{}}; },
        [](Trace& t) {
            t.cycles = Cycles{3, 2, 4, 1, false};
        },
        [](Trace& t) {
            t.cycles = Cycles{1, std::nan(""), 4, 1, false};
        },
        [](Trace& t) {
            t.stamps = {{2, 0, 1, 1, 1, 1}};
        },
        [](Trace& t) {
            t.stamps = {{0, 1000, 1, 1, 1, 1}};
        },
        [](Trace& t) {
            t.counters = {{"x", INFINITY}};
        },
        [](Trace& t) {
            t.line_counters = {{"x"}, {1, 2}, {3}};
        },
        [](Trace& t) {
            t.line_counters = {{"x"}, {2, 2}, {3, 4}};
        },
        [](Trace& t) {
            t.line_counters = {{"x"}, {-1}, {3}};
        },
        [](Trace& t) {
            t.line_counters = {{"x"}, {10000}, {3}};
        },
        [](Trace& t) {
            t.faults = {{RunFault::Kind::bad_index, {64}, {}, ""}};
        },
        [](Trace& t) {
            t.faults = {{RunFault::Kind::bad_index, {}, {-1}, ""}};
        },
    };
    int index = 0;
    for (const auto& change : changes) {
        const auto sentence = refusal(change);
        EXPECT_TRUE(sentence.ends_with('.')) << "change " << index << ": " << sentence;
        ++index;
    }
}

TEST(Check, a_run_that_stopped_may_be_cut_short) {
    EXPECT_EQ(refusal([](Trace& t) {
                  t.faults = {{RunFault::Kind::barrier_mismatch, {1}, {11}, "It stopped."}};
                  t.results.clear();
                  t.snapshots.resize(1);
                  t.events[1].resize(2);  // thread 1 waits at the first barrier for ever
              }),
              "");
}

TEST(Check, results_that_a_stopped_run_lacks_are_undefined) {
    Block block(4);
    block.stage(3);
    block.trace.faults = {{RunFault::Kind::step_limit, {}, {}, "It did not end."}};
    const auto trace = block.finish();
    ASSERT_TRUE(trace) << trace.error().sentence;
    ASSERT_EQ(trace->results.size(), 1u);
    EXPECT_EQ(trace->result_undefined[0], (std::vector<std::uint8_t>{1, 1, 1, 1}));
    const auto back = read(*encode(*trace), "memory");
    ASSERT_TRUE(back) << back.error().sentence;
    EXPECT_EQ(back->result_undefined, trace->result_undefined) << "a file keeps them so";
    EXPECT_EQ(difference(*trace, *back), "");
}

}  // namespace
}  // namespace auditorium::trace::test
