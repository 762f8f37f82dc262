#include "launch/gpu/kernels.cuh"

namespace auditorium::launch::gpu {

extern const Table contiguous_any_table;
const Table contiguous_any_table = make_table<ContiguousAny>();

}  // namespace auditorium::launch::gpu
