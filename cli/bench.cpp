#include "cli/bench.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "analysis/analysis.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "trace/io.h"

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

Status bench(bool json, const std::string& runs_text) {
    const auto parsed = parse_number("--runs", runs_text, 1, 100000);
    if (!parsed)
        return tl::unexpected(parsed.error());
    const int runs = int(*parsed);

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

    if (json) {
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
        print_json(Json{{"runs", runs},
                        {"version", AUDITORIUM_VERSION},
                        {"build", AUDITORIUM_BUILD_TYPE},
                        {"rows", list}});
        return ExitStatus::ok;
    }
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
    print(as_text(table));
    return ExitStatus::ok;
}

}  // namespace auditorium::cli
