#include "window.h"

#include <unistd.h>

namespace auditorium::test {
namespace {

using Ui = WindowTest;

TEST_F(Ui, PlaysAndPauses) {
    open(trace_file());
    ASSERT_TRUE(shows("playing", false));
    ASSERT_EQ(state()["step"], 0);
    key("space");
    ASSERT_TRUE(wait([](const json& s) { return s["playing"] == true && s["time"] > 0.3; }));
    const double before = state()["time"];
    ASSERT_TRUE(wait([&](const json& s) { return s["time"] > before; }));
    key("space");
    ASSERT_TRUE(shows("playing", false));
    const double stopped = state()["time"];
    std::this_thread::sleep_for(300ms);
    EXPECT_EQ(state()["time"], stopped);
    // Paused, the window comes to rest.
    EXPECT_TRUE(wait([](const json& s) { return s["window"]["moving"] == false; }));
    click("play");
    EXPECT_TRUE(shows("playing", true));
}

// A window in which nothing moves draws no frame at all; an event wakes it for a few.
TEST_F(Ui, PausedDrawsNothing) {
    open(trace_file());
    const auto rested = [this] {
        EXPECT_TRUE(wait([](const json& s) { return s["window"]["moving"] == false; }));
        return state()["window"]["frames"].get<long>();
    };
    key("space");
    ASSERT_TRUE(wait([](const json& s) { return s["playing"] == true && s["time"] > 0.2; }));
    key("space");
    ASSERT_TRUE(shows("playing", false));
    std::this_thread::sleep_for(500ms);  // the pointer's and the keys' last events
    const long before = rested();
    std::this_thread::sleep_for(2s);
    EXPECT_EQ(state()["window"]["frames"], before);
    key("Home");
    ASSERT_TRUE(wait([&](const json& s) { return s["window"]["frames"] > before; }));
    const long after = rested();
    EXPECT_LE(after, before + 12);
    std::this_thread::sleep_for(1s);
    EXPECT_EQ(state()["window"]["frames"], after);
}

TEST_F(Ui, StepsBothWays) {
    open(trace_file());
    const int steps = state()["steps"];
    for (int i = 1; i <= 3; ++i) {
        key("Right");
        ASSERT_TRUE(shows("step", i));
        EXPECT_TRUE(state()["at_end"]);
    }
    key("Left");
    ASSERT_TRUE(shows("step", 2));
    const double at_two = state()["time"];
    key("shift+Right");
    ASSERT_TRUE(wait([&](const json& s) { return s["time"] > at_two && !s["at_end"]; }));
    key("shift+Left");
    ASSERT_TRUE(wait([&](const json& s) { return s["time"] == at_two; }));
    key("End");
    ASSERT_TRUE(shows("step", steps + 1));
    key("Home");
    ASSERT_TRUE(shows("time", 0.0));
    click("forward");
    ASSERT_TRUE(wait([](const json& s) { return s["step"] == 1 && s["at_end"] == true; }));
    key("Next");  // Page Down: plays to the end of the next step and stops
    ASSERT_TRUE(
        wait([](const json& s) { return s["step"] == 2 && s["at_end"] == true && s["playing"] == false; }));
}

TEST_F(Ui, Scrubs) {
    open(trace_file());
    const Place bar = place("timeline");
    click_at(bar.x + bar.w / 2, bar.y + 8);
    ASSERT_TRUE(wait([](const json& s) { return s["step"] > 2; }));
    const double middle = state()["time"];
    xdotool("mousemove " + at(bar.x + bar.w / 2, bar.y + 8) + " mousedown 1");
    xdotool("mousemove " + at(bar.x + bar.w * 0.8, bar.y + 8));
    ASSERT_TRUE(wait([&](const json& s) { return s["time"] > middle; }));
    xdotool("mousemove " + at(bar.x + bar.w * 0.1, bar.y + 8));
    ASSERT_TRUE(wait([&](const json& s) { return s["time"] < middle; }));
    xdotool("mouseup 1");
    // The same place is the same moment, from whichever side.
    click_at(bar.x + bar.w / 2, bar.y + 8);
    ASSERT_TRUE(wait([&](const json& s) { return s["time"] == middle; }));
}

TEST_F(Ui, TwoRunsSideBySide) {
    open(trace_file());
    key("Right");
    ASSERT_TRUE(shows("step", 1));
    const double alone = state()["time"];
    key("c");
    ASSERT_TRUE(wait([](const json& s) { return !s["compare"].is_null() && s["busy"] == false; }));
    json pair = state()["compare"];
    EXPECT_EQ(pair["left"]["kernel"], "interleaved_divergent");
    EXPECT_EQ(pair["right"]["kernel"], "contiguous_full");
    click("mode.step");
    ASSERT_TRUE(wait([](const json& s) { return s["compare"]["mode"] == "step"; }));
    key("Right");
    ASSERT_TRUE(wait([](const json& s) {
        return s["compare"]["left"]["step"] == 1 && s["compare"]["right"]["step"] == 1;
    }));
    key("Right");
    ASSERT_TRUE(wait([](const json& s) { return s["compare"]["left"]["step"] == 2; }));
    const double second = state()["time"];
    key("shift+Right");
    ASSERT_TRUE(wait([&](const json& s) { return s["time"] > second; }));
    key("shift+Left");
    ASSERT_TRUE(wait([&](const json& s) { return s["time"] == second; }));
    key("space");
    ASSERT_TRUE(wait([&](const json& s) { return s["playing"] == true && s["time"] > second; }));
    key("space");
    ASSERT_TRUE(shows("playing", false));
    // The inspector, over the edge from one half to the other, and its pin while time goes on.
    const Place right = place("scene.right");
    xdotool("mousemove " + at(right.x + right.w * 0.5, right.y + 40));
    ASSERT_TRUE(wait([](const json& s) { return s["asked_side"] == "right" && s["pin"] == ""; }));
    key("i");
    ASSERT_TRUE(wait([](const json& s) { return s["asked_side"] == "right" && s["pin"] != ""; }));
    const std::string pinned = state()["pin"];
    const Place bar = place("timeline");
    click_at(bar.x + bar.w * 0.7, bar.y + bar.h * 0.7);
    ASSERT_TRUE(wait([](const json& s) { return s["compare"]["left"]["step"] > 4; }));
    EXPECT_EQ(state()["pin"], pinned);
    key("Escape");
    ASSERT_TRUE(shows("pin", ""));
    // Another pair, and a race if both sides have cycles.
    click("chip.pair");
    ASSERT_TRUE(shows("menu", "pair"));
    click("pair.warp");
    ASSERT_TRUE(wait([](const json& s) {
        return s["compare"]["right"]["kernel"] == "contiguous_warp" && s["busy"] == false;
    }));
    click("mode.phase");
    ASSERT_TRUE(wait([](const json& s) { return s["compare"]["mode"] == "phase"; }));
    key("c");
    ASSERT_TRUE(wait([&](const json& s) { return s["compare"].is_null() && s["time"] == alone; }));
}

TEST_F(Ui, SpeedAndLoop) {
    open(trace_file());
    key("bracketright");
    ASSERT_TRUE(shows("speed", 2.0));
    key("bracketleft");
    key("bracketleft");
    ASSERT_TRUE(shows("speed", 0.5));
    click("speed.4x");
    ASSERT_TRUE(shows("speed", 4.0));
    key("r");
    ASSERT_TRUE(shows("loop", true));
    key("End");
    key("space");
    ASSERT_TRUE(wait([](const json& s) { return s["playing"] == true && s["step"] < 5; }));
}

TEST_F(Ui, ChangesTheKernelByPointer) {
    open(trace_file());
    click("chip.kernel");
    ASSERT_TRUE(shows("menu", "kernel"));
    click("kernel.one_barrier");
    ASSERT_TRUE(shows("kernel", "one_barrier"));
    EXPECT_EQ(state()["origin"], "gpu");  // without a GPU the recording of just that launch
    EXPECT_EQ(state()["menu"], "");
    // Beside an open menu a click closes it and does nothing else.
    click("chip.op");
    ASSERT_TRUE(shows("menu", "op"));
    click("play");
    ASSERT_TRUE(shows("menu", ""));
    EXPECT_EQ(state()["playing"], false);
    // A clinic entry runs at its own size.
    click("chip.kernel");
    click("kernel.ragged_block");
    ASSERT_TRUE(shows("kernel", "ragged_block"));
    EXPECT_EQ(state()["block"], 96);
}

TEST_F(Ui, WorksByKeyboardAlone) {
    open(trace_file());
    const auto go_to = [&](const std::string& control) {
        for (int i = 0; i < 40; ++i) {
            if (state()["focus"] == control)
                return true;
            const std::string before = state()["focus"];
            key("Tab");
            wait([&](const json& s) { return s["focus"] != before; });
        }
        ADD_FAILURE() << "Tab does not reach " << control;
        return false;
    };
    ASSERT_TRUE(go_to("chip.op"));
    key("Return");
    ASSERT_TRUE(shows("menu", "op"));
    key("Down");
    ASSERT_TRUE(shows("focus", "op.max"));
    key("Down");
    key("Down");
    ASSERT_TRUE(shows("focus", "op.sum"));
    key("Return");
    ASSERT_TRUE(shows("op", "sum"));
    EXPECT_EQ(state()["menu"], "");
    // The focus is back where it was.
    ASSERT_TRUE(shows("focus", "chip.op"));
    // Data of one's own, typed.
    ASSERT_TRUE(go_to("chip.block"));
    key("Return");
    ASSERT_TRUE(shows("menu", "block"));
    ASSERT_TRUE(go_to("block.32"));
    key("Return");
    ASSERT_TRUE(shows("block", 32));
    ASSERT_TRUE(go_to("chip.data"));
    key("Return");
    ASSERT_TRUE(shows("menu", "data"));
    ASSERT_TRUE(go_to("data.ones"));
    key("Return");
    ASSERT_TRUE(go_to("data.record"));
    key("Return");
    ASSERT_TRUE(shows("input", "ones"));
    // Space is playback's wherever the focus is.
    key("space");
    ASSERT_TRUE(shows("playing", true));
    key("space");
    key("question");
    ASSERT_TRUE(shows("dialog", "keys"));
    key("Escape");
    ASSERT_TRUE(shows("dialog", ""));
    key("shift+Tab");
    EXPECT_TRUE(wait([](const json& s) { return s["focus"] != ""; }));
}

TEST_F(Ui, Presents) {
    open(trace_file());
    key("Right");
    ASSERT_TRUE(shows("step", 1));
    const double time = state()["time"];
    key("p");
    ASSERT_TRUE(shows("presenter", true));
    EXPECT_EQ(state()["theme"], "light");
    EXPECT_EQ(state()["time"], time);
    key("b");
    ASSERT_TRUE(shows("blank", true));
    key("Right");  // wakes the screen, and does nothing else
    ASSERT_TRUE(shows("blank", false));
    EXPECT_EQ(state()["step"], 1);
    key("t");
    ASSERT_TRUE(shows("theme", "dark"));
    key("Escape");
    ASSERT_TRUE(shows("presenter", false));
    key("F5");
    ASSERT_TRUE(shows("presenter", true));
    EXPECT_EQ(state()["theme"], "dark");
    key("F5");
    ASSERT_TRUE(shows("presenter", false));
    click("present");
    ASSERT_TRUE(shows("presenter", true));
}

TEST_F(Ui, ResizesAndScales) {
    open(trace_file());
    for (const auto& [w, h] : {std::pair{1280, 720}, {1920, 1080}, {1000, 700}}) {
        xdotool("windowsize " + window() + " " + std::to_string(w) + " " + std::to_string(h));
        ASSERT_TRUE(wait([w = w, h = h](const json& s) { return s["width"] == w && s["height"] == h; }));
        const Place play = place("play");
        EXPECT_LT(play.y + play.h, h);
    }
    key("ctrl+plus");
    ASSERT_TRUE(shows("ui_scale", 1.125));
    ASSERT_TRUE(wait([](const json& s) { return s["width"] == 889; }));
    key("ctrl+0");
    ASSERT_TRUE(shows("ui_scale", 1.0));
    for (int i = 0; i < 4; ++i)
        key("ctrl+minus");
    ASSERT_TRUE(shows("ui_scale", 0.75));
    ASSERT_TRUE(shows("width", 1333));  // the frame after, whose controls lie where the click will look
    click("play");                      // the pointer still meets what it sees
    ASSERT_TRUE(shows("playing", true));
}

TEST_F(Ui, ABadFileIsANotice) {
    const std::string bad = (folder() / "bad.audit").string();
    std::ofstream(bad) << "no trace at all";
    open(trace_file());
    const auto run = state()["run"];
    key("ctrl+o");
    ASSERT_TRUE(shows("dialog", "open"));
    type(bad);
    key("Return");
    ASSERT_TRUE(wait([](const json& s) { return s["notices"].size() == 1; }));
    EXPECT_EQ(state()["run"], run);
    EXPECT_TRUE(state()["notices"][0]["error"]);
    EXPECT_NE(state()["notices"][0]["text"].get<std::string>().find("bad.audit"), std::string::npos);
    click("dismiss.0");
    ASSERT_TRUE(wait([](const json& s) { return s["notices"].empty(); }));
    // A good one opens from the list.
    const fs::path box = folder() / "box";
    fs::create_directories(box);
    record("shuffle_first", 128, (box / "good.audit").string());
    key("ctrl+o");
    ASSERT_TRUE(shows("dialog", "open"));
    type((box / "").string());
    key("Return");
    ASSERT_TRUE(wait([](const json& s) { return s["controls"].contains("entry.good.audit"); }));
    click("entry.good.audit");
    ASSERT_TRUE(shows("kernel", "shuffle_first"));
    EXPECT_EQ(state()["path"], (box / "good.audit").string());
}

TEST_F(Ui, Saves) {
    const std::string path = (folder() / "saved.audit").string();
    open(trace_file());
    key("ctrl+s");
    ASSERT_TRUE(shows("dialog", "save"));
    type(path);  // over the proposed name
    key("Return");
    ASSERT_TRUE(shows("path", path));
    EXPECT_EQ(std::system((std::string(AUDITORIUM_PROGRAM) + " verify " + path + " >/dev/null").c_str()), 0);
    // Not over another file without being told twice.
    const auto written = fs::last_write_time(path);
    key("ctrl+s");
    ASSERT_TRUE(shows("dialog", "save"));
    type(path);
    key("Return");
    std::this_thread::sleep_for(300ms);
    EXPECT_EQ(state()["dialog"], "save");
    EXPECT_EQ(fs::last_write_time(path), written);
    key("Return");
    ASSERT_TRUE(shows("dialog", ""));
    EXPECT_TRUE(wait([&](const json&) { return fs::last_write_time(path) != written; }));
    // A folder that cannot be written to is a notice, and what is shown stays.
    const auto run = state()["run"];
    const fs::path closed = folder() / "closed";
    fs::create_directories(closed);
    fs::permissions(closed, fs::perms::owner_read | fs::perms::owner_exec);
    // Root may write there all the same: it has a folder of the kernel's own that nobody may write to.
    const std::string target = ::geteuid() == 0 ? "/proc/self/x.audit" : (closed / "x.audit").string();
    key("ctrl+s");
    ASSERT_TRUE(shows("dialog", "save"));
    type(target);
    key("Return");
    EXPECT_TRUE(
        wait([](const json& s) { return !s["notices"].empty() && s["notices"].back()["error"] == true; }));
    EXPECT_EQ(state()["run"], run);
    EXPECT_EQ(state()["path"], path);
    fs::permissions(closed, fs::perms::owner_all);
}

// Scores of one's own: typed, and from a file.
TEST_F(Ui, RecordsScoresOfOnesOwn) {
    open(trace_file());
    click("chip.block");
    click("block.32");
    ASSERT_TRUE(shows("block", 32));
    std::string values;
    for (int i = 0; i < 32; ++i)
        values += (i ? "," : "") + std::to_string(i * 3);
    click("chip.data");
    ASSERT_TRUE(shows("menu", "data"));
    click("data.values");
    click("data.typed");
    type(values);
    click("data.record");
    ASSERT_TRUE(shows("input", "values:" + values));
    EXPECT_TRUE(state()["notices"].empty());
    // Too few of them are told where they are typed, and nothing is lost.
    const auto run = state()["run"];
    click("chip.data");
    click("data.values");
    click("data.typed");
    key("ctrl+a");
    type("1,2,3");
    click("data.record");
    std::this_thread::sleep_for(300ms);
    EXPECT_EQ(state()["run"], run);
    EXPECT_EQ(state()["menu"], "data");
    // From a file.
    const std::string path = (folder() / "scores.txt").string();
    {
        std::ofstream file(path);
        for (int i = 0; i < 32; ++i)
            file << 7 * i << (i % 8 == 7 ? "\n" : " ");
    }
    click("data.file");
    click("data.path");
    key("ctrl+a");
    type(path);
    click("data.record");
    ASSERT_TRUE(shows("input", "file:" + path));
    EXPECT_EQ(state()["menu"], "");
}

// The wheel zooms, a drag pans, F fits, and the next phase takes the camera back.
TEST_F(Ui, MovesTheCamera) {
    open(trace_file());
    key("End");
    key("Home");
    key("Right");
    key("Right");
    ASSERT_TRUE(shows("step", 2));
    const Place scene = place("scene");
    const double x = scene.x + scene.w * 0.8, y = scene.y + scene.h * 0.55;
    EXPECT_EQ(state()["camera"], "automatic");
    xdotool("mousemove " + at(x, y) + " click 4");
    ASSERT_TRUE(shows("camera", "manual"));
    key("f");
    ASSERT_TRUE(shows("camera", "automatic"));
    // So fast that the pointer's way and the button coming up fall into one frame.
    xdotool("mousemove " + at(x, y) + " mousedown 1 mousemove " + at(x - 80, y - 20) + " mouseup 1");
    ASSERT_TRUE(shows("camera", "manual"));
    EXPECT_EQ(state()["pin"], "");
    key("Right");  // still among the cuts
    ASSERT_TRUE(shows("step", 3));
    EXPECT_EQ(state()["camera"], "manual");
    while (state()["step"] < 5) {
        const auto before = state()["step"];
        key("Right");
        ASSERT_TRUE(wait([&](const json& s) { return s["step"] != before; }));
    }
    EXPECT_TRUE(shows("camera", "automatic"));
}

TEST_F(Ui, FollowsASeat) {
    open(trace_file());
    ASSERT_TRUE(shows("followed", 5));
    const json seat = state()["seats"]["40"];
    ASSERT_TRUE(seat.is_array());
    click_at(seat[0], seat[1]);
    ASSERT_TRUE(shows("followed", 40));
    key("alt+Right");
    ASSERT_TRUE(shows("followed", 41));
    key("alt+Down");
    ASSERT_TRUE(shows("followed", 73));
    key("alt+Up");
    key("alt+Left");
    ASSERT_TRUE(shows("followed", 40));
    key("Escape");
    ASSERT_TRUE(shows("pin", ""));
    // Zoom by the wheel, back by F.
    const Place scene = place("scene");
    xdotool("mousemove " + at(scene.x + scene.w / 2, scene.y + scene.h / 2) + " click 4");
    ASSERT_TRUE(shows("camera", "manual"));
    key("f");
    ASSERT_TRUE(shows("camera", "automatic"));
}

// By real pointer and keys: hover, pin, step with it, go to another thing, jump by a tick, follow a link, let
// go.
TEST_F(Ui, Inspects) {
    record("missing_barrier", 256, trace_file());
    open(trace_file());
    for (int i = 1; i <= 3; ++i) {
        key("Right");
        ASSERT_TRUE(shows("step", i));
    }
    const json seat = state()["seats"]["40"];
    xdotool("mousemove " + at(seat[0], seat[1]));
    ASSERT_TRUE(shows("asked", "thread:40"));
    EXPECT_EQ(state()["pin"], "");
    key("i");
    ASSERT_TRUE(shows("pin", "thread:40"));
    key("Left");
    ASSERT_TRUE(shows("step", 2));
    EXPECT_EQ(state()["pin"], "thread:40");
    key("alt+Left");
    ASSERT_TRUE(shows("pin", "thread:39"));
    // A click on a tick goes to its step; the pin stays.
    ASSERT_FALSE(state()["ticks"].empty());
    const json tick = state()["ticks"][3];
    click_at(tick["x"], tick["y"]);
    ASSERT_TRUE(shows("step", int(tick["step"])));
    EXPECT_EQ(state()["pin"], "thread:39");
    key("shift+n");
    ASSERT_TRUE(shows("step", int(tick["step"]) - 1));
    click("inspect.note.0");
    ASSERT_TRUE(wait([](const json& s) { return s["marked_lines"].size() == 2; }));
    key("Escape");
    ASSERT_TRUE(shows("pin", ""));
    EXPECT_TRUE(state()["marked_lines"].empty());
}

TEST_F(Ui, QuitsAndRemembers) {
    open(trace_file());
    key("t");
    ASSERT_TRUE(shows("theme", "light"));
    key("g");
    key("m");
    ASSERT_TRUE(shows("reduced_motion", true));
    key("ctrl+plus");
    ASSERT_TRUE(shows("ui_scale", 1.125));
    key("ctrl+q");
    ASSERT_EQ(ended(), 0);
    EXPECT_TRUE(fs::exists(folder() / "config" / "auditorium" / "settings.json"));
    open(trace_file());
    EXPECT_TRUE(shows("theme", "light"));
    EXPECT_EQ(state()["ui_scale"], 1.125);
    EXPECT_EQ(state()["show_gantt"], false);
    EXPECT_EQ(state()["reduced_motion"], true);
}

// The last change is kept when the terminal is closed, the session ends, or Ctrl+C is pressed.
TEST_F(Ui, ASignalKeepsTheSettings) {
    for (const int signal : {SIGHUP, SIGTERM, SIGINT}) {
        std::error_code error;
        fs::remove(settings_file(), error);
        open(trace_file());
        key("t");
        ASSERT_TRUE(shows("theme", "light"));
        send(signal);
        EXPECT_EQ(ended(), 0) << signal;
        stop();
        EXPECT_NE(text_of(settings_file()).find("\"light\""), std::string::npos) << signal;
    }
}

TEST_F(Ui, ADisplayThatEndsKeepsTheSettings) {
    open(trace_file());
    key("t");
    ASSERT_TRUE(shows("theme", "light"));
    end_display();
    EXPECT_EQ(ended(), 4);
    EXPECT_NE(text_of(settings_file()).find("\"light\""), std::string::npos);
    EXPECT_EQ(said(),
              "auditorium: The display is gone, so the window had to close; start again where there is "
              "one.\n");
}

TEST_F(Ui, SettingsThatCannotBeReadAreSaidAndLeftAlone) {
    fs::create_directories(settings_file());
    open(trace_file());
    EXPECT_NE(said().find("settings.json' cannot be read: it is a folder"), std::string::npos) << said();
    ASSERT_TRUE(wait([](const json& s) { return s["notices"].size() == 1; }));
    EXPECT_NE(state()["notices"].dump().find("cannot be read"), std::string::npos);
    key("t");
    ASSERT_TRUE(shows("theme", "light"));
    key("ctrl+q");
    ASSERT_EQ(ended(), 0);
    EXPECT_TRUE(fs::is_directory(settings_file()));
    const std::string words = said();
    EXPECT_EQ(std::count(words.begin(), words.end(), '\n'), 1) << words;
}

// The memory of a very large picture is given back once the window is small again.
TEST_F(Ui, AWindowThatWasVeryLargeGivesItsMemoryBack) {
#ifdef __SANITIZE_ADDRESS__
    GTEST_SKIP() << "AddressSanitizer keeps what is given back";
#endif
    open(trace_file());
    const auto resident = [this] {  // MB
        const std::string status = text_of("/proc/" + std::to_string(program()) + "/status");
        return std::atol(status.c_str() + status.find("VmRSS:") + 6) / 1024;
    };
    const auto resize = [this](int width, int height) {
        xdotool("windowsize " + window() + " " + std::to_string(width) + " " + std::to_string(height));
        ASSERT_TRUE(wait(
            [&](const json& s) {
                return s["window"]["width"] == width && s["window"]["height"] == height &&
                       s["window"]["moving"] == false;
            },
            120s));
        std::this_thread::sleep_for(500ms);
    };
    resize(1200, 700);
    const long before = resident();
    resize(16000, 16000);
    const long large = resident();
    resize(1200, 700);
    if (large < before + 300)
        GTEST_SKIP() << "this driver keeps its pictures elsewhere";
    EXPECT_LT(resident(), before + 60) << before << " MB before, " << large << " MB when large";
}

}  // namespace
}  // namespace auditorium::test
