// The recordings that the program carries inside, and how a run comes about that is to stand in the compare
// view: the recording of just that launch where there is one, else the launch itself.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "launch/launch.h"
#include "trace/trace.h"

namespace auditorium::compare {

struct EmbeddedRecording {
    const char* name;  // "contiguous_full-max-float-256"; nullptr ends the list
    const unsigned char *begin, *end;
};
const EmbeddedRecording* embedded_recordings();
std::optional<trace::Trace> recording(std::string_view name);  // by its name there

// The recording of this launch: same kernel in today's text, same op, type, block, calls and input values.
// Empty where there is none, or where a schedule other than lockstep is asked for, which no GPU follows.
std::optional<trace::Trace> recorded(const trace::LaunchConfig& config);

// `automatic`: a recording, else launch::run. `gpu` and `cpu` always run.
Expected<trace::Trace> run(const trace::LaunchConfig& config, launch::Device device,
                           const std::function<bool()>& cancelled = {});

}  // namespace auditorium::compare
