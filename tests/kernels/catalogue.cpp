// The catalogue: every kernel once, its text the file's own bytes, and a sentence for a size that does not
// suit.
#include "kernels/catalogue.h"

#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <sstream>

namespace auditorium::kernels {
namespace {

TEST(Catalogue, HoldsSevenCorrectKernelsThenSevenOfTheClinic) {
    ASSERT_EQ(all().size(), 14u);
    std::set<std::string_view> ids;
    for (std::size_t i = 0; i < all().size(); ++i) {
        const Kernel& kernel = all()[i];
        ids.insert(kernel.id);
        EXPECT_EQ(kernel.correct, i < 7) << kernel.id;
        EXPECT_EQ(kernel.fault.empty(), kernel.correct) << kernel.id;
        EXPECT_EQ(kernel.clinic_block == 0, kernel.correct) << kernel.id;
        EXPECT_EQ(find(kernel.id), &kernel);
        EXPECT_FALSE(kernel.title.empty());
        EXPECT_EQ(kernel.summary.back(), '.') << kernel.id;
    }
    EXPECT_EQ(ids.size(), 14u);
    EXPECT_EQ(find("no_such_kernel"), nullptr);
}

TEST(Catalogue, TextsAreTheFilesByteForByte) {
    for (const Kernel& kernel : all()) {
        std::ifstream file(std::string(AUDITORIUM_SOURCE_DIR "/kernels/") + std::string(kernel.file),
                           std::ios::binary);
        ASSERT_TRUE(file) << kernel.file;
        std::ostringstream bytes;
        bytes << file.rdbuf();
        EXPECT_EQ(bytes.str(), kernel.source) << kernel.file;
        EXPECT_NE(kernel.source.find(std::string(kernel.entry) + "("), std::string_view::npos) << kernel.id;
    }
}

// The code panel shows a file unclipped, and an event's line names one statement.
TEST(Catalogue, TextsFitTheCodePanel) {
    for (const Kernel& kernel : all()) {
        std::istringstream lines{std::string(kernel.source)};
        int number = 0;
        for (std::string line; std::getline(lines, line);) {
            ++number;
            EXPECT_LE(line.size(), 44u) << kernel.file << ':' << number;
            EXPECT_TRUE(line.empty() || line.back() != ' ') << kernel.file << ':' << number;
            EXPECT_EQ(line.find('\t'), std::string::npos) << kernel.file << ':' << number;
            const bool touches =
                line.find("shared[") != std::string::npos || line.find("sync") != std::string::npos;
            EXPECT_TRUE(!touches || line.find(';') != std::string::npos || line.find("//") == 0)
                << kernel.file << ':' << number << ": a statement with events stands on one line";
        }
        EXPECT_EQ(kernel.source.back(), '\n') << kernel.file;
    }
}

TEST(Catalogue, SaysWhyASizeDoesNotSuit) {
    const auto why = [](std::string_view id, int block) { return why_not(*find(id), block); };
    for (int block : {32, 64, 128, 256, 512, 1024}) {
        for (const Kernel& kernel : all()) {
            if (block >= kernel.smallest) {
                EXPECT_EQ(why_not(kernel, block), "") << kernel.id << ' ' << block;
            }
        }
    }
    for (int block = 1; block <= 1024; ++block) {
        EXPECT_EQ(why("contiguous_any", block), "");
    }
    EXPECT_EQ(why("contiguous_full", 1), "");
    EXPECT_EQ(why("shuffle_first", 96), "");
    EXPECT_EQ(why("contiguous_warp", 96),
              "contiguous_warp needs a power of two threads from 32 to 1024, not 96: halving 96 again and "
              "again leaves "
              "values behind.");
    EXPECT_EQ(why("contiguous_warp", 16),
              "contiguous_warp needs a power of two threads from 32 to 1024, not 16.");
    EXPECT_EQ(
        why("one_barrier", 48),
        "one_barrier needs a multiple of 32 threads, not 48: in a warp that is not full, shuffles lack their "
        "partners.");
    for (const Kernel& kernel : all()) {
        EXPECT_EQ(why_not(kernel, 0), "A block has 1 to 1024 threads, not 0.");
        EXPECT_EQ(why_not(kernel, 1025), "A block has 1 to 1024 threads, not 1025.");
        EXPECT_EQ(why_not(kernel, -3), "A block has 1 to 1024 threads, not -3.");
    }
}

}  // namespace
}  // namespace auditorium::kernels
