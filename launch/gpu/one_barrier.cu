#include "launch/gpu/kernels.cuh"

namespace auditorium::launch::gpu {

extern const Table one_barrier;
const Table one_barrier = make_table<OneBarrier>();

}  // namespace auditorium::launch::gpu
