#include "launch/gpu/timing.cuh"

namespace auditorium::launch::gpu {

extern const Timing back_to_back_timing;
// The size that shows the fault.
const Timing back_to_back_timing = make_timing<BackToBack, BestAndSpread, false, 256>();

}  // namespace auditorium::launch::gpu
