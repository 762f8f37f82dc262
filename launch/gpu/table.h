// What the host needs to launch a reduction: its compiled kernels, as the runtime's function handles. One
// table per kernel file, each made in a translation unit of its own, so that they compile side by side.
#pragma once

#include <array>
#include <string_view>

namespace auditorium::launch::gpu {

inline constexpr int op_count = 3;    // in the order of trace::Op
inline constexpr int type_count = 2;  // in the order of trace::Type
// Block sizes known at compile time: 32, 64, 128, 256, 512, 1024. Place 0 is for a size that is not.
inline constexpr int block_count = 7;

// 0, or the place of a block size that is compiled in.
constexpr int place_of(int block) {
    for (int place = 1, size = 32; place < block_count; ++place, size *= 2) {
        if (size == block) {
            return place;
        }
    }
    return 0;
}

struct Table {
    using PerOp = std::array<std::array<const void*, type_count>, op_count>;
    PerOp plain{};                            // (const T* in, T* out, int calls)
    PerOp traced{};                           // (const T* in, T* out, int calls, Recording)
    std::array<PerOp, block_count> cycles{};  // (const T* in, T* out, int calls, long long* clocks)
    std::array<PerOp, block_count>
        timed{};  // (const T* in, T* out, int calls, int warp, int wanted, long long* clocks)
};

// By the name of the kernel's file, "contiguous_warp.cuh"; nullptr if it was not compiled.
const Table* find_table(std::string_view file);

}  // namespace auditorium::launch::gpu
