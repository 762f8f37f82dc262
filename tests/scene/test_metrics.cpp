// How values are written in little room.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

#include "app/scene/metrics.h"

namespace auditorium::scene {
namespace {

std::string f(float value) {
    return std::string(short_number(std::bit_cast<std::uint32_t>(value), trace::Type::f32).view());
}

std::string i(std::int32_t value) {
    return std::string(short_number(std::bit_cast<std::uint32_t>(value), trace::Type::i32).view());
}

TEST(ShortNumber, WholeNumbersStandAsTheyAre) {
    EXPECT_EQ(f(0), "0");
    EXPECT_EQ(f(948), "948");
    EXPECT_EQ(f(-12), "-12");
    EXPECT_EQ(f(1596), "1596");
    EXPECT_EQ(i(9999), "9999");
}

TEST(ShortNumber, LargeOnesHaveThreeSignificantDigits) {
    EXPECT_EQ(f(12816), "12.8k");
    EXPECT_EQ(i(128160), "128k");
    EXPECT_EQ(i(999999), "1.00M");
    EXPECT_EQ(i(-2147483647 - 1), "-2.15G");
    EXPECT_EQ(f(1e20f), "1e+20");
}

TEST(ShortNumber, FractionsAndOddFloats) {
    EXPECT_EQ(f(7.992f), "7.99");
    EXPECT_EQ(f(31.4159f), "31.4");
    EXPECT_EQ(f(0.5f), "0.50");
    EXPECT_EQ(f(1e-40f), "1e-40");
    EXPECT_EQ(f(std::numeric_limits<float>::infinity()), "inf");
    EXPECT_EQ(f(-std::numeric_limits<float>::infinity()), "-inf");
    EXPECT_EQ(f(std::nanf("")), "nan");
}

TEST(ShortNumber, NeverLongerThanItsRoom) {
    for (int k = 0; k < 200000; ++k) {
        const std::uint32_t bits = std::uint32_t(k) * 2654435761u;
        EXPECT_LE(short_number(bits, trace::Type::f32).view().size(), 7u);
        EXPECT_LE(short_number(bits, trace::Type::i32).view().size(), 7u);
    }
}

TEST(TextWidth, GrowsWithTheTextAndTheSize) {
    EXPECT_FLOAT_EQ(text_width(Font::mono, 10, "948"), 18);
    EXPECT_FLOAT_EQ(text_width(Font::mono, 10, "\u2013"), 6);
    EXPECT_GT(text_width(Font::semibold, 14, "Whiteboard = shared memory"), 180);
    EXPECT_LT(text_width(Font::semibold, 14, "Whiteboard = shared memory"), 220);
    EXPECT_LT(text_width(Font::regular, 12, "ii"), text_width(Font::regular, 12, "WW"));
}

}  // namespace
}  // namespace auditorium::scene
