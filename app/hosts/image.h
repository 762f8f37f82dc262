// A picture in memory, and PNG files.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "trace/error.h"

namespace auditorium {

struct Image {
    int width = 0, height = 0;       // pixels
    std::vector<std::uint8_t> rgba;  // rows from the top, 4 bytes a pixel
    friend bool operator==(const Image&, const Image&) = default;
};

Expected<void> write_png(const std::string& path, const Image& image);  // opaque; bad_output
Expected<Image> read_png(const std::string& path);                      // bad_input

}  // namespace auditorium
