#include "launch/gpu/kernels.cuh"

namespace auditorium::launch::gpu {

extern const Table contiguous_warp;
const Table contiguous_warp = make_table<ContiguousWarp>();

}  // namespace auditorium::launch::gpu
