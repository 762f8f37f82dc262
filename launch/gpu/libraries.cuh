// What libraries offer for one block, as kernels of the same shape as ours: block_reduce(val, shared, tid,
// op), after which every thread has the result. For ints they get their own operations, which they know and
// have faster ways for; for floats ours, which they handle as any other.
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
template <class Thread, cub::BlockReduceAlgorithm algorithm>
struct CubReduce : Thread {
    using T = typename Thread::T;
    template <class Op>
    __device__ T block_reduce(T val, typename Thread::Shared shared, int tid, Op) {
        using Reduce = cub::BlockReduce<T, Thread::block, algorithm>;
        __shared__ typename Reduce::TempStorage storage;
        val = Reduce(storage).Reduce(val, typename CubOp<Op>::type{});
        if (tid == 0)
            shared[0] = val;
        this->__syncthreads();
        return shared[0];
    }
};

template <class Thread>
struct CubBlockReduce : CubReduce<Thread, cub::BLOCK_REDUCE_WARP_REDUCTIONS> {};  // its default
template <class Thread>
struct CubRaking : CubReduce<Thread, cub::BLOCK_REDUCE_RAKING> {};

// cooperative_groups::reduce of each warp, then of the warps' results in every warp. (Its own reduction of a
// whole block as one group took three times as long at 256 threads.)
template <class Thread>
struct CooperativeGroups : Thread {
    using T = typename Thread::T;
    template <class Op>
    __device__ T block_reduce(T val, typename Thread::Shared shared, int tid, Op identity) {
        namespace cg = cooperative_groups;
        const typename GroupsOp<Op>::type op{};
        const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
        val = cg::reduce(warp, val, op);
        if constexpr (Thread::block > 32) {
            constexpr int warps = Thread::block / 32;
            if (warp.thread_rank() == 0)
                shared[tid / 32] = val;
            this->__syncthreads();
            val = static_cast<int>(warp.thread_rank()) < warps ? shared[warp.thread_rank()]
                                                               : identity.identity();
            val = cg::reduce(warp, val, op);
        }
        return val;
    }
};

}  // namespace auditorium::launch::gpu
