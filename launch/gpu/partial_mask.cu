#include "launch/gpu/kernels.cuh"

namespace auditorium::launch::gpu {

extern const Table partial_mask;
const Table partial_mask = make_table<PartialMask, BlockReduce, false>();

}  // namespace auditorium::launch::gpu
