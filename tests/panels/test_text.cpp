// Text on screen: nothing clipped, nothing over anything else, at every window size and UI scale; the menus
// and dialogs too. From the rectangles that a real frame has drawn.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <set>
#include <tuple>

#include "app/panels/keys.h"
#include "app/panels/panels.h"
#include "app/panels/state.h"
#include "app/scene/metrics.h"
#include "headless.h"
#include "runs.h"
#include "text_check.h"

namespace auditorium::panels {
namespace {

struct TextTest : testing::Test {
    test::Headless headless;

    void draw(App& app) {
        headless.settle(app);
    }  // twice: some windows know their size from the frame before

    void keys_read_to_the_end(App& app);
};

View sized(int width, int height, float scale) {
    View view;
    view.ui_scale = scale;
    view.width = int(float(width) / scale);
    view.height = int(float(height) / scale);
    return view;
}

// The scene is laid out with widths of its own: what is drawn is as wide, at every scale.
TEST_F(TextTest, TheSceneKnowsHowWideItsTextsAre) {
    if (!renderer::fonts_embedded())
        GTEST_SKIP() << "other fonts";
    App app = make_app(test::record("contiguous_warp", 32), {});
    for (const float scale : {1.f, 1.25f, 1.5f, 2.f}) {
        app.view = sized(1600, 900, scale);
        draw(app);
        headless.inside(app, [&] {
            for (const float size : {9.85f, 10.f, 10.5f, 11.5f, 12.f, 14.f})
                for (const auto& [font, text] : {std::pair{scene::Font::mono, "996957961"},
                                                 {scene::Font::mono_semibold, "12.8k"},
                                                 {scene::Font::regular, "one column = one bank"},
                                                 {scene::Font::semibold, "Barrier 5 of 5: W1"}})
                    EXPECT_LE(renderer::text_width(font, size, text),
                              scene::text_width(font, size, text) * 1.02f + 0.3f)
                        << text << " at " << size << " scale " << scale;
        });
    }
}

TEST_F(TextTest, EverySizeAndScale) {
    for (const auto& [kernel, block] : {std::pair{"contiguous_warp", 256},
                                        {"interleaved_strided", 1024},
                                        {"back_to_back", 256},
                                        {"ragged_block", 96}}) {
        App app = make_app(test::record(kernel, block, trace::Op::sum), {});
        for (const auto& [w, h] : {std::pair{1280, 720}, {1440, 900}, {1600, 900}, {1920, 1080}}) {
            for (const float scale : {0.75f, 1.f, 1.25f, 1.5f, 2.f}) {
                app.view = sized(w, h, scale);
                for (const int step :
                     {0, 1, 3, int(app.shown.trace.steps.size()) - 2, app.shown.timeline.last_span()}) {
                    app.playback.time = playback::end_of_step(app.shown.timeline, step);
                    draw(app);
                    test::check_texts(
                        app, fmt::format("{} {} {}x{} x{} step {}: ", kernel, block, w, h, scale, step));
                }
            }
        }
    }
}

// Every kernel, also where the window is small: barriers' marks, the transport, the caption.
TEST_F(TextTest, EveryKernelInSmallWindows) {
    for (const kernels::Kernel& kernel : kernels::all()) {
        for (const int block : {32, 256, 1024}) {
            App app = make_app(test::record(std::string(kernel.id), block), {});
            for (const auto& [w, h, scale] : {std::tuple{1280, 720, 1.25f},
                                              {1280, 720, 1.5f},
                                              {1280, 720, 2.f},
                                              {800, 500, 1.f},
                                              {900, 600, 1.f},
                                              {3000, 400, 1.f},
                                              {640, 1600, 1.f}}) {
                for (const bool presenter : {false, true}) {
                    app.view = sized(w, h, scale);
                    app.view.presenter = presenter;
                    for (int step = 0; step <= app.shown.timeline.last_span(); ++step) {
                        app.playback.time = playback::end_of_step(app.shown.timeline, step);
                        draw(app);
                        test::check_texts(app, fmt::format("{} {} {}x{} x{}{} step {}: ", kernel.id, block, w,
                                                           h, scale, presenter ? " presenter" : "", step));
                    }
                }
            }
            if (testing::Test::HasFailure())
                return;
        }
    }
}

// Many calls: more barriers than labels have room for.
TEST_F(TextTest, ManyCalls) {
    trace::LaunchConfig config;
    config.kernel = "back_to_back";
    config.block = 256;
    config.calls = 16;
    config.input = "random:3664:0:999";
    launch::Options options;
    options.device = launch::Device::cpu;
    options.allow_wrong = true;
    auto trace = launch::run(config, options);
    ASSERT_TRUE(trace);
    App app = make_app(std::move(*trace), {});
    for (const bool presenter : {false, true}) {
        for (const auto& [w, h] : {std::pair{1280, 720}, {1600, 900}}) {
            app.view = sized(w, h, 1);
            app.view.presenter = presenter;
            for (int step = 0; step <= app.shown.timeline.last_span(); step += 7) {
                app.playback.time = playback::end_of_step(app.shown.timeline, step);
                draw(app);
                test::check_texts(
                    app, fmt::format("16 calls {}x{}{} step {}: ", w, h, presenter ? " presenter" : "", step),
                    3);
            }
        }
    }
}

// Below the least size nothing is drawn but a sentence, and it fits.
TEST_F(TextTest, AWindowTooSmallSaysSo) {
    App app = make_app(test::record("contiguous_warp", 256), {});
    for (const auto& [w, h, scale] :
         {std::tuple{320, 200, 1.f}, {400, 1600, 1.f}, {639, 360, 1.f}, {640, 359, 1.f}, {800, 500, 2.f}}) {
        for (const int kind : {0, 1, 2}) {
            app.view = sized(w, h, scale);
            app.view.presenter = kind == 1;
            app.view.scene_only = kind == 2;
            draw(app);
            if (kind == 2 && app.view.width >= least_scene_width && app.view.height >= least_scene_height)
                continue;
            std::string said;
            for (const Drawn& drawn : app.panels->drawn) {
                EXPECT_FALSE(drawn.control) << drawn.text;
                EXPECT_GE(drawn.area.x, 0) << w << "x" << h << drawn.text;
                EXPECT_GE(drawn.area.y, 0) << w << "x" << h << drawn.text;
                EXPECT_LE(drawn.area.x + drawn.area.w, float(app.view.width)) << w << "x" << h << drawn.text;
                EXPECT_LE(drawn.area.y + drawn.area.h, float(app.view.height)) << w << "x" << h << drawn.text;
                said += drawn.text + " ";
            }
            EXPECT_NE(said.find("too small"), std::string::npos) << w << "x" << h << said;
        }
    }
    app.view = sized(640, 360, 1);
    draw(app);
    EXPECT_GT(app.panels->drawn.size(), 20u);
}

TEST_F(TextTest, EveryWindowBetween) {
    App app = make_app(test::record("contiguous_warp", 256), {});
    app.playback.time = playback::end_of_step(app.shown.timeline, 3);
    for (int w = 1280; w <= 1920; w += 40) {
        app.view = sized(w, 720 + (w - 1280) * 360 / 640, 1);
        draw(app);
        test::check_texts(app, fmt::format("{}x{}: ", app.view.width, app.view.height));
    }
}

TEST_F(TextTest, PresenterMode) {
    for (const char* kernel : {"contiguous_warp", "interleaved_strided", "one_barrier"}) {
        App app = make_app(test::record(kernel, 256), {});
        for (const auto& [w, h] : {std::pair{1280, 720}, {1600, 900}, {1920, 1080}}) {
            for (const float scale : {0.75f, 1.f, 2.f}) {
                app.view = sized(w, h, scale);
                app.view.presenter = true;
                for (int step = 0; step <= app.shown.timeline.last_span(); ++step) {
                    app.playback.time = playback::end_of_step(app.shown.timeline, step);
                    draw(app);
                    test::check_texts(
                        app, fmt::format("{} presenter {}x{} x{} step {}: ", kernel, w, h, scale, step));
                }
            }
        }
    }
}

// Every key of the list can be read, by scrolling where the window is low.
void TextTest::keys_read_to_the_end(App& app) {
    std::set<std::string> seen;
    for (int page = 0; page < 12; ++page) {
        for (const Drawn& drawn : app.panels->drawn)
            if (drawn.scope == int(Scope::dialog) && !drawn.control && drawn.area.h > 8)
                seen.insert(drawn.text);
        headless.key(app, ImGuiKey_DownArrow);
    }
    for (const KeyHelp& key : key_help()) {
        EXPECT_TRUE(seen.contains(key.keys)) << key.keys << " at " << app.view.width;
        EXPECT_TRUE(seen.contains(key.what)) << key.what << " at " << app.view.width;
    }
}

TEST_F(TextTest, MenusAndDialogs) {
    App app = make_app(test::record("contiguous_warp", 256), {});
    for (const auto& [w, h] : {std::pair{1280, 720}, {1600, 900}, {1920, 1080}}) {
        for (const float scale : {0.75f, 1.f, 1.5f, 2.f}) {
            app.view = sized(w, h, scale);
            for (const Menu menu :
                 {Menu::kernel, Menu::op, Menu::type, Menu::block, Menu::data, Menu::device, Menu::more}) {
                open_menu(app, int(menu), {200, 9, 120, 28}, "");
                draw(app);
                test::check_texts(app, fmt::format("menu {} {}x{} x{}: ", int(menu), w, h, scale));
                close_menu(app);
            }
            open_dialog(app, int(Dialog::keys));
            draw(app);
            keys_read_to_the_end(app);
            close_dialog(app);
            for (const Dialog dialog : {Dialog::keys, Dialog::open, Dialog::save, Dialog::speed}) {
                open_dialog(app, int(dialog));
                draw(app);
                test::check_texts(app, fmt::format("dialog {} {}x{} x{}: ", int(dialog), w, h, scale));
                close_dialog(app);
            }
        }
    }
}

}  // namespace
}  // namespace auditorium::panels
