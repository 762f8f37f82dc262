// A scene with every kind of shape, decoration and label, as a picture to test the renderer with and to look
// at.
#pragma once

#include "app/scene/shape.h"
#include "app/scene/theme.h"

namespace auditorium::testing {

scene::Scene sheet(const scene::Theme& theme);  // 800 x 600

}  // namespace auditorium::testing
