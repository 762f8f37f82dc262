// Whole frames, without a display: keys, pointer, menus, and work in the background.
#include <gtest/gtest.h>

#include <time.h>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <thread>

#include <imgui_internal.h>  // windows and their order

#include "app/compare/recordings.h"
#include "app/panels/compare_view.h"
#include "app/panels/keys.h"
#include "app/panels/panels.h"
#include "headless.h"
#include "runs.h"
#include "text_check.h"
#include "trace/io.h"

namespace auditorium::panels {
namespace {

using namespace std::chrono_literals;

struct FrameTest : testing::Test {
    test::Headless ui;
    App app = make_app(test::record("contiguous_warp", 256), {});
    void SetUp() override { ui.settle(app); }

    std::string focus() const { return app.panels->focus.visible ? app.panels->focus.name : ""; }
    bool tab_to(const std::string& control) {
        for (int i = 0; i < 60 && focus() != control; ++i)
            ui.key(app, ImGuiKey_Tab);
        return focus() == control;
    }
    bool wait_until_idle() {
        for (int i = 0; i < 5000; ++i) {
            ui.frame(app);
            if (!app.panels->work.busy() && !app.panels->writing.busy())
                return true;
            std::this_thread::sleep_for(2ms);
        }
        return false;
    }
};

TEST_F(FrameTest, TabReachesEveryControlAndComesRound) {
    std::set<std::string> controls, reached;
    for (const Drawn& drawn : app.panels->drawn) {
        if (drawn.control && drawn.text != "scene")
            controls.insert(drawn.text);
    }
    for (std::size_t i = 0; i < controls.size(); ++i) {
        ui.key(app, ImGuiKey_Tab);
        reached.insert(focus());
    }
    EXPECT_EQ(reached, controls);
    const std::string last = focus();
    ui.key(app, ImGuiKey_Tab);
    const std::string first = focus();
    EXPECT_NE(first, last);
    ui.key(app, ImGuiKey_Tab, shift);
    EXPECT_EQ(focus(), last);
}

TEST_F(FrameTest, EnterPressesAndSpacePlays) {
    ASSERT_TRUE(tab_to("forward"));
    ui.key(app, ImGuiKey_Enter);
    EXPECT_EQ(app.playback.time, playback::end_of_step(app.shown.timeline, 1));
    ui.key(app, ImGuiKey_Space);
    EXPECT_TRUE(app.playback.playing);
    ui.key(app, ImGuiKey_Space);
    EXPECT_FALSE(app.playback.playing);
    // A click leaves no ring, and Enter then presses nothing.
    ASSERT_TRUE(ui.click(app, "play"));
    EXPECT_TRUE(app.playback.playing);
    EXPECT_EQ(focus(), "");
    ui.key(app, ImGuiKey_Enter);
    EXPECT_TRUE(app.playback.playing);
}

TEST_F(FrameTest, AMenuHasTheKeyboardUntilItCloses) {
    for (const char* chip :
         {"chip.kernel", "chip.op", "chip.type", "chip.block", "chip.data", "chip.device"}) {
        ASSERT_TRUE(tab_to(chip));
        ui.key(app, ImGuiKey_Enter);
        ASSERT_NE(app.panels->menu, Menu::none) << chip;
        const Scope scope = app.panels->focus.scope;
        EXPECT_EQ(scope, Scope::menu);
        ui.key(app, ImGuiKey_Tab);
        EXPECT_NE(focus(), "") << chip;
        EXPECT_FALSE(focus().starts_with("chip.")) << focus();
        ui.key(app, ImGuiKey_Escape);
        EXPECT_EQ(app.panels->menu, Menu::none);
        EXPECT_EQ(focus(), chip);
    }
}

// Whatever is open has the keys: nothing behind it moves, opens or changes its look.
TEST_F(FrameTest, NoKeyActsBehindAMenuOrADialog) {
    const auto behind = [&] {
        nlohmann::json all = nlohmann::json::parse(state_json(app));
        for (const char* own : {"controls", "focus", "ticks", "seats"})
            all.erase(own);
        return all;
    };
    struct Case {
        Menu menu = Menu::none;
        Dialog dialog = Dialog::none;
    };
    for (const Case& open : {Case{Menu::kernel},
                             {Menu::op},
                             {Menu::block},
                             {Menu::data},
                             {Menu::device},
                             {Menu::none, Dialog::open},
                             {Menu::none, Dialog::save},
                             {Menu::none, Dialog::keys},
                             {Menu::none, Dialog::ledger},
                             {Menu::none, Dialog::claims},
                             {Menu::none, Dialog::speed}}) {
        if (open.menu != Menu::none)
            open_menu(app, int(open.menu), {10, 10, 100, 20}, "");
        else
            open_dialog(app, int(open.dialog));
        ui.settle(app);
        ImGui::ClearActiveID();  // a text field has the letters anyway
        ui.settle(app);
        const nlohmann::json before = behind();
        for (const Key& key : key_map()) {
            if (key.action == Action::escape || key.action == Action::quit ||
                (key.action == Action::help && open.dialog == Dialog::keys) ||
                (key.action == Action::ledger && open.dialog == Dialog::ledger) ||
                (key.action == Action::claims && open.dialog == Dialog::claims))
                continue;
            if (key.symbol != 0)
                ui.type(app, std::string(1, key.symbol));
            else
                ui.key(app, ImGuiKey(key.key), key.mods);
            ASSERT_EQ(behind(), before)
                << before["menu"] << before["dialog"] << " action " << int(key.action);
        }
        ui.key(app, ImGuiKey_Escape);
        EXPECT_EQ(app.panels->menu, Menu::none);
        EXPECT_EQ(app.panels->dialog, Dialog::none);
    }
}

// A notice that comes while a menu or a dialog is open lies under it.
TEST_F(FrameTest, ANoticeStaysUnderAnOpenMenu) {
    const auto place = [](const char* window) {
        const auto& windows = ImGui::GetCurrentContext()->Windows;
        for (int i = 0; i < windows.Size; ++i)
            if (std::string_view(windows[i]->Name) == window && windows[i]->Active)
                return i;
        return -1;
    };
    for (const bool dialog : {false, true}) {
        if (dialog)
            open_dialog(app, int(Dialog::keys));
        else
            open_menu(app, int(Menu::kernel), {10, 10, 100, 20}, "");
        ui.settle(app);
        notice(app, dialog ? "another sentence" : "a sentence", false);
        ui.settle(app);
        EXPECT_GE(place("##notice0"), 0);
        EXPECT_GT(place(dialog ? "##dialog" : "##menu"), place("##notice0"));
        ui.key(app, ImGuiKey_Escape);
        EXPECT_EQ(app.notices.size(), dialog ? 2u : 1u);
    }
}

// Where all items have room nothing scrolls: no bar stands beside them. The many of a side stand in two
// columns.
TEST_F(FrameTest, AMenuThatFitsHasNoScrollbar) {
    const auto bar = [] {
        for (const ImGuiWindow* window : ImGui::GetCurrentContext()->Windows)
            if (std::string_view(window->Name) == "##menu" && window->Active)
                return window->ScrollbarY;
        ADD_FAILURE() << "no menu";
        return false;
    };
    for (const bool compare : {false, true}) {
        if (compare)
            compare_traces(app, app.shown.trace, app.shown.trace);
        for (int width = 1240; width <= 1920; width += 40) {
            app.view.width = width;
            app.view.height = width * 9 / 16;
            for (const Menu menu :
                 {Menu::kernel, Menu::op, Menu::type, Menu::device, Menu::pair, Menu::side}) {
                if (!compare && (menu == Menu::pair || menu == Menu::side))
                    continue;
                open_menu(app, int(menu), {10, 10, 100, 20.3f}, "");
                ui.settle(app);
                EXPECT_FALSE(bar()) << int(menu) << " at " << width;
                close_menu(app);
            }
        }
    }
}

// A control without words says its name and its key, to the pointer and to the keyboard.
TEST_F(FrameTest, EveryIconSaysWhatItIs) {
    const auto tip = [&] {
        std::string out;
        for (const Drawn& drawn : app.panels->drawn)
            if (drawn.scope == int(Scope::tip))
                out = drawn.text;
        return out;
    };
    std::set<std::string> icons;
    const auto look = [&](const std::string& where) {
        ui.settle(app);
        EXPECT_EQ(tip(), "") << where;
        const std::vector<Drawn> all = app.panels->drawn;
        for (const Drawn& control : all) {
            if (!control.control || control.text.starts_with("scene") || control.text == "timeline" ||
                control.text == "code")
                continue;
            if (std::any_of(all.begin(), all.end(), [&](const Drawn& text) {
                    return !text.control && !text.mark && text.text.size() > 1 &&
                           control.area.contains(
                               {text.area.x + text.area.w / 2, text.area.y + text.area.h / 2});
                }))
                continue;
            icons.insert(control.text);
            ASSERT_TRUE(tab_to(control.text)) << where << control.text;
            EXPECT_NE(tip(), "") << where << control.text << " by the keyboard";
            if (app.notices.empty() && !app.view.compare)  // a notice lies over the panels
                test::check_texts(app, where + control.text + ": ");
            app.panels->focus.visible = false;
            ImGui::GetIO().AddMousePosEvent(control.area.x + control.area.w / 2,
                                            control.area.y + control.area.h / 2);
            ui.settle(app);
            EXPECT_NE(tip(), "") << where << control.text << " by the pointer";
            ImGui::GetIO().AddMousePosEvent(2, 2);
            ui.settle(app);
        }
    };
    for (const auto& [w, h] : {std::pair{1600, 900}, {1280, 720}, {640, 360}}) {
        app.view.width = w;
        app.view.height = h;
        app.view.compare = false;
        look(fmt::format("{}x{} ", w, h));
        notice(app, "a sentence", false);
        app.view.pin = inspector::Thing{inspector::Thing::Kind::box, 5, -1};
        look(fmt::format("{}x{} with notice and card ", w, h));
        app.notices.clear();
        app.view.pin.reset();
    }
    compare_traces(app, app.shown.trace, app.shown.trace);
    look("compare ");
    for (const char* name : {"first", "back", "play", "forward", "last", "loop", "help", "open", "save",
                             "compare", "present", "dismiss.0", "inspect.close"})
        EXPECT_TRUE(icons.contains(name)) << name;
}

TEST_F(FrameTest, AClickBesideAMenuClosesItAndDoesNothingElse) {
    ASSERT_TRUE(ui.click(app, "chip.op"));
    ASSERT_EQ(app.panels->menu, Menu::op);
    ASSERT_TRUE(ui.click(app, "play"));
    EXPECT_EQ(app.panels->menu, Menu::none);
    EXPECT_FALSE(app.playback.playing);
    ASSERT_TRUE(ui.click(app, "play"));
    EXPECT_TRUE(app.playback.playing);
}

TEST_F(FrameTest, FastInputIsAskedForUntilItIsTaken) {
    ImGuiIO& io = ImGui::GetIO();
    for (int i = 0; i < 12; ++i) {
        io.AddKeyEvent(ImGuiKey_RightArrow, true);
        io.AddKeyEvent(ImGuiKey_RightArrow, false);
    }
    for (int i = 0; i < 100 && ui.frame(app); ++i) {
    }
    EXPECT_EQ(playback::moment_at(app.shown.timeline, app.playback.time).span, 12);
}

// Ctrl is let go of before the frame that sees the key.
TEST_F(FrameTest, AQuickHandIsUnderstood) {
    ImGuiIO& io = ImGui::GetIO();
    for (int i = 0; i < 2; ++i) {
        io.AddKeyEvent(ImGuiMod_Ctrl, true);
        if (i == 1)
            ui.settle(app);
        io.AddKeyEvent(ImGuiKey_O, true);
        io.AddKeyEvent(ImGuiMod_Ctrl, false);
        io.AddKeyEvent(ImGuiKey_O, false);
        ui.settle(app);
        EXPECT_EQ(app.panels->dialog, Dialog::open);
        ui.key(app, ImGuiKey_Escape);
        ui.settle(app);
        EXPECT_EQ(app.panels->dialog, Dialog::none);
    }
}

TEST_F(FrameTest, AChoiceRecordsInTheBackgroundAndTheLastOneWins) {
    trace::LaunchConfig config = app.shown.trace.config;
    config.values.clear();
    const auto id = app.shown.id;
    config.block = 1024;
    for (const char* kernel : {"interleaved_strided", "contiguous_full", "shuffle_first"}) {
        config.kernel = kernel;
        choose(app, config);
        ui.frame(app);
        EXPECT_EQ(wanted(app).kernel, kernel);  // the chips say so at once
    }
    EXPECT_TRUE(app.panels->work.busy());
    ASSERT_TRUE(wait_until_idle());
    EXPECT_NE(app.shown.id, id);
    EXPECT_EQ(app.shown.trace.config.kernel, "shuffle_first");
    EXPECT_EQ(app.shown.trace.config.block, 1024);
    EXPECT_TRUE(app.notices.empty());
}

TEST_F(FrameTest, AFailedChoiceIsANoticeAndTheOldRunStays) {
    trace::LaunchConfig config = app.shown.trace.config;
    config.values.clear();
    config.block = 96;
    const auto id = app.shown.id;
    record(app, config);
    ASSERT_TRUE(wait_until_idle());
    ASSERT_EQ(app.notices.size(), 1u);
    EXPECT_NE(app.notices[0].text.find("power of two"), std::string::npos) << app.notices[0].text;
    EXPECT_EQ(app.shown.id, id);
    EXPECT_EQ(wanted(app).block, 256);  // the chips are back at what is shown
    ui.settle(app);
    ASSERT_TRUE(tab_to("dismiss.0"));
    ui.key(app, ImGuiKey_Enter);
    EXPECT_TRUE(app.notices.empty());
}

TEST_F(FrameTest, ABadFileIsANotice) {
    const auto id = app.shown.id;
    open_file(app, "/nowhere/at/all.audit");
    ASSERT_TRUE(wait_until_idle());
    ASSERT_EQ(app.notices.size(), 1u);
    EXPECT_TRUE(app.notices[0].error);
    EXPECT_NE(app.notices[0].text.find("all.audit"), std::string::npos);
    EXPECT_EQ(app.shown.id, id);
    open_file(app, "/nowhere/at/all.audit");
    ASSERT_TRUE(wait_until_idle());
    EXPECT_EQ(app.notices.size(), 1u);  // the same sentence is not said twice
}

// A trace that is dropped is shown, whatever is open; a bad one leaves the run and says why.
TEST_F(FrameTest, ADroppedTraceIsShown) {
    const std::string path = ::testing::TempDir() + "auditorium_dropped.audit";
    ASSERT_TRUE(trace::write(test::record("one_barrier", 64), path));
    for (const bool dialog : {false, true}) {
        if (dialog)
            open_dialog(app, int(Dialog::open));
        else
            open_menu(app, int(Menu::kernel), {10, 10, 100, 20}, "");
        ui.settle(app);
        drop_file(app, path);
        ASSERT_TRUE(wait_until_idle());
        EXPECT_EQ(app.shown.trace.config.kernel, "one_barrier");
        EXPECT_EQ(app.shown.path, path);
        EXPECT_EQ(app.panels->menu, Menu::none);
        EXPECT_EQ(app.panels->dialog, Dialog::none);
        show(app, test::record("contiguous_warp", 256), "");
    }
    std::ofstream(path) << "no trace";
    drop_file(app, path);
    ASSERT_TRUE(wait_until_idle());
    EXPECT_EQ(app.shown.trace.config.kernel, "contiguous_warp");
    ASSERT_EQ(app.notices.size(), 1u);
    EXPECT_TRUE(app.notices[0].error);
    std::remove(path.c_str());
}

TEST_F(FrameTest, ADroppedFileOfNumbersIsRecordedWith) {
    const std::string path = testing::TempDir() + "panels_numbers.txt";
    {
        std::ofstream file(path);
        for (int i = 0; i < 256; ++i)
            file << 1000 + i << (i % 16 == 15 ? "\n" : ", ");
    }
    drop_file(app, path);
    ASSERT_TRUE(wait_until_idle());
    EXPECT_EQ(app.shown.trace.config.input, "file:" + path);
    EXPECT_EQ(value_text(app.shown.trace.results[0][0], trace::Type::f32), "1255");
    drop_file(app, "/nowhere/numbers.csv");
    ASSERT_TRUE(wait_until_idle());
    EXPECT_EQ(app.notices.size(), 1u);
    EXPECT_EQ(app.shown.trace.config.input, "file:" + path);
    std::remove(path.c_str());
}

TEST_F(FrameTest, ASizeThatDoesNotSuitIsNotOfferedButTheClinicsIs) {
    ASSERT_TRUE(ui.click(app, "chip.block"));
    ASSERT_EQ(app.panels->menu, Menu::block);
    ui.settle(app);
    ui.click(app, "block.96");
    EXPECT_EQ(app.panels->menu, Menu::block);
    EXPECT_FALSE(app.panels->work.busy());
    ui.key(app, ImGuiKey_Escape);
    show(app, test::record("ragged_block", 64), "");
    ui.settle(app);
    ASSERT_TRUE(ui.click(app, "chip.block"));
    ui.settle(app);
    ASSERT_TRUE(ui.click(app, "block.96"));
    ASSERT_TRUE(wait_until_idle());
    EXPECT_EQ(app.shown.trace.config.block, 96);
    EXPECT_TRUE(app.notices.empty());
}

std::vector<std::string> words_of(const App& app) {
    std::vector<std::string> out;
    for (const Drawn& drawn : app.panels->drawn)
        if (!drawn.control)
            out.push_back(drawn.text);
    return out;
}

bool says(const App& app, const std::string& words) {
    const std::vector<std::string> all = words_of(app);
    return std::any_of(all.begin(), all.end(),
                       [&](const std::string& text) { return text.find(words) != std::string::npos; });
}

// A result that is right by luck has no tick and says what is missing; a size that the kernel is not right
// for is marked on its chip and in the result.
TEST_F(FrameTest, AResultThatLacksInputsHasNoTick) {
    EXPECT_TRUE(says(app, "bitwise equal"));
    EXPECT_FALSE(says(app, "never used"));
    EXPECT_FALSE(says(app, "wrong size"));
    // All ones: the maximum is right although a third of the inputs never reaches it.
    App lucky = make_app(test::record("ragged_block", 96, trace::Op::max, trace::Type::f32, "ones"), {});
    ui.settle(lucky);
    ASSERT_TRUE(lucky.shown.analysis.results[0].correct);
    EXPECT_TRUE(says(lucky, "right by luck"));
    EXPECT_TRUE(says(lucky, "32 inputs never used"));
    EXPECT_TRUE(says(lucky, "wrong size"));  // 96 is just what this kernel is not right for
    EXPECT_EQ(test::ticks(lucky), 0);
    EXPECT_EQ(test::ticks(app), 1);
    App forced = make_app(test::record("contiguous_warp", 96), {});
    for (const auto& [w, h] : {std::pair{1600, 900}, {1280, 720}, {640, 360}}) {
        forced.view.width = w;
        forced.view.height = h;
        ui.settle(forced);
        EXPECT_TRUE(says(forced, "wrong size")) << w;
        if (w > 640) {
            EXPECT_TRUE(says(forced, "96 does not suit this kernel")) << w;
        }
    }
}

TEST_F(FrameTest, HowFastOnThisGpuShowsWhatWasRecordedAndWhatWasMeasuredHere) {
    const auto& recorded = launch::recorded_speed();
    ASSERT_TRUE(recorded);
    app.panels->gpu = launch::GpuInfo{};
    ASSERT_TRUE(ui.click(app, "chip.device"));
    ui.settle(app);
    ASSERT_TRUE(ui.click(app, "device.speed"));
    ASSERT_EQ(app.panels->dialog, Dialog::speed);
    ui.settle(app);
    const auto cycles = [&](const launch::Speed& speed, int threads) {
        return fmt::format("{:.0f}",
                           speed.call("one_barrier", trace::Op::max, trace::Type::f32, threads)->median);
    };
    EXPECT_TRUE(says(app, "No GPU here. Recorded: NVIDIA H200"));
    EXPECT_FALSE(says(app, "Measured here"));
    EXPECT_TRUE(says(app, cycles(*recorded, 256)));  // the shown run's size
    EXPECT_FALSE(ui.click(app, "measure"));
    ASSERT_TRUE(ui.click(app, "size.1024"));
    ui.settle(app);
    EXPECT_TRUE(says(app, cycles(*recorded, 1024)));

    launch::Speed here = *recorded;
    here.device = "Some GPU";
    for (launch::CallTime& call : here.calls)
        call.median += 10000;
    app.panels->speed_here = here;
    ui.settle(app);
    EXPECT_TRUE(says(app, "Measured here: Some GPU"));
    EXPECT_TRUE(says(app, "Recorded: NVIDIA H200"));
    EXPECT_TRUE(says(app, cycles(here, 1024)));
    ui.key(app, ImGuiKey_Escape);
    EXPECT_EQ(app.panels->dialog, Dialog::none);
}

TEST_F(FrameTest, TheCodePanelShowsWhatTheHardwareCountedOnlyWhereATraceHasIt) {
    app.view.width = 1600;
    app.view.height = 900;
    ui.settle(app);
    EXPECT_FALSE(says(app, "GPU"));
    trace::Trace trace = test::record("contiguous_warp", 256);
    trace.origin.kind = trace::Origin::Kind::gpu;
    trace.origin.device = "Some GPU";
    trace.line_counters = {{"smsp__sass_inst_executed", "smsp__sass_thread_inst_executed",
                            "smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared",
                            "smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared_ideal"},
                           {0, 18},
                           {5, 160, 0, 0, 7777, 6543, 12, 8}};
    show(app, trace, "");
    ui.settle(app);
    const auto count = std::find_if(app.panels->drawn.begin(), app.panels->drawn.end(),
                                    [](const Drawn& drawn) { return drawn.text == "7777"; });
    ASSERT_NE(count, app.panels->drawn.end());
    const scene::Rect area = count->area;
    EXPECT_FALSE(says(app, "Some GPU, line") || says(app, "counted by the Some GPU"));
    ImGui::GetIO().AddMousePosEvent(area.x - 40, area.y + area.h / 2);
    ui.settle(app);
    EXPECT_TRUE(says(app, "Line 18, counted by the Some GPU"));
    EXPECT_TRUE(says(app, "7777 warp instructions, 6543 of threads"));
    EXPECT_TRUE(says(app, "12 wavefronts in shared memory, 4 of them by bank conflicts"));
}

// At 1280 px too, where there are no columns, and without a pointer.
TEST_F(FrameTest, TheCodePanelsCountsAreReachedByKeyboard) {
    trace::Trace trace = test::record("contiguous_warp", 256);
    trace.origin.kind = trace::Origin::Kind::gpu;
    trace.origin.device = "Some GPU";
    trace.line_counters = {{"smsp__sass_inst_executed"}, {0, 18, 22}, {5, 7777, 4321}};
    for (const int width : {1280, 1600}) {
        app.view.width = width;
        app.view.height = width * 9 / 16;
        show(app, trace, "");
        app.playback.time = playback::end_of_step(app.shown.timeline, 1);
        ui.settle(app);
        ASSERT_TRUE(tab_to("code"));
        EXPECT_EQ(app.panels->code_selected, app.panels->beat.line);
        for (int i = 0; i < 60 && app.panels->code_selected != 18; ++i)
            ui.key(app, app.panels->code_selected > 18 ? ImGuiKey_UpArrow : ImGuiKey_DownArrow);
        EXPECT_TRUE(says(app, "Line 18, counted by the Some GPU"));
        EXPECT_TRUE(says(app, "7777 warp instructions"));
        EXPECT_TRUE(says(app, "hits so far, from the trace: 256"));
        ui.key(app, ImGuiKey_DownArrow);
        EXPECT_FALSE(says(app, "7777 warp instructions"));
        // To the text's end and its begin: the line stays in sight.
        for (int i = 0; i < 60; ++i)
            ui.key(app, ImGuiKey_DownArrow);
        const int lines = int(app.panels->run.code.size());
        EXPECT_EQ(app.panels->code_selected, lines);
        EXPECT_TRUE(says(app, std::to_string(lines)));
        for (int i = 0; i < 60; ++i)
            ui.key(app, ImGuiKey_UpArrow);
        EXPECT_EQ(app.panels->code_selected, 1);
        EXPECT_TRUE(says(app, "1"));
        ui.key(app, ImGuiKey_Tab);
        EXPECT_EQ(app.panels->code_selected, 0);
    }
}

// The program's own recordings stand beside the files: by pointer, by Tab, by words.
TEST_F(FrameTest, TheOpenDialogOffersTheRecordings) {
    const auto shown = [&] {
        const trace::Trace& trace = app.shown.trace;
        return fmt::format("{} {} {} {}", trace.config.kernel, trace::name_of(trace.config.op),
                           trace.config.block, trace.origin.kind == trace::Origin::Kind::gpu ? "gpu" : "-");
    };
    const auto offered = [&] {
        return std::count_if(app.panels->drawn.begin(), app.panels->drawn.end(), [](const Drawn& drawn) {
            return drawn.control && drawn.text.starts_with("recording.");
        });
    };
    const auto begin = [&] {
        ui.key(app, ImGuiKey_O, ctrl);
        ui.settle(app);
        EXPECT_EQ(app.panels->dialog, Dialog::open);
    };
    for (const auto& [w, h] : {std::pair{1600, 900}, {1280, 720}, {640, 360}}) {
        app.view.width = w;
        app.view.height = h;
        begin();
        EXPECT_GT(offered(), 1) << w;
        EXPECT_TRUE(says(app, "max, float, 256 threads")) << w;
        test::check_texts(app, fmt::format("open {}x{}: ", w, h));
        ui.key(app, ImGuiKey_Escape);
    }
    app.view.width = 1280;
    app.view.height = 720;
    begin();
    ASSERT_TRUE(ui.click(app, "recording.contiguous_warp-sum-float-256"));
    EXPECT_EQ(app.panels->dialog, Dialog::none);
    ASSERT_TRUE(wait_until_idle());
    EXPECT_EQ(shown(), "contiguous_warp sum 256 gpu");
    // Words leave fewer; Tab and Enter open one.
    begin();
    ui.type(app, "one barrier");
    EXPECT_EQ(offered(), 5);
    ASSERT_TRUE(tab_to("recording.one_barrier-max-float-1024"));
    ui.key(app, ImGuiKey_Enter);
    ASSERT_TRUE(wait_until_idle());
    EXPECT_EQ(shown(), "one_barrier max 1024 gpu");
    // Of words that leave more than one Enter asks which; words that leave one mean that.
    begin();
    ui.type(app, "Strided min");
    EXPECT_EQ(offered(), 1);
    ui.key(app, ImGuiKey_Escape);
    begin();
    ui.type(app, "strided");
    ui.key(app, ImGuiKey_Enter);
    EXPECT_EQ(app.panels->dialog, Dialog::open);
    EXPECT_FALSE(app.panels->menu_problem.empty());
    ui.key(app, ImGuiKey_Escape);
    begin();
    ui.type(app, "strided min");
    ui.key(app, ImGuiKey_Enter);
    ASSERT_TRUE(wait_until_idle());
    EXPECT_EQ(shown(), "interleaved_strided min 256 gpu");
    // Each of them can be opened.
    for (const compare::EmbeddedRecording* file = compare::embedded_recordings(); file->name; ++file)
        EXPECT_TRUE(compare::recording(file->name)) << file->name;
    // Beside another run it comes onto its side.
    compare_traces(app, app.shown.trace, app.shown.trace);
    app.panels->compare.side = 1;
    open_dialog(app, int(Dialog::open));
    ui.settle(app);
    ui.type(app, "common");
    ASSERT_TRUE(ui.click(app, "recording.zero_identity-max-float-256-common"));
    ASSERT_TRUE(wait_until_idle());
    EXPECT_EQ(app.compared->sides[1]->trace.config.kernel, "zero_identity");
    EXPECT_EQ(app.compared->sides[1]->trace.origin.kind, trace::Origin::Kind::gpu);
    EXPECT_EQ(app.compared->sides[0]->trace.config.kernel, "interleaved_strided");
}

// P brings the presenter's own theme, light at first: T keeps another one for it, Esc brings the old one
// back.
TEST_F(FrameTest, PresenterModeHasAThemeOfItsOwn) {
    EXPECT_EQ(app.view.theme, ThemeId::dark);
    ui.key(app, ImGuiKey_P);
    EXPECT_EQ(app.view.theme, ThemeId::light);
    ui.key(app, ImGuiKey_T);
    EXPECT_EQ(app.view.theme, ThemeId::dark);
    ui.key(app, ImGuiKey_Escape);
    EXPECT_FALSE(app.view.presenter);
    EXPECT_EQ(app.view.theme, ThemeId::dark);
    ui.key(app, ImGuiKey_T);
    ui.key(app, ImGuiKey_P);
    EXPECT_EQ(app.view.theme, ThemeId::dark);
    ui.key(app, ImGuiKey_P);
    EXPECT_EQ(app.view.theme, ThemeId::light);
    // The list of keys says so.
    EXPECT_TRUE(std::any_of(key_help().begin(), key_help().end(), [](const KeyHelp& key) {
        return std::string_view(key.keys).starts_with("P ") &&
               std::string_view(key.what).find("light") != std::string_view::npos;
    }));
}

// The card's cycles and those of the speed dialog are two measurements: the dialog says so.
TEST_F(FrameTest, TheSpeedDialogSaysWhoseCyclesTheCardHas) {
    app.view.width = 1280;
    app.view.height = 720;
    open_dialog(app, int(Dialog::speed));
    ui.settle(app);
    std::string all;
    for (const Drawn& drawn : app.panels->drawn)
        if (drawn.scope == int(Scope::dialog))
            all += drawn.text + " ";
    EXPECT_NE(all.find("result card's cycles are the shown run's own"), std::string::npos) << all;
}

TEST_F(FrameTest, TypedDataAreCheckedWhereTheyAreTyped) {
    show(app, test::record("contiguous_any", 3), "");
    ui.settle(app);
    ASSERT_TRUE(ui.click(app, "chip.data"));
    ASSERT_TRUE(ui.click(app, "data.values"));
    ui.settle(app);
    ui.type(app, "1,2");  // no click: what is typed after the choice is meant for its field
    EXPECT_EQ(app.panels->data.values, "1,2");
    ui.key(app, ImGuiKey_Enter);
    EXPECT_EQ(app.panels->menu, Menu::data);
    EXPECT_FALSE(app.panels->menu_problem.empty());
    ASSERT_TRUE(ui.click(app, "data.typed"));
    ui.type(app, "7,9,8");
    ASSERT_TRUE(ui.click(app, "data.record"));
    ASSERT_TRUE(wait_until_idle());
    EXPECT_EQ(app.shown.trace.config.input, "values:7,9,8");
    EXPECT_EQ(value_text(app.shown.trace.results[0][0], trace::Type::f32), "9");
}

TEST_F(FrameTest, TheResultCardSaysTheOpOfTheCall) {
    App two = make_app(test::record("back_to_back", 256), {});
    ui.settle(two);
    EXPECT_EQ(result_of_what(two), "max of 256 scores");
    two.playback.time = playback::end_of_step(two.shown.timeline, int(two.shown.trace.steps.size()) - 1);
    ui.settle(two);
    EXPECT_EQ(result_of_what(two), "sum of 256 values");
}

TEST_F(FrameTest, TheResultCardGivesRightByLuckNoTick) {
    for (const auto& [kernel, block] : {std::pair{"missing_barrier", 256},
                                        {"back_to_back", 256},
                                        {"missing_syncwarp", 256},
                                        {"ragged_block", 96}}) {
        App racy = make_app(test::record(kernel, block), {});
        racy.playback.time = racy.shown.timeline.duration;
        ui.settle(racy);
        std::set<std::string> marks;
        for (const Drawn& drawn : racy.panels->drawn)
            if (drawn.mark)
                marks.insert(drawn.text);
        EXPECT_TRUE(marks.count("luck")) << kernel;
        EXPECT_FALSE(marks.count("tick")) << kernel;
        EXPECT_NE(result_line(racy).find("right by luck"), std::string::npos) << result_line(racy);
    }
}

TEST_F(FrameTest, WhileTypingLettersAreLetters) {
    ASSERT_TRUE(ui.click(app, "chip.data"));
    ui.settle(app);
    ASSERT_TRUE(ui.click(app, "data.seed"));
    ASSERT_TRUE(ImGui::GetIO().WantTextInput);
    ui.key(app, ImGuiKey_Space);
    EXPECT_FALSE(app.playback.playing);
    const ThemeId theme = app.view.theme;
    ui.key(app, ImGuiKey_T);
    EXPECT_EQ(app.view.theme, theme);
    const double time = app.playback.time;
    ui.key(app, ImGuiKey_RightArrow);
    EXPECT_EQ(app.playback.time, time);
    ui.key(app, ImGuiKey_Escape);
    EXPECT_EQ(app.panels->menu, Menu::none);
    ui.key(app, ImGuiKey_T);
    EXPECT_NE(app.view.theme, theme);
}

TEST_F(FrameTest, EveryKeyOfTheMapDoesSomething) {
    ui.key(app, ImGuiKey_RightArrow);
    ui.key(app, ImGuiKey_RightArrow);
    for (const Key& key : key_map()) {
        if (key.action == Action::escape || key.action == Action::quit)
            continue;
        app.view.ui_scale = 1;
        app.view.manual_camera = scene::Camera{1, {100, 100}};
        app.panels->camera_phase = app.panels->beat.span;
        app.panels->scene.camera = *app.view.manual_camera;
        app.view.followed = 100;
        app.playback.time = playback::end_of_step(app.shown.timeline, 2);
        if (key.action == Action::scale_reset)
            app.view.ui_scale = 1.5f;
        ui.settle(app);
        const std::string before = state_json(app);
        const auto camera = app.view.manual_camera;
        if (key.symbol != 0) {
            ImGui::GetIO().AddInputCharacter(key.symbol);
            ui.settle(app);
        } else {
            ui.key(app, ImGuiKey(key.key), key.mods);
        }
        const bool moved = camera && app.view.manual_camera &&
                           (camera->zoom != app.view.manual_camera->zoom ||
                            camera->centre.x != app.view.manual_camera->centre.x ||
                            camera->centre.y != app.view.manual_camera->centre.y);
        EXPECT_TRUE(moved || state_json(app) != before)
            << "key " << key.key << " mods " << key.mods << " '" << char(key.symbol) << "'";
        app.view.blank = false;
        set_presenter(app, false);
        app.panels->dialog = Dialog::none;
        app.playback.playing = false;
        app.notices.clear();
        if (app.view.compare)
            ui.key(app, ImGuiKey_C);
        ui.settle(app);
    }
    ui.key(app, ImGuiKey_Q, ctrl);
    EXPECT_TRUE(app.quit);
}

TEST_F(FrameTest, NGoesFromTickToTickAndAClickOnOneGoesThere) {
    show(app, test::record("interleaved_strided", 256), "");
    ui.settle(app);
    std::vector<int> steps;
    for (double before = -1; before != app.playback.time && steps.size() < 20;) {
        before = app.playback.time;
        ui.key(app, ImGuiKey_N);
        if (app.playback.time != before)
            steps.push_back(playback::moment_at(app.shown.timeline, app.playback.time).span);
    }
    EXPECT_EQ(steps, (std::vector<int>{2, 3, 4, 5, 6, 7, 8}));
    ui.key(app, ImGuiKey_N, shift);
    EXPECT_EQ(playback::moment_at(app.shown.timeline, app.playback.time).span, 7);
    const PerWidth& laid = app.panels->width;
    ASSERT_EQ(laid.ticks.ticks.size(), 7u);
    const Tick tick = laid.ticks.ticks[2];
    ui.click(app, laid.x + tick.x + 2, laid.tick_y + 1);
    EXPECT_EQ(app.playback.time, time_of(tick, app.shown.timeline));
}

TEST_F(FrameTest, ABlankScreenWakesWithAnyKeyAndDoesNothingElse) {
    ui.key(app, ImGuiKey_B);
    EXPECT_TRUE(app.view.blank);
    const double time = app.playback.time;
    ui.key(app, ImGuiKey_RightArrow);
    EXPECT_FALSE(app.view.blank);
    EXPECT_EQ(app.playback.time, time);
}

TEST_F(FrameTest, AManualCameraLastsUntilTheNextPhase) {
    for (int i = 0; i < 2; ++i)
        ui.key(app, ImGuiKey_RightArrow);  // stage, stride 128
    ui.key(app, ImGuiKey_LeftArrow, ctrl);
    ASSERT_TRUE(app.view.manual_camera);
    ui.key(app, ImGuiKey_RightArrow);
    EXPECT_TRUE(app.view.manual_camera) << "still cuts";
    for (int i = 0; i < 3; ++i)
        ui.key(app, ImGuiKey_RightArrow);
    EXPECT_FALSE(app.view.manual_camera) << "the council has its own framing";
}

TEST_F(FrameTest, PresenterModeKeepsItsOwnTheme) {
    ui.key(app, ImGuiKey_P);
    EXPECT_EQ(app.view.theme, ThemeId::light);
    ui.key(app, ImGuiKey_T);
    EXPECT_EQ(app.view.theme, ThemeId::dark);
    ui.key(app, ImGuiKey_Escape);
    ui.key(app, ImGuiKey_T);
    EXPECT_EQ(app.view.theme, ThemeId::light);
    ui.key(app, ImGuiKey_F5);
    EXPECT_EQ(app.view.theme, ThemeId::dark);
}

TEST_F(FrameTest, AFrameAtRestAsksForNoOther) {
    ui.settle(app);
    EXPECT_FALSE(ui.frame(app));
    app.playback.playing = true;
    EXPECT_TRUE(ui.frame(app, 0.01));
}

// The plaque in the hall, the facts and the words of the left card count the same rows at the same moment:
// who waits while a step works, who is here when it is over, and that nobody waits once the rope drops.
TEST_F(FrameTest, PlaqueFactsAndWordsSayOneMoment) {
    for (const auto& [kernel, block] : {std::pair{"contiguous_warp", 256},
                                        {"interleaved_divergent", 64},
                                        {"interleaved_strided", 256},
                                        {"shuffle_first", 128},
                                        {"one_barrier", 256},
                                        {"ragged_block", 96},
                                        {"missing_barrier", 256},
                                        {"back_to_back", 256},
                                        {"contiguous_any", 100}}) {
        App shown = make_app(test::record(kernel, block), {});
        shown.view.width = 1600;
        shown.view.height = 900;
        int said_waiting = 0, said_here = 0, said_passed = 0;
        for (const playback::Span& span : shown.shown.timeline.spans)
            for (const playback::Beat& beat : span.beats)
                for (const double part : {0.9, 1.0}) {
                    shown.playback.time = beat.begin + part * beat.seconds();
                    ui.settle(shown);
                    const auto& labels = shown.panels->scene[scene::LayerId::tickets].labels;
                    const auto plaque = std::find_if(labels.begin(), labels.end(), [](const scene::Label& l) {
                        return l.text.starts_with("Barrier");
                    });
                    if (plaque == labels.end())
                        continue;
                    const StepFacts& facts = shown.panels->beat.facts;
                    const std::string& body = said(shown.panels->run, shown.panels->beat).body;
                    const std::string where = fmt::format("{} {} at {}: {} / {}", kernel, block,
                                                          shown.playback.time, plaque->text, body);
                    int number = 0, barriers = 0, count = 0, of = 0;
                    if (plaque->text.ends_with(": passed")) {
                        EXPECT_EQ(facts.at_rope, 0) << where;
                        EXPECT_NE(body.find("has been passed"), std::string::npos) << where;
                        EXPECT_EQ(body.find(" wait"), std::string::npos) << where;
                        ++said_passed;
                    } else if (std::sscanf(plaque->text.c_str(), "Barrier %d of %d: %d of %d", &number,
                                           &barriers, &count, &of) == 4) {
                        EXPECT_EQ(facts.at_rope, count) << where;
                        EXPECT_EQ(facts.present, of) << where;
                        EXPECT_EQ(facts.barrier, number) << where;
                        const bool here = plaque->text.find(" here") != std::string::npos;
                        const std::string words =
                            here ? (count == of ? fmt::format("All {} rows are at barrier {}", count, number)
                                                : fmt::format("{} of {} rows", count, of))
                                 : fmt::format("{} {} at barrier {}", count,
                                               count == 1 ? "row waits" : "rows wait", number);
                        EXPECT_NE(body.find(words), std::string::npos) << where;
                        (here ? said_here : said_waiting) += 1;
                    }
                }
        EXPECT_GT(said_here, 0) << kernel;
        EXPECT_GT(said_passed, 0) << kernel;
        if (std::string(kernel) == "contiguous_warp") {
            EXPECT_GT(said_waiting, 0);
        }
    }
}

TEST_F(FrameTest, StateIsJson) {
    const auto state = nlohmann::json::parse(state_json(app));
    EXPECT_EQ(state["kernel"], "contiguous_warp");
    EXPECT_EQ(state["steps"], 12);
    EXPECT_TRUE(state["controls"].contains("play"));
    EXPECT_EQ(state["seats"].size(), 256u);
}

// Apart from the scene a frame costs well under a millisecond; what is asked here leaves room for a busy
// machine.
// What a test is told is open, for every menu and dialog that there is.
TEST_F(FrameTest, EveryMenuAndDialogHasAName) {
    std::set<std::string> names;
    for (Dialog dialog : {Dialog::open, Dialog::save, Dialog::pick_data, Dialog::keys, Dialog::trees,
                          Dialog::ledger, Dialog::save_ledger, Dialog::claims, Dialog::speed}) {
        app.panels->dialog = dialog;
        names.insert(nlohmann::json::parse(state_json(app))["dialog"].get<std::string>());
    }
    EXPECT_EQ(names.size(), 9u);
    EXPECT_EQ(names.count(""), 0u);
    app.panels->dialog = Dialog::none;
    names.clear();
    for (Menu menu : {Menu::kernel, Menu::op, Menu::type, Menu::block, Menu::data, Menu::device, Menu::more,
                      Menu::pair, Menu::side}) {
        app.panels->menu = menu;
        names.insert(nlohmann::json::parse(state_json(app))["menu"].get<std::string>());
    }
    EXPECT_EQ(names.size(), 9u);
    EXPECT_EQ(names.count(""), 0u);
    app.panels->menu = Menu::none;
}

// "What they say, what it did": opens by its key and from the kernels' menu, shows what a claim stands on.
TEST_F(FrameTest, ClaimsOpenTheirRecordings) {
    const auto wait_for_claims = [&] {
        for (int i = 0; i < 5000 && !app.panels->claims; ++i) {
            ui.frame(app);
            std::this_thread::sleep_for(2ms);
        }
        ui.frame(app);
        return app.panels->claims != nullptr;
    };
    ui.key(app, ImGuiKey_W);
    EXPECT_EQ(app.panels->dialog, Dialog::claims);
    ASSERT_TRUE(wait_for_claims());
    ASSERT_TRUE(tab_to("show.last-round"));
    ui.key(app, ImGuiKey_Enter);
    EXPECT_EQ(app.panels->dialog, Dialog::none);
    ASSERT_TRUE(wait_until_idle());
    EXPECT_FALSE(app.view.compare);
    EXPECT_EQ(app.shown.trace.config.kernel, "contiguous_warp");
    EXPECT_EQ(app.shown.trace.origin.kind, trace::Origin::Kind::gpu);

    open_menu(app, int(Menu::kernel), {10, 10, 100, 20}, "chip.kernel");
    ui.frame(app);
    ASSERT_TRUE(tab_to("claims"));
    ui.key(app, ImGuiKey_Enter);
    EXPECT_EQ(app.panels->dialog, Dialog::claims);
    ASSERT_TRUE(tab_to("show.five-barriers"));
    ui.key(app, ImGuiKey_Enter);
    ASSERT_TRUE(wait_until_idle());
    EXPECT_TRUE(app.view.compare);
    EXPECT_EQ(app.compared->sides[0]->trace.config.kernel, "contiguous_full");
    EXPECT_EQ(app.compared->sides[1]->trace.config.kernel, "contiguous_warp");

    // A single one leaves the compare view; Esc closes the panel.
    ui.key(app, ImGuiKey_W);
    ASSERT_TRUE(tab_to("show.any-size"));
    ui.key(app, ImGuiKey_Enter);
    ASSERT_TRUE(wait_until_idle());
    EXPECT_FALSE(app.view.compare);
    EXPECT_EQ(app.shown.trace.config.kernel, "ragged_block");
    ui.key(app, ImGuiKey_W);
    ui.key(app, ImGuiKey_Escape);
    EXPECT_EQ(app.panels->dialog, Dialog::none);
}

TEST(FrameCost, PanelsAreCheapAt1024Threads) {
    test::Headless ui;
    App app = make_app(test::record("interleaved_strided", 1024), {});
    const auto cpu = [] {
        timespec now{};
        ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
        return double(now.tv_sec) * 1e3 + double(now.tv_nsec) / 1e6;
    };
    ui.settle(app);
    std::vector<double> costs;
    for (double time = 0; time < app.shown.timeline.duration; time += app.shown.timeline.duration / 200) {
        app.playback.time = time;
        app.view.scene_only = true;
        const double a = cpu();
        ui.frame(app);
        const double b = cpu();
        app.view.scene_only = false;
        ui.frame(app);
        costs.push_back((cpu() - b) - (b - a));
    }
    std::sort(costs.begin(), costs.end());
    RecordProperty("median_ms", std::to_string(costs[costs.size() / 2]));
    EXPECT_LT(costs[costs.size() / 2], 2.0);
    std::printf("panels: median %.3f ms, slowest %.3f ms of CPU\n", costs[costs.size() / 2], costs.back());
}

TEST(Data, SpecsSurviveTheForm) {
    for (const char* spec :
         {"random:3664:0:999", "random:7:-5:5", "ramp", "ones", "values:1,2,nan", "file:/a b/c:d.txt"})
        EXPECT_EQ(spec_of(form_of(spec)), spec);
    EXPECT_EQ(spec_of(form_of("random:3664")), "random:3664:0:999");
    EXPECT_EQ(short_name("random:3664:0:999"), "0–999, seed 3664");
    EXPECT_EQ(short_name("file:/some/where/data.txt"), "data.txt");
}

}  // namespace
}  // namespace auditorium::panels
