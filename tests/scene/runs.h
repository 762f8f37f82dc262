// Interpreted runs of the catalogue for the scene's tests: trace, analysis, timeline and what the scene
// prepares.
#pragma once

#include <ostream>
#include <stdexcept>
#include <string>
#include <vector>

#include "app/scene/scene.h"
#include "kernels/catalogue.h"
#include "simt/simt.h"
#include "trace/input.h"

namespace auditorium::test {

struct Played {
    trace::Trace trace;
    analysis::Analysis analysis;
    playback::Timeline timeline;
    scene::Prepared prepared;
};

inline Played run(const std::string& id, int block, trace::Op op = trace::Op::max,
                  const std::string& input = "random:3664:0:999", trace::Type type = trace::Type::f32) {
    const kernels::Kernel* kernel = kernels::find(id);
    if (!kernel)
        throw std::runtime_error("no kernel " + id);
    trace::LaunchConfig config;
    config.kernel = id;
    config.block = block;
    config.op = op;
    config.type = type;
    config.input = input;
    config.calls = kernel->calls;
    config.values = trace::expand_input(input, type, block).value();
    simt::Entry entry;
    entry.function = kernel->entry;
    entry.barrier_between_calls = kernel->barrier_between_calls;
    entry.results = kernel->barrier_between_calls ? 1 : kernel->calls;
    auto made = simt::run(kernel->source, entry, config);
    if (!made)
        throw std::runtime_error(made.error().sentence);
    Played out{std::move(*made), {}, {}, {}};
    out.analysis = analysis::analyze(out.trace);
    out.timeline = playback::make_timeline(out.trace, out.analysis);
    out.prepared = scene::prepare(out.trace, out.analysis, out.timeline);
    return out;
}

struct Case {
    std::string kernel;
    int block;
    friend void PrintTo(const Case& c, std::ostream* out) { *out << c.kernel << ' ' << c.block; }
};

// Every kernel at sizes that it is right for, and the clinic's own.
inline std::vector<Case> cases() {
    std::vector<Case> out;
    for (const kernels::Kernel& kernel : kernels::all()) {
        if (!kernel.correct)
            out.push_back({std::string(kernel.id), kernel.clinic_block});
        for (const int block : {32, 64, 96, 256, 512, 1024})
            if (kernels::why_not(kernel, block).empty() &&
                (kernel.correct || (block == 256 && block != kernel.clinic_block)))
                out.push_back({std::string(kernel.id), block});
    }
    for (const int block : {1, 17, 33, 100, 257, 1000})
        out.push_back({"contiguous_any", block});
    return out;
}

// The scene's area in windows of the three sizes.
inline std::vector<scene::Rect> areas() {
    return {{240, 40, 742, 556}, {320, 48, 884, 702}, {356, 52, 1108, 856}};
}

inline scene::Scene build(const Played& run, double time, const View& view, scene::Rect area) {
    scene::Scene out;
    scene::build_into(out, run.trace, run.analysis, run.timeline, run.prepared,
                      playback::moment_at(run.timeline, time), view, scene::theme(view.theme), area);
    return out;
}

// Some moments of every beat: its begin, middle and end.
inline std::vector<double> moments(const playback::Timeline& timeline) {
    std::vector<double> out{0};
    for (const playback::Span& span : timeline.spans)
        for (const playback::Beat& beat : span.beats) {
            out.push_back(beat.begin + 0.37 * beat.seconds());
            out.push_back(beat.begin + 0.81 * beat.seconds());
            out.push_back(beat.end);
        }
    return out;
}

inline bool same(const scene::Scene& a, const scene::Scene& b) {
    const auto same_shape = [](const scene::Shape& x, const scene::Shape& y) {
        if (x.kind != y.kind || x.points != y.points || x.hatch != y.hatch || x.radius != y.radius ||
            x.rotation != y.rotation || x.line_width != y.line_width || x.dash != y.dash || x.gap != y.gap ||
            x.fill != y.fill || x.line != y.line || x.hatch_color != y.hatch_color)
            return false;
        for (int i = 0; i < 6; ++i)
            if (x.p[i].x != y.p[i].x || x.p[i].y != y.p[i].y)
                return false;
        return true;
    };
    const auto same_label = [](const scene::Label& x, const scene::Label& y) {
        return x.text == y.text && x.at.x == y.at.x && x.at.y == y.at.y && x.size == y.size &&
               x.font == y.font && x.align == y.align && x.color == y.color;
    };
    for (std::size_t i = 0; i < a.layers.size(); ++i) {
        if (!std::equal(a.layers[i].shapes.begin(), a.layers[i].shapes.end(), b.layers[i].shapes.begin(),
                        b.layers[i].shapes.end(), same_shape) ||
            !std::equal(a.layers[i].labels.begin(), a.layers[i].labels.end(), b.layers[i].labels.begin(),
                        b.layers[i].labels.end(), same_label))
            return false;
    }
    return a.targets.size() == b.targets.size() && a.camera.zoom == b.camera.zoom;
}

}  // namespace auditorium::test
