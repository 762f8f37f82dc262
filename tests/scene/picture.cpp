// A small tool for those who work on the scene: interprets a kernel and paints its scene at one moment.
//   scene_picture --kernel ID [--op max] [--type float] [--block 256] [--input SPEC] [--size 1600x900]
//   [--theme dark]
//                 [--step N | --at SECONDS | --beat N.K.P] [--presenter] [--reduced] [--followed N] -o PNG
// --beat N.K.P: K-th beat of span N, at progress P in percent. The picture is the scene's area of such a
// window.
#include <cstdio>
#include <cstdlib>
#include <string>

#include "app/hosts/image.h"
#include "app/hosts/offscreen.h"
#include "app/scene/scene.h"
#include "kernels/catalogue.h"
#include "simt/simt.h"
#include "trace/input.h"

using namespace auditorium;

namespace {

// The area that the panels leave to the scene.
scene::Rect area_of(int width, int height, bool presenter) {
    const float w = float(width), h = float(height);
    if (presenter)
        return {0, 0, w, h * 722 / 900};
    const auto at = [&](float x, float a, float b, float c, float lo, float mid, float hi) {
        return x <= mid ? a + (b - a) * (x - lo) / (mid - lo) : b + (c - b) * (x - mid) / (hi - mid);
    };
    const float left = at(w, 240, 320, 356, 1280, 1600, 1920), right = at(w, 298, 396, 456, 1280, 1600, 1920);
    const float top = at(h, 40, 48, 52, 720, 900, 1080), bottom = at(h, 124, 150, 172, 720, 900, 1080);
    return {0, 0, w - left - right, h - top - bottom};
}

int fail(const std::string& sentence) {
    std::fprintf(stderr, "%s\n", sentence.c_str());
    return 1;
}

}  // namespace

int main(int argc, char** argv) {
    trace::LaunchConfig config;
    View view;
    std::string out = "scene.png", beat;
    int step = -1;
    double at = -1;
    for (int i = 1; i < argc; ++i) {
        const std::string name = argv[i];
        const auto value = [&] { return std::string(i + 1 < argc ? argv[++i] : ""); };
        if (name == "--kernel")
            config.kernel = value();
        else if (name == "--op")
            config.op = trace::parse_op(value()).value_or(trace::Op::max);
        else if (name == "--type")
            config.type = trace::parse_type(value()).value_or(trace::Type::f32);
        else if (name == "--block")
            config.block = std::atoi(value().c_str());
        else if (name == "--calls")
            config.calls = std::atoi(value().c_str());
        else if (name == "--input")
            config.input = value();
        else if (name == "--size")
            std::sscanf(value().c_str(), "%dx%d", &view.width, &view.height);
        else if (name == "--theme")
            view.theme = value() == "light" ? ThemeId::light : ThemeId::dark;
        else if (name == "--step")
            step = std::atoi(value().c_str());
        else if (name == "--at")
            at = std::atof(value().c_str());
        else if (name == "--beat")
            beat = value();
        else if (name == "--followed")
            view.followed = std::atoi(value().c_str());
        else if (name == "--presenter")
            view.presenter = true;
        else if (name == "--reduced")
            view.reduced_motion = true;
        else if (name == "-o")
            out = value();
        else
            return fail("unknown: " + name);
    }
    const kernels::Kernel* kernel = kernels::find(config.kernel);
    if (!kernel)
        return fail("no such kernel");
    auto values = trace::expand_input(config.input, config.type, config.block);
    if (!values)
        return fail(values.error().sentence);
    config.values = *values;
    simt::Entry entry;
    entry.function = kernel->entry;
    entry.barrier_between_calls = kernel->barrier_between_calls;
    if (kernel->calls > 1) {
        entry.results = kernel->calls;
        config.calls = kernel->calls;
    }
    auto trace = simt::run(kernel->source, entry, config);
    if (!trace)
        return fail(trace.error().sentence);
    const analysis::Analysis analysis = analysis::analyze(*trace);
    const playback::Timeline timeline = playback::make_timeline(*trace, analysis);
    double time = step >= 0 ? playback::end_of_step(timeline, step) : at >= 0 ? at : timeline.duration / 2;
    if (!beat.empty()) {
        int span = 0, k = 0, percent = 50;
        std::sscanf(beat.c_str(), "%d.%d.%d", &span, &k, &percent);
        const playback::Beat& b = timeline.spans.at(span).beats.at(k);
        time = b.begin + (b.end - b.begin) * percent / 100;
    }
    if (out == "list") {
        for (std::size_t s = 0; s < timeline.spans.size(); ++s) {
            const playback::Span& span = timeline.spans[s];
            std::printf("%zu %s stride %d offset %d:", s,
                        span.step < 0 ? "cap" : trace::name_of(trace->steps[span.step].kind),
                        span.step < 0 ? 0 : trace->steps[span.step].stride,
                        span.step < 0 ? 0 : trace->steps[span.step].offset);
            static const char* names[] = {"idle",     "walk", "load", "combine", "store", "note",
                                          "syncwarp", "wait", "hold", "drop",    "crown", "broadcast"};
            for (const playback::Beat& b : span.beats)
                std::printf(" %s(%d)", names[int(b.kind)], b.wavefronts);
            std::printf("\n");
        }
        return 0;
    }
    const scene::Theme& theme = scene::theme(view.theme);
    const scene::Scene picture = scene::build(*trace, analysis, timeline, playback::moment_at(timeline, time),
                                              view, theme, area_of(view.width, view.height, view.presenter));
    auto stage = offscreen::open();
    if (!stage)
        return fail(stage.error().sentence);
    auto image = offscreen::render(**stage, picture, theme.background);
    if (!image)
        return fail(image.error().sentence);
    if (auto written = write_png(out, *image); !written)
        return fail(written.error().sentence);
    return 0;
}
