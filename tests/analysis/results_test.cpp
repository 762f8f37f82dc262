#include "analysis/results.h"

#include <cmath>
#include <limits>

#include "make_trace.h"

namespace auditorium::analysis {
namespace {

using testing::bits;
using testing::Machine;
using trace::Op;
using trace::Type;

trace::LaunchConfig floats(Op op, std::vector<float> values) {
    trace::LaunchConfig config;
    config.op = op;
    config.block = int(values.size());
    for (const float value : values)
        config.values.push_back(bits(value));
    return config;
}
trace::LaunchConfig ints(Op op, std::vector<std::int32_t> values) {
    trace::LaunchConfig config;
    config.op = op;
    config.type = Type::i32;
    config.block = int(values.size());
    for (const std::int32_t value : values)
        config.values.push_back(std::uint32_t(value));
    return config;
}

constexpr float inf = std::numeric_limits<float>::infinity();
const float nan = std::numeric_limits<float>::quiet_NaN();
constexpr std::uint32_t canonical = 0x7fffffffu;

TEST(Results, MaximumAndMinimumOrderTheZeros) {
    EXPECT_EQ(reference_of(floats(Op::max, {-0.f, 0.f}), 0).bits, bits(0.f));
    EXPECT_EQ(reference_of(floats(Op::max, {0.f, -0.f}), 0).bits, bits(0.f));
    EXPECT_EQ(reference_of(floats(Op::min, {-0.f, 0.f}), 0).bits, bits(-0.f));
    EXPECT_EQ(reference_of(floats(Op::min, {0.f, -0.f}), 0).bits, bits(-0.f));
    EXPECT_EQ(reference_of(floats(Op::max, {-1.f, -2.f}), 0).bits, bits(-1.f));
}

TEST(Results, ANanLosesAndAllNansGiveTheCanonicalOne) {
    EXPECT_EQ(reference_of(floats(Op::max, {nan, -inf}), 0).bits, bits(-inf));
    EXPECT_EQ(reference_of(floats(Op::min, {3.f, nan}), 0).bits, bits(3.f));
    EXPECT_EQ(reference_of(floats(Op::max, {nan, -nan}), 0).bits, canonical);
    EXPECT_EQ(reference_of(floats(Op::max, {nan}), 0).bits, bits(nan)) << "nothing is combined";
}

TEST(Results, SumsOfNansAndInfinities) {
    EXPECT_EQ(reference_of(floats(Op::sum, {1.f, nan}), 0).bits, canonical);
    EXPECT_EQ(reference_of(floats(Op::sum, {inf, -inf}), 0).bits, canonical);
    EXPECT_EQ(reference_of(floats(Op::sum, {inf, 1.f, inf}), 0).bits, bits(inf));
    EXPECT_EQ(reference_of(floats(Op::sum, {-0.f, -0.f}), 0).bits, bits(-0.f));
    EXPECT_EQ(reference_of(floats(Op::sum, {-0.f, 0.f}), 0).bits, bits(0.f));
}

TEST(Results, TheReferenceKeepsWhatDoubleAloneWouldLose) {
    // 2^100 and its opposite hide 1 from a plain double sum.
    EXPECT_EQ(reference_of(floats(Op::sum, {0x1p100f, 1.f, -0x1p100f}), 0).value, 1.0);
    EXPECT_EQ(reference_of(floats(Op::sum, {0x1p-149f, 0x1p-149f}), 0).bits, bits(0x1p-148f)) << "denormals";
}

TEST(Results, IntSumsWrapAndSaySo) {
    const Reference r = reference_of(ints(Op::sum, {2147483647, 1}), 0);
    EXPECT_TRUE(r.wrapped);
    EXPECT_EQ(r.exact, 2147483648);
    EXPECT_EQ(r.bits, 0x80000000u);
    EXPECT_TRUE(is_correct(0x80000000u, r, Type::i32, 2, 1));
    EXPECT_FALSE(is_correct(0x7fffffffu, r, Type::i32, 2, 1));
    EXPECT_FALSE(reference_of(ints(Op::sum, {2147483646, 1}), 0).wrapped);
    EXPECT_EQ(reference_of(ints(Op::min, {3, -7, 5}), 0).exact, -7);
}

TEST(Results, MaximumMustBeExact) {
    const Reference r = reference_of(floats(Op::max, {1.f, 2.f}), 0);
    EXPECT_TRUE(is_correct(bits(2.f), r, Type::f32, 2, 1));
    EXPECT_FALSE(is_correct(bits(std::nextafter(2.f, 3.f)), r, Type::f32, 2, 1));
    const Reference zero = reference_of(floats(Op::max, {-0.f, 0.f}), 0);
    EXPECT_FALSE(is_correct(bits(-0.f), zero, Type::f32, 2, 1)) << "equal, yet not the same bits";
}

TEST(Results, AFloatSumMayBeOffByItsBoundAndNoMore) {
    std::vector<float> values(256, 0.1f);
    const trace::LaunchConfig config = floats(Op::sum, values);
    const Reference r = reference_of(config, 0);
    const double exact = 256 * double(0.1f);
    EXPECT_DOUBLE_EQ(r.value, exact);
    const double u = 0x1p-24, bound = 8 * u / (1 - 8 * u) * exact;
    EXPECT_TRUE(is_correct(bits(float(exact + 0.9 * bound)), r, Type::f32, 256, 8));
    EXPECT_FALSE(is_correct(bits(float(exact + 1.1 * bound)), r, Type::f32, 256, 8));
    EXPECT_TRUE(is_correct(bits(float(exact + 1.1 * bound)), r, Type::f32, 256, 255)) << "one after another";
}

TEST(Results, EveryOrderOfAdditionIsWithinItsBound) {
    // Values over many magnitudes and both signs, added as a tree and one after another.
    std::vector<float> values;
    std::uint32_t x = 1;
    for (int i = 0; i < 1024; ++i) {
        x = x * 1664525u + 1013904223u;
        values.push_back(std::ldexp(float(std::int32_t(x)) / 3.f, int(x >> 27) - 16));
    }
    const Reference r = reference_of(floats(Op::sum, values), 0);
    float serial = 0;
    for (const float value : values)
        serial += value;
    EXPECT_TRUE(is_correct(bits(serial), r, Type::f32, 1024, 1023));
    std::vector<float> tree = values;
    for (std::size_t s = 512; s > 0; s /= 2)
        for (std::size_t i = 0; i < s; ++i)
            tree[i] += tree[i + s];
    EXPECT_TRUE(is_correct(bits(tree[0]), r, Type::f32, 1024, 10));
}

TEST(Results, ASumThatOverflowsOnTheWayIsNotCorrect) {
    const Reference r = reference_of(floats(Op::sum, {3e38f, 3e38f, -3e38f}), 0);
    EXPECT_TRUE(std::isfinite(r.value));
    EXPECT_FALSE(is_correct(bits(inf), r, Type::f32, 3, 2));
    const Reference over = reference_of(floats(Op::sum, {3e38f, 3e38f}), 0);
    EXPECT_TRUE(is_correct(bits(inf), over, Type::f32, 2, 1)) << "the exact sum is out of range too";
}

TEST(Results, UlpsCountTheValuesBetween) {
    EXPECT_EQ(ulps_between(bits(1.f), bits(1.f), Type::f32), 0);
    EXPECT_EQ(ulps_between(bits(1.f), bits(std::nextafter(1.f, 2.f)), Type::f32), 1);
    EXPECT_EQ(ulps_between(bits(-0.f), bits(0.f), Type::f32), 1);
    EXPECT_EQ(ulps_between(bits(-0x1p-149f), bits(0x1p-149f), Type::f32), 3);
    EXPECT_EQ(ulps_between(canonical, bits(nan), Type::f32), 0);
    EXPECT_EQ(ulps_between(canonical, bits(1.f), Type::f32), std::numeric_limits<std::int64_t>::max());
    EXPECT_EQ(ulps_between(0x80000000u, 0x7fffffffu, Type::i32), 4294967295);
}

TEST(Results, TheSecondOfTwoPassesIsTheSumOfDistances) {
    trace::LaunchConfig config = floats(Op::max, {1.f, 4.f, 2.f});
    config.kernel = "back_to_back";
    config.calls = 2;
    EXPECT_EQ(reference_of(config, 0).value, 4.0);
    EXPECT_EQ(reference_of(config, 1).value, 3.0 + 0.0 + 2.0);
    trace::LaunchConfig whole = ints(Op::sum, {1, 4, 2});
    whole.kernel = "back_to_back";
    EXPECT_EQ(reference_of(whole, 1).exact, 6 + 3 + 5);
    config.kernel = "contiguous_warp";
    EXPECT_EQ(reference_of(config, 1).value, 4.0) << "any other kernel's second call is the first again";
}

TEST(Results, WhereTheyComeFromIsKept) {
    Machine m(4);
    testing::stage(m);
    testing::halve(m, 2);
    testing::halve(m, 1);
    testing::everyone_reads_box_0(m);
    trace::Trace trace = m.finish();
    CallResult result = result_of(trace, 0, 2);
    EXPECT_EQ(result.bits, 6u);
    EXPECT_TRUE(result.correct);
    EXPECT_TRUE(result.all_threads_agree);
    EXPECT_EQ(result.reference_int, 6);
    EXPECT_FALSE(result.plain.has_value());
    EXPECT_FALSE(result.traced.has_value());
    EXPECT_EQ(result.simulated, 6u);

    trace.origin.kind = trace::Origin::Kind::gpu;
    trace.plain_results = {{7, 6, 6, 6}};
    trace.simulated_results = trace.results;
    result = result_of(trace, 0, 2);
    EXPECT_EQ(result.bits, 7u) << "the plain kernel's is the result";
    EXPECT_EQ(result.traced, 6u);
    EXPECT_EQ(result.simulated, 6u);
    EXPECT_FALSE(result.correct);
    EXPECT_FALSE(result.all_threads_agree);
    EXPECT_EQ(result.ulp, 1);
}

TEST(Results, AWrongOneThatNothingElseExplainsIsAFinding) {
    Machine m(4);
    testing::stage(m);
    testing::halve(m, 2);
    testing::halve(m, 1);
    testing::everyone_reads_box_0(m);
    trace::Trace trace = m.finish();
    EXPECT_TRUE(analyze(trace).findings.empty());
    trace.origin.kind = trace::Origin::Kind::gpu;
    trace.plain_results = {{7, 7, 7, 7}};
    const Analysis a = analyze(trace);
    ASSERT_EQ(a.findings.size(), 1u);
    EXPECT_EQ(a.findings[0].rule, Rule::wrong_result);
}

}  // namespace
}  // namespace auditorium::analysis
