// The model against the hardware, on data that an H200 gave: what the analysis of a simulated run counts is
// what the GPU counted of the plain kernel, and the hazards that it finds are compute-sanitizer's.
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <sstream>

#include "analysis/analysis.h"
#include "kernels/catalogue.h"
#include "launch/launch.h"

namespace auditorium {
namespace {

using Row = std::map<std::string, std::string>;

std::vector<Row> rows_of(const std::string& name) {
    std::ifstream file(std::string(AUDITORIUM_SOURCE_DIR "/tests/data/") + name);
    const auto cells_of = [](const std::string& line) {
        std::vector<std::string> cells;
        std::istringstream in(line);
        for (std::string cell; std::getline(in, cell, ',');) {
            cells.push_back(cell);
        }
        return cells;
    };
    std::string line;
    EXPECT_TRUE(std::getline(file, line)) << name;
    const std::vector<std::string> head = cells_of(line);
    std::vector<Row> rows;
    while (std::getline(file, line)) {
        const std::vector<std::string> cells = cells_of(line);
        EXPECT_EQ(cells.size(), head.size()) << line;
        Row row;
        for (std::size_t i = 0; i < std::min(cells.size(), head.size()); ++i) {
            row[head[i]] = cells[i];
        }
        rows.push_back(std::move(row));
    }
    return rows;
}

analysis::Analysis simulated(Row& row, trace::Type type) {
    trace::LaunchConfig config;
    config.kernel = row["kernel"];
    config.type = type;
    config.block = std::stoi(row["block"]);
    launch::Options options;
    options.device = launch::Device::cpu;
    options.allow_wrong = true;  // the clinic
    const auto trace = launch::run(config, options);
    EXPECT_TRUE(trace) << trace.error().sentence;
    return trace ? analysis::analyze(*trace) : analysis::Analysis{};
}

TEST(Counters, EqualTheModelForEveryKernelTypeAndSize) {
    std::map<std::string, std::map<std::string, int>> seen;  // kernel, type: sizes
    for (Row& row : rows_of("h200_plain_counters.csv")) {
        SCOPED_TRACE(row["kernel"] + " " + row["type"] + " " + row["block"]);
        const auto type = trace::parse_type(row["type"]);
        ASSERT_TRUE(type);
        const analysis::Totals totals = simulated(row, *type).totals;
        const auto counted = [&](const char* metric) {
            EXPECT_TRUE(row.count(metric)) << metric;
            return std::stod(row[metric]);
        };
        EXPECT_EQ(counted("l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"), totals.load_wavefronts);
        EXPECT_EQ(counted("l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum"), totals.store_wavefronts);
        EXPECT_EQ(counted("l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum"),
                  totals.load_bank_conflicts);
        EXPECT_EQ(counted("l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum"),
                  totals.store_bank_conflicts);
        ++seen[row["kernel"]][row["type"]];
    }
    for (const kernels::Kernel& kernel : kernels::all()) {
        for (const char* type : {"float", "int"}) {
            EXPECT_GE(seen[std::string(kernel.id)][type], kernel.may_run_on_gpu ? 5 : 0) << kernel.id;
        }
    }
    EXPECT_GE(seen["contiguous_any"]["float"], 20);  // odd sizes too
}

TEST(Hazards, AreRacechecksForEveryEntryOfTheClinicAndSize) {
    std::map<std::string, int> seen;
    for (Row& row : rows_of("h200_hazards.csv")) {
        SCOPED_TRACE(row["kernel"] + " " + row["block"]);
        bool error = false, warning = false, mismatch = false;
        for (const analysis::Finding& finding : simulated(row, trace::Type::f32).findings) {
            const bool race = finding.rule == analysis::Rule::race;
            error |= race && finding.severity == analysis::Severity::error;
            warning |= race && finding.severity == analysis::Severity::warning;
            mismatch |= finding.rule == analysis::Rule::barrier_mismatch;
        }
        const int runs = std::stoi(row["racecheck_runs"]), errors = std::stoi(row["runs_with_errors"]),
                  warnings = std::stoi(row["runs_with_warnings"]);
        ASSERT_GE(runs, 3);
        EXPECT_EQ(error || warning, errors + warnings > 0) << "a hazard, or none";
        // racecheck remembers one reader of a box: in a small block it is always in the writer's warp, though
        // others read too (docs/validation.md).
        const bool one_reader =
            row["kernel"] == "back_to_back" && (row["block"] == "64" || row["block"] == "128");
        if (one_reader) {
            EXPECT_TRUE(error);
            EXPECT_EQ(errors, 0);
        } else {
            EXPECT_EQ(error, errors > 0) << "an error, or at most a warning";
        }
        EXPECT_EQ(mismatch, std::stoi(row["synccheck_errors"]) > 0) << "a barrier that does not match";
        ++seen[row["kernel"]];
    }
    for (const kernels::Kernel& kernel : kernels::all()) {
        if (!kernel.correct && kernel.may_run_on_gpu) {
            EXPECT_GE(seen[std::string(kernel.id)], 5) << kernel.id;
        }
    }
}

}  // namespace
}  // namespace auditorium
