// Titles and sentences of the halves.
#include "app/panels/compare_words.h"

#include <algorithm>
#include <array>

#include "analysis/compare.h"
#include "kernels/catalogue.h"
#include "sides.h"

namespace auditorium::panels {
namespace {

using test::run_of;

// The first moment of a beat of that kind in a span, this far into it.
playback::Moment in_beat(const test::Run& run, int span, playback::BeatKind kind, double part) {
    for (const playback::Beat& beat : run.timeline.spans[std::size_t(span)].beats)
        if (beat.kind == kind)
            return playback::moment_at(run.timeline, beat.begin + part * (beat.end - beat.begin));
    ADD_FAILURE() << "no such beat";
    return {};
}

TEST(CompareWords, WhichRoundItIs) {
    const test::Run strided = run_of("interleaved_strided"), warp = run_of("contiguous_warp");
    EXPECT_EQ(round_text(strided.trace, 3, false), "round 2 of 8, stride 2");
    EXPECT_EQ(round_text(strided.trace, 3, true), "step 3 of 10 · round 2 of 8, stride 2");
    EXPECT_EQ(round_text(warp.trace, 3, false), "round 2 of 3, stride 64");
    EXPECT_EQ(round_text(warp.trace, 7, false), "shuffle 2 of 5, offset 8");
    EXPECT_EQ(round_text(warp.trace, 0, true), "before the first step");
    EXPECT_EQ(round_text(warp.trace, 13, true), "done");
    EXPECT_EQ(run_title(warp.trace), "Contiguous + warp");
}

TEST(CompareWords, WhatTwoSidesDifferIn) {
    EXPECT_EQ(both_texts("max", "max"), "max");
    EXPECT_EQ(both_texts("max", "sum"), "max | sum");
    EXPECT_EQ(both_texts("0–999, seed 3664", "0–999, seed 5"), "0–999, seed 3664 | 5");
    EXPECT_EQ(both_texts("0–999, seed 5", "0–9, seed 5"), "0–999, seed 5 | 0–9, seed 5");
    EXPECT_EQ(both_texts("ramp", "ones"), "ramp | ones");

    const test::Run max = run_of("contiguous_warp");
    trace::LaunchConfig base;
    base.op = trace::Op::sum;
    base.type = trace::Type::i32;
    base.input = "ramp";
    const test::Run other = run_of("contiguous_full@1024@7", base);
    const auto width = [](const std::string& text) { return 5 * float(text.size()); };
    const auto text = [&](const trace::LaunchConfig& a, const trace::LaunchConfig& b, float room) {
        return difference_text(a, b, room, width);
    };
    EXPECT_EQ(text(max.trace.config, other.trace.config, 1000),
              "different op, type, data, block and schedule");
    EXPECT_EQ(text(max.trace.config, other.trace.config, 160), "different op, type and 3 more");
    trace::LaunchConfig one = max.trace.config;
    one.op = trace::Op::sum;
    EXPECT_EQ(text(max.trace.config, one, 1000), "different op");
    EXPECT_EQ(
        analysis::difference_of({max.trace, max.analysis}, {other.trace, other.analysis}, "A", "B").reason,
        "The two differ in op, type, data, block and schedule, so their results cannot be compared.");
    // More threads with the same numbers for those that both have: another block, not other data.
    EXPECT_EQ(text(max.trace.config, run_of("contiguous_warp@1024").trace.config, 1000), "different block");
    EXPECT_EQ(name_beside(max.trace, max.trace), "Contiguous + warp");
    EXPECT_EQ(name_beside(other.trace, max.trace),
              "Contiguous, full tree, sum, int, ramp, 1024 threads, turns 7");
}

// Every call's result counts, and a race is said.
// In a chip with room for `room` letters, any letter one wide.
TEST(CompareWords, ShortNamesStayApart) {
    const auto width = [](const std::string& text) {
        return float(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xc0) != 0x80; }));
    };
    using Two = std::array<std::string, 2>;
    const auto names = [&](const Two& names, const Two& apart, float room) {
        return names_apart(names, apart, room, width);
    };
    const Two sizes = {"256", "1024"}, none = {"256", "256"};
    EXPECT_EQ(names({"contiguous + warp", "contiguous + warp"}, sizes, 20),
              (Two{"contiguous + warp", "contiguous + warp"}));
    EXPECT_EQ(names({"contiguous + warp", "contiguous + warp"}, sizes, 7), (Two{"con…256", "co…1024"}));
    EXPECT_EQ(names({"contiguous + warp", "contiguous + warp"}, sizes, 3), (Two{"256", "1024"}));
    EXPECT_EQ(names({"interleaved, divergent", "contiguous, full tree"}, none, 6), (Two{"inter…", "conti…"}));
    EXPECT_EQ(names({"contiguous + warp", "contiguous, full tree"}, none, 8), (Two{"con…warp", "con…tree"}));
    for (float room = 3; room < 24; ++room)
        for (const kernels::Kernel& a : kernels::all())
            for (const kernels::Kernel& b : kernels::all()) {
                const Two out = names({std::string(a.title), std::string(b.title)}, sizes, room);
                EXPECT_TRUE(out[0] != out[1] || (a.id == b.id && width(out[0]) > 3))
                    << a.title << ", " << b.title << " in " << room << ": " << out[0];
                EXPECT_TRUE(width(out[0]) <= room) << out[0] << " in " << room;
            }
    // What two files of one folder are called may differ anywhere.
    EXPECT_EQ(names({"recording of Monday a.audit", "recording of Monday b.audit"}, none, 8),
              (Two{"…a.audit", "…b.audit"}));
    EXPECT_EQ(names({"äöü a äöü äöü.audit", "äöü b äöü äöü.audit"}, none, 5), (Two{"…a ä…", "…b ä…"}));
}

TEST(CompareWords, ResultsOfAllCalls) {
    test::Run a = run_of("back_to_back"), b = run_of("back_to_back");
    const auto said = [&] {
        return analysis::difference_of({a.trace, a.analysis}, {b.trace, b.analysis}, "A", "B");
    };
    const std::string race = " A and B each have a race: what comes out depends on the order of turns.";
    EXPECT_EQ(said().reason, "All 2 results are equal, bit for bit." + race);
    b.analysis.results[1].bits += 3;
    EXPECT_EQ(said().ulp, 3);
    EXPECT_EQ(said().reason.find("bit for bit"), std::string::npos) << said().reason;
    b.analysis.results[1].correct = false;
    EXPECT_EQ(said().reason, "B's result 2 is wrong; its findings say why." + race);
}

TEST(CompareWords, QueuesAndNone) {
    const test::Run strided = run_of("interleaved_strided"), full = run_of("contiguous_full");
    const Saying queue = saying_at(strided.side(), in_beat(strided, 3, playback::BeatKind::load, 0.5), false);
    EXPECT_EQ(queue.text,
              "Four in line at each of 8 banks: one load takes 4 wavefronts, now serving number 2");
    EXPECT_EQ(queue.tone, Tone::conflict);
    const Saying free = saying_at(full.side(), in_beat(full, 3, playback::BeatKind::load, 0.5), false);
    EXPECT_EQ(free.text, "A bank for everyone: one load takes 1 wavefront");
    EXPECT_EQ(free.tone, Tone::good);
    const test::Run divergent = run_of("interleaved_divergent");
    const Saying lanes =
        saying_at(divergent.side(), in_beat(divergent, 3, playback::BeatKind::load, 0.5), false);
    EXPECT_NE(lanes.text.find("64 of 256 lanes work"), std::string::npos) << lanes.text;
}

TEST(CompareWords, ASideThatHoldsSaysSo) {
    const test::Run full = run_of("contiguous_full");
    const Saying said = saying_at(
        full.side(), playback::moment_at(full.timeline, playback::end_of_step(full.timeline, 2)), true);
    EXPECT_NE(said.text.find("holds"), std::string::npos);
    EXPECT_EQ(said.tone, Tone::waiting);
}

TEST(CompareWords, EveryMomentHasASentenceOfOneLine) {
    for (const compare::Preset& preset : compare::presets())
        for (const trace::LaunchConfig& config : compare::configs_of(preset, {})) {
            auto trace = compare::run(config, launch::Device::cpu);
            ASSERT_TRUE(trace.has_value());
            const test::Run run = run_of(std::move(*trace));
            for (int i = 0; i <= 200; ++i)
                for (const bool holds : {false, true}) {
                    const Saying said =
                        saying_at(run.side(),
                                  playback::moment_at(run.timeline, run.timeline.duration * i / 200), holds);
                    EXPECT_FALSE(said.text.empty()) << preset.id << i;
                    EXPECT_LE(said.text.size(), 110u) << said.text;
                }
        }
}

}  // namespace
}  // namespace auditorium::panels
