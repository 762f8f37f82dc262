// A display of its own (Xvfb), the program in a window on it, and what a person does there: keys and pointer
// through xdotool, and looking through the state file.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

namespace auditorium::test {

namespace fs = std::filesystem;
using nlohmann::json;
using namespace std::chrono_literals;

inline pid_t start(const std::vector<std::string>& words, const std::vector<std::string>& environment,
                   int keep_fd = -1, const std::string& errors = "/dev/null") {
    const pid_t pid = ::fork();
    if (pid != 0)
        return pid;
    for (const std::string& entry : environment)
        ::putenv(::strdup(entry.c_str()));
    const int null = ::open("/dev/null", O_RDWR);
    ::dup2(null, 0);
    ::dup2(null, 1);
    if (errors != "/dev/null")
        ::dup2(::open(errors.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), 2);
    if (keep_fd >= 0)
        ::dup2(keep_fd, 3);
    std::vector<char*> argv;
    for (const std::string& word : words)
        argv.push_back(const_cast<char*>(word.c_str()));
    argv.push_back(nullptr);
    ::execvp(argv[0], argv.data());
    ::_exit(127);
}

inline bool installed(const std::string& program) {
    return std::system(("command -v " + program + " >/dev/null 2>&1").c_str()) == 0;
}

class WindowTest : public testing::Test {
  protected:
    void SetUp() override {
        if (!installed("Xvfb") || !installed("xdotool"))
            GTEST_SKIP() << "Xvfb or xdotool is not installed";
        folder_ = fs::path(testing::TempDir()) / ("auditorium-ui-" + std::to_string(::getpid()));
        fs::create_directories(folder_);
        int ends[2];
        ASSERT_EQ(::pipe(ends), 0);
        // Without -noreset the server starts over when its last client leaves, and is deaf for a moment.
        server_ =
            start({"Xvfb", "-displayfd", "3", "-screen", "0", "2000x1200x24", "-nolisten", "tcp", "-noreset"},
                  {}, ends[1]);
        ::close(ends[1]);
        char text[16] = {};
        std::size_t got = 0;
        while (got + 1 < sizeof(text) && ::read(ends[0], text + got, 1) == 1 && text[got] != '\n')
            ++got;
        ::close(ends[0]);
        ASSERT_GT(got, 0u) << "Xvfb did not start";
        display_ = ":" + std::to_string(std::atoi(text));
        record("contiguous_warp", 256, trace_file());
    }
    void TearDown() override {
        stop();
        if (server_ > 0) {
            ::kill(server_, SIGTERM);
            ::waitpid(server_, nullptr, 0);
        }
        std::error_code error;
        if (!folder_.empty())
            fs::remove_all(folder_, error);
    }

    std::string trace_file() const { return (folder_ / "run.audit").string(); }
    fs::path folder() const { return folder_; }

    static void record(const std::string& kernel, int block, const std::string& path) {
        const std::string command = std::string(AUDITORIUM_PROGRAM) + " record --device cpu --kernel " +
                                    kernel + " --block " + std::to_string(block) + " -o " + path +
                                    " >/dev/null 2>&1";
        ASSERT_EQ(std::system(command.c_str()), 0) << command;
    }

    // Opens the window and waits until it has drawn and has the keyboard.
    void open(const std::string& file) {
        std::error_code error;
        fs::remove(state_file(), error);
        program_ = start({AUDITORIUM_PROGRAM, file, "--state-file", state_file()},
                         {"DISPLAY=" + display_, "XDG_CONFIG_HOME=" + (folder_ / "config").string(),
                          "LIBGL_ALWAYS_SOFTWARE=1"},
                         -1, errors_file());
        ASSERT_TRUE(wait([](const json&) { return true; })) << "no window; it says " << said();
        for (int i = 0; i < 100 && window_.empty(); ++i) {
            window_ = xdotool("search --onlyvisible --class Auditorium", true);
            window_ = window_.substr(0, window_.find('\n'));
            std::this_thread::sleep_for(50ms);
        }
        ASSERT_FALSE(window_.empty());
        xdotool("mousemove 1990 1190");
        xdotool("windowfocus --sync " + window_);
        std::this_thread::sleep_for(100ms);
    }

    // Ends the program by a signal, if it still runs.
    void stop() {
        if (program_ > 0) {
            ::kill(program_, SIGTERM);
            ::waitpid(program_, nullptr, 0);
        }
        program_ = 0;
        window_.clear();
    }

    void send(int signal) const { ::kill(program_, signal); }
    void end_display() {
        ::kill(server_, SIGKILL);
        ::waitpid(server_, nullptr, 0);
        server_ = 0;
    }

    // Waits for the program to end by itself; its exit status, or -1.
    int ended() {
        for (int i = 0; i < 200; ++i) {
            int status = 0;
            if (::waitpid(program_, &status, WNOHANG) == program_) {
                program_ = 0;
                return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
            }
            std::this_thread::sleep_for(50ms);
        }
        return -1;
    }

    std::string xdotool(const std::string& words, bool output = false) const {
        const std::string command = "DISPLAY=" + display_ + " xdotool " + words + " 2>/dev/null";
        if (!output) {
            EXPECT_EQ(std::system((command + " >/dev/null").c_str()), 0) << command;
            return {};
        }
        std::string text;
        if (FILE* pipe = ::popen(command.c_str(), "r")) {
            char buffer[256];
            while (std::size_t n = ::fread(buffer, 1, sizeof(buffer), pipe))
                text.append(buffer, n);
            ::pclose(pipe);
        }
        return text;
    }
    void key(const std::string& name) const { xdotool("key --clearmodifiers " + name); }
    void type(const std::string& text) const { xdotool("type --delay 15 '" + text + "'"); }

    json state() const {
        std::ifstream file(state_file());
        std::ostringstream text;
        text << file.rdbuf();
        return json::parse(text.str(), nullptr, false);
    }
    bool wait(const std::function<bool(const json&)>& holds, std::chrono::seconds most = 30s) const {
        const auto end = std::chrono::steady_clock::now() + most;
        while (std::chrono::steady_clock::now() < end) {
            const json now = state();
            if (!now.is_discarded() && holds(now))
                return true;
            std::this_thread::sleep_for(20ms);
        }
        ADD_FAILURE() << "the window does not get there; it shows " << summary();
        return false;
    }
    template <typename T>
    bool shows(const std::string& what, const T& value) const {
        return wait([&](const json& now) { return now.contains(what) && now[what] == value; });
    }
    std::string summary() const {
        json now = state();
        if (now.is_object()) {
            now.erase("controls");
            now.erase("seats");
        }
        return now.dump();
    }

    struct Place {
        double x = 0, y = 0, w = 0, h = 0;
    };
    Place place(const std::string& control) const {
        wait([&](const json& now) { return now["controls"].contains(control); });
        const json at = state()["controls"][control];
        return at.is_array() ? Place{at[0], at[1], at[2], at[3]} : Place{};
    }
    static std::string at(double x, double y) {
        return std::to_string(int(x)) + " " + std::to_string(int(y));
    }
    void click(const std::string& control) const {
        const Place p = place(control);
        ASSERT_GT(p.w, 0) << control;
        click_at(p.x + p.w / 2, p.y + p.h / 2);
    }
    void click_at(double x, double y) const {
        xdotool("mousemove " + at(x, y));
        std::this_thread::sleep_for(60ms);
        xdotool("mousedown 1");
        std::this_thread::sleep_for(60ms);
        xdotool("mouseup 1");
    }
    std::string errors_file() const { return (folder_ / "errors.txt").string(); }
    std::string said() const { return text_of(errors_file()); }  // on standard error
    fs::path settings_file() const { return folder_ / "config" / "auditorium" / "settings.json"; }
    static std::string text_of(const fs::path& path) {
        std::ifstream file(path);
        std::ostringstream text;
        text << file.rdbuf();
        return text.str();
    }
    pid_t program() const { return program_; }
    std::string state_file() const { return (folder_ / "state.json").string(); }
    const std::string& window() const { return window_; }

  private:
    fs::path folder_;
    std::string display_, window_;
    pid_t server_ = 0, program_ = 0;
};

}  // namespace auditorium::test
