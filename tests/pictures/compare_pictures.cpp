// compare_pictures A.png B.png [DIFFERENCE.png]: exit status 0 if alike, 1 if not, 3 if one cannot be read.
// Also says how many pixels differ at all, and by how much at most.
#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "tests/pictures/pictures.h"

int main(int argc, char** argv) {
    using namespace auditorium;
    if (argc < 3) {
        std::fprintf(stderr, "compare_pictures A.png B.png [DIFFERENCE.png]\n");
        return 2;
    }
    const auto a = read_png(argv[1]), b = read_png(argv[2]);
    for (const auto* image : {&a, &b}) {
        if (!*image) {
            std::fprintf(stderr, "%s\n", image->error().sentence.c_str());
            return 3;
        }
    }
    const testing::Difference d = testing::difference(*a, *b);
    if (!d.same_size) {
        std::printf("%dx%d and %dx%d\n", a->width, a->height, b->width, b->height);
        return 1;
    }
    int pixels = 0, most = 0;
    for (std::size_t i = 0; i < a->rgba.size(); i += 4) {
        int here = 0;
        for (std::size_t c = i; c < i + 3; ++c) {
            here = std::max(here, std::abs(int(a->rgba[c]) - int(b->rgba[c])));
        }
        pixels += here > 0;
        most = std::max(most, here);
    }
    std::printf("worst-square %.2f%% at %d,%d pixels %d most %d\n", 100 * d.worst, d.x, d.y, pixels, most);
    if (argc > 3) {
        if (const auto written = write_png(argv[3], testing::difference_picture(*a, *b)); !written) {
            std::fprintf(stderr, "%s\n", written.error().sentence.c_str());
            return 5;
        }
    }
    return d.alike() ? 0 : 1;
}
