#include "launch/gpu/kernels.cuh"

namespace auditorium::launch::gpu {

extern const Table contiguous_full;
const Table contiguous_full = make_table<ContiguousFull>();

}  // namespace auditorium::launch::gpu
