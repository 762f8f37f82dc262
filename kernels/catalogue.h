// The catalogue: every reduction that Auditorium shows, with what a person and a program need to know about
// it. The text of a kernel is the file that was compiled (kernels/<id>.cuh), embedded at build time.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace auditorium::kernels {

// Which block sizes a kernel is right for.
enum class Sizes { powers_of_two, multiples_of_32, any };

struct Kernel {
    std::string_view id;       // "contiguous_warp"
    std::string_view title;    // "contiguous + warp", for a chip
    std::string_view summary;  // one sentence: what it does and why it is here
    std::string_view entry;    // the function that a launch calls, "block_reduce"
    std::string_view file;     // "contiguous_warp.cuh": ragged_block shares contiguous_warp's
    std::string_view source;   // the whole file
    Sizes sizes = Sizes::any;
    int smallest = 1;                    // threads
    bool correct = true;                 // false: a clinic entry, wrong on purpose
    std::string_view fault = {};         // clinic: what is wrong, one sentence
    int clinic_block = 0;                // clinic: a block size that shows the fault
    std::string_view clinic_input = {};  // clinic: an input that shows the fault; "": any does
    int calls = 1;                       // calls per launch by default (back_to_back: 2)
    int results = 1;                     // results that one call of the entry yields (back_to_back: 2)
    bool barrier_between_calls = true;   // a launch of several calls puts a barrier before each further one
    bool may_run_on_gpu = true;          // divergent_barrier: false, it may hang
};

std::span<const Kernel> all();            // the correct ones first, in the order of the design's table
const Kernel* find(std::string_view id);  // nullptr: unknown

// "" if `block` threads suit the kernel, else one sentence that says why not. Blocks outside 1..1024 never
// suit.
std::string why_not(const Kernel& kernel, int block);

}  // namespace auditorium::kernels
