#include "app/panels/syntax.h"

#include <algorithm>
#include <array>

namespace auditorium::panels {
namespace {

constexpr std::array<std::string_view, 37> keywords = {
    "template", "typename",    "class",     "struct",     "const",      "constexpr",  "static",
    "inline",   "void",        "int",       "unsigned",   "float",      "double",     "bool",
    "char",     "long",        "short",     "auto",       "if",         "else",       "for",
    "while",    "do",          "return",    "break",      "continue",   "true",       "false",
    "volatile", "using",       "namespace", "__device__", "__global__", "__shared__", "__forceinline__",
    "__host__", "__restrict__"};

bool starts_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
bool in_word(char c) {
    return starts_word(c) || (c >= '0' && c <= '9');
}

}  // namespace

std::vector<CodeLine> colour(std::string_view source) {
    std::vector<CodeLine> lines;
    bool in_comment = false;  // inside /* */
    int open = 0;             // brackets open since the statement began
    int statement = 1;
    bool goes_on = false;
    while (!source.empty()) {
        const std::size_t end = std::min(source.find('\n'), source.size());
        CodeLine line;
        for (char c : source.substr(0, end)) {
            if (c == '\t')
                line.text.append(4 - line.text.size() % 4, ' ');
            else if (c != '\r')
                line.text += c;
        }
        source.remove_prefix(std::min(end + 1, source.size()));
        const int number = int(lines.size()) + 1;
        if (!goes_on)
            statement = number;
        line.statement = statement;
        const std::string& text = line.text;
        const auto put = [&](std::size_t from, std::size_t to, Token token) {
            if (to > from)
                line.pieces.push_back({int(from), int(to - from), token});
        };
        std::size_t i = 0;
        char last = 0;
        while (i < text.size()) {
            if (in_comment) {
                const std::size_t close = text.find("*/", i);
                const std::size_t to = close == std::string::npos ? text.size() : close + 2;
                put(i, to, Token::comment);
                in_comment = close == std::string::npos;
                i = to;
            } else if (text.compare(i, 2, "//") == 0) {
                put(i, text.size(), Token::comment);
                i = text.size();
            } else if (text.compare(i, 2, "/*") == 0) {
                in_comment = true;
            } else if (starts_word(text[i])) {
                std::size_t to = i;
                while (to < text.size() && in_word(text[to]))
                    ++to;
                const std::string_view word(text.data() + i, to - i);
                std::size_t next = to;
                while (next < text.size() && text[next] == ' ')
                    ++next;
                Token token = Token::plain;
                if (std::find(keywords.begin(), keywords.end(), word) != keywords.end())
                    token = Token::keyword;
                else if (next < text.size() && text[next] == '(')
                    token = Token::call;
                put(i, to, token);
                last = text[to - 1];
                i = to;
            } else if (text[i] >= '0' && text[i] <= '9') {
                std::size_t to = i;
                while (to < text.size() && (in_word(text[to]) || text[to] == '.'))
                    ++to;
                put(i, to, Token::number);
                last = '0';
                i = to;
            } else {
                if (text[i] == '(' || text[i] == '[')
                    ++open;
                else if (text[i] == ')' || text[i] == ']')
                    open = std::max(0, open - 1);
                if (text[i] != ' ') {
                    put(i, i + 1, Token::plain);
                    last = text[i];
                }
                ++i;
            }
        }
        // Neighbouring pieces of one colour are one piece, with the space between them.
        std::vector<Piece> merged;
        for (const Piece& piece : line.pieces) {
            if (!merged.empty() && merged.back().token == piece.token) {
                merged.back().length = piece.column + piece.length - merged.back().column;
            } else {
                merged.push_back(piece);
            }
        }
        line.pieces = std::move(merged);
        goes_on = open > 0 || last == '=' || last == ',';
        if (!goes_on)
            open = 0;
        lines.push_back(std::move(line));
    }
    return lines;
}

}  // namespace auditorium::panels
