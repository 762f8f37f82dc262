#include "launch/gpu/kernels.cuh"

namespace auditorium::launch::gpu {

extern const Table shuffle_first_table;
const Table shuffle_first_table = make_table<ShuffleFirst>();

}  // namespace auditorium::launch::gpu
