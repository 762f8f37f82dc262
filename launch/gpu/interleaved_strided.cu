#include "launch/gpu/kernels.cuh"

namespace auditorium::launch::gpu {

extern const Table interleaved_strided_table;
const Table interleaved_strided_table = make_table<InterleavedStrided>();

}  // namespace auditorium::launch::gpu
