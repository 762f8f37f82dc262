#include "app/hosts/window.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <glad/gl.h>

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <functional>
#include <thread>
#include <utility>

#include "app/hosts/gui.h"
#include "app/hosts/icon.h"
#include "app/renderer/renderer.h"
#include "imgui.h"
#include "imgui_impl_glfw.h"
#include "trace/files.h"
#include "trace/json.h"

namespace auditorium::window {

namespace {

using Clock = std::chrono::steady_clock;

constexpr int frames_after_event = 3;
constexpr int least_width = 800, least_height = 500;  // px at UI scale 1

// What GLFW last complained about; its error callback takes no pointer of ours.
std::string glfw_error;
void remember_error(int, const char* text) {
    glfw_error = text;
}

volatile std::sig_atomic_t asked_to_stop = 0;
void ask_to_stop(int) {
    asked_to_stop = 1;
}

// These ask for an end while the window is open; one that the program was started to ignore (nohup) stays
// ignored.
class Signals {
  public:
    Signals() {
        asked_to_stop = 0;
        for (Caught& each : caught_) {
            each.before = std::signal(each.number, ask_to_stop);
            if (each.before == SIG_IGN) {
                std::signal(each.number, SIG_IGN);
            }
        }
    }
    ~Signals() {
        for (const Caught& each : caught_) {
            std::signal(each.number, each.before);
        }
    }
    Signals(const Signals&) = delete;
    Signals& operator=(const Signals&) = delete;

  private:
    struct Caught {
        int number;
        void (*before)(int) = SIG_DFL;
    };
    std::array<Caught, 3> caught_ = {{{SIGINT}, {SIGTERM}, {SIGHUP}}};
};

// Xlib's handler takes no pointer of ours.
std::function<void()> display_lost;

int end_without_display(void*) {
    if (const auto keep = std::exchange(display_lost, nullptr)) {
        keep();
    }
    // Nothing is destroyed: the caller, and what is under it on the stack, is in the middle of its work.
    std::_Exit(int(ExitStatus::device));
}

// Where GLFW's display is Xlib's: its own handler would end the program with its own words.
void watch_display(const std::function<void()>& lost) {
    using Handler = int (*)(void*);
    if (!lost) {
        return;
    }
    display_lost = lost;
    if (void* xlib = ::dlopen("libX11.so.6", RTLD_LAZY | RTLD_NOLOAD)) {
        if (void* set = ::dlsym(xlib, "XSetIOErrorHandler")) {
            reinterpret_cast<Handler (*)(Handler)>(set)(end_without_display);
        }
        ::dlclose(xlib);
    }
}

struct Window {
    GLFWwindow* handle = nullptr;
    App* app = nullptr;
    Options options;
    bool pointer_inside = false;
    int frames_owed = frames_after_event;
    long frames = 0;
    std::string title;
    std::string written;  // the state file's content

    ~Window() {
        if (handle != nullptr) {
            glfwDestroyWindow(handle);
        }
        glfwTerminate();
        display_lost = nullptr;
    }

    float pixel_ratio() const {
        float x = 1, y = 1;
        glfwGetWindowContentScale(handle, &x, &y);
        return std::clamp(x, 0.5f, 4.0f);
    }

    // GLFW's window coordinates as ImGui's: px at UI scale 1.
    scene::Point unscaled(double x, double y) const {
        int w = 1, h = 1, fw = 1, fh = 1;
        glfwGetWindowSize(handle, &w, &h);
        glfwGetFramebufferSize(handle, &fw, &fh);
        const float scale = app->view.ui_scale * pixel_ratio();
        return {float(x) * float(fw) / float(std::max(w, 1)) / scale,
                float(y) * float(fh) / float(std::max(h, 1)) / scale};
    }
};

Window& of(GLFWwindow* handle) {
    auto& window = *static_cast<Window*>(glfwGetWindowUserPointer(handle));
    window.frames_owed = frames_after_event;  // whatever happened deserves a redraw
    return window;
}

void set_callbacks(GLFWwindow* handle) {
    glfwSetWindowFocusCallback(handle, [](GLFWwindow* h, int focused) {
        of(h);
        ImGui_ImplGlfw_WindowFocusCallback(h, focused);
    });
    glfwSetCursorEnterCallback(handle, [](GLFWwindow* h, int entered) {
        of(h).pointer_inside = entered != 0;
        ImGui_ImplGlfw_CursorEnterCallback(h, entered);
    });
    glfwSetCursorPosCallback(handle, [](GLFWwindow* h, double x, double y) {
        const scene::Point at = of(h).unscaled(x, y);
        ImGui_ImplGlfw_CursorPosCallback(h, at.x, at.y);
    });
    glfwSetMouseButtonCallback(handle, [](GLFWwindow* h, int button, int action, int mods) {
        of(h);
        ImGui_ImplGlfw_MouseButtonCallback(h, button, action, mods);
    });
    glfwSetScrollCallback(handle, [](GLFWwindow* h, double x, double y) {
        of(h);
        ImGui_ImplGlfw_ScrollCallback(h, x, y);
    });
    glfwSetKeyCallback(handle, [](GLFWwindow* h, int key, int code, int action, int mods) {
        of(h);
        ImGui_ImplGlfw_KeyCallback(h, key, code, action, mods);
    });
    glfwSetCharCallback(handle, [](GLFWwindow* h, unsigned c) {
        of(h);
        ImGui_ImplGlfw_CharCallback(h, c);
    });
    glfwSetDropCallback(handle, [](GLFWwindow* h, int count, const char** paths) {
        if (count > 0) {
            drop_file(*of(h).app, paths[0]);
        }
    });
    glfwSetFramebufferSizeCallback(handle, [](GLFWwindow* h, int, int) { of(h); });
    glfwSetWindowContentScaleCallback(handle, [](GLFWwindow* h, float, float) { of(h); });
    glfwSetWindowRefreshCallback(handle, [](GLFWwindow* h) { of(h); });
    glfwSetWindowCloseCallback(handle, [](GLFWwindow* h) { of(h); });
    glfwSetWindowIconifyCallback(handle, [](GLFWwindow* h, int) { of(h); });
}

std::string because() {
    // GLFW's words are "X11: Failed to open display :0"; some drivers end theirs with a full stop or a line's
    // end.
    while (!glfw_error.empty() && (glfw_error.back() == '.' || glfw_error.back() == '\n')) {
        glfw_error.pop_back();
    }
    return glfw_error.empty() ? "" : fmt::format(" ({})", glfw_error);
}

// GLFW started and a window with a GL 3.3 context; or why not.
std::string open(Window& window) {
    glfw_error.clear();
    glfwSetErrorCallback(remember_error);
    watch_display(window.options.on_display_lost);
    if (!glfwInit()) {
        return fmt::format("No window can open here: there is no display{}.", because());
    }
    watch_display(window.options.on_display_lost);  // where GLFW has loaded Xlib only now
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
    glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
    glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
    glfwWindowHint(GLFW_SCALE_TO_MONITOR, GLFW_TRUE);
    glfwWindowHint(GLFW_DEPTH_BITS, 0);
    glfwWindowHint(GLFW_STENCIL_BITS, 0);
    glfwWindowHint(GLFW_SAMPLES, 0);
    glfwWindowHint(GLFW_VISIBLE, GLFW_FALSE);
    glfwWindowHintString(GLFW_X11_CLASS_NAME, "Auditorium");
    glfwWindowHintString(GLFW_X11_INSTANCE_NAME, "auditorium");

    int width = window.options.width, height = window.options.height;
    if (GLFWmonitor* monitor = glfwGetPrimaryMonitor()) {
        int x = 0, y = 0, w = 0, h = 0;
        glfwGetMonitorWorkarea(monitor, &x, &y, &w, &h);
        float scale = 1, unused = 1;
        glfwGetMonitorContentScale(monitor, &scale, &unused);
        if (w > 0 && h > 0) {
            width = std::min(width, int(float(w) / std::max(scale, 0.5f)));
            height = std::min(height, int(float(h) / std::max(scale, 0.5f)));
        }
    }
    window.handle = glfwCreateWindow(std::max(width, 1), std::max(height, 1), "Auditorium", nullptr, nullptr);
    if (window.handle == nullptr) {
        return fmt::format("No window can open here: the display's driver has no OpenGL 3.3{}.", because());
    }
    return "";
}

void write_state(Window& window, bool moving, int width, int height) {
    if (window.options.state_file.empty()) {
        return;
    }
    trace::Json state = state_of(*window.app);
    state["window"] = {{"moving", moving},
                       {"width", width},
                       {"height", height},
                       {"title", window.title},
                       {"frames", window.frames}};
    std::string text = state.dump(1);
    if (text == window.written) {
        return;
    }
    if (write_file(window.options.state_file, text)) {  // a reader never sees half of it
        window.written = std::move(text);
    }
}

void update_title(Window& window) {
    const trace::LaunchConfig& config = window.app->shown.trace.config;
    std::string title = fmt::format("{}, {} of {} {}s - Auditorium", config.kernel, trace::name_of(config.op),
                                    config.block, trace::name_of(config.type));
    if (title != window.title) {
        glfwSetWindowTitle(window.handle, title.c_str());
        window.title = std::move(title);
    }
}

// The display's period in seconds, where it says; else 1/60.
double display_period() {
    GLFWmonitor* monitor = glfwGetPrimaryMonitor();
    const GLFWvidmode* mode = monitor != nullptr ? glfwGetVideoMode(monitor) : nullptr;
    const int rate = mode != nullptr && mode->refreshRate >= 24 ? mode->refreshRate : 60;
    return 1.0 / rate;
}

void loop(Window& window) {
    App& app = *window.app;
    const double period = display_period();
    double largest = 0;  // pixels of a frame, since memory was last given back
    int hasty = 0;       // frames in a row that vsync did not hold back
    auto last = Clock::now();
    bool moving = false;
    while (!glfwWindowShouldClose(window.handle) && !app.quit && !asked_to_stop) {
        int width = 0, height = 0;
        glfwGetFramebufferSize(window.handle, &width, &height);
        const bool hidden = width == 0 || height == 0 || glfwGetWindowAttrib(window.handle, GLFW_ICONIFIED);
        if ((moving || window.frames_owed > 0) && !hidden) {
            glfwPollEvents();
        } else {
            glfwWaitEventsTimeout(0.5);  // looks up now and then for a signal; draws nothing
        }
        if (hidden || (!moving && window.frames_owed == 0)) {
            last = Clock::now();
            continue;
        }
        --window.frames_owed;
        window.frames_owed = std::max(window.frames_owed, 0);
        glfwGetFramebufferSize(window.handle, &width, &height);
        if (width == 0 || height == 0) {
            continue;
        }

        const auto begin = Clock::now();
        // The first frame after a rest takes no time, so that playback starts where it stood.
        const double seconds = moving ? std::chrono::duration<double>(begin - last).count() : 0;
        last = begin;
        View& view = app.view;
        view.pixel_ratio = window.pixel_ratio();
        const float scale = view.ui_scale * view.pixel_ratio;
        view.width = int(std::lround(float(width) / scale));
        view.height = int(std::lround(float(height) / scale));

        ImGui_ImplGlfw_NewFrame();
        ImGuiIO& io = ImGui::GetIO();
        if (!window.pointer_inside) {
            // The backend looks for the pointer outside of the window too, in coordinates of its own.
            if (ImGui::IsAnyMouseDown()) {
                double x = 0, y = 0;
                glfwGetCursorPos(window.handle, &x, &y);
                const scene::Point at = window.unscaled(x, y);
                io.AddMousePosEvent(at.x, at.y);
            } else {
                io.AddMousePosEvent(-FLT_MAX, -FLT_MAX);
            }
        }
        // Once a window that was very large is small and at rest, for the last frame that is owed.
        constexpr double very_large = 16e6, much_larger = 4;
        const double pixels = double(width) * height;
        largest = std::max(largest, pixels);
        if (largest > very_large && largest > much_larger * pixels && window.frames_owed == 0 && !moving) {
            gui::give_memory_back();
            largest = pixels;
        }
        bool more = false;
        gui::paint(
            {.width = width, .height = height, .ui_scale = view.ui_scale, .pixel_ratio = view.pixel_ratio},
            seconds, [&] {
                view.pointer.reset();
                if (ImGui::IsMousePosValid() && window.pointer_inside) {
                    view.pointer = scene::Point{io.MousePos.x, io.MousePos.y};
                }
                more = frame(app, seconds);
                return background(app);
            });
        if (std::string error = renderer::last_error(); !error.empty()) {
            const bool told = std::any_of(app.notices.begin(), app.notices.end(),
                                          [&error](const Notice& notice) { return notice.text == error; });
            if (!told) {
                app.notices.push_back({error, true});
            }
        }
        moving = more;
        glfwSwapBuffers(window.handle);
        ++window.frames;
        update_title(window);
        write_state(window, moving || window.frames_owed > 0, width, height);
        if (window.options.exit_after_frames > 0 && window.frames >= window.options.exit_after_frames) {
            break;
        }

        // Where vsync does not hold frames back (a remote display, Xvfb), sleep until the next one is due.
        const double taken = std::chrono::duration<double>(Clock::now() - begin).count();
        if (taken < 0.75 * period) {
            hasty = std::min(hasty + 1, 5);
        } else {
            hasty = 0;
        }
        if (hasty == 5) {
            std::this_thread::sleep_for(std::chrono::duration<double>(period - taken));
        }
    }
}

}  // namespace

Expected<void> run(App& app, const Options& options) {
    Window window;
    window.app = &app;
    window.options = options;
    if (std::string error = open(window); !error.empty()) {
        return fail(ExitStatus::device, error);
    }
    GLFWwindow* handle = window.handle;
    glfwMakeContextCurrent(handle);
    if (gladLoadGL(glfwGetProcAddress) < GLAD_MAKE_VERSION(3, 3)) {
        return fail(ExitStatus::device, "No window can open here: the display's driver has no OpenGL 3.3.");
    }
    glfwSetWindowUserPointer(handle, &window);
    if (std::string error = gui::start(); !error.empty()) {
        gui::stop();
        return fail(ExitStatus::device, error);
    }
    ImGui_ImplGlfw_InitForOpenGL(handle, false);
    set_callbacks(handle);
    const float ratio = window.pixel_ratio();
    glfwSetWindowSizeLimits(handle, int(least_width * ratio), int(least_height * ratio), GLFW_DONT_CARE,
                            GLFW_DONT_CARE);
    std::vector<Image> icons = {icon(16), icon(32), icon(48), icon(128)};
    std::vector<GLFWimage> images;
    for (Image& image : icons) {
        images.push_back({image.width, image.height, image.rgba.data()});
    }
    glfwSetWindowIcon(handle, int(images.size()), images.data());
    glfwSwapInterval(1);
    update_title(window);
    if (options.show_window) {
        glfwShowWindow(handle);
    }
    window.pointer_inside = glfwGetWindowAttrib(handle, GLFW_HOVERED) != 0;

    {
        const Signals signals;
        loop(window);
    }

    ImGui_ImplGlfw_Shutdown();
    gui::stop();
    return {};
}

std::string why_none() {
    Window window;
    window.options.width = window.options.height = 16;
    return open(window);
}

}  // namespace auditorium::window
