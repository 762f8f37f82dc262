#include "launch/gpu/kernels.cuh"

namespace auditorium::launch::gpu {

extern const Table one_barrier_table;
const Table one_barrier_table = make_table<OneBarrier>();

}  // namespace auditorium::launch::gpu
