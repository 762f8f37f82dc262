#include <gtest/gtest.h>

#include "app/panels/progress.h"
#include "runs.h"

namespace auditorium::panels {
namespace {

using test::Recorded;

// The numbers of the design's picture A: stride 64, its two loads are over, its store is not.
TEST(Facts, CountUpToThePlayhead) {
    const Recorded run = test::run("contiguous_warp", 256);
    const playback::Span& span = run.timeline.spans[3];
    double combine = -1;
    for (const playback::Beat& beat : span.beats) {
        if (beat.kind == playback::BeatKind::combine)
            combine = (beat.begin + beat.end) / 2;
    }
    ASSERT_GE(combine, 0);
    const playback::Moment moment = playback::moment_at(run.timeline, combine);
    const StepFacts f = facts_at(run.trace, run.analysis, run.timeline, moment);
    EXPECT_EQ(f.number, 3);
    EXPECT_EQ(f.steps, 12);
    EXPECT_EQ(f.active, 64);
    EXPECT_EQ(f.threads, 256);
    EXPECT_EQ(f.warps_issuing, 2);
    EXPECT_EQ(f.warps, 8);
    EXPECT_EQ(f.at_rope, 6);
    EXPECT_EQ(f.barrier, 3);
    EXPECT_EQ(f.barriers, 5);
    EXPECT_EQ(f.wavefronts_ideal, 4);
    EXPECT_EQ(f.wavefronts, 4);
    EXPECT_EQ(f.conflicts, 0);
    const StepFacts at_end = facts_at(run.trace, run.analysis, run.timeline, test::end_of(run, 3));
    EXPECT_EQ(at_end.wavefronts, 6);
    EXPECT_EQ(at_end.at_rope, 8);
}

TEST(Facts, AShuffleCountsItsResults) {
    const Recorded run = test::run("contiguous_warp", 256);
    const StepFacts f = facts_at(run.trace, run.analysis, run.timeline, test::end_of(run, 7));
    EXPECT_TRUE(f.shuffles);
    EXPECT_EQ(f.results_that_count, 8);
    EXPECT_EQ(f.results, 32);
    EXPECT_EQ(f.wavefronts, 0);
    EXPECT_EQ(f.at_rope, 7);
    EXPECT_EQ(f.barrier, 5);
}

// Whatever the kernel: at the end of each step what the step analysis says, and over all steps the totals.
TEST(Facts, StepsAddUpToTheTotals) {
    for (const kernels::Kernel& kernel : kernels::all()) {
        const Recorded run = test::run(std::string(kernel.id), kernel.correct ? 256 : kernel.clinic_block);
        int wavefronts = 0, conflicts = 0;
        for (int step = 1; step < run.timeline.last_span(); ++step) {
            const StepFacts f = facts_at(run.trace, run.analysis, run.timeline, test::end_of(run, step));
            wavefronts += f.wavefronts;
            conflicts += f.conflicts;
            EXPECT_LE(f.at_rope + 0, f.warps) << kernel.id;
        }
        EXPECT_EQ(wavefronts, run.analysis.totals.load_wavefronts + run.analysis.totals.store_wavefronts)
            << kernel.id;
        EXPECT_EQ(conflicts,
                  run.analysis.totals.load_bank_conflicts + run.analysis.totals.store_bank_conflicts)
            << kernel.id;
        const StepFacts done =
            facts_at(run.trace, run.analysis, run.timeline, test::end_of(run, run.timeline.last_span()));
        EXPECT_EQ(done.wavefronts, wavefronts) << kernel.id;
    }
}

// Hits never run backwards, and at the end of each step are the analysis' own.
TEST(Hits, GrowWithTimeToWhatTheAnalysisCounts) {
    for (const kernels::Kernel& kernel : kernels::all()) {
        const Recorded run = test::run(std::string(kernel.id), kernel.correct ? 64 : kernel.clinic_block);
        std::vector<int> before;
        for (double time = 0; time <= run.timeline.duration; time += 0.09) {
            const playback::Moment moment = playback::moment_at(run.timeline, time);
            const std::vector<int> now = hits_at(run.trace, run.analysis, run.timeline, moment);
            for (std::size_t line = 0; line < before.size() && line < now.size(); ++line)
                ASSERT_GE(now[line], before[line]) << kernel.id << " at " << time << " line " << line;
            before = now;
        }
        for (int step = 0; step < run.timeline.last_span(); ++step)
            EXPECT_EQ(hits_at(run.trace, run.analysis, run.timeline, test::end_of(run, step)),
                      run.analysis.hits[std::size_t(step)])
                << kernel.id << " step " << step;
    }
}

TEST(Line, IsWhereTheEventsAre) {
    const Recorded run = test::run("contiguous_warp", 256);
    for (int s = 1; s < run.timeline.last_span(); ++s) {
        const playback::Span& span = run.timeline.spans[std::size_t(s)];
        for (const playback::Beat& beat : span.beats) {
            const playback::Moment moment = playback::moment_at(run.timeline, (beat.begin + beat.end) / 2);
            const int line = line_at(run.trace, run.timeline, moment);
            ASSERT_GT(line, 0);
            const trace::EventKind kind =
                beat.kind == playback::BeatKind::load      ? trace::EventKind::load
                : beat.kind == playback::BeatKind::store   ? trace::EventKind::store
                : beat.kind == playback::BeatKind::combine ? trace::EventKind::combine
                : beat.kind == playback::BeatKind::note    ? trace::EventKind::shuffle
                : beat.kind == playback::BeatKind::wait    ? trace::EventKind::barrier_arrive
                : beat.kind == playback::BeatKind::hold    ? trace::EventKind::barrier_arrive
                                                           : trace::EventKind::syncwarp;
            if (kind == trace::EventKind::syncwarp)
                continue;
            bool there = false;
            for (const auto& events : run.trace.events) {
                for (const trace::Event& event : events)
                    there |= event.kind == kind && event.line == line;
            }
            EXPECT_TRUE(there) << "step " << s << " line " << line;
        }
    }
    EXPECT_EQ(line_at(run.trace, run.timeline, test::end_of(run, 0)), 0);
}

}  // namespace
}  // namespace auditorium::panels
