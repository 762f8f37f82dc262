// draw_sheet [--theme dark|light] [--scale S] -o PNG: draws the sheet of shapes, to look at.
#include <cstdio>
#include <cstdlib>
#include <string>

#include "app/hosts/offscreen.h"
#include "tests/renderer/sheet.h"

int main(int argc, char** argv) {
    using namespace auditorium;
    std::string theme = "dark", out = "sheet.png";
    float scale = 1;
    for (int i = 1; i + 1 < argc; i += 2) {
        const std::string option = argv[i];
        if (option == "--theme") {
            theme = argv[i + 1];
        } else if (option == "--scale") {
            scale = std::strtof(argv[i + 1], nullptr);
        } else if (option == "-o") {
            out = argv[i + 1];
        }
    }
    auto stage = offscreen::open();
    if (!stage) {
        std::fprintf(stderr, "%s\n", stage.error().sentence.c_str());
        return int(stage.error().status);
    }
    const scene::Theme& colors = scene::theme(theme == "light" ? ThemeId::light : ThemeId::dark);
    const auto image = offscreen::render(**stage, testing::sheet(colors), colors.background, scale);
    if (!image) {
        std::fprintf(stderr, "%s\n", image.error().sentence.c_str());
        return int(image.error().status);
    }
    if (const auto written = write_png(out, *image); !written) {
        std::fprintf(stderr, "%s\n", written.error().sentence.c_str());
        return int(written.error().status);
    }
    std::printf("%s (%s)\n", out.c_str(), (*stage)->driver.c_str());
    return 0;
}
