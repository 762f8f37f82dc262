// A timeline's properties, and the functions that move in it, on a trace written by hand: four threads of one
// warp stage, fold by 2 at the board, hold a barrier after each, and read the result.
#include <gtest/gtest.h>

#include <bit>
#include <stdexcept>

#include "app/playback/playback.h"

namespace auditorium::playback {
namespace {

using trace::Event;
using trace::EventKind;

Event event(EventKind kind, int line, int arg, float value) {
    Event e;
    e.kind = kind;
    e.line = std::uint16_t(line);
    e.arg = std::uint16_t(arg);
    e.bits = std::bit_cast<std::uint32_t>(value);
    return e;
}

// The maximum of `values` by a tree over shared memory; every event as a kernel would leave it.
trace::Trace tree(std::vector<float> values) {
    const int block = int(values.size());
    trace::Trace t;
    t.config.kernel = "by hand";
    t.config.block = block;
    for (const float v : values)
        t.config.values.push_back(std::bit_cast<std::uint32_t>(v));
    t.source = "by hand\n\n\n\n\n\n\n\n";
    t.events.resize(block);
    int barrier = 0;
    const auto barrier_for_all = [&](int line) {
        for (auto& events : t.events) {
            events.push_back(event(EventKind::barrier_arrive, line, barrier, 0));
            events.push_back(event(EventKind::barrier_leave, line, barrier, 0));
        }
        trace::Snapshot snapshot{barrier, {}};
        for (const float v : values)
            snapshot.boxes.push_back(std::bit_cast<std::uint32_t>(v));
        t.snapshots.push_back(snapshot);
        ++barrier;
    };
    for (int i = 0; i < block; ++i)
        t.events[i].push_back(event(EventKind::store, 1, i, values[i]));
    barrier_for_all(2);
    for (int stride = block / 2; stride > 0; stride /= 2) {
        for (int i = 0; i < stride; ++i) {
            t.events[i].push_back(event(EventKind::load, 4, i, values[i]));
            t.events[i].push_back(event(EventKind::load, 4, i + stride, values[i + stride]));
            const float best = std::max(values[i], values[i + stride]);
            t.events[i].push_back(event(EventKind::combine, 4, 0, best));
            t.events[i].push_back(event(EventKind::store, 4, i, best));
        }
        for (int i = 0; i < stride; ++i)
            values[i] = std::max(values[i], values[i + stride]);
        barrier_for_all(5);
    }
    for (int i = 0; i < block; ++i)
        t.events[i].push_back(event(EventKind::load, 7, 0, values[0]));
    trace::Snapshot end{barrier, {}};
    for (const float v : values)
        end.boxes.push_back(std::bit_cast<std::uint32_t>(v));
    t.snapshots.push_back(end);
    t.results.assign(1, std::vector<std::uint32_t>(block, std::bit_cast<std::uint32_t>(values[0])));
    t.result_undefined.assign(1, std::vector<std::uint8_t>(block, 0));
    auto finished = trace::finish(std::move(t));
    if (!finished)
        throw std::runtime_error(finished.error().sentence);
    return *finished;
}

struct TimelineTest : ::testing::Test {
    trace::Trace trace = tree({3, 1, 4, 1.5f});
    analysis::Analysis analysis = analysis::analyze(trace);
    Timeline timeline = make_timeline(trace, analysis);

    std::vector<BeatKind> kinds(int span) const {
        std::vector<BeatKind> out;
        for (const Beat& beat : timeline.spans[span].beats)
            out.push_back(beat.kind);
        return out;
    }
};

TEST_F(TimelineTest, SpansAreTheCapsAndTheSteps) {
    ASSERT_EQ(timeline.spans.size(), trace.steps.size() + 2);
    EXPECT_EQ(timeline.spans.front().step, -1);
    EXPECT_EQ(timeline.spans.back().step, -1);
    for (std::size_t s = 0; s < trace.steps.size(); ++s)
        EXPECT_EQ(timeline.spans[s + 1].step, int(s));
}

TEST_F(TimelineTest, BeatsFillTheirSpansWithoutGaps) {
    double now = 0;
    for (const Span& span : timeline.spans) {
        EXPECT_DOUBLE_EQ(span.begin, now);
        ASSERT_FALSE(span.beats.empty());
        for (const Beat& beat : span.beats) {
            EXPECT_DOUBLE_EQ(beat.begin, now);
            EXPECT_GT(beat.end, beat.begin);
            EXPECT_LE(beat.lead, beat.seconds());
            now = beat.end;
        }
        EXPECT_DOUBLE_EQ(span.end, now);
    }
    EXPECT_DOUBLE_EQ(timeline.duration, now);
}

TEST_F(TimelineTest, BeatsFollowTheEventsOfAStep) {
    using enum BeatKind;
    ASSERT_EQ(trace.steps.size(), 4u);
    EXPECT_EQ(kinds(1), (std::vector<BeatKind>{store, wait, hold, drop}));
    EXPECT_EQ(kinds(2), (std::vector<BeatKind>{load, load, combine, store, wait, hold, drop}));
    EXPECT_EQ(kinds(4), (std::vector<BeatKind>{broadcast}));
}

TEST_F(TimelineTest, TheHoldLastsHalfASecond) {
    for (const Span& span : timeline.spans)
        for (const Beat& beat : span.beats)
            if (beat.kind == BeatKind::hold) {
                EXPECT_NEAR(beat.seconds(), 0.5, 1e-12);
            }
}

TEST_F(TimelineTest, AMomentOnABorderBelongsToWhatEndsThere) {
    for (int s = 0; s <= timeline.last_span(); ++s) {
        const Moment at_end = moment_at(timeline, timeline.spans[s].end);
        EXPECT_EQ(at_end.span, s);
        EXPECT_DOUBLE_EQ(at_end.span_progress, 1);
        EXPECT_DOUBLE_EQ(at_end.beat_progress, 1);
        const Moment step_end = moment_at(timeline, end_of_step(timeline, s));
        EXPECT_EQ(step_end.span, s);
        EXPECT_TRUE(step_end.at_end);
        for (std::size_t b = 0; b < timeline.spans[s].beats.size(); ++b)
            EXPECT_EQ(moment_at(timeline, timeline.spans[s].beats[b].end).beat, int(b));
    }
}

TEST_F(TimelineTest, AStepWithABarrierEndsWithTheRopeUp) {
    const Moment moment = moment_at(timeline, end_of_step(timeline, 1));
    EXPECT_EQ(timeline.spans[1].beats[moment.beat].kind, BeatKind::hold);
}

TEST_F(TimelineTest, MomentsNeverGoBackwards) {
    Moment last;
    for (int i = 0; i <= 5000; ++i) {
        const Moment m = moment_at(timeline, timeline.duration * i / 5000);
        ASSERT_GE(m.span, last.span);
        if (m.span == last.span) {
            ASSERT_GE(m.beat, last.beat);
        }
        ASSERT_GE(m.beat_progress, 0);
        ASSERT_LE(m.beat_progress, 1);
        last = m;
    }
    EXPECT_EQ(moment_at(timeline, -5).time, 0);
    EXPECT_EQ(moment_at(timeline, 1e9).time, timeline.duration);
}

TEST_F(TimelineTest, TimeWithoutHoldsLeavesOutTheHoldsAlone) {
    double holds = 0;
    for (const Span& span : timeline.spans)
        for (const Beat& beat : span.beats)
            if (beat.kind == BeatKind::hold)
                holds += beat.seconds();
    EXPECT_NEAR(holds, 0.5 * trace.barriers, 1e-9);
    EXPECT_DOUBLE_EQ(with_holds(timeline, 0), 0);
    EXPECT_NEAR(duration_without_holds(timeline), timeline.duration - holds, 1e-9);
    EXPECT_NEAR(with_holds(timeline, timeline.duration - holds), timeline.duration, 1e-9);
    // Past the first barrier, one hold has been left out.
    const double begin = timeline.spans[2].begin + 0.1;
    EXPECT_NEAR(with_holds(timeline, begin - 0.5), begin, 1e-9);
    for (double at = 0; at < timeline.duration - holds; at += 0.17)
        EXPECT_NEAR(without_holds(timeline, with_holds(timeline, at)), at, 1e-9);
}

TEST_F(TimelineTest, StepsForwardAndBackVisitTheSameEnds) {
    Playback playback;
    std::vector<double> forward;
    while (playback.time < timeline.duration) {
        step_forward(playback, timeline);
        forward.push_back(playback.time);
    }
    ASSERT_EQ(forward.size(), timeline.spans.size());
    for (std::size_t i = 0; i < forward.size(); ++i)
        EXPECT_DOUBLE_EQ(forward[i], end_of_step(timeline, int(i)));
    for (std::size_t i = forward.size() - 1; i-- > 0;) {
        step_back(playback, timeline);
        EXPECT_DOUBLE_EQ(playback.time, forward[i]);
    }
    step_back(playback, timeline);
    EXPECT_DOUBLE_EQ(playback.time, 0);
}

TEST_F(TimelineTest, SubStepsVisitEveryBeat) {
    Playback playback;
    std::vector<double> forward;
    while (playback.time < timeline.duration) {
        sub_step_forward(playback, timeline);
        forward.push_back(playback.time);
    }
    std::size_t beats = 0;
    for (const Span& span : timeline.spans)
        beats += span.beats.size();
    EXPECT_EQ(forward.size(), beats);
    for (std::size_t i = forward.size() - 1; i-- > 0;) {
        sub_step_back(playback, timeline);
        EXPECT_DOUBLE_EQ(playback.time, forward[i]);
    }
}

TEST_F(TimelineTest, PlayingStopsAtTheEndOrGoesRound) {
    Playback playback;
    playback.playing = true;
    playback.speed = 2;
    advance(playback, timeline, 0.25);
    EXPECT_DOUBLE_EQ(playback.time, 0.5);
    advance(playback, timeline, 1e6);
    EXPECT_DOUBLE_EQ(playback.time, timeline.duration);
    EXPECT_FALSE(playback.playing);
    toggle(playback, timeline);
    EXPECT_DOUBLE_EQ(playback.time, 0);
    EXPECT_TRUE(playback.playing);
    playback.loop = true;
    playback.speed = 1;
    advance(playback, timeline, timeline.duration + 0.125);
    EXPECT_NEAR(playback.time, 0.125, 1e-9);
    EXPECT_TRUE(playback.playing);
}

TEST_F(TimelineTest, TheClickerStopsWhereTheStepEnds) {
    Playback playback;
    seek(playback, timeline, timeline.spans[2].begin + 0.01);
    play_to_step_end(playback, timeline);
    EXPECT_TRUE(playback.playing);
    for (int i = 0; i < 10000 && playback.playing; ++i)
        advance(playback, timeline, 0.016);
    EXPECT_FALSE(playback.playing);
    EXPECT_DOUBLE_EQ(playback.time, end_of_step(timeline, 2));
}

TEST_F(TimelineTest, SmallAdvancesAddUpToOneLargeOne) {
    Playback a, b;
    a.playing = b.playing = true;
    for (int i = 0; i < 1000; ++i)
        advance(a, timeline, 0.001);
    advance(b, timeline, 1.0);
    EXPECT_NEAR(a.time, b.time, 1e-9);
    EXPECT_EQ(moment_at(timeline, a.time).span, moment_at(timeline, b.time).span);
}

// One warp, every lane's box in one bank: as many tickets as lanes.
TEST(Queues, AConflictLastsAsLongAsItsWavefronts) {
    trace::Trace plain = tree(std::vector<float>(64, 1));
    trace::Trace strided = tree(std::vector<float>(64, 1));
    const analysis::Analysis a = analysis::analyze(plain);
    analysis::Analysis b = analysis::analyze(strided);
    for (analysis::Request& request : b.requests)
        if (request.step == 1 && request.order == 0)
            request.wavefronts = 8;
    const Timeline one = make_timeline(plain, a), eight = make_timeline(strided, b);
    const Beat& quick = one.spans[2].beats[0];
    const Beat& slow = eight.spans[2].beats[0];
    ASSERT_EQ(slow.kind, BeatKind::load);
    EXPECT_EQ(slow.wavefronts, 8);
    EXPECT_NEAR(slow.seconds() - slow.lead, 8 * 0.2, 1e-9);
    EXPECT_LT(quick.seconds(), slow.seconds());
}

}  // namespace
}  // namespace auditorium::playback
