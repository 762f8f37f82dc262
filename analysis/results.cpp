#include "analysis/results.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <limits>

namespace auditorium::analysis {

using trace::Op;
using trace::Type;

namespace {

constexpr std::uint32_t canonical_nan = 0x7fffffffu;

bool is_nan(std::uint32_t bits) {
    return (bits & 0x7fffffffu) > 0x7f800000u;
}

// Order of the floats as integers: ascending, -0 just below +0.
std::int64_t rank_of(std::uint32_t bits) {
    return bits & 0x80000000u ? -std::int64_t(bits & 0x7fffffffu) - 1 : std::int64_t(bits);
}

double float_of(std::uint32_t bits) {
    return double(std::bit_cast<float>(bits));
}

std::uint32_t bits_of(double value) {
    return std::isnan(value) ? canonical_nan : std::bit_cast<std::uint32_t>(float(value));
}

std::uint32_t best_float(const std::vector<std::uint32_t>& values, Op op) {
    if (values.size() == 1)
        return values[0];  // nothing is combined: a NaN keeps its payload
    bool any = false;
    std::uint32_t best = canonical_nan;
    for (const std::uint32_t bits : values) {
        if (is_nan(bits))
            continue;
        const bool better = op == Op::max ? rank_of(bits) > rank_of(best) : rank_of(bits) < rank_of(best);
        if (!any || better)
            best = bits;
        any = true;
    }
    return best;
}

// Neumaier's sum: as good as twice the precision of double, then rounded once.
struct Sum {
    double sum = 0, lost = 0, magnitudes = 0;
    bool first = true;
    void add(double x) {
        magnitudes += std::abs(x);
        if (first) {  // keeps the sign of a sum of negative zeros
            sum = x;
            first = false;
            return;
        }
        const double next = sum + x;
        if (std::isfinite(next))
            lost += std::abs(sum) >= std::abs(x) ? (sum - next) + x : (x - next) + sum;
        sum = next;
    }
    double value() const { return lost == 0 || !std::isfinite(sum) ? sum : sum + lost; }
};

// back_to_back returns the best value and then how far the others are from it (kernels/back_to_back.cuh).
bool is_spread(const trace::LaunchConfig& config, int call) {
    return config.kernel == "back_to_back" && call % 2 == 1;
}

double bound_of(const Reference& reference, int threads, int height) {
    constexpr double u = 0x1p-24;
    const double h = std::max(0, std::min(height, threads - 1) + reference.extra_height);
    return h * u / (1 - h * u) * reference.sum_of_magnitudes * (1 + 0x1p-40) + reference.error;
}

}  // namespace

std::int64_t ulps_between(std::uint32_t a, std::uint32_t b, Type type) {
    if (type == Type::i32)
        return std::abs(std::int64_t(std::int32_t(a)) - std::int64_t(std::int32_t(b)));
    if (is_nan(a) || is_nan(b))
        return is_nan(a) && is_nan(b) ? 0 : std::numeric_limits<std::int64_t>::max();
    return std::abs(rank_of(a) - rank_of(b));
}

Reference reference_of(const trace::LaunchConfig& config, int call) {
    Reference reference;
    const bool spread = is_spread(config, call);
    const Op op = config.op;
    if (config.type == Type::i32) {
        std::int64_t exact = 0;
        bool first = true;
        for (const std::uint32_t bits : config.values) {
            const std::int64_t value = std::int32_t(bits);
            if (first)
                exact = value;
            else
                exact = op == Op::sum   ? exact + value
                        : op == Op::max ? std::max(exact, value)
                                        : std::min(exact, value);
            first = false;
        }
        if (spread) {
            const std::int64_t best = exact;
            exact = 0;
            for (const std::uint32_t bits : config.values)
                exact += best - std::int64_t(std::int32_t(bits));
        }
        reference.exact = exact;
        reference.value = double(exact);
        reference.bits = std::uint32_t(std::uint64_t(exact));
        reference.wrapped = exact < std::numeric_limits<std::int32_t>::min() ||
                            exact > std::numeric_limits<std::int32_t>::max();
        reference.sum = spread || op == Op::sum;
        return reference;
    }

    if (op == Op::sum) {
        Sum sum;
        for (const std::uint32_t bits : config.values)
            sum.add(float_of(bits));
        reference.value = sum.value();
        reference.sum_of_magnitudes = sum.magnitudes;
        reference.bits = config.values.size() == 1 ? config.values[0] : bits_of(reference.value);
        reference.sum = true;
    } else {
        reference.bits = best_float(config.values, op);
        reference.value = float_of(reference.bits);
    }
    if (!spread)
        return reference;

    // The kernel subtracts from the result that it computed, which for a sum is itself off by its bound.
    const int n = int(config.values.size());
    const double best = reference.value;
    const double best_error = reference.sum ? bound_of(reference, n, n - 1) : 0;
    Sum sum;
    for (const std::uint32_t bits : config.values)
        sum.add(best - float_of(bits));
    Reference result;
    result.value = sum.value();
    result.bits = bits_of(result.value);
    result.sum_of_magnitudes = sum.magnitudes + n * best_error;
    result.error = n * best_error;
    result.extra_height = 1;
    result.sum = true;
    return result;
}

bool is_correct(std::uint32_t bits, const Reference& reference, Type type, int threads, int height) {
    if (bits == reference.bits)
        return true;
    if (type == Type::i32 || !reference.sum || is_nan(bits) || is_nan(reference.bits))
        return false;
    const double value = float_of(bits);
    if (!std::isfinite(value) || !std::isfinite(reference.value))
        return false;  // equal infinities were equal bits
    return std::abs(value - reference.value) <= bound_of(reference, threads, height);
}

CallResult result_of(const trace::Trace& trace, int call, std::optional<int> height) {
    CallResult result;
    const std::size_t c = std::size_t(call);
    const auto first_of = [&](const std::vector<std::vector<std::uint32_t>>& all) {
        return c < all.size() && !all[c].empty() ? std::optional(all[c][0]) : std::nullopt;
    };
    result.plain = first_of(trace.plain_results);
    if (trace.origin.kind == trace::Origin::Kind::gpu) {
        result.traced = first_of(trace.results);
        result.simulated = first_of(trace.simulated_results);
    } else {
        result.simulated = first_of(trace.results);
    }
    const auto& returned = result.plain ? trace.plain_results[c] : trace.results[c];
    result.bits = returned[0];
    for (const std::uint32_t bits : returned)
        result.all_threads_agree &= bits == result.bits;
    if (c < trace.result_undefined.size())
        for (const std::uint8_t undefined : trace.result_undefined[c])
            result.undefined |= undefined != 0;

    const Reference reference = reference_of(trace.config, call);
    result.reference = reference.value;
    result.reference_int = reference.exact;
    result.wrapped = reference.wrapped;
    result.ulp = ulps_between(result.bits, reference.bits, trace.config.type);
    result.correct =
        !result.undefined && is_correct(result.bits, reference, trace.config.type, trace.config.block,
                                        height.value_or(trace.config.block - 1));
    return result;
}

}  // namespace auditorium::analysis
