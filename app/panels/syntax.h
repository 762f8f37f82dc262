// The kernel's text cut into coloured pieces, and which lines belong to one statement. Once per trace.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace auditorium::panels {

enum class Token { plain, keyword, call, number, comment };

struct Piece {
    int column = 0;  // from 0
    int length = 0;
    Token token{};
};

struct CodeLine {
    std::string text;
    std::vector<Piece> pieces;
    int statement =
        0;  // number, from 1, of the first line of the statement that this line goes on with; else its own
};

// lines[i] is line i + 1 of the source; tabs become spaces.
std::vector<CodeLine> colour(std::string_view source);

}  // namespace auditorium::panels
