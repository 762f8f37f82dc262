// racecheck's verdicts, case by case, each with its benign twin.
#include "analysis/hazards.h"

#include "make_trace.h"

namespace auditorium::analysis {
namespace {

using testing::Machine;

std::vector<Hazard> hazards(Machine& m) {
    const trace::Trace trace = m.finish();
    const std::vector<Hazard> found = hazards_of(trace, places_of(trace));
    EXPECT_EQ(trace.racy, !found.empty()) << "the trace's own verdict";
    return found;
}

void store_own(Machine& m) {
    for (int t = 0; t < m.block(); ++t)
        m.store(t, 10, t);
}
void read_next(Machine& m) {
    for (int t = 0; t < m.block(); ++t)
        m.load(t, 20, (t + 1) % m.block());
}

TEST(Hazards, StoreThenReadTheNeighboursWithNothingBetween) {
    Machine m(32);
    store_own(m);
    read_next(m);
    const auto found = hazards(m);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].kind, "RAW");
    EXPECT_EQ(found[0].severity, Severity::warning) << "within one warp";
    EXPECT_EQ(found[0].first_line, 10);
    EXPECT_EQ(found[0].second_line, 20);
    EXPECT_EQ(found[0].boxes.size(), 32u);
    EXPECT_EQ(found[0].threads.size(), 32u);
}

TEST(Hazards, ABarrierBetweenOrders) {
    Machine m(64);
    store_own(m);
    m.barrier(15);
    read_next(m);
    EXPECT_TRUE(hazards(m).empty());
}

TEST(Hazards, SyncwarpBetweenOrdersOneWarp) {
    Machine m(32);
    store_own(m);
    for (int t = 0; t < 32; ++t)
        m.syncwarp(t, 15);
    read_next(m);
    EXPECT_TRUE(hazards(m).empty());
}

TEST(Hazards, SyncwarpDoesNotOrderTwoWarps) {
    Machine m(64);
    store_own(m);
    for (int t = 0; t < 64; ++t)
        m.syncwarp(t, 15);
    read_next(m);
    const auto found = hazards(m);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].severity, Severity::error);
    EXPECT_EQ(found[0].boxes, (std::vector<int>{0, 32})) << "only across the warps' edges";
}

TEST(Hazards, ASyncwarpAfterBothIsNoOrder) {
    Machine m(32);
    store_own(m);
    read_next(m);
    for (int t = 0; t < 32; ++t)
        m.syncwarp(t, 25);
    EXPECT_EQ(hazards(m).size(), 1u);
}

TEST(Hazards, AShuffleBetweenIsNoOrder) {
    Machine m(32);
    store_own(m);
    m.shuffle(0, 32, 15, [](int lane) { return lane ^ 1; });
    read_next(m);
    const auto found = hazards(m);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].severity, Severity::warning);
}

TEST(Hazards, BetweenWarpsIsAnError) {
    Machine m(64);
    store_own(m);
    for (int t = 0; t < 32; ++t)
        m.load(t, 20, t + 32);
    const auto found = hazards(m);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].kind, "RAW");
    EXPECT_EQ(found[0].severity, Severity::error);
}

TEST(Hazards, OneThreadAloneHasNone) {
    Machine m(64);
    store_own(m);
    for (int t = 0; t < 64; ++t)
        m.load(t, 20, t);
    EXPECT_TRUE(hazards(m).empty());
}

TEST(Hazards, ManyReadersAreNone) {
    Machine m(64);
    testing::stage(m);
    testing::everyone_reads_box_0(m);
    EXPECT_TRUE(hazards(m).empty());
}

TEST(Hazards, TwoStoresOfTheSameBitsAreNone) {
    Machine m(64);
    for (int t = 0; t < 64; ++t)
        m.store_bits(t, 10, 0, 7);
    EXPECT_TRUE(hazards(m).empty());
}

TEST(Hazards, TwoStoresOfDifferentBitsAreOne) {
    Machine m(64);
    for (int t = 0; t < 64; ++t)
        m.store_bits(t, 10, 0, t == 40 ? 8 : 7);
    const auto found = hazards(m);
    ASSERT_EQ(found.size(), 2u);  // with its own warp, and with the other
    for (const Hazard& hazard : found)
        EXPECT_EQ(hazard.kind, "WAW");
    EXPECT_EQ(found[0].severity, Severity::error);
    EXPECT_EQ(found[1].severity, Severity::warning);
}

TEST(Hazards, ReadBeforeTheOthersWriteIsWar) {
    // Everybody reads box 0; then thread 0 writes it, as the next call's first line does.
    Machine m(64);
    testing::stage(m);
    testing::everyone_reads_box_0(m);
    store_own(m);
    const auto found = hazards(m);
    ASSERT_EQ(found.size(), 2u);
    EXPECT_EQ(found[0].kind, "WAR");
    EXPECT_EQ(found[0].severity, Severity::error);
    EXPECT_EQ(found[0].first_line, testing::return_line);
    EXPECT_EQ(found[0].second_line, 10);
    EXPECT_EQ(found[0].boxes, std::vector<int>{0});
    EXPECT_EQ(found[0].second_thread, 0);
    EXPECT_EQ(found[0].threads.size(), 33u);  // thread 0 and the other warp
    EXPECT_EQ(found[1].severity, Severity::warning);
}

TEST(Hazards, TheNameGoesByPlacesNotByTime) {
    // Thread 32 is early: its store comes before thread 0's read by the clock. Thread 0 reads as its first
    // access since the barrier, thread 32 stores as its second: still WAR.
    Machine m(64);
    testing::stage(m);
    m.load(32, 20, 32);
    m.store_bits(32, 22, 0, 99);
    m.load(0, 20, 0);
    const auto found = hazards(m);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].kind, "WAR");
}

TEST(Hazards, OneRaceHasOneNameWhoeverWasFirst) {
    for (const bool reader_first : {false, true}) {
        Machine m(64);
        testing::stage(m);
        if (reader_first)
            m.load(0, 20, 32);
        m.store_bits(32, 10, 32, 5);
        if (!reader_first)
            m.load(0, 20, 32);
        const auto found = hazards(m);
        ASSERT_EQ(found.size(), 1u);
        EXPECT_EQ(found[0].kind, "RAW");
    }
}

TEST(Hazards, TheTreeWithoutBarriersAndItsTwin) {
    for (const bool barrier : {true, false}) {
        Machine m(256);
        testing::stage(m);
        for (int stride = 128; stride > 0; stride /= 2)
            testing::halve(m, stride, barrier);
        m.barrier(30);
        testing::everyone_reads_box_0(m);
        const auto found = hazards(m);
        EXPECT_EQ(found.empty(), barrier);
        if (!barrier) {
            const bool raw_error = std::any_of(found.begin(), found.end(), [](const Hazard& h) {
                return h.kind == "RAW" && h.severity == Severity::error;
            });
            EXPECT_TRUE(raw_error);
        }
    }
}

TEST(Hazards, WithoutBarriersAt64ThreadsNoTwoWarpsRace) {
    // Strides 32 and below: warp 0 alone works, so what is left is within it.
    Machine m(64);
    testing::stage(m);
    for (int stride = 32; stride > 0; stride /= 2)
        testing::halve(m, stride, false);
    for (const Hazard& hazard : hazards(m))
        EXPECT_EQ(hazard.severity, Severity::warning);
}

TEST(Hazards, ATraceMadeToTakeForeverDoesNot) {
    Machine m(64);
    for (int round = 0; round < 2000; ++round)
        for (int t = 0; t < 64; ++t)
            m.store_bits(t, 10, 0, std::uint32_t(t));
    trace::Trace& raw = m.raw();
    raw.steps.clear();  // not finished: only the hazards are asked for
    const auto found = hazards_of(raw, places_of(raw));
    ASSERT_FALSE(found.empty());
    EXPECT_EQ(found[0].kind, "WAW");
}

}  // namespace
}  // namespace auditorium::analysis
