// Every error is one sentence on standard error and its exit status.
#include <sys/stat.h>

#include <chrono>
#include <set>

#include "program.h"

namespace auditorium {
namespace {

using Cli = testing::Program;
using testing::read_text;
using testing::Said;

TEST_F(Cli, UsageErrors) {
    expect_error("frobnicate", 2, "neither a command nor a file");
    expect_error("record", 2, "--out");
    expect_error("record --nonsense -o a.audit", 2, "--nonsense");
    expect_error("table", 2, "FILE");
    expect_error("analyze a.audit --format nonsense", 2, "--format");
    expect_error("analyze a.audit --format csv", 2, "table");
    expect_error("bench --runs 0", 2, "--runs");
    expect_error("bench --runs many", 2, "many");
    expect_error("bench --device moon", 2, "moon");
    expect_error("bench --device cpu -o speed.txt", 2, "--device cpu");
    expect_error("kernels extra", 2, "'extra' is not expected here");
    expect_error("kernels one two three", 2, "'one', 'two' and 'three' are not expected");
    expect_error("table run.audit --form csv", 2, "'--form' and 'csv' are not expected");
    expect_error("frobnicate --x", 2, "'frobnicate' is neither a command nor a file");
    expect_error("record -o a.audit --out b.audit", 2, "--out is given more than once");
    expect_error("record -o", 2, "--out needs a value");
    expect_error("kernels --json=banana", 2, "--json takes no value");
    expect_error("render a.audit --step 1 --at 1 -o a.png", 2, "--at exclude each other");
    expect_error("''", 3, "''");
}

TEST_F(Cli, RecordUsageErrors) {
    const auto bad = [&](const std::string& options, const std::string& says) {
        expect_error("record --device cpu " + options + " -o a.audit", 2, says);
        EXPECT_FALSE(std::filesystem::exists(path("a.audit")));
    };
    bad("--kernel nonsense", "nonsense");
    bad("--op nonsense", "nonsense");
    bad("--type nonsense", "nonsense");
    bad("--schedule nonsense", "nonsense");
    bad("--block 0", "1024");
    bad("--block 1025", "1024");
    bad("--block -1", "1024");
    bad("--block 12x", "12x");
    bad("--block ''", "--block");
    bad("--calls 0", "--calls");
    bad("--calls 17", "--calls");
    bad("--calls ''", "--calls");
    bad("--kernel back_to_back --calls 1", "2 at a time");
    bad("--block 96", "--allow-wrong");
    bad("--kernel one_barrier --block 33", "--allow-wrong");
    bad("--input nonsense", "nonsense");
    bad("--input random:x", "random");
    bad("--input random:1:5:2", "random");
    expect_error("record --device nonsense -o a.audit", 2, "--device");
}

TEST_F(Cli, AllowWrongRunsAWrongSize) {
    EXPECT_EQ(run("record --device cpu --block 96 --allow-wrong -o a.audit").status, 0);
    EXPECT_EQ(run("record --device cpu --kernel ragged_block --block 96 -o a.audit").status, 0)
        << "the clinic's entries imply it";
    expect_error("record --device cpu --block 0 --allow-wrong -o b.audit", 2);
    expect_error("record --device cpu --block 1025 --allow-wrong -o b.audit", 2);
}

TEST_F(Cli, InputsThatDoNotFit) {
    const auto bad = [&](const std::string& input) {
        const Said said =
            run("record --device cpu --kernel contiguous_full --block 4 --input " + input + " -o a.audit");
        EXPECT_TRUE(said.status == 2 || said.status == 3) << input << said.err;
        EXPECT_EQ(std::count(said.err.begin(), said.err.end(), '\n'), 1) << said.err;
        EXPECT_EQ(said.out, "");
        EXPECT_FALSE(std::filesystem::exists(path("a.audit")));
    };
    bad("values:");
    bad("values:1,2,3");
    bad("values:1,2,3,4,5");
    bad("values:1,2,x,4");
    bad("file:missing.txt");
    write("empty.txt", "");
    bad("file:empty.txt");
    write("short.txt", "1 2 3");
    bad("file:short.txt");
    write("words.txt", "one two three four");
    bad("file:words.txt");
    bad("file:.");
    expect_error("record --device cpu --kernel contiguous_full --block 4 --input file:missing.txt -o a.audit",
                 3, "missing.txt");
}

TEST_F(Cli, BadTraceFiles) {
    record("--block 64");
    const std::string whole = read_text(path("run.audit"));
    ASSERT_GT(whole.size(), 1000u);
    write("empty.audit", "");
    write("text.audit", "this is no trace\n");
    write("half.audit", whole.substr(0, whole.size() / 2));
    write("short.audit", whole.substr(0, whole.size() - 1));
    write("long.audit", whole + "x");
    write("twice.audit", whole + whole);
    for (const char* command : {"table", "analyze", "verify"})
        for (const char* file : {"missing.audit", "empty.audit", "text.audit", "half.audit", "short.audit",
                                 "long.audit", "twice.audit", "."})
            expect_error(std::string(command) + " " + file, 3, file);
    if (run("info").out.find("AUDITORIUM_APP=OFF") != std::string::npos)
        return;  // no window that could open them
    expect_error("missing.audit", 3, "missing.audit");
    expect_error("text.audit", 3, "text.audit");
}

// A pipe may keep its reader waiting for ever.
TEST_F(Cli, APipeIsNoFile) {
    ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
    expect_error("table pipe", 3, "not a regular file");
    expect_error("record --device cpu --input file:pipe -o a.audit", 3, "not a regular file");
}

TEST_F(Cli, TheStatusSpeaksWhereStandardErrorCannot) {
    EXPECT_EQ(run("record --op nonsense -o a.audit 2>/dev/full; exit $?").status, 2);
    EXPECT_EQ(run("table missing.audit 2>&-; exit $?").status, 3);
}

// What is said is UTF-8, whatever bytes came in; and so is what a trace keeps of them.
TEST_F(Cli, WordsFromOutsideAreSaidAsUtf8) {
    const auto is_utf8 = [](const std::string& text) {
        return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) ==
               nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::ignore);
    };
    ASSERT_FALSE(is_utf8("a\xff"));
    for (const char* arguments :
         {"record --device cpu --input \"$(printf 'values:\\377,\\303')\" -o a.audit",
          "record --device cpu --kernel \"$(printf 'k\\360\\237')\" -o a.audit",
          "record --device cpu --input \"$(printf 'file:\\377')\" -o a.audit",
          "table \"$(printf 'x\\377\\302\\233')\"", "kernels \"$(printf '\\377')\"", "\"$(printf 'x\\377')\"",
          "record --device cpu --op \"$(printf 'ab\\303')\" -o a.audit"}) {
        const Said said = run(arguments);
        EXPECT_TRUE(said.status == 2 || said.status == 3) << arguments;
        EXPECT_TRUE(is_utf8(said.err)) << arguments << said.err;
        EXPECT_EQ(said.err.find("\xc2\x9b"), std::string::npos) << "a control character";
        EXPECT_EQ(std::count(said.err.begin(), said.err.end(), '\n'), 1) << said.err;
    }
    // A name that is cut is cut between two characters.
    std::string name;
    for (int i = 0; i < 60; ++i)
        name += "\u00e9";
    for (const char* pad : {"", "x"})
        EXPECT_TRUE(is_utf8(run("record --device cpu --op " + (pad + name) + " -o a.audit").err));
    const Said said = run("record --device cpu -o \"$(printf 'a\\377.audit')\"");
    EXPECT_EQ(said.status, 0);
    EXPECT_TRUE(is_utf8(said.out)) << said.out;
    // What could not be read again is not written.
    write("numbers\xff", "1 2");
    expect_error(
        "record --device cpu --block 2 --kernel contiguous_full --input \"$(printf "
        "'file:numbers\\377')\" -o b.audit",
        2, "another name");
    std::string long_list = "values:1";
    for (int i = 0; i < 40000; ++i)
        long_list += ",1";
    write("arguments", "--input\n" + long_list + "\n");
    expect_error("record --device cpu $(cat arguments) -o b.audit", 2, "file:PATH");
}

TEST_F(Cli, WordsFromOutsideCarryNoControlCharacters) {
    const Said said = run("record --device cpu --kernel \"$(printf 'a\\033[31mb')\" -o a.audit");
    EXPECT_EQ(said.status, 2);
    EXPECT_EQ(said.err.find('\033'), std::string::npos) << said.err;
}

TEST_F(Cli, ADamagedTraceIsFoundOut) {
    // Every byte damaged in turn, a few at a time: never a crash, and never a sentence too many.
    record("--block 2 --kernel contiguous_full");
    const std::string whole = read_text(path("run.audit"));
    for (std::size_t at = 0; at < whole.size(); at += 1 + whole.size() / 60) {
        std::string damaged = whole;
        damaged[at] = char(damaged[at] ^ 0x55);
        write("damaged.audit", damaged);
        const Said said = run("analyze damaged.audit --json");
        EXPECT_TRUE(said.status == 0 || said.status == 1 || said.status == 3)
            << at << ": " << said.status << said.err;
        EXPECT_LE(std::count(said.err.begin(), said.err.end(), '\n'), 1) << said.err;
    }
}

// -o is tried before anything long is begun: what would take minutes fails at once. Nothing is left behind.
TEST_F(Cli, OutputsAreTriedFirst) {
    const bool pictures = run("info").out.find("AUDITORIUM_APP=OFF") == std::string::npos;
    record("--block 64");
    write("here", "precious");
    std::filesystem::create_directory(path("folder"));
    const auto files = [&] {
        std::set<std::string> names;
        for (const auto& entry : std::filesystem::recursive_directory_iterator(folder_))
            names.insert(entry.path().string());
        names.erase(path("out.txt"));
        names.erase(path("err.txt"));
        return names;
    };
    const auto before = files();
    const std::string long_name(300, 'x');
    // 2000 simulated runs of a right kernel, each wanted wrong: half a minute, if -o were tried last.
    const std::string search = "record --find-wrong --block 1024 -o ";
    const auto begun = std::chrono::steady_clock::now();
    for (const std::string& command :
         {search, std::string("render run.audit --step 3 --size 4000x4000 -o ")}) {
        if (command != search && !pictures)
            continue;
        expect_error(command + "''", 5, "no name");
        expect_error(command + "folder", 5, "is a folder");
        expect_error(command + "missing/a.out", 5, "missing/a.out");
        expect_error(command + "here/a.out", 5, "here/a.out");
        expect_error(command + long_name, 5, "too long");
        expect_error(command + "-", 2, "standard output");
    }
    EXPECT_LT(std::chrono::steady_clock::now() - begun, std::chrono::seconds(10));
    if (pictures) {
        expect_error("storyboard run.audit -o ''", 5, "no name");
        expect_error("storyboard run.audit -o here", 5, "'here'");
        expect_error("storyboard run.audit -o -", 2, "'-'");
    }
    EXPECT_EQ(files(), before);
    EXPECT_EQ(read_text(path("here")), "precious");
    // A name as long as names may be is fine.
    EXPECT_EQ(run("record --device cpu --block 32 -o " + std::string(255, 'y')).status, 0);
}

TEST_F(Cli, OutputsThatCannotBeWritten) {
    expect_error("record --device cpu -o missing/folder/a.audit", 5, "missing/folder/a.audit");
    expect_error("record --device cpu -o .", 5);
    record("");
    const Said full = run("table run.audit", " >/dev/full");
    EXPECT_EQ(full.status, 5);
    EXPECT_NE(full.err.find("Standard output"), std::string::npos) << full.err;
    EXPECT_EQ(run("kernels --json", " >/dev/full").status, 5);
    EXPECT_EQ(run("--help", " >/dev/full").status, 5);
}

// One sentence for a full disk, wherever it shows, and however much was to be said.
TEST_F(Cli, AFullDiskIsSaidInOneWay) {
    const bool pictures = run("info").out.find("AUDITORIUM_APP=OFF") == std::string::npos;
    record("");
    const std::string full = "cannot be written: No space left on device.\n";
    std::vector<std::string> commands = {"table run.audit",  "analyze run.audit --json",
                                         "verify run.audit", "compare run.audit run.audit --json",
                                         "kernels --json",   "info",
                                         "record --help",    "record --device cpu -o a.audit"};
    if (pictures)
        commands.insert(commands.end(), {"claims", "render run.audit --step 1 --size 640x400 -o a.png",
                                         "storyboard run.audit -o story"});
    for (const std::string& command : commands) {
        const Said said = run(command, " >/dev/full");
        EXPECT_EQ(said.status, 5) << command;
        EXPECT_EQ(said.err, "auditorium: Standard output " + full) << command;
    }
    expect_error("record --device cpu -o /dev/full", 5, "'/dev/full' " + full);
    if (pictures)
        expect_error("render run.audit --step 1 --size 640x400 -o /dev/full", 5, "'/dev/full' " + full);
}

// A pipe that nobody reads keeps nobody waiting; links are written through; standard output's own file is not
// taken from under it.
TEST_F(Cli, OutputsThatAreNoRegularFiles) {
    const bool pictures = run("info").out.find("AUDITORIUM_APP=OFF") == std::string::npos;
    record("");
    ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
    std::filesystem::create_symlink("round", path("round"));
    std::filesystem::create_symlink("target", path("link"));
    std::filesystem::create_symlink("nowhere/target", path("lost"));
    std::vector<std::string> commands = {"record --device cpu -o ", "bench --device auto -o "};
    if (pictures)
        commands.insert(
            commands.end(),
            {"render run.audit --step 1 --size 640x400 -o ",
             "render --compare interleaved_divergent contiguous_full --step 1 -o ", "--state-file "});
    for (const std::string& command : commands) {
        expect_error(command + "pipe", 5, "'pipe' cannot be written: it is a pipe");
        expect_error(command + "round", 5, "'round' cannot be written: Too many levels of symbolic links");
        expect_error(command + "lost", 5, "a link to 'nowhere/target', cannot be written");
        expect_error(command + "/dev/zero", 5, "it is a device");
        expect_error(command + "''", 5, "no name");
    }
    EXPECT_EQ(run("record --device cpu -o link").status, 0);
    EXPECT_TRUE(std::filesystem::is_symlink(path("link")));
    EXPECT_TRUE(std::filesystem::is_regular_file(path("target")));
    EXPECT_EQ(run("record --device cpu -o /dev/null").status, 0);
    const Said same = run("record --device cpu -o out.txt");
    EXPECT_EQ(same.status, 2);
    EXPECT_NE(same.err.find("where standard output goes"), std::string::npos) << same.err;
    if (pictures) {
        std::filesystem::create_directory(path("story"));
        ASSERT_EQ(::mkfifo(path("story/03-stride-64.png").c_str(), 0600), 0);
        expect_error("storyboard run.audit -o story", 5, "it is a pipe");
        expect_error("storyboard run.audit -o pipe", 5, "'pipe' cannot be made");
        expect_error("storyboard run.audit -o round", 5, "'round' cannot be made: Too many");
        std::filesystem::create_symlink("new-folder", path("to-folder"));
        EXPECT_EQ(run("storyboard run.audit -o to-folder").status, 0);
        EXPECT_TRUE(std::filesystem::is_symlink(path("to-folder")));
        EXPECT_TRUE(std::filesystem::exists(path("new-folder/00-arrive.png")));
        EXPECT_EQ(std::distance(std::filesystem::directory_iterator(path("story")), {}), 1);
    }
}

// What is read is not replaced by what is made of it, by whatever name.
TEST_F(Cli, TheFileThatIsReadIsNoOutput) {
    record("");
    const std::string trace = read_text(path("run.audit"));
    write("numbers.txt", "1 2");
    std::filesystem::create_symlink("run.audit", path("link"));
    expect_error(
        "record --device cpu --kernel contiguous_full --block 2 --input file:numbers.txt -o numbers.txt", 2,
        "the file that is read");
    EXPECT_EQ(read_text(path("numbers.txt")), "1 2");
    if (run("info").out.find("AUDITORIUM_APP=OFF") != std::string::npos)
        return;
    expect_error("render run.audit --step 1 -o run.audit", 2, "the file that is read");
    expect_error("render run.audit --step 1 -o ./link", 2, "the file that is read");
    expect_error("render --compare contiguous_full run.audit --step 1 -o run.audit", 2,
                 "the file that is read");
    EXPECT_EQ(read_text(path("run.audit")), trace);
}

// An empty word is a wrong value, never as if nothing had been said.
TEST_F(Cli, EmptyWordsAreWrongValues) {
    record("");
    for (const char* option :
         {"--kernel", "--op", "--type", "--block", "--input", "--schedule", "--calls", "--device"})
        expect_error(std::string("record -o a.audit ") + option + " ''", 2, "''");
    for (const char* option : {"--kernel", "--runs", "--device"})
        expect_error(std::string("bench ") + option + " ''", 2, "''");
    for (const char* command : {"table run.audit", "analyze run.audit", "compare run.audit run.audit"})
        expect_error(std::string(command) + " --format ''", 2, "''");
    for (const char* command : {"table", "analyze", "verify", "compare run.audit"})
        expect_error(std::string(command) + " ''", 3, "''");
    if (run("info").out.find("AUDITORIUM_APP=OFF") != std::string::npos)
        return;
    for (const char* option : {"--step", "--at"})
        expect_error(std::string("render run.audit -o a.png ") + option + " ''", 2, "''");
    for (const char* option : {"--size", "--theme", "--view", "--pin", "--compare"})
        expect_error(std::string("render run.audit --step 1 -o a.png ") + option + " ''", 2, "''");
    for (const char* option : {"--mode", "--op", "--type", "--input"})
        expect_error(
            std::string("render --compare interleaved_divergent contiguous_full --step 1 -o a.png ") +
                option + " ''",
            2, "''");
    expect_error("render '' --step 1 -o a.png", 3, "''");
    expect_error("render '' --compare contiguous_full --step 1 -o a.png", 2, "''");
    expect_error("--exit-after-frames ''", 2, "''");
    expect_error("''", 3, "''");
}

// What is said never goes into a file that took the place of a closed descriptor; a closed output is noticed.
TEST_F(Cli, ClosedDescriptorsStayClosed) {
    record("--block 64");
    EXPECT_EQ(run("table run.audit", " >&-; exit $?").status, 5);
    EXPECT_EQ(run("record --device cpu --block 32 -o a.audit", " >&-; exit $?").status, 5);
    EXPECT_EQ(run("table a.audit").status, 0) << "the trace holds what was said";
    EXPECT_EQ(run("table run.audit <&- >out.txt 2>&-; exit $?", "").status, 0);
    if (run("info").out.find("AUDITORIUM_APP=OFF") == std::string::npos) {
        EXPECT_EQ(run("storyboard run.audit -o story", " >&-; exit $?").status, 5);
        EXPECT_EQ(run("render run.audit --step 1 --size 640x400 -o a.png <&- >&- 2>&-; exit $?").status, 5);
        EXPECT_EQ(read_text(path("a.png")).compare(0, 4, "\x89PNG"), 0);
    }
}

// A limit on the size of files stands for a full disk.
TEST_F(Cli, AFullDiskLeavesNothingBehind) {
    std::ofstream(path("here.audit")) << "precious";
    const Said said = run("--version >/dev/null; ulimit -f 1; '" AUDITORIUM_PROGRAM
                          "' record --device cpu --block 1024 -o here.audit");
    EXPECT_EQ(said.status, 5) << said.err;
    EXPECT_NE(said.err.find("'here.audit' cannot be written"), std::string::npos) << said.err;
    EXPECT_EQ(read_text(path("here.audit")), "precious");
    for (const auto& entry : std::filesystem::directory_iterator(folder_))
        EXPECT_NE(entry.path().filename().string()[0], '.') << entry.path();
}

TEST_F(Cli, WhatStoodThereStaysWhereTheRunCannotBeMade) {
    record("");
    const std::string before = read_text(path("run.audit"));
    expect_error("record --device cpu --block 0 -o run.audit", 2);
    EXPECT_EQ(read_text(path("run.audit")), before);
}

TEST_F(Cli, WithoutAGpuAskingForOneIsStatus4) {
    if (run("info --json").json()["gpu"]["available"].get<bool>())
        GTEST_SKIP() << "there is a GPU";
    expect_error("record --device gpu -o a.audit", 4);
    EXPECT_FALSE(std::filesystem::exists(path("a.audit")));
    const Said said = run("record --device auto --json -o a.audit");
    EXPECT_EQ(said.status, 0);
    EXPECT_EQ(said.json()["origin"], "simulated");
    EXPECT_TRUE(said.json()["note"].is_string()) << "why it was simulated";
}

}  // namespace
}  // namespace auditorium
