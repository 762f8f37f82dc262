#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>

#include "analysis/analysis.h"
#include "analysis/compare.h"
#include "analysis/verdict.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "trace/io.h"

namespace auditorium::cli {

namespace {

using analysis::Score;

struct Side {
    std::string file;
    trace::Trace trace;
    analysis::Analysis analysis;
};

Expected<Side> side_of(const std::string& file) {
    auto trace = trace::read(file);
    if (!trace)
        return tl::unexpected(trace.error());
    Side side{file, *std::move(trace), {}};
    side.analysis = analysis::analyze(side.trace);
    return side;
}

analysis::Run run_of(const Side& side) {
    return {side.trace, side.analysis};
}

// "A", "B", or "" where they are level or cannot be ranked.
std::string better(const Score& score) {
    switch (score.better()) {
        case analysis::Better::left:
            return "A";
        case analysis::Better::right:
            return "B";
        case analysis::Better::neither:
            break;
    }
    return "";
}

Json side_json(const Side& side, const std::vector<Score>& scores, bool first) {
    const trace::LaunchConfig& config = side.trace.config;
    Json json{{"file", side.file},
              {"kernel", config.kernel},
              {"op", name_of(config.op)},
              {"type", name_of(config.type)},
              {"origin", origin_name(side.trace)},
              {"device", side.trace.origin.device.empty() ? Json(nullptr) : Json(side.trace.origin.device)},
              {"schedule", name_of(config.schedule)}};
    for (const Score& score : scores) {
        const std::optional<double>& value = first ? score.left : score.right;
        const bool whole = value && !score.percent && *value == double(long(*value));
        json[score.field] = !value ? Json(nullptr) : whole ? Json(long(*value)) : Json(*value);
    }
    json["results"] = Json::array();
    for (const analysis::CallResult& result : side.analysis.results)
        json["results"].push_back({{"value", value_json(result.bits, config.type)},
                                   {"bits", trace::bits_text(result.bits)},
                                   {"correct", result.correct}});
    json["verdict"] = name_of(analysis::verdict_of(side.analysis));
    return json;
}

std::string cell(const std::optional<double>& value, bool percent) {
    if (!value)
        return "-";
    return percent ? fmt::format("{:.1f}%", 100 * *value) : fmt::format("{}", *value);
}

}  // namespace

Status compare(const std::string& file_a, const std::string& file_b, Format format) {
    if (format == Format::csv)
        return fail(ExitStatus::usage, "compare prints text, md or json.");
    const auto a = side_of(file_a);
    if (!a)
        return tl::unexpected(a.error());
    const auto b = side_of(file_b);
    if (!b)
        return tl::unexpected(b.error());
    const std::vector<Score> scores = analysis::scores_of(run_of(*a), run_of(*b));
    const analysis::ResultDifference difference = analysis::difference_of(run_of(*a), run_of(*b), "A", "B");
    const bool found = !a->analysis.findings.empty() || !b->analysis.findings.empty();

    if (format == Format::json) {
        Json ranked = Json::object();
        for (const Score& score : scores)
            if (score.ranked)
                ranked[score.field] = better(score).empty() ? Json(nullptr) : Json(better(score));
        const bool known =
            difference.comparable && difference.ulp != std::numeric_limits<std::int64_t>::max();
        print_json(Json{{"a", side_json(*a, scores, true)},
                        {"b", side_json(*b, scores, false)},
                        {"better", ranked},
                        {"difference",
                         {{"comparable", difference.comparable},
                          {"call", difference.call < 0 ? Json(nullptr) : Json(difference.call + 1)},
                          {"ulp", known ? Json(difference.ulp) : Json(nullptr)},
                          {"reason", difference.reason}}}});
        return found ? ExitStatus::finding : ExitStatus::ok;
    }

    Rows rows{{"", "A", "B", "better"}, {}, {false, true, true, false}};
    for (const Score& score : scores)
        rows.rows.push_back(
            {score.name, cell(score.left, score.percent), cell(score.right, score.percent), better(score)});
    std::string text;
    for (const Side* side : {&*a, &*b})
        text += fmt::format("{}{}: {}; {}{}\n", format == Format::markdown ? "- " : "",
                            side == &*a ? "A" : "B", launch_text(side->trace), device_text(side->trace),
                            side->trace.origin.kind == trace::Origin::Kind::simulated
                                ? fmt::format(", {}", name_of(side->trace.config.schedule))
                                : "");
    text += fmt::format("\n{}\n", format == Format::markdown ? as_markdown(rows) : as_text(rows));
    for (const Side* side : {&*a, &*b}) {
        const auto& results = side->analysis.results;
        for (std::size_t call = 0; call < results.size(); ++call)
            text += fmt::format("{}Result {}{}: {}.\n", format == Format::markdown ? "- " : "",
                                side == &*a ? "A" : "B",
                                results.size() > 1 ? fmt::format(", call {}", call + 1) : "",
                                result_text(side->trace, side->analysis, call));
    }
    const bool ulp = difference.comparable && difference.ulp > 0 &&
                     difference.ulp != std::numeric_limits<std::int64_t>::max();
    text += fmt::format("\n{}{}\n", difference.reason,
                        ulp ? fmt::format(" They are {}{} apart.", difference.ulp,
                                          a->trace.config.type == trace::Type::i32 ? "" : " ULP")
                            : "");
    print(text);
    return found ? ExitStatus::finding : ExitStatus::ok;
}

}  // namespace auditorium::cli
