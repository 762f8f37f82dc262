// The Thread of the timed kernels: the plain one, which also counts along (kernels/points.h) and reads the
// clock at some points.
//
// How it disturbs the kernel least was measured on an H200: a clock read whose result nobody waits for takes
// 2 cycles; one under a condition that is computed there, 13; a second copy of the kernel for the warp that
// is timed, beside the plain one for the others, 60 at once, since the code no longer fits the nearest cache.
// So where the block size is a constant, and with it each point's number, all warps run one code that reads
// the clock at the points of one group, without a condition, into registers that are written after the end.
// Where it is not, one point of one warp is asked for.
#pragma once

#include "kernels/plain.h"
#include "kernels/points.h"

namespace auditorium::kernels {

// All 64 bits: on an H200 reading the low half alone takes the longer way, 17 cycles more.
__device__ inline long long read_clock() {
    long long cycles;
    asm volatile("mov.u64 %0, %%clock64;" : "=l"(cycles)::"memory");
    return cycles;
}

// `count` numbers that stay registers: an array would be memory wherever the compiler learns an index late.
template <int count>
struct Registers {
    unsigned first = 0;
    Registers<count - 1> others;
    __device__ __forceinline__ void put(int index, unsigned value) {
        first = index == 0 ? value : first;
        others.put(index - 1, value);
    }
    __device__ __forceinline__ void write(unsigned* to) const {
        *to = first;
        others.write(to + 1);
    }
};
template <>
struct Registers<0> {
    __device__ __forceinline__ void put(int, unsigned) {}
    __device__ __forceinline__ void write(unsigned*) const {}
};

// Keeps the stamps of one group of points; with Group = every_group, of the one point wanted.
inline constexpr int every_group = -1;
template <int Group>
struct Stopwatch {
    Points points;
    Registers<Points::slots> stamps;  // low halves; 0: not reached
    __device__ __forceinline__ void pass(int point) {
        if (point != Points::no_point && Points::group_of(point) == Group) {
            stamps.put(Points::slot_of(point), static_cast<unsigned>(read_clock()));
        }
    }
};
template <>
struct Stopwatch<every_group> {
    Points points;
    int wanted = Points::no_point;  // the point to stamp
    unsigned stamp = 0;
    __device__ __forceinline__ void pass(int point) {
        if (point != Points::no_point) {
            long long now = stamp;
            asm volatile("{ .reg .pred now; setp.eq.s32 now, %1, %2; @now mov.u64 %0, %%clock64; }"
                         : "+l"(now)
                         : "r"(point), "r"(wanted)
                         : "memory");
            stamp = static_cast<unsigned>(now);
        }
    }
};

template <class Value, class Watch, int Block = 0, class Pointer = Value*>
struct TimedThread {
    using T = Value;

    Watch* watch;
    BlockDim<Block> blockDim;

    class Box {
      public:
        __device__ Box(Watch* watch, Pointer box) : watch_(watch), box_(box) {}
        Box(const Box&) = delete;
        __device__ operator T() const {
            watch_->pass(watch_->points.load());
            return *box_;
        }
        __device__ void operator=(T value) const {
            watch_->pass(watch_->points.store());
            *box_ = value;
        }
        __device__ void operator=(const Box& other) const { *this = static_cast<T>(other); }

      private:
        Watch* watch_;
        Pointer box_;
    };

    struct Shared {
        Watch* watch;
        Pointer boxes;
        __device__ Box operator[](int index) const { return Box(watch, boxes + index); }
    };

    template <class Op>
    struct TimedOp {
        Watch* watch;
        Op op;
        template <class A, class B>
        __device__ T operator()(const A& a, const B& b) const {
            const T left = a;
            const T right = b;
            watch->pass(watch->points.combine());
            return op(left, right);
        }
        __device__ T identity() const { return op.identity(); }
    };

    __device__ void __syncthreads() const {
        watch->pass(watch->points.barrier_arrive());
        ::__syncthreads();
        watch->pass(watch->points.barrier_leave());
    }
    __device__ void __syncwarp() const {
        watch->pass(watch->points.syncwarp());
        ::__syncwarp();
    }
    __device__ T __shfl_down_sync(unsigned mask, T value, unsigned offset) const {
        watch->pass(watch->points.shuffle());
        return ::__shfl_down_sync(mask, value, offset);
    }
    __device__ T __shfl_xor_sync(unsigned mask, T value, unsigned offset) const {
        watch->pass(watch->points.shuffle());
        return ::__shfl_xor_sync(mask, value, offset);
    }
};

}  // namespace auditorium::kernels
