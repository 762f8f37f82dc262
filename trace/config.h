// What was asked for: one launch of one thread block.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "trace/error.h"

namespace auditorium::trace {

inline constexpr int warp_size = 32;
inline constexpr int max_block = 1024;  // threads in a block, at most
inline constexpr int max_calls = 16;    // calls of the reduction in one launch, at most

enum class Op : std::uint8_t { max, min, sum };
enum class Type : std::uint8_t { f32, i32 };  // on the command line and on screen: float, int

// The order in which the interpreter lets warps (and lanes) take turns. A GPU run ignores it.
struct Schedule {
    enum class Kind : std::uint8_t { lockstep, seeded, independent };
    Kind kind = Kind::lockstep;
    std::uint64_t seed = 0;
    friend bool operator==(const Schedule&, const Schedule&) = default;
};

struct LaunchConfig {
    std::string kernel = "contiguous_warp";  // id in the catalogue (kernels/catalogue.h)
    Op op = Op::max;
    Type type = Type::f32;
    int block = 256;                          // threads, 1..max_block
    int calls = 1;                            // calls in a row on one shared buffer, 1..max_calls
    std::string input = "random:3664:0:999";  // the SPEC that made `values` (trace/input.h)
    std::vector<std::uint32_t> values;        // bits of each thread's input; size() == block
    Schedule schedule;
    friend bool operator==(const LaunchConfig&, const LaunchConfig&) = default;
};

const char* name_of(Op op);                          // "max" | "min" | "sum"
const char* name_of(Type type);                      // "float" | "int"
std::string name_of(const Schedule& schedule);       // "lockstep" | "SEED" | "independent:SEED"
std::string text_of(Type type, std::uint32_t bits);  // "7.5 (0x40f00000)"
// "7.5", "-0", "1e-40", "nan", "-17537011712": the shortest text that reads back as this float; of a float
// from 2^24 on, which is whole, the shortest that reads back as this number in double, so that it equals a
// reference in double to the last digit. An int as it is.
std::string value_text(std::uint32_t bits, Type type);
std::string bits_text(std::uint32_t bits);  // "0x40f00000"
Expected<Op> parse_op(const std::string& text);
Expected<Type> parse_type(const std::string& text);
Expected<Schedule> parse_schedule(const std::string& text);

}  // namespace auditorium::trace
