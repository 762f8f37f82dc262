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
#include "app/renderer/lists.h"
#include "app/renderer/program.h"
#include "app/renderer/quads.h"
#include "imgui.h"

extern "C" {
extern const unsigned char auditorium_quad_vert[];
extern const unsigned char auditorium_quad_frag[];
extern const unsigned char auditorium_shape_vert[];
extern const unsigned char auditorium_shape_frag[];
}

namespace auditorium::renderer {

namespace {

using scene::Shape;
using scene::ShapeKind;

// A Shape's bytes are the instance that the vertex shader reads.
static_assert(std::is_trivially_copyable_v<Shape> && sizeof(Shape) == 88);

// The programs that two bodies of GLSL give: the first four paint quads (quads.h), the others instances. A
// fragment pays for what its own shape has and for nothing else: software GL runs both sides of every branch.
enum Pass : std::uint8_t {
    solid,
    stroke,
    body,
    outlined,
    box_decorated,
    ribbon,
    ribbon_decorated,
    polygon,
    polygon_decorated,
    pass_count
};
static_assert(int(QuadKind::solid) == solid && int(QuadKind::stroke) == stroke &&
              int(QuadKind::body) == body && int(QuadKind::outlined) == outlined);
bool of_quads(Pass pass) {
    return pass <= outlined;
}
constexpr int ribbon_segments = 8;  // quads along a ribbon
constexpr std::array<const char*, pass_count> pass_defines = {
    "#define SOLID\n",
    "#define STROKE\n",
    "#define BODY\n",
    "#define OUTLINED\n",
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
            return box_decorated;
    }
}

struct Program {
    GLuint id = 0;
    GLint transform = -1, viewport = -1;
};

// Shapes of one program, next to each other in draw order: of `corners` (four each) or of `shapes`.
struct Run {
    Pass pass;
    int first, count;
    float pixels = 0;
};
// A change of programs costs software GL about as much as so many pixels of a dearer program.
constexpr float worth_a_change = 16000;

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
    GLuint shape_array = 0, shape_buffer = 0;
    GLuint corner_array = 0, corner_buffer = 0, index_buffer = 0;
    std::vector<Shape> shapes;
    std::vector<Corner> corners;
    std::vector<Run> runs;
    int indexed = 0;        // quads that the index buffer has room for
    bool uploaded = false;  // this frame's shapes and corners are in the buffers
    std::string error;
};
State state;

// Makes the program of a pass when a shape first needs it: start-up pays for what the first frame shows.
std::string prepare(Pass pass) {
    Program& program = state.programs[pass];
    if (program.id != 0) {
        return "";
    }
    const std::string defines =
        pass_defines[pass] + ("#define RIBBON_SEGMENTS " + std::to_string(ribbon_segments) + ".0\n");
    const bool quads = of_quads(pass);
    std::string error = make_program(state.es, defines, quads ? auditorium_quad_vert : auditorium_shape_vert,
                                     quads ? auditorium_quad_frag : auditorium_shape_frag, program.id);
    if (error.empty()) {
        program.transform = glGetUniformLocation(program.id, "u_transform");
        program.viewport = glGetUniformLocation(program.id, "u_viewport");
    }
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

// The whole frame at once, when its first batch is drawn.
void upload() {
    glBindBuffer(GL_ARRAY_BUFFER, state.shape_buffer);
    glBufferData(GL_ARRAY_BUFFER, GLsizeiptr(state.shapes.size() * sizeof(Shape)), state.shapes.data(),
                 GL_STREAM_DRAW);
    glBindBuffer(GL_ARRAY_BUFFER, state.corner_buffer);
    glBufferData(GL_ARRAY_BUFFER, GLsizeiptr(state.corners.size() * sizeof(Corner)), state.corners.data(),
                 GL_STREAM_DRAW);
    const int quads = int(state.corners.size() / 4);
    if (quads > state.indexed) {
        // Two triangles for each quad, the same ones in every frame.
        state.indexed = std::max(quads, 2 * state.indexed);
        std::vector<GLuint> indices;
        indices.reserve(std::size_t(state.indexed) * 6);
        for (GLuint q = 0; q < GLuint(state.indexed); ++q) {
            for (const GLuint corner : {0u, 1u, 2u, 2u, 1u, 3u}) {
                indices.push_back(4 * q + corner);
            }
        }
        glBindVertexArray(state.corner_array);
        glBufferData(GL_ELEMENT_ARRAY_BUFFER, GLsizeiptr(indices.size() * sizeof(GLuint)), indices.data(),
                     GL_STATIC_DRAW);
    }
    state.uploaded = true;
}

void draw_run(const Run& run, const Batch& batch, float width, float height) {
    if (std::string error = prepare(run.pass); !error.empty()) {
        state.error = std::move(error);
        return;
    }
    const Program& program = state.programs[run.pass];
    glUseProgram(program.id);
    glUniform2f(program.viewport, 2.0f / width, 2.0f / height);
    if (of_quads(run.pass)) {
        if (run.pass == solid) {
            glDisable(GL_BLEND);
        }
        glBindVertexArray(state.corner_array);
        glDrawElements(GL_TRIANGLES, 6 * run.count, GL_UNSIGNED_INT,
                       reinterpret_cast<const void*>(std::size_t(run.first) * 6 * sizeof(GLuint)));
        if (run.pass == solid) {
            glEnable(GL_BLEND);
        }
        return;
    }
    glBindVertexArray(state.shape_array);
    glBindBuffer(GL_ARRAY_BUFFER, state.shape_buffer);
    glUniform4f(program.transform, batch.scale, batch.offset_x, batch.offset_y, batch.zoom);
    bind_instances(run.first);
    const bool strip = run.pass == ribbon || run.pass == ribbon_decorated;
    glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, strip ? 2 * (ribbon_segments + 1) : 4, run.count);
}

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
    if (!state.uploaded) {
        upload();
    }
    glScissor(GLint(x0), GLint(height - y1), GLsizei(x1 - x0), GLsizei(y1 - y0));
    for (int r = batch.first_run; r < batch.first_run + batch.run_count; ++r) {
        draw_run(state.runs[std::size_t(r)], batch, width, height);
    }
}

// Joins runs of quads where a change of programs would cost more than the dearer program does. They are
// looked at once, in order: a short run takes its neighbour's program, or a neighbour its own.
void join_runs(std::vector<Run>& runs, std::size_t first) {
    std::size_t last = first;
    for (std::size_t i = first + 1; i < runs.size(); ++i) {
        Run& a = runs[last];
        const Run& b = runs[i];
        const bool joins = of_quads(a.pass) && of_quads(b.pass) && a.pass != solid && b.pass != solid &&
                           (a.pass == b.pass || (a.pass < b.pass ? a : b).pixels < worth_a_change);
        if (joins) {
            a.pass = std::max(a.pass, b.pass);
            a.count += b.count;
            a.pixels += b.pixels;
        } else {
            runs[++last] = b;
        }
    }
    runs.resize(runs.empty() ? 0 : last + 1);
}

// Shapes on their way into a list: they become one callback at the next text, or at the end.
class Filling {
  public:
    // `area`, in window pixels: where they are seen.
    Filling(ImDrawList* list, const Batch& batch, const scene::Rect& area, float pixels)
        : list_(list),
          batch_(batch),
          transform_{batch.scale, {batch.offset_x, batch.offset_y}, batch.zoom},
          clip_{area.x * pixels, area.y * pixels, area.w * pixels, area.h * pixels} {
        batch_.first_run = int(state.runs.size());
    }

    void add(const std::vector<Shape>& shapes) {
        for (const Shape& shape : shapes) {
            if (is_quad(shape, transform_)) {
                const int first = int(state.corners.size() / 4);
                const Added added = add_quads(state.corners, shape, transform_, clip_);
                append(solid, first, added.solid, 0);
                append(Pass(added.kind), first + added.solid, added.quads, added.pixels);
            } else {
                append(pass_of(shape), int(state.shapes.size()), 1, 0);
                state.shapes.push_back(shape);
            }
        }
    }

    void finish() {
        if (batch_.first_run < int(state.runs.size())) {
            join_runs(state.runs, std::size_t(batch_.first_run));
            batch_.run_count = int(state.runs.size()) - batch_.first_run;
            list_->AddCallback(draw_batch, &batch_, sizeof(batch_));
        }
        batch_.first_run = int(state.runs.size());
    }

  private:
    void append(Pass pass, int first, int count, float pixels) {
        if (count == 0) {
            return;
        }
        if (int(state.runs.size()) > batch_.first_run && state.runs.back().pass == pass) {
            state.runs.back().count += count;
            state.runs.back().pixels += pixels;
        } else {
            state.runs.push_back({pass, first, count, pixels});
        }
    }

    ImDrawList* list_;
    Batch batch_;
    Transform transform_;
    scene::Rect clip_;
};

}  // namespace

std::string init(bool es) {
    shutdown();
    state.es = es;
    glGenVertexArrays(1, &state.shape_array);
    glGenBuffers(1, &state.shape_buffer);
    glBindVertexArray(state.shape_array);
    for (GLuint i = 0; i <= 6; ++i) {
        glEnableVertexAttribArray(i);
        glVertexAttribDivisor(i, 1);
    }
    glGenVertexArrays(1, &state.corner_array);
    glGenBuffers(1, &state.corner_buffer);
    glGenBuffers(1, &state.index_buffer);
    glBindVertexArray(state.corner_array);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, state.index_buffer);
    glBindBuffer(GL_ARRAY_BUFFER, state.corner_buffer);
    const auto attribute = [](GLuint index, GLint size, GLenum type, GLboolean normalized, std::size_t at) {
        glEnableVertexAttribArray(index);
        glVertexAttribPointer(index, size, type, normalized, sizeof(Corner),
                              reinterpret_cast<const void*>(at));
    };
    attribute(0, 2, GL_FLOAT, GL_FALSE, offsetof(Corner, at));
    attribute(1, 2, GL_FLOAT, GL_FALSE, offsetof(Corner, p));
    attribute(2, 4, GL_FLOAT, GL_FALSE, offsetof(Corner, half_width));
    attribute(3, 4, GL_UNSIGNED_BYTE, GL_TRUE, offsetof(Corner, fill));
    attribute(4, 4, GL_UNSIGNED_BYTE, GL_TRUE, offsetof(Corner, line));
    glBindVertexArray(0);
    std::string error = start_lists(es);
    return error.empty() ? prepare(outlined) : error;
}

std::string init_all(bool es) {
    std::string error = init(es);
    for (int pass = 0; pass < pass_count && error.empty(); ++pass) {
        error = prepare(Pass(pass));
    }
    return error;
}

void shutdown() {
    stop_lists();
    for (Program& program : state.programs) {
        if (program.id != 0) {
            glDeleteProgram(program.id);
        }
    }
    if (state.shape_array != 0) {
        for (const GLuint buffer : {state.shape_buffer, state.corner_buffer, state.index_buffer}) {
            glDeleteBuffers(1, &buffer);
        }
        glDeleteVertexArrays(1, &state.shape_array);
        glDeleteVertexArrays(1, &state.corner_array);
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
    Filling filling(list, batch, area, pixels);
    for (const scene::Layer& layer : scene.layers) {
        filling.add(layer.shapes);
        if (!layer.labels.empty()) {
            filling.finish();
        }
        for (const scene::Label& label : layer.labels) {
            const scene::Point at{(label.at.x * batch.scale + batch.offset_x) / pixels,
                                  (label.at.y * batch.scale + batch.offset_y) / pixels};
            text(list, label.font, label.size * zoom, at, label.align, label.color, label.text);
        }
    }
    filling.finish();
    list->PopClipRect();
}

void draw_shapes(ImDrawList* list, const std::vector<Shape>& shapes, float ui_scale, float pixel_ratio) {
    const float pixels = ui_scale * pixel_ratio;
    const ImVec2 size = ImGui::GetIO().DisplaySize;
    Filling filling(
        list, Batch{.first_run = 0, .run_count = 0, .scale = pixels, .offset_x = 0, .offset_y = 0, .zoom = 1},
        {0, 0, size.x, size.y}, pixels);
    filling.add(shapes);
    filling.finish();
}

void end_frame() {
    state.shapes.clear();
    state.corners.clear();
    state.runs.clear();
    state.uploaded = false;
}

std::string last_error() {
    return state.error;
}

}  // namespace auditorium::renderer
