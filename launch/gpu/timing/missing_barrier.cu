#include "launch/gpu/timing.cuh"

namespace auditorium::launch::gpu {

extern const Timing missing_barrier_timing;
// The size that shows the fault.
const Timing missing_barrier_timing = make_timing<MissingBarrier, BlockReduce, false, 256>();

}  // namespace auditorium::launch::gpu
