// compare_pictures A.png B.png [DIFFERENCE.png]: exit status 0 if alike, 1 if not, 3 if one cannot be read.
#include <cstdio>

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
    std::printf("%.2f%% of the worst square, at %d,%d; %s\n", 100 * d.worst, d.x, d.y,
                *a == *b ? "equal in every pixel" : "not equal");
    if (argc > 3) {
        if (const auto written = write_png(argv[3], testing::difference_picture(*a, *b)); !written) {
            std::fprintf(stderr, "%s\n", written.error().sentence.c_str());
            return 5;
        }
    }
    return d.alike() ? 0 : 1;
}
