// frame(): how the app draws itself, which reads as the data flow.
#include "app/app.h"
#include "app/renderer/renderer.h"
#include "app/scene/theme.h"
#include "imgui.h"

namespace auditorium {

bool frame(App& app, double seconds) {
    playback::advance(app.playback, app.shown.timeline, seconds);
    const playback::Moment moment = playback::moment_at(app.shown.timeline, app.playback.time);
    const scene::Scene scene =
        scene::build(app.shown.trace, app.shown.analysis, app.shown.timeline, moment, app.view,
                     scene::theme(app.view.theme), {0, 0, float(app.view.width), float(app.view.height)});
    renderer::draw(ImGui::GetBackgroundDrawList(), scene, app.view.ui_scale, app.view.pixel_ratio);
    return app.playback.playing;
}

}  // namespace auditorium
