#include <fmt/format.h>

#include "analysis/analysis.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "cli/words.h"
#include "trace/io.h"

namespace auditorium::cli {

Status table(const std::string& file, Format format) {
    const auto trace = trace::read(file);
    return trace ? table_of(*trace, format) : tl::unexpected(trace.error());
}

Status table_of(const trace::Trace& trace, Format format) {
    const analysis::Analysis analysis = analysis::analyze(trace);

    if (format == Format::json) {
        Json rows = Json::array();
        for (std::size_t s = 0; s < trace.steps.size(); ++s) {
            const trace::Step& step = trace.steps[s];
            const int barrier = analysis.steps[s].barrier_after ? analysis.steps[s].barrier : 0;
            rows.push_back({{"number", s + 1},
                            {"call", step.call},
                            {"phase", phase_text(step)},
                            {"active_threads", step.active_threads},
                            {"threads", threads_text(step)},
                            {"action", action_text(trace, int(s))},
                            {"synchronization", synchronization_text(trace, analysis, int(s))},
                            {"barrier", barrier ? Json(barrier) : Json(nullptr)}});
        }
        print_json(rows);
        return ExitStatus::ok;
    }

    const bool calls = trace.results.size() > 1;
    Rows rows{{"step", "phase", "active", "threads", "action", "synchronization"},
              {},
              {true, false, true, false, false, false}};
    if (calls) {
        rows.head.insert(rows.head.begin() + 1, "call");
        rows.number.insert(rows.number.begin() + 1, true);
    }
    for (std::size_t s = 0; s < trace.steps.size(); ++s) {
        const trace::Step& step = trace.steps[s];
        std::vector<std::string> row{fmt::format("{}", s + 1),
                                     phase_text(step),
                                     fmt::format("{}", step.active_threads),
                                     threads_text(step),
                                     action_text(trace, int(s)),
                                     synchronization_text(trace, analysis, int(s))};
        if (calls)
            row.insert(row.begin() + 1, fmt::format("{}", step.call + 1));
        rows.rows.push_back(std::move(row));
    }
    if (format == Format::csv) {
        print(as_csv(rows));
        return ExitStatus::ok;
    }
    const std::string head = fmt::format("{}; {}", launch_text(trace), device_text(trace));
    std::string foot = fmt::format("{} barrier{} in all{}.", trace.barriers, trace.barriers == 1 ? "" : "s",
                                   mismatch_text(analysis));
    for (std::size_t call = 0; call < analysis.results.size(); ++call)
        foot += fmt::format(" Result{}: {}.", calls ? fmt::format(" {}", call + 1) : "",
                            result_text(trace, analysis, call));
    if (format == Format::markdown)
        print(fmt::format("**{}**\n\n{}\n{}\n", head, as_markdown(rows), foot));
    else
        print(fmt::format("{}\n\n{}\n{}\n", head, as_text(rows), foot));
    return ExitStatus::ok;
}

}  // namespace auditorium::cli
