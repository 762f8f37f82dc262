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

// The same value with all its digits, for a sentence (trace::value_text).
std::string exact_number(std::uint32_t bits, trace::Type type);

double as_double(std::uint32_t bits, trace::Type type);
ShortText short_number(std::uint32_t bits, trace::Type type);

}  // namespace auditorium::scene
