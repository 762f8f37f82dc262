// How a launch calls a reduction: one type for each of the entries that the kernel files have.
#pragma once

namespace auditorium::launch::gpu {

// One call of a kernel's entry. out[place] takes the thread's first result, out[place + threads] the second.
struct BlockReduce {
    static constexpr int results = 1;
    template <class Kernel, class T, class Shared, class Op, class Sum>
    static __device__ void call(Kernel& kernel, T value, Shared shared, int tid, Op op, Sum, T* out,
                                int place, unsigned) {
        out[place] = kernel.block_reduce(value, shared, tid, op);
    }
};
struct BestAndSpread {
    static constexpr int results = 2;
    template <class Kernel, class T, class Shared, class Op, class Sum>
    static __device__ void call(Kernel& kernel, T value, Shared shared, int tid, Op op, Sum sum, T* out,
                                int place, unsigned threads) {
        T best;
        const T spread = kernel.best_and_spread(value, shared, tid, op, sum, best);
        out[place] = best;
        out[place + threads] = spread;
    }
};

}  // namespace auditorium::launch::gpu
