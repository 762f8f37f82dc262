#include "cli/bench.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "analysis/analysis.h"
#include "cli/commands.h"
#include "cli/output.h"
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

namespace {

// The rows of what the program itself costs on this machine's processor.
Expected<std::vector<BenchRow>> bench_cpu(int runs) {
    std::vector<BenchRow> rows;
    const auto add = [&](BenchRow row, std::optional<double> goal = std::nullopt) {
        row.goal = goal;
        rows.push_back(std::move(row));
    };
    launch::Options options;
    options.device = launch::Device::cpu;
    for (const kernels::Kernel& kernel : kernels::all()) {
        if (!kernel.correct)
            continue;
        trace::LaunchConfig asked;
        asked.kernel = kernel.id;
        asked.block = trace::max_block;
        const auto config = launch::prepare(asked, options);
        if (!config)
            return tl::unexpected(config.error());
        Expected<trace::Trace> trace;
        const bool is_default = kernel.id == trace::LaunchConfig().kernel;
        add(measure("record simulated", asked.kernel, asked.block, runs,
                    [&] { trace = launch::run(*config, options); }),
            is_default ? std::optional(5.0) : std::nullopt);
        if (!trace)
            return tl::unexpected(trace.error());
        add(measure("analyze", asked.kernel, asked.block, runs, [&] { analysis::analyze(*trace); }), 5.0);
        Expected<std::string> bytes;
        add(measure("write to memory", asked.kernel, asked.block, runs,
                    [&] { bytes = trace::encode(*trace); }));
        if (!bytes)
            return tl::unexpected(bytes.error());
        add(measure("read from memory", asked.kernel, asked.block, runs,
                    [&] { trace = trace::read(*bytes, "memory"); }));
        if (!trace)
            return tl::unexpected(trace.error());
        add(measure("open: read and analyze", asked.kernel, asked.block, runs,
                    [&] {
                        trace = trace::read(*bytes, "memory");
                        if (trace)
                            analysis::analyze(*trace);
                    }),
            50.0);
    }

    trace::LaunchConfig usual;
    const auto config = launch::prepare(usual, options);
    const auto trace = config ? launch::run(*config, options) : tl::unexpected(config.error());
    if (!trace)
        return tl::unexpected(trace.error());
    const auto bytes = trace::encode(*trace);
    if (!bytes)
        return tl::unexpected(bytes.error());
    BenchRow size{
        "size of the file", usual.kernel, usual.block, "KB", double(bytes->size()) / 1000, 0, 200.0};
    size.median = size.min;
    rows.push_back(size);

    for (BenchRow& row : bench_app(runs))
        rows.push_back(std::move(row));

    return rows;
}

Json rows_json(const std::vector<BenchRow>& rows) {
    Json list = Json::array();
    for (const BenchRow& row : rows)
        list.push_back({{"what", row.what},
                        {"kernel", row.kernel.empty() ? Json(nullptr) : Json(row.kernel)},
                        {"threads", row.threads ? Json(row.threads) : Json(nullptr)},
                        {"unit", row.unit},
                        {"min", row.min},
                        {"median", row.median},
                        {"goal", row.goal ? Json(*row.goal) : Json(nullptr)},
                        {"met", row.goal ? Json(row.median <= *row.goal) : Json(nullptr)}});
    return list;
}

std::string rows_text(const std::vector<BenchRow>& rows) {
    Rows table{{"what", "kernel", "threads", "minimum", "median", "unit", "goal", ""},
               {},
               {false, false, true, true, true, false, true, false}};
    for (const BenchRow& row : rows)
        table.rows.push_back({row.what, row.kernel, row.threads ? fmt::format("{}", row.threads) : "",
                              fmt::format("{:.3f}", row.min), fmt::format("{:.3f}", row.median), row.unit,
                              row.goal ? fmt::format("{}", *row.goal) : "",
                              !row.goal                 ? ""
                              : row.median <= *row.goal ? "met"
                                                        : "missed"});
    return as_text(table);
}

constexpr int block_sizes[] = {32, 64, 128, 256, 512, 1024};

// Each call's median over that of the faster of CUB's two at the same size, op and type.
std::optional<double> against_cub(const launch::Speed& speed, const launch::CallTime& call) {
    const double cub = speed.cub_median(call.op, call.type, call.threads);
    return cub > 0 ? std::optional(call.median / cub) : std::nullopt;
}

Json speed_json(const launch::Speed& speed) {
    Json calls = Json::array(), arrays = Json::array();
    for (const launch::CallTime& call : speed.calls) {
        const auto ratio = against_cub(speed, call);
        calls.push_back({{"what", call.what},
                         {"op", name_of(call.op)},
                         {"type", name_of(call.type)},
                         {"threads", call.threads},
                         {"min_cycles", call.min},
                         {"median_cycles", call.median},
                         {"of_cub", ratio ? Json(*ratio) : Json(nullptr)}});
    }
    const launch::ArrayTime* cub = speed.array(launch::cub_device_reduce);
    for (const launch::ArrayTime& array : speed.arrays) {
        const bool sum = cub && array.what != launch::device_copy && array.median > 0;
        arrays.push_back({{"what", array.what},
                          {"min_ms", array.min},
                          {"median_ms", array.median},
                          {"bytes", array.bytes},
                          {"terabytes_per_second", array.terabytes_per_second()},
                          {"throughput_of_cub", sum ? Json(cub->median / array.median) : Json(nullptr)}});
    }
    return {{"device", speed.device}, {"driver", speed.driver},
            {"cuda", speed.cuda},     {"date", speed.date},
            {"runs", speed.runs},     {"launches_per_run", speed.launches},
            {"calls", calls},         {"array_elements", speed.array_elements},
            {"arrays", arrays}};
}

// For each op and type: a row a contender, a column a size; the median, and how it stands to CUB's.
std::string speed_tables(const launch::Speed& speed) {
    std::string text = fmt::format(
        "{}: cycles of one call in one block, median of {} interleaved runs of {} launches (minimum); "
        "x = of the median of CUB's faster way\n",
        speed.device, speed.runs, speed.launches);
    for (const trace::Type type : {trace::Type::f32, trace::Type::i32})
        for (const trace::Op op : {trace::Op::max, trace::Op::min, trace::Op::sum}) {
            Rows table{{fmt::format("{} of {}", name_of(op), name_of(type))}, {}, {false}};
            for (const int threads : block_sizes) {
                table.head.push_back(fmt::format("{}", threads));
                table.number.push_back(true);
            }
            for (const launch::CallTime& first : speed.calls) {
                if (first.op != op || first.type != type || first.threads != block_sizes[0])
                    continue;
                std::vector<std::string> row{first.what};
                for (const int threads : block_sizes) {
                    const launch::CallTime* call = speed.call(first.what, op, type, threads);
                    const auto ratio = call ? against_cub(speed, *call) : std::nullopt;
                    row.push_back(
                        !call    ? "-"
                        : !ratio ? fmt::format("{:.0f} ({:.0f})", call->median, call->min)
                                 : fmt::format("{:.0f} ({:.0f}) {:.2f}x", call->median, call->min, *ratio));
                }
                table.rows.push_back(std::move(row));
            }
            if (!table.rows.empty())
                text += "\n" + as_text(table);
        }
    if (!speed.arrays.empty()) {
        text += fmt::format("\nA pass over {:.0f} floats\n", speed.array_elements);
        Rows table{{"", "minimum", "median", "TB/s", "of CUB"}, {}, {false, true, true, true, true}};
        const launch::ArrayTime* cub = speed.array(launch::cub_device_reduce);
        for (const launch::ArrayTime& array : speed.arrays)
            table.rows.push_back({array.what == launch::device_copy ? "copy (read and written)" : array.what,
                                  fmt::format("{:.4f} ms", array.min), fmt::format("{:.4f} ms", array.median),
                                  fmt::format("{:.3f}", array.terabytes_per_second()),
                                  cub && array.what != launch::device_copy && array.median > 0
                                      ? fmt::format("{:.3f}", cub->median / array.median)
                                      : ""});
        text += as_text(table);
    }
    return text;
}

constexpr int speed_runs = 5;

}  // namespace

Status bench(bool json, const std::string& runs_text, const std::string& device, const std::string& out) {
    const auto parsed = parse_number("--runs", runs_text, 1, 100000);
    if (!parsed)
        return tl::unexpected(parsed.error());
    if (device != "auto" && device != "gpu" && device != "cpu")
        return fail(ExitStatus::usage,
                    fmt::format("{} is no device: auto, gpu or cpu.", in_quotes(device, 60)));
    if (!out.empty() && device == "cpu")
        return fail(ExitStatus::usage, "The file is for a GPU's figures, and --device cpu times none.");
    std::optional<launch::Speed> speed;
    if (device == "gpu" || (device == "auto" && launch::gpu_info().available)) {
        auto measured = launch::measure_speed(speed_runs);
        if (!measured)
            return tl::unexpected(measured.error());
        speed = std::move(*measured);
    }
    if (!out.empty()) {
        if (!speed)
            return fail(ExitStatus::device, launch::gpu_info().reason);
        if (const auto written = write_file(out, launch::speed_text(*speed)); !written)
            return tl::unexpected(written.error());
    }
    std::vector<BenchRow> rows;
    if (device != "gpu") {
        auto timed = bench_cpu(int(*parsed));
        if (!timed)
            return tl::unexpected(timed.error());
        rows = std::move(*timed);
    }
    if (json)
        print_json(Json{{"runs", *parsed},
                        {"version", AUDITORIUM_VERSION},
                        {"build", AUDITORIUM_BUILD_TYPE},
                        {"rows", rows_json(rows)},
                        {"gpu", speed ? speed_json(*speed) : Json(nullptr)}});
    else {
        if (!rows.empty())
            print(rows_text(rows));
        if (speed)
            print((rows.empty() ? "" : "\n") + speed_tables(*speed));
    }
    return ExitStatus::ok;
}

}  // namespace auditorium::cli
