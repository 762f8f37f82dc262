#include "analysis/requests.h"

#include <algorithm>

namespace auditorium::analysis {

using trace::EventKind;

Wavefronts wavefronts_of(std::uint32_t lanes, const std::array<std::uint16_t, 32>& words) {
    Wavefronts result;
    std::array<std::array<std::uint16_t, 32>, banks>
        queue;  // per bank: the different words, first come first
    std::array<std::uint8_t, banks> length{};
    for (std::size_t lane = 0; lane < 32; ++lane) {
        if (!(lanes >> lane & 1))
            continue;
        const std::size_t bank = words[lane] % banks;
        std::uint8_t place = 0;
        while (place < length[bank] && queue[bank][place] != words[lane])
            ++place;
        if (place == length[bank])
            queue[bank][length[bank]++] = words[lane];
        result.of_lane[lane] = place;
        result.count = std::max(result.count, int(length[bank]));
    }
    return result;
}

std::vector<Request> requests_of(const trace::Trace& trace, const Places& places, const Groups& groups) {
    std::vector<Request> requests;
    requests.reserve(groups.all.size());
    for (const Group& group : groups.all) {
        if (group.kind == EventKind::shuffle)
            continue;
        Request request;
        request.step = group.step;
        request.warp = group.warp;
        request.line = group.line;
        request.kind = group.kind;
        request.lanes = group.lanes;
        if (!requests.empty() && requests.back().step == group.step && requests.back().warp == group.warp)
            request.order = requests.back().order + 1;
        bool one_word = true;
        int word = -1, active = 0;
        for (std::size_t lane = 0; lane < 32; ++lane) {
            if (!(group.lanes >> lane & 1))
                continue;
            const std::size_t thread = std::size_t(group.warp) * 32 + lane;
            const trace::Event* events = trace.events[thread].data();
            request.box[lane] = events[group.event[lane] - places.first[thread]].arg;
            one_word &= word < 0 || word == request.box[lane];
            word = request.box[lane];
            ++active;
        }
        const Wavefronts wavefronts = wavefronts_of(request.lanes, request.box);
        request.wavefront = wavefronts.of_lane;
        request.wavefronts = wavefronts.count;
        request.broadcast = one_word && active > 1;
        requests.push_back(request);
    }
    return requests;
}

}  // namespace auditorium::analysis
