#include "launch/gpu/kernels.cuh"

namespace auditorium::launch::gpu {

extern const Table zero_identity;
const Table zero_identity = make_table<ZeroIdentity, BlockReduce, false>();

}  // namespace auditorium::launch::gpu
