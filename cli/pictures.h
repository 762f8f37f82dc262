// What the program can draw here; the app answers where it is built in, else one sentence says that it is
// not.
#pragma once

#include <string>

namespace auditorium::cli {

struct PicturesInfo {
    bool available = false;
    std::string reason;    // why not, one sentence
    std::string driver;    // OpenGL's own words
    bool display = false;  // a window could open
};
PicturesInfo pictures_info();

}  // namespace auditorium::cli
