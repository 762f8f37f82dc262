// Approved pictures: the design's question (who is inside box 5) in both themes, and each trouble as it is
// drawn.
#include <gtest/gtest.h>

#include <memory>

#include "app/hosts/offscreen.h"
#include "tests/panels/runs.h"
#include "tests/pictures/pictures.h"

namespace auditorium {
namespace {

struct Shot {
    const char* name;
    const char* kernel;
    int block;
    int number;  // of the step at whose end it is
    const char* pin;
    const char* input = "random:3664:0:999";
    ThemeId theme = ThemeId::dark;
    int width = 1280, height = 720;
};

constexpr Shot shots[] = {
    {"box_dark", "contiguous_warp", 256, 4, "box:5", "random:3664:0:999", ThemeId::dark, 1600, 900},
    {"box_light", "contiguous_warp", 256, 4, "box:5", "random:3664:0:999", ThemeId::light, 1600, 900},
    {"hazard", "missing_barrier", 256, 3, "box:40"},
    {"between_calls", "back_to_back", 256, 13, "finding:0", "random:3664:0:999", ThemeId::light},
    {"lost", "ragged_block", 96, 9, "box:0"},
    {"identity", "zero_identity", 256, 8, "step:8", "random:1:-999:-1", ThemeId::light},
    {"undefined", "partial_mask", 48, 2, "thread:40"},
    {"syncwarp", "missing_syncwarp", 256, 6, "thread:3"},
    {"mismatch", "divergent_barrier", 256, 3, "step:3"},
};

TEST(InspectorPictures, AsApproved) {
    const auto stage = offscreen::open();
    if (!stage)
        GTEST_SKIP() << stage.error().sentence;
    for (const Shot& shot : shots) {
        View view;
        view.width = shot.width;
        view.height = shot.height;
        view.theme = shot.theme;
        App app = make_app(
            test::record(shot.kernel, shot.block, trace::Op::max, trace::Type::f32, shot.input), view);
        app.playback.time = playback::end_of_step(app.shown.timeline, shot.number);
        const auto thing =
            inspector::parse_thing(shot.pin, app.shown.trace, int(app.shown.analysis.findings.size()));
        ASSERT_TRUE(thing) << shot.name << thing.error().sentence;
        app.view.pin = *thing;
        const auto image = offscreen::render(**stage, app);
        ASSERT_TRUE(image) << image.error().sentence;
        testing::expect_approved(std::string("inspector_") + shot.name, *image);
    }
}

}  // namespace
}  // namespace auditorium
