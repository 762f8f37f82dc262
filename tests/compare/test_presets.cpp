// Entries, presets, and which runs come from recordings.
#include "app/compare/presets.h"

#include <set>

#include "kernels/catalogue.h"
#include "sides.h"

namespace auditorium::compare {
namespace {

TEST(Entries, NameAKernelItsSizeAndItsSchedule) {
    const auto plain = config_of("contiguous_full", {});
    ASSERT_TRUE(plain.has_value());
    EXPECT_EQ(plain->block, 256);
    EXPECT_EQ(plain->schedule, trace::Schedule{});
    EXPECT_EQ(config_of("contiguous_full@1024", {})->block, 1024);
    EXPECT_EQ(config_of("ragged_block", {})->block, 96) << "a clinic entry's own";
    EXPECT_EQ(config_of("back_to_back", {})->calls, 2);
    const auto scheduled = config_of("missing_barrier@128@independent:3", {});
    ASSERT_TRUE(scheduled.has_value());
    EXPECT_EQ(scheduled->block, 128);
    EXPECT_EQ(trace::name_of(scheduled->schedule), "independent:3");
    trace::LaunchConfig base;
    base.op = trace::Op::sum;
    base.type = trace::Type::i32;
    base.input = "ramp";
    EXPECT_EQ(config_of("contiguous_full", base)->op, trace::Op::sum);
    EXPECT_EQ(config_of("contiguous_full", base)->input, "ramp");
}

TEST(Entries, WhatIsWrongIsUsage) {
    for (const char* entry :
         {"nothing", "", "contiguous_full@", "contiguous_full@x", "contiguous_full@0", "contiguous_full@2000",
          "contiguous_full@96", "contiguous_full@256@x", "contiguous_full@256@"}) {
        const auto config = config_of(entry, {});
        ASSERT_FALSE(config.has_value()) << entry;
        EXPECT_EQ(config.error().status, ExitStatus::usage) << entry;
        EXPECT_FALSE(config.error().sentence.empty());
    }
}

TEST(Presets, TheFirstIsWhatTheViewOpensWith) {
    EXPECT_STREQ(presets()[0].left, "interleaved_divergent");
    EXPECT_STREQ(presets()[0].right, "contiguous_full");
    std::set<std::string> ids;
    for (const Preset& preset : presets())
        EXPECT_TRUE(ids.insert(preset.id).second) << preset.id;
}

// The pairs that a class looks at first are shown as they ran on a GPU.
TEST(Recordings, ThePairsThatWereRecordedAreRecorded) {
    for (const char* entry :
         {"interleaved_divergent", "contiguous_full", "interleaved_strided", "contiguous_warp", "one_barrier",
          "contiguous_warp@1024", "ragged_block", "missing_barrier"}) {
        const auto trace = recorded(*config_of(entry, {}));
        ASSERT_TRUE(trace.has_value()) << entry;
        EXPECT_EQ(trace->origin.kind, trace::Origin::Kind::gpu);
        EXPECT_TRUE(trace->cycles.has_value()) << entry << " cannot race";
    }
}

TEST(Recordings, OnlyJustThatLaunch) {
    trace::LaunchConfig other = *config_of("contiguous_full", {});
    other.input = "random:1:0:999";
    EXPECT_FALSE(recorded(other).has_value()) << "other data";
    EXPECT_FALSE(recorded(*config_of("contiguous_full@64", {})).has_value()) << "another size";
    EXPECT_FALSE(recorded(*config_of("missing_barrier@256@7", {})).has_value()) << "a schedule";
    trace::LaunchConfig ints = *config_of("contiguous_full", {});
    ints.type = trace::Type::i32;
    EXPECT_FALSE(recorded(ints).has_value()) << "another type";
    const auto run_here = run(*config_of("contiguous_full", {}), launch::Device::cpu);
    ASSERT_TRUE(run_here.has_value());
    EXPECT_EQ(run_here->origin.kind, trace::Origin::Kind::simulated) << "asked for a simulation";
}

}  // namespace
}  // namespace auditorium::compare
