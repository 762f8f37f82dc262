#include "app/claims/runs.h"

#include <fmt/format.h>

#include <algorithm>

namespace auditorium::claims {
namespace {

std::optional<double> counter(const trace::Trace& trace, std::string_view metric) {
    for (const trace::Counter& counter : trace.counters)
        if (counter.metric == metric)
            return counter.value;
    return std::nullopt;
}

std::optional<double> sum_of(const trace::Trace& trace, std::string_view loads, std::string_view stores) {
    const auto a = counter(trace, loads), b = counter(trace, stores);
    if (!a || !b)
        return std::nullopt;
    return *a + *b;
}

}  // namespace

std::optional<double> Run::cycles() const {
    if (!trace.cycles)
        return std::nullopt;
    return trace.cycles->median;
}

std::optional<double> Run::counted_wavefronts() const {
    return sum_of(trace, "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
                  "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum");
}

std::optional<double> Run::counted_conflicts() const {
    return sum_of(trace, "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum",
                  "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum");
}

const Run* Runs::get(std::string_view kernel, int block, std::string_view op) {
    const std::string name = fmt::format("{}-{}-float-{}", kernel, op, block);
    auto it = runs_.find(name);
    if (it == runs_.end()) {
        auto trace = find_(name);
        std::unique_ptr<Run> run;
        if (trace) {
            analysis::Analysis analysis = analysis::analyze(*trace);
            run = std::make_unique<Run>(Run{std::move(*trace), std::move(analysis)});
        }
        it = runs_.emplace(name, std::move(run)).first;
    }
    if (it->second && std::find(used_.begin(), used_.end(), name) == used_.end())
        used_.push_back(name);
    return it->second.get();
}

std::string Runs::devices() const {
    std::vector<std::string> devices;
    for (const std::string& name : used_) {
        const std::string device = device_text(runs_.find(name)->second->trace);
        if (std::find(devices.begin(), devices.end(), device) == devices.end())
            devices.push_back(device);
    }
    return fmt::format("{}", fmt::join(devices, "; "));
}

std::string counted(long n, std::string_view what) {
    return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s");
}

std::string times(double ratio) {
    return fmt::format("{:.2f} times", ratio);
}

std::string joined(const std::vector<std::string>& parts) {
    std::string text;
    for (std::size_t i = 0; i < parts.size(); ++i)
        text += (i == 0 ? "" : i + 1 == parts.size() ? " and " : ", ") + parts[i];
    return text;
}

}  // namespace auditorium::claims
