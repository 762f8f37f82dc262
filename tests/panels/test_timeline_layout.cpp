#include <gtest/gtest.h>

#include <cmath>

#include "analysis/timing.h"
#include "app/panels/timeline_layout.h"
#include "runs.h"
#include "trace/io.h"

namespace auditorium::panels {
namespace {

using test::Recorded;

TimelineLayout lay_out(const Recorded& run, float width = 1100) {
    return lay_out_timeline(run.trace, run.analysis, run.timeline, width);
}

TEST(TimelineLayout, SegmentsFillTheWidthInOrder) {
    for (const kernels::Kernel& kernel : kernels::all()) {
        const Recorded run = test::run(std::string(kernel.id), kernel.correct ? 256 : kernel.clinic_block);
        const TimelineLayout t = lay_out(run);
        ASSERT_EQ(t.segments.size(), run.timeline.spans.size());
        EXPECT_FLOAT_EQ(t.segments.front().x0, 0);
        EXPECT_FLOAT_EQ(t.segments.back().x1, 1100);
        for (std::size_t i = 1; i < t.segments.size(); ++i) {
            EXPECT_FLOAT_EQ(t.segments[i].x0, t.segments[i - 1].x1);
            EXPECT_GT(t.segments[i].x1 - t.segments[i].x0, 5) << kernel.id;
        }
    }
}

TEST(TimelineLayout, TheArticlesKernelReadsAsInTheDesign) {
    const Recorded run = test::run("contiguous_warp", 256);
    const TimelineLayout t = lay_out(run);
    std::string labels, barriers;
    for (const Segment& s : t.segments) {
        labels += s.label + " ";
        barriers += s.barrier ? "|" : ".";
    }
    EXPECT_EQ(labels, "arrive stage stride 128 64 32 sit 16 8 4 2 1 publish broadcast done ");
    EXPECT_EQ(barriers, ".||||......|..");
    ASSERT_EQ(t.groups.size(), 4u);
    EXPECT_EQ(t.groups[0].label, "write");
    EXPECT_EQ(t.groups[1].label, "cuts at the board");
    EXPECT_EQ(t.groups[2].label, "council: shuffle down by");
    EXPECT_EQ(t.groups[3].label, "champion");
}

TEST(TimelineLayout, PartialResultsAreNoChampion) {
    const auto labels = [](const Recorded& run) {
        std::string all;
        for (const Group& group : lay_out(run).groups)
            all += group.label + "|";
        return all;
    };
    EXPECT_EQ(labels(test::run("shuffle_first", 256)),
              "council: shuffle down by|partials|council: shuffle down by|champion|");
    EXPECT_EQ(labels(test::run("one_barrier", 256)),
              "council: exchange at distance|partials|council: exchange at distance|");
    EXPECT_EQ(labels(test::run("back_to_back", 256)).find("partials"), std::string::npos);
}

// A recording with stamps: each warp's bar in a step is as long as its stamps say; waiting fills the rest.
TEST(TimelineLayout, BarsAreTheStampsWhereThereAreAny) {
    for (const char* name : {"contiguous_warp-max-float-256", "interleaved_strided-max-float-256",
                             "one_barrier-max-float-1024", "shuffle_first-max-float-256"}) {
        auto read = trace::read(std::string(AUDITORIUM_SOURCE_DIR "/recordings/") + name + ".audit");
        ASSERT_TRUE(read) << name;
        Recorded run{std::move(*read), {}, {}};
        run.analysis = analysis::analyze(run.trace);
        run.timeline = playback::make_timeline(run.trace, run.analysis);
        const TimelineLayout t = lay_out(run);
        ASSERT_TRUE(t.measured) << name;
        // The smallest of a warp's stamps from that event on: see analysis::WarpTime.
        const auto stamp = [&](int warp, std::size_t event) {
            double at = -1, least = 1e18;
            for (const trace::Stamp& s : run.trace.stamps) {
                if (s.warp != warp || s.event < int(event))
                    continue;
                if (s.event == int(event))
                    at = s.median;
                least = std::min(least, s.median);
            }
            return at < 0 ? at : least;
        };
        int checked = 0;
        for (const Segment& segment : t.segments) {
            const int s = run.timeline.spans[std::size_t(segment.span)].step;
            if (s < 0)
                continue;
            // Cycles from a warp's arrival at its first event to its arrival at what follows; the step's own
            // window from the events alone.
            double first = 1e18, last = 0;
            std::vector<double> work(std::size_t(run.trace.warps()), -1);
            for (int w = 0; w < run.trace.warps(); ++w) {
                const trace::Piece piece = run.trace.steps[std::size_t(s)].pieces[std::size_t(w) * 32];
                const auto& events = run.trace.events[std::size_t(w) * 32];
                if (piece.empty())
                    continue;
                double begin = piece.begin == 0 ? 0 : stamp(w, piece.begin);
                if (begin < 0)
                    begin = stamp(w, piece.begin - 1);
                std::size_t leave = piece.end;
                if (run.trace.steps[std::size_t(s)].barrier_after)
                    while (events[leave].kind != trace::EventKind::barrier_leave)
                        ++leave;
                work[std::size_t(w)] = stamp(w, piece.end) - begin;
                first = std::min(first, begin);
                last = std::max(last, stamp(w, leave));
            }
            for (int w = 0; w < run.trace.warps(); ++w) {
                float length = 0;
                for (const Bar& bar : t.bars)
                    if (bar.warp == w && bar.kind != Bar::Kind::waiting && bar.kind != Bar::Kind::idle &&
                        bar.x0 >= segment.x0 - 0.01f && bar.x1 <= segment.x1 + 0.01f)
                        length += bar.x1 - bar.x0;
                const double expected = work[std::size_t(w)] < 0 ? 0
                                                                 : work[std::size_t(w)] / (last - first) *
                                                                       double(segment.x1 - segment.x0);
                EXPECT_NEAR(length, expected, 0.05) << name << " step " << s << " warp " << w;
                ++checked;
            }
        }
        EXPECT_GT(checked, 50) << name;
    }
    EXPECT_FALSE(lay_out(test::run("contiguous_warp", 256)).measured);  // simulated: no stamps
}

TEST(TimelineLayout, SaysHowMuchStampsCostWhereItIsMuch) {
    EXPECT_EQ(lay_out(test::run("contiguous_warp", 256)).origin, "modelled");
    auto read = trace::read(AUDITORIUM_SOURCE_DIR "/recordings/contiguous_warp-max-float-256.audit");
    ASSERT_TRUE(read);
    Recorded run{std::move(*read), {}, {}};
    run.analysis = analysis::analyze(run.trace);
    run.timeline = playback::make_timeline(run.trace, run.analysis);
    EXPECT_EQ(lay_out(run).origin, "measured");
    run.trace.cycles->median = *analysis::stamped_cycles(run.trace) / 1.42;
    EXPECT_EQ(lay_out(run).origin, "stamps +42%");
}

// Scrubbing lands where the pointer is, and the playhead where the time is.
TEST(TimelineLayout, TimeAndPlaceAreInverse) {
    for (const char* kernel : {"contiguous_warp", "interleaved_strided", "back_to_back"}) {
        const Recorded run = test::run(kernel, 256);
        const TimelineLayout t = lay_out(run);
        float before = -1;
        for (double time = 0; time <= run.timeline.duration; time += run.timeline.duration / 400) {
            const float x = t.x_of(run.timeline, time);
            EXPECT_GE(x, before);
            before = x;
            EXPECT_NEAR(t.time_of(run.timeline, x), time, 0.02) << kernel;
        }
        EXPECT_NEAR(t.time_of(run.timeline, -50), 0, 1e-9);
        EXPECT_NEAR(t.time_of(run.timeline, 5000), run.timeline.duration, 1e-9);
    }
}

bool has(const TimelineLayout& t, const Segment& s, int warp, Bar::Kind kind) {
    for (const Bar& bar : t.bars) {
        if (bar.warp == warp && bar.kind == kind && bar.x0 < s.x1 - 1 && bar.x1 > s.x0 + 1)
            return true;
    }
    return false;
}

TEST(TimelineLayout, LanesShowWhoWorksAndWhoWaits) {
    const Recorded run = test::run("contiguous_warp", 256);
    const TimelineLayout t = lay_out(run);
    const Segment& s = t.segments[3];  // stride 64: two rows work, six wait
    for (int w = 0; w < 8; ++w) {
        EXPECT_EQ(has(t, s, w, Bar::Kind::full), w < 2) << w;
        EXPECT_TRUE(has(t, s, w, Bar::Kind::waiting)) << w;
    }
    for (int w = 0; w < 8; ++w)
        EXPECT_TRUE(has(t, t.segments.back(), w, Bar::Kind::idle));
}

TEST(TimelineLayout, DivergentRowsAreHalfHighAndQueuesNotched) {
    const Recorded divergent = test::run("interleaved_divergent", 256);
    const TimelineLayout a = lay_out(divergent);
    for (int w = 0; w < 8; ++w) {
        EXPECT_TRUE(has(a, a.segments[2], w, Bar::Kind::half));
        EXPECT_FALSE(has(a, a.segments[2], w, Bar::Kind::notched));
    }
    const Recorded strided = test::run("interleaved_strided", 256);
    const TimelineLayout b = lay_out(strided);
    int notches = 0;
    for (const Bar& bar : b.bars)
        notches = std::max(notches, bar.notches);
    int ways = 0;
    for (const auto& step : strided.analysis.steps)
        ways = std::max(ways, step.max_ways);
    EXPECT_GT(ways, 1);
    EXPECT_EQ(notches, ways);
    const TimelineLayout c = lay_out(test::run("contiguous_full", 256));
    for (const Bar& bar : c.bars)
        EXPECT_NE(bar.kind, Bar::Kind::notched);
}

TEST(TimelineLayout, BarsOfARowFollowOneAnother) {
    for (const kernels::Kernel& kernel : kernels::all()) {
        const Recorded run = test::run(std::string(kernel.id), kernel.correct ? 1024 : kernel.clinic_block);
        const TimelineLayout t = lay_out(run);
        int warp = -1;
        float x = 0;
        for (const Bar& bar : t.bars) {
            if (bar.warp != warp) {
                if (warp >= 0) {
                    EXPECT_NEAR(x, 1100, 0.5) << kernel.id;
                }
                EXPECT_EQ(bar.warp, warp + 1);
                warp = bar.warp;
                x = 0;
            }
            EXPECT_NEAR(bar.x0, x, 0.5) << kernel.id;
            EXPECT_GT(bar.x1, bar.x0);
            x = bar.x1;
        }
        EXPECT_EQ(warp, run.trace.warps() - 1);
    }
}

// Rows that leave do not wait: neither before they read nor after; the mark of the barrier says mismatch.
TEST(TimelineLayout, WhoLeavesDoesNotWait) {
    const Recorded run = test::run("divergent_barrier", 256);
    const TimelineLayout layout = lay_out_timeline(run.trace, run.analysis, run.timeline, 1200);
    for (const Segment& segment : layout.segments) {
        EXPECT_NE(segment.phase, Phase::champion) << segment.label;
        EXPECT_EQ(segment.mismatch, segment.barrier && segment.span > 1) << segment.label;
    }
    const Segment& cut = layout.segments[2];
    const Segment& left = layout.segments[3];
    EXPECT_EQ(left.label, "leave");
    bool row_0_waits = false;
    for (const Bar& bar : layout.bars) {
        const bool leaver = bar.warp >= 4 && bar.x0 >= cut.x0;
        EXPECT_FALSE(leaver && bar.kind == Bar::Kind::waiting) << bar.warp << " at " << bar.x0;
        row_0_waits = row_0_waits || (bar.warp == 0 && bar.kind == Bar::Kind::waiting && bar.x1 > left.x0 &&
                                      bar.x0 < left.x1);
    }
    EXPECT_TRUE(row_0_waits);
}

}  // namespace
}  // namespace auditorium::panels
