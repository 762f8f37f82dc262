#include <gtest/gtest.h>

#include "app/panels/syntax.h"
#include "kernels/catalogue.h"

namespace auditorium::panels {
namespace {

Token token_at(const CodeLine& line, const std::string& word) {
    const int column = int(line.text.find(word));
    for (const Piece& piece : line.pieces) {
        if (column >= piece.column && column < piece.column + piece.length)
            return piece.token;
    }
    return Token::plain;
}

TEST(Syntax, ColoursWhatItShould) {
    const auto lines = colour(
        "template <typename Op>\n  for (int d = 16; d > 0; d /= 2) {  // halves\n"
        "    T o = __shfl_down_sync(~0u, v, d);\n/* two\nlines */ int x;\n");
    ASSERT_EQ(lines.size(), 5u);
    EXPECT_EQ(token_at(lines[0], "template"), Token::keyword);
    EXPECT_EQ(token_at(lines[0], "Op"), Token::plain);
    EXPECT_EQ(token_at(lines[1], "for"), Token::keyword);
    EXPECT_EQ(token_at(lines[1], "16"), Token::number);
    EXPECT_EQ(token_at(lines[1], "// halves"), Token::comment);
    EXPECT_EQ(token_at(lines[2], "__shfl_down_sync"), Token::call);
    EXPECT_EQ(token_at(lines[3], "two"), Token::comment);
    EXPECT_EQ(token_at(lines[4], "lines"), Token::comment);
    EXPECT_EQ(token_at(lines[4], "int"), Token::keyword);
}

TEST(Syntax, AStatementOverSeveralLinesIsOne) {
    const auto lines = colour("int a = 1;\nval = op(\n    shared[a],\n    b);\nint c;\n");
    EXPECT_EQ(lines[0].statement, 1);
    EXPECT_EQ(lines[1].statement, 2);
    EXPECT_EQ(lines[2].statement, 2);
    EXPECT_EQ(lines[3].statement, 2);
    EXPECT_EQ(lines[4].statement, 5);
}

// No letter of any kernel is lost or drawn twice, and lines are numbered as in the file.
TEST(Syntax, EveryKernelsText) {
    for (const kernels::Kernel& kernel : kernels::all()) {
        const auto lines = colour(kernel.source);
        std::string again;
        for (const CodeLine& line : lines) {
            std::string drawn(line.text.size(), ' ');
            int end = 0;
            for (const Piece& piece : line.pieces) {
                EXPECT_GE(piece.column, end) << kernel.id;
                end = piece.column + piece.length;
                drawn.replace(std::size_t(piece.column), std::size_t(piece.length), line.text,
                              std::size_t(piece.column), std::size_t(piece.length));
            }
            EXPECT_EQ(drawn, line.text) << kernel.id;
            again += line.text + "\n";
        }
        EXPECT_EQ(again, kernel.source) << kernel.id;
    }
}

}  // namespace
}  // namespace auditorium::panels
