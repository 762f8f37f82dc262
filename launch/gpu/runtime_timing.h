// The timing of a kernel at a block size for which the program holds no code: the same text, compiled for
// that size while the program runs, by NVRTC, the CUDA Toolkit's compiler as a library. Without it such a
// size is timed by the kernel that learns its size as it runs, which the stamps slow down.
#pragma once

#include <cuda_runtime_api.h>

#include <array>
#include <memory>
#include <span>
#include <string>

#include "kernels/catalogue.h"
#include "launch/gpu/table.h"
#include "trace/trace.h"

namespace auditorium::launch::gpu {

// What the timed kernels are made of, apart from the reductions' own files; in the program, so that it needs
// no source tree. Defined by a file that the build makes.
struct DeviceText {
    const char* path;  // as it is included
    const char* text;
};
std::span<const DeviceText> device_texts();

// Machine code, or PTX where the compiler does not know the GPU, and the kernels' names in it.
struct CompiledTiming {
    std::string image;
    std::string cycles;
    std::array<std::string, kernels::Points::groups> timed;
    double seconds = 0;  // that it took
};

// For a GPU of compute capability major.minor; needs none. Each is compiled once in the life of the process.
Expected<std::shared_ptr<const CompiledTiming>> compile_timing(const kernels::Kernel& kernel, trace::Op op,
                                                               trace::Type type, int block, int major,
                                                               int minor);

// The kernels on the GPU, for as long as this lives.
class LoadedTiming {
  public:
    static Expected<std::unique_ptr<LoadedTiming>> load(const CompiledTiming& compiled, trace::Op op,
                                                        trace::Type type);
    ~LoadedTiming();
    LoadedTiming(const LoadedTiming&) = delete;
    LoadedTiming& operator=(const LoadedTiming&) = delete;

    const Timing::Constant& constant() const { return constant_; }  // of the one op and type

  private:
    LoadedTiming() = default;

    void* library_ = nullptr;
    Timing::Constant constant_;
};

}  // namespace auditorium::launch::gpu
