// The catalogue, interpreted and analyzed: counts as the hardware counted them, and each clinic entry found
// out.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "analysis/analysis.h"
#include "kernels/catalogue.h"
#include "launch/launch.h"

namespace auditorium::analysis {
namespace {

using trace::Op;
using trace::Type;

trace::Trace run(const std::string& kernel, int block, Op op = Op::max, Type type = Type::f32,
                 const std::string& input = "random:3664:0:999", trace::Schedule schedule = {}) {
    trace::LaunchConfig config;
    config.kernel = kernel;
    config.block = block;
    config.op = op;
    config.type = type;
    config.input = input;
    config.schedule = schedule;
    launch::Options options;
    options.device = launch::Device::cpu;
    options.allow_wrong = true;
    auto trace = launch::run(config, options);
    if (!trace) {
        ADD_FAILURE() << trace.error().sentence;
        return {};
    }
    return *std::move(trace);
}

std::vector<int> range(int begin, int end) {
    std::vector<int> list;
    for (int i = begin; i < end; ++i)
        list.push_back(i);
    return list;
}

std::vector<Finding> of_rule(const Analysis& a, Rule rule) {
    std::vector<Finding> found;
    std::copy_if(a.findings.begin(), a.findings.end(), std::back_inserter(found),
                 [&](const Finding& finding) { return finding.rule == rule; });
    return found;
}

// How many rows of a file of hardware counters the model was compared with (and equals).
int compare_with_hardware(const std::string& name) {
    std::ifstream file(AUDITORIUM_SOURCE_DIR "/tests/data/" + name);
    EXPECT_TRUE(file) << name;
    std::string line;
    std::getline(file, line);
    EXPECT_EQ(line,
              "kernel,block_dim,load_wavefronts,store_wavefronts,load_bank_conflicts,store_bank_conflicts,"
              "warp_instructions");
    int compared = 0;
    while (std::getline(file, line)) {
        std::istringstream cells(line);
        std::string kernel, cell;
        std::getline(cells, kernel, ',');
        std::vector<int> numbers;
        while (std::getline(cells, cell, ','))
            numbers.push_back(std::stoi(cell));
        EXPECT_EQ(numbers.size(), 6u) << line;
        if (!kernels::find(kernel) || numbers.size() != 6)
            continue;  // the libraries' reductions
        for (const Type type : {Type::f32, Type::i32}) {
            const Totals totals = analyze(run(kernel, numbers[0], Op::max, type)).totals;
            EXPECT_EQ(totals.load_wavefronts, numbers[1]) << line;
            EXPECT_EQ(totals.store_wavefronts, numbers[2]) << line;
            EXPECT_EQ(totals.load_bank_conflicts, numbers[3]) << line;
            EXPECT_EQ(totals.store_bank_conflicts, numbers[4]) << line;
        }
        ++compared;
    }
    return compared;
}

TEST(Catalogue, CountsWhatTheHardwareCountedForKernelsWrittenByHand) {
    EXPECT_EQ(compare_with_hardware("h200_counters.csv"), 10);
}

TEST(Catalogue, BarriersAt256Threads) {
    const std::map<std::string, int> barriers = {{"contiguous_warp", 5},       {"contiguous_full", 9},
                                                 {"interleaved_divergent", 9}, {"interleaved_strided", 9},
                                                 {"shuffle_first", 2},         {"one_barrier", 1},
                                                 {"contiguous_any", 5}};
    for (const auto& [kernel, count] : barriers)
        EXPECT_EQ(analyze(run(kernel, 256)).totals.barriers, count) << kernel;
}

// The strided tree's worst bank, by its own formula: max(1, min(32, B / 2s) * min(2s, 32) / 32) ways.
TEST(Catalogue, StridedConflictsByTheirFormula) {
    for (int block = 32; block <= 1024; block *= 2) {
        const trace::Trace trace = run("interleaved_strided", block);
        const Analysis a = analyze(trace);
        int s = 1;
        for (std::size_t i = 0; i < trace.steps.size(); ++i) {
            if (trace.steps[i].kind != trace::StepKind::tree)
                continue;
            EXPECT_EQ(a.steps[i].max_ways,
                      std::max(1, std::min(32, block / (2 * s)) * std::min(2 * s, 32) / 32))
                << block << " " << s;
            s *= 2;
        }
        EXPECT_EQ(s, block);
    }
}

TEST(Catalogue, LaneEfficiencyAt256Threads) {
    const Totals strided = analyze(run("interleaved_divergent", 256)).totals;
    EXPECT_EQ(strided.load_wavefronts + strided.store_wavefronts, 157);
    const Totals full = analyze(run("contiguous_full", 256)).totals;
    EXPECT_EQ(full.active_lanes, 1277);
    EXPECT_EQ(full.lane_slots, 1664);
    const Totals warp = analyze(run("contiguous_warp", 256)).totals;
    EXPECT_EQ(warp.active_lanes, 1377);
    EXPECT_EQ(warp.lane_slots, 1408);
}

TEST(Catalogue, CorrectKernelsHaveNoFindings) {
    for (const kernels::Kernel& kernel : kernels::all()) {
        if (!kernel.correct)
            continue;
        for (const int block : {1, 2, 3, 31, 32, 33, 64, 96, 100, 128, 160, 256, 257, 512, 992, 1000, 1024}) {
            if (!kernels::why_not(kernel, block).empty())
                continue;
            for (const Op op : {Op::max, Op::min, Op::sum})
                for (const Type type : {Type::f32, Type::i32})
                    for (const char* input :
                         {"random:3664:0:999", "random:1:-999:-1", "ones", "random:2:0:0"}) {
                        const Analysis a = analyze(run(std::string(kernel.id), block, op, type, input));
                        const std::string where = std::string(kernel.id) + " " + std::to_string(block) + " " +
                                                  name_of(op) + " " + name_of(type) + " " + input;
                        EXPECT_TRUE(a.findings.empty()) << where << ": " << a.findings[0].text;
                        EXPECT_EQ(a.contributions.folded, block) << where;
                        EXPECT_TRUE(a.contributions.missing.empty() && a.contributions.doubled.empty())
                            << where;
                        ASSERT_EQ(a.results.size(), 1u);
                        EXPECT_TRUE(a.results[0].correct) << where;
                        EXPECT_TRUE(a.results[0].all_threads_agree) << where;
                    }
        }
    }
}

TEST(Catalogue, OddFloatsAreCorrectToo) {
    const char* inputs[] = {"values:nan,1,-0,0",           "values:nan,nan,nan,nan",
                            "values:-0,-0,-0,-0",          "values:inf,-inf,1,2",
                            "values:1e-45,-1e-45,1e-40,3", "values:3e38,3e38,3e38,3e38"};
    for (const char* kernel : {"contiguous_full", "interleaved_strided", "contiguous_any"})
        for (const Op op : {Op::max, Op::min, Op::sum})
            for (const char* input : inputs) {
                const Analysis a = analyze(run(kernel, 4, op, Type::f32, input));
                EXPECT_TRUE(a.findings.empty())
                    << kernel << name_of(op) << input << ": " << a.findings[0].text;
                EXPECT_TRUE(a.results[0].correct) << kernel << name_of(op) << input;
            }
}

TEST(Catalogue, SeveralCallsAreEachCounted) {
    trace::LaunchConfig config;
    config.block = 64;
    config.calls = 3;
    launch::Options options;
    options.device = launch::Device::cpu;
    const auto trace = launch::run(config, options);
    ASSERT_TRUE(trace);
    const Analysis a = analyze(*trace);
    ASSERT_EQ(a.results.size(), 3u);
    EXPECT_TRUE(a.findings.empty());
    EXPECT_EQ(a.totals.barriers, 3 * 3 + 2);
    EXPECT_EQ(a.contributions.folded, 64);
    for (std::size_t s = 0; s < trace->steps.size(); ++s) {
        if (trace->steps[s].kind == trace::StepKind::shuffle && trace->steps[s].offset == 8) {
            EXPECT_EQ(a.steps[s].results_that_count, 8) << "in every call";
        }
    }
}

TEST(Clinic, RaggedBlockLosesInputs) {
    const Analysis a96 = analyze(run("ragged_block", 96));
    for (const Finding& finding : a96.findings)
        if (finding.rule == Rule::lost_input) {
            EXPECT_EQ(finding.lines, (std::vector<int>{25, 31}));
        }
    std::vector<int> missing = range(32, 48);
    const std::vector<int> more = range(80, 96);
    missing.insert(missing.end(), more.begin(), more.end());
    EXPECT_EQ(a96.contributions.missing, missing);
    const Analysis a48 = analyze(run("ragged_block", 48));
    EXPECT_EQ(a48.contributions.missing, range(32, 48));
    for (const Analysis* a : {&a96, &a48}) {
        ASSERT_EQ(of_rule(*a, Rule::lost_input).size(), 1u);
        EXPECT_TRUE(of_rule(*a, Rule::race).empty());
    }
    EXPECT_TRUE(analyze(run("ragged_block", 128)).findings.empty()) << "a power of two is right";
    EXPECT_FALSE(analyze(run("ragged_block", 96, Op::sum, Type::i32)).results[0].correct);
}

// What a halving tree of any size folds in, told by following it with sets.
TEST(Clinic, RaggedBlockAtEverySize) {
    for (int block = 33; block <= 1024; block += 13) {
        std::vector<std::set<int>> box(static_cast<std::size_t>(block));
        for (int t = 0; t < block; ++t)
            box[std::size_t(t)] = {t};
        for (int s = block / 2; s >= 32; s /= 2)
            for (int t = 0; t < s; ++t)
                box[std::size_t(t)].insert(box[std::size_t(t + s)].begin(), box[std::size_t(t + s)].end());
        std::set<int> folded;
        for (int t = 0; t < 32; ++t)
            folded.insert(box[std::size_t(t)].begin(), box[std::size_t(t)].end());
        std::vector<int> missing;
        for (int t = 0; t < block; ++t)
            if (!folded.count(t))
                missing.push_back(t);
        EXPECT_EQ(analyze(run("ragged_block", block)).contributions.missing, missing) << block;
    }
}

TEST(Clinic, BackToBackIsReadAgainstTheNextStaging) {
    const Analysis a = analyze(run("back_to_back", 256));
    const auto races = of_rule(a, Rule::race);
    ASSERT_EQ(races.size(), 2u);
    for (const Finding& race : races) {
        EXPECT_EQ(race.kind, "WAR");
        EXPECT_EQ(race.lines, (std::vector<int>{15, 32})) << "the staging and the return line";
        EXPECT_EQ(race.boxes, std::vector<int>{0});
    }
    EXPECT_EQ(races[0].severity, Severity::error);
    EXPECT_EQ(races[0].threads.size(), 1u + 224);
    EXPECT_EQ(races[1].severity, Severity::warning);
    ASSERT_EQ(a.results.size(), 2u);
    EXPECT_TRUE(a.results[0].correct);
    EXPECT_TRUE(a.results[1].correct) << "in lockstep, by luck";
    EXPECT_EQ(a.findings.size(), 2u);
}

TEST(Clinic, ZeroIsNoIdentityOfMaximum) {
    const Analysis wrong = analyze(run("zero_identity", 256, Op::max, Type::f32, "random:1:-999:-1"));
    for (const Finding& finding : wrong.findings)
        if (finding.rule == Rule::identity) {
            EXPECT_EQ(finding.lines, std::vector<int>{26}) << "val = T(0);";
        }
    ASSERT_EQ(wrong.findings.size(), 1u);
    EXPECT_EQ(wrong.findings[0].rule, Rule::identity);
    EXPECT_EQ(wrong.findings[0].severity, Severity::error);
    EXPECT_EQ(wrong.findings[0].threads, range(8, 32)) << "the lanes without a partial";
    EXPECT_FALSE(wrong.results[0].correct);
    EXPECT_EQ(wrong.contributions.folded, 256);
    EXPECT_TRUE(wrong.contributions.doubled.empty());

    const Analysis harmless = analyze(run("zero_identity", 256, Op::max));
    ASSERT_EQ(harmless.findings.size(), 1u);
    EXPECT_EQ(harmless.findings[0].severity, Severity::warning);
    EXPECT_TRUE(analyze(run("zero_identity", 256, Op::sum)).findings.empty());
    EXPECT_TRUE(analyze(run("zero_identity", 1024)).findings.empty()) << "every lane has a partial";
    EXPECT_FALSE(analyze(run("zero_identity", 256, Op::min, Type::i32, "random:1:1:9")).results[0].correct);
    // All inputs zero: nothing can be told apart by its bits, and yet nothing is folded in twice.
    const Analysis zeros = analyze(run("zero_identity", 256, Op::sum, Type::i32, "random:1:0:0"));
    EXPECT_TRUE(zeros.findings.empty());
}

TEST(Clinic, PartialMasksAreNamed) {
    const std::map<int, std::vector<int>> readers = {
        {17, range(1, 17)}, {31, {15, 23, 27, 29, 30}}, {48, range(32, 48)}};
    for (const auto& [block, threads] : readers) {
        const trace::Trace trace = run("partial_mask", block);
        const Analysis a = analyze(trace);
        const auto lanes = of_rule(a, Rule::undefined_lane);
        ASSERT_EQ(lanes.size(), 1u) << block;
        EXPECT_EQ(lanes[0].threads, threads) << block;
        EXPECT_EQ(lanes[0].lines, std::vector<int>{6});
        EXPECT_NE(lanes[0].text.find("they reach the result"), std::string::npos) << lanes[0].text;
        EXPECT_TRUE(a.results[0].undefined);
        EXPECT_FALSE(a.results[0].correct);
    }
    EXPECT_TRUE(analyze(run("partial_mask", 64)).findings.empty());
}

TEST(Clinic, MissingBarrier) {
    const Analysis a = analyze(run("missing_barrier", 256));
    const auto races = of_rule(a, Rule::race);
    ASSERT_FALSE(races.empty());
    bool raw = false;
    for (const Finding& race : races)
        raw |=
            race.kind == "RAW" && race.severity == Severity::error && race.lines == std::vector<int>{13, 14};
    EXPECT_TRUE(raw) << "a round's load of the box that another warp stored in the round before";
    for (const int block : {32, 64})
        for (const Finding& race : of_rule(analyze(run("missing_barrier", block)), Rule::race))
            EXPECT_EQ(race.severity, Severity::warning) << block << ": " << race.text;
}

TEST(Clinic, MissingSyncwarp) {
    for (const int block : {64, 256}) {
        const auto races = of_rule(analyze(run("missing_syncwarp", block)), Rule::race);
        ASSERT_FALSE(races.empty());
        for (const Finding& race : races) {
            EXPECT_EQ(race.severity, Severity::warning) << race.text;
            EXPECT_TRUE(std::all_of(race.threads.begin(), race.threads.end(), [](int t) { return t < 32; }));
        }
    }
}

TEST(Clinic, DivergentBarrier) {
    const Analysis a = analyze(run("divergent_barrier", 256));
    const auto mismatches = of_rule(a, Rule::barrier_mismatch);
    ASSERT_EQ(mismatches.size(), 1u);
    EXPECT_EQ(mismatches[0].lines, std::vector<int>{15});
    EXPECT_EQ(mismatches[0].threads, range(128, 256));
    EXPECT_NE(
        mismatches[0].text.find("128 of 256 threads wait at barrier 2 (line 15), and threads 128 to 255 "
                                "return without it; on a GPU this is undefined and may hang; 7 more "
                                "barriers are short of threads"),
        std::string::npos)
        << mismatches[0].text;
    ASSERT_EQ(a.barriers.size(), 9u);
    EXPECT_TRUE(a.barriers[0].absent.empty());
    EXPECT_EQ(a.barriers[1].absent, range(128, 256));
    EXPECT_EQ(a.barriers[8].absent, range(1, 256));
    // The step whose threads come to a barrier has it behind it; the one whose threads leave has none.
    for (std::size_t s = 0; s < a.steps.size(); ++s)
        EXPECT_EQ(a.steps[s].barrier_after, s == 0 || (s % 2 == 1 && s != 17)) << s;
}

// The hazards are named the same whatever the order in which warps and lanes took turns.
TEST(Clinic, AVerdictDoesNotDependOnTheSchedule) {
    for (const char* kernel : {"missing_barrier", "back_to_back", "missing_syncwarp", "contiguous_warp"}) {
        const auto names = [&](trace::Schedule schedule) {
            std::set<std::string> found;
            for (const Finding& finding :
                 analyze(run(kernel, 256, Op::max, Type::i32, "ramp", schedule)).findings)
                if (finding.rule == Rule::race)
                    found.insert(finding.kind + name_of(finding.severity) +
                                 std::to_string(finding.lines.front()) + " " +
                                 std::to_string(finding.lines.back()));
            return found;
        };
        const auto expected = names({});
        for (std::uint64_t seed = 1; seed <= 5; ++seed) {
            EXPECT_EQ(names({trace::Schedule::Kind::seeded, seed}), expected) << kernel;
            EXPECT_EQ(names({trace::Schedule::Kind::independent, seed}), expected) << kernel;
        }
    }
}

}  // namespace
}  // namespace auditorium::analysis
