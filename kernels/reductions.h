// The kernel files as C++: each struct holds one file's functions, over a Thread that says what a barrier, a
// shuffle, blockDim and shared memory are. Thread::T is the type of a value, Thread::Shared the type through
// which shared memory is reached. A file's own words come first, Thread's next, CUDA's built-ins last.
#pragma once

// The order of the includes matters:
// clang-format off
namespace auditorium::kernels {

template <class Thread>
struct ContiguousWarp : Thread {
#include "kernels/names.inc"
#include "kernels/contiguous_warp.cuh"
};

template <class Thread>
struct ContiguousFull : Thread {
#include "kernels/names.inc"
#include "kernels/contiguous_full.cuh"
};

template <class Thread>
struct InterleavedDivergent : Thread {
#include "kernels/names.inc"
#include "kernels/interleaved_divergent.cuh"
};

template <class Thread>
struct InterleavedStrided : Thread {
#include "kernels/names.inc"
#include "kernels/interleaved_strided.cuh"
};

template <class Thread>
struct ShuffleFirst : Thread {
#include "kernels/names.inc"
#include "kernels/shuffle_first.cuh"
};

template <class Thread>
struct OneBarrier : Thread {
#include "kernels/names.inc"
#include "kernels/one_barrier.cuh"
};

template <class Thread>
struct ContiguousAny : Thread {
#include "kernels/names.inc"
#include "kernels/contiguous_any.cuh"
};

template <class Thread>
struct MissingBarrier : Thread {
#include "kernels/names.inc"
#include "kernels/missing_barrier.cuh"
};

template <class Thread>
struct BackToBack : Thread {
#include "kernels/names.inc"
#include "kernels/back_to_back.cuh"
};

template <class Thread>
struct ZeroIdentity : Thread {
#include "kernels/names.inc"
#include "kernels/zero_identity.cuh"
};

template <class Thread>
struct PartialMask : Thread {
#include "kernels/names.inc"
#include "kernels/partial_mask.cuh"
};

template <class Thread>
struct MissingSyncwarp : Thread {
#include "kernels/names.inc"
#include "kernels/missing_syncwarp.cuh"
};

template <class Thread>
struct DivergentBarrier : Thread {
#include "kernels/names.inc"
#include "kernels/divergent_barrier.cuh"
};

}  // namespace auditorium::kernels
