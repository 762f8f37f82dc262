// float32 and int32 arithmetic on bits, as PTX defines it and an H200 does it, whatever the host's processor
// does: every NaN that is made is 0x7fffffff; max and min prefer a number to a NaN and order the zeros (-0 <
// +0); denormals are kept; integers wrap; shifts by 32 or more leave nothing (or the sign); conversions to
// integers saturate and turn NaN into 0; an integer divided by zero gives all ones.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace auditorium::simt {

using Bits = std::uint32_t;

inline constexpr Bits canonical_nan = 0x7fffffffu;

inline float as_float(Bits bits) {
    return std::bit_cast<float>(bits);
}
inline std::int32_t as_int(Bits bits) {
    return static_cast<std::int32_t>(bits);
}
inline Bits bits_of(float value) {
    return std::bit_cast<Bits>(value);
}
inline Bits bits_of(std::int32_t value) {
    return static_cast<Bits>(value);
}
inline bool is_nan(Bits bits) {
    return (bits & 0x7fffffffu) > 0x7f800000u;
}
inline Bits canonical(float value) {
    return value != value ? canonical_nan : bits_of(value);
}

inline Bits add_float(Bits a, Bits b) {
    return canonical(as_float(a) + as_float(b));
}
inline Bits sub_float(Bits a, Bits b) {
    return canonical(as_float(a) - as_float(b));
}
inline Bits mul_float(Bits a, Bits b) {
    return canonical(as_float(a) * as_float(b));
}
inline Bits div_float(Bits a, Bits b) {
    return canonical(as_float(a) / as_float(b));
}

inline Bits max_float(Bits a, Bits b) {
    if (is_nan(a))
        return is_nan(b) ? canonical_nan : b;
    if (is_nan(b))
        return a;
    const float x = as_float(a), y = as_float(b);
    return x > y ? a : y > x ? b : a & b;  // equal: the same bits, or zeros, of which +0 is the larger
}
inline Bits min_float(Bits a, Bits b) {
    if (is_nan(a))
        return is_nan(b) ? canonical_nan : b;
    if (is_nan(b))
        return a;
    const float x = as_float(a), y = as_float(b);
    return x < y ? a : y < x ? b : a | b;
}

inline Bits max_int(Bits a, Bits b) {
    return as_int(a) > as_int(b) ? a : b;
}
inline Bits min_int(Bits a, Bits b) {
    return as_int(a) < as_int(b) ? a : b;
}

inline Bits div_int(Bits a, Bits b) {
    if (b == 0)
        return ~Bits(0);
    if (b == ~Bits(0))
        return Bits(0) - a;
    return bits_of(as_int(a) / as_int(b));
}
inline Bits rem_int(Bits a, Bits b) {
    if (b == 0)
        return a;
    if (b == ~Bits(0))
        return 0;
    return bits_of(as_int(a) % as_int(b));
}
inline Bits div_unsigned(Bits a, Bits b) {
    return b == 0 ? ~Bits(0) : a / b;
}
inline Bits rem_unsigned(Bits a, Bits b) {
    return b == 0 ? a : a % b;
}
inline Bits shift_left(Bits a, Bits b) {
    return b > 31 ? 0 : a << b;
}
inline Bits shift_right_unsigned(Bits a, Bits b) {
    return b > 31 ? 0 : a >> b;
}
inline Bits shift_right_int(Bits a, Bits b) {
    return bits_of(as_int(a) >> (b > 31 ? 31 : b));
}

inline Bits int_of_float(Bits a) {
    const float x = as_float(a);
    if (x != x)
        return 0;
    if (x >= 2147483648.0f)
        return 0x7fffffffu;
    if (x < -2147483648.0f)
        return 0x80000000u;
    return bits_of(static_cast<std::int32_t>(x));
}
inline Bits unsigned_of_float(Bits a) {
    const float x = as_float(a);
    if (!(x > 0))
        return 0;
    if (x >= 4294967296.0f)
        return ~Bits(0);
    return static_cast<Bits>(x);
}
inline Bits float_of_int(Bits a) {
    return bits_of(static_cast<float>(as_int(a)));
}
inline Bits float_of_unsigned(Bits a) {
    return bits_of(static_cast<float>(a));
}

}  // namespace auditorium::simt
