#include "analysis/hazards.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace auditorium::analysis {

using trace::Event;
using trace::EventKind;

namespace {

struct Access {
    std::uint32_t box;
    std::int32_t interval;
    std::uint16_t thread;
    bool store;
    std::uint16_t line;
    std::uint32_t bits;
    std::uint32_t place;        // among its thread's accesses since the last barrier
    std::uint32_t syncs;        // __syncwarps that the thread had passed since the last barrier
    std::uint32_t syncs_after;  // and those that it still passes before the next one
};

std::vector<Access> accesses_of(const trace::Trace& trace, const Places& places) {
    std::vector<Access> accesses;
    accesses.reserve(places.step.size());
    for (std::size_t t = 0; t < trace.events.size(); ++t) {
        const auto& events = trace.events[t];
        std::size_t interval_begin = accesses.size();
        std::uint32_t place = 0, syncs = 0;
        const auto close = [&] {
            for (std::size_t i = interval_begin; i < accesses.size(); ++i)
                accesses[i].syncs_after = syncs - accesses[i].syncs;
            interval_begin = accesses.size();
            place = syncs = 0;
        };
        for (std::size_t e = 0; e < events.size(); ++e) {
            const Event& event = events[e];
            if (event.kind == EventKind::barrier_leave)
                close();
            else if (event.kind == EventKind::syncwarp)
                ++syncs;
            else if ((event.kind == EventKind::load || event.kind == EventKind::store) &&
                     !(event.flags & Event::no_box))
                accesses.push_back({event.arg, places.interval[places.first[t] + e], std::uint16_t(t),
                                    event.kind == EventKind::store, event.line, event.bits, place++, syncs,
                                    0});
        }
        close();
    }
    return accesses;
}

bool ordered_by_syncwarp(const Access& a, const Access& b) {
    // The one that follows the access with fewer of them before it lies between the two, if its thread passes
    // it.
    return a.syncs < b.syncs ? a.syncs_after > 0 : b.syncs < a.syncs && b.syncs_after > 0;
}

bool comes_first(const Access& a, const Access& b) {
    return std::make_tuple(a.place, !a.store, a.thread) < std::make_tuple(b.place, !b.store, b.thread);
}

}  // namespace

std::vector<Hazard> hazards_of(const trace::Trace& trace, const Places& places) {
    std::vector<Access> accesses = accesses_of(trace, places);

    // Only boxes that are stored to in an interval matter; bring the accesses of one box and interval
    // together.
    const std::size_t boxes = std::size_t(trace.config.block);
    std::int32_t intervals = 0;
    for (const Access& access : accesses)
        intervals = std::max(intervals, access.interval + 1);
    std::vector<std::uint8_t> stored(boxes * std::size_t(intervals), 0);
    const auto cell = [&](const Access& access) {
        return std::size_t(access.interval) * boxes + std::min<std::size_t>(access.box, boxes - 1);
    };
    for (const Access& access : accesses)
        if (access.store)
            stored[cell(access)] = 1;
    std::erase_if(accesses, [&](const Access& access) { return !stored[cell(access)]; });
    std::sort(accesses.begin(), accesses.end(), [](const Access& a, const Access& b) {
        return std::tie(a.interval, a.box, a.thread, a.place) <
               std::tie(b.interval, b.box, b.thread, b.place);
    });

    // Pairs that are looked at: no real kernel comes near this bound, a hostile file might otherwise never
    // end.
    std::size_t budget = std::size_t(1) << 24;
    std::map<std::tuple<int, int, int, std::string>, Hazard> found;  // severity, lines, name
    for (std::size_t begin = 0, end = 0; begin < accesses.size(); begin = end) {
        while (end < accesses.size() && accesses[end].interval == accesses[begin].interval &&
               accesses[end].box == accesses[begin].box)
            ++end;
        if (accesses[begin].thread == accesses[end - 1].thread)
            continue;  // one thread alone
        for (std::size_t s = begin; s < end; ++s) {
            if (!accesses[s].store || budget < end - begin)
                continue;
            budget -= end - begin;
            for (std::size_t o = begin; o < end; ++o) {
                const Access& store = accesses[s];
                const Access& other = accesses[o];
                if (other.thread == store.thread || (other.store && (o < s || other.bits == store.bits)))
                    continue;
                const bool one_warp = store.thread / trace::warp_size == other.thread / trace::warp_size;
                if (one_warp && ordered_by_syncwarp(store, other))
                    continue;
                const bool store_first = comes_first(store, other);
                const Access& first = store_first ? store : other;
                const Access& second = store_first ? other : store;
                const char* kind = other.store ? "WAW" : store_first ? "RAW" : "WAR";
                Hazard& hazard = found[{one_warp, first.line, second.line, kind}];
                if (hazard.kind.empty()) {
                    hazard.kind = kind;
                    hazard.severity = one_warp ? Severity::warning : Severity::error;
                    hazard.first_line = first.line;
                    hazard.second_line = second.line;
                    hazard.box = int(first.box);
                    hazard.first_thread = first.thread;
                    hazard.second_thread = second.thread;
                }
                if (hazard.boxes.empty() || hazard.boxes.back() != int(first.box))
                    hazard.boxes.push_back(int(first.box));
                hazard.threads.push_back(first.thread);
                hazard.threads.push_back(second.thread);
            }
        }
    }

    std::vector<Hazard> hazards;
    for (auto& [key, hazard] : found) {
        for (std::vector<int>* list : {&hazard.boxes, &hazard.threads}) {
            std::sort(list->begin(), list->end());
            list->erase(std::unique(list->begin(), list->end()), list->end());
        }
        hazards.push_back(std::move(hazard));
    }
    return hazards;
}

}  // namespace auditorium::analysis
