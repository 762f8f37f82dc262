// Turns a kernel's text into tokens. Never fails on size or nesting; an unknown character or a bad number is
// reported with its place.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "simt/source.h"

namespace auditorium::simt {

enum class TokenKind : std::uint8_t { name, integer, real, punctuator, end };

struct Token {
    TokenKind kind = TokenKind::end;
    Range range;
    std::string_view text;      // a piece of the source
    std::uint64_t integer = 0;  // integer: its value
    bool is_unsigned = false;   // integer: written with u, or too large for an int
    bool is_float = false;      // real: written with f
    double real = 0;            // real: its value (rounded to float32 where is_float)
    bool joined = false;        // nothing stands between the token before and this one (for >> in templates)
};

// The tokens of `source`, the last one of kind `end`. Comments and #pragma lines are skipped.
Parsed<std::vector<Token>> tokenize(std::string_view source);

}  // namespace auditorium::simt
