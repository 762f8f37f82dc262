#include "launch/gpu/kernels.cuh"

namespace auditorium::launch::gpu {

extern const Table back_to_back_table;
const Table back_to_back_table = make_table<BackToBack, BestAndSpread>();

}  // namespace auditorium::launch::gpu
