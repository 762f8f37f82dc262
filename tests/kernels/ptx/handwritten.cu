// The correct kernels as one would write them by hand, for float and max, with nothing of ours. test_ptx
// holds the plain kernels' machine text against these. SWAPPED exchanges the operands of one operation, which
// the comparison must notice.
#ifdef SWAPPED
#define COMBINE(a, b) fmaxf(b, a)
#else
#define COMBINE(a, b) fmaxf(a, b)
#endif

#define KERNEL(name)                                                                                  \
    extern "C" __global__ void __launch_bounds__(1024) name(const float* in, float* out, int calls) { \
        extern __shared__ unsigned words[];                                                           \
        float* shared = reinterpret_cast<float*>(words);                                              \
        const int tid = threadIdx.x;                                                                  \
        out[tid] = name##_reduce(in[tid], shared, tid);                                               \
        for (int call = 1; call < calls; ++call) {                                                    \
            __syncthreads();                                                                          \
            out += blockDim.x;                                                                        \
            out[tid] = name##_reduce(in[tid], shared, tid);                                           \
        }                                                                                             \
    }

static __device__ float shuffle_down(float val) {
    for (int offset = 16; offset > 0; offset /= 2) {
        val = COMBINE(val, __shfl_down_sync(0xffffffff, val, offset));
    }
    return val;
}

static __device__ float contiguous_warp_reduce(float val, float* shared, int tid) {
    int n = blockDim.x;
    shared[tid] = val;
    __syncthreads();
    for (int stride = n / 2; stride >= 32; stride /= 2) {
        if (tid < stride) {
            shared[tid] = COMBINE(shared[tid], shared[tid + stride]);
        }
        __syncthreads();
    }
    if (tid < 32) {
        val = shuffle_down(shared[tid]);
        if (tid == 0) {
            shared[0] = val;
        }
    }
    __syncthreads();
    return shared[0];
}
KERNEL(contiguous_warp)

static __device__ float contiguous_full_reduce(float val, float* shared, int tid) {
    int n = blockDim.x;
    shared[tid] = val;
    __syncthreads();
    for (int stride = n / 2; stride > 0; stride /= 2) {
        if (tid < stride) {
            shared[tid] = COMBINE(shared[tid], shared[tid + stride]);
        }
        __syncthreads();
    }
    return shared[0];
}
KERNEL(contiguous_full)

static __device__ float interleaved_divergent_reduce(float val, float* shared, int tid) {
    int n = blockDim.x;
    shared[tid] = val;
    __syncthreads();
    for (int stride = 1; stride < n; stride *= 2) {
        if (tid % (2 * stride) == 0) {
            shared[tid] = COMBINE(shared[tid], shared[tid + stride]);
        }
        __syncthreads();
    }
    return shared[0];
}
KERNEL(interleaved_divergent)

static __device__ float interleaved_strided_reduce(float val, float* shared, int tid) {
    int n = blockDim.x;
    shared[tid] = val;
    __syncthreads();
    for (int stride = 1; stride < n; stride *= 2) {
        int index = 2 * stride * tid;
        if (index < n) {
            shared[index] = COMBINE(shared[index], shared[index + stride]);
        }
        __syncthreads();
    }
    return shared[0];
}
KERNEL(interleaved_strided)

static __device__ float shuffle_first_reduce(float val, float* shared, int tid) {
    int lane = tid % 32;
    int warp = tid / 32;
    int warps = blockDim.x / 32;
    val = shuffle_down(val);
    if (lane == 0) {
        shared[warp] = val;
    }
    __syncthreads();
    if (warp == 0) {
        val = shuffle_down(lane < warps ? shared[lane] : __int_as_float(0xff800000));
        if (lane == 0) {
            shared[0] = val;
        }
    }
    __syncthreads();
    return shared[0];
}
KERNEL(shuffle_first)

static __device__ float shuffle_xor(float val, unsigned mask, int width) {
    for (int offset = width / 2; offset > 0; offset /= 2) {
        val = COMBINE(val, __shfl_xor_sync(mask, val, offset));
    }
    return val;
}

static __device__ float one_barrier_reduce(float val, float* shared, int tid) {
    int lane = tid % 32;
    int warps = blockDim.x / 32;
    int width = 1;
    while (width < warps) {
        width *= 2;
    }
    val = shuffle_xor(val, 0xffffffff, 32);
    if (lane == 0) {
        shared[tid / 32] = val;
    }
    __syncthreads();
    int index = lane & (width - 1);
    val = index < warps ? shared[index] : __int_as_float(0xff800000);
    return shuffle_xor(val, 0xffffffff, width);
}
KERNEL(one_barrier)

static __device__ float contiguous_any_reduce(float val, float* shared, int tid) {
    int n = blockDim.x;
    int lanes = 32;
    while (lanes > n) {
        lanes /= 2;
    }
    int stride = lanes;
    while (2 * stride < n) {
        stride *= 2;
    }
    shared[tid] = val;
    __syncthreads();
    for (; stride >= lanes && stride < n; stride /= 2) {
        if (tid < stride && tid + stride < n) {
            shared[tid] = COMBINE(shared[tid], shared[tid + stride]);
        }
        __syncthreads();
    }
    if (tid < lanes) {
        val = shuffle_xor(shared[tid], 0xffffffff >> (32 - lanes), lanes);
        if (tid == 0) {
            shared[0] = val;
        }
    }
    __syncthreads();
    return shared[0];
}
KERNEL(contiguous_any)
