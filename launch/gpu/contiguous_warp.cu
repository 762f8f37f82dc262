#include "launch/gpu/kernels.cuh"

namespace auditorium::launch::gpu {

extern const Table contiguous_warp_table;
const Table contiguous_warp_table = make_table<ContiguousWarp>();

}  // namespace auditorium::launch::gpu
