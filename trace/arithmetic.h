// op(a, b) of the three ops on the bits of float32 and int32, as PTX's max, min and add have it: one NaN
// loses, two (or a sum that is none) give 0x7fffffff, +0 > -0, denormals are kept, int sums wrap.
#pragma once

#include <bit>
#include <cstdint>

#include "trace/config.h"

namespace auditorium::trace {

inline std::uint32_t combined(Op op, Type type, std::uint32_t a, std::uint32_t b) {
    constexpr std::uint32_t canonical_nan = 0x7fffffff;
    if (type == Type::i32) {
        const auto x = static_cast<std::int32_t>(a), y = static_cast<std::int32_t>(b);
        return op == Op::sum ? a + b : (op == Op::max) == (x > y) ? a : b;
    }
    const float x = std::bit_cast<float>(a), y = std::bit_cast<float>(b);
    if (op == Op::sum) {
        const float sum = x + y;
        return sum != sum ? canonical_nan : std::bit_cast<std::uint32_t>(sum);
    }
    if (x != x || y != y) {
        return x == x ? a : y == y ? b : canonical_nan;
    }
    if (x == y) {  // the same bits, or zeros of two signs
        return op == Op::max ? a & b : a | b;
    }
    return (op == Op::max) == (x > y) ? a : b;
}

}  // namespace auditorium::trace
