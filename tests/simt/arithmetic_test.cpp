// float32 and int32 on bits. The expected results are those of PTX (max.f32, min.f32, add.rn.f32), by the
// rules that were measured on an H200.
#include "simt/arithmetic.h"

#include <cfenv>

#include "tests/simt/support.h"

namespace auditorium::simt {
namespace {

using trace::Op;
using trace::Type;

constexpr Bits plus_zero = 0x00000000, minus_zero = 0x80000000, one = 0x3f800000, minus_one = 0xbf800000;
constexpr Bits infinity = 0x7f800000, minus_infinity = 0xff800000;
constexpr Bits quiet = 0x7fc00000, minus_quiet = 0xffc00000, payload = 0x7fc12345, signalling = 0x7f800001,
               minus_signalling = 0xffa00000, canonical_ = 0x7fffffff;
constexpr Bits tiny = 0x00000001, minus_tiny = 0x80000001;  // the smallest denormals
constexpr Bits largest_denormal = 0x007fffff, smallest_normal = 0x00800000;
constexpr Bits largest = 0x7f7fffff, minus_largest = 0xff7fffff;
constexpr Bits two = 0x40000000;

struct Row {
    Bits a, b, max, min, sum;
};
constexpr Row rows[] = {
    // zeros are ordered
    {minus_zero, plus_zero, plus_zero, minus_zero, plus_zero},
    {plus_zero, plus_zero, plus_zero, plus_zero, plus_zero},
    {minus_zero, minus_zero, minus_zero, minus_zero, minus_zero},
    {minus_zero, one, one, minus_zero, one},
    {plus_zero, minus_one, plus_zero, minus_one, minus_one},
    // one NaN loses, whatever its sign, payload and kind; a sum with one is canonical
    {quiet, one, one, one, canonical_},
    {minus_quiet, one, one, one, canonical_},
    {payload, minus_zero, minus_zero, minus_zero, canonical_},
    {signalling, minus_infinity, minus_infinity, minus_infinity, canonical_},
    {minus_signalling, tiny, tiny, tiny, canonical_},
    {canonical_, infinity, infinity, infinity, canonical_},
    // two NaNs are canonical
    {quiet, quiet, canonical_, canonical_, canonical_},
    {payload, minus_quiet, canonical_, canonical_, canonical_},
    {signalling, minus_signalling, canonical_, canonical_, canonical_},
    // infinities
    {infinity, minus_infinity, infinity, minus_infinity, canonical_},
    {infinity, infinity, infinity, infinity, infinity},
    {minus_infinity, minus_infinity, minus_infinity, minus_infinity, minus_infinity},
    {infinity, largest, infinity, largest, infinity},
    {minus_infinity, one, one, minus_infinity, minus_infinity},
    // denormals are kept
    {tiny, plus_zero, tiny, plus_zero, tiny},
    {tiny, minus_zero, tiny, minus_zero, tiny},
    {minus_tiny, plus_zero, plus_zero, minus_tiny, minus_tiny},
    {minus_tiny, minus_zero, minus_zero, minus_tiny, minus_tiny},
    {tiny, tiny, tiny, tiny, 0x00000002},
    {tiny, minus_tiny, tiny, minus_tiny, plus_zero},
    {largest_denormal, tiny, largest_denormal, tiny, smallest_normal},
    {smallest_normal, minus_tiny, smallest_normal, minus_tiny, largest_denormal},
    // rounding to nearest, ties to even, and overflow
    {one, one, one, one, two},
    {one, minus_one, one, minus_one, plus_zero},
    {0x4b800000, one, 0x4b800000, one, 0x4b800000},  // 2^24 + 1: a tie, to even
    {0x4b800001, one, 0x4b800001, one, 0x4b800002},  // 2^24 + 2 + 1: a tie, to even
    {largest, largest, largest, largest, infinity},
    {minus_largest, minus_largest, minus_largest, minus_largest, minus_infinity},
    {largest, minus_largest, largest, minus_largest, plus_zero},
};

TEST(Arithmetic, floats_are_those_of_ptx) {
    for (const Row& row : rows)
        for (const bool swapped : {false, true}) {
            const Bits a = swapped ? row.b : row.a, b = swapped ? row.a : row.b;
            SCOPED_TRACE(testing::Message() << std::hex << a << " " << b);
            EXPECT_EQ(max_float(a, b), row.max);
            EXPECT_EQ(min_float(a, b), row.min);
            EXPECT_EQ(add_float(a, b), row.sum);
        }
}

// The same table through a kernel: two threads, so that op(a, b) is what both return.
TEST(Arithmetic, a_kernel_computes_with_them) {
    for (const char* id : {"contiguous_full", "contiguous_any"})
        for (const Row& row : rows)
            for (const Op op : {Op::max, Op::min, Op::sum}) {
                trace::LaunchConfig config = config_for(id, op, Type::f32, 2, "ones");
                config.values = {row.a, row.b};
                const auto trace = run_kernel(config);
                ASSERT_TRUE(trace) << trace.error().sentence;
                const Bits expected = op == Op::max ? row.max : op == Op::min ? row.min : row.sum;
                EXPECT_EQ(trace->results[0], (std::vector<Bits>{expected, expected}))
                    << id << " " << trace::name_of(op) << " " << std::hex << row.a << " " << row.b;
            }
}

TEST(Arithmetic, nan_from_sub_mul_and_div_is_canonical) {
    EXPECT_EQ(sub_float(infinity, infinity), canonical_);
    EXPECT_EQ(sub_float(minus_quiet, one), canonical_);
    EXPECT_EQ(mul_float(plus_zero, infinity), canonical_);
    EXPECT_EQ(div_float(plus_zero, minus_zero), canonical_);
    EXPECT_EQ(div_float(one, minus_zero), minus_infinity);
    EXPECT_EQ(mul_float(largest_denormal, 0x3f000000), 0x00400000u);  // denormal results are kept
}

TEST(Arithmetic, integers_wrap) {
    const Bits smallest = 0x80000000, greatest = 0x7fffffff;
    EXPECT_EQ(max_int(smallest, 1), 1u);
    EXPECT_EQ(min_int(smallest, 1), smallest);
    EXPECT_EQ(div_int(smallest, ~0u), smallest);
    EXPECT_EQ(rem_int(smallest, ~0u), 0u);
    EXPECT_EQ(div_int(7, 0), ~0u);
    EXPECT_EQ(rem_int(7, 0), 7u);
    EXPECT_EQ(div_int(bits_of(-7), 2), bits_of(-3));
    EXPECT_EQ(rem_int(bits_of(-7), 2), bits_of(-1));
    EXPECT_EQ(shift_left(1, 32), 0u);
    EXPECT_EQ(shift_left(1, 31), smallest);
    EXPECT_EQ(shift_right_int(smallest, 40), ~0u);
    EXPECT_EQ(shift_right_unsigned(smallest, 31), 1u);
    EXPECT_EQ(shift_right_unsigned(~0u, 32), 0u);
    const auto trace = [&](Op op) {
        trace::LaunchConfig config = config_for("contiguous_full", op, Type::i32, 2, "ones");
        config.values = {greatest, 1};
        return run_kernel(config)->results[0][0];
    };
    EXPECT_EQ(trace(Op::sum), smallest);
    EXPECT_EQ(trace(Op::max), greatest);
}

TEST(Arithmetic, conversions_saturate) {
    EXPECT_EQ(int_of_float(quiet), 0u);
    EXPECT_EQ(int_of_float(infinity), 0x7fffffffu);
    EXPECT_EQ(int_of_float(minus_infinity), 0x80000000u);
    EXPECT_EQ(int_of_float(bits_of(2147483648.0f)), 0x7fffffffu);
    EXPECT_EQ(int_of_float(bits_of(-2147483648.0f)), 0x80000000u);
    EXPECT_EQ(int_of_float(bits_of(-1.9f)), bits_of(-1));
    EXPECT_EQ(unsigned_of_float(bits_of(-1.9f)), 0u);
    EXPECT_EQ(unsigned_of_float(bits_of(4294967296.0f)), ~0u);
    EXPECT_EQ(unsigned_of_float(bits_of(3000000000.0f)), 3000000000u);
    EXPECT_EQ(float_of_int(bits_of(-16777217)), bits_of(-16777216.0f));
    EXPECT_EQ(float_of_unsigned(~0u), bits_of(4294967296.0f));
}

// Special values through every correct kernel: the order of the operands never shows.
TEST(Arithmetic, special_values_go_through_every_kernel) {
    const Bits specials[] = {minus_zero,       quiet, tiny,       minus_tiny, plus_zero,
                             largest_denormal, one,   minus_quiet};
    for (const kernels::Kernel& kernel : kernels::all()) {
        if (!kernel.correct)
            continue;
        for (const Op op : {Op::max, Op::min}) {
            trace::LaunchConfig config = config_for(std::string(kernel.id), op, Type::f32, 64, "ones");
            Bits expected = specials[0];
            for (std::size_t i = 0; i < config.values.size(); ++i) {
                config.values[i] = specials[(i * 5) % std::size(specials)];
                if (op == Op::min && config.values[i] == minus_tiny)
                    config.values[i] = minus_zero;
                if (op == Op::max && config.values[i] == one)
                    config.values[i] = minus_one;
                expected = i == 0 ? config.values[0]
                                  : (op == Op::max ? max_float : min_float)(expected, config.values[i]);
            }
            EXPECT_EQ(expected, op == Op::max ? largest_denormal : minus_zero);
            const auto trace = run_kernel(config);
            ASSERT_TRUE(trace);
            EXPECT_EQ(trace->results[0], std::vector<Bits>(64, expected)) << kernel.id;
        }
    }
}

}  // namespace
}  // namespace auditorium::simt
