// render --compare: the pair's part of `render`.
#pragma once

#include "app/view.h"
#include "cli/commands.h"

namespace auditorium::cli {

// `number`: of the row whose end is drawn; `at`: seconds, or cycles of a race, where options.at is set.
Status render_pair(const RenderOptions& options, View view, long number, double at);

}  // namespace auditorium::cli
