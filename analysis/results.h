// Results: what was returned, beside a reference that does not depend on the order of folding.
//
// max, min: the exact one of the inputs. As on the GPU a NaN loses, all NaNs give the canonical NaN
// 0x7fffffff, and +0 > -0. Compared bit for bit.
// int sum: exact in int64, then wrapped to int32; compared bit for bit.
// float sum: added in double with Neumaier's compensation. Correct if
//     |computed - exact| <= gamma(h) * sum |x_i|,  gamma(h) = h*u / (1 - h*u),  u = 2^-24,
// with h the height of the tree of additions (each input goes through at most h of them, each with a relative
// error of at most u; additions are exact where they underflow): Higham, Accuracy and Stability of Numerical
// Algorithms, 2nd ed., lemma 3.1 and section 4.2. Where the tree is not known, or does not fold every input
// once, h = n - 1, which holds for every order. NaN and infinity are compared as such; a sum that overflows
// although the exact one does not is not correct.
// back_to_back's second result is the sum of (first result - input), whatever op is; h counts the
// subtraction.
#pragma once

#include "analysis/analysis.h"
#include "analysis/provenance.h"

namespace auditorium::analysis {

// Distance in units of the last place: how many values of the type lie between. -0 and +0 are neighbours.
// A NaN is infinitely far (INT64_MAX) from everything but a NaN.
std::int64_t ulps_between(std::uint32_t a, std::uint32_t b, trace::Type type);

// What a call should have returned.
struct Reference {
    double value = 0;              // float; for int the same number, as near as a double can
    std::int64_t exact = 0;        // int
    std::uint32_t bits = 0;        // rounded or wrapped to the type
    bool wrapped = false;          // int: `exact` does not fit
    double sum_of_magnitudes = 0;  // float sum: sum |x_i|
    double error = 0;              // float: how far `value` itself may be off what the kernel was given
    int extra_height = 0;          // roundings of each summand before the first addition
    bool sum = false;              // a sum (else max or min)
};
Reference reference_of(const trace::LaunchConfig& config, int call);

bool is_correct(std::uint32_t bits, const Reference& reference, trace::Type type, int threads, int height);

// `height`: combines on the longest way to the call's result; empty where that is not known.
CallResult result_of(const trace::Trace& trace, int call, std::optional<int> height);

}  // namespace auditorium::analysis
