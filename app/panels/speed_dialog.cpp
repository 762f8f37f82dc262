// How fast on this GPU: cycles of one call beside what libraries offer, and the sum of a whole array. What
// was recorded and what was measured here are told apart by shape: measured bars are filled, recorded ones
// outlined where both stand in a row.
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>

#include "app/panels/panels.h"
#include "app/panels/state.h"

namespace auditorium::panels {
namespace {

constexpr int sizes[] = {32, 64, 128, 256, 512, 1024};

// The size to begin with: the shown run's, or the next one that was measured.
int nearest_size(int block) {
    for (int size : sizes)
        if (block <= size)
            return size;
    return sizes[std::size(sizes) - 1];
}

struct SpeedBar {
    std::string name;
    double recorded = 0, here = 0;  // 0: not known
    std::string note;               // beside the number
    bool own = false;               // one of this program's kernels
    bool shown = false;             // the kernel of the shown run
    double best() const { return here > 0 ? here : recorded; }
};

const char* title_of(const std::string& what) {
    const kernels::Kernel* kernel = kernels::find(what);
    return kernel ? kernel->title.data() : nullptr;
}

std::vector<SpeedBar> call_bars(const App& app, const launch::Speed* recorded, const launch::Speed* here,
                                int size) {
    const trace::LaunchConfig& config = app.shown.trace.config;
    std::vector<SpeedBar> bars;
    const launch::Speed& order = here ? *here : *recorded;
    const auto median = [&](const launch::Speed* speed, const std::string& what) {
        const launch::CallTime* call = speed ? speed->call(what, config.op, config.type, size) : nullptr;
        return call ? call->median : 0;
    };
    const double cub = order.cub_median(config.op, config.type, size);
    for (const launch::CallTime& call : order.calls) {
        if (call.op != config.op || call.type != config.type || call.threads != size)
            continue;
        SpeedBar bar{call.what, median(recorded, call.what), median(here, call.what), "", false, false};
        bar.own = title_of(call.what) != nullptr;
        bar.shown = call.what == config.kernel;
        if (cub > 0 && bar.own)
            bar.note = fmt::format("{:.2f} of CUB's best", bar.best() / cub);
        if (bar.own)
            bar.name = title_of(call.what);
        bars.push_back(std::move(bar));
    }
    std::stable_sort(bars.begin(), bars.end(),
                     [](const SpeedBar& a, const SpeedBar& b) { return a.best() < b.best(); });
    return bars;
}

std::vector<SpeedBar> array_bars(const launch::Speed* recorded, const launch::Speed* here) {
    std::vector<SpeedBar> bars;
    const launch::Speed& order = here ? *here : *recorded;
    const auto rate = [](const launch::Speed* speed, std::string_view what) {
        const launch::ArrayTime* array = speed ? speed->array(what) : nullptr;
        return array ? array->terabytes_per_second() : 0;
    };
    const double cub = rate(&order, launch::cub_device_reduce);
    for (const launch::ArrayTime& array : order.arrays) {
        SpeedBar bar{array.what, rate(recorded, array.what), rate(here, array.what), "", false, false};
        bar.own = array.what == launch::whole_array_sum;
        if (bar.own) {
            bar.name = "block_reduce on every block";
            bar.note = cub > 0 ? fmt::format("{:.3f} of CUB's", bar.best() / cub) : "";
        } else if (array.what == launch::device_copy) {
            bar.name = "a copy, read and written";
        }
        bars.push_back(std::move(bar));
    }
    return bars;
}

std::string number(double value, bool cycles) {
    return cycles ? fmt::format("{:.0f}", value) : fmt::format("{:.2f}", value);
}

// Bars with their names at the left and their numbers at the right; returns the lower edge.
float draw_bars(Ui& ui, Rect area, float row, const std::vector<SpeedBar>& bars, bool cycles) {
    const scene::Theme& theme = ui.theme;
    const struct {
        float label, small;
    } type{std::min(ui.layout.type.label, row / 1.25f), std::min(ui.layout.type.small, row / 1.25f)};
    float name_width = 0, note_width = 0;
    double most = 0;
    for (const SpeedBar& bar : bars) {
        name_width = std::max(name_width, ui.width(Font::regular, type.label, bar.name));
        note_width = std::max(note_width, ui.width(Font::regular, type.small, bar.note));
        most = std::max({most, bar.recorded, bar.here});
    }
    const float number_width = ui.width(Font::mono_semibold, type.label, "00000");
    const float left = area.x + name_width + 12;
    const float room = std::max(40.f, area.x + area.w - note_width - number_width - 24 - left);
    float y = area.y;
    for (const SpeedBar& bar : bars) {
        const float middle = y + row / 2, height = std::max(6.f, row - 10);
        const auto length = [&](double value) { return std::max(2.f, float(value / most) * room); };
        ui.text({area.x + name_width, middle}, bar.name, type.label,
                bar.shown ? Font::semibold : Font::regular, bar.own ? theme.text1 : theme.text2,
                Align::right);
        const Color color = bar.shown ? theme.work : bar.own ? theme.cut_fill : theme.eliminated;
        if (bar.here > 0)
            ui.fill({left, middle - height / 2, length(bar.here), height}, color, 2);
        if (bar.recorded > 0 && bar.here > 0)
            ui.outline({left, middle - height / 2 - 2, length(bar.recorded), height + 4}, theme.text3, 2, 1);
        else if (bar.recorded > 0)
            ui.fill({left, middle - height / 2, length(bar.recorded), height}, color, 2);
        const float end = left + std::max(length(bar.best()), bar.recorded > 0 ? length(bar.recorded) : 0);
        ui.text({end + 8, middle}, number(bar.best(), cycles), type.label, Font::mono_semibold, theme.text1);
        ui.text({area.x + area.w, middle}, bar.note, type.small, Font::regular, theme.text3, Align::right);
        y += row;
    }
    return y;
}

void measure_here(App& app) {
    app.panels->work.ask("measuring this GPU",
                         [](const Background::Cancelled& cancelled) -> Background::Outcome {
                             auto speed = launch::measure_speed(5, cancelled);
                             return [speed = std::move(speed)](App& shown_in) {
                                 if (speed)
                                     shown_in.panels->speed_here = *speed;
                                 else
                                     notice(shown_in, speed.error().sentence, true);
                             };
                         });
}

}  // namespace

void speed_dialog(App& app, Ui& ui, const BeginDialog& begin) {
    App::Panels& state = *app.panels;
    const Type& type = ui.layout.type;
    const scene::Theme& theme = ui.theme;
    const auto& built_in = launch::recorded_speed();
    const launch::Speed* recorded = built_in ? &*built_in : nullptr;
    const launch::Speed* here = state.speed_here ? &*state.speed_here : nullptr;
    const trace::LaunchConfig& config = app.shown.trace.config;
    if (state.speed_size == 0)
        state.speed_size = nearest_size(config.block);

    const float vw = float(app.view.width), vh = float(app.view.height);
    const float w = std::min(880.f, vw - 24), h = std::min(600.f, vh - 24), pad = 24;
    const Rect r{(vw - w) / 2, (vh - h) / 2, w, h};
    begin(r);
    float right = r.x + w - pad - 76;
    const bool close = ui.button("close", {right, r.y + 13, 76, 30}, "Close");
    const bool can_measure = state.gpu && state.gpu->available;
    ui.text({r.x + pad, r.y + 28},
            here || can_measure || !recorded ? "How fast on this GPU" : "How fast: " + recorded->device,
            type.heading, Font::semibold, theme.text1);
    bool measure = false;
    if (can_measure) {
        right -= 132;
        measure = ui.button("measure", {right, r.y + 13, 122, 30},
                            state.work.busy() ? "Measuring"
                            : here            ? "Measure again"
                                              : "Measure here",
                            true, !state.work.busy());
    }

    // What is shown: a filled disc for what was recorded, a square for what was measured here.
    const bool low = h < 480;  // no room for a word at the foot
    float y = r.y + (low ? 50 : 58);
    const auto source = [&](bool measured, const std::string& text) {
        const Point c{r.x + pad + 5, y};
        if (measured)
            ui.fill({c.x - 5, c.y - 5, 10, 10}, theme.work, 2);
        else if (here)
            ui.outline({c.x - 5, c.y - 5, 10, 10}, theme.text3, 2, 1);
        else
            ui.disc(c, 5, theme.champion);
        ui.text({r.x + pad + 18, y}, text, type.small, Font::regular, theme.text2, Align::left,
                w - 2 * pad - 18, true);
        y += type.small * 1.7f;
    };
    const auto made = [](const launch::Speed& speed) {
        return fmt::format("{}, driver {}, CUDA {}, {}", speed.device, speed.driver, speed.cuda,
                           speed.date.substr(0, 10));
    };
    if (here)
        source(true, "Measured here: " + made(*here));
    if (recorded)
        source(false, (here || can_measure ? "Recorded: "
                       : state.gpu         ? "No GPU here. Recorded: "
                                           : "Looking for a GPU here. Recorded: ") +
                          made(*recorded));
    const launch::Speed* any = here ? here : recorded;
    int chosen = 0;
    if (any) {
        y += low ? 0 : 10;
        ui.text({r.x + pad, y + 13},
                fmt::format("One call in one block: cycles, {} of {}", trace::name_of(config.op),
                            trace::name_of(config.type)),
                type.label, Font::semibold, theme.text1);
        float x = r.x + w - pad;
        for (std::size_t i = std::size(sizes); i-- > 0;) {
            const std::string label = fmt::format("{}", sizes[i]);
            const float width = ui.width(Font::medium, type.label, label) + 22;
            x -= width + 4;
            if (ui.button("size." + label, {x, y, width, 26}, label, sizes[i] == state.speed_size))
                chosen = sizes[i];
        }
        ui.text({x - 8, y + 13}, "threads", type.small, Font::regular, theme.text3, Align::right);
        y += low ? 30 : 36;
        const std::vector<SpeedBar> calls = call_bars(app, recorded, here, state.speed_size);
        const std::vector<SpeedBar> arrays = array_bars(recorded, here);
        const float foot = low ? 4 : type.small * 3.4f;
        const float row = std::clamp((r.y + h - foot - y - 52) / float(calls.size() + arrays.size()),
                                     type.small * 1.1f, 30.f);
        y = draw_bars(ui, {r.x + pad, y, w - 2 * pad, 0}, row, calls, true) + (low ? 4 : 16);
        ui.text({r.x + pad, y + 8},
                fmt::format("The sum of {:.0f} million floats: TB/s", any->array_elements / 1e6), type.label,
                Font::semibold, theme.text1);
        y = draw_bars(ui, {r.x + pad, y + 24, w - 2 * pad, 0}, row, arrays, false) + 8;
        const std::vector<std::string> said = ui.wrap(
            Font::regular, type.small,
            fmt::format(
                "Medians of {} runs in turn, of {} launches each. After a call every thread has "
                "the result: CUB's hands it on through a barrier. Shorter is better above, "
                "longer below. The result card's cycles are the shown run's own, measured apart from these.",
                any->runs, any->launches),
            w - 2 * pad);
        for (const std::string& line : low ? std::vector<std::string>() : said) {
            ui.text({r.x + pad, y + type.small * 0.7f}, line, type.small, Font::regular, theme.text3);
            y += type.small * 1.35f;
        }
    } else {
        ui.text({r.x + pad, y + 10}, "Nothing is recorded, and nothing was measured here.", type.label,
                Font::regular, theme.text2);
    }
    ImGui::End();
    if (chosen)
        state.speed_size = chosen;
    if (measure)
        measure_here(app);
    if (close)
        close_dialog(app);
}

}  // namespace auditorium::panels
