// The Thread of the timed kernels: the plain one, which also counts along (kernels/points.h) and reads the
// clock at one point. Which one is an argument of the launch: a clock read everywhere would slow the kernel
// down by a third. With a constant block size the loops unroll, a point's number is a constant, and what is
// left at a point is a compare and a predicated clock read.
#pragma once

#include "kernels/plain.h"
#include "kernels/points.h"

namespace auditorium::kernels {

// All 64 bits: on an H200 reading the low half alone takes the longer way, 10 cycles more.
__device__ inline long long read_clock() {
    long long cycles;
    asm volatile("mov.u64 %0, %%clock64;" : "=l"(cycles)::"memory");
    return cycles;
}

struct Stopwatch {
    int wanted;  // the point to stamp
    Points points;
    long long stamp = 0;
    __device__ void pass(int point) {
        if (point != Points::no_point) {
            asm volatile("{ .reg .pred now; setp.eq.s32 now, %1, %2; @now mov.u64 %0, %%clock64; }"
                         : "+l"(stamp)
                         : "r"(point), "r"(wanted)
                         : "memory");
        }
    }
};

template <class Value, int Block = 0, class Pointer = Value*>
struct TimedThread {
    using T = Value;

    Stopwatch* watch;
    BlockDim<Block> blockDim;

    class Box {
      public:
        __device__ Box(Stopwatch* watch, Pointer box) : watch_(watch), box_(box) {}
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
        Stopwatch* watch_;
        Pointer box_;
    };

    struct Shared {
        Stopwatch* watch;
        Pointer boxes;
        __device__ Box operator[](int index) const { return Box(watch, boxes + index); }
    };

    template <class Op>
    struct TimedOp {
        Stopwatch* watch;
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
