// What libraries offer for one block, as kernels of the same shape as ours: block_reduce(val, shared, tid, op),
// after which every thread has the result. For ints they get their own operations, which they know and have
// faster ways for; for floats ours, which they handle as any other.
#pragma once

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include <cub/block/block_reduce.cuh>
#include <cuda/functional>
#include <cuda/std/functional>

#include "kernels/ops.h"

namespace auditorium::launch::gpu {

template <class Op>
struct CubOp {
    using type = Op;
};
template <>
struct CubOp<kernels::Max<int>> {
    using type = cuda::maximum<>;
};
template <>
struct CubOp<kernels::Min<int>> {
    using type = cuda::minimum<>;
};
template <>
struct CubOp<kernels::Sum<int>> {
    using type = cuda::std::plus<>;
};
template <>
struct CubOp<kernels::Sum<float>> {
    using type = cuda::std::plus<>;
};

template <class Op>
struct GroupsOp {
    using type = Op;
};
template <>
struct GroupsOp<kernels::Max<int>> {
    using type = cooperative_groups::greater<int>;
};
template <>
struct GroupsOp<kernels::Min<int>> {
    using type = cooperative_groups::less<int>;
};
template <>
struct GroupsOp<kernels::Sum<int>> {
    using type = cooperative_groups::plus<int>;
};
template <>
struct GroupsOp<kernels::Sum<float>> {
    using type = cooperative_groups::plus<float>;
};

// CUB leaves the result in thread 0, so a box and a barrier hand it to the others.
template <class Thread>
struct CubBlockReduce : Thread {
    using T = typename Thread::T;
    template <class Op>
    __device__ T block_reduce(T val, typename Thread::Shared shared, int tid, Op) {
        using Reduce = cub::BlockReduce<T, Thread::block>;
        __shared__ typename Reduce::TempStorage storage;
        val = Reduce(storage).Reduce(val, typename CubOp<Op>::type{});
        if (tid == 0) shared[0] = val;
        this->__syncthreads();
        return shared[0];
    }
};

template <class Thread>
struct CooperativeGroups : Thread {
    using T = typename Thread::T;
    template <class Op>
    __device__ T block_reduce(T val, typename Thread::Shared, int, Op) {
        namespace cg = cooperative_groups;
        const typename GroupsOp<Op>::type op{};
        if constexpr (Thread::block <= 32) {
            return cg::reduce(cg::tiled_partition<Thread::block>(cg::this_thread_block()), val, op);
        } else {
            __shared__ cg::block_tile_memory<Thread::block> memory;
            return cg::reduce(cg::tiled_partition<Thread::block>(cg::this_thread_block(memory)), val, op);
        }
    }
};

}  // namespace auditorium::launch::gpu
