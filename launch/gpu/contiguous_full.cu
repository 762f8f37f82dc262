#include "launch/gpu/kernels.cuh"

namespace auditorium::launch::gpu {

extern const Table contiguous_full_table;
const Table contiguous_full_table = make_table<ContiguousFull>();

}  // namespace auditorium::launch::gpu
