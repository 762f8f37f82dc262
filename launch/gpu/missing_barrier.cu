#include "launch/gpu/kernels.cuh"

namespace auditorium::launch::gpu {

extern const Table missing_barrier;
const Table missing_barrier = make_table<MissingBarrier, BlockReduce, false>();

}  // namespace auditorium::launch::gpu
