#include "analysis/timing.h"

#include <algorithm>

namespace auditorium::analysis {

using trace::EventKind;

std::vector<std::optional<double>> cycles_of(const trace::Trace& trace) {
    std::vector<std::optional<double>> cycles(trace.steps.size());
    if (trace.stamps.empty())
        return cycles;

    const std::size_t warps = std::size_t(trace.warps());
    std::vector<std::vector<double>> stamp(warps);  // per warp and event of its lane 0; -1: not stamped
    for (std::size_t w = 0; w < warps; ++w)
        stamp[w].assign(trace.events[w * trace::warp_size].size() + 1, -1);
    for (const trace::Stamp& s : trace.stamps)
        if (s.warp >= 0 && std::size_t(s.warp) < warps && s.event >= 0 &&
            std::size_t(s.event) < stamp[std::size_t(s.warp)].size())
            stamp[std::size_t(s.warp)][std::size_t(s.event)] = s.median;

    for (std::size_t s = 0; s < trace.steps.size(); ++s) {
        const trace::Step& step = trace.steps[s];
        double begin = -1, end = -1;
        bool known = false, unknown = false;
        for (std::size_t w = 0; w < warps; ++w) {
            const trace::Piece piece = step.pieces[w * trace::warp_size];
            if (piece.empty())
                continue;
            const auto& events = trace.events[w * trace::warp_size];
            double first = piece.begin == 0 ? 0 : stamp[w][piece.begin];
            if (first < 0 && events[piece.begin - 1].kind == EventKind::barrier_leave)
                first = stamp[w][piece.begin - 1];
            std::size_t last = piece.end;
            if (step.barrier_after)
                while (last < events.size() && events[last].kind != EventKind::barrier_leave)
                    ++last;
            const double past = stamp[w][last];
            unknown |= first < 0 || past < 0;
            known = true;
            begin = std::max(begin, first);
            end = std::max(end, past);
        }
        if (known && !unknown)
            cycles[s] = end - begin;
    }
    return cycles;
}

std::optional<double> stamped_cycles(const trace::Trace& trace) {
    double latest = 0;
    int returned = 0;
    for (const trace::Stamp& s : trace.stamps)
        if (std::size_t(s.event) == trace.events[std::size_t(s.warp) * trace::warp_size].size()) {
            latest = std::max(latest, s.median);
            ++returned;
        }
    return returned > 0 && returned == trace.warps() ? std::optional(latest) : std::nullopt;
}

std::optional<double> disturbance(const trace::Trace& trace) {
    const std::optional<double> stamped = stamped_cycles(trace);
    if (!stamped || !trace.cycles || trace.cycles->median <= 0)
        return std::nullopt;
    return *stamped / trace.cycles->median - 1;
}

}  // namespace auditorium::analysis
