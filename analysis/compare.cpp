#include "analysis/compare.h"

#include <algorithm>

#include "analysis/findings.h"
#include "analysis/order.h"
#include "analysis/results.h"

namespace auditorium::analysis {

namespace {

// "adds last what inputs 0 to 15 gave to what inputs 16 to 31 gave (height 5)"
std::string last_of(const Order& order) {
    const std::string what = order.left.empty()
                                 ? "adds nothing"
                                 : "adds last what inputs " + list_of(order.left) + " gave to what inputs " +
                                       list_of(order.right) + " gave";
    return what + " (height " + std::to_string(order.height) + ")";
}

bool has_race(const Run& run) {
    return std::any_of(run.analysis.findings.begin(), run.analysis.findings.end(), [](const Finding& f) {
        return f.rule == Rule::race && f.severity == Severity::error;
    });
}

// " A has a race: its results depend on the order of turns." as a further sentence; "" where none has one.
std::string races_of(const Run& left, const Run& right, const std::string& left_name,
                     const std::string& right_name) {
    const bool x = has_race(left), y = has_race(right);
    if (!x && !y)
        return "";
    std::string who =
        x && y ? left_name + " and " + right_name + " each have" : (x ? left_name : right_name) + " has";
    return " " + capital(std::move(who)) + " a race: what comes out depends on the order of turns.";
}

}  // namespace

Better Score::better() const {
    if (!ranked || !left || !right || *left == *right)
        return Better::neither;
    return (*left < *right) == (ranked < 0) ? Better::left : Better::right;
}

std::vector<Score> scores_of(const Run& left, const Run& right) {
    using Value = std::optional<double>;
    const auto score = [&](const char* name, const char* field, int ranked, auto value,
                           bool percent = false) {
        return Score{name, field, value(left), value(right), ranked, percent};
    };
    const auto total = [](auto member) {
        return [member](const Run& run) -> Value { return run.analysis.totals.*member; };
    };
    return {
        score("threads", "block", 0, [](const Run& run) -> Value { return run.trace.config.block; }),
        score("steps", "steps", 0, [](const Run& run) -> Value { return double(run.trace.steps.size()); }),
        score("barriers", "barriers", -1,
              [](const Run& run) -> Value { return run.analysis.totals.barriers; }),
        score("load wavefronts", "load_wavefronts", -1, total(&Counts::load_wavefronts)),
        score("store wavefronts", "store_wavefronts", -1, total(&Counts::store_wavefronts)),
        score("load bank conflicts", "load_bank_conflicts", -1, total(&Counts::load_bank_conflicts)),
        score("store bank conflicts", "store_bank_conflicts", -1, total(&Counts::store_bank_conflicts)),
        score("warp shuffles", "shuffles", 0, total(&Counts::shuffle_requests)),
        score(
            "lane efficiency", "lane_efficiency", 1,
            [](const Run& run) -> Value {
                return run.analysis.totals.lane_slots ? Value(run.analysis.totals.lane_efficiency())
                                                      : std::nullopt;
            },
            true),
        score("findings", "findings", -1,
              [](const Run& run) -> Value { return double(run.analysis.findings.size()); }),
        score("cycles, minimum", "cycles_min", -1,
              [](const Run& run) -> Value {
                  return run.trace.cycles ? Value(run.trace.cycles->min) : std::nullopt;
              }),
        score("cycles, median", "cycles_median", -1,
              [](const Run& run) -> Value {
                  return run.trace.cycles ? Value(run.trace.cycles->median) : std::nullopt;
              }),
    };
}

std::vector<std::string> differences_between(const trace::LaunchConfig& x, const trace::LaunchConfig& y) {
    std::vector<std::string> out;
    if (x.op != y.op)
        out.push_back("op");
    if (x.type != y.type)
        out.push_back("type");
    const std::size_t both = std::min(x.values.size(), y.values.size());
    if (x.type == y.type
            ? !std::equal(x.values.begin(), x.values.begin() + std::ptrdiff_t(both), y.values.begin())
            : x.input != y.input)
        out.push_back("data");
    if (x.block != y.block)
        out.push_back("block");
    if (!(x.schedule == y.schedule))
        out.push_back("schedule");
    return out;
}

std::string listed(const std::vector<std::string>& words) {
    std::string out;
    for (std::size_t i = 0; i < words.size(); ++i)
        out += (i == 0 ? "" : i + 1 == words.size() ? " and " : ", ") + words[i];
    return out;
}

ResultDifference difference_of(const Run& left, const Run& right, const std::string& left_name,
                               const std::string& right_name) {
    const trace::LaunchConfig &x = left.trace.config, &y = right.trace.config;
    if (x.op != y.op || x.type != y.type || x.values != y.values)
        return {false, 0, false, -1,
                "The two differ in " + listed(differences_between(x, y)) +
                    ", so their results cannot be compared."};
    if (left.analysis.results.empty() || right.analysis.results.empty())
        return {false, 0, false, -1, "One of the two has no result."};
    ResultDifference difference{true, 0, false, -1, ""};
    const std::size_t calls = std::min(left.analysis.results.size(), right.analysis.results.size());
    std::size_t call = 0;
    while (call < calls && left.analysis.results[call].bits == right.analysis.results[call].bits)
        ++call;
    const bool equal = call == calls;
    const std::string races = races_of(left, right, left_name, right_name);
    if (equal) {
        const std::size_t most = std::max(left.analysis.results.size(), right.analysis.results.size());
        difference.reason =
            (calls == 1 && most == 1 ? std::string("The two results are equal, bit for bit.")
             : calls == most         ? "All " + std::to_string(calls) + " results are equal, bit for bit."
             : calls == 1            ? std::string("The first results are equal, bit for bit.")
                          : "The first " + std::to_string(calls) + " results are equal, bit for bit.") +
            races;
        return difference;
    }
    difference.call = int(call);
    const CallResult &p = left.analysis.results[call], &q = right.analysis.results[call];
    difference.ulp = ulps_between(p.bits, q.bits, x.type);
    const std::string number = calls > 1 ? " " + std::to_string(call + 1) : "";
    if (!p.correct || !q.correct) {
        difference.reason = (p.correct        ? right_name + "'s result" + number
                             : q.correct      ? left_name + "'s result" + number
                             : number.empty() ? std::string("Each of the two results")
                                              : "Result" + number + " of both") +
                            " is wrong; its findings say why." + races;
        return difference;
    }
    const Order m = order_of(left.trace, int(call)), n = order_of(right.trace, int(call));
    difference.by_order = m.shape != n.shape;
    difference.reason =
        (number.empty() ? "" : "The results of call" + number + " differ. ") +
        (difference.by_order ? "Float additions round, and the two add in different orders: " + left_name +
                                   " " + last_of(m) + ", " + right_name + " " + last_of(n) + "."
                             : "The two add in the same order, yet their results differ.") +
        races;
    return difference;
}

}  // namespace auditorium::analysis
