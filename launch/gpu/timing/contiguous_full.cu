#include "launch/gpu/timing.cuh"

namespace auditorium::launch::gpu {

extern const Timing contiguous_full_timing;
const Timing contiguous_full_timing =
    make_timing<ContiguousFull, BlockReduce, false, 32, 64, 128, 256, 512, 1024>();

}  // namespace auditorium::launch::gpu
