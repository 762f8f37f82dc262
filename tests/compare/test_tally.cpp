// The scoreboard: who is better in what, and what has happened so far.
#include "app/compare/tally.h"
#include "sides.h"

namespace auditorium::compare {
namespace {

using analysis::Better;
using test::run_of;

const analysis::Score& line(const std::vector<analysis::Score>& scores, const std::string& field) {
    for (const analysis::Score& score : scores)
        if (score.field == field)
            return score;
    throw std::runtime_error("no " + field);
}

TEST(Scoreboard, TheDesignsPicture) {
    const test::Run left = test::with_cycles("interleaved_strided", 984),
                    right = test::with_cycles("contiguous_warp", 574);
    const auto scores = scoreboard(left.side(), right.side());
    EXPECT_EQ(line(scores, "barriers").left, 9);
    EXPECT_EQ(line(scores, "barriers").right, 5);
    EXPECT_EQ(line(scores, "wavefronts").left, 157);
    EXPECT_EQ(line(scores, "wavefronts").right, 39);
    EXPECT_EQ(line(scores, "conflicts").left, 105);
    EXPECT_EQ(line(scores, "conflicts").right, 0);
    EXPECT_DOUBLE_EQ(*line(scores, "lane_efficiency").left, 1277.0 / 1664);
    EXPECT_DOUBLE_EQ(*line(scores, "lane_efficiency").right, 1377.0 / 1408);
    EXPECT_EQ(line(scores, "cycles").left, 984);
    for (const analysis::Score& score : scores)
        EXPECT_EQ(score.better(), Better::right) << score.field;
}

TEST(Scoreboard, LevelIsNobodysAndUnknownIsNoVerdict) {
    const test::Run left = run_of("interleaved_divergent"), right = run_of("contiguous_full");
    const auto scores = scoreboard(left.side(), right.side());
    EXPECT_EQ(line(scores, "barriers").better(), Better::neither) << "9 and 9";
    EXPECT_EQ(line(scores, "conflicts").better(), Better::neither) << "0 and 0";
    EXPECT_EQ(line(scores, "wavefronts").better(), Better::right);
    EXPECT_EQ(line(scores, "lane_efficiency").better(), Better::right);
    EXPECT_FALSE(line(scores, "cycles").left.has_value()) << "simulated";
    EXPECT_EQ(line(scores, "cycles").better(), Better::neither);
    const auto turned = scoreboard(right.side(), left.side());
    EXPECT_EQ(line(turned, "wavefronts").better(), Better::left);
}

TEST(Scoreboard, OtherSizesDoOtherWork) {
    const test::Run left = run_of("contiguous_warp@256"), right = run_of("contiguous_warp@1024");
    const auto scores = scoreboard(left.side(), right.side());
    EXPECT_EQ(line(scores, "barriers").left, 5);
    EXPECT_EQ(line(scores, "barriers").right, 7);
    EXPECT_EQ(line(scores, "barriers").better(), Better::neither);
    EXPECT_EQ(line(scores, "wavefronts").better(), Better::neither);
    EXPECT_EQ(line(scores, "lane_efficiency").better(), Better::right) << "a ratio compares";
}

TEST(Tally, GrowsFromNothingToTheWhole) {
    for (const char* entry :
         {"contiguous_warp", "interleaved_strided", "interleaved_divergent@64", "one_barrier",
          "shuffle_first", "ragged_block", "back_to_back", "partial_mask"}) {
        const test::Run run = run_of(entry);
        const Tallies tallies = tallies_of(run.side());
        const analysis::Totals& totals = run.analysis.totals;
        EXPECT_EQ(tallies.whole().wavefronts, totals.load_wavefronts + totals.store_wavefronts) << entry;
        EXPECT_EQ(tallies.whole().lane_slots, totals.lane_slots) << entry;
        Tally before;
        for (int i = 0; i <= 2000; ++i) {
            const Tally now = tally_at(tallies, run.side(),
                                       playback::moment_at(run.timeline, run.timeline.duration * i / 2000));
            EXPECT_GE(now.barriers, before.barriers) << entry << i;
            EXPECT_GE(now.wavefronts, before.wavefronts) << entry << i;
            EXPECT_GE(now.conflicts, before.conflicts) << entry << i;
            EXPECT_GE(now.active_lanes, before.active_lanes) << entry << i;
            EXPECT_GE(now.lane_slots, before.lane_slots) << entry << i;
            before = now;
        }
        EXPECT_EQ(before.wavefronts, tallies.whole().wavefronts);
        EXPECT_EQ(before.barriers, totals.barriers) << entry;
        EXPECT_EQ(before.active_lanes, totals.active_lanes) << entry;
    }
}

TEST(Tally, AtTheEndOfAStepItsSumsAreWhole) {
    const test::Run run = run_of("interleaved_strided");
    const Tallies tallies = tallies_of(run.side());
    int wavefronts = 0;
    for (int s = 0; s < int(run.trace.steps.size()); ++s) {
        const analysis::Counts& c = run.analysis.steps[std::size_t(s)].counts;
        wavefronts += c.load_wavefronts + c.store_wavefronts;
        const Tally now =
            tally_at(tallies, run.side(),
                     playback::moment_at(run.timeline, playback::end_of_step(run.timeline, s + 1)));
        EXPECT_EQ(now.wavefronts, wavefronts) << s;
        EXPECT_EQ(now.barriers, std::min(s + 1, 9)) << s;
    }
}

TEST(Tally, CyclesFollowTheSplit) {
    const test::Run run = test::with_cycles("contiguous_full", 800);
    const Tallies tallies = tallies_of(run.side());
    EXPECT_DOUBLE_EQ(tallies.whole().cycles, 800);
    const Tally now =
        tally_at(tallies, run.side(), playback::moment_at(run.timeline, run.timeline.spans[5].end));
    EXPECT_DOUBLE_EQ(now.cycles, tallies.cycles.ends[4]);
}

}  // namespace
}  // namespace auditorium::compare
