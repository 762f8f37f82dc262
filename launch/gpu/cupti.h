// Inside the GPU half: CUPTI, opened when it is needed, and its functions, which take one parameter block
// each.
#pragma once

#include <cupti_result.h>
#include <dlfcn.h>
#include <fmt/format.h>

#include <string>
#include <type_traits>
#include <utility>

#include "launch/gpu/toolkit.h"

namespace auditorium::launch::gpu::cupti {

// A call that failed, as a sentence.
struct Failure {
    std::string sentence;
};

// The library, opened once; nullptr where the CUDA Toolkit's CUPTI is missing.
inline void* library() {
    static void* const opened = open_toolkit_library("libcupti.so");
    return opened;
}

inline void check(CUptiResult result, const char* name) {
    if (result == CUPTI_ERROR_INSUFFICIENT_PRIVILEGES ||
        result == CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES) {
        throw Failure{
            "This system keeps the GPU's counters to administrators: run as root, or load the driver "
            "with NVreg_RestrictProfilingToAdminUsers=0."};
    }
    if (result != CUPTI_SUCCESS) {
        throw Failure{fmt::format("The GPU's counters could not be read: {} failed (CUPTI error {}).", name,
                                  static_cast<int>(result))};
    }
}

template <class Params>
CUptiResult try_call(const char* name, Params& params) {
    const auto function = reinterpret_cast<CUptiResult (*)(Params*)>(dlsym(library(), name));
    return function ? function(&params) : CUPTI_ERROR_NOT_SUPPORTED;
}

template <class Params>
void call(const char* name, Params& params) {
    check(try_call(name, params), name);
}

template <class Params>
Params params(std::size_t size) {
    Params params{};
    params.structSize = size;
    return params;
}
#define AUDITORIUM_PARAMS(type) ::auditorium::launch::gpu::cupti::params<type>(type##_STRUCT_SIZE)

// Undoes what was begun, in any case.
template <class Undo>
class Guard {
  public:
    explicit Guard(Undo undo) : undo_(std::move(undo)) {}
    ~Guard() { undo_(); }
    Guard(const Guard&) = delete;
    Guard& operator=(const Guard&) = delete;

  private:
    Undo undo_;
};

}  // namespace auditorium::launch::gpu::cupti
