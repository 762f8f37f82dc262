// Halves the field until one warp is left,
// which goes on in shared memory and trusts
// that its lanes keep in step.
template <typename Op>
__device__ T block_reduce(
    T val, Shared shared, int tid, Op op) {
  int n = blockDim.x;
  shared[tid] = val;
  __syncthreads();

  for (int s = n / 2; s > 32; s /= 2) {
    if (tid < s) {
      T own = shared[tid];
      T other = shared[tid + s];
      shared[tid] = op(own, other);
    }
    __syncthreads();
  }

  if (tid < 32) {
    for (int s = 32; s > 0; s /= 2) {
      T own = shared[tid];
      T other = shared[tid + s];
      shared[tid] = op(own, other);
    }
  }
  __syncthreads();
  return shared[0];
}
