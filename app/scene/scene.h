// scene::build: (Trace, Analysis, Moment, View) -> Scene. A pure function; no GL, no ImGui, no clock.
//
// A frame that is drawn often uses build_into: `prepare` once when a trace is shown, then fill the same Scene
// again and again (its storage is reused). Both give the same scene.
//
// Coordinates: pixels of the area at UI scale 1, from its upper left corner, y down; the camera maps its
// `centre` to the middle of the area. Targets are in the same coordinates. Exact in what it shows (values,
// counts, who waits); drawing conventions are: which lane of a bank's queue goes first (ascending lanes),
// that the rows of a step act together, and all durations.
#pragma once

#include "app/inspector/describe.h"
#include "app/playback/playback.h"
#include "app/scene/prepared.h"
#include "app/scene/shape.h"
#include "app/scene/theme.h"
#include "app/view.h"

namespace auditorium::scene {

// `area`: where the scene lies in the window.
Scene build(const trace::Trace& trace, const analysis::Analysis& analysis, const playback::Timeline& timeline,
            const playback::Moment& moment, const View& view, const Theme& theme, Rect area);

// Tickets of the longest queue on show, with the change from step to step. Two halves leave room for the
// larger.
float tickets_shown(const playback::Timeline& timeline, const playback::Moment& moment, const View& view);

// The same into an existing scene, with what belongs to the trace worked out before. `asked`: what
// inspector::describe says of view.asked() at this moment, where the caller has it already.
void build_into(Scene& scene, const trace::Trace& trace, const analysis::Analysis& analysis,
                const playback::Timeline& timeline, const Prepared& prepared, const playback::Moment& moment,
                const View& view, const Theme& theme, Rect area,
                const inspector::Description* asked = nullptr);

}  // namespace auditorium::scene
