// Text on screen: nothing clipped, nothing over anything else, at every window size and UI scale; the menus
// and dialogs too. From the rectangles that a real frame has drawn.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include "app/panels/panels.h"
#include "app/panels/state.h"
#include "headless.h"
#include "runs.h"

namespace auditorium::panels {
namespace {

struct TextTest : testing::Test {
    test::Headless headless;

    void draw(App& app) {
        headless.settle(app);
    }  // twice: some windows know their size from the frame before

    static bool over(const Rect& a, const Rect& b) {
        return a.x + a.w > b.x + 0.5f && b.x + b.w > a.x + 0.5f && a.y + a.h * 0.85f > b.y + b.h * 0.15f &&
               b.y + b.h * 0.85f > a.y + a.h * 0.15f;
    }

    static void check(const App& app, const std::string& where) {
        const std::vector<Drawn>& all = app.panels->drawn;
        const float w = float(app.view.width) + 0.5f, h = float(app.view.height) + 0.5f;
        int texts = 0;
        for (const Drawn& a : all) {
            if (a.control) {
                if (a.text == "timeline" || a.text == "scene" || a.text == "code" ||
                    a.text.starts_with("entry."))
                    continue;
                EXPECT_GE(a.area.x, 0) << where << a.text;
                EXPECT_GE(a.area.y, 0) << where << a.text;
                EXPECT_LE(a.area.x + a.area.w, w) << where << a.text;
                EXPECT_LE(a.area.y + a.area.h, h) << where << a.text;
                continue;
            }
            ++texts;
            EXPECT_FALSE(a.cut && !a.may_be_cut) << where << a.text << " is cut";
            EXPECT_GE(a.area.x, -0.5f) << where << a.text;
            EXPECT_GE(a.area.y, -0.5f) << where << a.text;
            EXPECT_LE(a.area.x + a.area.w, w) << where << a.text;
            EXPECT_LE(a.area.y + a.area.h, h) << where << a.text;
            for (const Drawn& b : all) {
                if (&b <= &a || b.control || b.scope != a.scope)
                    continue;
                EXPECT_FALSE(over(a.area, b.area))
                    << where << "\"" << a.text << "\" over \"" << b.text << "\"";
            }
        }
        EXPECT_GT(texts, 8) << where;
        // Texts stay in their cards.
        const Layout layout = panels::layout(app.view, result_rows(app));
        for (const Rect& card :
             {layout.left, layout.code, layout.result, layout.bottom, layout.caption, layout.top}) {
            for (const Drawn& a : all) {
                if (card.w <= 0 || a.control || a.scope != 0)
                    continue;
                const float cx = a.area.x + a.area.w / 2, cy = a.area.y + a.area.h / 2;
                if (cx < card.x || cx > card.x + card.w || cy < card.y || cy > card.y + card.h)
                    continue;
                EXPECT_GE(a.area.x, card.x) << where << a.text;
                EXPECT_LE(a.area.x + a.area.w, card.x + card.w + 0.5f) << where << a.text;
                EXPECT_GE(a.area.y, card.y - 0.5f) << where << a.text;
                EXPECT_LE(a.area.y + a.area.h, card.y + card.h + 0.5f) << where << a.text;
            }
        }
    }
};

View sized(int width, int height, float scale) {
    View view;
    view.ui_scale = scale;
    view.width = int(float(width) / scale);
    view.height = int(float(height) / scale);
    return view;
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
                    check(app, fmt::format("{} {} {}x{} x{} step {}: ", kernel, block, w, h, scale, step));
                }
            }
        }
    }
}

TEST_F(TextTest, EveryWindowBetween) {
    App app = make_app(test::record("contiguous_warp", 256), {});
    app.playback.time = playback::end_of_step(app.shown.timeline, 3);
    for (int w = 1280; w <= 1920; w += 40) {
        app.view = sized(w, 720 + (w - 1280) * 360 / 640, 1);
        draw(app);
        check(app, fmt::format("{}x{}: ", app.view.width, app.view.height));
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
                    check(app, fmt::format("{} presenter {}x{} x{} step {}: ", kernel, w, h, scale, step));
                }
            }
        }
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
                check(app, fmt::format("menu {} {}x{} x{}: ", int(menu), w, h, scale));
                close_menu(app);
            }
            for (const Dialog dialog : {Dialog::keys, Dialog::open, Dialog::save, Dialog::speed}) {
                open_dialog(app, int(dialog));
                draw(app);
                check(app, fmt::format("dialog {} {}x{} x{}: ", int(dialog), w, h, scale));
                close_dialog(app);
            }
        }
    }
}

}  // namespace
}  // namespace auditorium::panels
