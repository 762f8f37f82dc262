#include "launch/gpu/kernels.cuh"

namespace auditorium::launch::gpu {

extern const Table interleaved_strided;
const Table interleaved_strided = make_table<InterleavedStrided>();

}  // namespace auditorium::launch::gpu
