// The analysis of a simulated run counts what the hardware counted of the plain kernel: wavefronts and bank
// conflicts, each kernel at each size (tests/data/h200_plain_counters.csv).
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "analysis/analysis.h"
#include "launch/launch.h"

namespace auditorium {
namespace {

TEST(Counters, EqualTheModelForEveryKernelAndSize) {
    std::ifstream file(AUDITORIUM_SOURCE_DIR "/tests/data/h200_plain_counters.csv");
    std::string line;
    ASSERT_TRUE(std::getline(file, line));
    ASSERT_EQ(line,
              "kernel,block_dim,load_wavefronts,store_wavefronts,load_bank_conflicts,store_bank_conflicts,"
              "warp_instructions");
    int rows = 0;
    while (std::getline(file, line)) {
        SCOPED_TRACE(line);
        std::istringstream cells(line);
        trace::LaunchConfig config;
        std::getline(cells, config.kernel, ',');
        char comma = 0;
        int load_wavefronts = 0, store_wavefronts = 0, load_conflicts = 0, store_conflicts = 0;
        cells >> config.block >> comma >> load_wavefronts >> comma >> store_wavefronts >> comma >>
            load_conflicts >> comma >> store_conflicts;
        ASSERT_TRUE(cells);
        launch::Options options;
        options.device = launch::Device::cpu;
        options.allow_wrong = true;  // contiguous_warp at 96: the clinic's ragged_block
        const auto trace = launch::run(config, options);
        ASSERT_TRUE(trace) << trace.error().sentence;
        const analysis::Totals totals = analysis::analyze(*trace).totals;
        EXPECT_EQ(totals.load_wavefronts, load_wavefronts);
        EXPECT_EQ(totals.store_wavefronts, store_wavefronts);
        EXPECT_EQ(totals.load_bank_conflicts, load_conflicts);
        EXPECT_EQ(totals.store_bank_conflicts, store_conflicts);
        ++rows;
    }
    EXPECT_GE(rows, 88);
}

}  // namespace
}  // namespace auditorium
