#include "app/panels/compare_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "analysis/compare.h"
#include "app/panels/narration.h"
#include "kernels/catalogue.h"

namespace auditorium::panels {
namespace {

using playback::Beat;
using playback::BeatKind;
using trace::EventKind;
using trace::StepKind;

// The how-manieth of its kind in its call, and of how many.
std::pair<int, int> place_of(const trace::Trace& trace, int step) {
    int at = 0, all = 0;
    for (int s = 0; s < int(trace.steps.size()); ++s) {
        const trace::Step& other = trace.steps[std::size_t(s)];
        if (other.kind != trace.steps[std::size_t(step)].kind ||
            other.call != trace.steps[std::size_t(step)].call)
            continue;
        ++all;
        at += s <= step;
    }
    return {at, all};
}

// What the lanes of this beat's requests have in common.
struct Access {
    bool any = false, load = true;
    int longest = 1;          // wavefronts of the worst request
    int banks = 0;            // of it: banks with a queue
    int lanes = 0, full = 0;  // of the issuing warps: lanes that take part, lanes that they have
    bool broadcast = true;    // every request reads one word
};

Access access_of(const playback::Side& side, int step, const Beat& beat) {
    Access out;
    const bool load = beat.kind == BeatKind::load || beat.kind == BeatKind::broadcast;
    out.load = load;
    const analysis::Analysis& analysis = side.analysis;
    for (int r = analysis.first_request[std::size_t(step)]; r < analysis.first_request[std::size_t(step) + 1];
         ++r) {
        const analysis::Request& request = analysis.requests[std::size_t(r)];
        if (request.order != beat.order || (request.kind == EventKind::load) != load)
            continue;
        const int first = request.warp * trace::warp_size;
        out.lanes += std::popcount(request.lanes);
        out.full += std::min(trace::warp_size, side.trace.config.block - first);
        out.broadcast &= request.broadcast;
        if (!out.any || request.wavefronts > out.longest) {
            out.longest = request.wavefronts;
            std::array<int, trace::warp_size> queue{};
            for (int lane = 0; lane < trace::warp_size; ++lane)
                if (request.lanes >> lane & 1) {
                    int& worst = queue[std::size_t(request.box[std::size_t(lane)] % trace::warp_size)];
                    worst = std::max(worst, request.wavefront[std::size_t(lane)] + 1);
                }
            out.banks = int(std::count_if(queue.begin(), queue.end(), [](int q) { return q > 1; }));
        }
        out.any = true;
    }
    return out;
}

const char* number_word(int n) {
    static constexpr std::array<const char*, 13> words = {"No",   "One",    "Two",   "Three", "Four",
                                                          "Five", "Six",    "Seven", "Eight", "Nine",
                                                          "Ten",  "Eleven", "Twelve"};
    return n >= 0 && n < int(words.size()) ? words[std::size_t(n)] : nullptr;
}

Saying about_access(const playback::Side& side, int step, const Beat& beat, const playback::Moment& moment) {
    const Access access = access_of(side, step, beat);
    if (!access.any)
        return {};
    const char* what = access.load ? "load" : "store";
    if (access.longest > 1) {
        const std::string queue =
            number_word(access.longest) ? number_word(access.longest) : fmt::format("{}", access.longest);
        return {fmt::format("{} in line at {}: one {} takes {} wavefronts, now serving number {}", queue,
                            access.banks == 1 ? "one bank" : fmt::format("each of {} banks", access.banks),
                            what, access.longest, wavefront_at(beat, moment) + 1),
                Tone::conflict};
    }
    if (access.broadcast && access.lanes > 1)
        return {fmt::format("One box for everyone in a row: one {} takes 1 wavefront", what), Tone::good};
    if (access.lanes < access.full)
        return {fmt::format("{} of {} lanes work in the rows that are up; no queue at any bank", access.lanes,
                            access.full),
                Tone::plain};
    return {fmt::format("A bank for everyone: one {} takes 1 wavefront", what), Tone::good};
}

}  // namespace

int wavefront_at(const Beat& beat, const playback::Moment& moment) {
    const double one = (beat.seconds() - beat.lead) / beat.wavefronts;
    const int at = one > 0 ? int((moment.time - beat.begin - beat.lead) / one) : 0;
    return std::clamp(at, 0, beat.wavefronts - 1);
}

std::string both_texts(const std::string& left, const std::string& right) {
    if (left == right)
        return left;
    static constexpr std::string_view seed = ", seed ";
    const std::size_t at = left.find(seed);
    if (at != std::string::npos && right.compare(0, at + seed.size(), left, 0, at + seed.size()) == 0)
        return left + " | " + right.substr(at + seed.size());
    return left + " | " + right;
}

std::array<std::string, 2> names_apart(std::array<std::string, 2> names,
                                       const std::array<std::string, 2>& apart, float room,
                                       const std::function<float(const std::string&)>& width) {
    const auto fit = [&](const std::array<std::string, 2>& texts) {
        return width(texts[0]) <= room && width(texts[1]) <= room;
    };
    if (fit(names))
        return names;
    // Names of files may hold any character: none is cut in two.
    const auto begins = [](const std::string& text, std::size_t at) {
        while (at < text.size() && (text[at] & 0xc0) == 0x80)
            ++at;
        return at;
    };
    // `share` of what can be kept stands before the ellipsis, the rest behind it.
    const auto cut = [&](const std::string& text, double share) {
        if (width(text) <= room)
            return text;
        for (std::size_t keep = text.size() - 1; keep > 0; --keep) {
            const std::size_t head = begins(text, std::size_t(std::lround(double(keep) * share)));
            const std::size_t tail = begins(text, text.size() - (keep - std::min(keep, head)));
            std::string out = text.substr(0, head) + "…" + text.substr(tail);
            if (width(out) <= room)
                return out;
        }
        return std::string("…");
    };
    if (names[0] == names[1] && apart[0] != apart[1]) {
        std::array<std::string, 2> out = apart;
        for (std::size_t s = 0; s < 2; ++s)
            for (std::size_t keep = 1; keep < names[s].size(); ++keep) {
                const std::string longer = names[s].substr(0, begins(names[s], keep)) + "…" + apart[s];
                if (width(longer) > room)
                    break;
                out[s] = longer;
            }
        return out;
    }
    for (const double share : {1.0, 0.4, 0.0}) {
        const std::array<std::string, 2> out = {cut(names[0], share), cut(names[1], share)};
        if (out[0] != out[1])
            return out;
    }
    // From where they differ.
    std::size_t same = 0;
    while (same < std::min(names[0].size(), names[1].size()) && names[0][same] == names[1][same])
        ++same;
    while (same > 0 && same < names[0].size() && (names[0][same] & 0xc0) == 0x80)
        --same;
    return {cut("…" + names[0].substr(same), 1), cut("…" + names[1].substr(same), 1)};
}

std::string difference_text(const trace::LaunchConfig& left, const trace::LaunchConfig& right, float room,
                            const std::function<float(const std::string&)>& width) {
    std::vector<std::string> words = analysis::differences_between(left, right);
    std::string text = "different " + analysis::listed(words);
    for (int more = 0; words.size() > 1 && width(text) > room;) {
        words.pop_back();
        ++more;
        std::vector<std::string> shown = words;
        shown.push_back(fmt::format("{} more", more));
        text = "different " + analysis::listed(shown);
    }
    return text;
}

std::string run_title(const trace::Trace& trace) {
    const kernels::Kernel* kernel = kernels::find(trace.config.kernel);
    std::string title = kernel ? std::string(kernel->title) : trace.config.kernel;
    if (!title.empty() && title[0] >= 'a' && title[0] <= 'z')
        title[0] = char(title[0] - 'a' + 'A');
    return title;
}

std::string name_beside(const trace::Trace& trace, const trace::Trace& other) {
    const trace::LaunchConfig& config = trace.config;
    std::string name = run_title(trace);
    for (const std::string& what : analysis::differences_between(config, other.config)) {
        name += ", ";
        if (what == "op")
            name += trace::name_of(config.op);
        else if (what == "type")
            name += trace::name_of(config.type);
        else if (what == "data")
            name += config.input;
        else if (what == "block")
            name += fmt::format("{} thread{}", config.block, config.block == 1 ? "" : "s");
        else if (trace.origin.kind == trace::Origin::Kind::gpu)
            name += "as the GPU took turns";
        else
            name += "turns " + trace::name_of(config.schedule);
    }
    return name;
}

std::string round_text(const trace::Trace& trace, int span, bool with_step) {
    const int step = span - 1, steps = int(trace.steps.size());
    if (step < 0)
        return "before the first step";
    if (step >= steps)
        return "done";
    const trace::Step& s = trace.steps[std::size_t(step)];
    const auto [at, all] = place_of(trace, step);
    std::string text;
    switch (s.kind) {
        case StepKind::stage:
            text = "writing";
            break;
        case StepKind::tree:
            text = s.stride ? fmt::format("round {} of {}, stride {}", at, all, s.stride)
                            : fmt::format("round {} of {}", at, all);
            break;
        case StepKind::handoff:
            text = "hand-off";
            break;
        case StepKind::shuffle:
            text = s.offset ? fmt::format("shuffle {} of {}, offset {}", at, all, s.offset)
                            : fmt::format("shuffle {} of {}", at, all);
            break;
        case StepKind::publish:
            text = "publishing";
            break;
        case StepKind::broadcast:
            text = "everyone reads";
            break;
        case StepKind::other:
            text = "other work";
            break;
    }
    return with_step ? fmt::format("step {} of {} · {}", span, steps, text) : text;
}

Saying saying_at(const playback::Side& side, const playback::Moment& moment, bool holds) {
    const playback::Span& span = side.timeline.spans[std::size_t(moment.span)];
    if (span.step < 0)
        return {narrate(side.trace, side.analysis, moment).caption,
                moment.span > 0 && !side.analysis.results.empty() && side.analysis.results[0].correct
                    ? Tone::good
                    : Tone::plain};
    const Beat& beat = span.beats[std::size_t(moment.beat)];
    const analysis::StepAnalysis& step = side.analysis.steps[std::size_t(span.step)];
    if (holds)
        return {step.barrier_after ? "Everybody is here: this side holds until the other is through"
                                   : "This side holds until the other is through",
                Tone::waiting};
    switch (beat.kind) {
        case BeatKind::load:
        case BeatKind::broadcast:
        case BeatKind::store:
        case BeatKind::crown:
            if (Saying said = about_access(side, span.step, beat, moment); !said.text.empty())
                return said;
            break;
        case BeatKind::note:
            return {"Registers, handed from lane to lane: no box, no barrier", Tone::good};
        case BeatKind::wait:
        case BeatKind::hold:
        case BeatKind::drop:
            if (step.barrier > 0 && side.analysis.barriers[std::size_t(step.barrier) - 1].mismatch)
                return {fmt::format("Barrier {} of {} is not met by all: undefined, may hang", step.barrier,
                                    side.analysis.totals.barriers),
                        Tone::waiting};
            if (step.barrier > 0)
                return {fmt::format("Barrier {} of {}: {}", step.barrier, side.analysis.totals.barriers,
                                    beat.kind == BeatKind::drop ? "all have come and go on"
                                                                : "nobody goes on before all have come"),
                        Tone::waiting};
            break;
        default:
            break;
    }
    return {narrate(side.trace, side.analysis, moment).caption, Tone::plain};
}

}  // namespace auditorium::panels
