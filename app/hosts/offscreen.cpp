#include "app/hosts/offscreen.h"

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <fmt/format.h>
#include <glad/gl.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstring>
#include <utility>
#include <vector>

#include "app/hosts/gui.h"
#include "app/renderer/renderer.h"
#include "imgui.h"

namespace auditorium::offscreen {

struct Stage::Egl {
    EGLDisplay display = EGL_NO_DISPLAY;
    EGLContext context = EGL_NO_CONTEXT;
    EGLConfig config = nullptr;
    bool surfaceless = false;
    // What is drawn on: a pbuffer, which the driver treats as it treats a window, so that both give the same
    // pixels; where there is none of that size, a framebuffer object.
    EGLSurface surface = EGL_NO_SURFACE;
    GLuint framebuffer = 0, color = 0;
    int width = 0, height = 0;

    ~Egl() {
        if (context != EGL_NO_CONTEXT) {
            eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
            eglDestroyContext(display, context);
        }
        if (surface != EGL_NO_SURFACE) {
            eglDestroySurface(display, surface);
        }
        if (display != EGL_NO_DISPLAY) {
            eglTerminate(display);
        }
    }
};

Stage::Stage() = default;

Stage::~Stage() {
    if (egl && egl->context != EGL_NO_CONTEXT) {
        gui::stop();
        if (egl->framebuffer != 0) {
            glDeleteFramebuffers(1, &egl->framebuffer);
            glDeleteRenderbuffers(1, &egl->color);
        }
    }
}

namespace {

bool has(const char* extensions, const char* name) {
    return extensions != nullptr && std::strstr(extensions, name) != nullptr;
}

EGLSurface make_pbuffer(const Stage::Egl& egl, int width, int height) {
    EGLint most_wide = 0, most_high = 0;
    if (egl.config == nullptr ||
        !eglGetConfigAttrib(egl.display, egl.config, EGL_MAX_PBUFFER_WIDTH, &most_wide) ||
        !eglGetConfigAttrib(egl.display, egl.config, EGL_MAX_PBUFFER_HEIGHT, &most_high) ||
        width > most_wide || height > most_high) {
        return EGL_NO_SURFACE;
    }
    const std::array<EGLint, 5> size = {EGL_WIDTH, width, EGL_HEIGHT, height, EGL_NONE};
    return eglCreatePbufferSurface(egl.display, egl.config, size.data());
}

// Makes something of that size the current target; false where the driver has no room for it.
bool set_target(Stage::Egl& egl, int width, int height) {
    if (egl.width == width && egl.height == height) {
        return true;
    }
    egl.width = egl.height = 0;
    if (EGLSurface fresh = make_pbuffer(egl, width, height); fresh != EGL_NO_SURFACE) {
        if (!eglMakeCurrent(egl.display, fresh, fresh, egl.context)) {
            return false;
        }
        if (egl.surface != EGL_NO_SURFACE) {
            eglDestroySurface(egl.display, egl.surface);
        }
        egl.surface = fresh;
        glBindFramebuffer(GL_FRAMEBUFFER, 0);
        // A context that was first made current without a surface draws into nothing and keeps to that, as
        // EGL_KHR_surfaceless_context has it: NVIDIA's driver does so, Mesa's does not.
        GLint into = GL_NONE;
        glGetIntegerv(GL_DRAW_BUFFER, &into);
        if (into == GL_NONE) {
            glDrawBuffer(GL_BACK);
            glReadBuffer(GL_BACK);
        }
    } else {
        if (egl.framebuffer == 0) {
            glGenFramebuffers(1, &egl.framebuffer);
            glGenRenderbuffers(1, &egl.color);
        }
        glBindFramebuffer(GL_FRAMEBUFFER, egl.framebuffer);
        glBindRenderbuffer(GL_RENDERBUFFER, egl.color);
        glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, width, height);
        glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, egl.color);
        if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE) {
            return false;
        }
    }
    egl.width = width;
    egl.height = height;
    return true;
}

// Makes a GL 3.3 core context current on `display`; "" or why not.
std::string start_context(Stage::Egl& egl, EGLDisplay display) {
    EGLint major = 0, minor = 0;
    if (display == EGL_NO_DISPLAY || !eglInitialize(display, &major, &minor)) {
        return "EGL finds no display device";
    }
    egl.display = display;
    if (!eglBindAPI(EGL_OPENGL_API)) {
        return "EGL has no OpenGL";
    }
    const std::array<EGLint, 13> wanted = {EGL_SURFACE_TYPE,
                                           EGL_PBUFFER_BIT,
                                           EGL_RENDERABLE_TYPE,
                                           EGL_OPENGL_BIT,
                                           EGL_RED_SIZE,
                                           8,
                                           EGL_GREEN_SIZE,
                                           8,
                                           EGL_BLUE_SIZE,
                                           8,
                                           EGL_ALPHA_SIZE,
                                           8,
                                           EGL_NONE};
    EGLConfig config = nullptr;
    EGLint count = 0;
    const bool pbuffer = eglChooseConfig(display, wanted.data(), &config, 1, &count) && count > 0;
    const char* extensions = eglQueryString(display, EGL_EXTENSIONS);
    if (!pbuffer && !has(extensions, "EGL_KHR_no_config_context")) {
        return "EGL offers no configuration to draw with";
    }
    const std::array<EGLint, 7> version = {EGL_CONTEXT_MAJOR_VERSION,
                                           3,
                                           EGL_CONTEXT_MINOR_VERSION,
                                           3,
                                           EGL_CONTEXT_OPENGL_PROFILE_MASK,
                                           EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                                           EGL_NONE};
    egl.context =
        eglCreateContext(display, pbuffer ? config : EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, version.data());
    if (egl.context == EGL_NO_CONTEXT) {
        return "the driver has no OpenGL 3.3";
    }
    egl.config = pbuffer ? config : nullptr;
    egl.surfaceless = has(extensions, "EGL_KHR_surfaceless_context");
    if (!egl.surfaceless) {
        egl.surface = make_pbuffer(egl, 16, 16);
    }
    if (!eglMakeCurrent(display, egl.surface, egl.surface, egl.context)) {
        return "EGL cannot use its own context";
    }
    if (gladLoadGL(GLADloadfunc(eglGetProcAddress)) < GLAD_MAKE_VERSION(3, 3)) {
        return "the driver has no OpenGL 3.3";
    }
    return "";
}

// The displays to try, best first.
std::vector<EGLDisplay> displays() {
    std::vector<EGLDisplay> all;
    const char* extensions = eglQueryString(EGL_NO_DISPLAY, EGL_EXTENSIONS);
    const auto platform_display =
        PFNEGLGETPLATFORMDISPLAYEXTPROC(eglGetProcAddress("eglGetPlatformDisplayEXT"));
    if (platform_display != nullptr && has(extensions, "EGL_MESA_platform_surfaceless")) {
        all.push_back(platform_display(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr));
    }
    const auto query_devices = PFNEGLQUERYDEVICESEXTPROC(eglGetProcAddress("eglQueryDevicesEXT"));
    if (platform_display != nullptr && query_devices != nullptr &&
        has(extensions, "EGL_EXT_platform_device")) {
        std::array<EGLDeviceEXT, 16> devices{};
        EGLint count = 0;
        if (query_devices(EGLint(devices.size()), devices.data(), &count)) {
            for (EGLint i = 0; i < count; ++i) {
                all.push_back(platform_display(EGL_PLATFORM_DEVICE_EXT, devices[std::size_t(i)], nullptr));
            }
        }
    }
    all.push_back(eglGetDisplay(EGL_DEFAULT_DISPLAY));
    return all;
}

}  // namespace

Expected<std::unique_ptr<Stage>> open() {
    std::string why = "EGL finds no display device";
    for (EGLDisplay display : displays()) {
        auto stage = std::make_unique<Stage>();
        stage->egl = std::make_unique<Stage::Egl>();
        std::string error = start_context(*stage->egl, display);
        if (error.empty()) {
            error = gui::start();
        }
        if (error.empty()) {
            stage->driver =
                fmt::format("{}, OpenGL {}", reinterpret_cast<const char*>(glGetString(GL_RENDERER)),
                            reinterpret_cast<const char*>(glGetString(GL_VERSION)));
            return stage;
        }
        why = error;
    }
    return fail(ExitStatus::device,
                fmt::format("Pictures cannot be drawn here: {}; Mesa's software driver (libgl1-mesa-dri) "
                            "would do.",
                            why));
}

namespace {

Expected<void> prepare(Stage& stage, int width, int height) {
    GLint limit = 0;
    glGetIntegerv(GL_MAX_RENDERBUFFER_SIZE, &limit);
    limit = std::min(limit, 16384);
    if (width < 1 || height < 1 || width > limit || height > limit) {
        return fail(ExitStatus::usage,
                    fmt::format("A picture of {}x{} pixels cannot be drawn: each side can be 1 to {}.", width,
                                height, limit));
    }
    if (!set_target(*stage.egl, width, height)) {
        return fail(ExitStatus::device,
                    fmt::format("The graphics driver has no room for {}x{} pixels.", width, height));
    }
    return {};
}

}  // namespace

Expected<FrameCost> frame_cost(Stage& stage, int width, int height, float scale,
                               const std::function<scene::Color()>& ui) {
    if (auto prepared = prepare(stage, width, height); !prepared) {
        return tl::unexpected(prepared.error());
    }
    const auto begin = std::chrono::steady_clock::now();
    const gui::Cost cost =
        gui::paint({.width = width, .height = height, .ui_scale = scale, .pixel_ratio = 1}, 1.0 / 60, ui);
    glFinish();
    const double whole =
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
    return FrameCost{.ui = cost.ui, .draw = whole - cost.ui};
}

Expected<Image> paint(Stage& stage, int width, int height, float scale, int frames,
                      const std::function<scene::Color()>& ui) {
    if (auto prepared = prepare(stage, width, height); !prepared) {
        return tl::unexpected(prepared.error());
    }
    for (int i = 0; i < std::max(frames, 1); ++i) {
        gui::paint({.width = width, .height = height, .ui_scale = scale, .pixel_ratio = 1}, 0, ui);
    }
    if (std::string error = renderer::last_error(); !error.empty()) {
        return fail(ExitStatus::device, error);
    }
    Image image{.width = width, .height = height, .rgba = {}};
    const std::size_t row = std::size_t(width) * 4;
    image.rgba.resize(row * std::size_t(height));
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    while (glGetError() != GL_NO_ERROR) {
    }
    glReadPixels(0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, image.rgba.data());
    if (const GLenum error = glGetError(); error != GL_NO_ERROR) {
        return fail(ExitStatus::device,
                    fmt::format("The graphics driver ({}) does not give back what it drew (OpenGL error "
                                "0x{:04x}).",
                                stage.driver, error));
    }
    for (std::size_t y = 0; y < std::size_t(height) / 2; ++y) {
        std::swap_ranges(image.rgba.begin() + std::ptrdiff_t(y * row),
                         image.rgba.begin() + std::ptrdiff_t((y + 1) * row),
                         image.rgba.end() - std::ptrdiff_t((y + 1) * row));
    }
    for (std::size_t i = 3; i < image.rgba.size(); i += 4) {
        image.rgba[i] = 255;
    }
    return image;
}

Expected<Image> paint(Stage& stage, int width, int height, float scale, scene::Color background, int frames,
                      const std::function<void()>& ui) {
    return paint(stage, width, height, scale, frames, [&] {
        ui();
        return background;
    });
}

Expected<Image> render(Stage& stage, const scene::Scene& scene, scene::Color background, float scale) {
    return paint(stage, int(std::lround((scene.area.x + scene.area.w) * scale)),
                 int(std::lround((scene.area.y + scene.area.h) * scale)), scale, background, 1,
                 [&] { renderer::draw(ImGui::GetBackgroundDrawList(), scene, scale, 1); });
}

}  // namespace auditorium::offscreen
