#include <gtest/gtest.h>

#include <filesystem>

#include "tests/pictures/pictures.h"

namespace auditorium {
namespace {

Image plain(int width, int height, std::uint8_t grey) {
    Image image{.width = width, .height = height, .rgba = {}};
    image.rgba.resize(std::size_t(width) * std::size_t(height) * 4, grey);
    for (std::size_t i = 3; i < image.rgba.size(); i += 4) {
        image.rgba[i] = 255;
    }
    return image;
}

void paint(Image& image, int x0, int y0, int w, int h, std::uint8_t grey) {
    for (int y = y0; y < y0 + h; ++y) {
        for (int x = x0; x < x0 + w; ++x) {
            image.rgba[(std::size_t(y) * std::size_t(image.width) + std::size_t(x)) * 4] = grey;
        }
    }
}

TEST(Pictures, TheSameAreAlike) {
    const Image a = plain(100, 70, 128);
    EXPECT_TRUE(testing::difference(a, a).alike());
    EXPECT_EQ(testing::difference(a, a).worst, 0);
}

TEST(Pictures, SizesMustAgree) {
    EXPECT_FALSE(testing::difference(plain(100, 70, 128), plain(70, 100, 128)).alike());
}

TEST(Pictures, ADifferenceOf24IsNone) {
    EXPECT_TRUE(testing::difference(plain(64, 64, 100), plain(64, 64, 124)).alike());
    EXPECT_FALSE(testing::difference(plain(64, 64, 100), plain(64, 64, 125)).alike());
}

// 51 pixels are 5% of a square, 52 are more; and a square may lie anywhere, so a spot is not hidden on the
// edge of two.
TEST(Pictures, MoreThanFivePercentOfAnySquareIsOne) {
    const Image a = plain(128, 128, 128);
    for (int place : {0, 3, 29, 61, 96}) {
        Image small = a, large = a;
        paint(small, place, place, 17, 3, 0);
        paint(large, place, place, 13, 4, 0);
        EXPECT_TRUE(testing::difference(a, small).alike()) << place;
        EXPECT_FALSE(testing::difference(a, large).alike()) << place;
    }
}

TEST(Pictures, SmallerThanASquare) {
    const Image a = plain(20, 10, 128);
    Image b = a;
    paint(b, 0, 0, 20, 10, 0);
    EXPECT_FALSE(testing::difference(a, b).alike());
}

TEST(Pictures, PngKeepsEveryPixel) {
    Image image = plain(33, 17, 0);
    for (std::size_t i = 0; i < image.rgba.size(); ++i) {
        if (i % 4 != 3) {
            image.rgba[i] = std::uint8_t(i * 37);
        }
    }
    const std::string path = ::testing::TempDir() + "auditorium_picture.png";
    ASSERT_TRUE(write_png(path, image).has_value());
    const auto back = read_png(path);
    ASSERT_TRUE(back.has_value());
    EXPECT_EQ(*back, image);
    std::filesystem::remove(path);
}

TEST(Pictures, WhatCannotBeReadOrWrittenSaysSo) {
    const auto missing = read_png("/nowhere/picture.png");
    ASSERT_FALSE(missing.has_value());
    EXPECT_EQ(missing.error().status, ExitStatus::bad_input);
    const auto not_a_picture = read_png(AUDITORIUM_SOURCE_DIR "/LICENSE");
    ASSERT_FALSE(not_a_picture.has_value());
    EXPECT_NE(not_a_picture.error().sentence.find("LICENSE"), std::string::npos);
    const auto unwritable = write_png("/nowhere/picture.png", plain(2, 2, 0));
    ASSERT_FALSE(unwritable.has_value());
    EXPECT_EQ(unwritable.error().status, ExitStatus::bad_output);
    const auto full = write_png("/dev/full", plain(2, 2, 0));
    ASSERT_FALSE(full.has_value());
    EXPECT_EQ(full.error().status, ExitStatus::bad_output);
}

}  // namespace
}  // namespace auditorium
