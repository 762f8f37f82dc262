// Neighbours first. The working threads lie
// ever further apart: no warp gets to rest.
template <typename Op>
__device__ T block_reduce(
    T val, Shared shared, int tid, Op op) {
  int n = blockDim.x;
  shared[tid] = val;
  __syncthreads();

  for (int s = 1; s < n; s *= 2) {
    if (tid % (2 * s) == 0) {
      T own = shared[tid];
      T other = shared[tid + s];
      shared[tid] = op(own, other);
    }
    __syncthreads();
  }
  return shared[0];
}
