#include "analysis/requests.h"

#include "make_trace.h"

namespace auditorium::analysis {
namespace {

using testing::Machine;
using trace::EventKind;

constexpr std::uint32_t all_lanes = ~0u;

template <typename Word>
int wavefronts(Word word, std::uint32_t lanes = all_lanes) {
    std::array<std::uint16_t, 32> words{};
    for (int lane = 0; lane < 32; ++lane)
        words[std::size_t(lane)] = std::uint16_t(word(lane));
    return wavefronts_of(lanes, words).count;
}

TEST(Wavefronts, NeighboursTakeOne) {
    EXPECT_EQ(wavefronts([](int lane) { return lane; }), 1);
    EXPECT_EQ(wavefronts([](int lane) { return 31 - lane; }), 1);
    EXPECT_EQ(wavefronts([](int lane) { return lane + 7; }), 1) << "across the end of a row";
}

TEST(Wavefronts, StridesQueueByTheirPowerOfTwo) {
    EXPECT_EQ(wavefronts([](int lane) { return 2 * lane; }), 2);
    EXPECT_EQ(wavefronts([](int lane) { return 8 * lane; }), 8);
    EXPECT_EQ(wavefronts([](int lane) { return 32 * lane; }), 32);
    EXPECT_EQ(wavefronts([](int lane) { return 33 * lane; }), 1) << "an odd stride meets every bank once";
    EXPECT_EQ(wavefronts([](int lane) { return 3 * lane; }), 1);
}

TEST(Wavefronts, OneWordForManyIsOne) {
    EXPECT_EQ(wavefronts([](int) { return 5; }), 1);
    EXPECT_EQ(wavefronts([](int lane) { return lane / 2; }), 1);
    EXPECT_EQ(wavefronts([](int lane) { return lane % 2 ? 5 : 37; }), 2) << "two words of one bank";
}

TEST(Wavefronts, TheWorstBankDecidesAndBanksAreNotSummed) {
    // Bank 0 is asked for three words, banks 1 and 2 for two each.
    const int words[] = {0, 32, 64, 1, 33, 2, 34};
    EXPECT_EQ(wavefronts([&](int lane) { return lane < 7 ? words[lane] : 0; }, 0x7f), 3);
}

TEST(Wavefronts, LanesThatTakeNoPartDoNotCount) {
    EXPECT_EQ(wavefronts([](int lane) { return 32 * lane; }, 0x1), 1);
    EXPECT_EQ(wavefronts([](int lane) { return 32 * lane; }, 0x80000001u), 2);
}

TEST(Wavefronts, EachLaneKnowsItsPlaceInTheQueue) {
    std::array<std::uint16_t, 32> words{};
    words[0] = 32;
    words[1] = 0;
    words[2] = 32;  // shares lane 0's word
    words[3] = 1;
    const Wavefronts result = wavefronts_of(0xf, words);
    EXPECT_EQ(result.count, 2);
    EXPECT_EQ(result.of_lane[0], 0);
    EXPECT_EQ(result.of_lane[1], 1);
    EXPECT_EQ(result.of_lane[2], 0);
    EXPECT_EQ(result.of_lane[3], 0);
}

TEST(Requests, AWarpsLanesOnALineAreOne) {
    Machine m(64);
    testing::stage(m);
    const Analysis a = analyze(m.finish());
    ASSERT_EQ(a.requests.size(), 2u);
    EXPECT_EQ(a.requests[0].warp, 0);
    EXPECT_EQ(a.requests[1].warp, 1);
    EXPECT_EQ(a.requests[0].lanes, all_lanes);
    EXPECT_EQ(a.requests[0].kind, EventKind::store);
    EXPECT_EQ(a.requests[0].line, testing::stage_line);
    EXPECT_EQ(a.requests[1].box[3], 35);
    EXPECT_EQ(a.totals.store_requests, 2);
    EXPECT_EQ(a.totals.store_wavefronts, 2);
    EXPECT_EQ(a.totals.load_requests, 0);
}

TEST(Requests, TheSecondVisitOfALineIsAnotherRequest) {
    Machine m(32);
    testing::stage(m);
    for (int visit = 0; visit < 2; ++visit)
        for (int t = 0; t < 32; ++t)
            m.load(t, 20, (t + visit) % 32);
    const Analysis a = analyze(m.finish());
    EXPECT_EQ(a.totals.load_requests, 2);
}

TEST(Requests, ALaneThatSkipsAVisitJoinsByCountSinceTheBarrier) {
    // Lane 1 skips the visit before the barrier; after it, both lanes' first visits are one request.
    Machine m(2);
    testing::stage(m);
    m.load(0, 20, 0);
    m.barrier(21);
    m.load(0, 20, 0);
    m.load(1, 20, 1);
    const Analysis a = analyze(m.finish());
    ASSERT_EQ(a.totals.load_requests, 2);
    EXPECT_EQ(a.requests[1].lanes, 1u);
    EXPECT_EQ(a.requests[2].lanes, 3u);
}

TEST(Requests, LoadsAndStoresOfALineAreCountedApart) {
    // On one line lane 0 loads and stores, lane 1 only stores: one store of two lanes.
    Machine m(2);
    testing::stage(m);
    m.load(0, 20, 0);
    m.store(0, 20, 0);
    m.store(1, 20, 1);
    const Analysis a = analyze(m.finish());
    EXPECT_EQ(a.totals.load_requests, 1);
    EXPECT_EQ(a.totals.store_requests, 2);
    EXPECT_EQ(a.requests.size(), 3u);
}

TEST(Requests, ConflictsAreWavefrontsLessRequests) {
    Machine m(128);
    testing::stage(m);
    for (int t = 0; t < 32; ++t)
        m.load(t, 20, 4 * t);  // four words a bank, in eight banks
    for (int t = 32; t < 64; ++t)
        m.load(t, 20, t);  // the benign twin
    const Analysis a = analyze(m.finish());
    EXPECT_EQ(a.totals.load_requests, 2);
    EXPECT_EQ(a.totals.load_wavefronts, 5);
    EXPECT_EQ(a.totals.load_bank_conflicts, 3);
    EXPECT_EQ(a.steps.back().max_ways, 4);
}

TEST(Requests, ABroadcastIsNoConflict) {
    Machine m(64);
    testing::stage(m);
    testing::everyone_reads_box_0(m);
    const Analysis a = analyze(m.finish());
    EXPECT_EQ(a.totals.load_wavefronts, 2);
    EXPECT_EQ(a.totals.load_bank_conflicts, 0);
    EXPECT_TRUE(a.requests.back().broadcast);
    EXPECT_FALSE(a.requests.front().broadcast);
}

TEST(Requests, AreInOrderWithinAStepEvenIfTheLowestLaneSkipsOne) {
    // Lane 1 does line 20, then 21; lane 0 only 21.
    Machine m(2);
    testing::stage(m);
    m.load(1, 20, 1);
    m.load(0, 21, 0);
    m.load(1, 21, 0);
    const trace::Trace trace = m.finish();
    const Analysis a = analyze(trace);
    std::vector<int> lines;
    for (const Request& request : a.requests)
        if (request.kind == EventKind::load)
            lines.push_back(request.line);
    EXPECT_TRUE(std::is_sorted(lines.begin(), lines.end()));
    for (std::size_t s = 0; s < trace.steps.size(); ++s)
        for (int r = a.first_request[s]; r < a.first_request[s + 1]; ++r)
            EXPECT_EQ(a.requests[std::size_t(r)].step, int(s));
    EXPECT_EQ(a.first_request.back(), int(a.requests.size()));
}

TEST(Requests, AnAccessWithoutABoxDidNotHappen) {
    Machine m(2);
    testing::stage(m);
    m.load(0, 20, 0);
    m.load(1, 20, 1);
    trace::Event& event = m.raw().events[1].back();
    event.flags = trace::Event::no_box;
    event.bits = 0;
    event.writer = trace::nobody;
    const Analysis a = analyze(m.finish());
    ASSERT_EQ(a.totals.load_requests, 1);
    EXPECT_EQ(a.requests.back().lanes, 1u);
}

}  // namespace
}  // namespace auditorium::analysis
