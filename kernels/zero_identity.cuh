// Lane 0 ends with the result of its warp.
template <typename Op>
__device__ T warp_reduce(T val, Op op) {
  for (int d = 16; d > 0; d /= 2) {
    T other = __shfl_down_sync(~0u, val, d);
    val = op(val, other);
  }
  return val;
}

// Every warp reduces its own values, then
// warp 0 reduces what they found. A lane
// without a partial takes zero.
template <typename Op>
__device__ T block_reduce(
    T val, Shared shared, int tid, Op op) {
  int lane = tid % 32;
  int warp = tid / 32;
  int warps = blockDim.x / 32;

  val = warp_reduce(val, op);
  if (lane == 0) shared[warp] = val;
  __syncthreads();

  if (warp == 0) {
    val = T(0);
    if (lane < warps) val = shared[lane];
    val = warp_reduce(val, op);
    if (lane == 0) shared[0] = val;
  }
  __syncthreads();
  return shared[0];
}
