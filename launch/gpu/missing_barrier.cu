#include "launch/gpu/kernels.cuh"

namespace auditorium::launch::gpu {

extern const Table missing_barrier_table;
const Table missing_barrier_table = make_table<MissingBarrier>();

}  // namespace auditorium::launch::gpu
