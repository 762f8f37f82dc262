// Paints the app as it stands at a step: panels_paint KERNEL OP TYPE BLOCK STEP WxH THEME OUT.png
// [full|presenter] [SCALE] [followed, dialog or menu to open, or thing to pin]. For looking at; no test.
#include <cstdio>
#include <cstdlib>
#include <string>

#include "app/app.h"
#include "app/hosts/offscreen.h"
#include "app/panels/panels.h"
#include "app/panels/state.h"
#include "launch/launch.h"

int main(int argc, char** argv) {
    using namespace auditorium;
    if (argc < 9)
        return 2;
    trace::LaunchConfig config;
    config.kernel = argv[1];
    config.op = trace::parse_op(argv[2]).value_or(trace::Op::max);
    config.type = trace::parse_type(argv[3]).value_or(trace::Type::f32);
    config.block = std::atoi(argv[4]);
    launch::Options options;
    options.allow_wrong = true;
    options.device = launch::Device::cpu;
    auto trace = launch::run(config, options);
    if (!trace) {
        std::fprintf(stderr, "%s\n", trace.error().sentence.c_str());
        return 1;
    }
    View view;
    int width = 1600, height = 900;
    std::sscanf(argv[6], "%dx%d", &width, &height);
    view.ui_scale = argc > 10 ? float(std::atof(argv[10])) : 1.f;
    view.width = int(float(width) / view.ui_scale);
    view.height = int(float(height) / view.ui_scale);
    view.theme = std::string(argv[7]) == "light" ? ThemeId::light : ThemeId::dark;
    view.presenter = argc > 9 && std::string(argv[9]) == "presenter";
    App app = make_app(std::move(*trace), view);
    const double step = std::atof(argv[5]);
    if (step == double(int(step)))
        app.playback.time = playback::end_of_step(app.shown.timeline, int(step));
    else {
        const playback::Span& span = app.shown.timeline.spans[std::size_t(step)];
        app.playback.time = span.begin + (step - int(step)) * (span.end - span.begin);
    }
    std::string open = argc > 11 ? argv[11] : "";
    if (open.find(':') != std::string::npos) {  // something to pin
        const auto thing =
            inspector::parse_thing(open, app.shown.trace, int(app.shown.analysis.findings.size()));
        if (!thing)
            return 2;
        app.view.pin = *thing;
        open.clear();
    }
    if (open == "speed")
        panels::open_dialog(app, int(panels::Dialog::speed));
    else if (open == "keys")
        panels::open_dialog(app, int(panels::Dialog::keys));
    else if (open == "open" || open == "save")
        panels::open_dialog(app, int(open == "open" ? panels::Dialog::open : panels::Dialog::save));
    else if (open == "notice") {
        panels::notice(app, "There is no GPU here: the driver is missing. The run was simulated.", false);
        panels::notice(app, "bad.audit is no trace of Auditorium: it ends after 12 bytes.", true);
    } else if (!open.empty())
        panels::open_menu(app, std::atoi(open.c_str()), {300, 9, 120, 28}, "");
    auto image = offscreen::render(app);
    if (!image) {
        std::fprintf(stderr, "%s\n", image.error().sentence.c_str());
        return 1;
    }
    return write_png(argv[8], *image) ? 0 : 1;
}
