// Every run of the sitting as a row: what it was, what it cost, what came out; and for each column the
// hardware's own name for the count and the command that measures it. Pure functions but for the list itself.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/verdict.h"
#include "trace/trace.h"

namespace auditorium::compare {

struct LedgerRow {
    std::uint64_t id = 0;  // Shown::id
    trace::LaunchConfig config;
    bool recorded = false;
    std::string device;  // "NVIDIA H200, 2026-11-30", "simulated, lockstep"
    int barriers = 0;
    int load_wavefronts = 0, store_wavefronts = 0;
    int load_conflicts = 0, store_conflicts = 0;
    std::optional<double> lane_efficiency;
    int errors = 0, warnings = 0;
    std::vector<std::string> rules;  // of the findings, each once: "race", "lost_input"
    std::optional<double> cycles;    // median of the plain kernel
    std::string result;
    analysis::Verdict verdict = analysis::Verdict::wrong;  // of all results
};

LedgerRow row_of(std::uint64_t id, const trace::Trace& trace, const analysis::Analysis& analysis);

enum class LedgerColumn {
    kernel,
    threads,
    op,
    device,
    barriers,
    load_wavefronts,
    store_wavefronts,
    load_conflicts,
    store_conflicts,
    lane_efficiency,
    findings,
    cycles,
    result,
    count
};

struct ColumnInfo {
    const char* field;   // in csv and JSON
    const char* title;   // on screen
    const char* metric;  // the hardware's name for the count; "": it has none
    const char* what;    // one sentence
    bool number = true;  // aligned and sorted as one
};
const ColumnInfo& info_of(LedgerColumn column);

std::string cell_text(const LedgerRow& row, LedgerColumn column);

// Ascending or descending; rows that are level keep their order. Unknown values come last either way.
void sort_ledger(std::vector<LedgerRow>& rows, LedgerColumn column, bool descending);

// The command that measures this column of this run on a GPU: ncu, compute-sanitizer, or the program itself.
// "" where nothing but the model counts it.
std::string command_for(const LedgerRow& row, LedgerColumn column);

std::string ledger_csv(const std::vector<LedgerRow>& rows);
std::string ledger_markdown(const std::vector<LedgerRow>& rows);
std::string ledger_json(const std::vector<LedgerRow>& rows);

}  // namespace auditorium::compare
