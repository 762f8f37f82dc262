// The Thread of the plain kernels: CUDA's own built-ins and a pointer, so that the machine code is that of a
// kernel written by hand (tests/kernels holds the two against each other). Results and cycles come from here.
#pragma once

namespace auditorium::kernels {

// blockDim.x as the device has it, or a constant. It must not be copied from the device early, which costs
// instructions on some of them; so it is read by a conversion.
template <int Constant>
struct BlockDim {
    struct {
        __device__ __forceinline__ operator unsigned() const {
            if constexpr (Constant > 0) {
                return Constant;
            } else {
                return ::blockDim.x;
            }
        }
    } x;
};

// Block: the block's size where it is known at compile time, else 0. Pointer: the type of shared memory;
// volatile for a kernel that counts on each access happening where it stands.
template <class Value, int Block = 0, class Pointer = Value*>
struct PlainThread {
    using T = Value;
    using Shared = Pointer;
    static constexpr int block = Block;

    BlockDim<Block> blockDim;

    __device__ void __syncthreads() const { ::__syncthreads(); }
    __device__ void __syncwarp() const { ::__syncwarp(); }
    __device__ T __shfl_down_sync(unsigned mask, T value, unsigned offset) const {
        return ::__shfl_down_sync(mask, value, offset);
    }
    __device__ T __shfl_xor_sync(unsigned mask, T value, unsigned offset) const {
        return ::__shfl_xor_sync(mask, value, offset);
    }
};

}  // namespace auditorium::kernels
