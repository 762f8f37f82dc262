// Verdicts and numbers follow the recordings: swapped, changed or missing ones change them.
#include "app/claims/claims.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "app/compare/recordings.h"
#include "launch/launch.h"

namespace auditorium::claims {
namespace {

using trace::Trace;

const Claim& named(const std::vector<Claim>& all, std::string_view id) {
    const auto it = std::find_if(all.begin(), all.end(), [&](const Claim& c) { return c.id == id; });
    EXPECT_NE(it, all.end()) << id;
    return *it;
}

const Claim& shipped(std::string_view id) {
    return named(shipped_claims(), id);
}

// The shipped recordings, with some replaced: by another one, by a changed one, by none ("").
std::vector<Claim> with(const std::map<std::string, std::string, std::less<>>& other,
                        const std::function<void(std::string_view, Trace&)>& change = {}) {
    return claims([&](std::string_view name) -> std::optional<Trace> {
        const auto it = other.find(name);
        if (it != other.end() && it->second.empty())
            return std::nullopt;
        auto trace = compare::recording(it == other.end() ? std::string(name) : it->second);
        if (trace && change)
            change(name, *trace);
        return trace;
    });
}

TEST(Claims, AreAtLeastTenWithDifferentIdsAndAllAreRecorded) {
    std::set<std::string> ids;
    for (const Claim& claim : shipped_claims()) {
        EXPECT_TRUE(ids.insert(claim.id).second) << claim.id;
        EXPECT_NE(claim.verdict, Verdict::unknown) << claim.id;
        EXPECT_FALSE(claim.said.empty());
        EXPECT_TRUE(claim.said.ends_with('.')) << claim.said;
        EXPECT_FALSE(claim.trace.empty()) << claim.id;
        EXPECT_TRUE(claim.trace.ends_with('.')) << claim.trace;
        EXPECT_NE(claim.device.find("recorded 20"), std::string::npos) << claim.id;
        EXPECT_FALSE(claim.recordings.empty());
        EXPECT_FALSE(claim.show.empty()) << claim.id;
        for (const std::string& name : claim.show) {
            EXPECT_NE(std::find(claim.recordings.begin(), claim.recordings.end(), name),
                      claim.recordings.end())
                << name;
            EXPECT_TRUE(compare::recording(name)) << name;
        }
    }
    EXPECT_GE(ids.size(), 10u);
}

// What was measured on the H200 before there was a program (one block, max, float).
TEST(Claims, AgreeWithWhatWasMeasuredBefore) {
    EXPECT_EQ(shipped("interleaved-conflicts").verdict, Verdict::not_so);
    EXPECT_NE(shipped("interleaved-conflicts").trace.find("102 against 32 load wavefronts"),
              std::string::npos);
    EXPECT_EQ(shipped("strided-conflicts").verdict, Verdict::holds);
    EXPECT_NE(shipped("strided-conflicts").trace.find("70 conflicts for loads and 35 for stores"),
              std::string::npos);
    EXPECT_NE(shipped("strided-conflicts").hardware.find("105 at 256 and 465 at 1024"), std::string::npos);
    EXPECT_EQ(shipped("contiguous-free").verdict, Verdict::holds);
    EXPECT_EQ(shipped("five-barriers").verdict, Verdict::partly);
    EXPECT_NE(shipped("five-barriers").trace.find("9 against 5 barriers"), std::string::npos);
    EXPECT_EQ(shipped("last-round").verdict, Verdict::not_so);
    EXPECT_EQ(shipped("single-cycle").verdict, Verdict::not_so);
    EXPECT_EQ(shipped("shuffles-faster").verdict, Verdict::holds);
    EXPECT_EQ(shipped("one-barrier").verdict, Verdict::not_so);
    for (const char* id : {"in-step", "no-barrier", "any-size", "call-twice", "pad-with-zero", "full-mask"})
        EXPECT_EQ(shipped(id).verdict, Verdict::not_so) << id;
    EXPECT_NE(shipped("any-size").trace.find("32 to 47 and 80 to 95"), std::string::npos);
}

TEST(Claims, AVerdictFollowsTheRecording) {
    // A strided run in the place of the divergent one has conflicts.
    const auto swapped = with({{"interleaved_divergent-max-float-256", "interleaved_strided-max-float-256"}});
    EXPECT_EQ(named(swapped, "interleaved-conflicts").verdict, Verdict::holds);
    const auto clean = with({{"interleaved_strided-max-float-32", "contiguous_full-max-float-32"},
                             {"interleaved_strided-max-float-256", "contiguous_full-max-float-256"},
                             {"interleaved_strided-max-float-1024", "contiguous_full-max-float-1024"}});
    EXPECT_EQ(named(clean, "strided-conflicts").verdict, Verdict::not_so);
    const auto right = with({{"ragged_block-max-float-96", "contiguous_any-max-float-256"}});
    EXPECT_EQ(named(right, "any-size").verdict, Verdict::holds);
    const auto same = with({{"contiguous_warp-max-float-256", "contiguous_full-max-float-256"}});
    EXPECT_EQ(named(same, "five-barriers").verdict, Verdict::not_so);
    const auto two = with({{"one_barrier-max-float-256", "shuffle_first-max-float-256"}});
    EXPECT_EQ(named(two, "one-barrier").verdict, Verdict::holds);
}

TEST(Claims, CyclesDecideWhatIsFaster) {
    const auto slower = with({}, [](std::string_view name, Trace& trace) {
        if (name.starts_with("contiguous_warp") && trace.cycles)
            trace.cycles->median *= 10;
    });
    EXPECT_EQ(named(slower, "shuffles-faster").verdict, Verdict::not_so);
    const auto at_one_size = with({}, [](std::string_view name, Trace& trace) {
        if (name == "contiguous_warp-max-float-1024" && trace.cycles)
            trace.cycles->median *= 10;
    });
    EXPECT_EQ(named(at_one_size, "shuffles-faster").verdict, Verdict::partly);
    const auto quick = with({}, [](std::string_view name, Trace& trace) {
        if (name.starts_with("interleaved_divergent") && trace.cycles)
            trace.cycles->median *= 2;
    });
    EXPECT_EQ(named(quick, "interleaved-slow").verdict, Verdict::holds);
    EXPECT_EQ(named(quick, "strided-faster").verdict, Verdict::holds);
}

TEST(Claims, WhatWasNotMeasuredIsNotSaid) {
    const auto unmeasured = with({}, [](std::string_view, Trace& trace) {
        trace.cycles.reset();
        trace.counters.clear();
        trace.stamps.clear();
    });
    for (const char* id : {"interleaved-slow", "strided-faster", "shuffles-faster", "single-cycle"}) {
        EXPECT_EQ(named(unmeasured, id).verdict, Verdict::unknown) << id;
        EXPECT_EQ(named(unmeasured, id).hardware, "") << id;
    }
    // Conflicts are the model's then, and no counter is named.
    EXPECT_EQ(named(unmeasured, "interleaved-conflicts").verdict, Verdict::not_so);
    EXPECT_EQ(named(unmeasured, "interleaved-conflicts").hardware, "");
}

TEST(Claims, CountersThatDisagreeWithTheModelLeaveNoVerdict) {
    const auto odd = with({}, [](std::string_view name, Trace& trace) {
        if (name == "contiguous_full-max-float-256")
            for (trace::Counter& counter : trace.counters)
                if (counter.metric.find("bank_conflicts") != std::string::npos)
                    counter.value += 1;
    });
    EXPECT_EQ(named(odd, "contiguous-free").verdict, Verdict::unknown);
}

TEST(Claims, WithoutRecordingsNothingIsKnown) {
    const auto none = claims([](std::string_view) { return std::nullopt; });
    EXPECT_EQ(none.size(), shipped_claims().size());
    for (const Claim& claim : none) {
        EXPECT_EQ(claim.verdict, Verdict::unknown) << claim.id;
        EXPECT_FALSE(claim.said.empty());
        EXPECT_EQ(claim.trace + claim.hardware + claim.device, "") << claim.id;
        EXPECT_TRUE(claim.recordings.empty());
    }
}

TEST(Claims, ASimulatedRunIsCalledSo) {
    const auto simulated = claims([](std::string_view name) -> std::optional<Trace> {
        if (name != "contiguous_warp-max-float-256")
            return std::nullopt;
        launch::Options options;
        options.device = launch::Device::cpu;
        auto trace = launch::run(trace::LaunchConfig(), options);
        return trace ? std::optional<Trace>(std::move(*trace)) : std::nullopt;
    });
    EXPECT_EQ(named(simulated, "last-round").device, "simulated on the CPU");
    EXPECT_EQ(named(simulated, "single-cycle").verdict, Verdict::unknown);
}

}  // namespace
}  // namespace auditorium::claims
