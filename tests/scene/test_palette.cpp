// Every text pair of the palette has a contrast of at least 4.5:1, text on the hatch 4.7:1 (WCAG's relative
// luminance).
#include <gtest/gtest.h>

#include <cmath>
#include <ostream>

#include "app/scene/theme.h"

namespace auditorium::scene {
namespace {

double linear(double channel) {
    return channel <= 0.04045 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4);
}

double luminance(Color color) {
    return 0.2126 * linear((color & 0xff) / 255.0) + 0.7152 * linear(((color >> 8) & 0xff) / 255.0) +
           0.0722 * linear(((color >> 16) & 0xff) / 255.0);
}

double contrast(Color a, Color b) {
    const double x = luminance(a), y = luminance(b);
    return (std::max(x, y) + 0.05) / (std::min(x, y) + 0.05);
}

struct Pair {
    const char* what;
    Color ink, ground;
    double least = 4.5;
    friend void PrintTo(const Pair& pair, std::ostream* out) { *out << pair.what; }
};

std::vector<Pair> pairs(const Theme& t) {
    return {
        {"text 1 on the hall", t.text1, t.background},
        {"text 2 on the hall", t.text2, t.background},
        {"text 3 on the hall", t.text3, t.background},
        {"text 1 on a card", t.text1, t.panel},
        {"text 2 on a card", t.text2, t.panel},
        {"text 3 on a card", t.text3, t.panel},
        {"text 1 on a chip", t.text1, t.raised},
        {"text 2 on a chip", t.text2, t.raised},
        {"text 1 on soft work", t.text1, t.work_soft},
        {"text 1 on soft rope", t.text1, t.rope_soft},
        {"text 1 on soft champion", t.text1, t.champion_soft},
        {"rope text on the plaque", t.rope_text, t.panel},
        {"rope text on a waiting tag", t.rope_text, t.rope_soft},
        {"conflict text", t.conflict_text, t.background},
        {"a ticket being served", t.conflict_ink, t.conflict},
        {"a busy bank's number", t.conflict_ink, t.board_conflict},
        {"hazard text on the plaque", t.hazard, t.panel},
        {"hazard text in the hall", t.hazard, t.background},
        {"work text in the callout", t.work, t.panel},
        {"lane numbers at the table", t.work, t.background},
        {"a working row's tag", t.background, t.work},
        {"note", t.note_ink, t.note},
        {"box", t.ink, t.box},
        {"own box", t.ink, t.box_own},
        {"served box", t.ink, t.box_served},
        {"bank numbers on the board", t.ink_eliminated, t.board},
        {"eliminated box", t.ink_eliminated, t.box_eliminated, 4.7},
        {"eliminated box, on the hatch", t.ink_eliminated, t.box_hatch, 4.7},
        {"undefined value in a box", t.board_hazard, t.box},
        {"a value on its way", rgb(0xFFFFFF), t.board_work},
        {"timeline, write", t.write_ink, t.write_fill},
        {"timeline, cuts", t.cut_ink, t.cut_fill},
        {"timeline, shuffle", t.shuffle_ink, t.shuffle_fill},
        {"timeline, champion", t.champion_ink, t.champion_fill},
        {"code, keyword", t.keyword, t.panel},
        {"code, call", t.call, t.panel},
        {"code, number", t.number, t.panel},
        {"code, current line", t.text1, t.current_line},
        {"code, keyword on the current line", t.keyword, t.current_line},
        {"code, call on the current line", t.call, t.current_line},
        {"code, number on the current line", t.number, t.current_line},
    };
}

class Palette : public ::testing::TestWithParam<ThemeId> {};

TEST_P(Palette, TextCanBeRead) {
    for (const Pair& pair : pairs(theme(GetParam())))
        EXPECT_GE(contrast(pair.ink, pair.ground), pair.least) << pair.what;
}

// Shapes that carry a meaning stand out from what they lie on (3:1, WCAG for graphics).
TEST_P(Palette, ShapesThatMeanSomethingCanBeSeen) {
    const Theme& t = theme(GetParam());
    EXPECT_GE(contrast(t.work, t.background), 3);
    EXPECT_GE(contrast(t.rope, t.background), 3);
    EXPECT_GE(contrast(t.hazard, t.background), 3);
    EXPECT_GE(contrast(t.conflict_line, t.background), 3);
    EXPECT_GE(contrast(t.person, t.background), 3);
    EXPECT_GE(contrast(t.eliminated, t.background), 2.5);  // quiet on purpose: the slump says it
    EXPECT_GE(contrast(t.focus, t.background), 3);
    EXPECT_GE(contrast(t.board_work, t.board), 3);
    EXPECT_GE(contrast(t.board_champion, t.board), 3);
    EXPECT_GE(contrast(t.board_hazard, t.board), 3);
}

INSTANTIATE_TEST_SUITE_P(BothThemes, Palette, ::testing::Values(ThemeId::dark, ThemeId::light));

}  // namespace
}  // namespace auditorium::scene
