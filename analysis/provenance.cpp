#include "analysis/provenance.h"

#include <algorithm>

namespace auditorium::analysis {

using trace::Event;
using trace::EventKind;
using Kind = Source::Kind;

namespace {

// What one thread holds while its events are followed.
struct Register {
    Source source;
    std::uint32_t bits = 0;
    bool undefined = false;
    std::int32_t interval = -1;  // when it was made; -1: before the kernel
};

bool has_loaded(const trace::Trace& trace, const Places& places, int thread, std::uint32_t at) {
    const std::uint32_t first = places.first[std::size_t(thread)];
    for (std::uint32_t e = at; e-- > first && places.interval[e] == places.interval[at];)
        if (trace.events[std::size_t(thread)][e - first].kind == EventKind::load)
            return true;
    return false;
}

// Lanes of each shuffle that have loaded something since the last barrier.
std::vector<std::uint32_t> lanes_that_loaded(const trace::Trace& trace, const Places& places,
                                             const Groups& groups) {
    std::vector<std::uint32_t> lanes(groups.all.size(), 0);
    for (std::size_t g = 0; g < groups.all.size(); ++g) {
        const Group& group = groups.all[g];
        if (group.kind != EventKind::shuffle)
            continue;
        for (int lane = 0; lane < trace::warp_size; ++lane)
            if (group.lanes >> lane & 1 && has_loaded(trace, places, group.warp * trace::warp_size + lane,
                                                      group.event[std::size_t(lane)]))
                lanes[g] |= 1u << lane;
    }
    return lanes;
}

class ThreadWalk {
  public:
    ThreadWalk(const trace::Trace& trace, const Places& places, const Groups& groups,
               const std::vector<std::uint32_t>& loaded, std::size_t thread, Provenance& out)
        : trace_(trace), places_(places), groups_(groups), loaded_(loaded), thread_(thread), out_(out) {}

    void walk() {
        const auto& events = trace_.events[thread_];
        int call = 0;
        start_call(0);
        for (std::size_t e = 0; e < events.size(); ++e) {
            const std::uint32_t at = places_.first[thread_] + std::uint32_t(e);
            if (places_.step[at] != no_step) {
                const int now = trace_.steps[std::size_t(places_.step[at])].call;
                if (now != call) {
                    end_call(call, e);
                    start_call(e);
                    call = now;
                }
            }
            take(events[e], at);
        }
        end_call(call, events.size());
    }

  private:
    void start_call(std::size_t event) {
        call_begin_ = event;
        now_ = {own_input(), trace_.config.values[thread_], false, -1};
        before_last_ = now_;
        last_received_ = now_.source;
    }

    // The value returned: what the thread holds, or whatever of this call has the bits that it returned.
    void end_call(int call, std::size_t event) {
        if (std::size_t(call) >= out_.results.size())
            return;
        Source& result = out_.results[std::size_t(call)][thread_];
        const std::uint32_t bits = trace_.results[std::size_t(call)][thread_];
        result = now_.source;
        if (now_.undefined || now_.bits == bits)
            return;
        for (std::size_t e = event; e-- > call_begin_;) {
            const Event& made = trace_.events[thread_][e];
            if ((made.kind == EventKind::load || made.kind == EventKind::shuffle ||
                 made.kind == EventKind::combine) &&
                made.bits == bits) {
                result = {Kind::event, places_.first[thread_] + std::uint32_t(e)};
                return;
            }
        }
        result = bits == trace_.config.values[thread_] ? own_input() : Source{Kind::constant, bits};
    }

    Source own_input() const { return {Kind::input, std::uint32_t(thread_)}; }

    void take(const Event& event, std::uint32_t at) {
        Made& made = out_.of_event[at];
        switch (event.kind) {
            case EventKind::load: {
                const bool written = event.writer < trace_.events.size() &&
                                     event.writer_event < trace_.events[event.writer].size();
                if (written)
                    made.a = {Kind::event, places_.first[event.writer] + event.writer_event};
                receive(event, at);
                break;
            }
            case EventKind::store:
                made.a = now_.undefined || now_.bits == event.bits ? now_.source : own_input();
                break;
            case EventKind::shuffle:
                made.b = given(event, at);
                if (made.b != now_.source) {  // the lane's variable is not the register
                    now_.source = made.b;
                    now_.bits = event.sent;
                }
                receive(event, at);
                break;
            case EventKind::combine:
                made.a = before_last_.source;
                made.b = last_received_;
                hold(event, at);
                break;
            default:
                break;
        }
    }

    void hold(const Event& event, std::uint32_t at) {
        now_ = {{Kind::event, at}, event.bits, (event.flags & Event::undefined) != 0, places_.interval[at]};
    }

    void receive(const Event& event, std::uint32_t at) {
        before_last_ = now_;
        last_received_ = {Kind::event, at};
        hold(event, at);
    }

    Source given(const Event& event, std::uint32_t at) const {
        const std::int32_t group = groups_.of_event[at];
        if (group != no_group && now_.interval < places_.interval[at]) {
            const std::uint32_t mine = 1u << (thread_ % trace::warp_size);
            const std::uint32_t loaded = loaded_[std::size_t(group)];
            if (loaded & ~mine && !(loaded & mine))
                return {Kind::constant, event.sent};
        }
        if (now_.undefined || now_.bits == event.sent)
            return now_.source;
        if (event.sent == trace_.config.values[thread_])
            return own_input();
        return {Kind::constant, event.sent};
    }

    const trace::Trace& trace_;
    const Places& places_;
    const Groups& groups_;
    const std::vector<std::uint32_t>& loaded_;
    const std::size_t thread_;
    Provenance& out_;

    std::size_t call_begin_ = 0;
    Register now_, before_last_;
    Source last_received_;
};

const Event& event_at(const trace::Trace& trace, const Places& places, std::uint32_t at) {
    const std::size_t thread = places.thread[at];
    return trace.events[thread][at - places.first[thread]];
}

// The one or two values that an event's value was made of.
int operands(const trace::Trace& trace, const Places& places, const Provenance& provenance, std::uint32_t at,
             Source (&out)[2]) {
    out[0] = provenance.of_event[at].a;
    out[1] = provenance.of_event[at].b;
    return event_at(trace, places, at).kind == EventKind::combine ? 2 : 1;
}

}  // namespace

Provenance provenance_of(const trace::Trace& trace, const Places& places, const Groups& groups) {
    Provenance provenance;
    provenance.of_event.resize(places.step.size());
    provenance.results.assign(trace.results.size(), std::vector<Source>(trace.events.size()));
    const std::vector<std::uint32_t> loaded = lanes_that_loaded(trace, places, groups);
    for (std::size_t thread = 0; thread < trace.events.size(); ++thread)
        ThreadWalk(trace, places, groups, loaded, thread, provenance).walk();

    // What each lane received is what its source lane gave in the same shuffle.
    for (const Group& group : groups.all) {
        if (group.kind != EventKind::shuffle)
            continue;
        for (std::size_t lane = 0; lane < 32; ++lane) {
            if (!(group.lanes >> lane & 1))
                continue;
            const std::uint32_t at = group.event[lane];
            const Event& event = event_at(trace, places, at);
            Made& made = provenance.of_event[at];
            if (event.flags & Event::no_partner)
                made.a = made.b;
            else if (!(event.flags & Event::bad_mask) && event.arg < 32 && (group.lanes >> event.arg & 1))
                made.a = provenance.of_event[group.event[event.arg]].b;
        }
    }
    return provenance;
}

bool Fold::every_input_once() const {
    return !undefined && std::all_of(times.begin(), times.end(), [](std::uint8_t n) { return n == 1; });
}

Fold fold_of(const trace::Trace& trace, const Places& places, const Provenance& provenance, Source value) {
    Fold fold;
    fold.times.assign(trace.events.size(), 0);

    // Depth first, so that `order` lists each event after everything it was made of. A hostile trace may
    // name its writers in a circle: an event on the way to itself is not entered again.
    enum : std::uint8_t { unseen, open, done };
    std::vector<std::uint8_t> state(places.step.size(), unseen);
    std::vector<std::uint32_t> order;
    std::vector<std::pair<std::uint32_t, int>> stack;
    if (value.kind == Kind::event) {
        stack.push_back({value.at, 0});
        state[value.at] = open;
    }
    while (!stack.empty()) {
        auto& [at, child] = stack.back();
        Source parts[2];
        const int count = operands(trace, places, provenance, at, parts);
        if (child == count) {
            state[at] = done;
            order.push_back(at);
            stack.pop_back();
            continue;
        }
        const Source part = parts[child++];
        if (part.kind == Kind::event && state[part.at] == unseen) {
            state[part.at] = open;
            stack.push_back({part.at, 0});
        }
    }

    std::vector<std::uint8_t> times(places.step.size(), 0);
    const auto add = [](std::uint8_t& n, std::uint8_t more) { n = std::uint8_t(std::min(2, n + more)); };
    const auto leaf = [&](Source source, std::uint8_t n) {
        switch (source.kind) {
            case Kind::event:
                add(times[source.at], n);
                break;
            case Kind::input:
                add(fold.times[source.at], n);
                break;
            case Kind::constant:
                fold.constants.push_back(source.at);
                break;
            case Kind::undefined:
                fold.undefined = true;
                break;
        }
    };
    leaf(value, 1);
    for (auto at = order.rbegin(); at != order.rend(); ++at) {
        Source parts[2];
        const int count = operands(trace, places, provenance, *at, parts);
        for (int i = 0; i < count; ++i)
            leaf(parts[i], times[*at]);
    }
    std::sort(fold.constants.begin(), fold.constants.end());
    fold.constants.erase(std::unique(fold.constants.begin(), fold.constants.end()), fold.constants.end());

    std::vector<int> height(places.step.size(), 0);
    for (const std::uint32_t at : order) {
        Source parts[2];
        const int count = operands(trace, places, provenance, at, parts);
        int below = 0;
        for (int i = 0; i < count; ++i)
            if (parts[i].kind == Kind::event)
                below = std::max(below, height[parts[i].at]);
        height[at] = below + (count == 2);
        fold.height = std::max(fold.height, height[at]);
    }
    return fold;
}

std::vector<std::uint8_t> used_events(const trace::Trace& trace, const Places& places,
                                      const Provenance& provenance) {
    std::vector<std::uint8_t> used(places.step.size(), 0);
    std::vector<std::uint32_t> open;
    const auto visit = [&](Source source) {
        if (source.kind == Kind::event && !used[source.at]) {
            used[source.at] = 1;
            open.push_back(source.at);
        }
    };
    for (const auto& call : provenance.results)
        for (const Source& result : call)
            visit(result);
    while (!open.empty()) {
        const std::uint32_t at = open.back();
        open.pop_back();
        Source parts[2];
        const int count = operands(trace, places, provenance, at, parts);
        for (int i = 0; i < count; ++i)
            visit(parts[i]);
    }
    return used;
}

}  // namespace auditorium::analysis
