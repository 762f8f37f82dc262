// Halves the field down to one value, with
// no barrier between the halvings.
template <typename Op>
__device__ T block_reduce(
    T val, Shared shared, int tid, Op op) {
  int n = blockDim.x;
  shared[tid] = val;
  __syncthreads();

  for (int s = n / 2; s > 0; s /= 2) {
    if (tid < s) {
      T own = shared[tid];
      T other = shared[tid + s];
      shared[tid] = op(own, other);
    }
  }
  __syncthreads();
  return shared[0];
}
