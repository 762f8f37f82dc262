// Approved pictures: a moment of each phase, in both themes, as the renderer paints it. And the proof that
// the comparison sees what matters: without the rope, one ticket or one number the picture is no longer
// alike.
#include <gtest/gtest.h>

#include <memory>

#include "app/hosts/offscreen.h"
#include "tests/pictures/pictures.h"
#include "tests/scene/runs.h"

namespace auditorium::test {
namespace {

using playback::BeatKind;
using scene::LayerId;
using scene::Rect;
using scene::Scene;

// A moment: the n-th beat of that kind in the step with that number on screen, and how far it is.
struct Shot {
    const char* name;
    const char* kernel;
    int block;
    int number;
    BeatKind beat;
    double progress;
    bool presenter = false;
};

constexpr Shot shots[] = {
    {"stage", "contiguous_warp", 256, 1, BeatKind::store, 0.9},
    {"cut", "contiguous_warp", 256, 3, BeatKind::load, 1},
    {"barrier", "contiguous_warp", 256, 4, BeatKind::hold, 0.5},
    {"handoff", "contiguous_warp", 256, 5, BeatKind::load, 0.9},
    {"council_16", "contiguous_warp", 256, 6, BeatKind::note, 0.5},
    {"council_8", "contiguous_warp", 256, 7, BeatKind::note, 0.5},
    {"publish", "contiguous_warp", 256, 11, BeatKind::crown, 0.8},
    {"broadcast", "contiguous_warp", 256, 12, BeatKind::broadcast, 1},
    {"presenter", "contiguous_warp", 256, 3, BeatKind::load, 1, true},
    {"one_warp", "contiguous_warp", 32, 3, BeatKind::note, 0.5},
    {"thirty_two_warps", "contiguous_warp", 1024, 2, BeatKind::load, 1},
    {"sixteen_warps", "contiguous_full", 512, 3, BeatKind::load, 1},
    {"within_a_warp", "contiguous_full", 256, 6, BeatKind::combine, 0.9},
    {"divergence", "interleaved_divergent", 256, 3, BeatKind::load, 1},
    {"queue", "interleaved_strided", 256, 3, BeatKind::load, 0.45},
    {"deep_queue", "interleaved_strided", 1024, 6, BeatKind::load, 0.4},
    {"row_council", "shuffle_first", 256, 2, BeatKind::note, 0.5},
    {"partials", "shuffle_first", 256, 6, BeatKind::store, 0.9},
    {"crossing_notes", "one_barrier", 256, 9, BeatKind::note, 0.4},
    {"a_hundred", "contiguous_any", 100, 3, BeatKind::load, 1},
    {"undefined_lanes", "partial_mask", 17, 1, BeatKind::note, 0.5},
    {"mismatch", "divergent_barrier", 256, 3, BeatKind::hold, 0.5},
};

constexpr Rect small_area{0, 0, 742, 556};

class Painted : public ::testing::Test {
  protected:
    // One stage for all: a context takes longer than a picture.
    static void SetUpTestSuite() {
        auto opened = offscreen::open();
        if (opened)
            stage_ = std::move(*opened);
        else
            why_ = opened.error().sentence;
    }
    static void TearDownTestSuite() { stage_.reset(); }
    void SetUp() override {
        if (!stage_)
            GTEST_SKIP() << why_;
    }
    static Image paint(const Scene& scene, ThemeId theme) {
        return offscreen::render(*stage_, scene, scene::theme(theme).background).value();
    }
    static std::unique_ptr<offscreen::Stage> stage_;
    static std::string why_;
};
std::unique_ptr<offscreen::Stage> Painted::stage_;
std::string Painted::why_;

double time_of(const Played& played, const Shot& shot) {
    const playback::Beat* found = nullptr;
    for (const playback::Beat& beat : played.timeline.spans.at(shot.number).beats)
        if (beat.kind == shot.beat)
            found = &beat;  // the last of its kind: the partner's load
    if (!found)
        throw std::runtime_error(std::string("no such beat: ") + shot.name);
    return found->begin + shot.progress * found->seconds();
}

Scene scene_of(const Shot& shot, ThemeId theme) {
    const Played played = run(shot.kernel, shot.block);
    View view;
    view.theme = theme;
    view.presenter = shot.presenter;
    return build(played, time_of(played, shot), view, shot.presenter ? Rect{0, 0, 1280, 578} : small_area);
}

TEST_F(Painted, EveryPhaseAsApproved) {
    for (const Shot& shot : shots) {
        for (const ThemeId theme : {ThemeId::dark, ThemeId::light}) {
            const std::string name =
                std::string("scene_") + shot.name + (theme == ThemeId::dark ? "_dark" : "_light");
            testing::expect_approved(name, paint(scene_of(shot, theme), theme));
        }
    }
}

const Shot& shot_named(const std::string& name) {
    for (const Shot& shot : shots)
        if (shot.name == name)
            return shot;
    throw std::runtime_error(name);
}

TEST_F(Painted, WithoutTheRopeItIsNotAlike) {
    const Scene whole = scene_of(shot_named("cut"), ThemeId::dark);
    Scene without = whole;
    without[LayerId::rope].shapes.clear();
    EXPECT_FALSE(testing::difference(paint(whole, ThemeId::dark), paint(without, ThemeId::dark)).alike());
    EXPECT_TRUE(testing::difference(paint(whole, ThemeId::dark), paint(whole, ThemeId::dark)).alike());
}

TEST_F(Painted, WithoutOneTicketItIsNotAlike) {
    const Scene whole = scene_of(shot_named("queue"), ThemeId::dark);
    const auto ticket = std::find_if(whole.targets.begin(), whole.targets.end(), [](const scene::Target& t) {
        return t.kind == scene::Target::Kind::ticket;
    });
    ASSERT_NE(ticket, whole.targets.end());
    Scene without = whole;
    std::erase_if(without[LayerId::tickets].shapes,
                  [&](const scene::Shape& s) { return ticket->area.contains(s.p[0]); });
    std::erase_if(without[LayerId::tickets].labels,
                  [&](const scene::Label& l) { return ticket->area.contains(l.at); });
    EXPECT_FALSE(testing::difference(paint(whole, ThemeId::dark), paint(without, ThemeId::dark)).alike());
}

TEST_F(Painted, WithoutOneNumberItIsNotAlike) {
    for (const ThemeId theme : {ThemeId::dark, ThemeId::light}) {
        const Scene whole = scene_of(shot_named("cut"), theme);
        Scene without = whole;
        auto& labels = without[LayerId::boxes].labels;
        ASSERT_GT(labels.size(), 40u);
        labels.erase(labels.begin() + 40);
        EXPECT_FALSE(testing::difference(paint(whole, theme), paint(without, theme)).alike());
    }
}

}  // namespace
}  // namespace auditorium::test
