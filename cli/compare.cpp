#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>

#include "analysis/analysis.h"
#include "analysis/findings.h"
#include "analysis/order.h"
#include "analysis/results.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "trace/io.h"

namespace auditorium::cli {

namespace {

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

// How far apart the two results of the first call are, and why.
struct Difference {
    bool comparable = false;  // the same op, type and inputs
    std::int64_t ulp = 0;
    std::string reason;
};

Difference difference_of(const Side& a, const Side& b) {
    const trace::LaunchConfig &x = a.trace.config, &y = b.trace.config;
    if (x.op != y.op || x.type != y.type || x.values != y.values)
        return {false, 0,
                "The two reduce different inputs or by different operations, so their results cannot be "
                "compared."};
    Difference difference{true, 0, ""};
    const analysis::CallResult &p = a.analysis.results[0], &q = b.analysis.results[0];
    difference.ulp = analysis::ulps_between(p.bits, q.bits, x.type);
    if (p.bits == q.bits) {
        difference.reason = "The two results are equal, bit for bit.";
        return difference;
    }
    if (!p.correct || !q.correct) {
        difference.reason =
            fmt::format("{} is wrong; its findings say why.", p.correct   ? "B's result"
                                                              : q.correct ? "A's result"
                                                                          : "Each of the two results");
        return difference;
    }
    const analysis::Order m = analysis::order_of(a.trace, 0), n = analysis::order_of(b.trace, 0);
    const auto last = [](const analysis::Order& order) {
        return order.left.empty()
                   ? std::string("adds nothing")
                   : fmt::format("adds last what inputs {} gave to what inputs {} gave",
                                 analysis::list_of(order.left), analysis::list_of(order.right));
    };
    difference.reason =
        m.shape == n.shape
            ? "The two add in the same order, yet their results differ."
            : fmt::format(
                  "Float additions round, and the two add in different orders: A {} (height {}), B {} "
                  "(height {}).",
                  last(m), m.height, last(n), n.height);
    return difference;
}

// One line of the scoreboard. Less is better where `ranked` says so.
struct Score {
    const char* name;
    const char* field;
    std::optional<double> a, b;
    int ranked = 0;  // -1: less is better, 1: more is better
    bool percent = false;
};

std::vector<Score> scores_of(const Side& a, const Side& b) {
    const auto score = [&](const char* name, const char* field, int ranked, auto value,
                           bool percent = false) {
        return Score{name, field, value(a), value(b), ranked, percent};
    };
    using Value = std::optional<double>;
    const auto total = [](auto member) {
        return [member](const Side& s) -> Value { return s.analysis.totals.*member; };
    };
    using analysis::Counts;
    return {
        score("threads", "block", 0, [](const Side& s) -> Value { return s.trace.config.block; }),
        score("steps", "steps", 0, [](const Side& s) -> Value { return double(s.trace.steps.size()); }),
        score("barriers", "barriers", -1, [](const Side& s) -> Value { return s.analysis.totals.barriers; }),
        score("load wavefronts", "load_wavefronts", -1, total(&Counts::load_wavefronts)),
        score("store wavefronts", "store_wavefronts", -1, total(&Counts::store_wavefronts)),
        score("load bank conflicts", "load_bank_conflicts", -1, total(&Counts::load_bank_conflicts)),
        score("store bank conflicts", "store_bank_conflicts", -1, total(&Counts::store_bank_conflicts)),
        score("warp shuffles", "shuffles", 0, total(&Counts::shuffle_requests)),
        score(
            "lane efficiency", "lane_efficiency", 1,
            [](const Side& s) -> Value {
                return s.analysis.totals.lane_slots ? Value(s.analysis.totals.lane_efficiency())
                                                    : std::nullopt;
            },
            true),
        score("findings", "findings", -1,
              [](const Side& s) -> Value { return double(s.analysis.findings.size()); }),
        score("cycles, minimum", "cycles_min", -1,
              [](const Side& s) -> Value {
                  return s.trace.cycles ? Value(s.trace.cycles->min) : std::nullopt;
              }),
        score("cycles, median", "cycles_median", -1,
              [](const Side& s) -> Value {
                  return s.trace.cycles ? Value(s.trace.cycles->median) : std::nullopt;
              }),
    };
}

// "A", "B", or "" where they are level or cannot be ranked.
std::string better(const Score& score) {
    if (!score.ranked || !score.a || !score.b || *score.a == *score.b)
        return "";
    return (*score.a < *score.b) == (score.ranked < 0) ? "A" : "B";
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
        const std::optional<double>& value = first ? score.a : score.b;
        const bool whole = value && !score.percent && *value == double(long(*value));
        json[score.field] = !value ? Json(nullptr) : whole ? Json(long(*value)) : Json(*value);
    }
    const analysis::CallResult& result = side.analysis.results[0];
    json["result"] = {{"value", value_json(result.bits, config.type)},
                      {"bits", bits_text(result.bits)},
                      {"correct", result.correct}};
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
    const std::vector<Score> scores = scores_of(*a, *b);
    const Difference difference = difference_of(*a, *b);
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
                          {"ulp", known ? Json(difference.ulp) : Json(nullptr)},
                          {"reason", difference.reason}}}});
        return found ? ExitStatus::finding : ExitStatus::ok;
    }

    Rows rows{{"", "A", "B", "better"}, {}, {false, true, true, false}};
    for (const Score& score : scores)
        rows.rows.push_back(
            {score.name, cell(score.a, score.percent), cell(score.b, score.percent), better(score)});
    std::string text;
    for (const Side* side : {&*a, &*b})
        text += fmt::format("{}{}: {}; {}{}\n", format == Format::markdown ? "- " : "",
                            side == &*a ? "A" : "B", launch_text(side->trace), device_text(side->trace),
                            side->trace.origin.kind == trace::Origin::Kind::simulated
                                ? fmt::format(", {}", name_of(side->trace.config.schedule))
                                : "");
    text += fmt::format("\n{}\n", format == Format::markdown ? as_markdown(rows) : as_text(rows));
    for (const Side* side : {&*a, &*b})
        text +=
            fmt::format("{}Result {}: {}.\n", format == Format::markdown ? "- " : "", side == &*a ? "A" : "B",
                        result_text(side->analysis.results[0], side->trace.config.type));
    const bool ulp = difference.comparable && difference.ulp > 0 &&
                     difference.ulp != std::numeric_limits<std::int64_t>::max();
    text += fmt::format("\n{}{}\n", difference.reason,
                        ulp ? fmt::format(" They are {} ULP apart.", difference.ulp) : "");
    print(text);
    return found ? ExitStatus::finding : ExitStatus::ok;
}

}  // namespace auditorium::cli
