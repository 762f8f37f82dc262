#include "launch/gpu/kernels.cuh"

namespace auditorium::launch::gpu {

extern const Table contiguous_any;
const Table contiguous_any = make_table<ContiguousAny>();

}  // namespace auditorium::launch::gpu
