// Only the plain kernels that test_ptx looks at, so that they compile fast.
#include "launch/gpu/kernels.cuh"

namespace auditorium::launch::gpu {

#define PLAIN(Kernel) \
    template __global__ void plain<Kernel, BlockReduce, float, Max<float>, float*>(const float*, float*, int)

PLAIN(ContiguousWarp);
PLAIN(ContiguousFull);
PLAIN(InterleavedDivergent);
PLAIN(InterleavedStrided);
PLAIN(ShuffleFirst);
PLAIN(OneBarrier);
PLAIN(ContiguousAny);

}  // namespace auditorium::launch::gpu
