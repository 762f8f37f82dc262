// Inside the GPU half: the CUDA Toolkit's libraries that are opened when they are needed.
#pragma once

#include <cuda_runtime_api.h>
#include <dlfcn.h>

#include <string>

namespace auditorium::launch::gpu {

// "libcupti.so" of the CUDA version that this program was built with; nullptr where it is missing.
inline void* open_toolkit_library(const std::string& name) {
    const std::string version = "." + std::to_string(CUDART_VERSION / 1000);
    for (const std::string& place : {
             name + version,
             name,
             "/usr/local/cuda/lib64/" + name + version,
             "/usr/local/cuda/extras/CUPTI/lib64/" + name + version,
             "/usr/local/cuda/lib/" + name + version,
             "/usr/local/cuda/targets/x86_64-linux/lib/" + name + version,
         }) {
        if (void* found = dlopen(place.c_str(), RTLD_NOW | RTLD_LOCAL)) {
            return found;
        }
    }
    return nullptr;
}

}  // namespace auditorium::launch::gpu
