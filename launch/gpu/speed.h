// Inside the GPU half: launch/speed.h's measurement, with exceptions (device.h).
#pragma once

#include <functional>

#include "launch/speed.h"

namespace auditorium::launch::gpu {

// A launch's cycles from its warps' clocks {begin, end}: the first begin to the last end.
double block_cycles(const long long* clocks, std::size_t warps);

// `between` is called now and then. The date is left empty.
Speed measure_speed_or_throw(int runs, const std::function<void()>& between);

}  // namespace auditorium::launch::gpu
