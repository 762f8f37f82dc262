#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>

#include "app/panels/settings.h"

namespace auditorium {
namespace {

namespace fs = std::filesystem;

struct SettingsTest : testing::Test {
    fs::path folder = fs::path(testing::TempDir()) / ("settings" + std::to_string(::getpid()));
    void SetUp() override { fs::create_directories(folder); }
    void TearDown() override { fs::remove_all(folder); }
    long files_there() const {
        return std::distance(fs::directory_iterator(folder / "deep"), fs::directory_iterator());
    }
    std::string path() const { return (folder / "deep" / "settings.json").string(); }
};

TEST_F(SettingsTest, WhatIsSavedComesBack) {
    Settings s;
    s.theme = ThemeId::light;
    s.presenter_theme = ThemeId::dark;
    s.ui_scale = 1.5f;
    s.reduced_motion = true;
    s.show_code = false;
    s.show_gantt = false;
    s.loop = true;
    s.speed = 0.25;
    s.device = "cpu";
    s.folder = "/tmp/traces \"of\" me";
    ASSERT_TRUE(save_settings(path(), s));
    const LoadedSettings loaded = load_settings(path());
    EXPECT_EQ(loaded.settings, s);
    EXPECT_EQ(loaded.problem, "");
    EXPECT_TRUE(loaded.may_be_replaced);
    // Nothing is left beside it.
    EXPECT_EQ(files_there(), 1);
}

TEST_F(SettingsTest, AMissingFileGivesTheDefaultsInSilence) {
    const LoadedSettings loaded = load_settings(path());
    EXPECT_EQ(loaded.settings, Settings{});
    EXPECT_EQ(loaded.problem, "");
    EXPECT_TRUE(loaded.may_be_replaced);
}

// A pipe, a device, a folder, too much, a circle of links: said, not waited for, and not replaced.
TEST_F(SettingsTest, WhatCannotBeReadIsSaidAndLeftAlone) {
    fs::create_directories(folder / "deep");
    const std::function<void()> makes[] = {
        [&] { ASSERT_EQ(::mkfifo(path().c_str(), 0600), 0); },
        [&] { fs::create_symlink("/dev/zero", path()); },
        [&] { fs::create_symlink("settings.json", path()); },
        [&] { fs::create_directory(path()); },
        [&] { std::ofstream(path()) << std::string((1 << 20) + 1, ' '); },
    };
    for (const auto& make : makes) {
        fs::remove_all(path());
        make();
        const LoadedSettings loaded = load_settings(path());
        EXPECT_EQ(loaded.settings, Settings{});
        EXPECT_NE(loaded.problem.find(path()), std::string::npos) << loaded.problem;
        EXPECT_NE(loaded.problem.find("changes are not kept"), std::string::npos) << loaded.problem;
        EXPECT_FALSE(loaded.may_be_replaced);
        EXPECT_EQ(files_there(), 1);
    }
}

TEST_F(SettingsTest, OfADamagedFileWhatCanBeReadIsTakenAndACopyKept) {
    fs::create_directories(folder / "deep");
    const std::string cut = "{\n  \"theme\": \"light\",\n  \"ui_scale\": 1.5,\n  \"folder\": \"/a";
    for (const std::string& text :
         {cut,
          std::string(
              "{\"ui_scale\": 1.5, \"speed\": 1e999, \"folder\": \"a\xff, b\", \"theme\": \"light\"}"),
          std::string("{\"theme\": \"light\", \"loop\": maybe, \"ui_scale\": 1.5},,")}) {
        std::ofstream(path(), std::ios::trunc) << text;
        for (int again = 0; again < 2; ++again) {  // one copy, however often it is read
            const LoadedSettings loaded = load_settings(path());
            EXPECT_EQ(loaded.settings.theme, ThemeId::light) << text;
            EXPECT_EQ(loaded.settings.ui_scale, 1.5f) << text;
            EXPECT_EQ(loaded.settings.speed, 1) << text;
            EXPECT_NE(loaded.problem.find("damaged"), std::string::npos) << loaded.problem;
            EXPECT_NE(loaded.problem.find("settings.json.bak'"), std::string::npos) << loaded.problem;
            EXPECT_TRUE(loaded.may_be_replaced);
            EXPECT_EQ(files_there(), 2);
        }
        std::ifstream copy(path() + ".bak");
        EXPECT_EQ(std::string(std::istreambuf_iterator<char>(copy), {}), text);
        fs::remove(path() + ".bak");
    }
}

TEST_F(SettingsTest, AnEarlierCopyStays) {
    fs::create_directories(folder / "deep");
    for (const char* text : {"first", "second"}) {
        std::ofstream(path(), std::ios::trunc) << text;
        load_settings(path());
    }
    EXPECT_EQ(files_there(), 3);
    // Without room for a copy the file itself is what is kept.
    for (int i = 1; i <= 9; ++i)
        std::ofstream(path() + ".bak" + (i == 1 ? "" : std::to_string(i)), std::ios::trunc) << i;
    const LoadedSettings loaded = load_settings(path());
    EXPECT_FALSE(loaded.may_be_replaced);
    EXPECT_NE(loaded.problem.find("changes are not kept"), std::string::npos) << loaded.problem;
}

TEST_F(SettingsTest, ALinkIsWrittenThrough) {
    fs::create_directories(folder / "deep");
    fs::create_symlink(folder / "elsewhere.json", path());
    EXPECT_EQ(load_settings(path()).problem, "") << "nothing was kept there yet";
    Settings s;
    s.loop = true;
    ASSERT_TRUE(save_settings(path(), s));
    EXPECT_TRUE(fs::is_symlink(path()));
    EXPECT_TRUE(fs::is_regular_file(folder / "elsewhere.json"));
    EXPECT_EQ(load_settings(path()).settings, s);
}

TEST_F(SettingsTest, ValuesOfTheWrongKindOrOutOfRangeDoNoHarm) {
    std::string problem;
    const Settings s = parse_settings(
        R"({"ui_scale": 90, "speed": -3, "theme": 7, "device": "abacus", "loop": "yes", "new": [1], "folder": null, "show_code": false})",
        &problem);
    EXPECT_EQ(problem, "has no usable value for theme, loop, folder, device, so the default is taken there");
    EXPECT_EQ(s.ui_scale, largest_scale);
    EXPECT_EQ(s.speed, 0.25);
    EXPECT_EQ(s.theme, ThemeId::dark);
    EXPECT_EQ(s.device, "auto");
    EXPECT_FALSE(s.loop);
    EXPECT_FALSE(s.show_code) << "one value does not stand for the others";
}

TEST_F(SettingsTest, AFolderThatCannotBeMadeIsOneSentence) {
    std::ofstream(folder / "file") << "in the way";
    const auto saved = save_settings((folder / "file" / "settings.json").string(), {});
    ASSERT_FALSE(saved);
    EXPECT_EQ(saved.error().status, ExitStatus::bad_output);
    EXPECT_NE(saved.error().sentence.find("cannot be kept"), std::string::npos);
}

TEST_F(SettingsTest, TheFolderFollowsXdg) {
    const char* config = std::getenv("XDG_CONFIG_HOME");
    const char* home = std::getenv("HOME");
    const std::string old_config = config ? config : "", old_home = home ? home : "";
    ::setenv("HOME", "/home/somebody", 1);
    ::setenv("XDG_CONFIG_HOME", "/elsewhere", 1);
    EXPECT_EQ(settings_path(), "/elsewhere/auditorium/settings.json");
    ::setenv("XDG_CONFIG_HOME", "relative", 1);  // to be ignored, says the specification
    EXPECT_EQ(settings_path(), "/home/somebody/.config/auditorium/settings.json");
    ::unsetenv("XDG_CONFIG_HOME");
    EXPECT_EQ(settings_path(), "/home/somebody/.config/auditorium/settings.json");
    ::unsetenv("HOME");
    EXPECT_EQ(settings_path(), "");
    EXPECT_FALSE(save_settings(settings_path(), {}));
    if (config)
        ::setenv("XDG_CONFIG_HOME", old_config.c_str(), 1);
    if (home)
        ::setenv("HOME", old_home.c_str(), 1);
}

}  // namespace
}  // namespace auditorium
