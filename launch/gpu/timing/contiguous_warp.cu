#include "launch/gpu/timing.cuh"

namespace auditorium::launch::gpu {

extern const Timing contiguous_warp_timing;
// 96 is the size of ragged_block, which has this text.
const Timing contiguous_warp_timing =
    make_timing<ContiguousWarp, BlockReduce, false, 32, 64, 96, 128, 256, 512, 1024>();

}  // namespace auditorium::launch::gpu
