// Inside the GPU half: memory and launches with every call checked.
#pragma once

#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstddef>
#include <vector>

namespace auditorium::launch::gpu {

// A failing call of the runtime leaves through an exception, which gpu.h's functions turn into an Error.
struct Failure {
    cudaError_t code;
    const char* what;
};

inline void check(cudaError_t code, const char* what) {
    if (code != cudaSuccess) {
        throw Failure{code, what};
    }
}

template <class T>
class DeviceArray {
  public:
    explicit DeviceArray(std::size_t size) : size_(size) {
        check(cudaMalloc(reinterpret_cast<void**>(&data_), std::max<std::size_t>(size, 1) * sizeof(T)),
              "allocating memory");
    }
    ~DeviceArray() { cudaFree(data_); }
    DeviceArray(const DeviceArray&) = delete;
    DeviceArray& operator=(const DeviceArray&) = delete;

    T* data() const { return data_; }
    void fill(int byte) const { check(cudaMemset(data_, byte, size_ * sizeof(T)), "clearing memory"); }
    void upload(const std::vector<T>& from) const {
        check(cudaMemcpy(data_, from.data(), from.size() * sizeof(T), cudaMemcpyHostToDevice),
              "copying the input");
    }
    std::vector<T> download(std::size_t count) const {
        std::vector<T> to(count);
        check(cudaMemcpy(to.data(), data_, count * sizeof(T), cudaMemcpyDeviceToHost),
              "copying what was recorded");
        return to;
    }
    std::vector<T> download() const { return download(size_); }

  private:
    T* data_ = nullptr;
    std::size_t size_;
};

template <class... Args>
void start(const void* kernel, int block, std::size_t shared_bytes, Args... args) {
    void* pointers[] = {&args...};
    check(cudaLaunchKernel(kernel, dim3(1), dim3(static_cast<unsigned>(block)), pointers, shared_bytes,
                           nullptr),
          "starting a kernel");
}

inline void wait(const char* what) {
    check(cudaGetLastError(), what);
    check(cudaDeviceSynchronize(), what);
}

}  // namespace auditorium::launch::gpu
