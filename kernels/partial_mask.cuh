// Lane 0 ends with its warp's result, if
// the warp has all the lanes of the mask.
template <typename Op>
__device__ T warp_reduce(T val, Op op) {
  for (int d = 16; d > 0; d /= 2) {
    T other = __shfl_down_sync(~0u, val, d);
    val = op(val, other);
  }
  return val;
}

// Every warp reduces its own values, even a
// last one with lanes missing, and warp 0
// reduces what they found.
template <typename Op>
__device__ T block_reduce(
    T val, Shared shared, int tid, Op op) {
  int lane = tid % 32;
  int warp = tid / 32;
  int warps = (blockDim.x + 31) / 32;

  val = warp_reduce(val, op);
  if (lane == 0) shared[warp] = val;
  __syncthreads();

  if (warp == 0) {
    val = op.identity();
    if (lane < warps) val = shared[lane];
    val = warp_reduce(val, op);
    if (lane == 0) shared[0] = val;
  }
  __syncthreads();
  return shared[0];
}
