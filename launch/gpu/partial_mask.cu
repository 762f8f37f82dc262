#include "launch/gpu/kernels.cuh"

namespace auditorium::launch::gpu {

extern const Table partial_mask_table;
const Table partial_mask_table = make_table<PartialMask>();

}  // namespace auditorium::launch::gpu
