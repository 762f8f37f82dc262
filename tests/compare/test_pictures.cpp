// Approved pictures of the compare view: whole frames in software GL.
#include <gtest/gtest.h>

#include "app/app.h"
#include "app/hosts/offscreen.h"
#include "app/panels/state.h"
#include "sides.h"
#include "tests/pictures/pictures.h"

namespace auditorium {
namespace {

using playback::PairMode;

struct Case {
    const char* name;
    const char *left, *right;
    PairMode mode;
    double at;  // share of the whole
    int width, height;
    ThemeId theme;
    bool presenter = false;
    bool recorded = false;
};

class ComparePicture : public ::testing::TestWithParam<Case> {};

TEST_P(ComparePicture, IsAsApproved) {
    const Case& c = GetParam();
    const auto trace = [&](const char* entry) {
        return c.recorded ? *compare::recorded(*compare::config_of(entry, {})) : test::simulated(entry);
    };
    View view;
    view.width = c.width;
    view.height = c.height;
    view.theme = c.theme;
    view.presenter = c.presenter;
    view.pair_mode = c.mode;
    trace::Trace left = trace(c.left);
    App app = make_app(left, view);
    compare_traces(app, std::move(left), trace(c.right));
    ASSERT_EQ(app.pair.mode, c.mode);
    playback::seek(app.playback, app.pair.clock, app.pair.clock.duration * c.at);
    const auto image = offscreen::render(app);
    ASSERT_TRUE(image.has_value()) << image.error().sentence;
    testing::expect_approved(std::string("compare_") + c.name, *image);
}

INSTANTIATE_TEST_SUITE_P(All, ComparePicture,
                         ::testing::Values(Case{"queue_dark", "interleaved_strided", "contiguous_warp",
                                                PairMode::step, 0.232, 1600, 900, ThemeId::dark},
                                           Case{"divergence_light", "interleaved_divergent",
                                                "contiguous_full", PairMode::step, 0.24, 1280, 720,
                                                ThemeId::light},
                                           Case{"phases_dark", "contiguous_full", "contiguous_warp",
                                                PairMode::phase, 0.66, 1280, 720, ThemeId::dark},
                                           Case{"sizes_light", "contiguous_warp@256", "contiguous_warp@1024",
                                                PairMode::phase, 0.25, 1600, 900, ThemeId::light},
                                           Case{"clinic_dark", "contiguous_warp", "ragged_block@96",
                                                PairMode::step, 1, 1280, 720, ThemeId::dark},
                                           Case{"presenter_light", "contiguous_warp", "one_barrier",
                                                PairMode::step, 0.3, 1280, 720, ThemeId::light, true}),
                         [](const auto& info) { return info.param.name; });

// The two orders of addition, and the ledger over the compare view.
TEST(CompareDialogs, AreAsApproved) {
    trace::LaunchConfig base;
    base.op = trace::Op::sum;
    base.input = "random:5:0:99999999";
    View view;
    trace::Trace left = test::simulated("interleaved_divergent", base);
    App app = make_app(left, view);
    compare_traces(app, std::move(left), test::simulated("contiguous_full", base));
    app.panels->dialog = panels::Dialog::trees;
    auto image = offscreen::render(app);
    ASSERT_TRUE(image.has_value()) << image.error().sentence;
    testing::expect_approved("compare_orders_dark", *image);
    app.view.theme = ThemeId::light;
    app.view.width = 1280;
    app.view.height = 720;
    app.panels->dialog = panels::Dialog::ledger;
    image = offscreen::render(app);
    ASSERT_TRUE(image.has_value());
    testing::expect_approved("compare_ledger_light", *image);
}

// A race is drawn from a recording, which may be recorded again: its picture is not approved, but it is one.
TEST(CompareRace, DrawsAndMoves) {
    trace::Trace left = *compare::recorded(*compare::config_of("interleaved_strided", {}));
    App app = make_app(left, {});
    compare_traces(app, left, *compare::recorded(*compare::config_of("contiguous_warp", {})));
    ASSERT_EQ(app.pair.mode, PairMode::race);
    const auto begin = offscreen::render(app);
    ASSERT_TRUE(begin.has_value()) << begin.error().sentence;
    playback::seek(app.playback, app.pair.clock, app.pair.clock.duration * 0.3);
    const auto middle = offscreen::render(app);
    ASSERT_TRUE(middle.has_value());
    EXPECT_FALSE(testing::difference(*begin, *middle).alike());
    // Back at the start it is the same picture again, to the last bit.
    playback::seek(app.playback, app.pair.clock, 0);
    const auto again = offscreen::render(app);
    ASSERT_TRUE(again.has_value());
    EXPECT_EQ(begin->rgba == again->rgba, true);
}

}  // namespace
}  // namespace auditorium
