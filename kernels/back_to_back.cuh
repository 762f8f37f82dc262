// Lane 0 ends with the result of its warp.
template <typename Op>
__device__ T warp_reduce(T val, Op op) {
  for (int d = 16; d > 0; d /= 2) {
    T other = __shfl_down_sync(~0u, val, d);
    val = op(val, other);
  }
  return val;
}

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

// The best value, then how far the rest are
// from it, as in a softmax. Who comes early
// to the second pass may write box 0 before
// everyone has read it.
template <typename Op, typename Sum>
__device__ T best_and_spread(
    T val, Shared shared, int tid,
    Op op, Sum sum, T& best) {
  best = block_reduce(val, shared, tid, op);
  T gap = best - val;
  return block_reduce(
      gap, shared, tid, sum);
}
