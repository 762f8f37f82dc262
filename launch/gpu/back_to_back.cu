#include "launch/gpu/kernels.cuh"

namespace auditorium::launch::gpu {

extern const Table back_to_back;
const Table back_to_back = make_table<BackToBack, BestAndSpread, false>();

}  // namespace auditorium::launch::gpu
