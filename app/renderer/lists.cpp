#include "app/renderer/lists.h"

#include <glad/gl.h>

#include <cstddef>
#include <type_traits>

#include "app/renderer/program.h"
#include "imgui.h"

extern "C" {
extern const unsigned char auditorium_list_vert[];
extern const unsigned char auditorium_list_frag[];
}

namespace auditorium::renderer {

namespace {

struct ListState {
    GLuint program = 0;
    GLint viewport = -1;
    GLuint array = 0, vertices = 0, indices = 0;
};
ListState lists;

}  // namespace

std::string start_lists(bool es) {
    if (std::string error = make_program(es, "", auditorium_list_vert, auditorium_list_frag, lists.program);
        !error.empty()) {
        return error;
    }
    lists.viewport = glGetUniformLocation(lists.program, "u_viewport");
    glGenVertexArrays(1, &lists.array);
    glGenBuffers(1, &lists.vertices);
    glGenBuffers(1, &lists.indices);
    glBindVertexArray(lists.array);
    glBindBuffer(GL_ARRAY_BUFFER, lists.vertices);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, lists.indices);
    const auto attribute = [](GLuint index, GLint size, GLenum type, GLboolean normalized, std::size_t at) {
        glEnableVertexAttribArray(index);
        glVertexAttribPointer(index, size, type, normalized, sizeof(ImDrawVert),
                              reinterpret_cast<const void*>(at));
    };
    attribute(0, 2, GL_FLOAT, GL_FALSE, offsetof(ImDrawVert, pos));
    attribute(1, 2, GL_FLOAT, GL_FALSE, offsetof(ImDrawVert, uv));
    attribute(2, 4, GL_UNSIGNED_BYTE, GL_TRUE, offsetof(ImDrawVert, col));
    glBindVertexArray(0);
    return "";
}

void stop_lists() {
    if (lists.program != 0) {
        glDeleteProgram(lists.program);
    }
    if (lists.array != 0) {
        glDeleteVertexArrays(1, &lists.array);
        glDeleteBuffers(1, &lists.vertices);
        glDeleteBuffers(1, &lists.indices);
    }
    lists = {};
}

void draw_lists(const ImDrawData& data) {
    static_assert(sizeof(ImDrawIdx) == 2 || sizeof(ImDrawIdx) == 4);
    constexpr GLenum index_type = sizeof(ImDrawIdx) == 2 ? GL_UNSIGNED_SHORT : GL_UNSIGNED_INT;
    const float sx = data.FramebufferScale.x, sy = data.FramebufferScale.y;
    const auto width = GLsizei(data.DisplaySize.x * sx + 0.5f),
               height = GLsizei(data.DisplaySize.y * sy + 0.5f);
    glViewport(0, 0, width, height);
    glActiveTexture(GL_TEXTURE0);
    glBindSampler(0, 0);
    glDisable(GL_CULL_FACE);
    glDisable(GL_DEPTH_TEST);
    glEnable(GL_SCISSOR_TEST);
    glEnable(GL_BLEND);
    glBlendEquation(GL_FUNC_ADD);
    glBlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
    for (const ImDrawList* list : data.CmdLists) {
        glBindBuffer(GL_ARRAY_BUFFER, lists.vertices);
        glBufferData(GL_ARRAY_BUFFER, GLsizeiptr(list->VtxBuffer.size_in_bytes()), list->VtxBuffer.Data,
                     GL_STREAM_DRAW);
        glBindVertexArray(lists.array);
        glBufferData(GL_ELEMENT_ARRAY_BUFFER, GLsizeiptr(list->IdxBuffer.size_in_bytes()),
                     list->IdxBuffer.Data, GL_STREAM_DRAW);
        bool current = false;  // the program and the vertex array are ours
        for (const ImDrawCmd& command : list->CmdBuffer) {
            if (command.UserCallback != nullptr) {
                if (command.UserCallback != ImDrawCallback_ResetRenderState) {
                    command.UserCallback(list, &command);
                    current = false;
                }
                continue;
            }
            const ImVec4& clip = command.ClipRect;
            const float x0 = (clip.x - data.DisplayPos.x) * sx, y0 = (clip.y - data.DisplayPos.y) * sy;
            const float x1 = (clip.z - data.DisplayPos.x) * sx, y1 = (clip.w - data.DisplayPos.y) * sy;
            if (command.ElemCount == 0 || x1 <= x0 || y1 <= y0) {
                continue;
            }
            if (!current) {
                glUseProgram(lists.program);
                glUniform2f(lists.viewport, 2 / data.DisplaySize.x, 2 / data.DisplaySize.y);
                glBindVertexArray(lists.array);
                current = true;
            }
            glScissor(GLint(x0), GLint(float(height) - y1), GLsizei(x1 - x0), GLsizei(y1 - y0));
            glBindTexture(GL_TEXTURE_2D, GLuint(command.GetTexID()));
            glDrawElementsBaseVertex(GL_TRIANGLES, GLsizei(command.ElemCount), index_type,
                                     reinterpret_cast<const void*>(command.IdxOffset * sizeof(ImDrawIdx)),
                                     GLint(command.VtxOffset));
        }
    }
    glBindVertexArray(0);
    glDisable(GL_SCISSOR_TEST);
}

}  // namespace auditorium::renderer
