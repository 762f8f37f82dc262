// Which of a thread's events are points at which the timed kernels can read the clock.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "kernels/points.h"
#include "trace/trace.h"

namespace auditorium::launch {

// The points of kernels/points.h among one thread's events: {point, event}, the return last.
inline std::vector<std::pair<int, std::size_t>> points_of(const std::vector<trace::Event>& events) {
    std::vector<std::pair<int, std::size_t>> points;
    kernels::Points counter;
    for (std::size_t i = 0; i < events.size(); ++i) {
        int point = kernels::Points::no_point;
        switch (events[i].kind) {
            case trace::EventKind::load:
                point = counter.load();
                break;
            case trace::EventKind::store:
                point = counter.store();
                break;
            case trace::EventKind::combine:
                point = counter.combine();
                break;
            case trace::EventKind::shuffle:
                point = counter.shuffle();
                break;
            case trace::EventKind::syncwarp:
                point = counter.syncwarp();
                break;
            case trace::EventKind::barrier_arrive:
                point = counter.barrier_arrive();
                break;
            case trace::EventKind::barrier_leave:
                point = counter.barrier_leave();
                break;
        }
        if (point != kernels::Points::no_point) {
            points.emplace_back(point, i);
        }
    }
    points.emplace_back(counter.end(), events.size());
    return points;
}

}  // namespace auditorium::launch
