// Compiled to machine code of its own, whose line table line_table_test.cpp reads.
#include "launch/gpu/kernels.cuh"

namespace auditorium::launch::gpu {

template __global__ void plain<ContiguousWarp, BlockReduce, float, Max<float>, float*>(const float*, float*,
                                                                                       int);
template __global__ void plain<OneBarrier, BlockReduce, float, Max<float>, float*>(const float*, float*, int);

}  // namespace auditorium::launch::gpu
