#include "tests/pictures/pictures.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <vector>

namespace auditorium::testing {

namespace {

constexpr int square = 32;
constexpr int tolerance = 24;  // of 255

bool pixel_differs(const Image& a, const Image& b, std::size_t pixel) {
    for (std::size_t c = pixel * 4; c < pixel * 4 + 3; ++c) {
        if (std::abs(int(a.rgba[c]) - int(b.rgba[c])) > tolerance) {
            return true;
        }
    }
    return false;
}

}  // namespace

Difference difference(const Image& a, const Image& b) {
    Difference result;
    if (a.width != b.width || a.height != b.height) {
        result.same_size = false;
        result.worst = 1;
        return result;
    }
    const int w = a.width, h = a.height;
    // sums[y][x]: differing pixels above and left of (x, y).
    std::vector<int> sums(std::size_t(w + 1) * std::size_t(h + 1));
    const auto at = [&sums, w](int x, int y) -> int& {
        return sums[std::size_t(y) * std::size_t(w + 1) + std::size_t(x)];
    };
    for (int y = 0; y < h; ++y) {
        for (int x = 0; x < w; ++x) {
            const bool differs = pixel_differs(a, b, std::size_t(y) * std::size_t(w) + std::size_t(x));
            at(x + 1, y + 1) = at(x, y + 1) + at(x + 1, y) - at(x, y) + int(differs);
        }
    }
    const int side_x = std::min(square, w), side_y = std::min(square, h);
    for (int y = 0; y + side_y <= h; ++y) {
        for (int x = 0; x + side_x <= w; ++x) {
            const int n = at(x + side_x, y + side_y) - at(x, y + side_y) - at(x + side_x, y) + at(x, y);
            const double share = double(n) / (square * square);
            if (share > result.worst) {
                result.worst = share;
                result.x = x;
                result.y = y;
            }
        }
    }
    return result;
}

Image difference_picture(const Image& a, const Image& b) {
    Image out = a;
    for (std::size_t pixel = 0; pixel < out.rgba.size() / 4; ++pixel) {
        const bool differs = a.rgba.size() != b.rgba.size() || pixel_differs(a, b, pixel);
        for (std::size_t c = 0; c < 3; ++c) {
            auto& value = out.rgba[pixel * 4 + c];
            value = differs ? (c == 0 ? 255 : 0) : std::uint8_t(192 + value / 4);
        }
    }
    return out;
}

bool pictures_comparable() {
#ifdef AUDITORIUM_PICTURES_COMPARABLE
    return true;
#else
    return false;
#endif
}

void expect_approved(const std::string& name, const Image& image) {
    if (!pictures_comparable()) {
        GTEST_SKIP() << "the fonts or Dear ImGui are not those that the pictures were made with";
    }
    const std::filesystem::path approved = std::filesystem::path(AUDITORIUM_APPROVED) / (name + ".png");
    const std::filesystem::path seen = std::filesystem::path(AUDITORIUM_SEEN) / (name + ".png");
    std::filesystem::create_directories(seen.parent_path());
    ASSERT_TRUE(write_png(seen, image).has_value());
    const char* approve = std::getenv("AUDITORIUM_APPROVE");
    if (approve != nullptr && std::string(approve) == "1") {
        std::filesystem::create_directories(approved.parent_path());
        ASSERT_TRUE(write_png(approved, image).has_value());
        return;
    }
    const auto wanted = read_png(approved);
    ASSERT_TRUE(wanted.has_value()) << wanted.error().sentence << " Look at " << seen
                                    << " and approve it with AUDITORIUM_APPROVE=1.";
    const Difference d = difference(*wanted, image);
    EXPECT_TRUE(d.same_size) << name << ": approved " << wanted->width << "x" << wanted->height << ", seen "
                             << image.width << "x" << image.height;
    if (d.same_size && !d.alike()) {
        const std::filesystem::path shown =
            std::filesystem::path(AUDITORIUM_SEEN) / (name + ".difference.png");
        EXPECT_TRUE(write_png(shown, difference_picture(*wanted, image)).has_value());
        ADD_FAILURE() << name << ": "
                      << fmt::format("{:.1f}% of the square at {},{}", 100 * d.worst, d.x, d.y)
                      << " differ from what was approved; see " << seen << " and " << shown;
    }
}

}  // namespace auditorium::testing
