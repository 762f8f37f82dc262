// How wide a text will be, and how a value is written in little room. The scene is laid out without a font
// library, so it knows the advance widths of Inter (printable ASCII) and that JetBrains Mono's are 0.6 of its
// size. Sizes are em sizes, as in the style sheet.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "app/scene/shape.h"
#include "trace/config.h"

namespace auditorium::scene {

float text_width(Font font, float size, std::string_view text);

// A value in at most 7 characters: "948", "-12", "12.8k", "0.33", "1e-09", "nan", "inf".
struct ShortText {
    std::array<char, 7> text{};
    std::uint8_t length = 0;
    std::string_view view() const { return {text.data(), length}; }
};

// A number of at most three digits in a unit that its whole board shares, a power of 1000 that is said once:
// where plain numbers do not fit their boxes. 1242 in thousands is 1.24, 571 is .571. The point and the minus
// are drawn narrow, so the number is hardly wider than its digits.
struct Numeral {
    std::array<char, 3> digit{};
    std::uint8_t length = 0;
    std::uint8_t before_point = 3;  // digits before the point; == length: no point
    bool negative = false;
    bool point() const { return before_point < length; }
};
inline constexpr float point_advance = 0.3f, minus_advance = 0.38f;  // of the size

// `digits`: 2 or 3 significant ones; a whole part is never cut. The value must be below 999.5 units.
Numeral numeral_of(double value, int power, int digits);
// The power of 1000 in which a magnitude is below 999.5 and not below 0.9995; within -2..5.
int unit_of(double magnitude);
// "thousands", "" for ones.
std::string_view unit_name(int power);

// The same value with all its digits, for a sentence (trace::value_text).
std::string exact_number(std::uint32_t bits, trace::Type type);

double as_double(std::uint32_t bits, trace::Type type);
ShortText short_number(std::uint32_t bits, trace::Type type);

}  // namespace auditorium::scene
