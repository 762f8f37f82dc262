#include "app/playback/pair.h"

#include <algorithm>
#include <cmath>

#include "analysis/timing.h"

namespace auditorium::playback {
namespace {

using trace::StepKind;

// What belongs together in the mode `phase`.
enum class Group { cap, write, cuts, council, publish, read, other };

Group group_of(const Side& side, int span) {
    const int step = side.timeline.spans[std::size_t(span)].step;
    if (step < 0)
        return Group::cap;
    switch (side.trace.steps[std::size_t(step)].kind) {
        case StepKind::stage:
            return Group::write;
        case StepKind::tree:
            return Group::cuts;
        case StepKind::handoff:
        case StepKind::shuffle:
            return Group::council;
        case StepKind::publish:
            return Group::publish;
        case StepKind::broadcast:
            return Group::read;
        case StepKind::other:
            break;
    }
    return Group::other;
}

// A run of spans of one group.
struct Phase {
    Group group{};
    int first = 0, count = 0;
};

std::vector<Phase> phases_of(const Side& side) {
    std::vector<Phase> phases;
    for (int span = 0; span <= side.timeline.last_span(); ++span) {
        const Group group = group_of(side, span);
        if (!phases.empty() && phases.back().group == group)
            ++phases.back().count;
        else
            phases.push_back({group, span, 1});
    }
    return phases;
}

// Rows of span indices, -1 where a side holds. Equal phases stand beside each other, as many as possible (the
// longest common subsequence); what has no partner comes between, the left side's first.
using Row = std::array<int, 2>;

std::vector<Row> rows_by_phase(const Side& left, const Side& right) {
    const std::vector<Phase> a = phases_of(left), b = phases_of(right);
    const std::size_t n = a.size(), m = b.size();
    std::vector<std::vector<int>> longest(n + 1, std::vector<int>(m + 1, 0));
    for (std::size_t i = n; i-- > 0;)
        for (std::size_t j = m; j-- > 0;)
            longest[i][j] = a[i].group == b[j].group ? longest[i + 1][j + 1] + 1
                                                     : std::max(longest[i + 1][j], longest[i][j + 1]);
    std::vector<Row> rows;
    std::size_t i = 0, j = 0;
    while (i < n || j < m) {
        if (i < n && j < m && a[i].group == b[j].group) {
            for (int k = 0; k < std::max(a[i].count, b[j].count); ++k)
                rows.push_back({k < a[i].count ? a[i].first + k : -1, k < b[j].count ? b[j].first + k : -1});
            ++i;
            ++j;
        } else if (j == m || (i < n && longest[i + 1][j] >= longest[i][j + 1])) {
            for (int k = 0; k < a[i].count; ++k)
                rows.push_back({a[i].first + k, -1});
            ++i;
        } else {
            for (int k = 0; k < b[j].count; ++k)
                rows.push_back({-1, b[j].first + k});
            ++j;
        }
    }
    return rows;
}

std::vector<Row> rows_by_step(const Side& left, const Side& right) {
    std::vector<Row> rows;
    const int a = left.timeline.last_span(), b = right.timeline.last_span();
    for (int k = 0; k <= std::max(a, b); ++k)
        rows.push_back({k <= a ? k : -1, k <= b ? k : -1});
    return rows;
}

// Beats of a clock span from the times at which something ends in it. `holds` tells which parts are nothing
// but a pause.
template <typename IsHold>
void cut_beats(Span& span, std::vector<double> ends, double until, IsHold is_hold) {
    std::sort(ends.begin(), ends.end());
    double begin = span.begin;
    for (double end : ends) {
        if (end <= begin + same || end > until - same)
            continue;
        span.beats.push_back({is_hold((begin + end) / 2) ? BeatKind::hold : BeatKind::idle, begin, end});
        begin = end;
    }
    if (until > begin + same)
        span.beats.push_back({is_hold((begin + until) / 2) ? BeatKind::hold : BeatKind::idle, begin, until});
}

BeatKind kind_at(const Timeline& timeline, double time) {
    const Moment moment = moment_at(timeline, time);
    return timeline.spans[std::size_t(moment.span)].beats[std::size_t(moment.beat)].kind;
}

Pair pair_of_rows(PairMode mode, const std::vector<Row>& rows, const Side& left, const Side& right) {
    Pair pair;
    pair.mode = mode;
    const std::array<const Side*, 2> sides = {&left, &right};
    for (auto& knots : pair.knots)
        knots.push_back({0, 0});
    Row last{0, 0};
    double now = 0;
    for (const Row& row : rows) {
        Span span;
        span.begin = now;
        // First up to where the steps end, ropes still up; then both drop them together.
        double first = 0, second = 0;
        std::array<double, 2> to_end{}, after{};
        for (std::size_t s = 0; s < 2; ++s) {
            if (row[s] < 0)
                continue;
            last[s] = row[s];
            const Span& own = sides[s]->timeline.spans[std::size_t(row[s])];
            const double end = end_of_step(sides[s]->timeline, row[s]);
            to_end[s] = end - own.begin;
            after[s] = own.end - end;
            first = std::max(first, to_end[s]);
            second = std::max(second, after[s]);
        }
        const double middle = now + first;
        std::vector<double> ends;
        for (std::size_t s = 0; s < 2; ++s) {
            std::vector<Knot>& knots = pair.knots[s];
            if (row[s] < 0)
                continue;
            const Span& own = sides[s]->timeline.spans[std::size_t(row[s])];
            const double end = end_of_step(sides[s]->timeline, row[s]);
            knots.push_back({now, own.begin});
            knots.push_back({now + to_end[s], end});
            knots.push_back({middle, end});
            if (after[s] > 0)
                knots.push_back({middle + after[s], own.end});
            for (const Beat& beat : own.beats)
                if (beat.end <= end + same)
                    ends.push_back(now + beat.end - own.begin);
        }
        const auto is_hold = [&](double clock) {
            bool any = false;
            for (std::size_t s = 0; s < 2; ++s) {
                if (row[s] < 0 || clock >= now + to_end[s])
                    continue;
                const Span& own = sides[s]->timeline.spans[std::size_t(row[s])];
                if (kind_at(sides[s]->timeline, own.begin + clock - now) != BeatKind::hold)
                    return false;
                any = true;
            }
            return any;
        };
        cut_beats(span, ends, middle, is_hold);
        now = middle;
        if (second > 0) {
            span.beats.push_back({BeatKind::drop, middle, middle + second});
            now += second;
        }
        span.end = now;
        if (span.beats.empty())
            continue;  // nothing happens on either side
        pair.clock.spans.push_back(std::move(span));
        pair.rows.push_back(last);
    }
    for (std::size_t s = 0; s < 2; ++s)
        pair.knots[s].push_back({now, sides[s]->timeline.duration});
    pair.clock.duration = now;
    return pair;
}

// Cycles that a beat takes, up to a common factor: a model, from what an H200 took (a tree round 85 to 120,
// a barrier that nobody waits for 17, a shuffle with its combine 32). What the hardware knows nothing of, the
// walk and the pause, gets a little so that it can be seen.
double weight_of(const Beat& beat) {
    switch (beat.kind) {
        case BeatKind::load:
        case BeatKind::broadcast:
            return 30 + 2 * (beat.wavefronts - 1);
        case BeatKind::store:
        case BeatKind::crown:
            return 10 + 2 * (beat.wavefronts - 1);
        case BeatKind::combine:
            return 6;
        case BeatKind::note:
            return 26;
        case BeatKind::syncwarp:
            return 6;
        case BeatKind::walk:
            return 8;
        case BeatKind::wait:
            return 9;
        case BeatKind::hold:
        case BeatKind::drop:
            return 4;
        case BeatKind::idle:
            return 1;
    }
    return 1;
}

double weight_of(const Span& span) {
    double weight = 0;
    for (const Beat& beat : span.beats)
        weight += weight_of(beat);
    return weight;
}

// When each step's last warp is through it; -1 where no stamp says.
std::vector<double> measured_ends(const trace::Trace& trace) {
    const auto stamps = analysis::stamps_of(trace);
    std::vector<double> ends(trace.steps.size(), -1);
    for (std::size_t s = 0; s < trace.steps.size(); ++s) {
        const trace::Step& step = trace.steps[s];
        for (std::size_t w = 0; w < stamps.size(); ++w) {
            const trace::Piece piece = step.pieces[w * trace::warp_size];
            if (piece.empty())
                continue;
            const auto& events = trace.events[w * trace::warp_size];
            std::size_t past = piece.end;
            if (step.barrier_after)
                while (past < events.size() && events[past].kind != trace::EventKind::barrier_leave)
                    ++past;
            ends[s] = std::max(ends[s], stamps[w][past]);
        }
    }
    return ends;
}

Pair race_of(const Side& left, const Side& right, std::array<StepCycles, 2> cycles) {
    Pair pair;
    pair.mode = PairMode::race;
    const std::array<const Side*, 2> sides = {&left, &right};
    const int slower = cycles[0].total >= cycles[1].total ? 0 : 1;
    const Timeline& slow = sides[std::size_t(slower)]->timeline;
    const double most = cycles[std::size_t(slower)].total;
    const double seconds = std::max(1.0, slow.spans.back().begin - slow.spans.front().end);
    pair.cycles_per_second = most / seconds;

    std::vector<double> step_ends, beat_ends;
    double over = 0;
    for (std::size_t s = 0; s < 2; ++s) {
        const Timeline& timeline = sides[s]->timeline;
        std::vector<Knot>& knots = pair.knots[s];
        double clock = 0;
        knots.push_back({0, timeline.spans.front().end});
        for (int i = 1; i < timeline.last_span(); ++i) {
            const Span& span = timeline.spans[std::size_t(i)];
            const double end = cycles[s].ends[std::size_t(span.step)] / pair.cycles_per_second;
            const double begin = clock, whole = weight_of(span);
            double weight = 0;
            for (const Beat& beat : span.beats) {
                weight += weight_of(beat);
                clock = &beat == &span.beats.back() ? end : begin + (end - begin) * weight / whole;
                knots.push_back({clock, beat.end});
                beat_ends.push_back(clock);
            }
            step_ends.push_back(end);
        }
        const Span& done = timeline.spans.back();
        clock += done.end - done.begin;
        knots.push_back({clock, done.end});
        over = std::max(over, clock);
    }
    step_ends.push_back(over);
    std::sort(step_ends.begin(), step_ends.end());
    double now = 0;
    for (double end : step_ends) {
        if (end <= now + same)
            continue;
        Span span;
        span.begin = now;
        span.end = end;
        cut_beats(span, beat_ends, end, [](double) { return false; });
        now = end;
        Row row{};
        for (std::size_t s = 0; s < 2; ++s)
            row[s] = moment_at(sides[s]->timeline, side_time(pair, int(s), end)).span;
        pair.clock.spans.push_back(std::move(span));
        pair.rows.push_back(row);
    }
    pair.clock.duration = now;
    pair.cycles = std::move(cycles);
    return pair;
}

}  // namespace

const char* name_of(PairMode mode) {
    switch (mode) {
        case PairMode::step:
            return "step";
        case PairMode::phase:
            return "phase";
        case PairMode::race:
            break;
    }
    return "race";
}

std::string why_no_race(const trace::Trace& trace) {
    if (trace.origin.kind == trace::Origin::Kind::simulated)
        return "was simulated, so it has no cycles";
    if (!trace.cycles && trace.stamps.empty())
        return "was recorded without cycles";
    return {};
}

StepCycles step_cycles(const Side& side) {
    StepCycles out;
    const std::size_t steps = side.trace.steps.size();
    out.ends.assign(steps, 0);
    if (!why_no_race(side.trace).empty() || steps == 0)
        return out;
    std::vector<double> known(steps, -1);
    if (!side.trace.stamps.empty()) {
        known = measured_ends(side.trace);
        // Without a barrier warps run ahead of each other, and a step's last warp may be later than a later
        // step's: such an end divides nothing.
        double next = known.back();
        for (std::size_t s = steps; s-- > 0;) {
            if (known[s] >= next && s + 1 < steps)
                known[s] = -1;
            else if (known[s] >= 0)
                next = known[s];
        }
    }
    out.source = known.back() > 0 ? CycleSource::stamps : CycleSource::modelled;
    if (out.source == CycleSource::modelled) {
        if (!side.trace.cycles)
            return {CycleSource::none, out.ends, 0};
        known.assign(steps, -1);
        known.back() = side.trace.cycles->median;
    }
    // Between two ends that are known, by weight; and never back.
    std::vector<double> weight(steps, 1);
    for (const Span& span : side.timeline.spans)
        if (span.step >= 0)
            weight[std::size_t(span.step)] = weight_of(span);
    double begin = 0;
    for (std::size_t s = 0; s < steps;) {
        std::size_t next = s;
        while (known[next] < 0 && next + 1 < steps)
            ++next;
        const double end = std::max(begin, known[next]);
        double all = 0, sum = 0;
        for (std::size_t i = s; i <= next; ++i)
            all += weight[i];
        for (std::size_t i = s; i <= next; ++i) {
            sum += weight[i];
            out.ends[i] = i == next ? end : begin + (end - begin) * sum / all;
        }
        begin = end;
        s = next + 1;
    }
    out.total = begin;
    return out;
}

Pair make_pair(PairMode mode, const Side& left, const Side& right) {
    if (mode == PairMode::race) {
        std::array<StepCycles, 2> cycles = {step_cycles(left), step_cycles(right)};
        if (cycles[0].total > 0 && cycles[1].total > 0)
            return race_of(left, right, std::move(cycles));
    }
    if (mode == PairMode::phase)
        return pair_of_rows(mode, rows_by_phase(left, right), left, right);
    return pair_of_rows(PairMode::step, rows_by_step(left, right), left, right);
}

double side_time(const Pair& pair, int side, double clock) {
    const std::vector<Knot>& knots = pair.knots[std::size_t(side)];
    // The last knot that is not later: where two stand at one time, the later one.
    auto after = std::upper_bound(knots.begin(), knots.end(), clock,
                                  [](double time, const Knot& knot) { return time < knot.clock; });
    if (after == knots.begin())
        return knots.front().side;
    const Knot& a = *(after - 1);
    if (after == knots.end() || clock == a.clock)
        return a.side;
    const double part = (clock - a.clock) / (after->clock - a.clock);
    return a.side + (after->side - a.side) * part;
}

double clock_time(const Pair& pair, int side, double time) {
    const std::vector<Knot>& knots = pair.knots[std::size_t(side)];
    const auto at = std::lower_bound(knots.begin(), knots.end(), time,
                                     [](const Knot& knot, double t) { return knot.side < t; });
    if (at == knots.begin())
        return knots.front().clock;
    if (at == knots.end())
        return knots.back().clock;
    const Knot& a = *(at - 1);
    const double part = at->side > a.side ? (time - a.side) / (at->side - a.side) : 1;
    return a.clock + (at->clock - a.clock) * part;
}

}  // namespace auditorium::playback
