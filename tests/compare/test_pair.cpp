// How two runs are aligned on one clock.
#include <algorithm>

#include "sides.h"

namespace auditorium::playback {
namespace {

using test::run_of;
using test::with_cycles;

int span_at(const Pair& pair, const test::Run& run, int side, double clock) {
    return moment_at(run.timeline, side_time(pair, side, clock)).span;
}

// What holds for every pair.
void check(const Pair& pair, const test::Run& left, const test::Run& right) {
    ASSERT_EQ(pair.rows.size(), pair.clock.spans.size());
    double now = 0;
    for (const Span& span : pair.clock.spans) {
        EXPECT_DOUBLE_EQ(span.begin, now);
        ASSERT_FALSE(span.beats.empty());
        double beat = span.begin;
        for (const Beat& b : span.beats) {
            EXPECT_DOUBLE_EQ(b.begin, beat);
            EXPECT_GT(b.end, b.begin);
            beat = b.end;
        }
        EXPECT_DOUBLE_EQ(span.end, beat);
        now = span.end;
    }
    EXPECT_DOUBLE_EQ(pair.clock.duration, now);
    const test::Run* runs[2] = {&left, &right};
    for (int s = 0; s < 2; ++s) {
        const auto& knots = pair.knots[std::size_t(s)];
        for (std::size_t k = 1; k < knots.size(); ++k) {
            EXPECT_GE(knots[k].clock, knots[k - 1].clock);
            EXPECT_GE(knots[k].side, knots[k - 1].side);
        }
        EXPECT_EQ(side_time(pair, s, pair.clock.duration), runs[s]->timeline.duration);
        // Forwards and back give the same; every moment of a side is on the clock.
        double before = 0;
        for (int i = 0; i <= 500; ++i) {
            const double at = side_time(pair, s, pair.clock.duration * i / 500);
            EXPECT_GE(at, before);
            before = at;
        }
        for (int i = 0; i <= 100; ++i) {
            const double first = pair.knots[std::size_t(s)].front().side;
            const double time = first + (runs[s]->timeline.duration - first) * i / 100;
            const double again = side_time(pair, s, clock_time(pair, s, time));
            EXPECT_NEAR(again, time, 1e-9);
        }
    }
}

TEST(Pair, ByStepTheNthStandsBesideTheNth) {
    const test::Run left = run_of("interleaved_divergent"), right = run_of("contiguous_warp");
    const Pair pair = make_pair(PairMode::step, left.side(), right.side());
    check(pair, left, right);
    ASSERT_EQ(pair.rows.size(), 14u) << "arrive, twelve steps, done: the longer side's";
    for (int row = 0; row <= 10; ++row) {
        EXPECT_EQ(pair.rows[std::size_t(row)][0], row);
        EXPECT_EQ(pair.rows[std::size_t(row)][1], row);
        // At its end both are exactly where their steps end, ropes still up.
        const double end = end_of_step(pair.clock, row);
        EXPECT_EQ(side_time(pair, 0, end), end_of_step(left.timeline, row));
        EXPECT_EQ(side_time(pair, 1, end), end_of_step(right.timeline, row));
        EXPECT_TRUE(moment_at(left.timeline, side_time(pair, 0, end)).at_end);
    }
    EXPECT_EQ(pair.rows[12][0], 11) << "the shorter side is done and holds";
    EXPECT_EQ(pair.rows[12][1], 12);
    EXPECT_EQ(side_time(pair, 0, end_of_step(pair.clock, 12)), left.timeline.duration);
}

TEST(Pair, EachGoesAtItsOwnPaceAndTheShorterHolds) {
    // At s = 4 the strided one queues, the contiguous one does not.
    const test::Run left = run_of("interleaved_strided"), right = run_of("contiguous_full");
    const Pair pair = make_pair(PairMode::step, left.side(), right.side());
    check(pair, left, right);
    const int row = 4;
    const double begin = pair.clock.spans[std::size_t(row)].begin;
    const Span& own = right.timeline.spans[std::size_t(row)];
    const double length = end_of_step(right.timeline, row) - own.begin;
    EXPECT_NEAR(side_time(pair, 1, begin + length / 2), own.begin + length / 2, 1e-9) << "speed 1";
    const double end = end_of_step(pair.clock, row);
    ASSERT_GT(end - begin, length + 0.2);
    EXPECT_EQ(side_time(pair, 1, begin + length + 0.1), end_of_step(right.timeline, row)) << "holds";
    EXPECT_LT(side_time(pair, 0, begin + length + 0.1), end_of_step(left.timeline, row)) << "still at work";
}

TEST(Pair, ByPhaseEqualPhasesStandBesideEachOther) {
    const test::Run left = run_of("contiguous_full"), right = run_of("contiguous_warp");
    const Pair pair = make_pair(PairMode::phase, left.side(), right.side());
    check(pair, left, right);
    // arrive, stage, 8 cuts (the right one has 3), sit and 5 shuffles, publish, broadcast, done
    ASSERT_EQ(pair.rows.size(), 19u);
    EXPECT_EQ(pair.rows[4], (std::array<int, 2>{4, 4}));
    EXPECT_EQ(pair.rows[9], (std::array<int, 2>{9, 4})) << "the right side holds after its third cut";
    EXPECT_EQ(pair.rows[10], (std::array<int, 2>{9, 5})) << "the left side holds during the council";
    EXPECT_EQ(pair.rows[16], (std::array<int, 2>{9, 11}));
    EXPECT_EQ(pair.rows[17], (std::array<int, 2>{10, 12})) << "both read";
    EXPECT_EQ(pair.rows[18], (std::array<int, 2>{11, 13}));
}

TEST(Pair, ByPhaseOfOtherSizesToo) {
    const test::Run left = run_of("contiguous_warp@64"), right = run_of("contiguous_warp@1024");
    const Pair pair = make_pair(PairMode::phase, left.side(), right.side());
    check(pair, left, right);
    // 64 threads: one cut; 1024: five. Then both sit down together.
    for (std::size_t row = 0; row < pair.rows.size(); ++row) {
        const auto kind = [](const test::Run& run, int span) {
            const int step = run.timeline.spans[std::size_t(span)].step;
            return step < 0 ? -1 : int(run.trace.steps[std::size_t(step)].kind);
        };
        EXPECT_EQ(kind(left, pair.rows[row][0]), kind(right, pair.rows[row][1])) << row;
    }
}

TEST(Pair, RaceRunsByCycles) {
    const test::Run left = with_cycles("interleaved_strided", 984),
                    right = with_cycles("contiguous_warp", 574);
    const Pair pair = make_pair(PairMode::race, left.side(), right.side());
    ASSERT_EQ(pair.mode, PairMode::race);
    check(pair, left, right);
    EXPECT_EQ(pair.cycles[0].source, CycleSource::modelled);
    EXPECT_DOUBLE_EQ(pair.cycles[0].total, 984);
    EXPECT_DOUBLE_EQ(pair.cycles[1].total, 574);
    const auto at = [&](double cycles) { return cycles / pair.cycles_per_second; };
    EXPECT_EQ(span_at(pair, left, 0, 0), 0);
    EXPECT_EQ(span_at(pair, right, 1, at(573)), 12);
    EXPECT_EQ(span_at(pair, right, 1, at(575)), 13) << "done";
    EXPECT_EQ(span_at(pair, left, 0, at(983)), 10);
    EXPECT_EQ(span_at(pair, left, 0, at(985)), 11);
    // Every end of a step on either side ends a row, and the ends rise.
    double before = 0;
    for (const double end : pair.cycles[0].ends) {
        EXPECT_GT(end, before);
        before = end;
        const bool found = std::any_of(pair.clock.spans.begin(), pair.clock.spans.end(),
                                       [&](const Span& span) { return std::abs(span.end - at(end)) < 1e-9; });
        EXPECT_TRUE(found) << end;
    }
}

TEST(Pair, RaceTakesStampsWhereThereAre) {
    trace::Trace trace = test::simulated("contiguous_full@64");
    trace.origin.kind = trace::Origin::Kind::gpu;
    trace.cycles = trace::Cycles{600, 600, 600, 1, true};
    // Warp 1 is later at everything; a stamp for each event of lane 0.
    for (int warp = 0; warp < 2; ++warp)
        for (int event = 0; event <= int(trace.events[std::size_t(warp) * 32].size()); ++event)
            trace.stamps.push_back({warp, event, 0, event * 10.0 + warp * 3, 0, 1});
    const test::Run left = run_of(trace), right = with_cycles("contiguous_warp@64", 300);
    const Pair pair = make_pair(PairMode::race, left.side(), right.side());
    EXPECT_EQ(pair.cycles[0].source, CycleSource::stamps);
    EXPECT_EQ(pair.cycles[1].source, CycleSource::modelled);
    // The first step ends when the last warp leaves its barrier: events store, arrive, leave.
    EXPECT_EQ(trace.events[0][1].kind, trace::EventKind::barrier_arrive);
    EXPECT_DOUBLE_EQ(pair.cycles[0].ends[0], 23);
    const double last = 10.0 * double(std::max(trace.events[0].size(), trace.events[32].size()));
    EXPECT_NEAR(pair.cycles[0].total, last, 3.01) << "not stretched to the plain kernel's 600";
}

TEST(Pair, WhatHasNoCyclesCannotRace) {
    const test::Run left = with_cycles("contiguous_full", 800), right = run_of("contiguous_warp");
    EXPECT_EQ(why_no_race(left.trace), "");
    EXPECT_NE(why_no_race(right.trace).find("simulated"), std::string::npos);
    EXPECT_EQ(make_pair(PairMode::race, left.side(), right.side()).mode, PairMode::step);
}

TEST(Pair, SubStepsStopAtTheBeatsOfBoth) {
    const test::Run left = run_of("interleaved_strided@64"), right = run_of("contiguous_warp@64");
    const Pair pair = make_pair(PairMode::step, left.side(), right.side());
    Playback play;
    std::vector<double> stops;
    while (play.time < pair.clock.duration) {
        const double before = play.time;
        sub_step_forward(play, pair.clock);
        ASSERT_GT(play.time, before);
        stops.push_back(play.time);
    }
    const auto stopped = [&](double time) {
        return std::any_of(stops.begin(), stops.end(), [&](double t) { return std::abs(t - time) < 1e-9; });
    };
    for (const Span& span : left.timeline.spans)
        for (const Beat& beat : span.beats) {
            const bool before_rope =
                beat.end < end_of_step(left.timeline, int(&span - left.timeline.spans.data())) + 1e-9;
            EXPECT_TRUE(!before_rope || stopped(clock_time(pair, 0, beat.end))) << beat.end;
        }
    // And back over the same.
    for (auto it = stops.rbegin() + 1; it != stops.rend(); ++it) {
        sub_step_back(play, pair.clock);
        EXPECT_DOUBLE_EQ(play.time, *it);
    }
}

TEST(Pair, EveryPresetIsAPair) {
    for (const compare::Preset& preset : compare::presets()) {
        const auto configs = compare::configs_of(preset, {});
        std::vector<test::Run> runs;
        for (const trace::LaunchConfig& config : configs) {
            auto trace = compare::run(config, launch::Device::automatic);
            ASSERT_TRUE(trace.has_value()) << preset.id << ": " << trace.error().sentence;
            runs.push_back(run_of(std::move(*trace)));
        }
        for (const PairMode mode : {PairMode::step, PairMode::phase, PairMode::race})
            check(make_pair(mode, runs[0].side(), runs[1].side()), runs[0], runs[1]);
    }
}

}  // namespace
}  // namespace auditorium::playback
