// The compare view in whole frames, without a display: keys, pointer, menus, text at every size, and that a
// frame depends on nothing but the two traces, the time and the view.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <thread>

#include "app/panels/compare_view.h"
#include "app/panels/panels.h"
#include "app/scene/pick.h"
#include "kernels/catalogue.h"
#include "sides.h"
#include "tests/panels/headless.h"

namespace auditorium::panels {
namespace {

using namespace std::chrono_literals;
using nlohmann::json;
using playback::PairMode;

App app_of(const std::string& left, const std::string& right, View view = {}, trace::LaunchConfig base = {}) {
    trace::Trace a = test::simulated(left, base);
    App app = make_app(a, view);
    compare_traces(app, std::move(a), test::simulated(right, base));
    return app;
}

struct CompareTest : testing::Test {
    test::Headless ui;
    bool wait_until_idle(App& app) {
        for (int i = 0; i < 5000; ++i) {
            ui.frame(app);
            if (!app.panels->work.busy())
                return true;
            std::this_thread::sleep_for(2ms);
        }
        return false;
    }
    json state(const App& app) { return json::parse(state_json(app)); }
    static Rect place(const App& app, const std::string& control) {
        for (const Drawn& drawn : app.panels->drawn)
            if (drawn.control && drawn.text == control)
                return drawn.area;
        ADD_FAILURE() << "no control " << control;
        return {};
    }
    static bool has(const App& app, const std::string& control) {
        for (const Drawn& drawn : app.panels->drawn)
            if (drawn.control && drawn.text == control)
                return true;
        return false;
    }
};

bool over(const Rect& a, const Rect& b) {
    return a.x + a.w > b.x + 0.5f && b.x + b.w > a.x + 0.5f && a.y + a.h * 0.85f > b.y + b.h * 0.15f &&
           b.y + b.h * 0.85f > a.y + a.h * 0.15f;
}

void check_text(const App& app, const std::string& where) {
    const std::vector<Drawn>& all = app.panels->drawn;
    const float w = float(app.view.width) + 0.5f, h = float(app.view.height) + 0.5f;
    const CompareLayout layout = compare_layout(app.view);
    for (const Drawn& a : all) {
        EXPECT_GE(a.area.x, -0.5f) << where << a.text;
        EXPECT_GE(a.area.y, -0.5f) << where << a.text;
        EXPECT_LE(a.area.x + a.area.w, w) << where << a.text;
        EXPECT_LE(a.area.y + a.area.h, h) << where << a.text;
        if (a.control)
            continue;
        EXPECT_FALSE(a.cut && !a.may_be_cut) << where << a.text << " is cut";
        for (const Drawn& b : all) {
            const bool both = &b > &a && !b.control && b.scope == a.scope;
            EXPECT_FALSE(both && over(a.area, b.area))
                << where << '"' << a.text << "\" over \"" << b.text << '"';
        }
        if (a.scope != 0)
            continue;
        for (const Rect& card :
             {layout.score, layout.half[0], layout.half[1], layout.base.bottom, layout.base.top}) {
            const float cx = a.area.x + a.area.w / 2, cy = a.area.y + a.area.h / 2;
            if (card.w <= 0 || !card.contains({cx, cy}))
                continue;
            EXPECT_GE(a.area.x, card.x) << where << a.text;
            EXPECT_LE(a.area.x + a.area.w, card.x + card.w + 0.5f) << where << a.text;
            EXPECT_LE(a.area.y + a.area.h, card.y + card.h + 0.5f) << where << a.text;
        }
    }
}

TEST_F(CompareTest, OpensByKeyWithItsFirstPairAndGoesBack) {
    App app = make_app(test::simulated("contiguous_warp"), {});
    ui.settle(app);
    ui.key(app, ImGuiKey_RightArrow);
    ui.key(app, ImGuiKey_RightArrow);
    const double alone = app.playback.time;
    ASSERT_GT(alone, 0);
    ui.key(app, ImGuiKey_C);
    ASSERT_TRUE(wait_until_idle(app));
    ui.settle(app);
    ASSERT_TRUE(app.view.compare);
    const json now = state(app)["compare"];
    EXPECT_EQ(now["left"]["kernel"], "interleaved_divergent");
    EXPECT_EQ(now["right"]["kernel"], "contiguous_full");
    EXPECT_EQ(now["left"]["origin"], "gpu") << "as recorded";
    EXPECT_EQ(now["mode"], "race");
    EXPECT_EQ(app.playback.time, 0);
    EXPECT_FALSE(has(app, "save")) << "what belongs to one run";
    ui.key(app, ImGuiKey_RightArrow);
    const double pair = app.playback.time;
    EXPECT_GT(pair, 0);
    ui.key(app, ImGuiKey_C);
    EXPECT_FALSE(app.view.compare);
    EXPECT_EQ(app.playback.time, alone) << "each view keeps its time";
    EXPECT_TRUE(state(app)["compare"].is_null());
    ui.settle(app);
    ASSERT_TRUE(ui.click(app, "compare"));
    EXPECT_TRUE(app.view.compare) << "at once: the pair is there";
    EXPECT_EQ(app.playback.time, pair);
    ASSERT_TRUE(ui.click(app, "compare"));
    EXPECT_FALSE(app.view.compare);
}

TEST_F(CompareTest, StepsAndPartsOfSteps) {
    View view;
    view.pair_mode = PairMode::step;
    App app = app_of("interleaved_strided", "contiguous_full", view);
    ui.settle(app);
    ui.key(app, ImGuiKey_RightArrow);
    EXPECT_EQ(state(app)["compare"]["left"]["step"], 1) << "nothing happens in the arrival";
    ui.key(app, ImGuiKey_RightArrow);
    ui.key(app, ImGuiKey_RightArrow);
    EXPECT_EQ(state(app)["compare"]["left"]["step"], 3);
    EXPECT_EQ(state(app)["compare"]["right"]["step"], 3);
    EXPECT_EQ(app.playback.time, playback::end_of_step(app.pair.clock, 3));
    ui.key(app, ImGuiKey_RightArrow, 1);  // Shift
    const double part = app.playback.time;
    EXPECT_GT(part, playback::end_of_step(app.pair.clock, 3));
    EXPECT_LT(part, playback::end_of_step(app.pair.clock, 4));
    ui.key(app, ImGuiKey_LeftArrow, 1);
    EXPECT_EQ(app.playback.time, playback::end_of_step(app.pair.clock, 3));
    ui.key(app, ImGuiKey_LeftArrow);
    EXPECT_EQ(state(app)["compare"]["right"]["step"], 2);
    ui.key(app, ImGuiKey_End);
    EXPECT_EQ(app.playback.time, app.pair.clock.duration);
    ui.key(app, ImGuiKey_Home);
    EXPECT_EQ(app.playback.time, 0);
    // Scrubbing: the same place is the same moment.
    const Rect bar = place(app, "timeline");
    ui.click(app, bar.x + bar.w * 0.6f, bar.y + bar.h / 2);
    const double time = app.playback.time;
    EXPECT_GT(time, 0);
    ui.click(app, bar.x + bar.w * 0.2f, bar.y + bar.h / 2);
    EXPECT_LT(app.playback.time, time);
    ui.click(app, bar.x + bar.w * 0.6f, bar.y + bar.h / 2);
    EXPECT_EQ(app.playback.time, time);
}

TEST_F(CompareTest, ModesKeepTheLeftSidesPlace) {
    App app = app_of("contiguous_full", "contiguous_warp");
    ui.settle(app);
    EXPECT_EQ(app.pair.mode, PairMode::step) << "simulated: no race";
    ui.click(app, "mode.race");
    EXPECT_EQ(app.pair.mode, PairMode::step) << "and none to be had";
    EXPECT_NE(why_no_race(app).find("Each side was simulated"), std::string::npos) << why_no_race(app);
    playback::seek(app.playback, app.pair.clock, playback::end_of_step(app.pair.clock, 9));
    const double left = playback::side_time(app.pair, 0, app.playback.time);
    ui.click(app, "mode.phase");
    EXPECT_EQ(app.pair.mode, PairMode::phase);
    EXPECT_NEAR(playback::side_time(app.pair, 0, app.playback.time), left, 1e-9);
    EXPECT_EQ(state(app)["compare"]["right"]["step"], 4) << "it holds at its last cut";
    ui.click(app, "mode.step");
    EXPECT_NEAR(playback::side_time(app.pair, 0, app.playback.time), left, 1e-9);
}

std::vector<char> bytes_of(const App& app) {
    std::vector<char> out;
    const auto add = [&](const void* data, std::size_t size) {
        out.insert(out.end(), static_cast<const char*>(data), static_cast<const char*>(data) + size);
    };
    for (const scene::Scene& s : app.panels->compare.scene)
        for (const scene::Layer& layer : s.layers) {
            for (const scene::Shape& shape : layer.shapes) {
                add(shape.p.data(), sizeof shape.p);
                add(&shape.fill, sizeof shape.fill);
                add(&shape.line, sizeof shape.line);
                add(&shape.radius, sizeof shape.radius);
            }
            for (const scene::Label& label : layer.labels) {
                add(label.text.data(), label.text.size());
                add(&label.at, sizeof label.at);
            }
        }
    for (const Drawn& drawn : app.panels->drawn)
        add(drawn.text.data(), drawn.text.size());
    return out;
}

TEST_F(CompareTest, SeekingEqualsPlaying) {
    for (const PairMode mode : {PairMode::step, PairMode::phase, PairMode::race}) {
        View view;
        view.pair_mode = mode;
        trace::Trace left = *compare::recorded(*compare::config_of("interleaved_strided", {}));
        trace::Trace right = *compare::recorded(*compare::config_of("contiguous_warp", {}));
        App played = make_app(left, view), sought = make_app(left, view);
        compare_traces(played, left, right);
        compare_traces(sought, left, right);
        ASSERT_EQ(played.pair.mode, mode);
        played.playback.playing = true;
        int looked = 0;
        for (int i = 0; played.playback.playing && i < 3000; ++i) {
            ui.frame(played, 0.047);
            if (i % 23 != 0)
                continue;
            // The same moment, come to from the other end of time.
            playback::seek(sought.playback, sought.pair.clock, sought.pair.clock.duration);
            ui.frame(sought);
            playback::seek(sought.playback, sought.pair.clock, played.playback.time);
            ui.frame(sought);
            ui.frame(played);
            EXPECT_EQ(bytes_of(played) == bytes_of(sought), true)
                << playback::name_of(mode) << " at " << played.playback.time;
            ++looked;
        }
        EXPECT_GT(looked, 5);
        EXPECT_FALSE(played.playback.playing) << "the end was reached";
    }
}

TEST_F(CompareTest, BothHalvesHaveOneScaleAndOneCamera) {
    View view;
    view.pair_mode = PairMode::phase;
    for (const auto& [left, right] : {std::pair{"interleaved_strided", "contiguous_full"},
                                      {"contiguous_warp@1024", "contiguous_warp@64"},
                                      {"interleaved_divergent@1024", "contiguous_full@1024"}}) {
        App app = app_of(left, right, view);
        const auto width_of = [&](int s, scene::Target::Kind kind) {
            std::set<float> widths;
            for (const scene::Target& target : app.panels->compare.scene[std::size_t(s)].targets)
                if (target.kind == kind)
                    widths.insert(std::round(target.area.w * 10) / 10);
            return widths;
        };
        const auto row_height = [&](int s) {
            float most = 0;
            for (const scene::Target& target : app.panels->compare.scene[std::size_t(s)].targets)
                if (target.kind == scene::Target::Kind::box)
                    most = std::max(most, target.area.h);
            return most;
        };
        for (int row : {1, 2, 3}) {
            playback::seek(app.playback, app.pair.clock, playback::end_of_step(app.pair.clock, row));
            ui.settle(app);
            const auto& halves = app.panels->compare.scene;
            EXPECT_EQ(halves[0].area.w, halves[1].area.w);
            EXPECT_EQ(halves[0].area.h, halves[1].area.h);
            EXPECT_EQ(width_of(0, scene::Target::Kind::box), width_of(1, scene::Target::Kind::box)) << left;
            EXPECT_FLOAT_EQ(row_height(0), row_height(1)) << left << row;
        }
    }
    App app = app_of("contiguous_full", "contiguous_warp", view);
    ui.settle(app);
    const Rect right = place(app, "scene.right");
    ImGui::GetIO().AddMousePosEvent(right.x + 40, right.y + 50);
    ui.settle(app);
    ImGui::GetIO().AddMouseWheelEvent(0, 3);
    ui.settle(app);
    const auto& halves = app.panels->compare.scene;
    EXPECT_GT(halves[0].camera.zoom, 1.2f);
    EXPECT_EQ(halves[0].camera.zoom, halves[1].camera.zoom);
    EXPECT_EQ(halves[0].camera.centre.x, halves[1].camera.centre.x);
    // The point under the pointer has stayed.
    const scene::Camera& camera = halves[1].camera;
    EXPECT_NEAR((40 - right.w / 2) / camera.zoom + camera.centre.x, 40, 0.6f);
    ui.key(app, ImGuiKey_F);
    EXPECT_FLOAT_EQ(app.panels->compare.scene[0].camera.zoom, 1);
}

TEST_F(CompareTest, AMovedCameraStaysUntilTheNextPhase) {
    for (const PairMode mode : {PairMode::step, PairMode::phase, PairMode::race}) {
        View view;
        view.pair_mode = mode;
        trace::Trace left = *compare::recorded(*compare::config_of("contiguous_full", {}));
        App app = make_app(left, view);
        compare_traces(app, left, *compare::recorded(*compare::config_of("contiguous_warp", {})));
        const auto zoom_of = [&](int side) {
            return app.panels->compare.scene[std::size_t(side)].camera.zoom;
        };
        const auto step_of = [&](int side) {
            return state(app)["compare"][side == 0 ? "left" : "right"]["step"].get<int>();
        };
        // In the first cut: the whole of the second and third is one phase with it.
        ui.settle(app);
        while (step_of(0) < 2 || step_of(1) < 2)
            ui.key(app, ImGuiKey_RightArrow);
        const Rect right = place(app, "scene.right");
        ImGui::GetIO().AddMousePosEvent(right.x + 60, right.y + 60);
        ui.settle(app);
        ImGui::GetIO().AddMouseWheelEvent(0, 2);
        ui.settle(app);
        ASSERT_GT(zoom_of(0), 1.1f);
        ImGui::GetIO().AddMousePosEvent(2, 2);
        bool released = false;
        for (int i = 0; i < 40 && !released; ++i) {
            const int step = step_of(1);
            ui.key(app, ImGuiKey_RightArrow);
            EXPECT_EQ(zoom_of(0), zoom_of(1)) << "in sync";
            released = !app.view.manual_camera;
            if (!released)
                EXPECT_LE(step_of(1), 4) << "the right side is still in its cuts";
            else
                EXPECT_GT(step_of(1), 4) << playback::name_of(mode) << " from " << step;
        }
        EXPECT_TRUE(released) << playback::name_of(mode);
        EXPECT_FLOAT_EQ(zoom_of(0), 1);
        // By keyboard, and F gives it back at once.
        ui.type(app, "+");
        EXPECT_GT(zoom_of(1), 1.1f);
        ui.key(app, ImGuiKey_F);
        EXPECT_FLOAT_EQ(zoom_of(0), 1);
        EXPECT_FLOAT_EQ(zoom_of(1), 1);
    }
}

TEST_F(CompareTest, ChoosesPairsSidesAndWhatBothDo) {
    View view;
    view.pair_mode = PairMode::step;
    App app = app_of("interleaved_divergent", "contiguous_full", view);
    app.panels->device = launch::Device::cpu;
    ui.settle(app);
    ui.click(app, "chip.pair");
    ASSERT_TRUE(ui.click(app, "pair.warp"));
    ASSERT_TRUE(wait_until_idle(app));
    EXPECT_EQ(state(app)["compare"]["right"]["kernel"], "contiguous_warp");
    ui.settle(app);
    ui.click(app, "chip.op");
    ASSERT_TRUE(ui.click(app, "op.sum"));
    ASSERT_TRUE(wait_until_idle(app));
    for (const auto& side : app.compared->sides)
        EXPECT_EQ(side->trace.config.op, trace::Op::sum);
    ui.settle(app);
    ui.click(app, "chip.block");
    ASSERT_TRUE(ui.click(app, "block.64"));
    ASSERT_TRUE(wait_until_idle(app));
    for (const auto& side : app.compared->sides)
        EXPECT_EQ(side->trace.config.block, 64);
    ui.settle(app);
    ui.click(app, "chip.left");
    ASSERT_TRUE(ui.click(app, "side.swap"));
    ASSERT_TRUE(wait_until_idle(app));
    EXPECT_EQ(state(app)["compare"]["left"]["kernel"], "contiguous_warp");
    ui.settle(app);
    ui.click(app, "chip.right");
    ASSERT_TRUE(ui.click(app, "side.alone"));
    EXPECT_FALSE(app.view.compare);
    EXPECT_EQ(app.shown.trace.config.kernel, "contiguous_full");
    EXPECT_EQ(app.shown.trace.config.block, 64);
    // And back, with the single view's run on the left.
    ui.settle(app);
    ui.key(app, ImGuiKey_C);
    ui.settle(app);
    ui.click(app, "chip.left");
    ASSERT_TRUE(ui.click(app, "side.shown"));
    EXPECT_EQ(state(app)["compare"]["left"]["kernel"], "contiguous_full");
}

TEST_F(CompareTest, LeavingTakesBackWhatIsStillBeingMade) {
    App app = app_of("contiguous_full", "contiguous_warp");
    ui.settle(app);
    compare_preset(app, compare::presets()[1]);
    ASSERT_TRUE(app.panels->work.busy());
    set_compare(app, false);
    ASSERT_TRUE(wait_until_idle(app));
    std::this_thread::sleep_for(50ms);
    ui.settle(app);
    EXPECT_FALSE(app.view.compare);
    set_compare(app, true);
    EXPECT_EQ(state(app)["compare"]["left"]["kernel"], "contiguous_full");
    EXPECT_EQ(app.panels->compare.wanted[0].config.kernel, "contiguous_full");
}

TEST_F(CompareTest, TwoSchedulesOfOneKernel) {
    App app = app_of("missing_barrier@256", "missing_barrier@256@7");
    ui.settle(app);
    const json now = state(app)["compare"];
    EXPECT_EQ(now["left"]["schedule"], "lockstep");
    EXPECT_EQ(now["right"]["schedule"], "7");
    bool said = false;
    for (const Drawn& drawn : app.panels->drawn)
        said |= drawn.text.find("turns 7") != std::string::npos;
    EXPECT_TRUE(said);
}

TEST_F(CompareTest, TheChipsSayWhatBothSidesDo) {
    trace::LaunchConfig left, right;
    right.op = trace::Op::sum;
    right.type = trace::Type::i32;
    right.input = "random:5:0:999";
    trace::Trace a = test::simulated("contiguous_warp@256", left);
    for (const ThemeId theme : {ThemeId::dark, ThemeId::light})
        for (const auto& [w, h] : {std::pair{1280, 720}, {1600, 900}, {1920, 1080}}) {
            View view;
            view.theme = theme;
            view.width = w;
            view.height = h;
            App app = make_app(a, view);
            compare_traces(app, a, test::simulated("contiguous_full@1024", right));
            ui.settle(app);
            std::string chips, rest;
            for (const Drawn& drawn : app.panels->drawn)
                if (!drawn.control && drawn.area.y < compare_layout(view).base.top.h)
                    chips += drawn.text + "\n";
                else if (!drawn.control)
                    rest += drawn.text + "\n";
            for (const char* both : {"max | sum", "float | int", "256 | 1024"})
                EXPECT_NE(chips.find(both), std::string::npos) << w << ": " << both << " in " << chips;
            EXPECT_TRUE(chips.find("0–999, seed 3664 | 5") != std::string::npos ||
                        chips.find("two data") != std::string::npos)
                << chips;
            EXPECT_NE(rest.find("different op, type"), std::string::npos) << rest;
            if (has(app, "chip.more")) {
                ui.click(app, "chip.more");
                ui.settle(app);
                bool said = false;
                for (const Drawn& drawn : app.panels->drawn)
                    said |= drawn.text == "data: 0–999, seed 3664 | 5";
                EXPECT_TRUE(said);
            }
        }
}

TEST_F(CompareTest, TheSceneAloneNamesItsSides) {
    View view;
    view.scene_only = true;
    for (const auto& [w, h] : {std::pair{640, 400}, {1280, 720}, {1600, 900}}) {
        view.width = w;
        view.height = h;
        App app = app_of("missing_barrier@256", "missing_barrier@256@7", view);
        ui.settle(app);
        std::vector<std::string> texts;
        for (const Drawn& drawn : app.panels->drawn)
            if (!drawn.control)
                texts.push_back(drawn.text);
        ASSERT_GE(texts.size(), 2u);
        EXPECT_NE(std::find(texts.begin(), texts.end(), "Missing barrier, turns lockstep"), texts.end()) << w;
        EXPECT_NE(std::find(texts.begin(), texts.end(), "Missing barrier, turns 7"), texts.end()) << w;
        check_text(app, fmt::format("scene {}x{}: ", w, h));
    }
}

TEST_F(CompareTest, TheButtonsKeepOffTheSpeeds) {
    App app = app_of("contiguous_full", "contiguous_warp");
    for (const auto& [w, h] : {std::pair{1280, 720}, {1366, 768}, {1440, 900}, {1600, 900}, {1920, 1080}}) {
        app.view.width = w;
        app.view.height = h;
        ui.settle(app);
        const Rect play = place(app, "play"), speed = place(app, "speed.1x"), mode = place(app, "mode.step");
        EXPECT_GE(speed.y - play.y - play.h, 4) << w << "x" << h;
        EXPECT_GE(mode.y - speed.y - speed.h, 1) << w << "x" << h;
        EXPECT_GE(play.y, compare_layout(app.view).base.bottom.y + 2) << w << "x" << h;
    }
}

TEST(CompareLayoutTest, SegmentsSayWhatTheSingleViewSays) {
    for (const kernels::Kernel& kernel : kernels::all()) {
        const test::Run run =
            test::run_of(fmt::format("{}@{}", kernel.id, kernel.correct ? 256 : kernel.clinic_block));
        for (const PairMode mode : {PairMode::step, PairMode::phase}) {
            const playback::Pair pair = playback::make_pair(mode, run.side(), run.side());
            const PairLayout both = lay_out_pair(pair, run.side(), run.side(), 900);
            const TimelineLayout one = lay_out_timeline(run.trace, run.analysis, run.timeline, 900);
            int words = 0;
            for (const PairSegment& segment : both.sides[1]) {
                const Segment& alone = one.segments[std::size_t(segment.span)];
                EXPECT_EQ(segment.label, alone.label) << kernel.id;
                EXPECT_TRUE(segment.short_label == alone.short_label || segment.short_label == "read");
                words += segment.label.starts_with("stride");
            }
            EXPECT_LE(words, run.trace.config.calls) << kernel.id;
        }
    }
}

// The inspector in the halves.
std::string asked(const App& app) {
    if (!app.view.asked())
        return "";
    return (app.view.asked_side() == 0 ? "left:" : "right:") + inspector::name_of(*app.view.asked());
}

bool shows(const App& app, const std::string& text) {
    return std::any_of(app.panels->drawn.begin(), app.panels->drawn.end(),
                       [&](const Drawn& drawn) { return !drawn.control && drawn.text == text; });
}

Point middle(const App& app, int side, const inspector::Thing& thing) {
    const auto r = scene::place_of(app.panels->compare.scene[std::size_t(side)], thing);
    EXPECT_TRUE(r) << inspector::name_of(thing);
    return r ? Point{r->x + r->w / 2, r->y + r->h / 2} : Point{};
}

using Thing = inspector::Thing;
constexpr int alt_key = 4;

TEST_F(CompareTest, ThePointerAsksInBothHalves) {
    View view;
    view.pair_mode = PairMode::step;
    App app = app_of("interleaved_strided", "contiguous_full", view);
    playback::seek(app.playback, app.pair.clock, playback::end_of_step(app.pair.clock, 3));
    ui.settle(app);
    for (const int side : {0, 1}) {
        const std::string name = side == 0 ? "left" : "right";
        const Point at = middle(app, side, {Thing::Kind::box, 4, -1});
        ImGui::GetIO().AddMousePosEvent(at.x, at.y);
        ui.settle(app);
        EXPECT_EQ(asked(app), name + ":box:4");
        EXPECT_TRUE(shows(app, "Box 4 · " + name));
        EXPECT_EQ(state(app)["asked_side"], name);
    }
    // A click pins, in the half where it was; the pin stays while time goes on, both ways.
    const Point at = middle(app, 1, {Thing::Kind::box, 4, -1});
    ui.click(app, at.x, at.y);
    ASSERT_TRUE(app.view.pin);
    EXPECT_TRUE(shows(app, "Exactly"));
    for (const ImGuiKey key :
         {ImGuiKey_RightArrow, ImGuiKey_RightArrow, ImGuiKey_LeftArrow, ImGuiKey_End, ImGuiKey_Home}) {
        ui.key(app, key);
        EXPECT_EQ(asked(app), "right:box:4");
        EXPECT_TRUE(shows(app, "Box 4 · right"));
    }
    // Neither the pointer over the other half nor the arrows of time change it.
    const Point other = middle(app, 0, {Thing::Kind::box, 200, -1});
    ImGui::GetIO().AddMousePosEvent(other.x, other.y);
    ui.settle(app);
    EXPECT_EQ(asked(app), "right:box:4");
    ASSERT_TRUE(ui.click(app, "inspect.close"));
    EXPECT_FALSE(app.view.pin);
    EXPECT_FALSE(has(app, "inspect.fact.3")) << "links are a pinned card's";
}

// There is no code panel beside two halves: a link leads to its side alone, at the same moment.
TEST_F(CompareTest, ALinkLeadsToItsLinesInThatSideAlone) {
    App app = app_of("interleaved_strided", "contiguous_full");
    ui.settle(app);
    playback::seek(app.playback, app.pair.clock, app.pair.clock.duration * 0.6);
    ui.settle(app);
    const double there = playback::side_time(app.pair, 1, app.playback.time);
    app.view.pin = inspector::Thing{Thing::Kind::box, 3, -1};
    app.view.pin_side = 1;
    ui.settle(app);
    int link = 0;
    while (link < 12 && !has(app, fmt::format("inspect.fact.{}", link)))
        ++link;
    ASSERT_LT(link, 12) << "no link on the card";
    ASSERT_TRUE(ui.click(app, fmt::format("inspect.fact.{}", link)));
    ui.settle(app);
    EXPECT_FALSE(app.view.compare);
    EXPECT_EQ(app.shown.trace.config.kernel, "contiguous_full");
    EXPECT_DOUBLE_EQ(app.playback.time, there);
    EXPECT_FALSE(app.view.marked_lines.empty());
    EXPECT_EQ(inspector::name_of(*app.view.asked()), "box:3");
    ui.settle(app);
    EXPECT_FALSE(app.view.marked_lines.empty()) << "they are marked until another step";
}

TEST_F(CompareTest, TheKeyboardAsksInBothHalves) {
    App app = app_of("interleaved_strided", "contiguous_full");
    ui.settle(app);
    ui.key(app, ImGuiKey_RightArrow, alt_key);
    EXPECT_EQ(asked(app), "left:thread:6");
    EXPECT_EQ(app.view.followed, 6);
    for (int i = 0; i < 25; ++i)
        ui.key(app, ImGuiKey_RightArrow, alt_key);
    EXPECT_EQ(asked(app), "left:thread:31");
    ui.key(app, ImGuiKey_RightArrow, alt_key);
    EXPECT_EQ(asked(app), "right:thread:0") << "over the edge";
    ui.key(app, ImGuiKey_I);
    ASSERT_TRUE(app.view.pin);
    ui.key(app, ImGuiKey_LeftArrow, alt_key);
    EXPECT_EQ(asked(app), "left:thread:31") << "a pin goes along";
    ui.key(app, ImGuiKey_I);
    EXPECT_FALSE(app.view.pin);
    EXPECT_EQ(asked(app), "left:thread:31");
    ui.key(app, ImGuiKey_Escape);
    EXPECT_EQ(asked(app), "");
}

TEST_F(CompareTest, EachViewKeepsItsOwnPin) {
    App app = app_of("contiguous_warp@1024", "contiguous_full");
    ui.settle(app);
    app.view.pin = Thing{Thing::Kind::box, 900, -1};
    app.view.pin_side = 0;
    app.view.followed = 900;
    set_compare(app, false);
    ui.settle(app);
    EXPECT_EQ(asked(app), "");
    app.view.pin = Thing{Thing::Kind::box, 7, -1};
    ui.settle(app);
    set_compare(app, true);
    ui.settle(app);
    EXPECT_EQ(asked(app), "left:box:900");
    // A pair without that box has no pin on it; the single view still has its own.
    compare_traces(app, test::simulated("contiguous_warp@64"), test::simulated("contiguous_full@64"));
    ui.settle(app);
    EXPECT_EQ(asked(app), "");
    set_compare(app, false);
    ASSERT_TRUE(app.view.pin);
    EXPECT_EQ(inspector::name_of(*app.view.pin), "box:7");
}

TEST_F(CompareTest, TheSameThingIsMarkedInTheOtherHalf) {
    App app = app_of("contiguous_full", "contiguous_full");
    playback::seek(app.playback, app.pair.clock, playback::end_of_step(app.pair.clock, 3));
    ui.settle(app);
    const auto shapes = [&](int side) {
        std::size_t count = 0;
        for (const scene::Layer& layer : app.panels->compare.scene[std::size_t(side)].layers)
            count += layer.shapes.size();
        return count;
    };
    const std::size_t before = shapes(1);
    app.view.pin = Thing{Thing::Kind::box, 5, -1};
    ui.settle(app);
    EXPECT_GT(shapes(1), before);
    EXPECT_EQ(shapes(0), shapes(1)) << "one kernel twice: one picture";
}

TEST_F(CompareTest, CardsStayInTheirHalf) {
    for (const auto& [left, right] : {std::pair{"interleaved_strided", "ragged_block@96"},
                                      {"contiguous_warp@1024", "missing_barrier@256"}}) {
        View view;
        view.pair_mode = PairMode::step;
        App app = app_of(left, right, view);
        for (const bool presenter : {false, true})
            for (const auto& [w, h] : {std::pair{1280, 720}, {1600, 900}, {1920, 1080}, {1000, 620}})
                for (const int row : {1, 3, 5, 9})
                    for (const int side : {0, 1})
                        for (const Thing& thing : {Thing{Thing::Kind::box, 0, -1},
                                                   {Thing::Kind::box, 40, -1},
                                                   {Thing::Kind::thread, 95, -1},
                                                   {Thing::Kind::ray, 1, 0},
                                                   {Thing::Kind::note, 3, -1},
                                                   {Thing::Kind::bank, 31, -1},
                                                   {Thing::Kind::ticket, 0, 1}}) {
                            app.view.width = w;
                            app.view.height = h;
                            app.view.presenter = presenter;
                            app.view.pin = thing;
                            app.view.pin_side = side;
                            playback::seek(app.playback, app.pair.clock,
                                           playback::end_of_step(app.pair.clock, row));
                            ui.settle(app);
                            const std::string where =
                                fmt::format("{} {} {}x{}{} row {} side {}: ", left, inspector::name_of(thing),
                                            w, h, presenter ? " presenter" : "", row, side);
                            check_text(app, where);
                            const Rect room = compare_layout(app.view).scene[std::size_t(side)];
                            std::size_t first = 0, last = app.panels->drawn.size();
                            const std::string title =
                                fmt::format("{} · {}", app.panels->asked.description->title,
                                            side == 0 ? "left" : "right");
                            while (first < last && app.panels->drawn[first].text != title)
                                ++first;
                            ASSERT_LT(first, last) << where << title;
                            for (std::size_t i = first; i < last; ++i)
                                EXPECT_TRUE(room.holds(app.panels->drawn[i].area))
                                    << where << app.panels->drawn[i].text;
                            if (HasFailure())
                                return;
                        }
    }
}

TEST_F(CompareTest, AFailingChoiceLeavesThePairAndSaysWhy) {
    App app = app_of("contiguous_full", "contiguous_warp");
    ui.settle(app);
    const std::uint64_t id = app.compared->id;
    trace::LaunchConfig config = app.panels->compare.wanted[0].config;
    config.block = 16;  // contiguous_warp wants 32
    compare_config(app, config, false);
    ASSERT_TRUE(wait_until_idle(app));
    EXPECT_EQ(app.compared->id, id);
    ASSERT_FALSE(app.notices.empty());
    EXPECT_EQ(app.panels->compare.wanted[1].config.block, 256) << "the chips say what is shown";
}

TEST_F(CompareTest, TabReachesEveryControl) {
    App app = app_of("contiguous_full", "contiguous_warp");
    ui.settle(app);
    std::set<std::string> controls, reached;
    for (const Drawn& drawn : app.panels->drawn)
        if (drawn.control && !drawn.text.starts_with("scene") && drawn.text != "mode.race")  // not to be had
            controls.insert(drawn.text);
    for (std::size_t i = 0; i < controls.size(); ++i) {
        ui.key(app, ImGuiKey_Tab);
        reached.insert(app.panels->focus.name);
    }
    EXPECT_EQ(reached, controls);
}

TEST_F(CompareTest, TextAtEverySizeAndScale) {
    for (const auto& [left, right, mode] :
         {std::tuple{"interleaved_strided", "contiguous_full", PairMode::step},
          {"contiguous_warp@1024", "one_barrier@64", PairMode::phase},
          {"missing_barrier@256", "missing_barrier@256@7", PairMode::step}}) {
        trace::LaunchConfig base;
        base.op = trace::Op::sum;
        App app = app_of(left, right, {}, base);
        for (const bool presenter : {false, true})
            for (const auto& [w, h] : {std::pair{1280, 720}, {1440, 900}, {1600, 900}, {1920, 1080}})
                for (const float scale : {0.75f, 1.f, 1.25f, 1.5f, 2.f}) {
                    app.view.width = int(float(w) / scale);
                    app.view.height = int(float(h) / scale);
                    app.view.ui_scale = scale;
                    app.view.presenter = presenter;
                    set_pair_mode(app, mode);
                    for (int row = 0; row < int(app.pair.rows.size()); row += 3) {
                        playback::seek(app.playback, app.pair.clock,
                                       playback::end_of_step(app.pair.clock, row) - 0.6);
                        ui.settle(app);
                        check_text(app, fmt::format("{} {} {}x{} x{}{} row {}: ", left, right, w, h, scale,
                                                    presenter ? " presenter" : "", row));
                        if (HasFailure())
                            return;
                    }
                }
    }
}

TEST_F(CompareTest, TextOfARace) {
    View view;
    trace::Trace left = *compare::recorded(*compare::config_of("interleaved_strided", {}));
    App app = make_app(left, view);
    compare_traces(app, left, *compare::recorded(*compare::config_of("contiguous_warp", {})));
    ASSERT_EQ(app.pair.mode, PairMode::race);
    for (const auto& [w, h] : {std::pair{640, 360}, {1280, 720}, {1440, 900}, {1600, 900}, {1920, 1080}}) {
        app.view.width = w;
        app.view.height = h;
        for (int i = 0; i <= 20; ++i) {
            playback::seek(app.playback, app.pair.clock, app.pair.clock.duration * i / 20);
            ui.settle(app);
            check_text(app, fmt::format("race {}x{} {}: ", w, h, i));
            if (HasFailure())
                return;
        }
    }
}

TEST_F(CompareTest, APresentersClockIsLegible) {
    View view;
    view.presenter = true;
    trace::Trace left = *compare::recorded(*compare::config_of("interleaved_strided", {}));
    App app = make_app(left, view);
    compare_traces(app, left, *compare::recorded(*compare::config_of("contiguous_warp", {})));
    for (const PairMode mode : {PairMode::step, PairMode::race})
        for (const auto& [w, h] : {std::pair{1280, 720}, {1600, 900}, {1920, 1080}}) {
            app.view.width = w;
            app.view.height = h;
            set_pair_mode(app, mode);
            playback::seek(app.playback, app.pair.clock, app.pair.clock.duration * 0.4);
            ui.settle(app);
            int texts = 0;
            for (const Drawn& drawn : app.panels->drawn)
                if (!drawn.control && !drawn.mark && compare_layout(app.view).base.bottom.holds(drawn.area)) {
                    EXPECT_GE(drawn.area.h, 13.9f) << drawn.text << " " << w << "x" << h;
                    ++texts;
                }
            EXPECT_GT(texts, 15);
        }
}

TEST_F(CompareTest, MenusFit) {
    App app = app_of("contiguous_full", "contiguous_warp");
    for (const auto& [w, h] : {std::pair{640, 360}, {1280, 720}, {1600, 900}})
        for (const char* chip : {"chip.pair", "chip.left", "chip.right"}) {
            app.view.width = w;
            app.view.height = h;
            ui.settle(app);
            ASSERT_TRUE(ui.click(app, chip)) << w;
            EXPECT_NE(app.panels->menu, Menu::none);
            check_text(app, fmt::format("menu {} {}x{}: ", chip, w, h));
            ui.key(app, ImGuiKey_Escape);
            EXPECT_EQ(app.panels->menu, Menu::none);
        }
}

TEST_F(CompareTest, TheResultShowsTheTwoOrders) {
    trace::LaunchConfig base;
    base.op = trace::Op::sum;
    base.input = "random:5:0:99999999";
    App app = app_of("interleaved_divergent", "contiguous_full", {}, base);
    ui.settle(app);
    ASSERT_TRUE(ui.click(app, "result"));
    EXPECT_EQ(app.panels->dialog, Dialog::trees);
    ui.settle(app);
    bool left = false, right = false;
    for (const Drawn& drawn : app.panels->drawn) {
        left |= drawn.text == "0–31";
        right |= drawn.text == "0, 8, … 248";
    }
    EXPECT_TRUE(left && right) << "neighbours are added first on one side, halves on the other";
    for (const auto& [w, h] : {std::pair{640, 360}, {1280, 720}, {1600, 900}, {1920, 1080}}) {
        app.view.width = w;
        app.view.height = h;
        ui.settle(app);
        check_text(app, fmt::format("trees {}x{}: ", w, h));
    }
    ui.key(app, ImGuiKey_Escape);
    EXPECT_EQ(app.panels->dialog, Dialog::none);
    EXPECT_TRUE(app.view.compare) << "Escape leaves the dialog alone";
}

TEST_F(CompareTest, TheLedgerKeepsEveryRunAndExportsThem) {
    App app = app_of("interleaved_strided", "contiguous_warp");
    EXPECT_EQ(app.ledger.size(), 3u) << "the single run, and the two beside each other";
    ui.settle(app);
    ui.key(app, ImGuiKey_J);
    ASSERT_EQ(app.panels->dialog, Dialog::ledger);
    ui.settle(app);
    ASSERT_TRUE(ui.click(app, "ledger.load_wavefronts"));
    EXPECT_EQ(app.ledger[0].config.kernel, "contiguous_warp");
    ASSERT_TRUE(ui.click(app, "ledger.load_wavefronts"));
    EXPECT_EQ(app.ledger[0].config.kernel, "interleaved_strided");
    // Over a cell: the metric and the command.
    const Rect row = place(app, "ledger.row.0");
    ImGui::GetIO().AddMousePosEvent(row.x + row.w * 0.5f, row.y + row.h / 2);
    ui.settle(app);
    bool command = false;
    for (const Drawn& drawn : app.panels->drawn)
        command |= drawn.text.find("auditorium record --kernel interleaved_strided") != std::string::npos ||
                   drawn.text.rfind("ncu ", 0) == 0;
    EXPECT_TRUE(command);
    for (const auto& [w, h] : {std::pair{640, 360}, {1280, 720}, {1600, 900}, {1920, 1080}}) {
        app.view.width = w;
        app.view.height = h;
        ui.settle(app);
        check_text(app, fmt::format("ledger {}x{}: ", w, h));
    }
    ASSERT_TRUE(ui.click(app, "ledger.save"));
    EXPECT_EQ(app.panels->dialog, Dialog::save_ledger);
    const std::string path = ::testing::TempDir() + "ledger_of_a_test.json";
    std::remove(path.c_str());
    app.panels->path_text = ::testing::TempDir() + "ledger_of_a_test.txt";
    ui.settle(app);
    ui.click(app, "ok");
    EXPECT_EQ(app.panels->dialog, Dialog::save_ledger) << "no such format";
    app.panels->path_text = path;
    ui.settle(app);
    ui.click(app, "ok");
    for (int i = 0; i < 500 && app.panels->writing.busy(); ++i) {
        ui.frame(app);
        std::this_thread::sleep_for(2ms);
    }
    std::ifstream file(path);
    const json written = json::parse(file, nullptr, false);
    ASSERT_FALSE(written.is_discarded());
    EXPECT_EQ(written["runs"].size(), 3u);
}

TEST(CompareLayoutTest, TheTwoHalvesAreEqualAndNothingOverlaps) {
    for (const bool presenter : {false, true})
        for (int w = 480; w <= 2400; w += 60)
            for (int h = 320; h <= 1400; h += 60) {
                View view;
                view.width = w;
                view.height = h;
                view.presenter = presenter;
                const CompareLayout l = compare_layout(view);
                EXPECT_EQ(l.half[0].w, l.half[1].w);
                EXPECT_EQ(l.scene[0].h, l.scene[1].h);
                EXPECT_GT(l.scene[0].h, 60) << w << "x" << h;
                const std::vector<Rect> cards = {l.base.top, l.score, l.half[0], l.half[1], l.base.bottom};
                for (std::size_t i = 0; i < cards.size(); ++i)
                    for (std::size_t j = i + 1; j < cards.size(); ++j) {
                        const Rect &a = cards[i], &b = cards[j];
                        EXPECT_FALSE(a.w > 0 && b.w > 0 && a.x < b.x + b.w && b.x < a.x + a.w &&
                                     a.y < b.y + b.h - 0.01f && b.y < a.y + a.h - 0.01f)
                            << w << "x" << h << ": " << i << " on " << j;
                    }
            }
}

TEST(CompareLayoutTest, LanesShareTheirHeight) {
    EXPECT_EQ(warps_a_lane(8, 16, 2), 1);
    EXPECT_EQ(warps_a_lane(8, 15, 2), 2);
    EXPECT_EQ(warps_a_lane(32, 17, 2), 4);
    EXPECT_EQ(warps_a_lane(3, 5, 2), 2);
    EXPECT_EQ(warps_a_lane(1, 1, 2), 1);
    EXPECT_EQ(warps_a_lane(32, 0, 2), 32);
}

// Bars of one warp follow one another, within the race; and who works in a step has a bar that works.
TEST(CompareLayoutTest, ARaceHasALaneAWarp) {
    const auto check = [](const test::Run& left, const test::Run& right, bool measured) {
        const playback::Pair pair = playback::make_pair(PairMode::race, left.side(), right.side());
        const PairLayout l = lay_out_pair(pair, left.side(), right.side(), 1000);
        for (std::size_t s = 0; s < 2; ++s) {
            const test::Run& run = s == 0 ? left : right;
            const PairLanes& lanes = l.lanes[s];
            EXPECT_EQ(lanes.measured, measured);
            EXPECT_EQ(lanes.warps, run.trace.warps());
            std::vector<int> works(std::size_t(lanes.warps));
            std::vector<float> at(std::size_t(lanes.warps), 0.f);
            for (const Bar& bar : lanes.bars) {
                ASSERT_GE(bar.warp, 0);
                ASSERT_LT(bar.warp, lanes.warps);
                EXPECT_GE(bar.x0, at[std::size_t(bar.warp)] - 0.01f);
                EXPECT_LE(bar.x0, bar.x1);
                EXPECT_LE(bar.x1, l.sides[s].back().x1 + 0.5f) << "no longer than the whole run";
                at[std::size_t(bar.warp)] = bar.x1;
                works[std::size_t(bar.warp)] += bar.kind != Bar::Kind::waiting && bar.kind != Bar::Kind::idle;
            }
            for (const int count : works)
                EXPECT_GE(count, 2) << "all write and read";
            EXPECT_GT(works[0], works[std::size_t(lanes.warps) - 1]) << "warp 0 works longest";
        }
        // Queues are seen on the side that has them.
        const auto notched = [&](std::size_t s) {
            return std::count_if(l.lanes[s].bars.begin(), l.lanes[s].bars.end(),
                                 [](const Bar& bar) { return bar.kind == Bar::Kind::notched; });
        };
        EXPECT_GT(notched(0), 5);
        EXPECT_EQ(notched(1), 0);
    };
    check(test::with_cycles("interleaved_strided", 984), test::with_cycles("contiguous_warp", 574), false);
    check(test::run_of(*compare::recorded(*compare::config_of("interleaved_strided", {}))),
          test::run_of(*compare::recorded(*compare::config_of("contiguous_warp", {}))), true);
    // Elsewhere than in a race a step has no common scale: no lanes.
    const test::Run run = test::with_cycles("contiguous_warp", 574);
    const playback::Pair pair = playback::make_pair(PairMode::step, run.side(), run.side());
    EXPECT_TRUE(lay_out_pair(pair, run.side(), run.side(), 1000).lanes[0].bars.empty());
}

TEST_F(CompareTest, LanesSayWhetherTheyWereMeasured) {
    const auto said = [&](const std::string& left, const std::string& right, int w, int h) {
        View view;
        view.width = w;
        view.height = h;
        trace::Trace a = *compare::recorded(*compare::config_of(left, {}));
        App app = make_app(a, view);
        compare_traces(app, a, *compare::recorded(*compare::config_of(right, {})));
        ui.settle(app);
        check_text(app, fmt::format("lanes {}x{} ", w, h));
        for (const Drawn& drawn : app.panels->drawn)
            if (drawn.text.starts_with("lanes: "))
                return drawn.text;
        return std::string();
    };
    for (const auto& [w, h] : {std::pair{1280, 720}, {1366, 768}, {1600, 900}, {1920, 1080}}) {
        EXPECT_EQ(said("interleaved_strided", "contiguous_warp", w, h), "lanes: a warp each, measured") << w;
        const int shared = h < 1080 ? 4 : 2;  // a lane is 3 px high at least
        EXPECT_EQ(said("contiguous_full@1024", "contiguous_warp@1024", w, h),
                  fmt::format("lanes: {} warps each, measured", shared))
            << w;
        EXPECT_EQ(said("contiguous_full@1024", "contiguous_warp@32", w, h),
                  fmt::format("lanes: a warp each, {} on the left, measured", shared))
            << w;
        EXPECT_EQ(said("missing_barrier", "contiguous_warp", w, h),
                  "lanes: a warp each, left modelled, right measured")
            << w;
    }
}

TEST(CompareLayoutTest, TheTimelineIsTrueBothWays) {
    const test::Run left = test::with_cycles("interleaved_strided", 984),
                    right = test::with_cycles("contiguous_warp", 574);
    for (const PairMode mode : {PairMode::step, PairMode::phase, PairMode::race}) {
        const playback::Pair pair = playback::make_pair(mode, left.side(), right.side());
        const PairLayout l = lay_out_pair(pair, left.side(), right.side(), 1000);
        EXPECT_FLOAT_EQ(l.edges.front(), 0);
        EXPECT_FLOAT_EQ(l.edges.back(), 1000);
        for (int i = 0; i <= 100; ++i)
            EXPECT_NEAR(l.clock_of(pair, l.x_of(pair, pair.clock.duration * i / 100)),
                        pair.clock.duration * i / 100, 1e-3);
        for (const auto& side : l.sides)
            for (std::size_t i = 0; i < side.size(); ++i) {
                EXPECT_LE(side[i].x0, side[i].x1);
                EXPECT_TRUE(i == 0 || side[i].x0 >= side[i - 1].x1 - 0.01f);
            }
    }
    // In a race length is cycles.
    const playback::Pair pair = playback::make_pair(PairMode::race, left.side(), right.side());
    const PairLayout l = lay_out_pair(pair, left.side(), right.side(), 1000);
    EXPECT_NEAR(l.sides[1].back().x1 / l.sides[0].back().x1, 574.0 / 984, 1e-3);
}

}  // namespace
}  // namespace auditorium::panels
