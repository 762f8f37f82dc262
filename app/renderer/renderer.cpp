#include "app/renderer/renderer.h"

#include <glad/gl.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <string>
#include <type_traits>
#include <vector>

#include "app/renderer/fonts.h"
#include "imgui.h"

extern "C" {
extern const unsigned char auditorium_shape_vert[];
extern const unsigned char auditorium_shape_frag[];
}

namespace auditorium::renderer {

namespace {

using scene::Shape;
using scene::ShapeKind;

// A Shape's bytes are the instance that the vertex shader reads.
static_assert(std::is_trivially_copyable_v<Shape> && sizeof(Shape) == 88);

// The programs that one body of GLSL gives. A fragment pays for what its own shape has and for nothing else:
// software GL runs both sides of every branch.
enum Pass : std::uint8_t {
    box,
    box_decorated,
    ribbon,
    ribbon_decorated,
    polygon,
    polygon_decorated,
    pass_count
};
constexpr int ribbon_segments = 8;  // quads along a ribbon
constexpr std::array<const char*, pass_count> pass_defines = {
    "#define SHAPE_BOX\n#define OUTLINE\n",
    "#define SHAPE_BOX\n#define OUTLINE\n#define DECORATED\n",
    "#define SHAPE_RIBBON\n",
    "#define SHAPE_RIBBON\n#define OUTLINE\n#define DECORATED\n",
    "#define SHAPE_POLYGON\n#define OUTLINE\n",
    "#define SHAPE_POLYGON\n#define OUTLINE\n#define DECORATED\n",
};

Pass pass_of(const Shape& shape) {
    const bool decorated = shape.hatch != 0 || (shape.dash > 0 && shape.gap > 0);
    switch (shape.kind) {
        case ShapeKind::ribbon:
            return decorated || shape.line_width > 0 ? ribbon_decorated : ribbon;
        case ShapeKind::polygon:
            return decorated ? polygon_decorated : polygon;
        default:
            return decorated ? box_decorated : box;
    }
}

struct Program {
    GLuint id = 0;
    GLint transform = -1, viewport = -1;
};

// Instances of one program, next to each other in draw order.
struct Run {
    Pass pass;
    int first, count;
};

// What the callback needs at render time; ImGui keeps a copy.
struct Batch {
    int first_run, run_count;
    float scale;               // framebuffer pixels per unit of the shapes
    float offset_x, offset_y;  // framebuffer pixels
    float zoom;
};

// The GL objects of the current context, and this frame's instances. One per process: the callbacks of ImGui
// reach it by no other way, and there is one context at a time.
struct State {
    bool es = false;
    std::array<Program, pass_count> programs;
    GLuint vao = 0, buffer = 0;
    std::vector<Shape> shapes;
    std::vector<Run> runs;
    std::size_t uploaded = 0;  // shapes that are in the buffer
    std::string error;
};
State state;

std::string shader_log(GLuint shader) {
    std::array<char, 1024> log{};
    glGetShaderInfoLog(shader, GLsizei(log.size()) - 1, nullptr, log.data());
    return log.data();
}

std::string compile(GLuint shader, Pass pass, const unsigned char* body) {
    const char* head =
        state.es ? "#version 300 es\nprecision highp float;\nprecision highp int;\n" : "#version 330 core\n";
    const std::string segments = "#define RIBBON_SEGMENTS " + std::to_string(ribbon_segments) + ".0\n";
    const std::array<const char*, 4> text = {head, pass_defines[pass], segments.c_str(),
                                             reinterpret_cast<const char*>(body)};
    glShaderSource(shader, GLsizei(text.size()), text.data(), nullptr);
    glCompileShader(shader);
    GLint ok = 0;
    glGetShaderiv(shader, GL_COMPILE_STATUS, &ok);
    return ok ? "" : "The graphics driver refused a shader: " + shader_log(shader);
}

// Compiles the program of a pass when a shape first needs it: start-up pays for what the first frame shows.
std::string prepare(Pass pass) {
    Program& program = state.programs[pass];
    if (program.id != 0) {
        return "";
    }
    const GLuint vertex = glCreateShader(GL_VERTEX_SHADER);
    const GLuint fragment = glCreateShader(GL_FRAGMENT_SHADER);
    std::string error = compile(vertex, pass, auditorium_shape_vert);
    if (error.empty()) {
        error = compile(fragment, pass, auditorium_shape_frag);
    }
    if (error.empty()) {
        program.id = glCreateProgram();
        glAttachShader(program.id, vertex);
        glAttachShader(program.id, fragment);
        glLinkProgram(program.id);
        GLint ok = 0;
        glGetProgramiv(program.id, GL_LINK_STATUS, &ok);
        if (!ok) {
            std::array<char, 1024> log{};
            glGetProgramInfoLog(program.id, GLsizei(log.size()) - 1, nullptr, log.data());
            error = std::string("The graphics driver refused a shader program: ") + log.data();
            glDeleteProgram(program.id);
            program.id = 0;
        } else {
            program.transform = glGetUniformLocation(program.id, "u_transform");
            program.viewport = glGetUniformLocation(program.id, "u_viewport");
        }
    }
    glDeleteShader(vertex);
    glDeleteShader(fragment);
    return error;
}

// Points the instance attributes at shapes[first]; GL 3.3 has no base instance.
void bind_instances(int first) {
    const auto at = [first](std::size_t member) {
        return reinterpret_cast<const void*>(std::size_t(first) * sizeof(Shape) + member);
    };
    constexpr GLsizei stride = sizeof(Shape);
    constexpr std::size_t p = offsetof(Shape, p);
    glVertexAttribIPointer(0, 4, GL_UNSIGNED_BYTE, stride, at(offsetof(Shape, kind)));
    glVertexAttribPointer(1, 4, GL_FLOAT, GL_FALSE, stride, at(p));
    glVertexAttribPointer(2, 4, GL_FLOAT, GL_FALSE, stride, at(p + 16));
    glVertexAttribPointer(3, 4, GL_FLOAT, GL_FALSE, stride, at(p + 32));
    glVertexAttribPointer(4, 3, GL_FLOAT, GL_FALSE, stride, at(offsetof(Shape, radius)));
    glVertexAttribPointer(5, 3, GL_FLOAT, GL_FALSE, stride, at(offsetof(Shape, dash)));
    glVertexAttribIPointer(6, 3, GL_UNSIGNED_INT, stride, at(offsetof(Shape, fill)));
}
static_assert(offsetof(Shape, points) == 1 && offsetof(Shape, hatch) == 2 &&
              offsetof(Shape, screen_width) == 3);
static_assert(offsetof(Shape, rotation) == offsetof(Shape, radius) + 4 &&
              offsetof(Shape, line_width) == offsetof(Shape, radius) + 8);
static_assert(offsetof(Shape, gap) == offsetof(Shape, dash) + 4 &&
              offsetof(Shape, dash_phase) == offsetof(Shape, dash) + 8);
static_assert(offsetof(Shape, line) == offsetof(Shape, fill) + 4 &&
              offsetof(Shape, hatch_color) == offsetof(Shape, fill) + 8);

void draw_batch(const ImDrawList*, const ImDrawCmd* command) {
    const Batch& batch = *static_cast<const Batch*>(command->UserCallbackData);
    const ImDrawData* data = ImGui::GetDrawData();
    const float sx = data->FramebufferScale.x, sy = data->FramebufferScale.y;
    const float width = data->DisplaySize.x * sx, height = data->DisplaySize.y * sy;

    const float x0 = std::max(0.0f, std::floor((command->ClipRect.x - data->DisplayPos.x) * sx));
    const float y0 = std::max(0.0f, std::floor((command->ClipRect.y - data->DisplayPos.y) * sy));
    const float x1 = std::min(width, std::ceil((command->ClipRect.z - data->DisplayPos.x) * sx));
    const float y1 = std::min(height, std::ceil((command->ClipRect.w - data->DisplayPos.y) * sy));
    if (x1 <= x0 || y1 <= y0) {
        return;
    }
    glEnable(GL_SCISSOR_TEST);
    glScissor(GLint(x0), GLint(height - y1), GLsizei(x1 - x0), GLsizei(y1 - y0));
    glBlendFuncSeparate(GL_ONE, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
    glBindVertexArray(state.vao);
    glBindBuffer(GL_ARRAY_BUFFER, state.buffer);
    if (state.uploaded != state.shapes.size()) {
        // The whole frame at once, when its first batch is drawn.
        glBufferData(GL_ARRAY_BUFFER, GLsizeiptr(state.shapes.size() * sizeof(Shape)), state.shapes.data(),
                     GL_STREAM_DRAW);
        state.uploaded = state.shapes.size();
    }
    for (int r = batch.first_run; r < batch.first_run + batch.run_count; ++r) {
        const Run& run = state.runs[std::size_t(r)];
        if (std::string error = prepare(run.pass); !error.empty()) {
            state.error = std::move(error);
            continue;
        }
        const Program& program = state.programs[run.pass];
        glUseProgram(program.id);
        glUniform4f(program.transform, batch.scale, batch.offset_x, batch.offset_y, batch.zoom);
        glUniform2f(program.viewport, 2.0f / width, 2.0f / height);
        bind_instances(run.first);
        const bool strip = run.pass == ribbon || run.pass == ribbon_decorated;
        glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, strip ? 2 * (ribbon_segments + 1) : 4, run.count);
    }
}

struct Filling {
    scene::Rect area;
    scene::Color color;
};

void fill_area(const ImDrawList*, const ImDrawCmd* command) {
    const Filling& filling = *static_cast<const Filling*>(command->UserCallbackData);
    const ImDrawData* data = ImGui::GetDrawData();
    const float scale = data->FramebufferScale.x;
    const float height = data->DisplaySize.y * scale;
    const scene::Rect& area = filling.area;
    const int x0 = int(std::ceil(std::max({0.0f, area.x * scale, std::floor(command->ClipRect.x * scale)})));
    const int y0 = int(std::ceil(std::max({0.0f, area.y * scale, std::floor(command->ClipRect.y * scale)})));
    const int x1 =
        int(std::floor(std::min((area.x + area.w) * scale, std::ceil(command->ClipRect.z * scale))));
    const int y1 =
        int(std::floor(std::min((area.y + area.h) * scale, std::ceil(command->ClipRect.w * scale))));
    if (x1 <= x0 || y1 <= y0) {
        return;
    }
    const auto channel = [&filling](int shift) { return float((filling.color >> shift) & 255u) / 255.0f; };
    glEnable(GL_SCISSOR_TEST);
    glScissor(x0, GLint(std::lround(height)) - y1, x1 - x0, y1 - y0);
    glClearColor(channel(0), channel(8), channel(16), 1);
    glClear(GL_COLOR_BUFFER_BIT);
}

// Adds shapes at the list's current place.
void add_shapes(ImDrawList* list, const std::vector<Shape>& shapes, Batch batch) {
    if (shapes.empty()) {
        return;
    }
    batch.first_run = int(state.runs.size());
    const int first = int(state.shapes.size());
    state.shapes.insert(state.shapes.end(), shapes.begin(), shapes.end());
    for (std::size_t i = 0; i < shapes.size(); ++i) {
        const Pass pass = pass_of(shapes[i]);
        if (int(state.runs.size()) > batch.first_run && state.runs.back().pass == pass) {
            ++state.runs.back().count;
        } else {
            state.runs.push_back({pass, first + int(i), 1});
        }
    }
    batch.run_count = int(state.runs.size()) - batch.first_run;
    list->AddCallback(draw_batch, &batch, sizeof(batch));
    list->AddCallback(ImDrawCallback_ResetRenderState, nullptr);
}

}  // namespace

std::string init(bool es) {
    shutdown();
    state.es = es;
    glGenVertexArrays(1, &state.vao);
    glGenBuffers(1, &state.buffer);
    glBindVertexArray(state.vao);
    for (GLuint i = 0; i <= 6; ++i) {
        glEnableVertexAttribArray(i);
        glVertexAttribDivisor(i, 1);
    }
    glBindVertexArray(0);
    return prepare(box);
}

std::string init_all(bool es) {
    std::string error = init(es);
    for (int pass = 0; pass < pass_count && error.empty(); ++pass) {
        error = prepare(Pass(pass));
    }
    return error;
}

void shutdown() {
    for (Program& program : state.programs) {
        if (program.id != 0) {
            glDeleteProgram(program.id);
        }
    }
    if (state.buffer != 0) {
        glDeleteBuffers(1, &state.buffer);
        glDeleteVertexArrays(1, &state.vao);
    }
    state = {};
}

void draw(ImDrawList* list, const scene::Scene& scene, float ui_scale, float pixel_ratio) {
    const float pixels = ui_scale * pixel_ratio;
    const float zoom = scene.camera.zoom;
    const scene::Rect& area = scene.area;
    const scene::Point middle{area.x + 0.5f * area.w, area.y + 0.5f * area.h};
    const Batch batch{.first_run = 0,
                      .run_count = 0,
                      .scale = zoom * pixels,
                      .offset_x = std::round((middle.x - scene.camera.centre.x * zoom) * pixels),
                      .offset_y = std::round((middle.y - scene.camera.centre.y * zoom) * pixels),
                      .zoom = zoom};
    list->PushClipRect(ImVec2(area.x, area.y), ImVec2(area.x + area.w, area.y + area.h), true);
    for (const scene::Layer& layer : scene.layers) {
        add_shapes(list, layer.shapes, batch);
        for (const scene::Label& label : layer.labels) {
            const scene::Point at{(label.at.x * batch.scale + batch.offset_x) / pixels,
                                  (label.at.y * batch.scale + batch.offset_y) / pixels};
            text(list, label.font, label.size * zoom, at, label.align, label.color, label.text);
        }
    }
    list->PopClipRect();
}

void draw_shapes(ImDrawList* list, const std::vector<Shape>& shapes, float ui_scale, float pixel_ratio) {
    add_shapes(list, shapes,
               Batch{.first_run = 0,
                     .run_count = 0,
                     .scale = ui_scale * pixel_ratio,
                     .offset_x = 0,
                     .offset_y = 0,
                     .zoom = 1});
}

void fill(ImDrawList* list, const scene::Rect& area, scene::Color color) {
    Filling filling{area, color};
    list->AddCallback(fill_area, &filling, sizeof(filling));
}

void end_frame() {
    state.shapes.clear();
    state.runs.clear();
    state.uploaded = 0;
}

std::string last_error() {
    return state.error;
}

}  // namespace auditorium::renderer
