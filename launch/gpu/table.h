// What the host needs to launch a reduction: its compiled kernels, as the runtime's function handles. One
// table per kernel file, each made in a translation unit of its own, so that they compile side by side.
#pragma once

#include <array>
#include <map>
#include <string_view>

#include "kernels/points.h"

namespace auditorium::launch::gpu {

inline constexpr int op_count = 3;    // in the order of trace::Op
inline constexpr int type_count = 2;  // in the order of trace::Type
using PerOp = std::array<std::array<const void*, type_count>, op_count>;

struct Table {
    PerOp plain{};   // (const T* in, T* out, int calls)
    PerOp traced{};  // (const T* in, T* out, int calls, int op, Recording)
};

struct Timing {
    // For a block size known at compile time.
    struct Constant {
        PerOp cycles{};  // (const T* in, T* out, int calls, long long* clocks)
        std::array<PerOp, kernels::Points::groups> timed{};  // (const T* in, T* out, unsigned* stamps)
    };
    std::map<int, Constant> constant;  // by block size
    PerOp cycles{};                    // for any, as above
    PerOp timed{};                // (const T* in, T* out, int calls, int warp, int wanted, unsigned* stamps)
    bool volatile_boxes = false;  // each access of shared memory happens where it stands
};

// By the name of the kernel's file, "contiguous_warp.cuh"; nullptr if it was not compiled.
const Table* find_table(std::string_view file);
const Timing* find_timing(std::string_view file);

}  // namespace auditorium::launch::gpu
