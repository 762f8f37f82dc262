// The line table of machine code that nvcc made of two kernels.
#include "launch/gpu/line_table.h"

#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <sstream>

namespace auditorium::launch::gpu {
namespace {

std::string cubin() {
    std::ifstream file(AUDITORIUM_LINES_CUBIN, std::ios::binary);
    std::ostringstream bytes;
    bytes << file.rdbuf();
    return bytes.str();
}

const std::string contiguous_warp =
    "_ZN10auditorium6launch3gpu5plainINS_7kernels14ContiguousWarpENS1_11BlockReduceEfNS3_3MaxIfEEPfEEvPKT1_"
    "PS9_i";
const std::string one_barrier =
    "_ZN10auditorium6launch3gpu5plainINS_7kernels10OneBarrierENS1_11BlockReduceEfNS3_3MaxIfEEPfEEvPKT1_PS9_i";

std::set<int> lines_of(const LineTable& table, const std::string& function, const char* file) {
    std::set<int> lines;
    for (std::uint64_t pc = 0; pc < 8192; pc += 16) {
        lines.insert(table.line_of(function, pc, file));
    }
    return lines;
}

TEST(LineTable, KnowsTheLinesOfAKernelThroughWhatWasInlined) {
    const LineTable table = LineTable::parse(cubin());
    ASSERT_TRUE(table.has(contiguous_warp));
    ASSERT_TRUE(table.has(one_barrier));
    // Those that shuffle, combine, touch shared memory or wait; op, the shuffle and the barrier are functions
    // of other files that were inlined.
    const std::set<int> warps = lines_of(table, contiguous_warp, "contiguous_warp.cuh");
    for (int line : {5, 6, 18, 19, 23, 24, 25, 27, 31, 34, 35}) {
        EXPECT_TRUE(warps.count(line)) << line;
    }
    EXPECT_LE(*warps.rbegin(), 36);
    const std::set<int> barriers = lines_of(table, one_barrier, "one_barrier.cuh");
    for (int line : {7, 8, 26, 30}) {
        EXPECT_TRUE(barriers.count(line)) << line;
    }
    EXPECT_LE(*barriers.rbegin(), 32);
    // The launch around it belongs to no line, nor does anything to another kernel's file.
    EXPECT_TRUE(warps.count(0));
    EXPECT_EQ(table.line_of(contiguous_warp, 0, "contiguous_warp.cuh"), 0);
    EXPECT_EQ(lines_of(table, contiguous_warp, "one_barrier.cuh"), std::set<int>{0});
    EXPECT_EQ(table.line_of("another", 64, "contiguous_warp.cuh"), 0);
}

TEST(LineTable, ReadsWithinWhateverItIsGiven) {
    const std::string whole = cubin();
    ASSERT_GT(whole.size(), 1000u);
    EXPECT_FALSE(LineTable::parse("").has(one_barrier));
    EXPECT_FALSE(LineTable::parse("no machine code at all").has(one_barrier));
    for (std::size_t length = 0; length < whole.size(); length += 97) {
        const std::string part =
            whole.substr(0, length);  // its own allocation, so that a sanitizer sees its end
        lines_of(LineTable::parse(part), one_barrier, "one_barrier.cuh");
    }
    for (std::size_t at = 0; at < whole.size(); at += 13) {
        std::string changed = whole;
        changed[at] = static_cast<char>(changed[at] ^ 0xff);
        lines_of(LineTable::parse(changed), one_barrier, "one_barrier.cuh");
    }
}

}  // namespace
}  // namespace auditorium::launch::gpu
