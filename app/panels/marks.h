// The marks that say how a run stands.
#pragma once

#include "analysis/verdict.h"
#include "app/panels/ui.h"

namespace auditorium::panels {

// A triangle with a mark of exclamation: something is wrong with a run. `size`: its height, px.
void warning(Ui& ui, Point centre, float size, Color color);

// A tick in a ring: a right result, or the better of two; a triangle: right by luck; a cross in a square:
// wrong. In the theme's colours, and told apart by their shapes.
void verdict_mark(Ui& ui, Point centre, float size, analysis::Verdict verdict);

}  // namespace auditorium::panels
