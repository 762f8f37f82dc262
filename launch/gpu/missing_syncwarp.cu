#include "launch/gpu/kernels.cuh"

namespace auditorium::launch::gpu {

extern const Table missing_syncwarp;
const Table missing_syncwarp = make_table<MissingSyncwarp, BlockReduce, false, true>();

}  // namespace auditorium::launch::gpu
