// Pairs worth a look, and how a run is named on the command line.
#pragma once

#include <array>
#include <span>
#include <string>

#include "trace/config.h"
#include "trace/error.h"

namespace auditorium::compare {

struct Preset {
    const char* id;     // "divergent"
    const char* title;  // "Divergent against contiguous"
    const char* what;   // one sentence
    // ID[@BLOCK[@SCHEDULE]], see config_of
    const char* left;
    const char* right;
    const char* input = nullptr;  // where the usual one does not show it
};

// The first is what the compare view opens with.
std::span<const Preset> presets();

// Both sides of it, without values; `base` has op, type and input.
std::array<trace::LaunchConfig, 2> configs_of(const Preset& preset, const trace::LaunchConfig& base);

// "contiguous_full", "contiguous_full@1024", "missing_barrier@256@7": a kernel of the catalogue, its block
// size (default 256; a clinic entry's own) and the schedule that a simulated run follows (default lockstep).
// Op, type and input are `base`'s. Errors: usage.
Expected<trace::LaunchConfig> config_of(const std::string& entry, const trace::LaunchConfig& base);

}  // namespace auditorium::compare
