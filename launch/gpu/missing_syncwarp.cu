#include "launch/gpu/kernels.cuh"

namespace auditorium::launch::gpu {

extern const Table missing_syncwarp_table;
const Table missing_syncwarp_table = make_table<MissingSyncwarp, BlockReduce, true>();

}  // namespace auditorium::launch::gpu
