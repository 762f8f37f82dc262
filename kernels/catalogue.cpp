#include "kernels/catalogue.h"

#include <array>

#include "kernels/texts.h"

namespace auditorium::kernels {
namespace {

using namespace std::string_view_literals;

const std::array<Kernel, 14>& catalogue() {
    static const std::array<Kernel, 14> kernels{{
        {.id = "contiguous_warp",
         .title = "contiguous + warp",
         .summary = "A tree in shared memory down to 32 values, then warp 0 finishes with five shuffles.",
         .entry = "block_reduce",
         .file = "contiguous_warp.cuh",
         .source = texts::contiguous_warp,
         .sizes = Sizes::powers_of_two,
         .smallest = 32},
        {.id = "contiguous_full",
         .title = "contiguous, full tree",
         .summary =
             "The same tree down to one value: no shuffles, and a barrier for each of the last five rounds.",
         .entry = "block_reduce",
         .file = "contiguous_full.cuh",
         .source = texts::contiguous_full,
         .sizes = Sizes::powers_of_two},
        {.id = "interleaved_divergent",
         .title = "interleaved, divergent",
         .summary =
             "Every second, fourth, eighth thread works: no bank conflicts, but every warp stays awake.",
         .entry = "block_reduce",
         .file = "interleaved_divergent.cuh",
         .source = texts::interleaved_divergent,
         .sizes = Sizes::powers_of_two},
        {.id = "interleaved_strided",
         .title = "interleaved, strided",
         .summary =
             "The same pairs with the working threads packed together: whole warps leave, but their boxes "
             "share banks.",
         .entry = "block_reduce",
         .file = "interleaved_strided.cuh",
         .source = texts::interleaved_strided,
         .sizes = Sizes::powers_of_two},
        {.id = "shuffle_first",
         .title = "shuffle first",
         .summary =
             "Every warp reduces its own values by shuffles, then warp 0 reduces one partial from each.",
         .entry = "block_reduce",
         .file = "shuffle_first.cuh",
         .source = texts::shuffle_first,
         .sizes = Sizes::multiples_of_32,
         .smallest = 32},
        {.id = "one_barrier",
         .title = "one barrier",
         .summary =
             "Every warp reduces its own values, and after one barrier every warp reduces all the partials.",
         .entry = "block_reduce",
         .file = "one_barrier.cuh",
         .source = texts::one_barrier,
         .sizes = Sizes::multiples_of_32,
         .smallest = 32},
        {.id = "contiguous_any",
         .title = "contiguous, any size",
         .summary = "The tree and the hand-off of contiguous + warp, made right for every block size.",
         .entry = "block_reduce",
         .file = "contiguous_any.cuh",
         .source = texts::contiguous_any,
         .sizes = Sizes::any},
        {.id = "missing_barrier",
         .title = "missing barrier",
         .summary = "The full tree without the barrier in its loop.",
         .entry = "block_reduce",
         .file = "missing_barrier.cuh",
         .source = texts::missing_barrier,
         .sizes = Sizes::powers_of_two,
         .correct = false,
         .fault = "No barrier separates a round's stores from the next round's loads of the same boxes.",
         .clinic_block = 256},
        {.id = "back_to_back",
         .title = "back to back",
         .summary =
             "Two reductions in a row on one buffer: the best value, then the sum of the distances from it.",
         .entry = "best_and_spread",
         .file = "back_to_back.cuh",
         .source = texts::back_to_back,
         .sizes = Sizes::powers_of_two,
         .smallest = 32,
         .correct = false,
         .fault =
             "No barrier separates the last load of the first reduction from the first store of the second.",
         .clinic_block = 256,
         .calls = 2,
         .results = 2,
         .barrier_between_calls = false},
        {.id = "ragged_block",
         .title = "ragged block",
         .summary = "The text of contiguous + warp at a block size that is no power of two.",
         .entry = "block_reduce",
         .file = "contiguous_warp.cuh",
         .source = texts::contiguous_warp,
         .sizes = Sizes::powers_of_two,
         .smallest = 32,
         .correct = false,
         .fault = "Halving an odd number of rows leaves boxes that nobody ever reads.",
         .clinic_block = 96},
        {.id = "zero_identity",
         .title = "zero as identity",
         .summary = "Shuffle first, where lanes without a partial bring a zero.",
         .entry = "block_reduce",
         .file = "zero_identity.cuh",
         .source = texts::zero_identity,
         .sizes = Sizes::multiples_of_32,
         .smallest = 32,
         .correct = false,
         .fault = "Zero is neutral for a sum only: a maximum of negative values comes out as 0.",
         .clinic_block = 256,
         .clinic_input = "random:3664:-999:-1"},
        {.id = "partial_mask",
         .title = "partial mask",
         .summary = "Shuffle first with the full mask, in a block whose last warp is not full.",
         .entry = "block_reduce",
         .file = "partial_mask.cuh",
         .source = texts::partial_mask,
         .sizes = Sizes::multiples_of_32,
         .smallest = 32,
         .correct = false,
         .fault = "The mask names lanes that do not exist, and their values are undefined.",
         .clinic_block = 48},
        {.id = "missing_syncwarp",
         .title = "missing syncwarp",
         .summary = "The last warp goes on in shared memory without __syncwarp, as old code does.",
         .entry = "block_reduce",
         .file = "missing_syncwarp.cuh",
         .source = texts::missing_syncwarp,
         .sizes = Sizes::powers_of_two,
         .smallest = 64,
         .correct = false,
         .fault = "Nothing orders the lanes of the last warp: each may run ahead of the others.",
         .clinic_block = 256},
        {.id = "divergent_barrier",
         .title = "divergent barrier",
         .summary =
             "The full tree with its barrier inside the condition, so that only some threads reach it.",
         .entry = "block_reduce",
         .file = "divergent_barrier.cuh",
         .source = texts::divergent_barrier,
         .sizes = Sizes::powers_of_two,
         .correct = false,
         .fault = "A barrier is for all threads of the block; here some never come to it.",
         .clinic_block = 256,
         .may_run_on_gpu = false},
    }};
    return kernels;
}

bool power_of_two(int n) {
    return n > 0 && (n & (n - 1)) == 0;
}

}  // namespace

std::span<const Kernel> all() {
    return catalogue();
}

const Kernel* find(std::string_view id) {
    for (const Kernel& kernel : catalogue()) {
        if (kernel.id == id) {
            return &kernel;
        }
    }
    return nullptr;
}

std::string why_not(const Kernel& kernel, int block) {
    const std::string number = std::to_string(block);
    if (block < 1 || block > 1024) {
        return "A block has 1 to 1024 threads, not " + number + ".";
    }
    const std::string id(kernel.id);
    switch (kernel.sizes) {
        case Sizes::powers_of_two:
            if (!power_of_two(block) || block < kernel.smallest) {
                return id + " needs a power of two threads from " + std::to_string(kernel.smallest) +
                       " to 1024, not " + number +
                       (power_of_two(block)
                            ? "."
                            : ": halving " + number + " again and again leaves values behind.");
            }
            break;
        case Sizes::multiples_of_32:
            if (block % 32 != 0) {
                return id + " needs a multiple of 32 threads, not " + number +
                       ": in a warp that is not full, shuffles lack their partners.";
            }
            break;
        case Sizes::any:
            break;
    }
    return "";
}

}  // namespace auditorium::kernels
