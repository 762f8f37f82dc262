// Words from outside (the command line, a file) as they may stand in a sentence.
#pragma once

#include <string>
#include <string_view>

namespace auditorium {

// Printable, not endless, between single quotes.
inline std::string in_quotes(std::string_view text, std::size_t longest = 40) {
    std::string out = "'";
    for (char c : text.substr(0, longest)) {
        const auto byte = static_cast<unsigned char>(c);
        out += (byte >= ' ' && byte != 127) ? c : '?';
    }
    return out + (text.size() > longest ? "...'" : "'");
}

}  // namespace auditorium
