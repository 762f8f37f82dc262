// Requests, wavefronts and bank conflicts (definitions in analysis.h).
#pragma once

#include "analysis/analysis.h"
#include "analysis/places.h"

namespace auditorium::analysis {

inline constexpr int banks = 32;

// The loads and stores among the groups, in their order (by step, warp, place in the step).
std::vector<Request> requests_of(const trace::Trace& trace, const Places& places, const Groups& groups);

// How many wavefronts the words of one request take, and which of them serves each lane. `words` holds one
// 4-byte word index per lane in `lanes`. Equal words share a wavefront; different words of one bank queue up,
// in the order of the lowest lane that asks for each; different banks do not wait for each other.
struct Wavefronts {
    int count = 0;  // of the worst bank
    std::array<std::uint8_t, 32> of_lane{};
};
Wavefronts wavefronts_of(std::uint32_t lanes, const std::array<std::uint16_t, 32>& words);

}  // namespace auditorium::analysis
