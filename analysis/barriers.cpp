#include "analysis/barriers.h"

#include <algorithm>

namespace auditorium::analysis {

using trace::Event;
using trace::EventKind;

namespace {

// Per thread: how many barriers it comes to.
std::vector<int> arrivals_of(const trace::Trace& trace) {
    std::vector<int> arrivals(trace.events.size(), 0);
    for (std::size_t t = 0; t < trace.events.size(); ++t)
        for (const Event& event : trace.events[t])
            arrivals[t] += event.kind == EventKind::barrier_arrive;
    return arrivals;
}

}  // namespace

std::vector<Barrier> barriers_of(const trace::Trace& trace, const Places& places) {
    std::vector<Barrier> barriers;
    const std::size_t warps = std::size_t(trace.warps());

    // The steps of each interval: first, and per warp the last one with a piece of it.
    struct Interval {
        int first_step = no_step;
        std::vector<int> last_step;  // per warp
    };
    std::vector<Interval> intervals;
    for (std::size_t s = 0; s < trace.steps.size(); ++s) {
        const trace::Step& step = trace.steps[s];
        if (step.interval < 0)
            continue;
        if (std::size_t(step.interval) >= intervals.size())
            intervals.resize(std::size_t(step.interval) + 1);
        Interval& interval = intervals[std::size_t(step.interval)];
        if (interval.first_step == no_step)
            interval.first_step = int(s);
        interval.last_step.resize(warps, no_step);
        for (std::size_t t = 0; t < step.pieces.size(); ++t)
            if (!step.pieces[t].empty())
                interval.last_step[t / trace::warp_size] = int(s);
    }

    for (std::size_t t = 0; t < trace.events.size(); ++t)
        for (std::size_t e = 0; e < trace.events[t].size(); ++e) {
            const Event& event = trace.events[t][e];
            if (event.kind != EventKind::barrier_arrive)
                continue;
            const std::size_t number = std::size_t(places.interval[places.first[t] + e]);
            while (barriers.size() <= number) {
                Barrier barrier;
                barrier.arrival_step.assign(warps, no_step);
                barriers.push_back(std::move(barrier));
            }
            Barrier& barrier = barriers[number];
            barrier.arrived += 1;
            if (std::find(barrier.lines.begin(), barrier.lines.end(), event.line) == barrier.lines.end())
                barrier.lines.push_back(event.line);
            int& arrival = barrier.arrival_step[t / trace::warp_size];
            if (number < intervals.size()) {
                const Interval& interval = intervals[number];
                const int last =
                    interval.last_step.empty() ? no_step : interval.last_step[t / trace::warp_size];
                arrival = last != no_step ? last : interval.first_step;
            } else if (arrival == no_step) {
                arrival = int(trace.steps.size()) - 1;
            }
        }
    const std::vector<int> arrivals = arrivals_of(trace);
    for (std::size_t k = 0; k < barriers.size(); ++k) {
        Barrier& barrier = barriers[k];
        for (std::size_t t = 0; barrier.arrived < trace.config.block && t < arrivals.size(); ++t)
            if (std::size_t(arrivals[t]) <= k)
                barrier.absent.push_back(int(t));
        std::sort(barrier.lines.begin(), barrier.lines.end());
        barrier.mismatch = barrier.arrived != trace.config.block || barrier.lines.size() > 1;
    }
    return barriers;
}

void mark_waiting(const trace::Trace& trace, const std::vector<Barrier>& barriers,
                  std::vector<StepAnalysis>& steps) {
    const std::size_t warps = std::size_t(trace.warps());
    const std::vector<int> arrivals = arrivals_of(trace);
    // Per warp: the interval of its next piece, looking from the end.
    std::vector<int> next_interval(warps, -1);
    int ended = -1;  // the interval whose last step before its barrier has been found
    for (std::size_t s = steps.size(); s-- > 0;) {
        const trace::Step& step = trace.steps[s];
        StepAnalysis& out = steps[s];
        const bool followed = step.interval >= 0 && std::size_t(step.interval) < barriers.size();
        out.barrier = followed ? step.interval + 1 : 0;
        // Where the barriers match, all threads of a step come to the same one.
        for (std::size_t t = 0; followed && ended != step.interval && t < step.pieces.size(); ++t)
            if (!step.pieces[t].empty() && arrivals[t] > step.interval) {
                out.barrier_after = step.interval < trace.barriers;
                ended = step.interval;
            }
        out.waiting.assign(warps, 0);
        out.exited.assign(warps, 0);
        for (std::size_t t = 0; t < step.pieces.size(); ++t)
            if (!step.pieces[t].empty())
                next_interval[t / trace::warp_size] = step.interval;
        for (std::size_t w = 0; w < warps; ++w) {
            if (next_interval[w] == step.interval)
                continue;  // it has something to do yet in this interval
            const bool arrives = followed && barriers[std::size_t(step.interval)].arrival_step[w] != no_step;
            if (arrives)
                out.waiting[w] = 1;
            else if (next_interval[w] < 0)
                out.exited[w] = 1;
        }
    }
}

}  // namespace auditorium::analysis
