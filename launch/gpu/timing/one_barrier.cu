#include "launch/gpu/timing.cuh"

namespace auditorium::launch::gpu {

extern const Timing one_barrier_timing;
const Timing one_barrier_timing = make_timing<OneBarrier, BlockReduce, false, 32, 64, 128, 256, 512, 1024>();

}  // namespace auditorium::launch::gpu
