#include "app/scene/prepared.h"

#include <algorithm>
#include <cmath>

namespace auditorium::scene {
namespace {

using trace::Event;
using trace::EventKind;
using trace::StepKind;

// What one thread does with the boards in one step.
struct Deeds {
    std::vector<int> loads, stores;
    bool combines = false;
};

void deeds_of(const trace::Trace& trace, const trace::Step& step, int thread, Deeds& out) {
    out.loads.clear();
    out.stores.clear();
    out.combines = false;
    const trace::Piece& piece = step.pieces[thread];
    for (std::uint32_t e = piece.begin; e < piece.end; ++e) {
        const Event& event = trace.events[thread][e];
        if (event.flags & Event::no_box)
            continue;
        if (event.kind == EventKind::load)
            out.loads.push_back(event.arg);
        else if (event.kind == EventKind::store)
            out.stores.push_back(event.arg);
        else if (event.kind == EventKind::combine)
            out.combines = true;
    }
}

Toward direction(int from, int to) {
    const int rows = to / trace::warp_size - from / trace::warp_size;
    if (rows)
        return rows < 0 ? Toward::up : Toward::down;
    return to < from ? Toward::left : Toward::right;
}

void plan_roles(const trace::Trace& trace, int s, StepPlan& plan) {
    const trace::Step& step = trace.steps[s];
    Deeds deeds;
    for (int thread = 0; thread < trace.config.block; ++thread) {
        if (!step.active(thread))
            continue;
        deeds_of(trace, step, thread, deeds);
        plan.combines |= deeds.combines;
        for (const int box : deeds.stores)
            plan.role[box] |= role_written;
        for (const int box : deeds.loads) {
            const bool own = deeds.stores.empty() ||
                             std::find(deeds.stores.begin(), deeds.stores.end(), box) != deeds.stores.end();
            plan.role[box] |= own ? role_own : role_partner;
            if (own)
                continue;
            plan.toward[box] = direction(box, deeds.stores.back());
            const int from = box / trace::warp_size, to = deeds.stores.back() / trace::warp_size;
            if (from != to && box % trace::warp_size == deeds.stores.back() % trace::warp_size) {
                const auto same = [&](const Fold& fold) { return fold.from == from && fold.to == to; };
                if (std::none_of(plan.folds.begin(), plan.folds.end(), same))
                    plan.folds.push_back({std::uint8_t(from), std::uint8_t(to)});
            }
        }
    }
}

// Does the thread do anything after step s of its call, other than read the result?
bool works_later(const trace::Trace& trace, int s, int thread) {
    for (int n = s + 1; n < int(trace.steps.size()) && trace.steps[n].call == trace.steps[s].call; ++n)
        if (trace.steps[n].kind != StepKind::broadcast && !trace.steps[n].leaves &&
            trace.steps[n].active(thread))
            return true;
    return false;
}

// When each thread does its last deed, and how many barriers it passes.
struct Ends {
    std::vector<int> last_step, passed;
};

Ends ends_of(const trace::Trace& trace) {
    Ends out;
    out.last_step.assign(trace.config.block, -1);
    out.passed.assign(trace.config.block, 0);
    for (int thread = 0; thread < trace.config.block; ++thread) {
        for (int s = 0; s < int(trace.steps.size()); ++s)
            if (trace.steps[s].active(thread))
                out.last_step[thread] = s;
        for (const Event& event : trace.events[thread])
            out.passed[thread] += event.kind == EventKind::barrier_leave;
    }
    return out;
}

void plan_rows(const trace::Trace& trace, const analysis::Analysis& analysis, const Ends& ends, int s,
               StepPlan& plan) {
    const trace::Step& step = trace.steps[s];
    const int rows = trace.warps(), block = trace.config.block;
    plan.leaves.assign(block, 0);
    for (int thread = 0; thread < block; ++thread) {
        if (step.active(thread))
            plan.active[thread / trace::warp_size] |= 1u << (thread % trace::warp_size);
        const bool left = ends.last_step[thread] < s && ends.passed[thread] <= step.interval;
        plan.leaves[thread] = ends.last_step[thread] <= s && ends.passed[thread] <= step.interval;
        plan.rest[thread] = left                            ? Rest::left
                            : works_later(trace, s, thread) ? Rest::running
                                                            : Rest::eliminated;
    }
    const playback::AtRope at_rope = playback::at_rope(trace, analysis, s);
    plan.present = at_rope.present;
    plan.waiting = at_rope.waiting;
    plan.arriving = at_rope.arriving;
    plan.rope = plan.waiting & ~(plan.waiting << 1);

    // The barrier after it: who comes, and to which line.
    std::vector<int> line(rows, 0);
    int arrivals = 0;
    for (int thread = 0; thread < block; ++thread) {
        for (const Event& event : trace.events[thread]) {
            if (event.kind != EventKind::barrier_arrive || int(event.arg) != step.interval)
                continue;
            ++arrivals;
            line[thread / trace::warp_size] = event.line;
        }
    }
    plan.mismatch = arrivals > 0 && arrivals < block;
    for (int row = 0; row < rows; ++row) {
        if (!(plan.arriving >> row & 1))
            continue;
        const bool first = row == 0 || !(plan.arriving >> (row - 1) & 1);
        if (first || line[row] != line[row - 1])
            plan.rope_after |= 1u << row;
        if (!first && line[row] != line[row - 1])
            plan.mismatch = true;
    }
}

void plan_requests(const trace::Trace& trace, const analysis::Analysis& analysis, int s, StepPlan& plan) {
    const int first = analysis.first_request[s], last = analysis.first_request[s + 1];
    for (int i = first; i < last; ++i)
        plan.orders = std::max(plan.orders, analysis.requests[i].order + 1);
    plan.request.assign(std::size_t(trace.warps()) * plan.orders, -1);
    for (int i = first; i < last; ++i) {
        const analysis::Request& request = analysis.requests[i];
        plan.request[request.warp * plan.orders + request.order] = i;
    }
}

enum class Access : std::uint8_t { none, load, store };

// For every step and box: the first access of the box in a later step.
std::vector<std::vector<Access>> next_accesses(const trace::Trace& trace,
                                               const std::vector<StepPlan>& plans) {
    const int steps = int(plans.size());
    std::vector<std::vector<Access>> next(steps + 1, std::vector<Access>(trace.config.block, Access::none));
    for (int s = steps - 1; s >= 0; --s) {
        next[s] = next[s + 1];
        for (int box = 0; box < trace.config.block; ++box) {
            const std::uint8_t role = plans[s].role[box];
            if (role & (role_own | role_partner))
                next[s][box] = Access::load;
            else if (role & role_written)
                next[s][box] = Access::store;
        }
    }
    return next;  // next[s + 1] is what follows step s
}

// Does any later step of the same call store to a box? Then nothing that is read now is its result.
bool stored_later(const trace::Trace& trace, int s) {
    for (int n = s + 1; n < int(trace.steps.size()) && trace.steps[n].call == trace.steps[s].call; ++n)
        for (int thread = 0; thread < trace.config.block; ++thread)
            for (std::uint32_t e = trace.steps[n].pieces[thread].begin; e < trace.steps[n].pieces[thread].end;
                 ++e)
                if (trace.events[thread][e].kind == EventKind::store)
                    return true;
    return false;
}

int champion_after(const trace::Trace& trace, const analysis::Analysis& analysis, int s, int before) {
    const trace::Step& step = trace.steps[s];
    if (s > 0 && trace.steps[s - 1].call != step.call)
        before = -1;
    if (step.kind == StepKind::publish && step.active_threads == 1 && !stored_later(trace, s)) {
        for (std::size_t thread = 0; thread < step.pieces.size(); ++thread)
            for (std::uint32_t e = step.pieces[thread].begin; e < step.pieces[thread].end; ++e)
                if (trace.events[thread][e].kind == EventKind::store)
                    return trace.events[thread][e].arg;
    }
    if (step.kind == StepKind::broadcast && !stored_later(trace, s)) {
        const int first = analysis.first_request[s], last = analysis.first_request[s + 1];
        int box = -1;
        for (int i = first; i < last; ++i) {
            const analysis::Request& request = analysis.requests[i];
            for (int lane = 0; lane < trace::warp_size; ++lane) {
                if (!(request.lanes >> lane & 1))
                    continue;
                if (box >= 0 && box != request.box[lane])
                    return before;
                box = request.box[lane];
            }
        }
        return box;
    }
    return before;
}

void describe(const trace::Trace& trace, const std::vector<std::uint32_t>& boxes, BoardState& out) {
    const int block = trace.config.block;
    out.text.resize(block);
    out.level.assign(block, 0);
    out.value.assign(block, 0);
    double largest = 0;
    for (int box = 0; box < block; ++box) {
        if (out.state[box] != trace::box_defined)
            continue;
        const double value = std::fabs(as_double(boxes[box], trace.config.type));
        if (std::isfinite(value))
            largest = std::max(largest, value);
    }
    for (int box = 0; box < block; ++box) {
        if (out.state[box] != trace::box_defined)
            continue;
        out.text[box] = short_number(boxes[box], trace.config.type);
        out.longest = std::max<int>(out.longest, out.text[box].length);
        const double exact = as_double(boxes[box], trace.config.type), value = std::fabs(exact);
        out.value[box] = float(exact);
        out.negative |= exact < 0;
        out.fractional |= std::isfinite(exact) && exact != std::nearbyint(exact);
        if (std::isinf(value))
            out.level[box] = 1;
        else if (largest > 0 && !std::isnan(value))
            out.level[box] = float(value / largest);
    }
    out.largest = float(largest);
}

void describe_lanes(const trace::Trace& trace, const std::vector<std::uint32_t>& registers, BoardState& out) {
    const int lanes = std::min(trace.config.block, trace::warp_size);
    out.lane_text.resize(lanes);
    for (int lane = 0; lane < lanes; ++lane)
        out.lane_text[lane] = short_number(registers[lane], trace.config.type);
}

}  // namespace

Prepared prepare(const trace::Trace& trace, const analysis::Analysis& analysis, const playback::Timeline&) {
    Prepared out;
    const int block = trace.config.block, steps = int(trace.steps.size());
    const int rows = trace.warps();
    out.rows = rows;
    out.index = inspector::make_index(trace, analysis);
    const std::vector<std::uint8_t> council = playback::council_steps(trace);
    const Ends ends = ends_of(trace);
    out.steps.resize(steps);
    for (int s = 0; s < steps; ++s) {
        StepPlan& plan = out.steps[s];
        plan.active.assign(rows, 0);
        plan.rest.assign(block, Rest::running);
        plan.role.assign(block, 0);
        plan.toward.assign(block, Toward::nowhere);
        plan_roles(trace, s, plan);
        plan_rows(trace, analysis, ends, s, plan);
        plan_requests(trace, analysis, s, plan);
        plan.council = council[s];
        plan.row_council = trace.steps[s].kind == StepKind::shuffle && !council[s];
    }

    const auto next = next_accesses(trace, out.steps);
    out.states.resize(steps + 1);
    std::vector<std::uint8_t> folded(block, 0);
    int champion = -1;
    for (int s = 0; s <= steps; ++s) {
        BoardState& state = out.states[s];
        state.eliminated.assign(block, 0);
        state.row_idle.assign(rows, 1);
        state.row_eliminated.assign(rows, 1);
        if (s == 0) {
            state.state.assign(block, trace::box_never_written);
            describe(trace, std::vector<std::uint32_t>(block, 0), state);
            describe_lanes(trace, trace.config.values, state);
        } else {
            const trace::Step& step = trace.steps[s - 1];
            const StepPlan& plan = out.steps[s - 1];
            state.state = step.box_state;
            describe(trace, step.boxes, state);
            describe_lanes(trace, step.registers, state);
            champion = champion_after(trace, analysis, s - 1, champion);
            for (int box = 0; box < block; ++box) {
                if (plan.role[box] & role_written)
                    folded[box] = 0;
                else if ((plan.role[box] & role_partner) && plan.combines)
                    folded[box] = 1;
                state.eliminated[box] = folded[box] && next[s][box] != Access::load;
                state.eliminated_boxes += state.eliminated[box];
            }
        }
        state.champion = champion;
        for (int box = 0; box < block; ++box)
            if (!state.eliminated[box] &&
                (box < trace::warp_size || state.state[box] != trace::box_never_written))
                state.row_idle[box / trace::warp_size] = 0;
        for (int box = 0; box < block; ++box)
            if (!state.eliminated[box])
                state.row_eliminated[box / trace::warp_size] = 0;
        for (int box = 0; box < block; ++box)
            state.idle_boxes += state.row_idle[box / trace::warp_size];
    }

    out.stay_begin.assign(steps, -1);
    out.stay_end.assign(steps, -1);
    for (int s = 0; s < steps; ++s)
        if (council[s])
            out.stay_begin[s] = s > 0 && council[s - 1] ? out.stay_begin[s - 1] : s;
    for (int s = steps - 1; s >= 0; --s)
        if (council[s])
            out.stay_end[s] = s + 1 < steps && council[s + 1] ? out.stay_end[s + 1] : s;
    return out;
}

}  // namespace auditorium::scene
