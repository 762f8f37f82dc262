// The inspector in whole frames, without a display: its card at every size, the pin, the keys, the links.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>
#include <thread>

#include "app/panels/compare_view.h"
#include "app/panels/keys.h"
#include "app/scene/pick.h"
#include "tests/panels/headless.h"
#include "tests/panels/runs.h"
#include "tests/panels/text_check.h"

namespace auditorium::panels {
namespace {

using inspector::Thing;
using Kind = Thing::Kind;

struct CardTest : testing::Test {
    test::Headless ui;

    static const inspector::Description* said(const App& app) {
        return app.panels->asked.description ? &*app.panels->asked.description : nullptr;
    }
    static std::string pin(const App& app) { return app.view.pin ? inspector::name_of(*app.view.pin) : ""; }
    static std::string asked(const App& app) {
        return app.view.asked() ? inspector::name_of(*app.view.asked()) : "";
    }
    static bool shows(const App& app, const std::string& text) {
        for (const Drawn& drawn : app.panels->drawn)
            if (!drawn.control && drawn.text == text)
                return true;
        return false;
    }
    // Where a thing is in the window.
    static Point middle(const App& app, const Thing& thing) {
        const auto r = scene::place_of(app.panels->scene, thing);
        return r ? Point{r->x + r->w / 2, r->y + r->h / 2} : Point{};
    }
};

View sized(int width, int height, float scale) {
    View view;
    view.ui_scale = scale;
    view.width = int(float(width) / scale);
    view.height = int(float(height) / scale);
    return view;
}

TEST_F(CardTest, NothingIsCutOrCoveredAtAnySize) {
    for (const auto& [kernel, block, op] : {std::tuple{"contiguous_warp", 32, trace::Op::max},
                                            {"contiguous_warp", 256, trace::Op::sum},
                                            {"interleaved_strided", 1024, trace::Op::max},
                                            {"ragged_block", 96, trace::Op::sum},
                                            {"missing_barrier", 256, trace::Op::max},
                                            {"partial_mask", 48, trace::Op::max}}) {
        App app = make_app(test::record(kernel, block, op), {});
        const int last = app.shown.timeline.last_span();
        const std::vector<Thing> things = {
            {Kind::box, 0, -1},         {Kind::box, block - 1, -1}, {Kind::thread, block / 2, -1},
            {Kind::note, 3, -1},        {Kind::ray, 1, 0},          {Kind::bank, 31, -1},
            {Kind::step, last - 1, -1}, {Kind::step, 2, 0},         {Kind::ticket, 0, 1}};
        for (const auto& [w, h] : {std::pair{1280, 720}, {1600, 900}, {1920, 1080}})
            for (const float scale : {0.75f, 1.f, 2.f})
                for (const bool presenter : {false, true})
                    for (const int step : {1, 3, last - 1}) {
                        app.view = sized(w, h, scale);
                        app.view.presenter = presenter;
                        app.playback.time = playback::end_of_step(app.shown.timeline, step);
                        for (const Thing& thing : things) {
                            app.view.pin = thing;
                            ui.settle(app);
                            const std::string where =
                                fmt::format("{} {} {} {}x{} x{} {} step {}: ", kernel, block,
                                            inspector::name_of(thing), w, h, scale, presenter, step);
                            ASSERT_TRUE(said(app)) << where;
                            test::check_texts(app, where);
                            // The title is there, whole.
                            EXPECT_TRUE(shows(app, said(app)->title)) << where << said(app)->title;
                        }
                    }
    }
}

// In small cards too, those of a half among them: no number and no word of code is cut. A line of the kernel
// that is too long goes on in the next row.
TEST_F(CardTest, NoNumberAndNoCodeIsCut) {
    int cards = 0;
    for (const auto& [kernel, block, op] : {std::tuple{"contiguous_warp", 1024, trace::Op::sum},
                                            {"interleaved_strided", 1024, trace::Op::max},
                                            {"missing_barrier", 1024, trace::Op::sum},
                                            {"missing_syncwarp", 256, trace::Op::sum},
                                            {"back_to_back", 256, trace::Op::max},
                                            {"zero_identity", 256, trace::Op::max},
                                            {"divergent_barrier", 256, trace::Op::max},
                                            {"partial_mask", 48, trace::Op::max}}) {
        const trace::Trace trace = test::record(kernel, block, op);
        App app = make_app(trace, {});
        compare_traces(app, trace, trace);
        for (const bool compare : {false, true}) {
            set_compare(app, compare);
            std::vector<Thing> things = {{Kind::box, block - 1, -1}, {Kind::thread, block - 2, -1},
                                         {Kind::note, 13, -1},       {Kind::ray, block - 1, block - 1},
                                         {Kind::bank, 31, -1},       {Kind::step, 2, 0},
                                         {Kind::ticket, 0, 1}};
            for (int f = 0; f < std::min(6, int(app.shown.analysis.findings.size())); ++f)
                things.push_back({Kind::finding, f, -1});
            for (const auto& [w, h, scale] : {std::tuple{640, 360, 1.f},
                                              {800, 500, 1.f},
                                              {1280, 720, 1.f},
                                              {1280, 720, 1.75f},
                                              {1600, 900, 2.f},
                                              {640, 1600, 1.f}}) {
                const bool full = app.view.compare;
                app.view = sized(w, h, scale);
                app.view.compare = full;
                const int last = app.shown.timeline.last_span();
                for (const int step : {1, 2, last - 2}) {
                    app.playback.time =
                        compare ? playback::end_of_step(clock_of(app), step)
                                : playback::end_of_step(app.shown.timeline, step) - (step == 2 ? 0.9 : 0);
                    for (const Thing& thing : things) {
                        app.view.pin = thing;
                        ui.settle(app);
                        ++cards;
                        const Rect card = app.panels->asked.card;
                        for (const Drawn& drawn : app.panels->drawn)
                            EXPECT_FALSE(!drawn.control && !drawn.mark && drawn.cut && card.holds(drawn.area))
                                << kernel << " " << block << " " << inspector::name_of(thing) << " " << w
                                << "x" << h << " x" << scale << (compare ? " compare" : "") << " step "
                                << step << ": " << drawn.text;
                    }
                }
            }
        }
    }
    EXPECT_GT(cards, 500);
}

// Whatever the card covers of the scene's words (titles, legend, plaque, tags), it covers whole: of the
// plaque "Barrier 3 of 5" half a sentence would be left.
TEST_F(CardTest, NoWordOfTheSceneIsHalfCovered) {
    for (const auto& [kernel, block] : {std::pair{"contiguous_warp", 256},
                                        {"missing_barrier", 256},
                                        {"interleaved_strided", 256},
                                        {"shuffle_first", 256},
                                        {"ragged_block", 96},
                                        {"partial_mask", 48},
                                        {"divergent_barrier", 256}}) {
        App app = make_app(test::record(kernel, block), {});
        const int last = app.shown.timeline.last_span();
        std::vector<Thing> things = {{Kind::box, 5, -1},    {Kind::box, block - 3, -1},
                                     {Kind::thread, 0, -1}, {Kind::thread, block / 2 + 9, -1},
                                     {Kind::bank, 17, -1},  {Kind::step, 2, -1}};
        for (int f = 0; f < int(app.shown.analysis.findings.size()); ++f)
            things.push_back({Kind::finding, f, -1});
        for (const auto& [w, h] : {std::pair{1280, 720}, {1600, 900}, {1920, 1080}}) {
            app.view = sized(w, h, 1);
            for (int step = 1; step < last; ++step) {
                app.playback.time = playback::end_of_step(app.shown.timeline, step);
                for (const Thing& thing : things) {
                    app.view.pin = thing;
                    ui.settle(app);
                    const Rect card = app.panels->asked.card;
                    ASSERT_GT(card.w, 0);
                    for (const Rect& word : app.panels->scene.words) {
                        const Rect r = scene::in_window(app.panels->scene, word);
                        EXPECT_TRUE(!test::over(r, card) || card.holds(r)) << fmt::format(
                            "{} {} {}x{} step {}: card {:.0f},{:.0f} {:.0f}x{:.0f}, word "
                            "{:.0f},{:.0f} {:.0f}x{:.0f}",
                            kernel, inspector::name_of(thing), w, h, step, card.x, card.y, card.w, card.h,
                            r.x, r.y, r.w, r.h);
                    }
                }
            }
        }
    }
}

TEST_F(CardTest, ThePinNamesAThingAndStaysBothWaysInTime) {
    App app = make_app(test::record("contiguous_warp", 256), {});
    app.view.pin = Thing{Kind::box, 5, -1};
    std::vector<std::string> texts;
    const auto facts = [&] {
        std::string out;
        for (const auto& fact : said(app)->facts)
            out += fact.name + "=" + fact.text + ";";
        return out + std::to_string(said(app)->bits);
    };
    for (int step = 0; step <= app.shown.timeline.last_span(); ++step) {
        app.playback.time = playback::end_of_step(app.shown.timeline, step);
        ui.settle(app);
        EXPECT_EQ(pin(app), "box:5");
        texts.push_back(facts());
    }
    for (int step = app.shown.timeline.last_span(); step >= 0; --step) {
        app.playback.time = playback::end_of_step(app.shown.timeline, step);
        ui.settle(app);
        EXPECT_EQ(facts(), texts[std::size_t(step)]) << step;
    }
    EXPECT_NE(texts[2], texts[4]);
    // Playing there is the same as seeking there.
    for (const Thing& thing : {Thing{Kind::box, 5, -1}, {Kind::thread, 37, -1}, {Kind::ticket, 3, 0}}) {
        App played = make_app(test::record("interleaved_strided", 256), {});
        played.view.pin = thing;
        App sought = make_app(test::record("interleaved_strided", 256), {});
        sought.view.pin = thing;
        played.playback.playing = true;
        for (int i = 0; i < 200; ++i) {
            ui.frame(played, 0.031);
            if (i % 10)
                continue;
            sought.playback.time = played.playback.time;
            ui.frame(sought);
            ASSERT_TRUE(said(played) && said(sought));
            ASSERT_EQ(said(played)->facts.size(), said(sought)->facts.size()) << i;
            for (std::size_t f = 0; f < said(played)->facts.size(); ++f)
                EXPECT_EQ(said(played)->facts[f].text, said(sought)->facts[f].text);
            EXPECT_EQ(said(played)->bits, said(sought)->bits);
        }
    }
}

TEST_F(CardTest, PointerAndClick) {
    App app = make_app(test::record("contiguous_warp", 256), {});
    app.playback.time = playback::end_of_step(app.shown.timeline, 4);
    ui.settle(app);
    const Point at = middle(app, {Kind::box, 5, -1});
    app.view.pointer = at;
    ImGui::GetIO().AddMousePosEvent(at.x, at.y);
    ui.settle(app);
    EXPECT_EQ(asked(app), "box:5");
    EXPECT_EQ(pin(app), "");
    EXPECT_FALSE(shows(app, "Exactly"));
    ui.click(app, at.x, at.y);
    EXPECT_EQ(pin(app), "box:5");
    EXPECT_TRUE(shows(app, "Exactly"));
    // The card lies beside the box.
    const auto box = scene::place_of(app.panels->scene, {Kind::box, 5, -1});
    for (const Drawn& drawn : app.panels->drawn) {
        if (drawn.text == "Box 5") {
            EXPECT_FALSE(test::over(drawn.area, *box));
        }
    }
    ui.click(app, at.x, at.y);
    EXPECT_EQ(pin(app), "");
    // A seat: pinned, and followed.
    const Point seat = middle(app, {Kind::thread, 100, -1});
    ui.click(app, seat.x, seat.y);
    EXPECT_EQ(pin(app), "thread:100");
    EXPECT_EQ(app.view.followed, 100);
    ASSERT_TRUE(ui.click(app, "inspect.close"));
    EXPECT_EQ(pin(app), "");
}

TEST_F(CardTest, TheKeyboardAlone) {
    App app = make_app(test::record("contiguous_warp", 256), {});
    app.playback.time = playback::end_of_step(app.shown.timeline, 4);
    ui.settle(app);
    ui.key(app, ImGuiKey_RightArrow, alt);
    EXPECT_EQ(asked(app), "thread:6");
    EXPECT_EQ(app.view.followed, 6);
    ui.key(app, ImGuiKey_I);
    EXPECT_EQ(pin(app), "thread:6");
    ui.key(app, ImGuiKey_UpArrow, alt);
    for (int i = 0; i < 20 && !pin(app).starts_with("box:"); ++i)
        ui.key(app, ImGuiKey_UpArrow, alt);
    EXPECT_TRUE(pin(app).starts_with("box:")) << pin(app);
    const std::string pinned = pin(app);
    ui.key(app, ImGuiKey_LeftArrow);
    ui.key(app, ImGuiKey_RightArrow);
    EXPECT_EQ(pin(app), pinned);
    ui.key(app, ImGuiKey_I);
    EXPECT_EQ(pin(app), "");
    EXPECT_EQ(asked(app), pinned);
    ui.key(app, ImGuiKey_Escape);
    EXPECT_EQ(asked(app), "");
    // Down from the last row lies the timeline, below its segments the lanes of the warps.
    app.view.selected = Thing{Kind::thread, 229, -1};
    ui.key(app, ImGuiKey_DownArrow, alt);
    EXPECT_EQ(asked(app), "step:4");
    ui.key(app, ImGuiKey_RightArrow, alt);
    ui.key(app, ImGuiKey_DownArrow, alt);
    EXPECT_EQ(asked(app), "step:5:0");
    ui.key(app, ImGuiKey_UpArrow, alt);
    ui.key(app, ImGuiKey_UpArrow, alt);
    EXPECT_TRUE(asked(app).starts_with("thread:")) << asked(app);
    // I without anything asked pins the researcher that the callout follows.
    ui.key(app, ImGuiKey_Escape);
    app.view.followed = 9;
    ui.key(app, ImGuiKey_I);
    EXPECT_EQ(pin(app), "thread:9");
}

TEST_F(CardTest, ALinkMarksItsLinesInTheCodePanel) {
    App app = make_app(test::record("missing_barrier", 256), {});
    app.view.pin = Thing{Kind::box, 40, -1};
    app.playback.time = playback::end_of_step(app.shown.timeline, 3);
    app.view.show_code = false;
    ui.settle(app);
    ASSERT_TRUE(ui.click(app, "inspect.note.0"));
    EXPECT_EQ(app.view.marked_lines, (std::vector<int>{13, 14}));
    EXPECT_TRUE(app.view.show_code);
    ui.settle(app);
    EXPECT_EQ(app.view.marked_lines, (std::vector<int>{13, 14}));
    ui.key(app, ImGuiKey_Escape);
    EXPECT_TRUE(app.view.marked_lines.empty());
    // By keyboard.
    app.view.pin = Thing{Kind::box, 40, -1};
    ui.settle(app);
    for (int i = 0; i < 60 && app.panels->focus.name != "inspect.fact.3"; ++i)
        ui.key(app, ImGuiKey_Tab);
    ASSERT_EQ(app.panels->focus.name, "inspect.fact.3");
    ui.key(app, ImGuiKey_Enter);
    EXPECT_EQ(app.view.marked_lines, std::vector<int>{14});
}

// Of each racy kernel the card leads to a wrong run and back to one that is right; the pin stays.
TEST_F(CardTest, ARaceShowsBothItsRuns) {
    for (const char* kernel : {"missing_barrier", "back_to_back", "missing_syncwarp"}) {
        App app = make_app(test::record(kernel, 256), {});
        const auto is_right = [&] {
            return std::all_of(app.shown.analysis.results.begin(), app.shown.analysis.results.end(),
                               [](const analysis::CallResult& r) { return r.correct; });
        };
        const auto wait = [&] {
            for (int i = 0; i < 20000 && app.panels->work.busy(); ++i) {
                ui.frame(app);
                std::this_thread::sleep_for(std::chrono::milliseconds(1));
            }
            ui.settle(app);
        };
        EXPECT_TRUE(is_right()) << kernel;
        int race = -1;
        for (int f = 0; f < int(app.shown.analysis.findings.size()) && race < 0; ++f)
            if (app.shown.analysis.findings[std::size_t(f)].rule == analysis::Rule::race)
                race = f;
        app.view.pin = Thing{Kind::finding, race, -1};
        ui.settle(app);
        ASSERT_TRUE(ui.click(app, "inspect.run")) << kernel;
        wait();
        EXPECT_FALSE(is_right()) << kernel;
        EXPECT_EQ(app.shown.trace.config.kernel, kernel);
        EXPECT_EQ(pin(app), "finding:" + std::to_string(race));
        ASSERT_TRUE(ui.click(app, "inspect.run")) << kernel;
        wait();
        EXPECT_TRUE(is_right()) << kernel << app.shown.trace.config.input;
    }
}

TEST_F(CardTest, AnotherRunKeepsAPinThatItHas) {
    App app = make_app(test::record("contiguous_warp", 256), {});
    app.view.pin = Thing{Kind::box, 200, -1};
    show(app, test::record("contiguous_full", 256), "");
    EXPECT_EQ(pin(app), "box:200");
    show(app, test::record("contiguous_full", 64), "");
    EXPECT_EQ(pin(app), "");
    ui.settle(app);
    EXPECT_FALSE(said(app));
}

}  // namespace
}  // namespace auditorium::panels
