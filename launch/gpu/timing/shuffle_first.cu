#include "launch/gpu/timing.cuh"

namespace auditorium::launch::gpu {

extern const Timing shuffle_first_timing;
const Timing shuffle_first_timing =
    make_timing<ShuffleFirst, BlockReduce, false, 32, 64, 128, 256, 512, 1024>();

}  // namespace auditorium::launch::gpu
