// The order of folding as a tree: who is added to whom, what it came to, and where rounding came in.
#include "analysis/tree.h"

#include <gtest/gtest.h>

#include <bit>
#include <numeric>

#include "kernels/catalogue.h"
#include "simt/simt.h"
#include "trace/input.h"

namespace auditorium::analysis {
namespace {

trace::Trace run(const char* id, int block, const std::string& input, trace::Op op = trace::Op::sum) {
    const kernels::Kernel* kernel = kernels::find(id);
    trace::LaunchConfig config;
    config.kernel = id;
    config.block = block;
    config.op = op;
    config.input = input;
    config.values = trace::expand_input(input, config.type, block).value();
    return simt::run(kernel->source, simt::Entry{kernel->entry, true, 1, kernel->file}, config).value();
}

std::vector<int> every(int first, int step, int count) {
    std::vector<int> out;
    for (int i = 0; i < count; ++i)
        out.push_back(first + i * step);
    return out;
}

TEST(Tree, ContiguousAddsHalvesAndInterleavedAddsNeighbours) {
    const OrderTree full = tree_of(run("contiguous_full", 64, "ramp"), 0, 1);
    ASSERT_EQ(full.nodes.size(), 3u);
    EXPECT_EQ(full.nodes[0].inputs.size(), 64u);
    EXPECT_EQ(full.nodes[0].height, 6);
    // The last round adds box 1 to box 0: even inputs to odd ones.
    EXPECT_EQ(full.nodes[std::size_t(full.nodes[0].left)].inputs, every(0, 2, 32));
    EXPECT_EQ(full.nodes[std::size_t(full.nodes[0].right)].inputs, every(1, 2, 32));
    const OrderTree other = tree_of(run("interleaved_divergent", 64, "ramp"), 0, 1);
    EXPECT_EQ(other.nodes[std::size_t(other.nodes[0].left)].inputs, every(0, 1, 32));
    EXPECT_EQ(other.nodes[std::size_t(other.nodes[0].right)].inputs, every(32, 1, 32));
}

TEST(Tree, EveryNodeIsTheSumOfItsChildren) {
    const OrderTree tree = tree_of(run("contiguous_warp", 128, "ramp"), 0, 6);
    int leaves = 0;
    for (const OrderTree::Node& node : tree.nodes) {
        EXPECT_LE(node.level, 6);
        EXPECT_EQ(node.ulp, 0) << "small whole numbers are exact";
        if (node.leaf()) {
            ++leaves;
            continue;
        }
        const OrderTree::Node &a = tree.nodes[std::size_t(node.left)],
                              &b = tree.nodes[std::size_t(node.right)];
        EXPECT_EQ(std::bit_cast<float>(node.bits),
                  std::bit_cast<float>(a.bits) + std::bit_cast<float>(b.bits));
        EXPECT_EQ(node.inputs.size(), a.inputs.size() + b.inputs.size());
        EXPECT_EQ(node.height, 1 + std::max(a.height, b.height));
    }
    EXPECT_EQ(leaves, 64);
    EXPECT_EQ(std::bit_cast<float>(tree.nodes[0].bits), 127 * 128 / 2);
}

TEST(Tree, SaysWhereRoundingCameIn) {
    // 1e8 + 1 rounds to 1e8, so what is left of the ones depends on whom they meet first.
    const std::string input = "values:1e8,1,-1e8,1";
    const OrderTree tree = tree_of(run("interleaved_divergent", 4, input), 0, 6);
    ASSERT_EQ(tree.nodes.size(), 7u);
    const OrderTree::Node& left = tree.nodes[std::size_t(tree.nodes[0].left)];
    EXPECT_EQ(left.inputs, (std::vector<int>{0, 1}));
    EXPECT_EQ(std::bit_cast<float>(left.bits), 1e8f);
    EXPECT_EQ(left.ulp, 0) << "the exact sum, rounded, is that too";
    EXPECT_NE(tree.nodes[0].ulp, 0) << "0 in place of 2";
    const OrderTree other = tree_of(run("contiguous_full", 4, input), 0, 6);
    EXPECT_EQ(other.nodes[0].ulp, 0) << "1e8 meets -1e8 first";
    const OrderTree most = tree_of(run("contiguous_full", 4, input, trace::Op::max), 0, 6);
    EXPECT_FALSE(most.nodes[0].ulp.has_value()) << "nothing rounds in a maximum";
}

TEST(Tree, OneThreadAndNoSuchCall) {
    const OrderTree one = tree_of(run("contiguous_any", 1, "values:7"), 0, 3);
    ASSERT_FALSE(one.nodes.empty());
    EXPECT_EQ(one.nodes[0].inputs, std::vector<int>{0});
    EXPECT_TRUE(tree_of(run("contiguous_any", 1, "values:7"), 5, 3).nodes.empty());
}

}  // namespace
}  // namespace auditorium::analysis
