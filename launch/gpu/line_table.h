// Which line of which source file a machine instruction comes from: the line table that nvcc -lineinfo puts
// into a GPU's machine code (a cubin: ELF with DWARF 2 line programs and NVIDIA's two opcodes for inlined
// calls). No CUDA here.
//
// Inexact where the compiler is: an instruction that serves several lines is given to one of them.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace auditorium::launch::gpu {

class LineTable {
  public:
    // Of all functions of a cubin. Reads within `cubin` whatever it holds; what it cannot read it leaves out.
    static LineTable parse(std::string_view cubin);

    bool has(const std::string& function) const { return functions_.count(function) > 0; }

    // The line in `file` (a name without folders) of the instruction `pc` bytes into `function` (its mangled
    // name): of calls that were inlined the innermost one that stands in `file`. 0: none does.
    int line_of(const std::string& function, std::uint64_t pc, std::string_view file) const;

    // Takes the functions of `other` too.
    void add(LineTable other);

  private:
    struct Row {
        std::uint64_t address;  // bytes from the function's start
        int file;
        int line;
        int caller;  // the row of the call that was inlined, -1: none
    };
    struct Unit {  // of one line program
        std::vector<std::string> files;
        std::vector<Row> rows;
    };
    struct Function {
        std::size_t unit;
        std::size_t first, last;  // its rows, half open
    };
    void read_unit(std::string_view program, const std::map<std::uint64_t, std::string>& functions_at,
                   std::uint64_t offset);

    std::vector<Unit> units_;
    std::map<std::string, Function> functions_;
};

}  // namespace auditorium::launch::gpu
