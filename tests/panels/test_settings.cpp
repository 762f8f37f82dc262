#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "app/panels/settings.h"

namespace auditorium {
namespace {

namespace fs = std::filesystem;

struct SettingsTest : testing::Test {
    fs::path folder = fs::path(testing::TempDir()) / ("settings" + std::to_string(::getpid()));
    void SetUp() override { fs::create_directories(folder); }
    void TearDown() override { fs::remove_all(folder); }
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
    std::string problem;
    EXPECT_EQ(load_settings(path(), &problem), s);
    EXPECT_EQ(problem, "");
    // Nothing is left beside it.
    EXPECT_EQ(std::distance(fs::directory_iterator(folder / "deep"), fs::directory_iterator()), 1);
}

TEST_F(SettingsTest, AMissingFileGivesTheDefaultsInSilence) {
    std::string problem = "before";
    EXPECT_EQ(load_settings(path(), &problem), Settings{});
    EXPECT_EQ(problem, "");
}

TEST_F(SettingsTest, WhatIsNoRegularFileIsNotWaitedFor) {
    fs::create_directories(folder / "deep");
    ASSERT_EQ(::mkfifo(path().c_str(), 0600), 0);
    std::string problem;
    EXPECT_EQ(load_settings(path(), &problem), Settings{});
    EXPECT_NE(problem.find(path()), std::string::npos);
    fs::remove(path());
    fs::create_symlink("/dev/zero", path());
    EXPECT_EQ(load_settings(path(), &problem), Settings{});
    EXPECT_NE(problem, "");
}

TEST_F(SettingsTest, ADamagedFileGivesTheDefaultsAndASentence) {
    fs::create_directories(folder / "deep");
    std::ofstream(path()) << "{\"theme\": \"light\"";
    std::string problem;
    EXPECT_EQ(load_settings(path(), &problem), Settings{});
    EXPECT_NE(problem.find("damaged"), std::string::npos);
    EXPECT_NE(problem.find("settings.json"), std::string::npos);
}

TEST_F(SettingsTest, ValuesOfTheWrongKindOrOutOfRangeDoNoHarm) {
    std::string problem;
    const Settings s = parse_settings(
        R"({"ui_scale": 90, "speed": -3, "theme": 7, "device": "abacus", "loop": "yes", "new": [1], "folder": null})",
        &problem);
    EXPECT_EQ(problem, "");
    EXPECT_EQ(s.ui_scale, largest_scale);
    EXPECT_EQ(s.speed, 0.25);
    EXPECT_EQ(s.theme, ThemeId::dark);
    EXPECT_EQ(s.device, "auto");
    EXPECT_FALSE(s.loop);
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
