// Counts per line in a process of their own (line_counters.h): the asking side and the answering one.
//
// The child's arguments: --count-lines KERNEL OP TYPE BLOCK CALLS. Its standard input: the values, a word of
// hex digits each. Its standard output: "metrics" and their names in one line, then "line" with its number
// and counts; or "error" and a sentence.
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <sstream>

#include "kernels/catalogue.h"
#include "launch/gpu/gpu.h"
#include "launch/gpu/line_counters.h"
#include "launch/launch.h"

extern char** environ;

namespace auditorium::launch {

namespace {

constexpr const char* argument = "--count-lines";
bool main_serves = false;

tl::unexpected<Error> no_counts(std::string why) {
    return fail(ExitStatus::device, "The GPU's counts per line could not be read: " + std::move(why));
}

struct Pipe {
    std::array<int, 2> ends{-1, -1};
    Pipe() {
        if (pipe2(ends.data(), O_CLOEXEC) != 0) {
            ends = {-1, -1};
        }
    }
    ~Pipe() {
        close_end(0);
        close_end(1);
    }
    Pipe(const Pipe&) = delete;
    Pipe& operator=(const Pipe&) = delete;
    void close_end(int i) {
        if (ends[static_cast<std::size_t>(i)] >= 0) {
            close(ends[static_cast<std::size_t>(i)]);
            ends[static_cast<std::size_t>(i)] = -1;
        }
    }
    bool good() const { return ends[0] >= 0; }
};

// What the child said.
Expected<trace::LineCounters> parse(const std::string& text) {
    std::istringstream all(text);
    std::string line;
    trace::LineCounters counters;
    while (std::getline(all, line)) {
        std::istringstream words(line);
        std::string kind;
        words >> kind;
        if (kind == "error") {
            return fail(ExitStatus::device, line.substr(std::min<std::size_t>(6, line.size())));
        }
        if (kind == "metrics") {
            for (std::string metric; words >> metric;) {
                counters.metrics.push_back(metric);
            }
        } else if (kind == "line") {
            int number = 0;
            words >> number;
            counters.lines.push_back(number);
            for (std::uint64_t value = 0; words >> value;) {
                counters.values.push_back(value);
            }
        }
    }
    if (counters.empty() || counters.values.size() != counters.lines.size() * counters.metrics.size()) {
        return no_counts("the process that counts ended early.");
    }
    return counters;
}

}  // namespace

std::optional<int> serve_line_counts(int argc, char** argv) {
    main_serves = true;
    if (argc != 7 || std::strcmp(argv[1], argument) != 0) {
        return std::nullopt;
    }
    const auto answer = [&]() -> Expected<trace::LineCounters> {
        trace::LaunchConfig config;
        config.kernel = argv[2];
        const auto op = trace::parse_op(argv[3]);
        const auto type = trace::parse_type(argv[4]);
        config.block = std::atoi(argv[5]);
        config.calls = std::atoi(argv[6]);
        for (unsigned word = 0; std::scanf("%x", &word) == 1;) {
            config.values.push_back(word);
        }
        if (!op || !type) {
            return no_counts("the launch asked for is none.");
        }
        config.op = *op;
        config.type = *type;
        Options options;
        options.allow_wrong = true;
        const auto prepared = prepare(config, options);
        if (!prepared) {
            return tl::unexpected<Error>(prepared.error());
        }
        return gpu::plain_line_counters(*kernels::find(prepared->kernel), *prepared);
    }();
    if (!answer) {
        std::printf("error %s\n", answer.error().sentence.c_str());
        return static_cast<int>(answer.error().status);
    }
    std::string text = "metrics";
    for (const std::string& metric : answer->metrics) {
        text += " " + metric;
    }
    for (std::size_t i = 0; i < answer->lines.size(); ++i) {
        text += fmt::format("\nline {}", answer->lines[i]);
        for (std::size_t m = 0; m < answer->metrics.size(); ++m) {
            text += fmt::format(" {}", answer->values[i * answer->metrics.size() + m]);
        }
    }
    std::printf("%s\n", text.c_str());
    return 0;
}

Expected<trace::LineCounters> gpu::count_lines(const trace::LaunchConfig& config,
                                               const std::function<bool()>& cancelled) {
    if (!main_serves) {
        return no_counts("this program does not serve them.");
    }
    Pipe values, answer;
    if (!values.good() || !answer.good()) {
        return no_counts("no pipe could be made.");
    }
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, values.ends[0], STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, answer.ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    std::array<std::string, 7> words{"auditorium",
                                     argument,
                                     config.kernel,
                                     name_of(config.op),
                                     name_of(config.type),
                                     std::to_string(config.block),
                                     std::to_string(config.calls)};
    std::array<char*, 8> arguments{};
    for (std::size_t i = 0; i < words.size(); ++i) {
        arguments[i] = words[i].data();
    }
    pid_t child = -1;
    const int spawned = posix_spawn(&child, "/proc/self/exe", &actions, nullptr, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    if (spawned != 0) {
        return no_counts("no process could be started for them.");
    }
    values.close_end(0);
    answer.close_end(1);
    std::string text;
    for (const std::uint32_t value : config.values) {
        text += fmt::format("{:x}\n", value);
    }
    // At most 9 KB, which a pipe takes whole; a child that died takes nothing, and says nothing either.
    struct sigaction ignore {
    }, before{};
    ignore.sa_handler = SIG_IGN;
    sigaction(SIGPIPE, &ignore, &before);
    static_cast<void>(!write(values.ends[1], text.data(), text.size()));
    sigaction(SIGPIPE, &before, nullptr);
    values.close_end(1);

    using Clock = std::chrono::steady_clock;
    const Clock::time_point deadline = Clock::now() + std::chrono::seconds(60);
    std::string said;
    bool stopped = false;
    for (std::array<char, 4096> part{};;) {
        pollfd wait{answer.ends[0], POLLIN, 0};
        const int ready = poll(&wait, 1, 50);
        if (ready > 0) {
            const ssize_t got = read(answer.ends[0], part.data(), part.size());
            if (got <= 0) {
                break;
            }
            said.append(part.data(), static_cast<std::size_t>(got));
        }
        stopped = cancelled && cancelled();
        if (stopped || Clock::now() > deadline) {
            kill(child, SIGKILL);
            break;
        }
    }
    int status = 0;
    waitpid(child, &status, 0);
    return stopped ? no_counts("it was cancelled.") : parse(said);
}

}  // namespace auditorium::launch
