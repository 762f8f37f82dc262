#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "analysis/analysis.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "simt/simt.h"
#include "trace/difference.h"
#include "trace/io.h"
#include "trace/replay.h"

namespace auditorium::cli {

namespace {

enum class Verdict {
    same,
    different,
    open,    // cannot be decided from what the trace holds
    absent,  // the trace has nothing to compare
};

const char* name_of(Verdict verdict) {
    switch (verdict) {
        case Verdict::same:
            return "same";
        case Verdict::different:
            return "different";
        case Verdict::open:
            return "open";
        case Verdict::absent:
            return "absent";
    }
    return "";
}

struct Check {
    const char* name;
    Verdict verdict;
    std::string text;
};

Check check_replay(const trace::Trace& trace) {
    const trace::Replay replay = trace::replay(trace);
    if (!replay.agrees())
        return {"replay", Verdict::different, replay.difference};
    return {
        "replay", Verdict::same,
        fmt::format("The events reproduce {} boxes of {} snapshots and {} values{}.", replay.boxes_checked,
                    trace.snapshots.size(), replay.values_checked,
                    replay.boxes_left_out + replay.values_left_out == 0
                        ? ""
                        : fmt::format("; {} boxes and {} values are left out, since they are undefined or a "
                                      "race decides them",
                                      replay.boxes_left_out, replay.values_left_out))};
}

Check check_simulation(const trace::Trace& trace) {
    simt::Entry entry;
    if (const kernels::Kernel* kernel = kernels::find(trace.config.kernel))
        entry = {kernel->entry, kernel->barrier_between_calls, kernel->results, kernel->file};
    if (trace.source.empty())
        return {"simulation", Verdict::absent,
                "The trace does not hold the kernel's text, so it cannot be run again."};
    const auto again = simt::run(trace.source, entry, trace.config);
    if (!again)
        return {
            "simulation", Verdict::different,
            fmt::format("The kernel's text in the trace cannot be run again: {}", again.error().sentence)};
    const std::string difference = trace::difference(trace, *again);
    if (difference.empty())
        return {
            "simulation", Verdict::same,
            "Run again simulated, it gives the same events, snapshots, registers and results, bit for bit."};
    if (trace.racy && trace.origin.kind == trace::Origin::Kind::gpu)
        return {"simulation", Verdict::open,
                fmt::format("Run again simulated, it differs, as a race allows: {}", difference)};
    return {"simulation", Verdict::different, difference};
}

Check check_plain(const trace::Trace& trace) {
    if (trace.plain_results.empty())
        return {"plain kernel", Verdict::absent,
                "The trace holds no results of the plain kernel; only a GPU run has them."};
    for (std::size_t call = 0; call < trace.results.size(); ++call)
        for (std::size_t t = 0; t < trace.results[call].size(); ++t) {
            const bool undefined = call < trace.result_undefined.size() && trace.result_undefined[call][t];
            if (undefined || trace.plain_results[call][t] == trace.results[call][t])
                continue;
            return {"plain kernel", trace.racy ? Verdict::open : Verdict::different,
                    fmt::format("The plain kernel returned {} in thread {}, the traced one {}{}.",
                                trace::bits_text(trace.plain_results[call][t]), t,
                                trace::bits_text(trace.results[call][t]),
                                trace.racy ? ", as a race allows" : "")};
        }
    return {"plain kernel", Verdict::same,
            "The plain and the traced kernel returned the same bits in every thread."};
}

Check check_counters(const trace::Trace& trace) {
    const analysis::Counts counts = analysis::analyze(trace).totals;
    const std::pair<const char*, int> model[] = {
        {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", counts.load_wavefronts},
        {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum", counts.store_wavefronts},
        {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum", counts.load_bank_conflicts},
        {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum", counts.store_bank_conflicts},
    };
    int compared = 0;
    for (const auto& [metric, expected] : model)
        for (const trace::Counter& counter : trace.counters) {
            if (counter.metric != metric)
                continue;
            ++compared;
            if (counter.value != expected)
                return {"counters", Verdict::different,
                        fmt::format("{}: the hardware counted {}, the model {}.", metric, counter.value,
                                    expected)};
        }
    if (compared == 0)
        return {"counters", Verdict::absent,
                "The trace holds no hardware counters to compare the model with."};
    return {"counters", Verdict::same,
            fmt::format("{} hardware counters equal the model's counts.", compared)};
}

// Per line: the model's wavefronts of the loads and stores that stand there. The line table is the
// compiler's, which may give an access to a neighbouring line; the sum must be right all the same.
Check check_lines(const trace::Trace& trace) {
    constexpr const char* metric = "smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared";
    std::map<int, std::uint64_t> model, counted;
    std::uint64_t expected = 0, sum = 0;
    for (const analysis::Request& request : analysis::analyze(trace).requests) {
        model[request.line] += std::uint64_t(request.wavefronts);
        expected += std::uint64_t(request.wavefronts);
    }
    for (const int line : trace.line_counters.lines)
        if (const auto value = trace.line_counters.value(line, metric)) {
            counted[line] = *value;
            sum += *value;
        }
    if (counted.empty())
        return {"lines", Verdict::absent,
                "The trace holds no hardware counts per line to compare the model with."};
    if (sum != expected)
        return {"lines", Verdict::different,
                fmt::format("{}: the hardware counted {} on all lines together, the model {}.", metric, sum,
                            expected)};
    for (const auto& [line, value] : counted)
        if (value != model[line])
            return {
                "lines", Verdict::open,
                fmt::format("The sum of the wavefronts is the model's, but the compiler gave some to another "
                            "line: {} on line {}, where the model has {}.",
                            value, line, model[line])};
    return {"lines", Verdict::same,
            fmt::format("On each of {} lines the hardware's wavefronts equal the model's.", counted.size())};
}

}  // namespace

Status verify(const std::string& file, bool json) {
    const auto trace = trace::read(file);
    return trace ? verify_of(*trace, file, json) : tl::unexpected(trace.error());
}

Status verify_of(const trace::Trace& trace, const std::string& name, bool json) {
    const Check checks[] = {check_replay(trace), check_simulation(trace), check_plain(trace),
                            check_counters(trace), check_lines(trace)};
    const bool ok = std::none_of(std::begin(checks), std::end(checks),
                                 [](const Check& check) { return check.verdict == Verdict::different; });
    if (json) {
        Json list = Json::array();
        for (const Check& check : checks)
            list.push_back(
                {{"check", check.name}, {"verdict", name_of(check.verdict)}, {"text", check.text}});
        print_json(Json{{"file", name}, {"kernel", trace.config.kernel}, {"ok", ok}, {"checks", list}});
    } else {
        print(fmt::format("{}; {}\n", launch_text(trace), device_text(trace)));
        for (const Check& check : checks)
            print(fmt::format("  {:12}  {:9}  {}\n", check.name, name_of(check.verdict), check.text));
        print(ok ? "Verified.\n" : "Not verified.\n");
    }
    return ok ? ExitStatus::ok : ExitStatus::finding;
}

}  // namespace auditorium::cli
