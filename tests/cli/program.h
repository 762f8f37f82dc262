// Runs the real program in a folder of its own and keeps what it said.
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

namespace auditorium::testing {

inline std::string read_text(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
}

struct Said {
    int status = -1;
    std::string out, err;
    nlohmann::json json() const {
        auto parsed = nlohmann::json::parse(out, nullptr, false);
        EXPECT_FALSE(parsed.is_discarded()) << out << err;
        return parsed;
    }
};

class Program : public ::testing::Test {
  protected:
    void SetUp() override {
        char name[] = "/tmp/auditorium-cli-XXXXXX";
        ASSERT_NE(mkdtemp(name), nullptr);
        folder_ = name;
    }
    void TearDown() override {
        std::error_code ignored;
        std::filesystem::permissions(folder_, std::filesystem::perms::owner_all, ignored);
        std::filesystem::remove_all(folder_, ignored);
    }

    std::string path(const std::string& name) const { return (folder_ / name).string(); }
    void write(const std::string& name, const std::string& bytes) const {
        std::ofstream(folder_ / name, std::ios::binary) << bytes;
    }

    // `arguments` as a shell reads them; $D is the folder. There is no display.
    Said run(const std::string& arguments, const std::string& redirect = "") const {
        const std::string command = "cd '" + folder_.string() + "' && D='" + folder_.string() +
                                    "' && unset DISPLAY WAYLAND_DISPLAY && '" AUDITORIUM_PROGRAM "' " +
                                    arguments + (redirect.empty() ? " >out.txt" : redirect) +
                                    " 2>err.txt </dev/null";
        const int status = std::system(command.c_str());
        Said said;
        said.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
        said.out = read_text(folder_ / "out.txt");
        said.err = read_text(folder_ / "err.txt");
        return said;
    }

    // Records on the CPU; the file's name.
    std::string record(const std::string& options, const std::string& name = "run.audit") const {
        const Said said = run("record --device cpu " + options + " -o " + name);
        EXPECT_LE(said.status, 1) << said.err;
        return name;
    }

    // An error is its exit status and one sentence on standard error; nothing on standard output.
    void expect_error(const std::string& arguments, int status, const std::string& says = "") const {
        const Said said = run(arguments);
        EXPECT_EQ(said.status, status) << arguments << "\n" << said.err;
        EXPECT_EQ(said.out, "") << arguments;
        EXPECT_EQ(std::count(said.err.begin(), said.err.end(), '\n'), 1) << arguments << "\n" << said.err;
        EXPECT_EQ(said.err.rfind("auditorium: ", 0), 0u) << said.err;
        EXPECT_GT(said.err.size(), 20u) << said.err;
        EXPECT_TRUE(said.err.ends_with(".\n")) << said.err;
        EXPECT_NE(said.err.find(says), std::string::npos) << arguments << "\n" << said.err;
    }

    std::filesystem::path folder_;
};

}  // namespace auditorium::testing
