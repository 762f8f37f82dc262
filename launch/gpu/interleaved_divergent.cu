#include "launch/gpu/kernels.cuh"

namespace auditorium::launch::gpu {

extern const Table interleaved_divergent_table;
const Table interleaved_divergent_table = make_table<InterleavedDivergent>();

}  // namespace auditorium::launch::gpu
