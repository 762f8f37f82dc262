// The inputs of a launch, from a SPEC:
//   random:SEED[:LO:HI]  std::mt19937, LO + x % (HI-LO+1) per thread in ascending order; default 0:999
//   ramp                 0, 1, 2, ...
//   ones                 1, 1, 1, ...
//   values:1,2,3         typed in; exactly `block` of them
//   file:PATH            numbers separated by white space or commas
// A float is read as the nearest float32 ("nan", "inf", "-0", "1e-40" included); an int must fit int32.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "trace/config.h"

namespace auditorium::trace {

// Bytes of a SPEC at most; it is kept in the trace, as text.
inline constexpr std::size_t max_input = std::size_t{1} << 16;

// The bits of `block` values. An empty, too short or too long list, a number that is none, and a file that
// cannot be read each give one sentence.
Expected<std::vector<std::uint32_t>> expand_input(const std::string& spec, Type type, int block);

}  // namespace auditorium::trace
