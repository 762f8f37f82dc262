#include <fmt/format.h>

#include <chrono>
#include <string_view>

#include "analysis/verdict.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "launch/find_wrong.h"
#include "trace/input.h"
#include "trace/io.h"
#include "trace/text.h"

namespace auditorium::cli {

namespace {

// What a launch is when nothing is said; an entry of the clinic brings what shows its fault.
std::string default_block(const kernels::Kernel* kernel) {
    return kernel && kernel->clinic_block > 0 ? fmt::format("{}", kernel->clinic_block) : "256";
}

std::string default_input(const kernels::Kernel* kernel) {
    return kernel && !kernel->clinic_input.empty() ? std::string(kernel->clinic_input)
                                                   : trace::LaunchConfig().input;
}

}  // namespace

Expected<trace::LaunchConfig> config_of(const RecordOptions& options, launch::Options& launch) {
    if (options.device == "auto")
        launch.device = launch::Device::automatic;
    else if (options.device == "gpu")
        launch.device = launch::Device::gpu;
    else if (options.device == "cpu")
        launch.device = launch::Device::cpu;
    else
        return fail(ExitStatus::usage,
                    fmt::format("--device takes auto, gpu or cpu, not {}.", in_quotes(options.device)));
    launch.allow_wrong = options.allow_wrong;

    trace::LaunchConfig config;
    config.kernel = options.kernel;
    const auto op = trace::parse_op(options.op);
    if (!op)
        return tl::unexpected(op.error());
    config.op = *op;
    const auto type = trace::parse_type(options.type);
    if (!type)
        return tl::unexpected(type.error());
    config.type = *type;
    const auto schedule = trace::parse_schedule(options.schedule.value_or("lockstep"));
    if (!schedule)
        return tl::unexpected(schedule.error());
    config.schedule = *schedule;
    const kernels::Kernel* kernel = kernels::find(options.kernel);
    const auto block =
        parse_number("--block", options.block.value_or(default_block(kernel)), 1, trace::max_block);
    if (!block)
        return tl::unexpected(block.error());
    config.block = int(*block);
    if (kernel)
        config.calls = kernel->calls;
    if (options.calls) {
        const auto calls = parse_number("--calls", *options.calls, 1, trace::max_calls);
        if (!calls)
            return tl::unexpected(calls.error());
        if (kernel && *calls < kernel->results)  // launch takes one call for "not said"
            return fail(ExitStatus::usage, fmt::format("{} yields its results {} at a time, so --calls takes "
                                                       "a multiple of that, not {}.",
                                                       kernel->id, kernel->results, *calls));
        config.calls = int(*calls);
    }
    config.input = options.input.value_or(default_input(kernel));
    return launch::prepare(std::move(config), launch);
}

namespace {

// An entry of the clinic runs on what shows its fault, if nothing else is asked for; that is said.
void say_defaults(const RecordOptions& options, const trace::Trace& trace) {
    const kernels::Kernel* kernel = kernels::find(options.kernel);
    std::string taken;
    if (!options.block && default_block(kernel) != default_block(nullptr))
        taken += fmt::format(" --block {}", trace.config.block);
    if (!options.input && !options.find_wrong && default_input(kernel) != default_input(nullptr))
        taken += fmt::format(" --input {}", trace.config.input);
    if (!taken.empty())
        say(fmt::format("{} shows its fault with{}, which is taken where nothing else is said.",
                        options.kernel, taken));
}

// A search says what it is at, once it takes long: on standard error, since it is no answer.
Expected<trace::Trace> search(const trace::LaunchConfig& config, const launch::Options& launch,
                              const RecordOptions& options) {
    using Clock = std::chrono::steady_clock;
    constexpr auto patience = std::chrono::seconds(2);
    Clock::time_point silent_since = Clock::now();
    launch::Search what;
    what.inputs = !options.input;
    what.schedules = !options.schedule;
    what.trying = [&](const trace::LaunchConfig& next, int runs, int most) {
        if (Clock::now() - silent_since < patience)
            return;
        silent_since = Clock::now();
        say(fmt::format("{} of at most {} runs were right; now --input {} --schedule {}.", runs, most,
                        next.input, name_of(next.schedule)));
    };
    return launch::find_wrong(
        config, launch, [](const trace::Trace& t) { return analysis::is_wrong(analysis::analyze(t)); }, what);
}

}  // namespace

void tell_run(const trace::Trace& trace, const analysis::Analysis& analysis, const std::string& file) {
    print(fmt::format("{}{}; {}; {} steps\n", file.empty() ? "" : printable(file) + ": ", launch_text(trace),
                      device_text(trace), trace.steps.size()));
    if (!trace.origin.note.empty())
        print(fmt::format("{}: {}\n",
                          trace.origin.kind == trace::Origin::Kind::gpu ? "note" : "why simulated",
                          trace.origin.note));
    for (std::size_t call = 0; call < analysis.results.size(); ++call)
        print(fmt::format("result{}: {}\n", analysis.results.size() > 1 ? fmt::format(" {}", call + 1) : "",
                          result_text(trace, analysis, call)));
}

Status record(const RecordOptions& options) {
    launch::Options launch;
    const auto config = config_of(options, launch);
    if (!config)
        return tl::unexpected(config.error());
    if (options.find_wrong && launch.device == launch::Device::gpu)
        return fail(ExitStatus::usage,
                    "--find-wrong searches simulated runs, so it does not go with --device gpu.");
    if (options.find_wrong && options.input && options.schedule)
        return fail(ExitStatus::usage,
                    "--find-wrong with both --input and --schedule has nothing left to search; leave out one "
                    "of the three.");
    constexpr std::string_view file = "file:";
    const std::string numbers = config->input.starts_with(file) ? config->input.substr(file.size()) : "";
    if (const auto writable = check_output(options.out, {numbers}); !writable)
        return tl::unexpected(writable.error());
    const auto trace = options.find_wrong ? search(*config, launch, options) : launch::run(*config, launch);
    if (!trace)
        return tl::unexpected(trace.error());
    if (const auto written = trace::write(*trace, options.out); !written)
        return tl::unexpected(written.error());
    say_defaults(options, *trace);
    return tell_record(*trace, options);
}

Status tell_record(const trace::Trace& trace, const RecordOptions& options) {
    const trace::LaunchConfig& config = trace.config;
    const bool done = trace::ended(trace);
    const analysis::Analysis analysis = analysis::analyze(trace);
    if (options.json) {
        Json results = Json::array();
        for (const analysis::CallResult& result : analysis.results)
            results.push_back({{"value", value_json(result.bits, config.type)},
                               {"bits", trace::bits_text(result.bits)},
                               {"correct", result.correct}});
        print_json(Json{{"file", options.out},
                        {"kernel", config.kernel},
                        {"op", name_of(config.op)},
                        {"type", name_of(config.type)},
                        {"block", config.block},
                        {"calls", config.calls},
                        {"input", trace.config.input},
                        {"schedule", name_of(trace.config.schedule)},
                        {"origin", origin_name(trace)},
                        {"device", trace.origin.device.empty() ? Json(nullptr) : Json(trace.origin.device)},
                        {"note", trace.origin.note.empty() ? Json(nullptr) : Json(trace.origin.note)},
                        {"ended", done},
                        {"steps", trace.steps.size()},
                        {"results", results},
                        {"findings", analysis.findings.size()}});
    } else {
        tell_run(trace, analysis, options.out);
        if (options.find_wrong)
            print(fmt::format("found with --input {} --schedule {}\n", trace.config.input,
                              name_of(trace.config.schedule)));
        if (!done)
            print(fmt::format("The run did not end: {}\n",
                              trace.faults.empty() ? "threads wait at a barrier for others that never come."
                                                   : trace.faults[0].text));
        if (!analysis.findings.empty())
            print(fmt::format("{} finding{}: 'auditorium analyze {}' names {}\n", analysis.findings.size(),
                              analysis.findings.size() == 1 ? "" : "s", printable(options.out),
                              analysis.findings.size() == 1 ? "it." : "them."));
    }
    return done ? ExitStatus::ok : ExitStatus::finding;
}

}  // namespace auditorium::cli
