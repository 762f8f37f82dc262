#include "launch/gpu/kernels.cuh"

namespace auditorium::launch::gpu {

extern const Table interleaved_divergent;
const Table interleaved_divergent = make_table<InterleavedDivergent>();

}  // namespace auditorium::launch::gpu
