#include "launch/gpu/timing.cuh"

namespace auditorium::launch::gpu {

extern const Timing interleaved_divergent_timing;
const Timing interleaved_divergent_timing =
    make_timing<InterleavedDivergent, BlockReduce, false, 32, 64, 128, 256, 512, 1024>();

}  // namespace auditorium::launch::gpu
