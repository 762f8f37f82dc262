// The first `lanes` lanes, a power of two:
// each of them ends with the result of all.
template <typename Op>
__device__ T warp_reduce(
    T val, int lanes, Op op) {
  unsigned mask = ~0u >> (32 - lanes);
  for (int d = lanes / 2; d > 0; d /= 2) {
    T other = __shfl_xor_sync(mask, val, d);
    val = op(val, other);
  }
  return val;
}

// For any block size: the first stride is a
// power of two, and a box without a partner
// keeps its value.
template <typename Op>
__device__ T block_reduce(
    T val, Shared shared, int tid, Op op) {
  int n = blockDim.x;
  int lanes = 32;
  while (lanes > n) lanes /= 2;
  int s = lanes;
  while (2 * s < n) s *= 2;

  shared[tid] = val;
  __syncthreads();

  while (s >= lanes && s < n) {
    if (tid < s && tid + s < n) {
      T own = shared[tid];
      T other = shared[tid + s];
      shared[tid] = op(own, other);
    }
    __syncthreads();
    s /= 2;
  }

  if (tid < lanes) {
    val = shared[tid];
    val = warp_reduce(val, lanes, op);
    if (tid == 0) shared[0] = val;
  }
  __syncthreads();
  return shared[0];
}
