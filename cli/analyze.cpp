#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "analysis/analysis.h"
#include "analysis/findings.h"
#include "analysis/timing.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "cli/words.h"
#include "trace/io.h"

namespace auditorium::cli {

namespace {

void add_counts(Json& json, const analysis::Counts& counts) {
    json["load_requests"] = counts.load_requests;
    json["store_requests"] = counts.store_requests;
    json["load_wavefronts"] = counts.load_wavefronts;
    json["store_wavefronts"] = counts.store_wavefronts;
    json["load_bank_conflicts"] = counts.load_bank_conflicts;
    json["store_bank_conflicts"] = counts.store_bank_conflicts;
    json["lane_efficiency"] = counts.lane_slots ? Json(counts.lane_efficiency()) : Json(nullptr);
}

Json optional_json(const std::optional<double>& value) {
    return value ? Json(*value) : Json(nullptr);
}

// "2.1% more" | "0.4% less" | "as long"
std::string difference_text(double difference) {
    const std::string percent = fmt::format("{:.1f}%", 100 * std::abs(difference));
    return percent == "0.0%" ? "as long" : percent + (difference > 0 ? " more" : " less");
}

// Cycles of all steps, where all are known.
std::optional<double> sum_of_cycles(const analysis::Analysis& analysis) {
    double sum = 0;
    for (const analysis::StepAnalysis& step : analysis.steps) {
        if (!step.cycles)
            return std::nullopt;
        sum += *step.cycles;
    }
    return analysis.steps.empty() ? std::nullopt : std::optional(sum);
}

Json as_json(const trace::Trace& trace, const analysis::Analysis& analysis) {
    const trace::LaunchConfig& config = trace.config;
    Json json;
    json["kernel"] = config.kernel;
    json["op"] = name_of(config.op);
    json["type"] = name_of(config.type);
    json["block"] = config.block;
    json["origin"] = origin_name(trace);
    json["device"] = trace.origin.device.empty() ? Json(nullptr) : Json(trace.origin.device);
    json["schedule"] = name_of(config.schedule);

    json["steps"] = Json::array();
    for (std::size_t s = 0; s < trace.steps.size(); ++s) {
        const trace::Step& step = trace.steps[s];
        Json row;
        row["index"] = s;
        row["kind"] = name_of(step.kind);
        row["stride"] =
            step.kind == trace::StepKind::tree && step.stride > 0 ? Json(step.stride) : Json(nullptr);
        row["offset"] =
            step.kind == trace::StepKind::shuffle && step.offset > 0 ? Json(step.offset) : Json(nullptr);
        row["active_threads"] = step.active_threads;
        row["warps_issuing"] = analysis.steps[s].warps_issuing;
        row["barrier_after"] = analysis.steps[s].barrier_after;
        add_counts(row, analysis.steps[s].counts);
        row["cycles"] = optional_json(analysis.steps[s].cycles);
        json["steps"].push_back(std::move(row));
    }

    Json totals;
    totals["barriers"] = analysis.totals.barriers;
    totals["shuffles"] = analysis.totals.shuffles;
    add_counts(totals, analysis.totals);
    totals["cycles"] = optional_json(sum_of_cycles(analysis));
    json["totals"] = std::move(totals);

    json["results"] = Json::array();
    for (const analysis::CallResult& result : analysis.results) {
        const bool whole = config.type == trace::Type::i32;
        const bool finite = whole || std::isfinite(result.reference);
        json["results"].push_back(
            {{"value", value_json(result.bits, config.type)},
             {"bits", trace::bits_text(result.bits)},
             {"reference", whole    ? Json(result.reference_int)
                           : finite ? Json(result.reference)
                                    : Json(nullptr)},
             {"ulp",
              result.ulp == std::numeric_limits<std::int64_t>::max() ? Json(nullptr) : Json(result.ulp)},
             {"correct", result.correct && result.all_threads_agree}});
    }

    json["contributions"] = {{"folded", analysis.contributions.folded},
                             {"missing", analysis.contributions.missing},
                             {"doubled", analysis.contributions.doubled}};
    json["findings"] = Json::array();
    for (const analysis::Finding& finding : analysis.findings)
        json["findings"].push_back({{"rule", name_of(finding.rule)},
                                    {"severity", name_of(finding.severity)},
                                    {"kind", finding.kind.empty() ? Json(nullptr) : Json(finding.kind)},
                                    {"boxes", finding.boxes},
                                    {"threads", finding.threads},
                                    {"lines", finding.lines},
                                    {"text", finding.text}});
    json["counters"] = Json::object();
    for (const trace::Counter& counter : trace.counters)
        json["counters"][counter.metric] = counter.value;
    json["timing"] = nullptr;
    if (trace.cycles)
        json["timing"] = {{"min", trace.cycles->min},
                          {"median", trace.cycles->median},
                          {"max", trace.cycles->max},
                          {"launches", trace.cycles->launches},
                          {"constant_block", trace.cycles->constant_block},
                          {"stamped", optional_json(analysis::stamped_cycles(trace))},
                          {"stamped_difference", optional_json(analysis::disturbance(trace))}};
    json["lines"] = Json::array();
    for (std::size_t i = 0; i < trace.line_counters.lines.size(); ++i) {
        Json row;
        row["line"] = trace.line_counters.lines[i];  // 0: none of the kernel's
        for (std::size_t m = 0; m < trace.line_counters.metrics.size(); ++m)
            row[trace.line_counters.metrics[m]] =
                trace.line_counters.values[i * trace.line_counters.metrics.size() + m];
        json["lines"].push_back(std::move(row));
    }
    return json;
}

Rows as_rows(const trace::Trace& trace, const analysis::Analysis& analysis) {
    const auto row = [](std::string number, std::string phase, int active, int warps,
                        const analysis::Counts& c, const std::optional<double>& cycles) {
        return std::vector<std::string>{
            std::move(number),
            std::move(phase),
            active < 0 ? "" : fmt::format("{}", active),
            warps < 0 ? "" : fmt::format("{}", warps),
            fmt::format("{}", c.load_requests),
            fmt::format("{}", c.load_wavefronts),
            fmt::format("{}", c.store_requests),
            fmt::format("{}", c.store_wavefronts),
            fmt::format("{}", c.load_bank_conflicts + c.store_bank_conflicts),
            c.lane_slots ? fmt::format("{:.1f}%", 100 * c.lane_efficiency()) : "-",
            cycles ? fmt::format("{:.0f}", *cycles) : "-"};
    };
    Rows rows{{"step", "phase", "active", "warps", "loads", "wavefronts", "stores", "wavefronts", "conflicts",
               "lanes", "cycles"},
              {},
              {true, false, true, true, true, true, true, true, true, true, true}};
    for (std::size_t s = 0; s < trace.steps.size(); ++s)
        rows.rows.push_back(row(fmt::format("{}", s + 1), phase_text(trace.steps[s]),
                                trace.steps[s].active_threads, analysis.steps[s].warps_issuing,
                                analysis.steps[s].counts, analysis.steps[s].cycles));
    rows.rows.push_back(row("", "in all", -1, -1, analysis.totals, sum_of_cycles(analysis)));
    return rows;
}

std::string as_sentences(const trace::Trace& trace, const analysis::Analysis& analysis, const char* bullet) {
    std::string text = fmt::format("{} barrier{}, {} warp shuffle{}{}.\n", analysis.totals.barriers,
                                   analysis.totals.barriers == 1 ? "" : "s", analysis.totals.shuffles,
                                   analysis.totals.shuffles == 1 ? "" : "s", mismatch_text(analysis));
    for (std::size_t call = 0; call < analysis.results.size(); ++call)
        text +=
            fmt::format("Result{}: {}.\n", analysis.results.size() > 1 ? fmt::format(" {}", call + 1) : "",
                        result_text(trace, analysis, call));
    if (trace.cycles)
        text += fmt::format(
            "Cycles of the plain kernel: {:.0f} (minimum), {:.0f} (median), {:.0f} (maximum) of {} "
            "launches.\n",
            trace.cycles->min, trace.cycles->median, trace.cycles->max, trace.cycles->launches);
    if (const auto difference = analysis::disturbance(trace))
        text += fmt::format("With stamps it took {:.0f}, {}; the steps' cycles are from these launches.\n",
                            *analysis::stamped_cycles(trace), difference_text(*difference));
    if (!trace.counters.empty())
        text += "The hardware counted, for the plain kernel:\n";
    for (const trace::Counter& counter : trace.counters)
        text += fmt::format("{}{}: {}\n", bullet, counter.metric, counter.value);
    const auto& contributions = analysis.contributions;
    text += fmt::format("{} of {} inputs are folded into the result{}.\n", contributions.folded,
                        trace.config.block,
                        contributions.missing.empty() && contributions.doubled.empty() ? ", each once" : "");
    text += analysis.findings.empty() ? "No findings.\n"
                                      : fmt::format("{} finding{}:\n", analysis.findings.size(),
                                                    analysis.findings.size() == 1 ? "" : "s");
    if (!analysis.findings.empty() && *bullet == '-')
        text += "\n";
    for (const analysis::Finding& finding : analysis.findings)
        text += fmt::format("{}{}: {}\n", bullet, name_of(finding.severity), finding.text);
    return text;
}

}  // namespace

Status analyze(const std::string& file, Format format) {
    if (format == Format::csv)
        return fail(ExitStatus::usage, "analyze prints text, md or json; for rows as CSV there is table.");
    const auto trace = trace::read(file);
    if (!trace)
        return tl::unexpected(trace.error());
    const analysis::Analysis analysis = analysis::analyze(*trace);
    const std::string head = fmt::format("{}; {}", launch_text(*trace), device_text(*trace));
    if (format == Format::json)
        print_json(as_json(*trace, analysis));
    else if (format == Format::markdown)
        print(fmt::format("**{}**\n\n{}\n{}", head, as_markdown(as_rows(*trace, analysis)),
                          as_sentences(*trace, analysis, "- ")));
    else
        print(fmt::format("{}\n\n{}\n{}", head, as_text(as_rows(*trace, analysis)),
                          as_sentences(*trace, analysis, "  ")));
    return analysis.findings.empty() ? ExitStatus::ok : ExitStatus::finding;
}

}  // namespace auditorium::cli
