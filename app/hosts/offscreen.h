// Pictures without a display: EGL on Mesa's surfaceless platform, on a GPU's device platform, or on the
// default display, with a framebuffer of our own. No X.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "app/app.h"
#include "app/hosts/image.h"
#include "app/scene/shape.h"

namespace auditorium::offscreen {

// A GL context with ImGui on it. One at a time, and not together with the window. `driver`: GL_RENDERER and
// GL_VERSION.
class Stage {
  public:
    ~Stage();
    std::string driver;
    struct Egl;
    std::unique_ptr<Egl> egl;
    Stage();
    Stage(const Stage&) = delete;
    Stage& operator=(const Stage&) = delete;
};

// No EGL, or no OpenGL 3.3: one sentence, status `device`.
Expected<std::unique_ptr<Stage>> open();

// One picture of anything drawn through ImGui; `ui` runs once a frame, `frames` times, the last of which is
// kept. `width` and `height` in framebuffer pixels, at most 16384.
// It lies on the colour that `ui` returns.
Expected<Image> paint(Stage& stage, int width, int height, float scale, int frames,
                      const std::function<scene::Color()>& ui);
Expected<Image> paint(Stage& stage, int width, int height, float scale, scene::Color background, int frames,
                      const std::function<void()>& ui);

// The app as it stands: frame(app, 0) on app.view's size, UI scale and pixel ratio.
Expected<Image> render(Stage& stage, App& app);
Expected<Image> render(App& app);  // on a stage of its own

// What one frame of the app costs here, until every pixel is there (nothing is read back); ms of wall clock.
struct FrameCost {
    double ui = 0;    // panels and scene, on the CPU
    double draw = 0;  // OpenGL, to the last pixel
};
Expected<FrameCost> frame_cost(Stage& stage, App& app);
Expected<FrameCost> frame_cost(Stage& stage, int width, int height, float scale,
                               const std::function<scene::Color()>& ui);

// A scene alone, as large as its area.
Expected<Image> render(Stage& stage, const scene::Scene& scene, scene::Color background, float scale = 1);

}  // namespace auditorium::offscreen
