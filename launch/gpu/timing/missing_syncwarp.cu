#include "launch/gpu/timing.cuh"

namespace auditorium::launch::gpu {

extern const Timing missing_syncwarp_timing;
// The size that shows the fault.
const Timing missing_syncwarp_timing = make_timing<MissingSyncwarp, BlockReduce, true, 256>();

}  // namespace auditorium::launch::gpu
