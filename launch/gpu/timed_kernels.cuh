// The kernels that the clock is read in, for each reduction: the plain code, timed as a whole, and the timed
// one, whose stamps say when each warp came to a point (kernels/timed.h). Compiled with the program and, for
// block sizes that it does not hold, while it runs (launch/gpu/runtime_timing.h): so nothing in here nor in
// what is included may need a header of the compiler's or of the host's.
#pragma once

#include "kernels/ops.h"
#include "kernels/plain.h"
#include "kernels/reductions.h"
#include "kernels/timed.h"
#include "launch/gpu/entries.cuh"

namespace auditorium::launch::gpu {

using namespace auditorium::kernels;

// `calls` calls, one only where the block size is a constant.
template <class Entry, int Block, class Kernel, class T, class Shared, class Op, class Sum>
__device__ void call_all(Kernel& kernel, T value, Shared shared, int tid, Op op, Sum sum, T* out, int calls) {
    Entry::call(kernel, value, shared, tid, op, sum, out, 0, blockDim.x);
    if constexpr (Block == 0) {
#pragma unroll 1
        for (int call = 1; call < calls; ++call) {
            kernel.__syncthreads();
            Entry::call(kernel, value, shared, tid, op, sum, out, call * Entry::results * blockDim.x,
                        blockDim.x);
        }
    }
}

// Computed here and not later, while the clock runs.
template <class T>
__device__ T* ready(T* pointer) {
    asm volatile("" : "+l"(pointer));
    return pointer;
}

// Both clock kernels run everything twice, the first time to have the instructions in the cache. A warp's
// clocks: when it began, and when it was done or at the point wanted. Cycles of the multiprocessor, so warps
// share a zero. The result is stored before the clock is read, which therefore waits for it.
template <template <class> class Kernel, class Entry, class T, class Op, class Pointer, int Block>
__global__ void __launch_bounds__(Block ? Block : 1024)
    cycles(const T* in, T* out, int calls, long long* clocks) {
    extern __shared__ unsigned words[];
    const Pointer shared = reinterpret_cast<Pointer>(words);
    Kernel<PlainThread<T, Block, Pointer>> kernel;
    const int tid = threadIdx.x;
    const T value = in[tid];
    T* const own = ready(out + tid);
    long long begin = 0, end = 0;
#pragma unroll 1
    for (int run = 0; run < 2; ++run) {
        __syncthreads();
        begin = read_clock();
        call_all<Entry, Block>(kernel, value, shared, tid, Op{}, Sum<T>{}, own, calls);
        end = read_clock();
    }
    if (tid % 32 == 0) {
        clocks[tid / 32 * 2] = begin;
        clocks[tid / 32 * 2 + 1] = end;
    }
}

// The stamps of a launch, one row of 1 + Points::slots numbers for each warp: when it began, and the slots.
// The low halves of the clock.
template <template <class> class Kernel, class Entry, class T, class Op, class Pointer, int Block, int Group>
__global__ void __launch_bounds__(Block) timed_group(const T* in, T* out, unsigned* stamps) {
    extern __shared__ unsigned words[];
    using Watch = Stopwatch<Group>;
    using Thread = TimedThread<T, Watch, Block, Pointer>;
    Watch watch;
    Kernel<Thread> kernel;
    kernel.watch = &watch;
    const typename Thread::template TimedOp<Op> op{&watch, {}};
    const typename Thread::template TimedOp<Sum<T>> sum{&watch, {}};
    const typename Thread::Shared shared{&watch, reinterpret_cast<Pointer>(words)};
    const int tid = threadIdx.x;
    const T value = in[tid];
    T* const own = ready(out + tid);
    long long begin = 0;
#pragma unroll 1
    for (int run = 0; run < 2; ++run) {
        __syncthreads();
        begin = read_clock();
        watch.points = Points{};
        call_all<Entry, Block>(kernel, value, shared, tid, op, sum, own, 1);
        watch.pass(watch.points.end());
    }
    if (tid % 32 == 0) {
        unsigned* const row = stamps + tid / 32 * (1 + Points::slots);
        row[0] = static_cast<unsigned>(begin);
        watch.stamps.write(row + 1);
    }
}

// The same where the block size is known at run time only: one point of one warp, in the first slot.
template <template <class> class Kernel, class Entry, class T, class Op, class Pointer>
__global__ void __launch_bounds__(1024)
    timed_point(const T* in, T* out, int calls, int warp, int wanted, unsigned* stamps) {
    extern __shared__ unsigned words[];
    using Watch = Stopwatch<every_group>;
    using Thread = TimedThread<T, Watch, 0, Pointer>;
    const int tid = threadIdx.x;
    Watch watch;
    watch.wanted = tid / 32 == warp ? wanted : Points::no_point;
    Kernel<Thread> kernel;
    kernel.watch = &watch;
    const typename Thread::template TimedOp<Op> op{&watch, {}};
    const typename Thread::template TimedOp<Sum<T>> sum{&watch, {}};
    const typename Thread::Shared shared{&watch, reinterpret_cast<Pointer>(words)};
    const T value = in[tid];
    T* const own = ready(out + tid);
    long long begin = 0;
#pragma unroll 1
    for (int run = 0; run < 2; ++run) {
        __syncthreads();
        begin = read_clock();
        watch.points = Points{};
        call_all<Entry, 0>(kernel, value, shared, tid, op, sum, own, calls);
        watch.pass(watch.points.end());
    }
    if (tid % 32 == 0) {
        stamps[tid / 32 * (1 + Points::slots)] = static_cast<unsigned>(begin);
        stamps[tid / 32 * (1 + Points::slots) + 1] = watch.stamp;
    }
}

}  // namespace auditorium::launch::gpu
