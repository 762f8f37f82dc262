#include "analysis/divergence.h"

#include <bit>

namespace auditorium::analysis {

using trace::EventKind;

std::vector<Counts> counts_of(std::size_t steps, const std::vector<Request>& requests, const Groups& groups) {
    std::vector<Counts> counts(steps);
    for (const Request& request : requests) {
        Counts& step = counts[std::size_t(request.step)];
        if (request.kind == EventKind::load) {
            step.load_requests += 1;
            step.load_wavefronts += request.wavefronts;
            step.load_bank_conflicts += request.wavefronts - 1;
        } else {
            step.store_requests += 1;
            step.store_wavefronts += request.wavefronts;
            step.store_bank_conflicts += request.wavefronts - 1;
        }
    }
    for (const Group& group : groups.all) {
        Counts& step = counts[std::size_t(group.step)];
        step.shuffle_requests += group.kind == EventKind::shuffle;
        step.active_lanes += std::popcount(group.lanes);
        step.lane_slots += trace::warp_size;
    }
    return counts;
}

Counts sum_of(const std::vector<Counts>& counts) {
    Counts sum;
    for (const Counts& step : counts) {
        sum.load_requests += step.load_requests;
        sum.store_requests += step.store_requests;
        sum.load_wavefronts += step.load_wavefronts;
        sum.store_wavefronts += step.store_wavefronts;
        sum.load_bank_conflicts += step.load_bank_conflicts;
        sum.store_bank_conflicts += step.store_bank_conflicts;
        sum.shuffle_requests += step.shuffle_requests;
        sum.active_lanes += step.active_lanes;
        sum.lane_slots += step.lane_slots;
    }
    return sum;
}

}  // namespace auditorium::analysis
