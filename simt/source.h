// Places in a kernel's text.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

namespace auditorium::simt {

// A half-open range of bytes, and the line and column (both from 1; a column is a byte) of its begin.
struct Range {
    std::uint32_t begin = 0, end = 0;
    std::uint32_t line = 1, column = 1;
};

inline Range join(const Range& first, const Range& last) {
    return Range{first.begin, last.end, first.line, first.column};
}

// What is wrong with a text: one sentence and its place.
struct SourceError {
    Range range;
    std::string sentence;
};

template <typename T>
using Parsed = tl::expected<T, SourceError>;

// Bounds on what the interpreter takes in, so that hostile text costs little time and memory and no stack.
inline constexpr std::size_t max_source_bytes = 256 * 1024;
inline constexpr std::uint32_t max_source_lines = 32767;
inline constexpr int max_nesting = 128;  // of statements, and of expressions

}  // namespace auditorium::simt
