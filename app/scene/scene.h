// scene::build: (Trace, Analysis, Moment, View) -> Scene. A pure function; no GL, no ImGui, no clock.
#pragma once

#include "app/playback/playback.h"
#include "app/scene/shape.h"
#include "app/scene/theme.h"
#include "app/view.h"

namespace auditorium::scene {

// `area`: where the scene lies in the window.
Scene build(const trace::Trace& trace, const analysis::Analysis& analysis, const playback::Timeline& timeline,
            const playback::Moment& moment, const View& view, const Theme& theme, Rect area);

}  // namespace auditorium::scene
