// What the app costs: seeking, a frame's scene and panels on the CPU, a whole frame to its last pixel, and
// the way from the program's start to the first frame in a window.
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <climits>

#include "app/app.h"
#include "app/hosts/offscreen.h"
#include "app/hosts/window.h"
#include "cli/bench.h"
#include "kernels/catalogue.h"
#include "launch/launch.h"

extern char** environ;

namespace auditorium::cli {

namespace {

double median_of(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

// Goals are for a frame of 1280x800 with 1024 threads and numbers on.
constexpr int width = 1280, height = 800;

// A full playback, `samples` frames for each span; the slowest span's median.
void add_frames(offscreen::Stage& stage, const std::string& kernel, int samples,
                std::vector<BenchRow>& rows) {
    launch::Options options;
    options.device = launch::Device::cpu;
    trace::LaunchConfig config;
    config.kernel = kernel;
    config.block = trace::max_block;
    auto trace = launch::run(config, options);
    if (!trace)
        return;
    View view;
    view.width = width;
    view.height = height;
    App app = make_app(*std::move(trace), view);

    BenchRow ui{"scene and panels, slowest step", kernel, config.block, "ms", 0, 0, 2.0};
    BenchRow whole{"whole frame, slowest step", kernel, config.block, "ms", 0, 0, 16.7};
    ui.min = whole.min = 1e9;
    for (const playback::Span& span : app.shown.timeline.spans) {
        std::vector<double> uis, wholes;
        for (int i = -1; i < samples; ++i) {  // the first is a warm-up
            const double at = span.begin + (span.end - span.begin) * (std::max(i, 0) + 0.5) / samples;
            playback::seek(app.playback, app.shown.timeline, at);
            const auto cost = offscreen::frame_cost(stage, app);
            if (!cost)
                return;
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

// Two halves of 1024 threads each; the slowest row of the comparison.
void add_pair_frames(offscreen::Stage& stage, const char* left, const char* right, int samples,
                     std::vector<BenchRow>& rows) {
    launch::Options options;
    options.device = launch::Device::cpu;
    trace::LaunchConfig config;
    config.block = trace::max_block;
    config.kernel = left;
    auto a = launch::run(config, options);
    config.kernel = right;
    auto b = launch::run(config, options);
    if (!a || !b)
        return;
    View view;
    view.width = width;
    view.height = height;
    view.pair_mode = playback::PairMode::step;
    App app = make_app(*a, view);
    compare_traces(app, *std::move(a), *std::move(b));
    BenchRow row{"frame of two halves, slowest phase",
                 std::string(left) + " | " + right,
                 2 * config.block,
                 "ms",
                 1e9,
                 0,
                 33.0};
    for (const playback::Span& span : app.pair.clock.spans) {
        std::vector<double> times;
        for (int i = -1; i < samples; ++i) {
            playback::seek(app.playback, app.pair.clock,
                           span.begin + (span.end - span.begin) * (std::max(i, 0) + 0.5) / samples);
            const auto cost = offscreen::frame_cost(stage, app);
            if (!cost)
                return;
            if (i >= 0)
                times.push_back(cost->ui + cost->draw);
        }
        row.min = std::min(row.min, *std::min_element(times.begin(), times.end()));
        row.median = std::max(row.median, median_of(times));
    }
    rows.push_back(std::move(row));
}

void add_seek(int runs, std::vector<BenchRow>& rows) {
    launch::Options options;
    options.device = launch::Device::cpu;
    trace::LaunchConfig config;
    config.kernel = "interleaved_divergent";  // the most steps
    config.block = trace::max_block;
    auto trace = launch::run(config, options);
    if (!trace)
        return;
    const App app = make_app(*std::move(trace), View{});
    constexpr int moments = 1000;
    double sum = 0;  // so that the work is not optimized away
    BenchRow row = measure("seek to a moment", config.kernel, config.block, runs, [&] {
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

void add_start(int runs, std::vector<BenchRow>& rows) {
    std::array<char, PATH_MAX> path{};
    if (!window::why_none().empty() || readlink("/proc/self/exe", path.data(), path.size() - 1) <= 0)
        return;
    BenchRow row = measure("start to the first frame", "", 0, std::min(runs, 11), [&] {
        std::string option = "--exit-after-frames", one = "1";
        char* arguments[] = {path.data(), option.data(), one.data(), nullptr};
        pid_t child = 0;
        int status = 0;
        if (posix_spawn(&child, path.data(), nullptr, nullptr, arguments, environ) == 0)
            waitpid(child, &status, 0);
    });
    row.goal = 300.0;
    rows.push_back(std::move(row));
}

}  // namespace

std::vector<BenchRow> bench_app(int runs) {
    std::vector<BenchRow> rows;
    add_seek(runs, rows);
    if (auto stage = offscreen::open()) {
        add_pair_frames(**stage, "interleaved_divergent", "contiguous_full", std::min(runs, 9), rows);
        add_pair_frames(**stage, "interleaved_strided", "contiguous_full", std::min(runs, 9), rows);
        add_pair_frames(**stage, "contiguous_warp", "one_barrier", std::min(runs, 9), rows);
        for (const kernels::Kernel& kernel : kernels::all())
            if (kernel.correct)
                add_frames(**stage, std::string(kernel.id), std::min(runs, 9), rows);
    }
    add_start(runs, rows);
    return rows;
}

}  // namespace auditorium::cli
