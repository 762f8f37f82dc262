// What the app costs: opening, seeking, a frame's scene and panels on the CPU, a whole frame to its last
// pixel, the way from the program's start to the first frame in a window, and a window at rest.
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <climits>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <sstream>
#include <thread>

#include "app/app.h"
#include "app/hosts/offscreen.h"
#include "app/hosts/window.h"
#include "cli/bench.h"
#include "trace/io.h"

extern char** environ;

namespace auditorium::cli {

namespace {

double median_of(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

// Goals are for a frame of 1280x800 with numbers on.
constexpr int width = 1280, height = 800;

// A full playback, `samples` frames for each span; the slowest span's median.
void add_frames(offscreen::Stage& stage, const kernels::Kernel& kernel, int block, int samples,
                std::vector<BenchRow>& rows) {
    const std::string id(kernel.id);
    const char *ui_what = "scene and panels, slowest step", *whole_what = "whole frame, slowest step";
    const auto refused = [&](const std::string& why) {
        rows.push_back(not_measured(ui_what, id, block, why));
        rows.push_back(not_measured(whole_what, id, block, why));
    };
    auto trace = bench_trace(kernel, block);
    if (!trace)
        return refused(trace.error().sentence);
    View view;
    view.width = width;
    view.height = height;
    App app = make_app(*std::move(trace), view);

    BenchRow ui{ui_what, id, block, "ms", 0, 0, 2.0, ""};
    BenchRow whole{whole_what, id, block, "ms", 0, 0, 16.7, ""};
    ui.min = whole.min = 1e9;
    for (const playback::Span& span : app.shown.timeline.spans) {
        std::vector<double> uis, wholes;
        for (int i = -1; i < samples; ++i) {  // the first is a warm-up
            const double at = span.begin + (span.end - span.begin) * (std::max(i, 0) + 0.5) / samples;
            playback::seek(app.playback, app.shown.timeline, at);
            const auto cost = offscreen::frame_cost(stage, app);
            if (!cost)
                return refused(cost.error().sentence);
            if (i < 0)
                continue;
            uis.push_back(cost->ui);
            wholes.push_back(cost->ui + cost->draw);
        }
        ui.min = std::min(ui.min, *std::min_element(uis.begin(), uis.end()));
        whole.min = std::min(whole.min, *std::min_element(wholes.begin(), wholes.end()));
        ui.median = std::max(ui.median, median_of(uis));
        whole.median = std::max(whole.median, median_of(wholes));
    }
    rows.push_back(std::move(ui));
    rows.push_back(std::move(whole));
}

// Two runs of 1024 threads side by side; the slowest row of the comparison.
void add_pair_frames(offscreen::Stage& stage, const kernels::Kernel& left, const kernels::Kernel& right,
                     int samples, std::vector<BenchRow>& rows) {
    const char* what = "frame of two halves, slowest phase";
    const std::string ids = fmt::format("{} | {}", left.id, right.id);
    const auto refused = [&](const std::string& why) {
        rows.push_back(not_measured(what, ids, 2 * trace::max_block, why));
    };
    auto a = bench_trace(left, trace::max_block), b = bench_trace(right, trace::max_block);
    if (!a || !b)
        return refused(a ? b.error().sentence : a.error().sentence);
    View view;
    view.width = width;
    view.height = height;
    view.pair_mode = playback::PairMode::step;
    App app = make_app(*a, view);
    compare_traces(app, *std::move(a), *std::move(b));
    BenchRow row{what, ids, 2 * trace::max_block, "ms", 1e9, 0, 33.0, ""};
    for (const playback::Span& span : app.pair.clock.spans) {
        std::vector<double> times;
        for (int i = -1; i < samples; ++i) {  // the first is a warm-up
            playback::seek(app.playback, app.pair.clock,
                           span.begin + (span.end - span.begin) * (std::max(i, 0) + 0.5) / samples);
            const auto cost = offscreen::frame_cost(stage, app);
            if (!cost)
                return refused(cost.error().sentence);
            if (i >= 0)
                times.push_back(cost->ui + cost->draw);
        }
        row.min = std::min(row.min, *std::min_element(times.begin(), times.end()));
        row.median = std::max(row.median, median_of(times));
    }
    rows.push_back(std::move(row));
}

void add_all_frames(const BenchOptions& options, std::string& driver, std::vector<BenchRow>& rows) {
    constexpr int fewer = 256;  // the size that a lecture shows, with a number in every box
    const auto stage = offscreen::open();
    if (stage)
        driver = (*stage)->driver;
    static constexpr std::array<std::pair<const char*, const char*>, 3> pairs = {
        {{"interleaved_divergent", "contiguous_full"},
         {"interleaved_strided", "contiguous_full"},
         {"contiguous_warp", "one_barrier"}}};
    for (const auto& [left, right] : pairs)
        if (stage && (!options.kernel || options.kernel == left || options.kernel == right))
            add_pair_frames(**stage, *kernels::find(left), *kernels::find(right), std::min(options.runs, 9),
                            rows);
    for (const kernels::Kernel* kernel : bench_kernels(options)) {
        const int most = largest_block(*kernel);
        for (const int block : {most, fewer}) {
            if (block == fewer && (most <= fewer || !kernels::why_not(*kernel, fewer).empty()))
                continue;  // no size that this kernel runs with
            if (stage)
                add_frames(**stage, *kernel, block, std::min(options.runs, 9), rows);
            else
                rows.push_back(not_measured("whole frame, slowest step", std::string(kernel->id), block,
                                            stage.error().sentence));
        }
    }
}

// A file of 1024 threads, until a frame of it could be drawn.
void add_open(int runs, std::vector<BenchRow>& rows) {
    const char* what = "open a file, until it can be drawn";
    const kernels::Kernel& kernel = *kernels::find(trace::LaunchConfig().kernel);
    const std::string id(kernel.id);
    std::string path = "/tmp/auditorium-bench-XXXXXX";
    const int handle = mkstemp(path.data());
    if (handle < 0)
        return rows.push_back(not_measured(what, id, trace::max_block, "/tmp cannot be written."));
    close(handle);
    const auto trace = bench_trace(kernel, trace::max_block);
    const auto written = trace ? trace::write(*trace, path) : tl::unexpected(trace.error());
    if (written) {
        BenchRow row = measure(what, id, trace::max_block, runs, [&] {
            if (auto read = trace::read(path))
                make_app(*std::move(read), View{});
        });
        row.goal = 50.0;
        rows.push_back(std::move(row));
    } else {
        rows.push_back(not_measured(what, id, trace::max_block, written.error().sentence));
    }
    unlink(path.c_str());
}

void add_seek(int runs, std::vector<BenchRow>& rows) {
    const kernels::Kernel& kernel = *kernels::find("interleaved_divergent");  // the most steps
    const std::string id(kernel.id);
    auto trace = bench_trace(kernel, trace::max_block);
    if (!trace)
        return rows.push_back(not_measured("seek to a moment", id, trace::max_block, trace.error().sentence));
    const App app = make_app(*std::move(trace), View{});
    constexpr int moments = 1000;
    double sum = 0;  // so that the work is not optimized away
    BenchRow row = measure("seek to a moment", id, trace::max_block, runs, [&] {
        for (int i = 0; i < moments; ++i)
            sum += playback::moment_at(app.shown.timeline,
                                       app.shown.timeline.duration * (i * 617 % moments) / moments)
                       .beat_progress;
    });
    row.min /= moments;
    row.median /= moments;
    row.goal = sum < 0 ? 0.0 : 1.0;
    rows.push_back(std::move(row));
}

// This program once more, with those arguments; 0: it did not start.
pid_t start_another(std::vector<std::string> arguments) {
    std::array<char, PATH_MAX> path{};
    if (readlink("/proc/self/exe", path.data(), path.size() - 1) <= 0)
        return 0;
    std::vector<char*> all{path.data()};
    for (std::string& argument : arguments)
        all.push_back(argument.data());
    all.push_back(nullptr);
    pid_t child = 0;
    return posix_spawn(&child, path.data(), nullptr, nullptr, all.data(), environ) == 0 ? child : 0;
}

// Processor time of a process so far, in seconds; negative: unknown.
double processor_time(pid_t process) {
    std::ifstream file(fmt::format("/proc/{}/stat", process));
    std::string all;
    std::getline(file, all);
    const std::size_t name_end = all.rfind(')');  // the name may hold anything
    if (name_end == std::string::npos)
        return -1;
    std::istringstream fields(all.substr(name_end + 1));
    std::string skipped;
    for (int field = 3; field <= 13; ++field)
        fields >> skipped;
    double user = 0, system = 0;
    return fields >> user >> system ? (user + system) / double(sysconf(_SC_CLK_TCK)) : -1;
}

void add_window(int runs, std::vector<BenchRow>& rows) {
    const char *start = "start to the first frame, and exit", *paused = "a paused window, of one core";
    if (const std::string why = window::why_none(); !why.empty()) {
        rows.push_back(not_measured(start, "", 0, why));
        rows.push_back(not_measured(paused, "", 0, why));
        return;
    }
    bool started = true;
    BenchRow row = measure(start, "", 0, std::min(runs, 11), [&] {
        const pid_t child = start_another({"--exit-after-frames", "1"});
        int status = 0;
        started = child > 0 && waitpid(child, &status, 0) == child && status == 0 && started;
    });
    row.goal = 300.0;
    rows.push_back(started ? std::move(row) : not_measured(start, "", 0, "The window did not open."));

    using namespace std::chrono_literals;
    constexpr auto settle = 2s, rest = 5s;
    const pid_t child = start_another({});
    std::this_thread::sleep_for(settle);
    const double before = child > 0 ? processor_time(child) : -1;
    std::this_thread::sleep_for(rest);
    const double after = child > 0 ? processor_time(child) : -1;
    if (child > 0) {
        kill(child, SIGTERM);
        waitpid(child, nullptr, 0);
    }
    if (before < 0 || after < 0)
        return rows.push_back(not_measured(paused, "", 0, "The window did not open."));
    BenchRow idle{paused, "", 0, "%", 0, 0, 1.0, ""};
    idle.min = idle.median = 100 * (after - before) / double(std::chrono::seconds(rest).count());
    rows.push_back(std::move(idle));
}

}  // namespace

std::vector<BenchRow> bench_app(const BenchOptions& options, std::string& driver) {
    std::vector<BenchRow> rows;
    add_open(options.runs, rows);
    add_seek(options.runs, rows);
    add_all_frames(options, driver, rows);
    add_window(options.runs, rows);
    return rows;
}

}  // namespace auditorium::cli
