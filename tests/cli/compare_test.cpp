#include "program.h"

namespace auditorium {
namespace {

using nlohmann::json;
using Cli = testing::Program;
using testing::Said;

TEST_F(Cli, CompareSetsTwoRunsSideBySide) {
    record("--kernel interleaved_divergent --block 256", "a.audit");
    record("--kernel contiguous_full --block 256", "b.audit");
    const Said said = run("compare a.audit b.audit --json");
    EXPECT_EQ(said.status, 0) << said.err;
    const json c = said.json();
    EXPECT_EQ(c["a"]["kernel"], "interleaved_divergent");
    EXPECT_EQ(c["b"]["kernel"], "contiguous_full");
    EXPECT_EQ(c["a"]["load_wavefronts"], 102);
    EXPECT_EQ(c["b"]["load_wavefronts"], 32);
    EXPECT_EQ(c["better"]["load_wavefronts"], "B");
    EXPECT_TRUE(c["better"]["barriers"].is_null()) << "level: 9 and 9";
    EXPECT_EQ(c["better"]["lane_efficiency"], "B");
    EXPECT_TRUE(c["a"]["cycles_min"].is_null());
    EXPECT_EQ(c["difference"]["comparable"], true);
    EXPECT_EQ(c["difference"]["ulp"], 0);
    EXPECT_NE(run("compare a.audit b.audit").out.find("equal, bit for bit"), std::string::npos);
    EXPECT_NE(run("compare a.audit b.audit --format md").out.find("|---|---:|---:|---|"), std::string::npos);
}

TEST_F(Cli, CompareSaysWhyTwoFloatSumsDiffer) {
    write("values.txt", "1e8 1 -1e8 1 3.25 1e-3 7e6 -7e6");
    record("--kernel interleaved_divergent --op sum --block 8 --input file:values.txt", "a.audit");
    record("--kernel contiguous_full --op sum --block 8 --input file:values.txt", "b.audit");
    const json c = run("compare a.audit b.audit --json").json();
    EXPECT_GT(c["difference"]["ulp"].get<long>(), 0);
    const std::string reason = c["difference"]["reason"];
    EXPECT_NE(reason.find("different orders"), std::string::npos) << reason;
    EXPECT_NE(reason.find("inputs 0 to 3 gave to what inputs 4 to 7"), std::string::npos) << reason;
    EXPECT_NE(reason.find("inputs 0, 2, 4 and 6 gave to what inputs 1, 3, 5 and 7"), std::string::npos)
        << reason;
    EXPECT_NE(reason.find("height 3"), std::string::npos) << reason;
}

TEST_F(Cli, CompareOfWhatCannotBeCompared) {
    record("--block 64", "a.audit");
    record("--block 128", "b.audit");
    const json c = run("compare a.audit b.audit --json").json();
    EXPECT_EQ(c["difference"]["comparable"], false);
    EXPECT_TRUE(c["difference"]["ulp"].is_null());
    EXPECT_EQ(c["a"]["block"], 64);
    EXPECT_EQ(c["b"]["block"], 128);
    expect_error("compare a.audit", 2, "B");
    expect_error("compare a.audit missing.audit", 3, "missing.audit");
    expect_error("compare a.audit b.audit --format csv", 2, "compare");
}

TEST_F(Cli, CompareOfTwoSchedulesOfARace) {
    record("--kernel missing_barrier --op sum --type int", "a.audit");
    record("--kernel missing_barrier --op sum --type int --find-wrong", "b.audit");
    const Said said = run("compare a.audit b.audit --json");
    EXPECT_EQ(said.status, 1);
    const json c = said.json();
    EXPECT_EQ(c["a"]["results"][0]["correct"], true);
    EXPECT_EQ(c["a"]["verdict"], "right by luck");
    EXPECT_EQ(c["b"]["results"][0]["correct"], false);
    EXPECT_EQ(c["b"]["verdict"], "wrong");
    EXPECT_EQ(c["difference"]["call"], 1);
    EXPECT_NE(c["difference"]["reason"].get<std::string>().find("B's result is wrong"), std::string::npos);
}

TEST_F(Cli, CompareOfRunsWithSeveralResults) {
    record("--kernel back_to_back", "a.audit");
    record("--kernel back_to_back", "b.audit");
    const json c = run("compare a.audit b.audit --json").json();
    EXPECT_EQ(c["a"]["results"].size(), 2u);
    EXPECT_NE(c["a"]["results"][0]["bits"], c["a"]["results"][1]["bits"]);
    EXPECT_TRUE(c["difference"]["call"].is_null());
}

TEST_F(Cli, FindWrongFindsEveryClinicKernelsFault) {
    const struct {
        const char* kernel;
        int block;
    } wrong[] = {{"missing_barrier", 256}, {"back_to_back", 256},  {"missing_syncwarp", 256},
                 {"ragged_block", 96},     {"zero_identity", 256}, {"partial_mask", 48}};
    for (const auto& [kernel, block] : wrong)
        for (const char* op : {"max", "sum"}) {
            if (std::string(kernel) == "zero_identity" && std::string(op) == "sum")
                continue;  // zero is the identity of a sum
            const Said said = run("record --kernel " + std::string(kernel) + " --op " + op + " --block " +
                                  std::to_string(block) + " --find-wrong --json -o a.audit");
            EXPECT_EQ(said.status, 0) << kernel << op << said.err;
            const json r = said.json();
            bool right = true;
            for (const json& result : r["results"])
                right &= result["correct"].get<bool>();
            EXPECT_FALSE(right) << kernel << op << said.out;
            // The launch that it names gives the same run again.
            const Said again =
                run("record --device cpu --kernel " + std::string(kernel) + " --op " + op + " --block " +
                    std::to_string(block) + " --input " + r["input"].get<std::string>() + " --schedule " +
                    r["schedule"].get<std::string>() + " --json -o b.audit");
            EXPECT_EQ(again.json()["results"], r["results"]);
            EXPECT_EQ(run("verify a.audit").status, 0);
        }
}

TEST_F(Cli, FindWrongHoldsToTheInputOrTheScheduleThatIsSaid) {
    const std::string search = "record --kernel missing_barrier --find-wrong --json -o a.audit ";
    const Said input = run(search + "--input random:1");
    EXPECT_EQ(input.status, 0) << input.err;
    EXPECT_EQ(input.json()["input"], "random:1");
    const Said schedule = run(search + "--schedule 7");
    EXPECT_EQ(schedule.status, 0) << schedule.err;
    EXPECT_EQ(schedule.json()["schedule"], "7");
    // No order of turns makes a maximum of ones wrong.
    const Said none = run("record --kernel missing_barrier --block 64 --find-wrong --input ones -o b.audit");
    EXPECT_EQ(none.status, 1);
    EXPECT_NE(none.err.find("schedules with the input 'ones'"), std::string::npos) << none.err;
    expect_error(search + "--input ramp --schedule 7", 2, "nothing left to search");
    EXPECT_FALSE(std::filesystem::exists(path("b.audit")));
}

TEST_F(Cli, FindWrongSaysWhatItTriesWhenItTakesLong) {
    const Said said = run("--version >out.txt; timeout 6 '" AUDITORIUM_PROGRAM
                          "' record --find-wrong --block 1024 --calls 16 -o a.audit");
    EXPECT_EQ(said.status, 124) << said.err;
    EXPECT_NE(said.err.find("of at most 2000 runs were right; now --input "), std::string::npos) << said.err;
    EXPECT_EQ(said.out, "");
}

TEST_F(Cli, FindWrongFindsNothingWrongWithWhatIsRight) {
    expect_error("record --kernel contiguous_full --block 4 --find-wrong -o a.audit", 1, "all right");
    EXPECT_FALSE(std::filesystem::exists(path("a.audit")));
    expect_error("record --kernel contiguous_full --block 4 --find-wrong --device gpu -o a.audit", 2,
                 "--find-wrong");
}

}  // namespace
}  // namespace auditorium
