#include "launch/gpu/kernels.cuh"

namespace auditorium::launch::gpu {

extern const Table zero_identity_table;
const Table zero_identity_table = make_table<ZeroIdentity>();

}  // namespace auditorium::launch::gpu
