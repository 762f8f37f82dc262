#include "launch/gpu/timing.cuh"

namespace auditorium::launch::gpu {

extern const Timing interleaved_strided_timing;
const Timing interleaved_strided_timing =
    make_timing<InterleavedStrided, BlockReduce, false, 32, 64, 128, 256, 512, 1024>();

}  // namespace auditorium::launch::gpu
