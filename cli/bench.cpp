#include "cli/bench.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <thread>

#include "analysis/analysis.h"
#include "cli/bench_gpu.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "launch/launch.h"
#include "launch/speed.h"
#include "trace/files.h"
#include "trace/io.h"
#include "trace/text.h"

namespace auditorium::cli {

BenchRow measure(std::string what, std::string kernel, int threads, int runs,
                 const std::function<void()>& work) {
    using Clock = std::chrono::steady_clock;
    std::vector<double> times;
    work();
    for (int i = 0; i < runs; ++i) {
        const Clock::time_point begin = Clock::now();
        work();
        times.push_back(std::chrono::duration<double, std::milli>(Clock::now() - begin).count());
    }
    std::sort(times.begin(), times.end());
    BenchRow row;
    row.what = std::move(what);
    row.kernel = std::move(kernel);
    row.threads = threads;
    row.min = times.front();
    row.median = times[times.size() / 2];
    return row;
}

BenchRow not_measured(std::string what, std::string kernel, int threads, std::string why) {
    BenchRow row;
    row.what = std::move(what);
    row.kernel = std::move(kernel);
    row.threads = threads;
    row.why = std::move(why);
    return row;
}

std::vector<const kernels::Kernel*> bench_kernels(const BenchOptions& options) {
    std::vector<const kernels::Kernel*> found;
    for (const kernels::Kernel& kernel : kernels::all())
        if (!options.kernel || kernel.id == *options.kernel)
            found.push_back(&kernel);
    return found;
}

int largest_block(const kernels::Kernel& kernel) {
    int block = trace::max_block;
    while (block > 1 && !kernels::why_not(kernel, block).empty())
        --block;
    return block;
}

Expected<trace::Trace> bench_trace(const kernels::Kernel& kernel, int block) {
    launch::Options options;
    options.device = launch::Device::cpu;
    options.allow_wrong = !kernel.correct;
    trace::LaunchConfig asked;
    asked.kernel = kernel.id;
    asked.block = block;
    const auto config = launch::prepare(asked, options);
    if (!config)
        return tl::unexpected(config.error());
    return launch::run(*config, options);
}

namespace {

constexpr int gpu_runs = 5;

void add_kernel(const kernels::Kernel& kernel, int runs, std::vector<BenchRow>& rows) {
    const std::string id(kernel.id);
    const int block = largest_block(kernel);
    const auto add = [&](BenchRow row, std::optional<double> goal = std::nullopt) {
        row.goal = goal;
        rows.push_back(std::move(row));
    };
    launch::Options options;
    options.device = launch::Device::cpu;
    options.allow_wrong = !kernel.correct;
    trace::LaunchConfig asked;
    asked.kernel = id;
    asked.block = block;
    const auto config = launch::prepare(asked, options);
    Expected<trace::Trace> trace = config ? launch::run(*config, options) : tl::unexpected(config.error());
    if (!trace)
        return add(not_measured("record simulated", id, block, trace.error().sentence));
    const bool is_default = id == trace::LaunchConfig().kernel;
    add(measure("record simulated", id, block, runs, [&] { trace = launch::run(*config, options); }),
        is_default ? std::optional(5.0) : std::nullopt);
    add(measure("analyze", id, block, runs, [&] { analysis::analyze(*trace); }), 5.0);
    Expected<std::string> bytes;
    add(measure("write to memory", id, block, runs, [&] { bytes = trace::encode(*trace); }));
    if (!bytes)
        return add(not_measured("read from memory", id, block, bytes.error().sentence));
    add(measure("read from memory", id, block, runs, [&] { trace = trace::read(*bytes, "memory"); }));
    add(measure("open: read and analyze", id, block, runs,
                [&] {
                    trace = trace::read(*bytes, "memory");
                    if (trace)
                        analysis::analyze(*trace);
                }),
        50.0);
}

BenchRow size_of_file() {
    const trace::LaunchConfig usual;
    const auto trace = bench_trace(*kernels::find(usual.kernel), usual.block);
    const auto bytes = trace ? trace::encode(*trace) : tl::unexpected(trace.error());
    if (!bytes)
        return not_measured("size of the file", usual.kernel, usual.block, bytes.error().sentence);
    BenchRow row{"size of the file", usual.kernel, usual.block, "KB", 0, 0, 200.0, ""};
    row.min = row.median = double(bytes->size()) / 1000;
    return row;
}

Json json_of(const BenchRow& row) {
    const bool measured = row.why.empty();
    const auto number = [measured](double value) { return measured ? Json(value) : Json(nullptr); };
    return {{"what", row.what},
            {"kernel", row.kernel.empty() ? Json(nullptr) : Json(row.kernel)},
            {"threads", row.threads ? Json(row.threads) : Json(nullptr)},
            {"unit", row.unit},
            {"min", number(row.min)},
            {"median", number(row.median)},
            {"goal", row.goal ? Json(*row.goal) : Json(nullptr)},
            {"met", row.goal && measured ? Json(row.median <= *row.goal) : Json(nullptr)},
            {"why", measured ? Json(nullptr) : Json(row.why)}};
}

void print_table(const std::vector<BenchRow>& rows) {
    Rows table{{"what", "kernel", "threads", "minimum", "median", "unit", "goal", ""},
               {},
               {false, false, true, true, true, false, true, false}};
    for (const BenchRow& row : rows) {
        const bool measured = row.why.empty();
        table.rows.push_back({row.what, row.kernel, row.threads ? fmt::format("{}", row.threads) : "",
                              measured ? fmt::format("{:.3f}", row.min) : "-",
                              measured ? fmt::format("{:.3f}", row.median) : "-", row.unit,
                              row.goal ? fmt::format("{}", *row.goal) : "",
                              !measured                 ? "not measured: " + row.why
                              : !row.goal               ? ""
                              : row.median <= *row.goal ? "met"
                                                        : "missed"});
    }
    print(as_text(table));
}

}  // namespace

Status bench(bool json, const std::string& runs_text, const std::optional<std::string>& kernel,
             const std::string& device, const std::optional<std::string>& out) {
    const auto parsed = parse_number("--runs", runs_text, 1, 100000);
    if (!parsed)
        return tl::unexpected(parsed.error());
    const BenchOptions options{int(*parsed), kernel};
    if (kernel && kernels::find(*kernel) == nullptr)
        return fail(ExitStatus::usage, fmt::format("There is no kernel {}; 'auditorium kernels' lists them.",
                                                   in_quotes(*kernel)));
    if (device != "auto" && device != "gpu" && device != "cpu")
        return fail(ExitStatus::usage,
                    fmt::format("{} is no device: auto, gpu or cpu.", in_quotes(device, 60)));
    if (out && device == "cpu")
        return fail(ExitStatus::usage, "The file is for a GPU's figures, and --device cpu times none.");
    if (const auto writable = out ? check_output(*out) : Expected<void>{}; !writable)
        return tl::unexpected(writable.error());
    double load = 0;  // of the machine, before this adds to it
    const bool loaded = getloadavg(&load, 1) == 1;
    const unsigned cores = std::thread::hardware_concurrency();

    std::optional<launch::Speed> speed;
    if (device == "gpu" || out || (device == "auto" && launch::gpu_info().available)) {
        auto measured = launch::measure_speed(gpu_runs);
        if (!measured)
            return tl::unexpected(measured.error());
        speed = std::move(*measured);
    }
    if (out)
        if (const auto written = write_file(*out, launch::speed_text(*speed)); !written)
            return tl::unexpected(written.error());
    std::vector<BenchRow> rows;
    std::string driver;
    if (device != "gpu") {
        for (const kernels::Kernel* each : bench_kernels(options))
            add_kernel(*each, options.runs, rows);
        rows.push_back(size_of_file());
        for (BenchRow& row : bench_app(options, driver))
            rows.push_back(std::move(row));
    }

    if (json) {
        Json list = Json::array();
        for (const BenchRow& row : rows)
            list.push_back(json_of(row));
        print_json(Json{{"runs", options.runs},
                        {"version", AUDITORIUM_VERSION},
                        {"build", AUDITORIUM_BUILD_TYPE},
                        {"cores", cores},
                        {"load", loaded ? Json(load) : Json(nullptr)},
                        {"driver", driver.empty() ? Json(nullptr) : Json(driver)},
                        {"rows", list},
                        {"gpu", speed ? speed_json(*speed) : Json(nullptr)}});
        return ExitStatus::ok;
    }
    if (device != "gpu") {
        print(fmt::format("{} runs, build {}, {} cores, load {:.1f} at the start, drawn by {}\n\n",
                          options.runs, AUDITORIUM_BUILD_TYPE, cores, load,
                          driver.empty() ? "nothing" : driver));
        print_table(rows);
    }
    if (speed)
        print((rows.empty() ? "" : "\n") + speed_tables(*speed));
    if (out)
        print(fmt::format("\n{}: the GPU's figures\n", printable(*out)));
    return ExitStatus::ok;
}

}  // namespace auditorium::cli
