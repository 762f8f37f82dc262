#include "analysis/hits.h"

#include <algorithm>

namespace auditorium::analysis {

using trace::Event;
using trace::EventKind;

std::vector<std::vector<int>> hits_of(const trace::Trace& trace, const Places& places,
                                      const std::vector<Barrier>& barriers) {
    int last_line = 0;
    for (const auto& events : trace.events)
        for (const Event& event : events)
            last_line = std::max(last_line, int(event.line));

    // No real kernel comes near this bound: it keeps a hostile file from asking for gigabytes.
    constexpr std::size_t most_cells = std::size_t(1) << 24;
    const std::size_t steps = trace.steps.size();
    const std::size_t lines = std::min(std::size_t(last_line) + 1, most_cells / (steps + 1));
    std::vector<std::vector<int>> hits(steps + 1, std::vector<int>(lines, 0));
    std::vector<std::uint64_t> seen(std::size_t(last_line) + 1, ~std::uint64_t(0));  // thread and step
    for (std::size_t t = 0; t < trace.events.size(); ++t)
        for (std::size_t e = 0; e < trace.events[t].size(); ++e) {
            const Event& event = trace.events[t][e];
            if (event.line >= lines)
                continue;
            const std::uint32_t at = places.first[t] + std::uint32_t(e);
            int step = places.step[at];
            if (event.kind == EventKind::barrier_arrive) {
                const std::size_t barrier = std::size_t(places.interval[at]);
                step = barrier < barriers.size() ? barriers[barrier].arrival_step[t / trace::warp_size]
                                                 : no_step;
                if (step != no_step)
                    hits[std::size_t(step) + 1][event.line] += 1;
                continue;
            }
            if (step == no_step)
                continue;
            const std::uint64_t now = (std::uint64_t(t) << 32) | std::uint32_t(step);
            if (seen[event.line] == now)
                continue;
            seen[event.line] = now;
            hits[std::size_t(step) + 1][event.line] += 1;
        }
    for (std::size_t s = 1; s <= steps; ++s)
        for (std::size_t line = 0; line < lines; ++line)
            hits[s][line] += hits[s - 1][line];
    return hits;
}

}  // namespace auditorium::analysis
