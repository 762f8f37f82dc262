// The real result beside what was expected: bits of the plain, the traced and the simulated run, a reference
// in double, whether they match, and cycles where they were measured.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/timing.h"
#include "analysis/verdict.h"
#include "app/panels/compare_view.h"
#include "app/panels/marks.h"
#include "app/panels/panels.h"
#include "app/panels/state.h"
#include "kernels/catalogue.h"
#include "trace/operands.h"

namespace auditorium::panels {
namespace {

using analysis::Verdict;

struct Row {
    std::string label, bits, value;
    bool large = false;
    enum class Kind { value, match, plain } kind = Kind::value;
    Verdict mark = Verdict::right;
};

// The call whose result the card shows: the one at the playhead.
int call_at(const App& app) {
    const int calls = int(app.shown.analysis.results.size());
    const int s = app.panels->beat.span - 1;
    if (calls == 0)
        return -1;
    if (s >= 0 && s < int(app.shown.trace.steps.size()))
        return std::clamp(app.shown.trace.steps[std::size_t(s)].call, 0, calls - 1);
    return s < 0 ? 0 : calls - 1;
}

std::string reference_text(const App& app, const analysis::CallResult& result) {
    if (app.shown.trace.config.type == trace::Type::i32)
        return fmt::format("{}", result.reference_int);
    const double value = result.reference;
    if (value != value)
        return "nan";
    const bool whole = std::fabs(value) < 1e16 && value == std::trunc(value);
    return whole ? fmt::format("{}", value) : fmt::format("{:.12g}", value);
}

bool runs_agree(const analysis::CallResult& r) {
    return (!r.plain || *r.plain == r.bits) && (!r.traced || *r.traced == r.bits) &&
           (!r.simulated || *r.simulated == r.bits);
}

// A tick only where the result is right and nothing was found in the run: right by luck has none.
Verdict mark_of(const App& app, const analysis::CallResult& r) {
    return runs_agree(r) ? analysis::verdict_of(app.shown.analysis, r) : Verdict::wrong;
}

std::string match_text(const App& app, const analysis::CallResult& r) {
    const bool whole = app.shown.trace.config.type == trace::Type::i32;
    if (r.undefined)
        return "undefined";
    if (!runs_agree(r))
        return "the runs differ";
    if (!r.correct)
        return whole && r.ulp != 0 ? fmt::format("off by {}", r.ulp) : "wrong";
    if (!r.all_threads_agree)
        return "threads disagree";
    if (mark_of(app, r) == Verdict::luck)
        return "right by luck";
    if (r.ulp != 0)
        return fmt::format("{} ULP apart", r.ulp);
    if (r.wrapped)
        return "equal, wrapped";
    return whole ? "equal" : "bitwise equal";
}

// What is wrong with how often each input was folded in; "" where each was exactly once. Known for the first
// result alone: what a later call reduces is not the launch's input.
std::string inputs_text(const App& app, int call) {
    if (call != 0)
        return {};
    const analysis::Contributions& c = app.shown.analysis.contributions;
    const auto inputs = [](std::size_t n) { return fmt::format("{} {}", n, n == 1 ? "input" : "inputs"); };
    if (!c.missing.empty())
        return inputs(c.missing.size()) + " never used";
    if (!c.doubled.empty())
        return inputs(c.doubled.size()) + " used twice";
    return {};
}

// The block was asked for although the kernel is not right for it.
bool wrong_size(const trace::LaunchConfig& config) {
    const kernels::Kernel* kernel = kernels::find(config.kernel);
    return kernel && !kernels::why_not(*kernel, config.block).empty();
}

std::vector<Row> rows_of(const App& app) {
    std::vector<Row> rows;
    const int call = call_at(app);
    const trace::Trace& trace = app.shown.trace;
    if (call < 0) {
        rows.push_back({"No result", "", "the run did not end", false, Row::Kind::match, Verdict::wrong});
        return rows;
    }
    const analysis::CallResult& r = app.shown.analysis.results[std::size_t(call)];
    const char* type = trace::name_of(trace.config.type);
    const auto value = [&](std::uint32_t b) { return trace::value_text(b, trace.config.type); };
    if (r.plain)
        rows.push_back({fmt::format("GPU, {}", type), trace::bits_text(*r.plain), value(*r.plain), true});
    const bool gpu = trace.origin.kind == trace::Origin::Kind::gpu;
    if (r.traced && gpu)
        rows.push_back({"GPU, traced", trace::bits_text(*r.traced), value(*r.traced), !r.plain});
    if (r.simulated)
        rows.push_back({fmt::format("Simulated{}", gpu ? "" : fmt::format(", {}", type)),
                        trace::bits_text(*r.simulated), value(*r.simulated), !gpu});
    else if (r.traced && !gpu)
        rows.push_back(
            {fmt::format("Simulated, {}", type), trace::bits_text(*r.traced), value(*r.traced), true});
    rows.push_back({trace.config.type == trace::Type::i32 ? "CPU reference, int64" : "CPU reference, double",
                    "", reference_text(app, r), false});
    rows.push_back({"Match", "", match_text(app, r), false, Row::Kind::match, mark_of(app, r)});
    if (const std::string inputs = inputs_text(app, call); !inputs.empty())
        rows.push_back({"Inputs", "", inputs, false, Row::Kind::match, Verdict::wrong});
    if (wrong_size(trace.config))
        rows.push_back({"Block", "", fmt::format("{} does not suit this kernel", trace.config.block), false,
                        Row::Kind::match, Verdict::wrong});
    if (trace.cycles)
        rows.push_back({"Cycles", "uninstrumented, median", fmt::format("{:.0f}", trace.cycles->median),
                        false, Row::Kind::plain});
    if (const auto stamped = analysis::stamped_cycles(trace); stamped && trace.cycles)
        rows.push_back({"Cycles", "with stamps",
                        fmt::format("{:.0f} ({:+.1f}%)", *stamped, 100 * *analysis::disturbance(trace)),
                        false, Row::Kind::plain});
    return rows;
}

}  // namespace

int result_rows(const App& app) {
    return int(rows_of(app).size());
}

std::string result_of_what(const App& app) {
    const trace::Trace& trace = app.shown.trace;
    const int call = std::max(0, call_at(app)), block = trace.config.block;
    return fmt::format("{} of {} {}{}", trace::name_of(trace::op_of_call(trace, call)), block,
                       trace::folds_inputs(trace, call) ? "score" : "value", block == 1 ? "" : "s");
}

std::string result_line(const App& app) {
    const int call = call_at(app);
    if (call < 0)
        return "none";
    const analysis::CallResult& r = app.shown.analysis.results[std::size_t(call)];
    const std::string inputs = inputs_text(app, call);
    return fmt::format("{}, {}{}", trace::value_text(r.bits, app.shown.trace.config.type), match_text(app, r),
                       inputs.empty() ? "" : ", " + inputs);
}

void result_card(App& app, Ui& ui) {
    const Rect card = ui.layout.result;
    const Type& type = ui.layout.type;
    const scene::Theme& theme = ui.theme;
    const float pad = ui.layout.pad, right = card.x + card.w - pad, row = ui.layout.row;
    const int calls = int(app.shown.analysis.results.size());
    const std::vector<Row> rows = rows_of(app);
    const float head = card.h - row * float(rows.size()) - 8;
    ui.text({card.x + pad, card.y + head / 2 + 1},
            calls > 1 ? fmt::format("Result {} of {}", call_at(app) + 1, calls) : "Result", type.heading,
            Font::semibold, theme.text1);
    ui.text({right, card.y + head / 2 + 1}, result_of_what(app), type.label, Font::regular, theme.text3,
            Align::right);
    float y = card.y + head;
    for (const Row& r : rows) {
        ui.line({card.x + pad, y}, {right, y}, theme.hairline);
        const float middle = y + row / 2;
        const float label = ui.text({card.x + pad, middle}, r.label, type.label, Font::regular, theme.text2);
        if (r.kind == Row::Kind::match) {
            const float radius = type.label * 0.6f;
            const Point c{right - radius, middle};
            const Color color = r.mark == Verdict::right ? theme.champion : theme.hazard;
            verdict_mark(ui, c, 2 * radius, r.mark);
            ui.mark(r.mark == Verdict::right  ? "tick"
                    : r.mark == Verdict::luck ? "luck"
                                              : "cross",
                    {right - 2 * radius, middle - radius, 2 * radius, 2 * radius});
            ui.text({right - 2 * radius - 8, middle}, r.value, type.label, Font::semibold, color,
                    Align::right);
        } else {
            const float size = r.large ? type.display * 0.85f : type.label;
            const float room = card.w - 2 * pad - label - 10;
            const float bits_width =
                r.bits.empty()
                    ? 0
                    : ui.width(r.kind == Row::Kind::plain ? Font::regular : Font::mono, type.small, r.bits) +
                          10;
            float value_size = size;
            while (value_size > 10 && ui.width(Font::mono_semibold, value_size, r.value) > room - bits_width)
                value_size -= 0.5f;
            const float width =
                ui.text({right, middle}, r.value, value_size, Font::mono_semibold, theme.text1, Align::right);
            if (!r.bits.empty() && width + bits_width <= room + 1)
                ui.text({right - width - 10, middle}, r.bits, type.small,
                        r.kind == Row::Kind::plain ? Font::regular : Font::mono, theme.text3, Align::right);
        }
        y += row;
    }
}

}  // namespace auditorium::panels
