// Traces as files: the round trip, and every way in which a file can be bad.
#include "trace/io.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>

#include "tests/trace/block.h"
#include "trace/files.h"

namespace auditorium::trace::test {
namespace {

namespace fs = std::filesystem;

struct Folder {
    fs::path path = fs::temp_directory_path() / ("auditorium_io_" + std::to_string(::getpid()));
    Folder() { fs::create_directories(path); }
    ~Folder() { fs::remove_all(path); }
    std::string operator/(const char* name) const { return (path / name).string(); }
};

Trace full_trace() {
    Block block(64);
    block.trace.source = "one line\nand another\n" + std::string(40, '\n');
    block.trace.config.schedule = {Schedule::Kind::independent, 0x123456789abcdefull};
    block.trace.origin = {Origin::Kind::gpu, "NVIDIA H200", 9, 0, "580.159", "13.0", "a note"};
    block.trace.date = "2026-11-30T09:00:00Z";
    block.trace.tool_version = "0.1.0";
    block.shuffle_first();
    block.trace.plain_results = block.trace.results;
    block.trace.simulated_results = block.trace.results;
    block.trace.cycles = Cycles{100, 110.5, 200, 200, true};
    block.trace.stamps = {{0, 3, 5, 6, 7, 9}, {1, 0, 1, 2, 3, 4}};
    block.trace.counters = {{"l1tex__data_bank_conflicts", 70}};
    block.trace.line_counters = {{"warps", "threads"}, {0, 2, 16}, {1, 2, 3, 1ull << 40, 5, 6}};
    block.trace.faults = {{RunFault::Kind::bad_index, {1, 2}, {16}, "It went wrong."}};
    auto trace = block.finish();
    EXPECT_TRUE(trace) << trace.error().sentence;
    return *trace;
}

void expect_same(const Trace& a, const Trace& b) {
    EXPECT_EQ(a.config, b.config);
    EXPECT_EQ(a.origin.kind, b.origin.kind);
    EXPECT_EQ(a.origin.device, b.origin.device);
    EXPECT_EQ(a.origin.compute_major, b.origin.compute_major);
    EXPECT_EQ(a.origin.driver, b.origin.driver);
    EXPECT_EQ(a.origin.cuda, b.origin.cuda);
    EXPECT_EQ(a.origin.note, b.origin.note);
    EXPECT_EQ(a.date, b.date);
    EXPECT_EQ(a.tool_version, b.tool_version);
    EXPECT_EQ(a.source, b.source);
    EXPECT_EQ(a.source_hash, b.source_hash);
    EXPECT_EQ(a.racy, b.racy);
    EXPECT_EQ(a.events, b.events);
    ASSERT_EQ(a.snapshots.size(), b.snapshots.size());
    for (std::size_t k = 0; k < a.snapshots.size(); ++k) {
        EXPECT_EQ(a.snapshots[k].interval, b.snapshots[k].interval);
        EXPECT_EQ(a.snapshots[k].boxes, b.snapshots[k].boxes);
    }
    EXPECT_EQ(a.results, b.results);
    EXPECT_EQ(a.result_undefined, b.result_undefined);
    EXPECT_EQ(a.plain_results, b.plain_results);
    EXPECT_EQ(a.simulated_results, b.simulated_results);
    ASSERT_EQ(a.cycles.has_value(), b.cycles.has_value());
    if (a.cycles) {
        EXPECT_EQ(a.cycles->median, b.cycles->median);
        EXPECT_EQ(a.cycles->launches, b.cycles->launches);
        EXPECT_EQ(a.cycles->constant_block, b.cycles->constant_block);
    }
    ASSERT_EQ(a.stamps.size(), b.stamps.size());
    for (std::size_t i = 0; i < a.stamps.size(); ++i) {
        EXPECT_EQ(a.stamps[i].warp, b.stamps[i].warp);
        EXPECT_EQ(a.stamps[i].event, b.stamps[i].event);
        EXPECT_EQ(a.stamps[i].max, b.stamps[i].max);
        EXPECT_EQ(a.stamps[i].launches, b.stamps[i].launches);
    }
    ASSERT_EQ(a.counters.size(), b.counters.size());
    for (std::size_t i = 0; i < a.counters.size(); ++i) {
        EXPECT_EQ(a.counters[i].metric, b.counters[i].metric);
        EXPECT_EQ(a.counters[i].value, b.counters[i].value);
    }
    EXPECT_EQ(a.line_counters.metrics, b.line_counters.metrics);
    EXPECT_EQ(a.line_counters.lines, b.line_counters.lines);
    EXPECT_EQ(a.line_counters.values, b.line_counters.values);
    ASSERT_EQ(a.faults.size(), b.faults.size());
    for (std::size_t i = 0; i < a.faults.size(); ++i) {
        EXPECT_EQ(a.faults[i].kind, b.faults[i].kind);
        EXPECT_EQ(a.faults[i].threads, b.faults[i].threads);
        EXPECT_EQ(a.faults[i].lines, b.faults[i].lines);
        EXPECT_EQ(a.faults[i].text, b.faults[i].text);
    }
    EXPECT_EQ(a.barriers, b.barriers);
    ASSERT_EQ(a.steps.size(), b.steps.size());
    for (std::size_t s = 0; s < a.steps.size(); ++s) {
        EXPECT_EQ(a.steps[s].kind, b.steps[s].kind);
        EXPECT_EQ(a.steps[s].boxes, b.steps[s].boxes);
        EXPECT_EQ(a.steps[s].registers, b.steps[s].registers);
    }
}

// A race: thread 0 stores, and thread 40 of another warp loads in the same interval what it saw.
Trace racy_trace() {
    Block block(64);
    block.stage(10);
    block.store(0, 11, 40, 7);
    block.value[40] = block.load(40, 12, 40);
    block.trace.events[40].back().writer = 0;
    block.trace.events[40].back().writer_event = 1;
    block.end_of_call();
    auto trace = block.finish();
    EXPECT_TRUE(trace) << trace.error().sentence;
    EXPECT_TRUE(trace->racy);
    return *trace;
}

TEST(Io, a_file_holds_all_of_a_trace) {
    Folder folder;
    for (const Trace& trace : {full_trace(), racy_trace()}) {
        const auto path = folder / "a.audit";
        const auto written = write(trace, path);
        ASSERT_TRUE(written) << written.error().sentence;
        const auto back = read(path);
        ASSERT_TRUE(back) << back.error().sentence;
        expect_same(trace, *back);
        EXPECT_EQ(*encode(*back), *encode(trace));
    }
    EXPECT_EQ(std::distance(fs::directory_iterator(folder.path), {}), 1)
        << "a temporary file was left behind";
}

TEST(Io, the_default_trace_is_small) {
    Block block(256);
    block.contiguous_warp();
    const auto trace = block.finish();
    ASSERT_TRUE(trace);
    const auto bytes = encode(*trace);
    ASSERT_TRUE(bytes);
    EXPECT_LT(bytes->size(), 40'000u);
}

TEST(Io, the_bytes_need_no_alignment) {
    const auto bytes = "x" + *encode(racy_trace());
    const auto back = read(std::string_view(bytes).substr(1), "memory");
    ASSERT_TRUE(back) << back.error().sentence;
}

void expect_sentence(const Error& error, const std::string& name) {
    EXPECT_EQ(error.status, ExitStatus::bad_input);
    EXPECT_NE(error.sentence.find(name), std::string::npos) << error.sentence;
    EXPECT_TRUE(error.sentence.ends_with('.') && !error.sentence.ends_with("..")) << error.sentence;
    EXPECT_EQ(error.sentence.find('\n'), std::string::npos) << error.sentence;
}

Trace tiny_trace() {
    Block block(2, Op::sum);
    block.trace.source = "a\nb\nc\n";
    block.stage(1);
    block.barrier(2);
    block.value[0] = block.combine(0, 3, block.load(0, 3, 0), block.load(0, 3, 1));
    block.store(0, 3, 0, block.value[0]);
    block.shuffle(0, 3, 1);
    block.end_of_call();
    block.trace.counters = {{"m", 1}};
    block.trace.line_counters = {{"w"}, {0, 2}, {7, 8}};
    block.trace.stamps = {{0, 1, 1, 2, 3, 4}};
    block.trace.cycles = Cycles{1, 2, 3, 4, false};
    auto trace = block.finish();
    EXPECT_TRUE(trace) << trace.error().sentence;
    return *trace;
}

TEST(Io, every_truncation_is_an_error) {
    for (const Trace& trace : {tiny_trace(), full_trace()}) {
        const auto bytes = *encode(trace);
        for (std::size_t length = 0; length < bytes.size(); ++length) {
            // Its own allocation, so that a sanitizer sees the end.
            const std::string part = bytes.substr(0, length);
            const auto read_back = read(part, "short.audit");
            ASSERT_FALSE(read_back) << length;
            expect_sentence(read_back.error(), "short.audit");
        }
    }
}

TEST(Io, bytes_behind_the_end_are_refused) {
    for (const Trace& trace : {tiny_trace(), full_trace(), racy_trace()}) {
        const auto bytes = *encode(trace);
        for (const std::string& tail : {std::string(1, '\0'), std::string(3, '\0'), std::string(4, '\0'),
                                        std::string(8, '\0'), std::string("x"), std::string("\n"), bytes}) {
            const auto longer = read(bytes + tail, "longer.audit");
            ASSERT_FALSE(longer) << tail.size();
            expect_sentence(longer.error(), "longer.audit");
            EXPECT_NE(longer.error().sentence.find(std::to_string(bytes.size()) + " bytes"),
                      std::string::npos)
                << longer.error().sentence;
        }
    }
}

TEST(Io, every_changed_byte_is_an_error_or_a_valid_trace) {
    const auto bytes = *encode(tiny_trace());
    int errors = 0;
    for (std::size_t at = 0; at < bytes.size(); ++at) {
        for (int value = 0; value < 256; ++value) {
            std::string changed = bytes;
            if (changed[at] == static_cast<char>(value)) {
                continue;
            }
            changed[at] = static_cast<char>(value);
            const auto trace = read(changed, "changed.audit");
            if (!trace) {
                ++errors;
                expect_sentence(trace.error(), "changed.audit");
            } else {
                ASSERT_TRUE(encode(*trace));
            }
        }
    }
    EXPECT_GT(errors, 10000);
}

TEST(Io, what_the_fuzzer_found_stays_found) {
    int files = 0;
    for (const auto& entry :
         fs::directory_iterator(AUDITORIUM_SOURCE_DIR "/tests/fuzz/corpus/trace_reader")) {
        ++files;
        const auto trace = read(entry.path().string());
        if (trace) {
            const auto bytes = encode(*trace);
            ASSERT_TRUE(bytes) << entry.path();
            const auto again = read(*bytes, "again");
            ASSERT_TRUE(again) << again.error().sentence;
            expect_same(*trace, *again);
        } else {
            expect_sentence(trace.error(), entry.path().filename().string());
        }
    }
    EXPECT_GT(files, 5);
}

TEST(Io, a_newer_format_is_refused_by_its_number) {
    const auto bytes = *encode(tiny_trace());
    bool found = false;
    for (std::size_t at = 8; at + 1 < bytes.size() && !found; ++at) {
        if (bytes[at] == 1 && bytes[at + 1] == 0) {
            std::string changed = bytes;
            changed[at] = 9;
            const auto trace = read(changed, "newer.audit");
            found = !trace && trace.error().sentence.find("a newer Auditorium wrote it, in version 9") !=
                                  std::string::npos;
        }
    }
    EXPECT_TRUE(found);
}

TEST(Io, what_is_no_trace_gives_one_sentence_with_its_name) {
    Folder folder;
    std::ofstream(folder / "empty.audit").flush();
    std::ofstream(folder / "text.audit") << "this is no trace at all";
    for (const char* name : {"empty.audit", "text.audit", "missing.audit"}) {
        const auto trace = read(folder / name);
        ASSERT_FALSE(trace);
        expect_sentence(trace.error(), name);
    }
    const auto trace = read(folder.path.string());
    ASSERT_FALSE(trace);
    expect_sentence(trace.error(), folder.path.filename().string());
    EXPECT_NE(trace.error().sentence.find("folder"), std::string::npos);
    EXPECT_FALSE(read("/dev/zero"));
}

TEST(Io, a_file_that_cannot_be_written_loses_nothing) {
    Folder folder;
    const auto trace = tiny_trace();
    for (const std::string& path : {folder / "no/such/folder.audit", folder.path.string()}) {
        const auto written = write(trace, path);
        ASSERT_FALSE(written);
        EXPECT_EQ(written.error().status, ExitStatus::bad_output);
        EXPECT_NE(written.error().sentence.find(path), std::string::npos) << written.error().sentence;
    }
    const auto full = write(trace, "/dev/full");
    ASSERT_FALSE(full);
    EXPECT_EQ(full.error().status, ExitStatus::bad_output);

    // A limit on the size of files stands for a full disk: the old file stays whole, and nothing is left
    // beside it.
    const auto path = folder / "kept.audit";
    ASSERT_TRUE(write_file(path, "precious"));
    struct rlimit before {};
    ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
    const auto handler = std::signal(SIGXFSZ, SIG_IGN);
    struct rlimit tight = before;
    tight.rlim_cur = 100;
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &tight), 0);
    const auto cut = write(trace, path);
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
    std::signal(SIGXFSZ, handler);
    ASSERT_FALSE(cut);
    EXPECT_EQ(cut.error().status, ExitStatus::bad_output);
    EXPECT_EQ(*read_file(path, 100), "precious");
    EXPECT_EQ(std::distance(fs::directory_iterator(folder.path), {}), 1);
    EXPECT_TRUE(write(trace, path));
    EXPECT_TRUE(read(path));
}

TEST(Io, whether_a_file_can_be_written_is_known_before) {
    Folder folder;
    ASSERT_TRUE(write_file(folder / "there", "precious"));
    for (const char* name : {"new", "there"}) {
        EXPECT_TRUE(can_write(folder / name)) << name;
    }
    EXPECT_TRUE(can_write("/dev/null"));
    EXPECT_TRUE(write_file("/dev/null", "bytes"));
    for (const std::string& path : {std::string(), folder.path.string(), folder / "missing/new",
                                    folder / "there/new", folder / std::string(300, 'x').c_str()}) {
        const auto possible = can_write(path), written = write_file(path, "bytes");
        ASSERT_FALSE(possible) << path;
        ASSERT_FALSE(written) << path;
        EXPECT_EQ(possible.error().status, ExitStatus::bad_output);
        EXPECT_EQ(possible.error().sentence, written.error().sentence);
    }
    EXPECT_EQ(*read_file(folder / "there", 100), "precious");
    EXPECT_EQ(std::distance(fs::directory_iterator(folder.path), {}), 1) << "something was left behind";
    EXPECT_TRUE(write_file(folder / std::string(255, 'y').c_str(), "a name as long as names may be"));
}

TEST(Io, writing_keeps_links_and_modes) {
    Folder folder;
    const auto target = folder / "target.audit", link = folder / "link.audit";
    ASSERT_TRUE(write_file(target, "old"));
    ASSERT_EQ(::chmod(target.c_str(), 0640), 0);
    fs::create_symlink(target, link);
    ASSERT_TRUE(write(tiny_trace(), link));
    EXPECT_TRUE(fs::is_symlink(link));
    EXPECT_TRUE(read(target));
    struct stat status {};
    ASSERT_EQ(::stat(target.c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777, 0640u);
}

// A pipe without a reader, a terminal, a disk: none is opened, none is replaced, nobody waits.
TEST(Io, only_regular_files_are_written) {
    Folder folder;
    EXPECT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
    fs::create_symlink("pipe", folder / "link");
    const int socket = ::socket(AF_UNIX, SOCK_STREAM, 0);
    struct sockaddr_un address {};
    address.sun_family = AF_UNIX;
    (folder / "socket").copy(address.sun_path, sizeof(address.sun_path) - 1);
    ASSERT_EQ(::bind(socket, reinterpret_cast<const struct sockaddr*>(&address), sizeof(address)), 0);
    for (const std::string& path : {folder / "pipe", folder / "link", folder / "socket",
                                    std::string("/dev/zero"), std::string("/dev/tty")}) {
        const auto possible = can_write(path), written = write_file(path, "bytes");
        ASSERT_FALSE(possible) << path;
        ASSERT_FALSE(written) << path;
        EXPECT_EQ(possible.error().status, ExitStatus::bad_output);
        EXPECT_NE(written.error().sentence.find("not a regular file"), std::string::npos) << path;
        EXPECT_EQ(possible.error().sentence, written.error().sentence);
    }
    EXPECT_TRUE(fs::is_fifo(folder / "pipe"));
    EXPECT_TRUE(fs::is_symlink(folder / "link"));
    ::close(socket);
}

TEST(Io, a_link_is_written_through_whether_its_target_is_there_or_not) {
    Folder folder;
    fs::create_directory(folder / "far");
    fs::create_symlink("far/new", folder / "dangling");
    fs::create_symlink("dangling", folder / "two");
    for (const char* name : {"dangling", "two"}) {
        ASSERT_TRUE(can_write(folder / name));
        EXPECT_FALSE(fs::exists(folder / "far/new"));
        ASSERT_TRUE(write_file(folder / name, name));
        EXPECT_TRUE(fs::is_symlink(folder / name));
        EXPECT_EQ(*read_file(folder / "far/new", 100), name);
        fs::remove(folder / "far/new");
    }
    fs::create_symlink("missing/new", folder / "lost");
    fs::create_symlink("round", folder / "round");
    for (const auto& [name, why] : {std::pair("lost", "a link to"), {"round", "symbolic links"}}) {
        const auto possible = can_write(folder / name), written = write_file(folder / name, "bytes");
        ASSERT_FALSE(possible);
        ASSERT_FALSE(written);
        EXPECT_EQ(written.error().status, ExitStatus::bad_output);
        EXPECT_NE(written.error().sentence.find(why), std::string::npos) << written.error().sentence;
        EXPECT_EQ(possible.error().sentence, written.error().sentence);
        EXPECT_TRUE(fs::is_symlink(folder / name));
    }
    EXPECT_EQ(std::distance(fs::directory_iterator(folder.path), {}), 5) << "something was left behind";
}

}  // namespace
}  // namespace auditorium::trace::test
