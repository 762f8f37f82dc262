// Where trouble is: marks by step and warp, boxes that hold too little, scores that go no further.
#include <gtest/gtest.h>

#include <set>

#include "app/inspector/index.h"
#include "tests/analysis/make_trace.h"
#include "tests/scene/runs.h"

namespace auditorium::inspector {
namespace {

using test::Played;

std::set<int> steps_of(const Index& index, Trouble kind) {
    std::set<int> out;
    for (const Mark& mark : index.marks)
        if (mark.kind == kind)
            out.insert(mark.step);
    return out;
}

std::set<int> warps_of(const Index& index, Trouble kind) {
    std::set<int> out;
    for (const Mark& mark : index.marks)
        if (mark.kind == kind)
            out.insert(mark.warp);
    return out;
}

using Set = std::set<int>;

TEST(Index, ARightKernelHasNoMarksButItsConflicts) {
    for (const test::Case& c : test::cases()) {
        const kernels::Kernel* kernel = kernels::find(c.kernel);
        if (!kernel->correct)
            continue;
        const Played run = test::run(c.kernel, c.block);
        Set wanted;
        for (int s = 0; s < int(run.trace.steps.size()); ++s) {
            const analysis::Counts& counts = run.analysis.steps[std::size_t(s)].counts;
            if (counts.load_bank_conflicts + counts.store_bank_conflicts > 0)
                wanted.insert(s);
        }
        const Index& index = run.prepared.index;
        EXPECT_EQ(steps_of(index, Trouble::conflict), wanted) << c.kernel << c.block;
        for (const Mark& mark : index.marks)
            EXPECT_EQ(mark.kind, Trouble::conflict) << c.kernel << c.block;
        for (const auto& less : index.shortfall)
            EXPECT_TRUE(less.empty()) << c.kernel << c.block;
    }
}

TEST(Index, TheClinicIsMarkedWhereItGoesWrong) {
    {
        const Index index = test::run("ragged_block", 96).prepared.index;
        EXPECT_EQ(steps_of(index, Trouble::lost), Set{2});  // warp 0 sits down without them
        EXPECT_EQ(warps_of(index, Trouble::lost), (Set{1, 2}));
        EXPECT_EQ(index.lost_in[40], 2);
        EXPECT_EQ(index.lost_in[90], 2);
        EXPECT_EQ(index.lost_in[5], -1);
        EXPECT_EQ(marked_steps(index), std::vector<int>{2});
        // The box of the result holds 64 of 96 once it is published.
        ASSERT_EQ(index.shortfall[8].size(), 1u);
        EXPECT_EQ(index.shortfall[8][0].box, 0);
        EXPECT_EQ(index.shortfall[8][0].folded, 64);
        EXPECT_EQ(index.shortfall[8][0].missing.size(), 32u);
        EXPECT_TRUE(index.shortfall[7].empty());
    }
    {
        const Index index = test::run("missing_barrier", 256).prepared.index;
        EXPECT_EQ(steps_of(index, Trouble::hazard), (Set{1, 2, 3, 4, 5, 6, 7, 8}));
        EXPECT_TRUE(index.hazards[0].empty());
        EXPECT_EQ(warps_of(index, Trouble::hazard), (Set{0, 1, 2, 3}));
    }
    {
        const Index index = test::run("back_to_back", 256).prepared.index;
        // The return line of the first call and the staging line of the second; not the first call's.
        EXPECT_EQ(steps_of(index, Trouble::hazard), (Set{11, 12}));
        EXPECT_EQ(index.hazards[11], std::vector<int>{0});
        EXPECT_EQ(index.hazards[12], std::vector<int>{0});
    }
    {
        const Index index = test::run("partial_mask", 48).prepared.index;
        EXPECT_TRUE(steps_of(index, Trouble::undefined).count(0));
        EXPECT_TRUE(warps_of(index, Trouble::undefined).count(1));
    }
    {
        const Played run = test::run("zero_identity", 256, trace::Op::max, "random:1:-999:-1");
        EXPECT_FALSE(steps_of(run.prepared.index, Trouble::identity).empty());
        EXPECT_EQ(warps_of(run.prepared.index, Trouble::identity), Set{0});
    }
    {
        const Index index = test::run("missing_syncwarp", 256).prepared.index;
        EXPECT_FALSE(steps_of(index, Trouble::hazard).empty());
        EXPECT_EQ(warps_of(index, Trouble::hazard), Set{0});
    }
    {
        const Index index = test::run("divergent_barrier", 256).prepared.index;
        EXPECT_EQ(steps_of(index, Trouble::mismatch).size(), 1u);
    }
    for (const kernels::Kernel& kernel : kernels::all()) {
        if (kernel.correct)
            continue;
        const Played run = test::run(std::string(kernel.id), kernel.clinic_block);
        for (const Mark& mark : run.prepared.index.marks) {
            EXPECT_LT(mark.finding, int(run.analysis.findings.size()));
            EXPECT_EQ(mark.finding < 0, mark.kind == Trouble::conflict) << kernel.id << name_of(mark.kind);
        }
    }
}

// Thread 1 stores, thread 0 has read the box before: what it wrote before that is folded in, the rest is not.
TEST(Index, AReadThatCameTooEarlyLeavesItsBoxShort) {
    testing::Machine machine(4);
    for (int t = 0; t < 4; ++t)
        machine.store(t, 1, t);
    machine.barrier(2);
    machine.load(0, 3, 0);
    machine.load(0, 3, 1);  // before thread 1 has folded box 3 into it
    machine.combine(0, 3);
    machine.load(1, 4, 1);
    machine.load(1, 4, 3);
    machine.combine(1, 4);
    machine.store(1, 4, 1);
    machine.store(0, 3, 0);
    machine.barrier(5);
    for (int t = 0; t < 4; ++t)
        machine.load(t, 6, 0);
    const trace::Trace trace = machine.finish();
    const analysis::Analysis analysis = analysis::analyze(trace);
    const Index index = make_index(trace, analysis);
    EXPECT_EQ(analysis.contributions.missing, (std::vector<int>{2, 3}));
    EXPECT_GT(index.lost_in[3], 0);
    EXPECT_FALSE(steps_of(index, Trouble::hazard).empty());
    const std::vector<Shortfall>& end = index.shortfall.back();
    ASSERT_EQ(end.size(), 1u);
    EXPECT_EQ(end[0].box, 0);
    EXPECT_EQ(end[0].folded, 2);
}

}  // namespace
}  // namespace auditorium::inspector
