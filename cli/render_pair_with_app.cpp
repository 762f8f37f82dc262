// render --compare: one moment of two runs side by side.
#include <fmt/format.h>

#include <filesystem>
#include <string_view>
#include <utility>

#include "app/app.h"
#include "app/compare/presets.h"
#include "app/compare/recordings.h"
#include "app/hosts/image.h"
#include "app/hosts/offscreen.h"
#include "cli/output.h"
#include "cli/render_pair.h"
#include "kernels/catalogue.h"
#include "trace/files.h"
#include "trace/io.h"
#include "trace/text.h"

namespace auditorium::cli {

namespace {

// A side of a comparison: a file, or an entry of the catalogue, recorded where the program carries the
// recording, else run now.
Expected<trace::Trace> side_trace(const std::string& text, const trace::LaunchConfig& base) {
    const std::string id = text.substr(0, text.find('@'));
    std::error_code error;
    const bool file = std::filesystem::exists(text, error) || text.find_first_of("./\\") != std::string::npos;
    if (!kernels::find(id) && !file)
        return fail(ExitStatus::usage,
                    fmt::format("{} is neither a file nor a kernel; 'auditorium kernels' lists them.",
                                in_quotes(text)));
    if (file)
        return trace::read(text);
    const auto config = compare::config_of(text, base);
    if (!config)
        return tl::unexpected(config.error());
    return compare::run(*config, launch::Device::automatic);
}

}  // namespace

Status render_pair(const RenderOptions& options, View view, long number, double at) {
    std::vector<std::string> sides = options.compare;
    if (sides.size() == 1 && options.file)
        sides.insert(sides.begin(), *options.file);
    else if (sides.size() != 2 || options.file)
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

    if (const auto writable = check_output(options.out, sides); !writable)
        return tl::unexpected(writable.error());

    App app = make_app(*left, view);
    compare_traces(app, *std::move(left), *std::move(right));
    if (app.pair.mode != view.pair_mode)
        return fail(ExitStatus::usage, why_no_race(app));
    const playback::Timeline& clock = app.pair.clock;
    const bool race = view.pair_mode == PairMode::race;
    const long rows = long(clock.spans.size());
    // Rows are numbered as steps are: 0 is arrive, which a race does without.
    const long first = race ? 1 : 0, last_row = race ? rows : rows - 1;
    if (!options.at && (number < first || number > last_row))
        return fail(ExitStatus::usage,
                    fmt::format("The rows of this {} are {} to {}, so --step takes one of these, not {}.",
                                race ? "race" : "comparison", first, last_row, number));
    double time = playback::end_of_step(clock, int(number - first));
    if (options.at) {
        const double last =
            race ? clock.duration * app.pair.cycles_per_second : playback::duration_without_holds(clock);
        if (at > last + 1e-6)
            return fail(
                ExitStatus::usage,
                fmt::format("The comparison is over after {:.2f} {}, so --at takes 0 to that, not {}.", last,
                            race ? "cycles" : "s", in_quotes(*options.at)));
        time = race ? at / app.pair.cycles_per_second : playback::with_holds(clock, at);
    }
    if (options.pin) {
        // "right:box:5"; a thing without a side is the left one's.
        std::string_view name = *options.pin;
        int side = 0;
        for (const auto& [prefix, number] : {std::pair<std::string_view, int>{"left:", 0}, {"right:", 1}})
            if (name.starts_with(prefix)) {
                side = number;
                name.remove_prefix(prefix.size());
                break;
            }
        const Shown& shown = *app.compared->sides[std::size_t(side)];
        const auto thing = inspector::parse_thing(name, shown.trace, int(shown.analysis.findings.size()));
        if (!thing)
            return tl::unexpected(thing.error());
        app.view.pin = *thing;
        app.view.pin_side = side;
    }
    playback::seek(app.playback, clock, time);
    const auto image = offscreen::render(app);
    if (!image)
        return tl::unexpected(image.error());
    if (const auto written = write_png(options.out, *image); !written)
        return tl::unexpected(written.error());
    const auto side_text = [&](int side) {
        return launch_text(app.compared->sides[std::size_t(side)]->trace);
    };
    const std::string moment = options.at    ? fmt::format("{} {}", *options.at, race ? "cycles" : "s")
                               : number == 0 ? "arrive"
                                             : fmt::format("the end of row {}", number);
    print(fmt::format("{}: {} beside {}; {}; {}x{}\n", printable(options.out), side_text(0), side_text(1),
                      moment, view.width, view.height));
    return ExitStatus::ok;
}

}  // namespace auditorium::cli
