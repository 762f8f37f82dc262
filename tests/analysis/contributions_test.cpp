#include "analysis/contributions.h"

#include "make_trace.h"

namespace auditorium::analysis {
namespace {

using testing::Machine;

const Finding* find(const Analysis& a, Rule rule) {
    for (const Finding& finding : a.findings)
        if (finding.rule == rule)
            return &finding;
    return nullptr;
}

TEST(Contributions, EveryInputOnce) {
    Machine m(256);
    testing::tree_then_warp(m);
    const Analysis a = analyze(m.finish());
    EXPECT_EQ(a.contributions.folded, 256);
    EXPECT_TRUE(a.contributions.missing.empty());
    EXPECT_TRUE(a.contributions.doubled.empty());
    EXPECT_TRUE(a.findings.empty());
    EXPECT_TRUE(a.results.at(0).correct);
}

std::vector<int> range(int begin, int end) {
    std::vector<int> list;
    for (int i = begin; i < end; ++i)
        list.push_back(i);
    return list;
}

TEST(Contributions, AHalvingTreeLosesWhatIsNoPowerOfTwo) {
    Machine m(96);
    testing::tree_then_warp(m);  // strides 48, then none: 24 is below 32
    const Analysis a = analyze(m.finish());
    std::vector<int> missing = range(32, 48);
    for (int t : range(80, 96))
        missing.push_back(t);
    EXPECT_EQ(a.contributions.missing, missing);
    EXPECT_EQ(a.contributions.folded, 64);
    ASSERT_TRUE(find(a, Rule::lost_input));
    EXPECT_EQ(find(a, Rule::lost_input)->threads, missing);
    EXPECT_EQ(find(a, Rule::lost_input)->severity, Severity::error);
    EXPECT_NE(find(a, Rule::lost_input)->text.find("32 to 47 and 80 to 95"), std::string::npos)
        << find(a, Rule::lost_input)->text;
    EXPECT_FALSE(a.results.at(0).correct);
}

TEST(Contributions, ALossThatTheMaximumHidesIsStillALoss) {
    Machine m(96, trace::Op::max);
    std::vector<std::uint32_t> values(96, 1);
    values[0] = 5;
    m.inputs(values);
    testing::tree_then_warp(m);
    const Analysis a = analyze(m.finish());
    EXPECT_TRUE(a.results.at(0).correct);
    EXPECT_EQ(a.contributions.missing.size(), 32u);
    EXPECT_TRUE(find(a, Rule::lost_input));
}

TEST(Contributions, AnInputFoldedTwiceIsNamed) {
    for (const trace::Op op : {trace::Op::sum, trace::Op::max}) {
        Machine m(4, op);
        testing::stage(m);
        testing::halve(m, 2);
        for (int box : {1, 1}) {  // box 1 again
            m.load(0, 40, 0);
            m.load(0, 41, box);
            m.combine(0, 42);
            m.store(0, 42, 0);
        }
        m.barrier(43);
        testing::everyone_reads_box_0(m);
        const Analysis a = analyze(m.finish());
        EXPECT_EQ(a.contributions.doubled, (std::vector<int>{1, 3}));
        EXPECT_EQ(a.contributions.folded, 4);
        ASSERT_TRUE(find(a, Rule::doubled_input));
        EXPECT_EQ(find(a, Rule::doubled_input)->severity,
                  op == trace::Op::sum ? Severity::error : Severity::warning);
    }
}

TEST(Contributions, ALaneWithoutAPartnerFoldsItselfInButNotIntoTheResult) {
    Machine m(32);
    testing::shuffle_down(m, 0, 32);
    m.store(0, testing::publish_line, 0);
    m.barrier(testing::last_barrier);
    testing::everyone_reads_box_0(m);
    const Analysis a = analyze(m.finish());
    EXPECT_EQ(a.contributions.folded, 32);
    EXPECT_TRUE(a.contributions.doubled.empty());
}

// Each warp shuffles, lane 0 stores its partial; then warp 0 reduces the partials, `constant` where there is
// none.
void partials(Machine& m, std::uint32_t constant) {
    const int warps = m.block() / 32;
    for (int w = 0; w < warps; ++w)
        testing::shuffle_down(m, 32 * w, 32 * w + 32);
    for (int w = 0; w < warps; ++w)
        m.store(32 * w, 40, w);
    m.barrier(41);
    for (int t = 0; t < warps; ++t)
        m.load(t, 42, t);
    bool first = true;
    for (int offset = 16; offset > 0; offset /= 2) {
        m.shuffle(
            0, 32, 43, [&](int lane) { return lane + offset; },
            [&](int t) { return first && t >= warps ? constant : m.held(t); });
        for (int t = 0; t < 32; ++t)
            m.combine(t, 44);
        first = false;
    }
    m.store(0, 45, 0);
    m.barrier(46);
    testing::everyone_reads_box_0(m);
}

TEST(Contributions, TheIdentityIsNoInput) {
    Machine m(96, trace::Op::max);
    partials(m, identity_of(trace::Op::max, trace::Type::i32));
    const Analysis a = analyze(m.finish());
    EXPECT_EQ(a.contributions.folded, 96);
    EXPECT_TRUE(a.findings.empty());
}

TEST(Contributions, TheIdentityIsNoInputEvenWhereItEqualsWhatTheLaneHeld) {
    Machine m(96, trace::Op::sum);
    m.inputs(std::vector<std::uint32_t>(96, 0));
    partials(m, 0);
    const Analysis a = analyze(m.finish());
    EXPECT_EQ(a.contributions.folded, 96);
    EXPECT_TRUE(a.contributions.doubled.empty());
    EXPECT_TRUE(a.findings.empty());
}

TEST(Contributions, AZeroThatIsNoIdentityIsNamed) {
    Machine m(96, trace::Op::max);
    std::vector<std::uint32_t> values;
    for (int t = 0; t < 96; ++t)
        values.push_back(std::uint32_t(-5 - t));
    m.inputs(values);
    partials(m, 0);
    const Analysis a = analyze(m.finish());
    EXPECT_FALSE(a.results.at(0).correct);
    ASSERT_TRUE(find(a, Rule::identity));
    EXPECT_EQ(find(a, Rule::identity)->severity, Severity::error);
    EXPECT_EQ(find(a, Rule::identity)->lines, std::vector<int>{42});
    EXPECT_EQ(find(a, Rule::identity)->threads, range(3, 32));
    EXPECT_FALSE(find(a, Rule::wrong_result)) << "one fault, one name";
}

TEST(Contributions, AZeroThatHappensToBeHarmlessIsAWarning) {
    Machine m(96, trace::Op::max);
    partials(m, 0);
    const Analysis a = analyze(m.finish());
    EXPECT_TRUE(a.results.at(0).correct);
    ASSERT_TRUE(find(a, Rule::identity));
    EXPECT_EQ(find(a, Rule::identity)->severity, Severity::warning);
}

TEST(Contributions, ZeroIsTheIdentityOfASum) {
    Machine m(96, trace::Op::sum);
    partials(m, 0);
    EXPECT_FALSE(find(analyze(m.finish()), Rule::identity));
}

TEST(Contributions, ALoadTakesThePartOfTheStoreThatItSaw) {
    // Thread 0 reads box 1 before thread 1's second store: what it folds in is the first.
    Machine m(2);
    testing::stage(m);
    m.load(0, 20, 0);
    m.load(0, 21, 1);
    m.combine(0, 22);
    m.load(1, 20, 1);
    m.load(1, 21, 1);
    m.combine(1, 22);
    m.store(1, 22, 1);
    const Analysis a = analyze(m.finish());
    EXPECT_EQ(a.contributions.folded, 2);
    EXPECT_TRUE(a.contributions.doubled.empty());
}

TEST(Contributions, LanesThatTakeNoPartAreNamedAndWhatTheyReach) {
    Machine m(17);
    testing::shuffle_down(m, 0, 17);
    m.store(0, testing::publish_line, 0);
    m.barrier(testing::last_barrier);
    testing::everyone_reads_box_0(m);
    const Analysis a = analyze(m.finish());
    ASSERT_TRUE(find(a, Rule::undefined_lane));
    const Finding& finding = *find(a, Rule::undefined_lane);
    EXPECT_EQ(finding.lines, std::vector<int>{testing::shuffle_line});
    EXPECT_EQ(finding.threads, range(1, 17));
    EXPECT_NE(finding.text.find("they reach the result"), std::string::npos) << finding.text;
    EXPECT_TRUE(a.results.at(0).undefined);
    EXPECT_FALSE(a.results.at(0).correct);
}

TEST(Contributions, ABoxNeverWrittenIsNamed) {
    Machine m(4);
    m.store(0, 10, 0);
    m.barrier(11);
    m.load(0, 20, 0);
    m.load(0, 21, 3);
    m.combine(0, 22);
    const Analysis a = analyze(m.finish());
    ASSERT_TRUE(find(a, Rule::undefined_lane));
    EXPECT_EQ(find(a, Rule::undefined_lane)->boxes, std::vector<int>{3});
    EXPECT_EQ(find(a, Rule::undefined_lane)->lines, std::vector<int>{21});
}

}  // namespace
}  // namespace auditorium::analysis
