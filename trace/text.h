// Words from outside (the command line, a file) as they may stand in a sentence.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace auditorium {

// The length of the UTF-8 character at the front of `text`, 1 to 4; 0: its first byte begins none.
inline std::size_t character_length(std::string_view text) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    if (text.empty() || byte(0) < 0x80) {
        return text.empty() ? 0 : 1;
    }
    const std::size_t length = byte(0) >= 0xf0 ? 4 : byte(0) >= 0xe0 ? 3 : 2;
    if (byte(0) < 0xc2 || byte(0) > 0xf4 || length > text.size()) {
        return 0;
    }
    std::uint32_t code = byte(0) & (0xffu >> (length + 1));
    for (std::size_t i = 1; i < length; ++i) {
        if ((byte(i) & 0xc0) != 0x80) {
            return 0;
        }
        code = code << 6 | (byte(i) & 0x3fu);
    }
    const std::uint32_t smallest = length == 4 ? 0x10000 : length == 3 ? 0x800 : 0x80;
    return code < smallest || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff) ? 0 : length;
}

// UTF-8 without control characters other than tab and line ends, so that it can go into JSON and onto a
// terminal. What a trace holds as text is.
inline bool is_text(std::string_view text) {
    while (!text.empty()) {
        const std::size_t length = character_length(text);
        const auto first = static_cast<unsigned char>(text[0]);
        const bool control = first < ' ' && first != '\n' && first != '\t' && first != '\r';
        if (length == 0 || control || first == 127) {
            return false;
        }
        text.remove_prefix(length);
    }
    return true;
}

// One line of UTF-8: a question mark stands for each byte that is no part of a character, for each control
// character (those of Unicode's C1 block too), and for what turns the direction of the text around.
inline std::string printable(std::string_view text) {
    std::string out;
    while (!text.empty()) {
        const std::size_t length = character_length(text);
        const std::string_view character = text.substr(0, length == 0 ? 1 : length);
        const bool control = length == 1 && (static_cast<unsigned char>(text[0]) < ' ' || text[0] == 127);
        const bool control_1 =
            length == 2 && character[0] == '\xc2' && static_cast<unsigned char>(character[1]) < 0xa0;
        const bool turns = length == 3 && (character == "\u2028" || character == "\u2029" ||
                                           (character >= "\u202a" && character <= "\u202e") ||
                                           (character >= "\u2066" && character <= "\u2069"));
        out += length == 0 || control || control_1 || turns ? "?" : character;
        text.remove_prefix(character.size());
    }
    return out;
}

// Printable, at most `longest` bytes of whole characters, between single quotes.
inline std::string in_quotes(std::string_view text, std::size_t longest = 40) {
    std::size_t end = text.size();
    if (end > longest) {
        end = longest;
        while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) {
            --end;
        }
        end = end == 0 || end + 4 < longest ? longest : end;  // no UTF-8: cut anywhere
    }
    std::string out = "'";  // g++ 12 warns of nothing where this is one sum of strings
    out += printable(text.substr(0, end));
    out += text.size() > end ? "...'" : "'";
    return out;
}

}  // namespace auditorium
