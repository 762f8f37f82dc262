// What a kernel's text is compiled into: instructions for a warp.
//
// A slot holds one 4-byte value for each of the 32 lanes; an instruction works on the lanes that are active
// and leaves the others' values alone. Slots are numbered from the base of the function's frame. Control flow
// is structured: `if_`, `else_`, `end_if` and the loop's instructions keep a stack of active masks, and lanes
// meet again at the end of the statement that parted them, which is its immediate post-dominator. Lanes that
// return, break or continue are out until the end of their function or loop; code that runs with no lane
// active has no effect.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "simt/ast.h"
#include "trace/config.h"

namespace auditorium::simt {

// clang-format off
enum class Opcode : std::uint8_t {
    turn,  // a statement begins here: under lockstep, another warp's turn
    // dst = immediate | a | the thread's number in the block | something undefined
    immediate, copy, thread, undefined,
    // dst = a # b
    add, sub, mul, div_int, div_unsigned, rem_int, rem_unsigned,
    shift_left, shift_right_int, shift_right_unsigned, bit_and, bit_or, bit_xor,
    less_int, less_equal_int, less_unsigned, less_equal_unsigned, equal, not_equal,
    add_float, sub_float, mul_float, div_float,
    less_float, less_equal_float, equal_float, not_equal_float,
    max_int, min_int, max_unsigned, min_unsigned, max_float, min_float,
    // dst = # a
    negate, negate_float, bit_not, logical_not, absolute_int, absolute_float,
    float_of_int, float_of_unsigned, int_of_float, unsigned_of_float, bool_of_int, bool_of_float,
    // What a trace records. load: dst = shared[a]. store: shared[a] = b. combine: dst = op(a, b), the operation in
    // `immediate` (an Opcode). shuffle: dst from b, mask in a, argument in c, its kind in `immediate`, the width in
    // slot `target`. barrier: its number among the text's barriers in `immediate`.
    load, store, combine, shuffle, sync_warp, barrier,
    // Control, which also runs where no lane is active (everything before this line is skipped then).
    // a = condition, target = where to go on when no lane is left. loop_resume: the end of the loop's body, where the
    // lanes that left it by `continue` are back; loop_next: to the loop's top, at target.
    if_, else_, end_if, loop, loop_test, loop_resume, loop_next, loop_end, break_, continue_,
    // call: target = index in Code::calls; return_: a = value (or no_slot); end_function
    call, return_, end_function,
    // References: dst = the place of slot a | dst = *a | *a = b
    address, load_reference, store_reference,
    result,  // the result number `immediate` of the launch is a
    exit,
};
// clang-format on

enum class Shuffle : std::uint8_t { down, up, exclusive_or, from };

inline constexpr std::uint16_t no_slot = 0xffff;

struct Instruction {
    Opcode op{};
    std::uint16_t line = 0;
    std::uint16_t dst = no_slot, a = no_slot, b = no_slot, c = no_slot;
    std::uint32_t immediate = 0;
    std::uint32_t target = 0;
};

struct Call {
    std::uint32_t function = 0;
    std::vector<std::uint16_t> arguments;  // slots of the caller, for the callee's slots from 0
};

struct CompiledFunction {
    std::uint32_t begin = 0;  // first instruction
    std::uint16_t slots = 0;  // size of the frame
};

struct Code {
    std::vector<Instruction> instructions;
    std::vector<Call> calls;
    std::vector<CompiledFunction> functions;
    std::uint32_t begin = 0;          // where every thread begins
    std::uint16_t slots = 0;          // of the outermost frame
    std::uint16_t input_slot = 0;     // of the outermost frame: the thread's input
    std::uint32_t barrier_count = 0;  // __syncthreads() that stand in the code
};

struct LaunchShape {
    std::string_view function;
    bool barrier_between_calls = true;
    int results_per_call = 1;
    int results = 1;  // in all
    trace::Op op{};
    trace::Type type{};
    int block = 1;
};

// Resolves names and types, compiles the entry and everything that it calls, once for each set of template
// arguments, and puts the launch's calls around it.
Parsed<Code> compile(const Program& program, const LaunchShape& shape);

}  // namespace auditorium::simt
