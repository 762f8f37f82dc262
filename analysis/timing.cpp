#include "analysis/timing.h"

#include <algorithm>

namespace auditorium::analysis {

using trace::EventKind;

namespace {

// A stamp is late by what taking it costs, and each was taken in launches of its own, so a warp's next stamp
// can be the smaller one: what comes later bounds what came before.
void bound(std::vector<double>& stamp) {
    double next = -1;
    for (std::size_t event = stamp.size(); event-- > 0;) {
        if (stamp[event] < 0)
            continue;
        if (next >= 0)
            stamp[event] = std::min(stamp[event], next);
        next = stamp[event];
    }
}

}  // namespace

std::vector<std::vector<double>> stamps_of(const trace::Trace& trace) {
    const std::size_t warps = std::size_t(trace.warps());
    std::vector<std::vector<double>> stamp(warps);
    for (std::size_t w = 0; w < warps; ++w)
        stamp[w].assign(trace.events[w * trace::warp_size].size() + 1, -1);
    for (const trace::Stamp& s : trace.stamps)
        if (s.warp >= 0 && std::size_t(s.warp) < warps && s.event >= 0 &&
            std::size_t(s.event) < stamp[std::size_t(s.warp)].size())
            stamp[std::size_t(s.warp)][std::size_t(s.event)] = s.median;
    for (std::vector<double>& of_warp : stamp)
        bound(of_warp);
    return stamp;
}

std::vector<std::vector<WarpTime>> warp_times(const trace::Trace& trace) {
    std::vector<std::vector<WarpTime>> times(trace.steps.size());
    if (trace.stamps.empty())
        return times;
    const std::vector<std::vector<double>> stamp = stamps_of(trace);
    const std::size_t warps = stamp.size();
    for (std::size_t s = 0; s < trace.steps.size(); ++s) {
        const trace::Step& step = trace.steps[s];
        std::vector<WarpTime> row(warps);
        bool unknown = false;
        for (std::size_t w = 0; w < warps; ++w) {
            const int first = int(w) * trace::warp_size;
            bool works = false;
            for (int t = first; t < std::min(trace.config.block, first + trace::warp_size); ++t)
                works |= step.active(t);
            if (!works)
                continue;
            const trace::Piece piece = step.pieces[std::size_t(first)];
            const auto& events = trace.events[std::size_t(first)];
            if (piece.empty()) {  // lane 0, which is the one that is stamped, has no part in it
                unknown = true;
                continue;
            }
            WarpTime& time = row[w];
            time.begin = piece.begin == 0 ? 0 : stamp[w][piece.begin];
            if (time.begin < 0 && events[piece.begin - 1].kind == EventKind::barrier_leave)
                time.begin = stamp[w][piece.begin - 1];
            time.work = time.end = stamp[w][piece.end];
            std::size_t leave = piece.end;
            if (step.barrier_after) {
                while (leave < events.size() && events[leave].kind != EventKind::barrier_leave)
                    ++leave;
                time.end = stamp[w][leave];
            }
            unknown |= time.begin < 0 || time.work < time.begin || time.end < time.work;
        }
        if (!unknown)
            times[s] = std::move(row);
    }
    return times;
}

std::vector<std::optional<double>> cycles_of(const trace::Trace& trace) {
    std::vector<std::optional<double>> cycles(trace.steps.size());
    if (trace.stamps.empty())
        return cycles;
    const std::vector<std::vector<double>> stamp = stamps_of(trace);
    const std::size_t warps = stamp.size();

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
