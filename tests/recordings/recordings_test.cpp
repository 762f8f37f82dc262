// The recordings that are shipped: all that there shall be, of the kernels' present texts, from one GPU; each
// run again simulated gives the same; each has the findings and exit statuses that expected.json holds.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "analysis/analysis.h"
#include "analysis/timing.h"
#include "kernels/catalogue.h"
#include "launch/launch.h"
#include "trace/io.h"

namespace auditorium {
namespace {

using nlohmann::json;
using trace::Trace;

const std::string folder = AUDITORIUM_SOURCE_DIR "/recordings/";

const json& expected() {
    static const json all = json::parse(std::ifstream(folder + "expected.json"));
    return all;
}

// zero_identity on the input that all others have: it is there beside the one that shows the fault.
const std::string on_common_input = "zero_identity-max-float-256-common.audit";

// Every correct kernel at 32, 256 and 1024 for max and at 256 for min and sum, and of the clinic what may run
// on a GPU.
std::set<std::string> names() {
    std::set<std::string> names;
    const auto add = [&](std::string_view kernel, const char* op, int block) {
        names.insert(std::string(kernel) + "-" + op + "-float-" + std::to_string(block) + ".audit");
    };
    for (const kernels::Kernel& kernel : kernels::all()) {
        if (kernel.correct) {
            for (int block : {32, 256, 1024}) {
                add(kernel.id, "max", block);
            }
            add(kernel.id, "min", 256);
            add(kernel.id, "sum", 256);
        } else if (kernel.may_run_on_gpu) {
            add(kernel.id, "max", kernel.clinic_block);
        }
    }
    names.insert(on_common_input);
    return names;
}

Trace trace_of(const std::string& name) {
    auto trace = trace::read(folder + name);
    EXPECT_TRUE(trace) << (trace ? "" : trace.error().sentence);
    return trace ? std::move(*trace) : Trace{};
}

TEST(Recordings, AreAllThere) {
    std::set<std::string> files, described;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        if (entry.path().extension() == ".audit") {
            files.insert(entry.path().filename());
        }
    }
    for (const auto& [name, entry] : expected().items()) {
        described.insert(name);
    }
    EXPECT_EQ(files, names());
    EXPECT_EQ(described, names());
}

TEST(Recordings, AreOfTheKernelsPresentTextsAndOfOneGpu) {
    for (const std::string& name : names()) {
        SCOPED_TRACE(name);
        const Trace trace = trace_of(name);
        const json& entry = expected()[name];
        const kernels::Kernel* kernel = kernels::find(trace.config.kernel);
        ASSERT_TRUE(kernel);
        EXPECT_EQ(trace.source, kernel->source) << "the kernel's text has changed: record again";
        char hash[17];
        std::snprintf(hash, sizeof hash, "%016llx", static_cast<unsigned long long>(trace.source_hash));
        EXPECT_EQ(entry["kernel_text_hash"], hash);
        EXPECT_EQ(entry["kernel_text"], kernel->file);
        EXPECT_EQ(trace.origin.kind, trace::Origin::Kind::gpu);
        EXPECT_EQ(entry["device"], trace.origin.device);
        EXPECT_EQ(entry["driver"], trace.origin.driver);
        EXPECT_EQ(entry["cuda"], trace.origin.cuda);
        const bool own = !kernel->clinic_input.empty() && name != on_common_input;
        EXPECT_EQ(trace.config.input, own ? kernel->clinic_input : "random:3664:0:999");
        EXPECT_TRUE(trace.faults.empty());
        EXPECT_LE(std::filesystem::file_size(folder + name),
                  static_cast<std::uintmax_t>(trace.config.block <= 256 ? 200'000 : 400'000));
    }
}

// No step takes less than no time, though each stamp is of launches of its own.
TEST(Recordings, StepsTakeTime) {
    for (const std::string& name : names()) {
        const analysis::Analysis analysis = analysis::analyze(trace_of(name));
        for (std::size_t s = 0; s < analysis.steps.size(); ++s)
            EXPECT_GE(analysis.steps[s].cycles.value_or(0), 0) << name << " step " << s + 1;
    }
}

// Times as they must be: the whole kernel, and stamps that go on within each warp up to its return.
TEST(Recordings, CarryTimesAndCounters) {
    for (const std::string& name : names()) {
        SCOPED_TRACE(name);
        const Trace trace = trace_of(name);
        ASSERT_TRUE(trace.cycles);
        EXPECT_GT(trace.cycles->min, 100);
        EXPECT_LE(trace.cycles->min, trace.cycles->median);
        EXPECT_LE(trace.cycles->median, trace.cycles->max);
        EXPECT_GE(trace.cycles->launches, 100);
        EXPECT_TRUE(trace.cycles->constant_block);
        for (const char* metric :
             {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
              "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
              "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum",
              "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum", "smsp__inst_executed.sum",
              "smsp__thread_inst_executed.sum", "smsp__sass_branch_targets_threads_divergent.sum",
              "sm__cycles_active.max", "smsp__warps_issue_stalled_barrier.sum",
              "smsp__warps_issue_stalled_short_scoreboard.sum"}) {
            EXPECT_TRUE(std::any_of(trace.counters.begin(), trace.counters.end(),
                                    [&](const trace::Counter& counter) { return counter.metric == metric; }))
                << metric;
        }
        std::vector<trace::Stamp> last(static_cast<std::size_t>(trace.warps()));
        for (const trace::Stamp& stamp : trace.stamps) {
            trace::Stamp& before = last[static_cast<std::size_t>(stamp.warp)];
            if (before.launches > 0) {
                EXPECT_GT(stamp.event, before.event) << "warp " << stamp.warp;
            }
            before = stamp;
        }
        for (int warp = 0; warp < trace.warps(); ++warp) {
            const trace::Stamp& stamp = last[static_cast<std::size_t>(warp)];
            EXPECT_EQ(static_cast<std::size_t>(stamp.event),
                      trace.events[static_cast<std::size_t>(warp) * 32].size())
                << "warp " << warp << " has no stamp for its return";
            EXPECT_GE(stamp.launches, 20);
        }
        // Reading the clock disturbs a kernel, but not by much.
        const auto difference = analysis::disturbance(trace);
        ASSERT_TRUE(difference);
        EXPECT_LT(std::abs(*difference), 0.10);
    }
}

// The hardware's counts per machine instruction, summed over each line: together the counts of the whole
// launch, and wavefronts that are the model's, line by line.
TEST(Recordings, CountTheLines) {
    constexpr const char *instructions = "smsp__sass_inst_executed",
                         *wavefronts = "smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared",
                         *ideal = "smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared_ideal";
    for (const std::string& name : names()) {
        SCOPED_TRACE(name);
        const Trace trace = trace_of(name);
        std::uint64_t executed = 0;
        std::map<int, std::uint64_t> model;
        for (const analysis::Request& request : analysis::analyze(trace).requests) {
            // The compiler gives the loads of the first pass's return to the barrier above it.
            const bool moved = trace.config.kernel == "back_to_back" && request.line == 32 &&
                               trace.steps[static_cast<std::size_t>(request.step)].call == 0;
            model[moved ? 31 : request.line] += static_cast<std::uint64_t>(request.wavefronts);
        }
        for (const int line : trace.line_counters.lines) {
            executed += trace.line_counters.value(line, instructions).value_or(0);
            const auto counted = trace.line_counters.value(line, wavefronts);
            ASSERT_TRUE(counted);
            EXPECT_EQ(*counted, model[line]) << "line " << line;
            EXPECT_LE(trace.line_counters.value(line, ideal).value_or(~0ull), *counted) << "line " << line;
            model.erase(line);
        }
        for (const auto& [line, missing] : model) {
            ADD_FAILURE() << "line " << line << " has " << missing << " wavefronts and was not counted";
        }
        const auto whole =
            std::find_if(trace.counters.begin(), trace.counters.end(),
                         [](const auto& counter) { return counter.metric == "smsp__inst_executed.sum"; });
        ASSERT_NE(whole, trace.counters.end());
        EXPECT_EQ(static_cast<double>(executed), whole->value);
    }
}

TEST(Recordings, AgreeWithTheSimulatedRun) {
    for (const std::string& name : names()) {
        SCOPED_TRACE(name);
        const Trace gpu = trace_of(name);
        launch::Options options;
        options.device = launch::Device::cpu;
        const auto cpu = launch::run(gpu.config, options);
        ASSERT_TRUE(cpu) << cpu.error().sentence;
        EXPECT_EQ(gpu.simulated_results, cpu->results);
        if (gpu.racy) {
            EXPECT_TRUE(cpu->racy);
            continue;  // the order between its threads is a GPU's own
        }
        EXPECT_EQ(gpu.results, gpu.plain_results);
        EXPECT_EQ(gpu.results, cpu->results);
        ASSERT_EQ(gpu.events.size(), cpu->events.size());
        const bool undefined = gpu.config.kernel == "partial_mask";
        for (std::size_t thread = 0; thread < gpu.events.size() && !undefined; ++thread) {
            EXPECT_EQ(gpu.events[thread], cpu->events[thread]) << "thread " << thread;
        }
        ASSERT_EQ(gpu.snapshots.size(), cpu->snapshots.size());
        for (std::size_t i = 0; i < gpu.snapshots.size() && !undefined; ++i) {
            EXPECT_EQ(gpu.snapshots[i].boxes, cpu->snapshots[i].boxes) << "snapshot " << i;
        }
    }
}

TEST(Recordings, HaveTheFindingsThatAreExpected) {
    for (const std::string& name : names()) {
        SCOPED_TRACE(name);
        const Trace trace = trace_of(name);
        json findings = json::array();
        for (const analysis::Finding& finding : analysis::analyze(trace).findings) {
            findings.push_back({{"rule", analysis::name_of(finding.rule)},
                                {"severity", analysis::name_of(finding.severity)},
                                {"kind", finding.kind.empty() ? json(nullptr) : json(finding.kind)},
                                {"lines", finding.lines}});
        }
        EXPECT_EQ(findings, expected()[name]["findings"]);
        EXPECT_EQ(findings.empty(), kernels::find(trace.config.kernel)->correct);
    }
}

TEST(Recordings, GiveTheExitStatusesThatAreExpected) {
    for (const std::string& name : names()) {
        for (const char* command : {"verify", "analyze"}) {
            const std::string line =
                std::string("'" AUDITORIUM_PROGRAM "' ") + command + " '" + folder + name + "' > /dev/null";
            const int status = std::system(line.c_str());
            EXPECT_EQ(WEXITSTATUS(status), expected()[name][std::string(command) + "_status"]) << line;
        }
    }
}

}  // namespace
}  // namespace auditorium
