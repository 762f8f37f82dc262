// Programs of OpenGL from the embedded GLSL.
#pragma once

#include <glad/gl.h>

#include <string>

namespace auditorium::renderer {

// Compiles and links `vertex` and `fragment` (GLSL without a #version line, zero at the end) after `defines`,
// for 3.3 core or with `es` for ES 3.00. NOPERSPECTIVE is defined for both. Sets `program` and returns "", or
// leaves it and returns one sentence.
std::string make_program(bool es, const std::string& defines, const unsigned char* vertex,
                         const unsigned char* fragment, GLuint& program);

}  // namespace auditorium::renderer
