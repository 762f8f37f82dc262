#include "launch/gpu/timing.cuh"

namespace auditorium::launch::gpu {

extern const Timing partial_mask_timing;
// The size that shows the fault.
const Timing partial_mask_timing = make_timing<PartialMask, BlockReduce, false, 48>();

}  // namespace auditorium::launch::gpu
