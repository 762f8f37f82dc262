// main(): reads the command line, runs one command, and turns its error into one sentence and an exit status.
#include <fcntl.h>
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <functional>
#include <sstream>

#include "cli/commands.h"
#include "cli/output.h"
#include "cli/usage.h"
#include "trace/text.h"

namespace auditorium::cli {

namespace {

int complain(const Error& error) {
    say(error.sentence);
    return int(error.status);
}

// What standard output did not take is an error too: a full disk, a closed descriptor.
int finish(int status) {
    const auto written = finish_output();
    return written ? status : complain(written.error());
}

// A word that is neither a command nor looks like a file.
bool no_such_file(const std::string& word) {
    std::error_code ignored;
    return !word.empty() && word.find_first_of("./\\") == std::string::npos &&
           !std::filesystem::exists(word, ignored);
}

Error neither(const std::string& word) {
    return {ExitStatus::usage,
            fmt::format("{} is neither a command nor a file; 'auditorium --help' lists the commands.",
                        in_quotes(word))};
}

const char* const exit_statuses =
    "Exit status: 0; 1 a finding (wrong result, hazard, mismatch; record: the run did not end); 2 usage; 3 a "
    "bad or "
    "missing input file; 4 the device asked for is missing or failed; 5 the output cannot be written.";

int run(int argc, char** argv) {
    CLI::App app{"Auditorium shows a CUDA block reduction happen.", "auditorium"};
    app.set_version_flag("--version", std::string("auditorium ") + AUDITORIUM_VERSION);
    app.footer(std::string(
                   "Without a command it opens the window on FILE, or on the recording that is built in.\n") +
               exit_statuses);
    app.require_subcommand(0, 1);

    Status status = ExitStatus::ok;
    std::string file;
    CLI::Option* window_file = app.add_option("FILE", file, "a trace (*.audit) to show in the window");

    // CLI11 takes an empty word for an optional value to be none; here it is a wrong one.
    const auto text_option = [](CLI::App* command, const char* name, std::optional<std::string>& value,
                                const char* says) {
        return command->add_option_function<std::string>(
            name, [&value](const std::string& text) { value = text; }, says);
    };

    WindowOptions window_options;
    std::string exit_after_frames = "0";
    text_option(&app, "--state-file", window_options.state_file,
                "for tests: keep what the window shows in this file, as JSON");
    app.add_option("--exit-after-frames", exit_after_frames, "for tests: leave after so many frames");

    bool json = false;
    const auto json_flag = [&](CLI::App* command) {
        command->add_flag("--json", json, "print JSON")->disable_flag_override();
    };
    std::string format = "text";
    const auto format_options = [&](CLI::App* command, const char* choices) {
        CLI::Option* option = command->add_option("--format", format, choices)->capture_default_str();
        command->add_flag("--json", json, "the same as --format json")
            ->excludes(option)
            ->disable_flag_override();
    };
    const auto trace_file = [&](CLI::App* command) {
        command->add_option("FILE", file, "a trace (*.audit)")->required();
    };

    CLI::App* kernels_command = app.add_subcommand("kernels", "list the catalogue");
    json_flag(kernels_command);
    CLI::App* info_command = app.add_subcommand("info", "say what this build and this machine can do");
    json_flag(info_command);

    RecordOptions record_options;
    CLI::App* record_command =
        app.add_subcommand("record", "run a kernel on a GPU or simulated, and write its trace");
    record_command->add_option("--kernel", record_options.kernel, "an id of 'auditorium kernels'")
        ->capture_default_str();
    record_command->add_option("--op", record_options.op, "max, min or sum")->capture_default_str();
    record_command->add_option("--type", record_options.type, "float or int")->capture_default_str();
    text_option(record_command, "--block", record_options.block,
                "threads, 1 to 1024 (default: 256, or one that shows a clinic entry's fault)");
    text_option(record_command, "--input", record_options.input,
                "random:SEED[:LO:HI], ramp, ones, values:1,2,3 or file:PATH (numbers; default: "
                "random:3664:0:999, or one that shows a clinic entry's fault)");
    record_command->add_option("--device", record_options.device, "auto, gpu or cpu")->capture_default_str();
    text_option(record_command, "--schedule", record_options.schedule,
                "how a simulated run takes turns: lockstep, SEED or independent:SEED (default: "
                "lockstep)");
    text_option(record_command, "--calls", record_options.calls,
                "calls in a row on one buffer (default: the kernel's own, mostly 1)");
    const auto record_flag = [&](const char* name, bool& value, const char* says) {
        record_command->add_flag(name, value, says)->disable_flag_override();
    };
    record_flag("--allow-wrong", record_options.allow_wrong,
                "run a block size that the kernel is not right for");
    record_flag("--find-wrong", record_options.find_wrong,
                "search simulated schedules and inputs until the result is wrong; with --input the "
                "schedules alone, with --schedule the inputs");
    record_command->add_option("-o,--out", record_options.out, "the trace to write (*.audit)")->required();
    record_flag("--json", record_options.json, "print JSON");

    CLI::App* table_command = app.add_subcommand("table", "print what a trace's steps do, one row a step");
    trace_file(table_command);
    format_options(table_command, "text, md, csv or json");
    CLI::App* analyze_command =
        app.add_subcommand("analyze", "count and judge a trace: requests, conflicts, findings");
    trace_file(analyze_command);
    format_options(analyze_command, "text, md or json");
    std::string second_file;
    CLI::App* compare_command = app.add_subcommand("compare", "two traces side by side");
    compare_command->add_option("A", file, "a trace (*.audit)")->required();
    compare_command->add_option("B", second_file, "another")->required();
    format_options(compare_command, "text, md or json");
    CLI::App* verify_command =
        app.add_subcommand("verify", "hold a trace against a run again, its replay, its counters");
    trace_file(verify_command);
    json_flag(verify_command);

    RenderOptions render_options;
    CLI::App* render_command = app.add_subcommand("render", "draw one moment of a trace into a PNG");
    text_option(render_command, "FILE", render_options.file, "a trace (*.audit)");
    CLI::Option* sides =
        render_command
            ->add_option("--compare", render_options.compare,
                         "two sides, or one beside FILE: each a trace or an entry of the catalogue, "
                         "ID[@BLOCK[@SCHEDULE]]")
            ->expected(1, 2);
    render_command->add_option("--mode", render_options.mode, "of a comparison: step, phase or race")
        ->capture_default_str()
        ->needs(sides);
    render_command->add_option("--op", render_options.op, "of catalogue entries: max, min or sum")
        ->capture_default_str()
        ->needs(sides);
    render_command->add_option("--type", render_options.type, "of catalogue entries: float or int")
        ->capture_default_str()
        ->needs(sides);
    render_command->add_option("--input", render_options.input, "of catalogue entries, as for record")
        ->capture_default_str()
        ->needs(sides);
    CLI::Option* step = text_option(render_command, "--step", render_options.step,
                                    "the end of the step with this number on screen; 0 = "
                                    "arrive; of a comparison the end of that row, in a "
                                    "race from 1");
    text_option(render_command, "--at", render_options.at,
                "seconds at speed 1, without holds; in a race cycles")
        ->excludes(step);
    render_command
        ->add_option("--size", render_options.size,
                     "width x height in pixels, 640x360 to 8192x8192; with --view scene from 520x170")
        ->capture_default_str();
    render_command->add_option("--theme", render_options.theme, "dark or light")->capture_default_str();
    render_command->add_option("--view", render_options.view, "full, scene or presenter")
        ->capture_default_str();
    text_option(render_command, "--pin", render_options.pin,
                "what the inspector tells of: box:5, thread:37, note:3, ray:37:165, ticket:5:2, "
                "bank:5, step:4 or finding:0; of a comparison after left: or right:, as right:box:5");
    render_command->add_option("-o,--out", render_options.out, "the PNG to write")->required();

    std::string folder;
    CLI::App* storyboard_command =
        app.add_subcommand("storyboard", "draw every step of a trace, one PNG each");
    trace_file(storyboard_command);
    storyboard_command->add_option("-o,--out", folder, "the folder to write to; made if it is missing")
        ->required();

    CLI::App* claims_command = app.add_subcommand(
        "claims", "what is commonly said about block reductions, and what the recordings say");
    format_options(claims_command, "text, md or json");

    std::string runs = "51";
    std::optional<std::string> bench_kernel, bench_out;
    CLI::App* bench_command = app.add_subcommand("bench", "time the program on this machine");
    json_flag(bench_command);
    bench_command->add_option("--runs", runs, "how often each thing is timed")->capture_default_str();
    std::string bench_device = "auto";
    bench_command->add_option("--device", bench_device, "what is timed: auto, gpu or cpu")
        ->capture_default_str();
    text_option(bench_command, "-o,--out", bench_out, "also write the GPU's figures to this file");
    text_option(bench_command, "--kernel", bench_kernel, "this kernel alone, by its id (default: all)");

    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() == int(CLI::ExitCodes::Success)) {  // --help, --version
            std::ostringstream text;
            const int code = app.exit(error, text, text);
            print(text.str());
            return finish(code);
        }
        if (app.get_subcommands().empty() && no_such_file(file))
            return complain(neither(file));
        return complain({ExitStatus::usage, usage_sentence(app, error)});
    }

    const auto with_format = [&](const std::function<Status(const std::string&, Format)>& command) -> Status {
        const auto parsed = json ? Expected<Format>(Format::json) : parse_format(format);
        if (!parsed)
            return tl::unexpected(parsed.error());
        return command(file, *parsed);
    };
    if (*kernels_command)
        status = kernels(json);
    else if (*info_command)
        status = info(json);
    else if (*record_command)
        status = record(record_options);
    else if (*table_command)
        status = with_format(table);
    else if (*analyze_command)
        status = with_format(analyze);
    else if (*compare_command)
        status =
            with_format([&](const std::string& a, Format format) { return compare(a, second_file, format); });
    else if (*verify_command)
        status = verify(file, json);
    else if (*claims_command)
        status = with_format([](const std::string&, Format format) { return claims(format); });
    else if (*render_command)
        status = render(render_options);
    else if (*storyboard_command)
        status = storyboard(file, folder);
    else if (*bench_command)
        status = bench(json, runs, bench_kernel, bench_device, bench_out);
    else if (no_such_file(file))
        status = tl::unexpected(neither(file));
    else {
        if (window_file->count() > 0)
            window_options.file = file;
        const auto frames = parse_number("--exit-after-frames", exit_after_frames, 0, 1000000000);
        window_options.frames = frames ? int(*frames) : 0;
        status = frames ? window(window_options) : tl::unexpected(frames.error());
    }
    return finish(status ? int(*status) : complain(status.error()));
}

// A file must not be opened in the place of a closed standard descriptor: what is said would go into it.
// These places are taken by what can be neither read nor written, so that a closed standard output is still
// noticed.
void fill_closed_descriptors() {
    for (const int descriptor : {0, 1, 2})
        if (fcntl(descriptor, F_GETFD) < 0 && errno == EBADF &&
            open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY) != descriptor)
            return;  // nothing can be opened at all; the commands will say so
}

}  // namespace

}  // namespace auditorium::cli

int main(int argc, char** argv) {
    auditorium::cli::fill_closed_descriptors();
    std::signal(SIGXFSZ, SIG_IGN);  // a file that may not grow is an error with a sentence
    if (const auto served = auditorium::launch::serve_line_counts(argc, argv))
        return *served;
    try {
        return auditorium::cli::run(argc, argv);
    } catch (const std::exception& error) {  // out of memory, or a bug
        std::fprintf(stderr, "auditorium: It had to stop: %s.\n", error.what());
        return int(auditorium::ExitStatus::device);
    }
}
