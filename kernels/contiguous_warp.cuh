// Lane 0 ends with the result of its warp.
template <typename Op>
__device__ T warp_reduce(T val, Op op) {
  for (int d = 16; d > 0; d /= 2) {
    T other = __shfl_down_sync(~0u, val, d);
    val = op(val, other);
  }
  return val;
}

// Halves the field in shared memory until
// one warp is left, which finishes the work
// in registers.
template <typename Op>
__device__ T block_reduce(
    T val, Shared shared, int tid, Op op) {
  int n = blockDim.x;
  shared[tid] = val;
  __syncthreads();

  for (int s = n / 2; s >= 32; s /= 2) {
    if (tid < s) {
      T own = shared[tid];
      T other = shared[tid + s];
      shared[tid] = op(own, other);
    }
    __syncthreads();
  }

  if (tid < 32) {
    val = warp_reduce(shared[tid], op);
    if (tid == 0) shared[0] = val;
  }
  __syncthreads();
  return shared[0];
}
