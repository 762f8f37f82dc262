#include "analysis/places.h"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <unordered_map>

namespace auditorium::analysis {

using trace::Event;
using trace::EventKind;

Places places_of(const trace::Trace& trace) {
    Places places;
    places.first.reserve(trace.events.size() + 1);
    std::uint32_t total = 0;
    for (const auto& events : trace.events) {
        places.first.push_back(total);
        total += std::uint32_t(events.size());
    }
    places.first.push_back(total);
    places.step.assign(total, no_step);
    places.interval.resize(total);
    places.thread.resize(total);
    for (std::size_t t = 0; t < trace.events.size(); ++t) {
        std::int32_t interval = 0;
        for (std::size_t e = 0; e < trace.events[t].size(); ++e) {
            const std::uint32_t at = places.first[t] + std::uint32_t(e);
            places.interval[at] = interval;
            places.thread[at] = std::uint16_t(t);
            interval += trace.events[t][e].kind == EventKind::barrier_leave;
        }
    }
    for (std::size_t s = 0; s < trace.steps.size(); ++s)
        for (std::size_t t = 0; t < trace.steps[s].pieces.size(); ++t) {
            const trace::Piece& piece = trace.steps[s].pieces[t];
            for (std::uint32_t e = piece.begin; e < piece.end; ++e)
                places.step[places.first[t] + e] = std::int32_t(s);
        }
    return places;
}

namespace {

bool has_group(const Event& event) {
    return event.kind == EventKind::shuffle ||
           ((event.kind == EventKind::load || event.kind == EventKind::store) &&
            !(event.flags & Event::no_box));
}

struct Key {
    std::uint64_t low, high;
    friend bool operator==(const Key&, const Key&) = default;
};
struct KeyHash {
    std::size_t operator()(const Key& key) const { return key.low * 0x9e3779b97f4a7c15u ^ key.high; }
};

}  // namespace

Groups groups_of(const trace::Trace& trace, const Places& places) {
    Groups groups;
    groups.of_event.assign(places.step.size(), no_group);

    // How often this thread has had an event of a kind on a line in the present interval.
    int last_line = 0;
    for (const auto& events : trace.events)
        for (const Event& event : events)
            last_line = std::max(last_line, int(event.line));
    struct Tally {
        std::uint64_t when = ~std::uint64_t(0);
        std::uint32_t count = 0;
    };
    std::vector<Tally> tallies(std::size_t(last_line + 1) * 3);

    std::unordered_map<Key, std::int32_t, KeyHash> found;  // of the present warp
    for (int warp = 0; warp < trace.warps(); ++warp) {
        found.clear();
        const std::int32_t begin = std::int32_t(groups.all.size());
        const int end_thread = std::min(trace.config.block, (warp + 1) * trace::warp_size);
        for (int thread = warp * trace::warp_size; thread < end_thread; ++thread) {
            const int lane = thread % trace::warp_size;
            std::int32_t next = begin;  // lanes mostly do the same: guess the group after the last one
            for (std::size_t e = 0; e < trace.events[thread].size(); ++e) {
                const Event& event = trace.events[thread][e];
                if (!has_group(event))
                    continue;
                const std::uint32_t at = places.first[thread] + std::uint32_t(e);
                if (places.step[at] == no_step)
                    continue;
                const int kind = event.kind == EventKind::load ? 0 : event.kind == EventKind::store ? 1 : 2;
                const std::uint64_t when = (std::uint64_t(thread) << 32) | std::uint32_t(places.interval[at]);
                Tally& tally = tallies[std::size_t(event.line) * 3 + std::size_t(kind)];
                if (tally.when != when)
                    tally = {when, 0};
                const std::uint32_t count = tally.count++;

                std::int32_t index = no_group;
                if (next < std::int32_t(groups.all.size())) {
                    const Group& guess = groups.all[std::size_t(next)];
                    if (guess.line == event.line && guess.kind == event.kind &&
                        guess.interval == places.interval[at] && guess.count == int(count))
                        index = next;
                }
                if (index == no_group) {
                    const Key key{(std::uint64_t(places.interval[at]) << 32) | count,
                                  (std::uint64_t(event.line) << 2) | std::uint64_t(kind)};
                    const auto [it, is_new] = found.try_emplace(key, std::int32_t(groups.all.size()));
                    if (is_new) {
                        Group group;
                        group.step = places.step[at];
                        group.warp = warp;
                        group.line = event.line;
                        group.interval = places.interval[at];
                        group.count = int(count);
                        group.kind = event.kind;
                        groups.all.push_back(group);
                    }
                    index = it->second;
                }
                next = index + 1;
                Group& group = groups.all[std::size_t(index)];
                group.lanes |= 1u << lane;
                group.event[std::size_t(lane)] = at;
                const std::uint32_t place =
                    std::uint32_t(e) -
                    trace.steps[std::size_t(places.step[at])].pieces[std::size_t(thread)].begin;
                group.rank = std::max(group.rank, place);
            }
        }
    }

    std::sort(groups.all.begin(), groups.all.end(), [](const Group& a, const Group& b) {
        return std::tie(a.step, a.warp, a.rank, a.line, a.kind, a.count) <
               std::tie(b.step, b.warp, b.rank, b.line, b.kind, b.count);
    });
    for (std::size_t g = 0; g < groups.all.size(); ++g)
        for (int lane = 0; lane < trace::warp_size; ++lane)
            if (groups.all[g].lanes >> lane & 1)
                groups.of_event[groups.all[g].event[std::size_t(lane)]] = std::int32_t(g);
    return groups;
}

}  // namespace auditorium::analysis
