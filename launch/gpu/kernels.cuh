// The kernels themselves: thin entries around a reduction's own functions, one for each kind of Thread, and
// the table of all of them; the timed ones are in timed_kernels.cuh. Shared memory is dynamic: the plain
// kinds get twice the block's words, since a kernel at a size that it was not made for reads past its end.
#pragma once

#include "kernels/ops.h"
#include "kernels/plain.h"
#include "kernels/reductions.h"
#include "kernels/traced.h"
#include "launch/gpu/entries.cuh"
#include "launch/gpu/table.h"

namespace auditorium::launch::gpu {

using namespace auditorium::kernels;

template <template <class> class Kernel, class Entry, class T, class Op, class Pointer>
__global__ void __launch_bounds__(1024) plain(const T* in, T* out, int calls) {
    extern __shared__ unsigned words[];
    Pointer shared = reinterpret_cast<Pointer>(words);
    Kernel<PlainThread<T, 0, Pointer>> kernel;
    const int tid = threadIdx.x;
    Entry::call(kernel, in[tid], shared, tid, Op{}, Sum<T>{}, out, tid, blockDim.x);
    for (int call = 1; call < calls; ++call) {
        __syncthreads();
        out += Entry::results * blockDim.x;
        Entry::call(kernel, in[tid], shared, tid, Op{}, Sum<T>{}, out, tid, blockDim.x);
    }
}

// The same operations as one type, chosen at run time: what a traced kernel costs does not matter.
template <class T>
struct AnyOp {
    int op;
    __device__ T operator()(T a, T b) const {
        return op == 0 ? Max<T>{}(a, b) : op == 1 ? Min<T>{}(a, b) : Sum<T>{}(a, b);
    }
    __device__ T identity() const {
        return op == 0 ? Max<T>{}.identity() : op == 1 ? Min<T>{}.identity() : Sum<T>{}.identity();
    }
};

template <template <class> class Kernel, class Entry, class T>
__global__ void __launch_bounds__(1024) traced(const T* in, T* out, int calls, int op, Recording recording) {
    extern __shared__ unsigned long long boxes[];
    const int tid = threadIdx.x;
    Recorder recorder{recording, boxes, blockDim.x, static_cast<unsigned>(tid)};
    boxes[tid] = static_cast<unsigned long long>(no_writer) << 32;
    __syncthreads();
    using Thread = TracedThread<T>;
    Kernel<Thread> kernel;
    kernel.recorder = &recorder;
    const typename Thread::Shared shared{&recorder};
    const typename Thread::template TracedOp<AnyOp<T>> chosen{&recorder, {op}}, sum{&recorder, {2}};
    for (int call = 0; call < calls; ++call) {
        if (call > 0) {
            recorder.barrier(0);
        }
        Entry::call(kernel, in[tid], shared, tid, chosen, sum, out, tid, blockDim.x);
        out += Entry::results * blockDim.x;
    }
    __syncthreads();
    recorder.snapshot();
    recording.counts[tid] = recorder.events;
}

template <template <class> class Kernel, class Entry, class T, class Op, class Pointer>
void add(Table& table, int op, int type) {
    table.plain[op][type] = reinterpret_cast<const void*>(&plain<Kernel, Entry, T, Op, Pointer>);
    table.traced[op][type] = reinterpret_cast<const void*>(&traced<Kernel, Entry, T>);
}

template <class T, bool Volatile>
using PointerTo = std::conditional_t<Volatile, volatile T*, T*>;

// Volatile: each access of shared memory happens where it stands.
template <template <class> class Kernel, class Entry = BlockReduce, bool Volatile = false>
Table make_table() {
    Table table;
    add<Kernel, Entry, float, Max<float>, PointerTo<float, Volatile>>(table, 0, 0);
    add<Kernel, Entry, float, Min<float>, PointerTo<float, Volatile>>(table, 1, 0);
    add<Kernel, Entry, float, Sum<float>, PointerTo<float, Volatile>>(table, 2, 0);
    add<Kernel, Entry, int, Max<int>, PointerTo<int, Volatile>>(table, 0, 1);
    add<Kernel, Entry, int, Min<int>, PointerTo<int, Volatile>>(table, 1, 1);
    add<Kernel, Entry, int, Sum<int>, PointerTo<int, Volatile>>(table, 2, 1);
    return table;
}

}  // namespace auditorium::launch::gpu
