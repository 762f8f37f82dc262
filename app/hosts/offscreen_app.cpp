#include <cmath>

#include "app/hosts/offscreen.h"

namespace auditorium::offscreen {

Expected<Image> render(Stage& stage, App& app) {
    const float scale = app.view.ui_scale * app.view.pixel_ratio;
    const int width = int(std::lround(float(app.view.width) * scale));
    const int height = int(std::lround(float(app.view.height) * scale));
    // ImGui knows the size of what it lays out one frame late; nothing needs more than three.
    return paint(stage, width, height, scale, 3, [&app] {
        frame(app, 0);
        return background(app);
    });
}

Expected<FrameCost> frame_cost(Stage& stage, App& app) {
    const float scale = app.view.ui_scale * app.view.pixel_ratio;
    return frame_cost(stage, int(std::lround(float(app.view.width) * scale)),
                      int(std::lround(float(app.view.height) * scale)), scale, [&app] {
                          frame(app, 0);
                          return background(app);
                      });
}

Expected<Image> render(App& app) {
    auto stage = open();
    if (!stage) {
        return tl::unexpected(stage.error());
    }
    return render(**stage, app);
}

}  // namespace auditorium::offscreen
