#include <gtest/gtest.h>

#include <set>

#include "app/panels/ticks.h"
#include "app/scene/prepared.h"
#include "runs.h"

namespace auditorium::panels {
namespace {

using inspector::Trouble;
using test::Recorded;

Ticks ticks_of(const Recorded& run, float width, float size = 10) {
    const TimelineLayout timeline = lay_out_timeline(run.trace, run.analysis, run.timeline, width);
    return lay_out_ticks(inspector::make_index(run.trace, run.analysis), timeline, size);
}

TEST(Ticks, EachMarkedStepHasItsTicksAndNoneCoversAnother) {
    for (const kernels::Kernel& kernel : kernels::all()) {
        for (const int block : {kernel.correct ? 256 : kernel.clinic_block, 1024}) {
            if (block == 1024 && kernel.correct && !kernels::why_not(kernel, block).empty())
                continue;
            const Recorded run = test::run(std::string(kernel.id), block);
            const inspector::Index index = inspector::make_index(run.trace, run.analysis);
            for (const float width : {960.f, 1500.f}) {
                const Ticks ticks = ticks_of(run, width);
                std::set<int> marked, shown;
                for (const inspector::Mark& mark : index.marks)
                    marked.insert(mark.step);
                for (std::size_t i = 0; i < ticks.ticks.size(); ++i) {
                    shown.insert(ticks.ticks[i].step);
                    EXPECT_GE(ticks.ticks[i].x, 5);
                    EXPECT_LE(ticks.ticks[i].x, width - 5);
                    const float before = i > 0 ? ticks.ticks[i - 1].x : -100;
                    EXPECT_GE(ticks.ticks[i].x - before, 10) << kernel.id << block;
                    EXPECT_EQ(tick_at(ticks, ticks.ticks[i].x, 10), int(i));
                }
                EXPECT_EQ(shown, marked) << kernel.id << block;
            }
        }
    }
}

TEST(Ticks, WhereThereIsNoRoomTheWorstStandsAndSaysThatThereIsMore) {
    inspector::Index index;
    index.marks = {{0, 0, Trouble::hazard, 0}, {0, 1, Trouble::hazard, 0}, {0, 0, Trouble::conflict, -1}};
    TimelineLayout timeline;
    timeline.segments.resize(3);
    timeline.segments[1].x0 = 100;
    for (const float width : {15.f, 60.f}) {
        timeline.segments[1].x1 = 100 + width;
        const Ticks ticks = lay_out_ticks(index, timeline, 10);
        ASSERT_EQ(ticks.ticks.size(), width > 20 ? 2u : 1u);
        EXPECT_EQ(ticks.ticks[0].kind, Trouble::hazard);
        EXPECT_EQ(ticks.ticks[0].more, width < 20);
        ASSERT_EQ(ticks.lanes.size(), 1u);  // warps 0 and 1 together; conflicts are notches
        EXPECT_EQ(ticks.lanes[0].last, 1);
    }
}

TEST(Ticks, ATickLeadsToTheMomentThatShowsIt) {
    const Recorded queue = test::run("interleaved_strided", 256);
    const Ticks ticks = ticks_of(queue, 1000);
    ASSERT_FALSE(ticks.ticks.empty());
    const playback::Moment moment =
        playback::moment_at(queue.timeline, time_of(ticks.ticks[0], queue.timeline));
    EXPECT_EQ(moment.span, ticks.ticks[0].step + 1);
    const playback::Beat& beat =
        queue.timeline.spans[std::size_t(moment.span)].beats[std::size_t(moment.beat)];
    EXPECT_GT(beat.wavefronts, 1);
    const Recorded lost = test::run("ragged_block", 96);
    const Ticks minus = ticks_of(lost, 1000);
    ASSERT_EQ(minus.ticks.size(), 1u);
    EXPECT_EQ(time_of(minus.ticks[0], lost.timeline), playback::end_of_step(lost.timeline, 3));
}

}  // namespace
}  // namespace auditorium::panels
