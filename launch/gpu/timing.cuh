// The table of a reduction's timed kernels (launch/gpu/timed_kernels.cuh).
#pragma once

#include "launch/gpu/kernels.cuh"
#include "launch/gpu/timed_kernels.cuh"

namespace auditorium::launch::gpu {

template <template <class> class Kernel, class Entry, class T, class Op, class Pointer, int Block,
          int Group = 0>
void add_groups(Timing::Constant& constant, int op, int type) {
    constant.timed[Group][op][type] =
        reinterpret_cast<const void*>(&timed_group<Kernel, Entry, T, Op, Pointer, Block, Group>);
    if constexpr (Group + 1 < Points::groups) {
        add_groups<Kernel, Entry, T, Op, Pointer, Block, Group + 1>(constant, op, type);
    }
}

template <template <class> class Kernel, class Entry, class T, class Op, class Pointer, int Block>
void add_block(Timing& timing, int op, int type) {
    Timing::Constant& constant = timing.constant[Block];
    constant.cycles[op][type] = reinterpret_cast<const void*>(&cycles<Kernel, Entry, T, Op, Pointer, Block>);
    add_groups<Kernel, Entry, T, Op, Pointer, Block>(constant, op, type);
}

template <template <class> class Kernel, class Entry, class T, class Op, class Pointer, int... Blocks>
void add_timing(Timing& timing, int op, int type) {
    timing.cycles[op][type] = reinterpret_cast<const void*>(&cycles<Kernel, Entry, T, Op, Pointer, 0>);
    timing.timed[op][type] = reinterpret_cast<const void*>(&timed_point<Kernel, Entry, T, Op, Pointer>);
    (add_block<Kernel, Entry, T, Op, Pointer, Blocks>(timing, op, type), ...);
}

// Blocks: the block sizes known at compile time.
template <template <class> class Kernel, class Entry, bool Volatile, int... Blocks>
Timing make_timing() {
    Timing timing;
    timing.volatile_boxes = Volatile;
    add_timing<Kernel, Entry, float, Max<float>, PointerTo<float, Volatile>, Blocks...>(timing, 0, 0);
    add_timing<Kernel, Entry, float, Min<float>, PointerTo<float, Volatile>, Blocks...>(timing, 1, 0);
    add_timing<Kernel, Entry, float, Sum<float>, PointerTo<float, Volatile>, Blocks...>(timing, 2, 0);
    add_timing<Kernel, Entry, int, Max<int>, PointerTo<int, Volatile>, Blocks...>(timing, 0, 1);
    add_timing<Kernel, Entry, int, Min<int>, PointerTo<int, Volatile>, Blocks...>(timing, 1, 1);
    add_timing<Kernel, Entry, int, Sum<int>, PointerTo<int, Volatile>, Blocks...>(timing, 2, 1);
    return timing;
}

}  // namespace auditorium::launch::gpu
