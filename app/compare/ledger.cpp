#include "app/compare/ledger.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "kernels/catalogue.h"
#include "trace/config.h"
#include "trace/json.h"

namespace auditorium::compare {
namespace {

using Column = LedgerColumn;

constexpr std::array<Column, std::size_t(Column::count)> columns = {Column::kernel,
                                                                    Column::threads,
                                                                    Column::op,
                                                                    Column::device,
                                                                    Column::barriers,
                                                                    Column::load_wavefronts,
                                                                    Column::store_wavefronts,
                                                                    Column::load_conflicts,
                                                                    Column::store_conflicts,
                                                                    Column::lane_efficiency,
                                                                    Column::findings,
                                                                    Column::cycles,
                                                                    Column::result};

std::optional<double> number_of(const LedgerRow& row, Column column) {
    switch (column) {
        case Column::threads:
            return row.config.block;
        case Column::barriers:
            return row.barriers;
        case Column::load_wavefronts:
            return row.load_wavefronts;
        case Column::store_wavefronts:
            return row.store_wavefronts;
        case Column::load_conflicts:
            return row.load_conflicts;
        case Column::store_conflicts:
            return row.store_conflicts;
        case Column::lane_efficiency:
            return row.lane_efficiency;
        case Column::findings:
            return row.errors * 10000 + row.warnings;
        case Column::cycles:
            return row.cycles;
        default:
            return std::nullopt;
    }
}

// A word that a POSIX shell takes as it is.
std::string quoted(const std::string& text) {
    const bool plain = !text.empty() && text.find_first_not_of(
                                            "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                            "0123456789_-./:,=+%@") == std::string::npos;
    if (plain)
        return text;
    std::string out = "'";
    for (char c : text)
        out += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return out + "'";
}

std::string record_command(const LedgerRow& row, const char* device) {
    const trace::LaunchConfig& c = row.config;
    std::string out = fmt::format(
        "auditorium record --kernel {} --op {} --type {} --block {} --input {} --device {}", quoted(c.kernel),
        trace::name_of(c.op), trace::name_of(c.type), c.block, quoted(c.input), device);
    if (c.schedule.kind != trace::Schedule::Kind::lockstep && device != std::string_view("gpu"))
        out += " --schedule " + trace::name_of(c.schedule);
    if (!row.rules.empty())
        out += " --allow-wrong";
    return out + " -o run.audit";
}

}  // namespace

LedgerRow row_of(std::uint64_t id, const trace::Trace& trace, const analysis::Analysis& analysis) {
    LedgerRow row;
    row.id = id;
    row.config = trace.config;
    row.config.values.clear();
    row.recorded = trace.origin.kind == trace::Origin::Kind::gpu;
    row.device = row.recorded ? fmt::format("{}{}", trace.origin.device,
                                            trace.date.empty() ? "" : ", " + trace.date.substr(0, 10))
                              : "simulated, " + trace::name_of(trace.config.schedule);
    const analysis::Totals& t = analysis.totals;
    row.barriers = t.barriers;
    row.load_wavefronts = t.load_wavefronts;
    row.store_wavefronts = t.store_wavefronts;
    row.load_conflicts = t.load_bank_conflicts;
    row.store_conflicts = t.store_bank_conflicts;
    if (t.lane_slots)
        row.lane_efficiency = t.lane_efficiency();
    for (const analysis::Finding& finding : analysis.findings) {
        ++(finding.severity == analysis::Severity::error ? row.errors : row.warnings);
        const std::string rule = analysis::name_of(finding.rule);
        if (std::find(row.rules.begin(), row.rules.end(), rule) == row.rules.end())
            row.rules.push_back(rule);
    }
    if (trace.cycles)
        row.cycles = trace.cycles->median;
    row.verdict = analysis::verdict_of(analysis);
    for (const analysis::CallResult& result : analysis.results)
        row.result +=
            (row.result.empty() ? "" : ", ") +
            (result.undefined ? std::string("undefined") : trace::value_text(result.bits, trace.config.type));
    return row;
}

const ColumnInfo& info_of(LedgerColumn column) {
    static constexpr std::array<ColumnInfo, std::size_t(Column::count)> all = {{
        {"kernel", "Kernel", "", "The kernel's id in the catalogue.", false},
        {"block", "Threads", "", "Threads of the block."},
        {"op", "Op", "", "What is reduced, of which type, from which input.", false},
        {"device", "Device", "", "Where it ran; recorded or simulated.", false},
        {"barriers", "Barriers", "", "Block-wide barriers; the model counts them, no counter does."},
        {"load_wavefronts", "Ld waves", "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
         "Wavefronts of shared-memory loads."},
        {"store_wavefronts", "St waves", "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
         "Wavefronts of shared-memory stores."},
        {"load_bank_conflicts", "Ld confl.", "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum",
         "Wavefronts of loads beyond the first of each."},
        {"store_bank_conflicts", "St confl.", "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum",
         "Wavefronts of stores beyond the first of each."},
        {"lane_efficiency", "Lanes", "",
         "Active lanes of 32, over shared loads, stores and shuffles; no one counter has it."},
        {"findings", "Findings", "",
         "Errors, and warnings (w.); racecheck finds the races, synccheck barriers that do not match.", true},
        {"cycles_median", "Cycles", "",
         "clock64() around one call of the plain kernel, median of many launches."},
        {"result", "Result", "", "What thread 0 returned, and whether it is right.", false},
    }};
    return all[std::size_t(column)];
}

std::string cell_text(const LedgerRow& row, LedgerColumn column) {
    switch (column) {
        case Column::kernel:
            return row.config.kernel;
        case Column::op:
            return fmt::format("{} {}", trace::name_of(row.config.op), trace::name_of(row.config.type));
        case Column::device:
            return row.device;
        case Column::lane_efficiency:
            return row.lane_efficiency ? fmt::format("{:.1f}%", 100 * *row.lane_efficiency) : "-";
        case Column::findings:
            return row.warnings == 0 ? fmt::format("{}", row.errors)
                                     : fmt::format("{} + {} w.", row.errors, row.warnings);
        case Column::cycles:
            return row.cycles ? fmt::format("{:.0f}", *row.cycles) : "-";
        case Column::result:
            return row.result.empty() ? "none" : row.result;
        default:
            return fmt::format("{}", number_of(row, column).value_or(0));
    }
}

void sort_ledger(std::vector<LedgerRow>& rows, LedgerColumn column, bool descending) {
    const bool number = info_of(column).number;
    std::stable_sort(rows.begin(), rows.end(), [&](const LedgerRow& a, const LedgerRow& b) {
        if (number) {
            const auto x = number_of(a, column), y = number_of(b, column);
            if (!x || !y)
                return x.has_value() && !y.has_value();
            return descending ? *x > *y : *x < *y;
        }
        const std::string x = cell_text(a, column), y = cell_text(b, column);
        return descending ? x > y : x < y;
    });
}

std::string command_for(const LedgerRow& row, LedgerColumn column) {
    const ColumnInfo& info = info_of(column);
    const kernels::Kernel* kernel = kernels::find(row.config.kernel);
    if (kernel && !kernel->may_run_on_gpu) {
        // Nothing measures what may hang; what the row says comes from the simulated run alone.
        const bool simulated =
            column == Column::kernel || column == Column::device || column == Column::result;
        return simulated ? record_command(row, "cpu") : std::string();
    }
    if (*info.metric)
        return fmt::format("ncu --kernel-name plain --launch-count 1 --metrics {} {}", info.metric,
                           record_command(row, "gpu"));
    if (column == Column::findings) {
        const bool threads = std::any_of(row.rules.begin(), row.rules.end(), [](const std::string& rule) {
            return rule == "barrier_mismatch" || rule == "undefined_lane";
        });
        return fmt::format("compute-sanitizer --tool {} {}", threads ? "synccheck" : "racecheck",
                           record_command(row, "gpu"));
    }
    if (column == Column::cycles)
        return record_command(row, "gpu");
    if (column == Column::kernel || column == Column::device || column == Column::result)
        return record_command(row, row.recorded ? "gpu" : "cpu");
    return {};
}

std::string ledger_csv(const std::vector<LedgerRow>& rows) {
    const auto field = [](const std::string& text) {
        if (text.find_first_of(",\"\n") == std::string::npos)
            return text;
        std::string out = "\"";
        for (char c : text)
            out += c == '"' ? std::string("\"\"") : std::string(1, c);
        return out + "\"";
    };
    std::string out = "kernel,op,type,block,input,device,origin";
    for (Column column : columns)
        if (column >= Column::barriers)
            out += std::string(",") + info_of(column).field;
    out += ",verdict\n";
    for (const LedgerRow& row : rows) {
        out += fmt::format("{},{},{},{},{},{},{}", field(row.config.kernel), trace::name_of(row.config.op),
                           trace::name_of(row.config.type), row.config.block, field(row.config.input),
                           field(row.device), row.recorded ? "gpu" : "simulated");
        for (Column column : columns) {
            if (column < Column::barriers)
                continue;
            const auto number = number_of(row, column);
            out += ',';
            if (column == Column::findings)
                out += fmt::format("{}", row.errors + row.warnings);
            else if (column == Column::result)
                out += field(row.result);
            else if (number)
                out += fmt::format("{}", *number);
        }
        out += std::string(",") + analysis::name_of(row.verdict) + "\n";
    }
    return out;
}

std::string ledger_markdown(const std::vector<LedgerRow>& rows) {
    std::string out = "|", line = "|";
    for (Column column : columns) {
        out += fmt::format(" {} |", info_of(column).title);
        line += info_of(column).number ? "---:|" : "---|";
    }
    out += "\n" + line + "\n";
    for (const LedgerRow& row : rows) {
        out += "|";
        for (Column column : columns) {
            std::string text = cell_text(row, column);
            if (column == Column::result && row.verdict != analysis::Verdict::right)
                text += fmt::format(" ({})", analysis::name_of(row.verdict));
            std::string safe;
            for (char c : text)
                safe += c == '|' ? std::string("\\|") : std::string(1, c);
            out += fmt::format(" {} |", safe);
        }
        out += "\n";
    }
    return out;
}

std::string ledger_json(const std::vector<LedgerRow>& rows) {
    trace::Json list = trace::Json::array();
    for (const LedgerRow& row : rows) {
        trace::Json json = {{"kernel", row.config.kernel},
                            {"op", trace::name_of(row.config.op)},
                            {"type", trace::name_of(row.config.type)},
                            {"block", row.config.block},
                            {"input", row.config.input},
                            {"schedule", trace::name_of(row.config.schedule)},
                            {"origin", row.recorded ? "gpu" : "simulated"},
                            {"device", row.device}};
        for (Column column : columns) {
            if (column < Column::barriers || column == Column::result)
                continue;
            const char* field = info_of(column).field;
            const auto number = number_of(row, column);
            if (column == Column::findings)
                json[field] = row.rules;
            else if (!number)
                json[field] = nullptr;
            else if (*number == double(long(*number)))
                json[field] = long(*number);
            else
                json[field] = *number;
        }
        json["result"] = row.result;
        json["verdict"] = analysis::name_of(row.verdict);
        list.push_back(std::move(json));
    }
    return trace::Json{{"runs", list}}.dump(2) + "\n";
}

}  // namespace auditorium::compare
