// Neighbours first. The working threads are
// packed together; their boxes share banks.
template <typename Op>
__device__ T block_reduce(
    T val, Shared shared, int tid, Op op) {
  int n = blockDim.x;
  shared[tid] = val;
  __syncthreads();

  for (int s = 1; s < n; s *= 2) {
    int i = 2 * s * tid;
    if (i < n) {
      T own = shared[i];
      T other = shared[i + s];
      shared[i] = op(own, other);
    }
    __syncthreads();
  }
  return shared[0];
}
