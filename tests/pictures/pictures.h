// Comparing pictures. Two pictures are alike if no square of 32 x 32 pixels, wherever it lies, differs in
// more than 5% of its pixels by more than 24 of 255 in any channel.
#pragma once

#include <string>

#include "app/hosts/image.h"

namespace auditorium::testing {

struct Difference {
    bool same_size = true;
    double worst = 0;  // share of differing pixels in the worst square, 0..1
    int x = 0, y = 0;  // that square's corner
    bool alike() const { return same_size && worst <= 0.05; }
};

Difference difference(const Image& a, const Image& b);
Image difference_picture(const Image& a, const Image& b);  // differing pixels red over a pale `a`

// In a test: holds `image` against tests/pictures/approved/NAME.png. What was seen lies in pictures/ of the
// build folder, with the difference beside it. AUDITORIUM_APPROVE=1 in the environment approves what is seen
// (look at it first). Skips the test where the fonts or Dear ImGui are not those that the pictures were made
// with.
void expect_approved(const std::string& name, const Image& image);

bool pictures_comparable();

}  // namespace auditorium::testing
