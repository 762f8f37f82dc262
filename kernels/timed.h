// The Thread of the timed kernels: the plain one, which also counts its events and reads the clock at one of
// them. Which one is an argument of the launch: a clock read at each event would make the kernel a third
// slower. With a constant block size the loops unroll, the count is a constant everywhere, and what is left
// is a compare and a predicated clock read at each event.
#pragma once

#include "kernels/plain.h"

namespace auditorium::kernels {

__device__ inline long long read_clock() {
    long long cycles;
    asm volatile("mov.u64 %0, %%clock64;" : "=l"(cycles)::"memory");
    return cycles;
}

struct Stopwatch {
    int wanted;  // the event to stamp: its place among the thread's events, as in a trace
    int events = 0;
    long long stamp = 0;
    __device__ void pass() {
        if (events++ == wanted) {
            stamp = read_clock();
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
            watch_->pass();
            return *box_;
        }
        __device__ void operator=(T value) const {
            watch_->pass();
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
            watch->pass();
            return op(left, right);
        }
        __device__ T identity() const { return op.identity(); }
    };

    __device__ void __syncthreads() const {
        watch->pass();  // arrives
        ::__syncthreads();
        watch->pass();  // leaves
    }
    __device__ void __syncwarp() const {
        watch->pass();
        ::__syncwarp();
    }
    __device__ T __shfl_down_sync(unsigned mask, T value, unsigned offset) const {
        watch->pass();
        return ::__shfl_down_sync(mask, value, offset);
    }
    __device__ T __shfl_xor_sync(unsigned mask, T value, unsigned offset) const {
        watch->pass();
        return ::__shfl_xor_sync(mask, value, offset);
    }
};

}  // namespace auditorium::kernels
