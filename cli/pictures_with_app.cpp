// The commands that draw: the window, and pictures without one.
#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <filesystem>
#include <system_error>

#include "analysis/analysis.h"
#include "app/app.h"
#include "app/compare/presets.h"
#include "app/compare/recordings.h"
#include "app/hosts/image.h"
#include "app/hosts/offscreen.h"
#include "app/hosts/window.h"
#include "cli/bench.h"
#include "cli/commands.h"
#include "cli/default_trace.h"
#include "cli/output.h"
#include "cli/pictures.h"
#include "cli/words.h"
#include "kernels/catalogue.h"
#include "trace/io.h"
#include "trace/text.h"

namespace auditorium::cli {

namespace {

Expected<View> view_of(const RenderOptions& options) {
    View view;
    const std::size_t x = options.size.find('x');
    const auto width = parse_number("--size", options.size.substr(0, x), 320, 8192);
    const auto height =
        x == std::string::npos ? width : parse_number("--size", options.size.substr(x + 1), 200, 8192);
    if (x == std::string::npos || !width || !height)
        return fail(ExitStatus::usage, fmt::format("--size takes WIDTHxHEIGHT, 320x200 to 8192x8192, not {}.",
                                                   in_quotes(options.size)));
    view.width = int(*width);
    view.height = int(*height);
    if (options.theme == "light")
        view.theme = ThemeId::light;
    else if (options.theme != "dark")
        return fail(ExitStatus::usage,
                    fmt::format("--theme takes dark or light, not {}.", in_quotes(options.theme)));
    if (options.view == "scene")
        view.scene_only = true;
    else if (options.view == "presenter")
        view.presenter = true;
    else if (options.view != "full")
        return fail(ExitStatus::usage,
                    fmt::format("--view takes full, scene or presenter, not {}.", in_quotes(options.view)));
    return view;
}

Expected<double> parse_seconds(const std::string& text) {
    double seconds = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seconds);
    if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(seconds) || seconds < 0)
        return fail(ExitStatus::usage, fmt::format("--at takes seconds from 0, not {}.", in_quotes(text)));
    return seconds;
}

double without_holds(const playback::Timeline& timeline) {
    double seconds = timeline.duration;
    for (const playback::Span& span : timeline.spans)
        for (const playback::Beat& beat : span.beats)
            seconds -= beat.kind == playback::BeatKind::hold ? beat.end - beat.begin : 0;
    return seconds;
}

// A side of a comparison: a file, or an entry of the catalogue, recorded where the program carries the
// recording, else run now.
Expected<trace::Trace> side_trace(const std::string& text, const trace::LaunchConfig& base) {
    const std::string id = text.substr(0, text.find('@'));
    if (!kernels::find(id) || std::filesystem::exists(text))
        return trace::read(text);
    const auto config = compare::config_of(text, base);
    if (!config)
        return tl::unexpected(config.error());
    return compare::run(*config, launch::Device::automatic);
}

Status render_pair(const RenderOptions& options, View view, long number, double at) {
    std::vector<std::string> sides = options.compare;
    if (sides.size() == 1 && !options.file.empty())
        sides.insert(sides.begin(), options.file);
    else if (sides.size() != 2 || !options.file.empty())
        return fail(ExitStatus::usage, "A comparison has two sides: --compare A B, or FILE --compare B.");
    trace::LaunchConfig base;
    const auto op = trace::parse_op(options.op);
    const auto type = trace::parse_type(options.type);
    if (!op)
        return tl::unexpected(op.error());
    if (!type)
        return tl::unexpected(type.error());
    base.op = *op;
    base.type = *type;
    base.input = options.input;
    using playback::PairMode;
    bool known = false;
    for (const PairMode mode : {PairMode::step, PairMode::phase, PairMode::race})
        if (options.mode == playback::name_of(mode)) {
            view.pair_mode = mode;
            known = true;
        }
    if (!known)
        return fail(ExitStatus::usage,
                    fmt::format("--mode takes step, phase or race, not {}.", in_quotes(options.mode)));
    auto left = side_trace(sides[0], base);
    if (!left)
        return tl::unexpected(left.error());
    auto right = side_trace(sides[1], base);
    if (!right)
        return tl::unexpected(right.error());

    App app = make_app(*left, view);
    compare_traces(app, *std::move(left), *std::move(right));
    if (app.pair.mode != view.pair_mode)
        return fail(ExitStatus::usage, why_no_race(app));
    const playback::Timeline& clock = app.pair.clock;
    const bool race = view.pair_mode == PairMode::race;
    const long rows = long(clock.spans.size());
    // Rows are numbered as steps are: 0 is arrive, which a race does without.
    if (number > (race ? rows : rows - 1))
        return fail(ExitStatus::usage,
                    fmt::format("The last row of this comparison is {0}, so --step takes 0 to {0}, not {1}.",
                                race ? rows : rows - 1, number));
    double time = race && number == 0 ? 0 : playback::end_of_step(clock, int(race ? number - 1 : number));
    if (!options.at.empty()) {
        const double last = race ? clock.duration * app.pair.cycles_per_second : without_holds(clock);
        if (at > last + 1e-6)
            return fail(
                ExitStatus::usage,
                fmt::format("The comparison is over after {:.2f} {}, so --at takes 0 to that, not {}.", last,
                            race ? "cycles" : "s", in_quotes(options.at)));
        time = race ? at / app.pair.cycles_per_second : playback::with_holds(clock, at);
    }
    playback::seek(app.playback, clock, time);
    const auto image = offscreen::render(app);
    if (!image)
        return tl::unexpected(image.error());
    if (const auto written = write_png(options.out, *image); !written)
        return tl::unexpected(written.error());
    return ExitStatus::ok;
}

// One PNG for each step, named in order; the paths, written so far.
Expected<std::vector<std::string>> draw_every_step(trace::Trace trace, const std::string& folder) {
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error)
        return fail(ExitStatus::bad_output, fmt::format("The folder {} cannot be made: {}.",
                                                        in_quotes(folder, 200), error.message()));
    std::vector<std::string> names{"00-arrive"};
    for (std::size_t s = 0; s < trace.steps.size(); ++s) {
        std::string name = fmt::format("{:02}-{}", s + 1, phase_text(trace.steps[s]));
        for (char& c : name)
            c = c == ' ' ? '-' : c;
        names.push_back(std::move(name));
    }
    auto stage = offscreen::open();
    if (!stage)
        return tl::unexpected(stage.error());
    App app = make_app(std::move(trace), View{});
    std::vector<std::string> paths;
    for (std::size_t number = 0; number < names.size(); ++number) {
        playback::seek(app.playback, app.shown.timeline,
                       playback::end_of_step(app.shown.timeline, int(number)));
        const auto image = offscreen::render(**stage, app);
        if (!image)
            return tl::unexpected(image.error());
        const std::string path = (std::filesystem::path(folder) / (names[number] + ".png")).string();
        if (const auto written = write_png(path, *image); !written)
            return tl::unexpected(written.error());
        paths.push_back(path);
    }
    return paths;
}

// What the window would show, without one: the same launch recorded, verified, told and drawn.
Status without_a_window(const std::string& file, const std::string& why) {
    const std::string told =
        fmt::format("auditorium: {} So the run is recorded, verified and drawn into pictures.\n", why);
    std::fwrite(told.data(), 1, told.size(), stderr);  // a closed standard error is no reason to stop
    const std::string folder = "auditorium-storyboard";
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error)
        return fail(ExitStatus::bad_output,
                    fmt::format("The folder {} cannot be made: {}.", in_quotes(folder), error.message()));
    std::string trace_file = file;
    if (trace_file.empty()) {
        trace_file = folder + "/run.audit";
        RecordOptions options;
        options.out = trace_file;
        if (const Status status = record(options); !status || *status != ExitStatus::ok)
            return status;
    }
    const Status verified = verify(trace_file, false);
    if (!verified)
        return verified;
    print("\n");
    if (const Status told = table(trace_file, Format::text); !told)
        return told;
    print("\n");
    if (const Status drawn = storyboard(trace_file, folder); !drawn)
        return drawn;
    return verified;
}

}  // namespace

PicturesInfo pictures_info() {
    PicturesInfo info;
    info.display = window::why_none().empty();
    const auto stage = offscreen::open();
    info.available = stage.has_value();
    if (stage)
        info.driver = (*stage)->driver;
    else
        info.reason = stage.error().sentence;
    return info;
}

Status render(const RenderOptions& options) {
    auto view = view_of(options);
    if (!view)
        return tl::unexpected(view.error());
    Expected<long> number = 0L;
    Expected<double> seconds = 0.0;
    if (!options.at.empty())
        seconds = parse_seconds(options.at);
    else if (!options.step.empty())
        number = parse_number("--step", options.step, 0, 1000000);
    else
        return fail(ExitStatus::usage, "render needs --step N or --at SECONDS to know which moment to draw.");
    if (!seconds)
        return tl::unexpected(seconds.error());
    if (!number)
        return tl::unexpected(number.error());

    if (!options.compare.empty())
        return render_pair(options, *view, *number, *seconds);
    if (options.file.empty())
        return fail(ExitStatus::usage, "render needs the FILE of a trace, or --compare A B.");
    auto trace = trace::read(options.file);
    if (!trace)
        return tl::unexpected(trace.error());
    const long steps = long(trace->steps.size());
    if (*number > steps)
        return fail(ExitStatus::usage, fmt::format("The trace has {} steps, so --step takes 0 to {}, not {}.",
                                                   steps, steps, *number));
    App app = make_app(*std::move(trace), *view);
    const double last = without_holds(app.shown.timeline);
    if (*seconds > last + 1e-6)
        return fail(ExitStatus::usage,
                    fmt::format("The run is over after {:.2f} s, so --at takes 0 to that, not {}.", last,
                                in_quotes(options.at)));
    playback::seek(app.playback, app.shown.timeline,
                   options.at.empty() ? playback::end_of_step(app.shown.timeline, int(*number))
                                      : playback::with_holds(app.shown.timeline, *seconds));
    const auto image = offscreen::render(app);
    if (!image)
        return tl::unexpected(image.error());
    if (const auto written = write_png(options.out, *image); !written)
        return tl::unexpected(written.error());
    return ExitStatus::ok;
}

Status storyboard(const std::string& file, const std::string& folder) {
    auto trace = trace::read(file);
    if (!trace)
        return tl::unexpected(trace.error());
    const auto paths = draw_every_step(*std::move(trace), folder);
    if (!paths)
        return tl::unexpected(paths.error());
    print(fmt::format("{} pictures in {}\n", paths->size(), folder));
    return ExitStatus::ok;
}

Status window(const WindowOptions& options) {
    // A bad file is an error before any window: exit status 3 and a sentence.
    const auto trace = options.file.empty() ? default_trace() : trace::read(options.file);
    if (!trace)
        return tl::unexpected(trace.error());
    if (const std::string why = window::why_none(); !why.empty())
        return without_a_window(options.file, why);
    App app = make_app(*trace, View{});
    app.shown.path = options.file;
    window::Options host;
    host.state_file = options.state_file;
    host.exit_after_frames = options.frames;
    use_settings(app);
    const auto shown = window::run(app, host);
    if (!shown)
        return without_a_window(options.file, shown.error().sentence);
    keep_settings(app);
    return ExitStatus::ok;
}

}  // namespace auditorium::cli
