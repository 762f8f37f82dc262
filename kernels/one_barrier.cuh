// Groups of `width` lanes, a power of two:
// each lane ends with its group's result.
template <typename Op>
__device__ T warp_reduce(
    T val, int width, Op op) {
  for (int d = width / 2; d > 0; d /= 2) {
    T other = __shfl_xor_sync(~0u, val, d);
    val = op(val, other);
  }
  return val;
}

// One partial from each warp, one barrier.
// Then every warp reduces the partials by
// itself, so nobody waits for an answer.
template <typename Op>
__device__ T block_reduce(
    T val, Shared shared, int tid, Op op) {
  int lane = tid % 32;
  int warps = blockDim.x / 32;
  int width = 1;
  while (width < warps) width *= 2;

  val = warp_reduce(val, 32, op);
  if (lane == 0) shared[tid / 32] = val;
  __syncthreads();

  int i = lane & (width - 1);
  val = op.identity();
  if (i < warps) val = shared[i];
  return warp_reduce(val, width, op);
}
