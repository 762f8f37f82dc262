// The operations that a reduction is called with, as the GPU's own max, min and add have them: a NaN loses
// against a number, +0 is above -0, integer sums wrap. CUDA only; the interpreter has its own, bit for bit
// the same.
#pragma once

namespace auditorium::kernels {

template <class T>
struct Max;
template <class T>
struct Min;
template <class T>
struct Sum;

template <>
struct Max<float> {
    __device__ float operator()(float a, float b) const { return fmaxf(a, b); }
    __device__ float identity() const { return __int_as_float(0xff800000); }  // -infinity
};
template <>
struct Min<float> {
    __device__ float operator()(float a, float b) const { return fminf(a, b); }
    __device__ float identity() const { return __int_as_float(0x7f800000); }  // +infinity
};
template <>
struct Sum<float> {
    __device__ float operator()(float a, float b) const { return a + b; }
    __device__ float identity() const { return 0.0f; }
};
template <>
struct Max<int> {
    __device__ int operator()(int a, int b) const { return max(a, b); }
    __device__ int identity() const { return -2147483647 - 1; }
};
template <>
struct Min<int> {
    __device__ int operator()(int a, int b) const { return min(a, b); }
    __device__ int identity() const { return 2147483647; }
};
template <>
struct Sum<int> {
    __device__ int operator()(int a, int b) const { return static_cast<int>(unsigned(a) + unsigned(b)); }
    __device__ int identity() const { return 0; }
};

}  // namespace auditorium::kernels
