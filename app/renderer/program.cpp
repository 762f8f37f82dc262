#include "app/renderer/program.h"

#include <array>

namespace auditorium::renderer {

namespace {

std::string compile(GLuint shader, const std::string& head, const unsigned char* body) {
    const std::array<const char*, 2> text = {head.c_str(), reinterpret_cast<const char*>(body)};
    glShaderSource(shader, GLsizei(text.size()), text.data(), nullptr);
    glCompileShader(shader);
    GLint ok = 0;
    glGetShaderiv(shader, GL_COMPILE_STATUS, &ok);
    if (ok) {
        return "";
    }
    std::array<char, 1024> log{};
    glGetShaderInfoLog(shader, GLsizei(log.size()) - 1, nullptr, log.data());
    return std::string("The graphics driver refused a shader: ") + log.data();
}

}  // namespace

std::string make_program(bool es, const std::string& defines, const unsigned char* vertex_body,
                         const unsigned char* fragment_body, GLuint& program) {
    const std::string head =
        (es ? "#version 300 es\nprecision highp float;\nprecision highp int;\n#define NOPERSPECTIVE\n"
            : "#version 330 core\n#define NOPERSPECTIVE noperspective\n") +
        defines;
    const GLuint vertex = glCreateShader(GL_VERTEX_SHADER);
    const GLuint fragment = glCreateShader(GL_FRAGMENT_SHADER);
    std::string error = compile(vertex, head, vertex_body);
    if (error.empty()) {
        error = compile(fragment, head, fragment_body);
    }
    if (error.empty()) {
        const GLuint linked = glCreateProgram();
        glAttachShader(linked, vertex);
        glAttachShader(linked, fragment);
        glLinkProgram(linked);
        GLint ok = 0;
        glGetProgramiv(linked, GL_LINK_STATUS, &ok);
        if (ok) {
            program = linked;
        } else {
            std::array<char, 1024> log{};
            glGetProgramInfoLog(linked, GLsizei(log.size()) - 1, nullptr, log.data());
            error = std::string("The graphics driver refused a shader program: ") + log.data();
            glDeleteProgram(linked);
        }
    }
    glDeleteShader(vertex);
    glDeleteShader(fragment);
    return error;
}

}  // namespace auditorium::renderer
