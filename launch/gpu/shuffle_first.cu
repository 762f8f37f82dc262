#include "launch/gpu/kernels.cuh"

namespace auditorium::launch::gpu {

extern const Table shuffle_first;
const Table shuffle_first = make_table<ShuffleFirst>();

}  // namespace auditorium::launch::gpu
