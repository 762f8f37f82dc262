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
        return {false, 0, false,
                "The two differ in " + listed(differences_between(x, y)) +
                    ", so their results cannot be compared."};
    if (left.analysis.results.empty() || right.analysis.results.empty())
        return {false, 0, false, "One of the two has no result."};
    ResultDifference difference{true, 0, false, ""};
    const CallResult &p = left.analysis.results[0], &q = right.analysis.results[0];
    difference.ulp = ulps_between(p.bits, q.bits, x.type);
    if (p.bits == q.bits) {
        difference.reason = "The two results are equal, bit for bit.";
        return difference;
    }
    if (!p.correct || !q.correct) {
        difference.reason = (p.correct   ? right_name + "'s result"
                             : q.correct ? left_name + "'s result"
                                         : std::string("Each of the two results")) +
                            " is wrong; its findings say why.";
        return difference;
    }
    const Order m = order_of(left.trace, 0), n = order_of(right.trace, 0);
    difference.by_order = m.shape != n.shape;
    difference.reason = difference.by_order
                            ? "Float additions round, and the two add in different orders: " + left_name +
                                  " " + last_of(m) + ", " + right_name + " " + last_of(n) + "."
                            : "The two add in the same order, yet their results differ.";
    return difference;
}

}  // namespace auditorium::analysis
