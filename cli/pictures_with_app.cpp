// The commands that draw: the window, and pictures without one.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <system_error>

#include "analysis/analysis.h"
#include "app/app.h"
#include "app/hosts/image.h"
#include "app/hosts/offscreen.h"
#include "app/hosts/window.h"
#include "app/panels/layout.h"
#include "cli/bench.h"
#include "cli/commands.h"
#include "cli/default_trace.h"
#include "cli/output.h"
#include "cli/pictures.h"
#include "cli/render_pair.h"
#include "cli/words.h"
#include "trace/files.h"
#include "trace/io.h"
#include "trace/text.h"

namespace auditorium::cli {

namespace {

Expected<View> view_of(const RenderOptions& options) {
    View view;
    if (options.view == "scene")
        view.scene_only = true;
    else if (options.view == "presenter")
        view.presenter = true;
    else if (options.view != "full")
        return fail(ExitStatus::usage,
                    fmt::format("--view takes full, scene or presenter, not {}.", in_quotes(options.view)));
    // The least that can be drawn is the window's own least.
    const int least_w = view.scene_only ? panels::least_scene_width : panels::least_width;
    const int least_h = view.scene_only ? panels::least_scene_height : panels::least_height;
    const std::size_t x = options.size.find('x');
    const auto width = parse_number("--size", options.size.substr(0, x), least_w, 8192);
    const auto height =
        x == std::string::npos ? width : parse_number("--size", options.size.substr(x + 1), least_h, 8192);
    if (x == std::string::npos || !width || !height)
        return fail(ExitStatus::usage,
                    fmt::format("--size takes WIDTHxHEIGHT, {}x{} to 8192x8192{}, not {}.", least_w, least_h,
                                view.scene_only ? " for the scene alone" : "", in_quotes(options.size)));
    view.width = int(*width);
    view.height = int(*height);
    if (options.theme == "light")
        view.theme = ThemeId::light;
    else if (options.theme != "dark")
        return fail(ExitStatus::usage,
                    fmt::format("--theme takes dark or light, not {}.", in_quotes(options.theme)));
    return view;
}

Expected<double> parse_seconds(const std::string& text) {
    double seconds = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seconds);
    if (error == std::errc::result_out_of_range && end == text.data() + text.size())
        seconds = std::strtod(text.c_str(), nullptr);  // 0, or infinity: the run is over by then
    else if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(seconds))
        seconds = -1;
    if (seconds < 0)
        return fail(ExitStatus::usage, fmt::format("--at takes seconds from 0, not {}.", in_quotes(text)));
    return seconds;
}

std::string path_in(const std::string& folder, const std::string& name) {
    return (std::filesystem::path(folder) / name).string();
}

// Makes the folder, if need be, and finds out whether pictures of these names can be put there.
Expected<void> check_folder(const std::string& folder, const std::vector<std::string>& names) {
    if (folder == "-")
        return fail(ExitStatus::usage, "-o takes a folder, not '-'; './-' is a folder of that name.");
    if (const auto made = make_folder(folder); !made)
        return made;
    for (const std::string& name : names)
        if (const auto writable = can_write(path_in(folder, name)); !writable)
            return writable;
    return {};
}

// The pictures of a trace, one for each step, in order.
std::vector<std::string> picture_names(const trace::Trace& trace) {
    std::vector<std::string> names{"00-arrive.png"};
    for (std::size_t s = 0; s < trace.steps.size(); ++s) {
        std::string name = fmt::format("{:02}-{}.png", s + 1, phase_text(trace.steps[s]));
        std::replace(name.begin(), name.end(), ' ', '-');
        names.push_back(std::move(name));
    }
    return names;
}

// One PNG for each step, named in order; the paths, written so far.
Expected<std::vector<std::string>> draw_every_step(trace::Trace trace, const std::string& folder) {
    const std::vector<std::string> names = picture_names(trace);
    if (const auto writable = check_folder(folder, names); !writable)
        return tl::unexpected(writable.error());
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
        const std::string path = path_in(folder, names[number]);
        if (const auto written = write_png(path, *image); !written)
            return tl::unexpected(written.error());
        paths.push_back(path);
    }
    return paths;
}

Status draw_storyboard(trace::Trace trace, const std::string& folder) {
    const auto paths = draw_every_step(std::move(trace), folder);
    if (!paths)
        return tl::unexpected(paths.error());
    print(fmt::format("{} pictures in {}\n", paths->size(), printable(folder)));
    return ExitStatus::ok;
}

// What the window would show, without one: the same launch recorded, verified, told and drawn. Where nothing
// can be written, all is done but the writing, and then said so.
Status without_a_window(const std::optional<std::string>& file, const std::string& why) {
    say(fmt::format("{} So {}, verified and drawn into pictures.", why,
                    file ? "the file is read" : "the run is recorded"));
    const std::string folder = "auditorium-storyboard";
    const auto writable = check_folder(folder, {"00-arrive.png"});
    Expected<trace::Trace> trace;
    if (file) {
        trace = trace::read(*file);
    } else {
        launch::Options options;
        const auto config = config_of(RecordOptions(), options);
        trace = config ? launch::run(*config, options) : tl::unexpected(config.error());
    }
    if (!trace)
        return tl::unexpected(trace.error());
    Expected<void> kept;
    if (!file) {
        const std::string path = path_in(folder, "run.audit");
        kept = writable ? trace::write(*trace, path) : writable;
        tell_run(*trace, analysis::analyze(*trace), kept ? path : "");
    }
    const Status verified = verify_of(*trace, file.value_or(path_in(folder, "run.audit")), false);
    if (!verified)
        return verified;
    print("\n");
    if (const Status told = table_of(*trace, Format::text); !told)
        return told;
    for (const Expected<void>& written : {writable, kept}) {
        if (written)
            continue;
        std::string sentence = written.error().sentence;
        sentence.erase(sentence.find_last_not_of('.') + 1);
        return fail(ExitStatus::bad_output,
                    sentence + ", so no pictures are drawn; start it in a folder that can be written to.");
    }
    print("\n");
    if (const Status drawn = draw_storyboard(*std::move(trace), folder); !drawn)
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
    if (options.at)
        seconds = parse_seconds(*options.at);
    else if (options.step)
        number = parse_number("--step", *options.step, 0, 1000000);
    else
        return fail(ExitStatus::usage, "render needs --step N or --at SECONDS to know which moment to draw.");
    if (!seconds)
        return tl::unexpected(seconds.error());
    if (!number)
        return tl::unexpected(number.error());

    if (!options.compare.empty())
        return render_pair(options, *view, *number, *seconds);
    if (!options.file)
        return fail(ExitStatus::usage, "render needs the FILE of a trace, or --compare A B.");
    auto trace = trace::read(*options.file);
    if (!trace)
        return tl::unexpected(trace.error());
    if (const auto writable = check_output(options.out, {*options.file}); !writable)
        return tl::unexpected(writable.error());
    const long steps = long(trace->steps.size());
    if (*number > steps)
        return fail(ExitStatus::usage, fmt::format("The trace has {} steps, so --step takes 0 to {}, not {}.",
                                                   steps, steps, *number));
    App app = make_app(*std::move(trace), *view);
    if (options.pin) {
        const auto thing =
            inspector::parse_thing(*options.pin, app.shown.trace, int(app.shown.analysis.findings.size()));
        if (!thing)
            return tl::unexpected(thing.error());
        app.view.pin = *thing;
    }
    const double last = playback::duration_without_holds(app.shown.timeline);
    if (*seconds > last + 1e-6)
        return fail(ExitStatus::usage,
                    fmt::format("The run is over after {:.2f} s, so --at takes 0 to that, not {}.", last,
                                in_quotes(*options.at)));
    playback::seek(app.playback, app.shown.timeline,
                   !options.at ? playback::end_of_step(app.shown.timeline, int(*number))
                               : playback::with_holds(app.shown.timeline, *seconds));
    const auto image = offscreen::render(app);
    if (!image)
        return tl::unexpected(image.error());
    if (const auto written = write_png(options.out, *image); !written)
        return tl::unexpected(written.error());
    const trace::Trace& shown = app.shown.trace;
    const std::string moment = options.at ? fmt::format("{} s", *options.at)
                               : *number == 0
                                   ? "arrive"
                                   : fmt::format("the end of step {}, {}", *number,
                                                 phase_text(shown.steps[std::size_t(*number - 1)]));
    print(fmt::format("{}: {}; {}; {}x{}\n", printable(options.out), launch_text(shown), moment, view->width,
                      view->height));
    return ExitStatus::ok;
}

Status storyboard(const std::string& file, const std::string& folder) {
    auto trace = trace::read(file);
    if (!trace)
        return tl::unexpected(trace.error());
    return draw_storyboard(*std::move(trace), folder);
}

Status window(const WindowOptions& options) {
    // A bad file is an error before any window: exit status 3 and a sentence.
    if (const auto writable = options.state_file ? check_output(*options.state_file) : Expected<void>{};
        !writable)
        return tl::unexpected(writable.error());
    const auto trace = options.file ? trace::read(*options.file) : default_trace();
    if (!trace)
        return tl::unexpected(trace.error());
    App app = make_app(*trace, View{});
    app.shown.path = options.file.value_or("");
    window::Options host;
    host.state_file = options.state_file.value_or("");
    host.exit_after_frames = options.frames;
    const auto leave_and_say = [&app] {
        for (const std::string& sentence : leave(app))
            say(sentence);
    };
    host.on_display_lost = [&] {
        leave_and_say();
        say("The display is gone, so the window had to close; start again where there is one.");
    };
    if (const std::string problem = use_settings(app); !problem.empty())
        say(problem);
    const auto shown = window::run(app, host);
    if (!shown)
        return without_a_window(options.file, shown.error().sentence);
    leave_and_say();
    return ExitStatus::ok;
}

}  // namespace auditorium::cli
