#include "app/panels/narration.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <set>

#include "analysis/findings.h"
#include "kernels/catalogue.h"
#include "trace/operands.h"

namespace auditorium::panels {
namespace {

using trace::Event;
using trace::EventKind;
using trace::Op;
using trace::Step;
using trace::StepKind;
using trace::Trace;

int code_points(const std::string& text) {
    return int(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xc0) != 0x80; }));
}

// The first of the candidates that presenter mode has room for; the last one is short.
std::string fitting(const std::vector<std::string>& candidates) {
    for (const std::string& text : candidates) {
        if (code_points(text) <= 90)
            return text;
    }
    return candidates.back();
}

std::string count_of(int n, const char* one, const char* many) {
    return fmt::format("{} {}", n, n == 1 ? one : many);
}

const char* winner(Op op) {
    return op == Op::sum ? "total" : "champion";
}

const char* result_name(Op op) {
    return op == Op::max ? "maximum" : op == Op::min ? "minimum" : "sum";
}

std::string at_line(int line) {
    return line > 0 ? fmt::format(" (line {})", line) : "";
}

std::string add(std::string text, const std::string& sentence) {
    if (!text.empty() && !sentence.empty())
        text += ' ';
    return text + sentence;
}

// The same, as a paragraph of its own.
std::string then(std::string text, const std::string& sentence) {
    if (!text.empty() && !sentence.empty())
        text += '\n';
    return text + sentence;
}

// "researchers 0–63", "researcher 0", "all 256 researchers".
std::string researchers(const Trace& trace, const std::vector<int>& threads) {
    if (threads.size() == 1)
        return fmt::format("researcher {}", threads[0]);
    if (int(threads.size()) == trace.config.block)
        return fmt::format("all {} researchers", threads.size());
    const std::string text = threads_text(threads);
    return text.find("threads") == std::string::npos ? "researchers " + text
                                                     : fmt::format("{} researchers", threads.size());
}

using analysis::capital;

struct Facts {
    const Trace& trace;
    const analysis::Analysis& analysis;
    const Step& step;
    const analysis::StepAnalysis& counts;
    std::vector<int> active = {};  // threads
    std::vector<int> warps = {};   // with an active thread
    int barrier_line = -1;         // of the barrier that ends the step's interval; -1: none; 0: between calls
    bool syncwarp = false;
    const analysis::Barrier* mismatch = nullptr;  // that barrier, where not all threads meet at it
    playback::AtRope rope = {};
    playback::Stand stand = playback::Stand::working;
    std::vector<int> call =
        {};  // per thread, from 0: the one that it is in; -1: it has returned from the last

    Op combines = trace.config.op;  // what the step's call folds with

    // The inputs are the scores; what a call computed before it folds it are values, as long a word.
    const char* one = "score";
    const char* many = "scores";

    Op op() const { return combines; }
    std::string scores(int n) const { return count_of(n, one, many); }
    std::string value(std::uint32_t bits) const { return trace::value_text(bits, trace.config.type); }
};

std::string verb(const Facts& f, bool plural) {
    switch (f.op()) {
        case Op::max:
            return fmt::format("{} the higher {}", plural ? "keep" : "keeps", f.one);
        case Op::min:
            return fmt::format("{} the lower {}", plural ? "keep" : "keeps", f.one);
        case Op::sum:
            return plural ? "add the two" : "adds the two";
    }
    return "";
}

// Which call each thread is in during a step. Where a barrier stands between the calls (line 0) each thread
// counts for itself: of barriers that do not match, some go on to the next call while others are in the last.
std::vector<int> calls_at(const Trace& trace, int s) {
    std::vector<int> out(std::size_t(trace.config.block), trace.steps[std::size_t(s)].call);
    if (trace.config.calls < 2)
        return out;
    const auto between = [](const Event& event) {
        return event.kind == EventKind::barrier_arrive && event.line == 0;
    };
    if (std::none_of(trace.events.begin(), trace.events.end(), [&](const std::vector<Event>& events) {
            return std::any_of(events.begin(), events.end(), between);
        }))
        return out;
    for (int t = 0; t < trace.config.block; ++t) {
        // What it does next, or does now, says where it is.
        std::size_t n = std::size_t(s);
        while (n < trace.steps.size() && trace.steps[n].pieces[std::size_t(t)].empty())
            ++n;
        if (n == trace.steps.size()) {
            out[std::size_t(t)] = -1;
            continue;
        }
        const std::vector<Event>& events = trace.events[std::size_t(t)];
        out[std::size_t(t)] = int(std::count_if(
            events.begin(), events.begin() + trace.steps[n].pieces[std::size_t(t)].begin, between));
    }
    return out;
}

Facts gather(const Trace& trace, const analysis::Analysis& analysis, int s) {
    Facts f{trace, analysis, trace.steps[s], analysis.steps[s]};
    f.rope = playback::at_rope(trace, analysis, s);
    f.call = calls_at(trace, s);
    f.combines = trace::op_of_call(trace, f.step.call);
    if (!trace::folds_inputs(trace, f.step.call)) {
        f.one = "value";
        f.many = "values";
    }
    for (int t = 0; t < trace.config.block; ++t) {
        const trace::Piece piece = f.step.pieces[t];
        if (piece.empty())
            continue;
        f.active.push_back(t);
        if (f.warps.empty() || f.warps.back() != t / trace::warp_size)
            f.warps.push_back(t / trace::warp_size);
        for (std::uint32_t e = piece.begin; e < piece.end; ++e)
            f.syncwarp |= trace.events[t][e].kind == EventKind::syncwarp;
    }
    for (int t = 0; t < trace.config.block && f.barrier_line < 0; ++t) {
        for (const Event& event : trace.events[t]) {
            if (event.kind == EventKind::barrier_arrive && event.arg == f.step.interval) {
                f.barrier_line = event.line;
                break;
            }
        }
    }
    if (f.counts.barrier > 0 && analysis.barriers[f.counts.barrier - 1].mismatch)
        f.mismatch = &analysis.barriers[f.counts.barrier - 1];
    return f;
}

// The events of one kind in a thread's piece.
std::vector<const Event*> events_of(const Facts& f, int thread, EventKind kind) {
    std::vector<const Event*> out;
    const trace::Piece piece = f.step.pieces[thread];
    for (std::uint32_t e = piece.begin; e < piece.end; ++e) {
        if (f.trace.events[thread][e].kind == kind)
            out.push_back(&f.trace.events[thread][e]);
    }
    return out;
}

int line_of(const Facts& f, EventKind kind) {
    for (int t : f.active) {
        const auto found = events_of(f, t, kind);
        if (!found.empty())
            return found.front()->line;
    }
    return f.step.line;
}

// Lanes that exist in a warp of this block.
int lanes_in(const Trace& trace, int warp) {
    return std::min(trace::warp_size, trace.config.block - warp * trace::warp_size);
}

// What the requests of the step cost: divergence and bank conflicts.
std::string cost(const Facts& f, int s) {
    std::string text;
    int fewest = trace::warp_size, of = trace::warp_size;
    std::vector<int> partial;  // warps with a request in which lanes are off; requests are sorted by warp
    for (int r = f.analysis.first_request[s]; r < f.analysis.first_request[s + 1]; ++r) {
        const analysis::Request& request = f.analysis.requests[r];
        const int lanes = std::popcount(request.lanes);
        if (lanes < lanes_in(f.trace, request.warp)) {
            if (partial.empty() || partial.back() != request.warp)
                partial.push_back(request.warp);
            if (lanes < fewest) {
                fewest = lanes;
                of = lanes_in(f.trace, request.warp);
            }
        }
    }
    if (!partial.empty() && int(f.active.size()) > 1) {
        const int rows = int(f.warps.size());
        if (rows == 1)
            text = fmt::format("Only {} of the row's {} lanes work.", fewest, of);
        else if (int(partial.size()) == rows)
            text = fmt::format(
                "Every issuing row is only partly awake: down to {} of {} lanes, and {} take their turn.",
                fewest, of, rows == 2 ? std::string("both rows") : fmt::format("all {} rows", rows));
        else if (partial.size() == 1 && partial.back() == f.warps.back())
            text = fmt::format("In the last row {} of {} lanes work.", fewest, of);
        else
            text = fmt::format("{} of {} issuing rows are only partly awake: down to {} of {} lanes.",
                               partial.size(), rows, fewest, of);
    }
    const analysis::Counts& c = f.counts.counts;
    const int conflicts = c.load_bank_conflicts + c.store_bank_conflicts;
    if (conflicts > 0) {
        text = add(
            text,
            fmt::format("Lanes of one row meet in the same banks: the worst request takes {} turns in place "
                        "of 1, {} in all.",
                        f.counts.max_ways, count_of(conflicts, "extra turn", "extra turns")));
    }
    return text;
}

// Who comes to a barrier that not all threads come to, and what that means.
std::string mismatch(const Facts& f) {
    const analysis::Barrier& barrier = *f.mismatch;
    const int number = f.counts.barrier, block = f.trace.config.block;
    const std::string lines = fmt::format(" ({})", analysis::places_text(barrier.lines));
    if (barrier.absent.empty())
        return fmt::format(
            "Barrier {} is mismatched: threads wait for each other at different places{}. On a GPU that is "
            "undefined and may hang.",
            number, lines);
    return fmt::format(
        "Barrier {}{} is mismatched: {} of {} threads come to it, {} never. On a GPU that is undefined and "
        "may hang.",
        number, lines, barrier.arrived, block, researchers(f.trace, barrier.absent));
}

// Who waits, and at which barrier.
std::string waiting(const Facts& f) {
    if (f.mismatch)
        return mismatch(f);
    const int rows = std::popcount(f.rope.waiting), present = std::popcount(f.rope.present);
    const int number = f.counts.barrier;
    if (f.barrier_line < 0 || number == 0)
        return {};
    const std::string barrier =
        f.barrier_line > 0
            ? fmt::format("barrier {} of {} (line {})", number, f.analysis.totals.barriers, f.barrier_line)
            : fmt::format("barrier {} of {}, between the calls", number, f.analysis.totals.barriers);
    if (f.stand == playback::Stand::passed)
        return capital(fmt::format("{} has been passed.", barrier));
    if (f.stand == playback::Stand::here) {
        const int here = std::popcount(f.rope.arriving);
        if (here == present)
            return present == 1 ? fmt::format("The row is at {}.", barrier)
                                : fmt::format("All {} rows are at {}.", present, barrier);
        return fmt::format("{} of {} rows {} at {}.", here, present, here == 1 ? "is" : "are", barrier);
    }
    if (rows == 0)
        return f.step.barrier_after
                   ? capital(fmt::format("{} holds everyone until the last one has come.", barrier))
                   : std::string{};
    return fmt::format("{} {} at {}.", count_of(rows, "row", "rows"), rows == 1 ? "waits" : "wait", barrier);
}

// The same for a caption.
const char* at_the_rope(const Facts& f) {
    return f.stand == playback::Stand::working ? "The rest wait at the rope."
           : f.stand == playback::Stand::here  ? "All are at the rope."
                                               : "The rope has dropped.";
}

// Calls that run at once, for want of a barrier that all meet at.
std::string mixed_calls(const Facts& f) {
    std::vector<std::vector<int>> threads(std::size_t(f.trace.config.calls));
    for (int t = 0; t < f.trace.config.block; ++t)
        if (const int call = f.call[std::size_t(t)]; call >= 0 && call < f.trace.config.calls)
            threads[std::size_t(call)].push_back(t);
    std::string text;
    int calls = 0;
    for (std::size_t call = 0; call < threads.size(); ++call) {
        if (threads[call].empty())
            continue;
        text +=
            fmt::format("{}{} {} in call {}", text.empty() ? "" : ", ", researchers(f.trace, threads[call]),
                        threads[call].size() == 1 ? "is" : "are", call + 1);
        ++calls;
    }
    return calls < 2 ? std::string{}
                     : fmt::format("{} calls run at once: {}.", calls == 2 ? "Two" : "Several", text);
}

std::string call_text(const Facts& f) {
    if (f.trace.config.calls < 2)
        return {};
    std::set<int> calls;
    for (const int t : f.active)
        calls.insert(f.call[std::size_t(t)] + 1);
    if (calls.size() == 1)
        return fmt::format("call {} of {}", *calls.begin(), f.trace.config.calls);
    return "calls " + analysis::list_of(std::vector<int>(calls.begin(), calls.end()));
}

std::string no_order(const Facts& f, int s) {
    const bool more = s + 1 < int(f.trace.steps.size());
    if (f.step.barrier_after || !more || f.trace.steps[s + 1].interval != f.step.interval || f.syncwarp)
        return {};
    const StepKind next = f.trace.steps[s + 1].kind;
    if (next != StepKind::tree && next != StepKind::stage)
        return {};
    return "No barrier ends this step: nothing orders these stores before what other threads do next.";
}

// How the boxes of a tree step follow from the thread's number.
struct Pattern {
    bool own = true;     // thread i stores box i
    int factor = 0;      // thread i stores box factor * i, for all; 0: no such factor
    int distance = 0;    // second box - first box; 0: differs
    bool paired = true;  // every active thread loads two boxes
};

Pattern pattern_of(const Facts& f) {
    Pattern p;
    bool first = true;
    for (int t : f.active) {
        const auto loads = events_of(f, t, EventKind::load);
        const auto stores = events_of(f, t, EventKind::store);
        if (stores.size() != 1 || loads.empty()) {
            p.paired = p.own = false;
            p.factor = 0;
            continue;
        }
        const int box = stores[0]->arg;
        p.own &= box == t;
        if (t > 0) {
            const int factor = box % t == 0 ? box / t : 0;
            if (p.factor == 0 && first)
                p.factor = factor;
            else if (p.factor != factor)
                p.factor = 0;
            first = false;
        } else if (box != 0) {
            first = false;
        }
        if (loads.size() == 2) {
            const int distance = std::abs(int(loads[1]->arg) - int(loads[0]->arg));
            if (t == f.active.front())
                p.distance = distance;
            else if (p.distance != distance)
                p.distance = 0;
        } else {
            const int distance = std::abs(int(loads[0]->arg) - box);
            if (t == f.active.front())
                p.distance = distance;
            else if (p.distance != distance)
                p.distance = 0;
        }
    }
    return p;
}

std::string example_of_combine(const Facts& f, int thread, const char* who) {
    const auto loads = events_of(f, thread, EventKind::load);
    const auto notes = events_of(f, thread, EventKind::shuffle);
    const auto combines = events_of(f, thread, EventKind::combine);
    if (combines.size() != 1)
        return {};
    std::uint32_t a = 0, b = 0;
    if (notes.size() == 1 && loads.empty()) {
        a = notes[0]->sent;
        b = notes[0]->bits;
    } else if (loads.size() == 2) {
        a = loads[0]->bits;
        b = loads[1]->bits;
    } else {
        return {};
    }
    if (combines[0]->flags & Event::undefined)
        return {};
    return fmt::format("{} {}: {}({}, {}) = {}.", who, thread, trace::name_of(f.op()), f.value(a), f.value(b),
                       f.value(combines[0]->bits));
}

Narration stage(const Facts& f, int s) {
    Narration n;
    const int line = line_of(f, EventKind::store);
    const auto stores = events_of(f, f.active.front(), EventKind::store);
    n.headline = int(f.active.size()) == f.trace.config.block
                     ? fmt::format("Every {} goes on the board", f.one)
                     : f.scores(int(f.active.size())) + " go on the board";
    n.body = fmt::format("{} {} into a box{}.", capital(researchers(f.trace, f.active)),
                         fmt::format("{} {}", f.active.size() == 1 ? "writes a" : "each write their", f.one),
                         at_line(line));
    if (!stores.empty())
        n.body = add(n.body, fmt::format("Researcher {} writes {} into box {}.", f.active.front(),
                                         f.value(stores[0]->bits), stores[0]->arg));
    n.body = then(n.body, mixed_calls(f));
    n.body = then(n.body, cost(f, s));
    n.body = then(n.body, waiting(f));
    n.body = add(n.body, no_order(f, s));
    n.caption = fitting({fmt::format("{} write their {} on the board. The rope holds until it is full.",
                                     capital(researchers(f.trace, f.active)), f.many),
                         fmt::format("{} go on the board.", f.scores(int(f.active.size())))});
    if (!f.step.barrier_after)
        n.caption = fmt::format("{} go on the board.", f.scores(int(f.active.size())));
    return n;
}

// A step in which threads are in different rounds: "researchers 0–15 the one 16 on, 64–127 the one 128 on";
// "" where they are not such pairs, or of too many kinds.
std::string groups_of_pairs(const Facts& f) {
    std::vector<std::pair<int, std::vector<int>>> groups;  // distance, threads
    for (const int t : f.active) {
        const auto loads = events_of(f, t, EventKind::load), stores = events_of(f, t, EventKind::store);
        if (loads.size() != 2 || stores.size() != 1 || int(stores[0]->arg) != t)
            return {};
        const int distance = std::abs(int(loads[1]->arg) - int(loads[0]->arg));
        const auto same = [&](const auto& group) { return group.first == distance; };
        auto found = std::find_if(groups.begin(), groups.end(), same);
        if (found == groups.end())
            found = groups.insert(found, {distance, {}});
        found->second.push_back(t);
    }
    if (groups.size() < 2 || groups.size() > 4)
        return {};
    std::string text;
    for (std::size_t i = 0; i < groups.size(); ++i)
        text += fmt::format(
            "{} the one {} on",
            i == 0 ? researchers(f.trace, groups[i].second) : ", " + threads_text(groups[i].second),
            groups[i].first);
    return text;
}

Narration tree(const Facts& f, int s) {
    Narration n;
    const Pattern p = pattern_of(f);
    const int pairs = int(f.active.size());
    const bool one = pairs == 1;
    const int distance = f.step.stride ? f.step.stride : p.distance;
    n.headline = count_of(pairs, "pair", "pairs") +
                 (distance ? fmt::format(", {} {} apart", distance, distance == 1 ? "box" : "boxes") : "");
    const std::string who = capital(researchers(f.trace, f.active));
    const std::string verb_first =
        f.op() == Op::sum ? (one ? "adds" : "add") : (one ? "compares" : "compare");
    std::string does;
    if (p.own && distance && f.op() == Op::sum)
        does = fmt::format("{} the {} {} {} on to {} own box", verb_first, f.one, distance,
                           distance == 1 ? "place" : "places", one ? "its" : "their");
    else if (p.own && distance)
        does = fmt::format("{} {} own box with the one {} {} on and {}", verb_first, one ? "its" : "their",
                           distance, distance == 1 ? "place" : "places", verb(f, !one));
    else if (p.factor > 1 && distance)
        does = fmt::format("{} on box {} times {} own number and the one {} {} on, and {}",
                           one ? "works" : "work", p.factor, one ? "its" : "their", distance,
                           distance == 1 ? "place" : "places", verb(f, !one));
    else
        does = fmt::format("{} two {} each and {}", verb_first, f.many, verb(f, !one));
    const std::string groups = distance ? std::string{} : groups_of_pairs(f);
    if (!groups.empty())
        n.body = fmt::format("Each {}{}{}: {}.",
                             f.op() == Op::sum ? "adds a box further on to its own"
                                               : "compares its own box with one further on and ",
                             f.op() == Op::sum ? std::string() : verb(f, false),
                             at_line(line_of(f, EventKind::combine)), groups);
    else
        n.body = fmt::format("{} {}{}.", who, does, at_line(line_of(f, EventKind::combine)));
    n.body = then(n.body, mixed_calls(f));
    if (groups.empty())
        n.body = then(n.body, example_of_combine(f, f.active.front(), "Researcher"));
    n.body = then(n.body, cost(f, s));
    n.body = then(n.body, waiting(f));
    n.body = add(n.body, no_order(f, s));

    const analysis::Counts& c = f.counts.counts;
    const int conflicts = c.load_bank_conflicts + c.store_bank_conflicts;
    const bool rest = f.rope.waiting != 0;
    const std::string stride = distance ? fmt::format("Stride {}: ", distance) : "";
    const std::string head =
        distance && p.own
            ? fmt::format(
                  "{}{} {} the box {} {} on.", stride, stride.empty() ? who : researchers(f.trace, f.active),
                  f.op() == Op::sum ? (one ? "adds" : "add") : (one ? "compares with" : "compare with"),
                  distance, distance == 1 ? "place" : "places")
            : fmt::format("{}{} {}.", stride, stride.empty() ? who : researchers(f.trace, f.active),
                          verb(f, !one));
    std::vector<std::string> candidates;
    if (conflicts > 0)
        candidates.push_back(fmt::format("{} One bank has a queue of {}.", head, f.counts.max_ways));
    if (f.warps.size() > 1 && !cost(f, s).empty() && conflicts == 0)
        candidates.push_back(fmt::format("{} Every row stays awake.", head));
    if (f.mismatch && f.counts.barrier_after)
        candidates.push_back(
            fmt::format("{} Not all come to the barrier: it may hang.",
                        stride.empty() ? head : stride + count_of(pairs, "pair.", "pairs.")));
    else if (rest && f.step.barrier_after)
        candidates.push_back(fmt::format("{} {}", head, at_the_rope(f)));
    candidates.push_back(head);
    candidates.push_back(fmt::format("{}{}.", stride, count_of(pairs, "pair", "pairs")));
    n.caption = fitting(candidates);
    return n;
}

Narration handoff(const Facts& f, int s) {
    Narration n;
    const bool one = f.warps.size() == 1;
    std::set<int> boxes;
    int loads = 0, loaders = 0;
    for (int t : f.active) {
        const auto found = events_of(f, t, EventKind::load);
        loaders += !found.empty();
        loads += int(found.size());
        for (const Event* event : found)
            boxes.insert(event->arg);
    }
    const std::vector<int> list(boxes.begin(), boxes.end());
    const std::string what = list.size() == 1 ? fmt::format("box {}", list[0])
                                              : (threads_text(list).find("threads") == std::string::npos
                                                     ? "boxes " + threads_text(list)
                                                     : count_of(int(list.size()), "box", "boxes"));
    n.headline =
        one ? fmt::format("Row W{} goes to the table", f.warps[0]) : "Every row fetches the partial results";
    const std::string who = one ? fmt::format("{} of warp {}", count_of(loaders, "lane", "lanes"), f.warps[0])
                                : count_of(loaders, "researcher", "researchers");
    n.body = fmt::format("{} {} {} into registers{}.", capital(who), loaders == 1 ? "loads" : "load", what,
                         at_line(line_of(f, EventKind::load)));
    n.body = add(
        n.body,
        one ? fmt::format("From here on the {} pass from register to register, without the board.", f.many)
            : "Every warp goes on with its own copy, so nobody waits for a broadcast.");
    n.body = then(n.body, cost(f, s));
    n.body = then(n.body, waiting(f));
    n.caption = fitting({one ? fmt::format("Row W{} takes {} to the table. The other rows wait at the rope.",
                                           f.warps[0], what)
                             : fmt::format("Every row fetches {} for itself.", what),
                         one ? fmt::format("Row W{} takes {} to the table.", f.warps[0], what)
                             : "Every row fetches the partial results."});
    if (one && (f.rope.waiting == 0 || f.stand != playback::Stand::working))
        n.caption = fmt::format("Row W{} takes {} to the table.", f.warps[0], what);
    return n;
}

Narration shuffle(const Facts& f, int s) {
    Narration n;
    (void)s;
    const bool one = f.warps.size() == 1;
    const int offset = f.step.offset;
    const std::string where =
        offset ? fmt::format("{} {} apart", offset, offset == 1 ? "seat" : "seats") : "";
    int alone = 0, undefined = 0, bad = 0;
    for (int t : f.active) {
        for (const Event* event : events_of(f, t, EventKind::shuffle)) {
            alone += (event->flags & Event::no_partner) != 0;
            bad += (event->flags & Event::bad_mask) != 0;
            undefined += (event->flags & Event::undefined) != 0;
        }
    }
    n.headline = (one                   ? fmt::format("Notes across the table")
                  : f.warps.size() == 2 ? std::string("Both rows pass notes")
                                        : fmt::format("All {} rows pass notes", f.warps.size())) +
                 (where.empty() ? "" : ", " + where);
    if (!one && int(f.warps.size()) < f.trace.warps())
        n.headline = fmt::format("{} rows pass notes{}", f.warps.size(), where.empty() ? "" : ", " + where);
    const std::string line = at_line(line_of(f, EventKind::shuffle));
    const std::string in_rows = one ? "" : "In each row, ";
    if (f.step.exchange && offset)
        n.body = fmt::format("{}{} i and i xor {} exchange notes{}: both {}.", in_rows,
                             one ? "Lanes" : "lanes", offset, line, verb(f, true));
    else if (offset)
        n.body = fmt::format("{}{} i takes the note of lane i + {} and {}{}.", in_rows, one ? "Lane" : "lane",
                             offset, verb(f, false), line);
    else
        n.body =
            fmt::format("{}{} pass notes and {}{}.", in_rows, one ? "Lanes" : "lanes", verb(f, true), line);
    n.body = then(n.body, example_of_combine(f, f.active.front(), one ? "Lane" : "Researcher"));
    const int results = int(f.active.size());
    if (f.counts.results_that_count < results)
        n.body = add(n.body, fmt::format("{} of {} results can still change the answer.",
                                         f.counts.results_that_count, results));
    else
        n.body = add(n.body, fmt::format("All {} results count.", results));
    if (alone > 0)
        n.body =
            add(n.body, fmt::format("{} no partner and {} own {}.", count_of(alone, "lane has", "lanes have"),
                                    alone == 1 ? "keeps its" : "keep their", f.one));
    if (undefined > 0)
        n.body = add(
            n.body, bad > 0 ? fmt::format("{} a lane that takes no part though the mask names it: undefined.",
                                          count_of(bad, "lane reads", "lanes read"))
                            : fmt::format("{} an undefined {}.",
                                          count_of(undefined, "lane takes", "lanes take"), f.one));
    n.body = then(n.body, waiting(f));
    const std::string rows = one ? "" : "Every row: ";
    const std::string pass = f.step.exchange && offset
                                 ? fmt::format("{}lanes i and i xor {} exchange notes.", rows, offset)
                             : offset ? fmt::format("{}lane i takes the note of lane i + {}.", rows, offset)
                                      : fmt::format("{}lanes pass notes.", rows);
    n.caption = fitting(
        {undefined > 0 ? fmt::format("{} {} {} undefined.", capital(pass), f.scores(undefined),
                                     undefined == 1 ? "is" : "are")
         : f.counts.results_that_count < results
             ? fmt::format("{} {} of {} results count.", capital(pass), f.counts.results_that_count, results)
             : capital(pass),
         capital(pass)});
    return n;
}

Narration publish(const Facts& f, int s) {
    Narration n;
    const bool one = f.active.size() == 1;
    const auto stores = events_of(f, f.active.front(), EventKind::store);
    const int line = line_of(f, EventKind::store);
    n.headline = one ? fmt::format("The {} goes on the board", winner(f.op()))
                     : fmt::format("{} partial results go on the board", f.active.size());
    if (!stores.empty()) {
        const bool undefined = stores[0]->flags & Event::undefined;
        n.body =
            one ? fmt::format("Researcher {} writes {} into box {}{}.", f.active.front(),
                              undefined ? fmt::format("an undefined {}", f.one) : f.value(stores[0]->bits),
                              stores[0]->arg, at_line(line))
                : fmt::format("{} each write what their row found{}: researcher {} writes {} into box {}.",
                              capital(researchers(f.trace, f.active)), at_line(line), f.active.front(),
                              undefined ? fmt::format("an undefined {}", f.one) : f.value(stores[0]->bits),
                              stores[0]->arg);
    }
    n.body = then(n.body, cost(f, s));
    const std::string waits = waiting(f);
    n.body = then(n.body, waits);
    if (f.step.barrier_after)
        n.body = add(n.body, "Nobody may read it before the barrier has been passed.");
    n.caption =
        fitting({one && !stores.empty()
                     ? fmt::format("Researcher {} writes the {} into box {}.", f.active.front(),
                                   winner(f.op()), stores[0]->arg)
                     : fmt::format("{} rows write their partial results on the board.", f.active.size())});
    return n;
}

Narration broadcast(const Facts& f, int s) {
    Narration n;
    const auto loads = events_of(f, f.active.front(), EventKind::load);
    const int line = line_of(f, EventKind::load);
    const bool result = !loads.empty() && std::size_t(f.step.call) < f.trace.results.size() &&
                        loads[0]->bits == f.trace.results[f.step.call][0];
    const std::string what = result ? fmt::format("the {}", winner(f.op()))
                                    : fmt::format("box {}", loads.empty() ? 0 : loads[0]->arg);
    n.headline =
        int(f.active.size()) == f.trace.config.block
            ? "Everybody reads " + what
            : fmt::format("{} {}", count_of(int(f.active.size()), "researcher reads", "researchers read"),
                          what);
    if (!loads.empty())
        n.body = fmt::format("{} {} box {}{}: {}.", capital(researchers(f.trace, f.active)),
                             f.active.size() == 1 ? "reads" : "read", loads[0]->arg, at_line(line),
                             loads[0]->flags & Event::undefined ? fmt::format("an undefined {}", f.one)
                                                                : f.value(loads[0]->bits));
    const analysis::Counts& c = f.counts.counts;
    if (c.load_wavefronts == c.load_requests && c.load_requests > 0)
        n.body = add(n.body, fmt::format("One word read by a whole row is served at once: {}.",
                                         count_of(c.load_wavefronts, "wavefront", "wavefronts") + " for " +
                                             count_of(int(f.warps.size()), "row", "rows")));
    n.body = then(n.body, cost(f, s));
    n.body = then(n.body, waiting(f));
    n.caption =
        fitting({loads.empty() ? n.headline + "."
                               : fmt::format("{} {} box {}: {}.", capital(researchers(f.trace, f.active)),
                                             f.active.size() == 1 ? "reads" : "read", loads[0]->arg,
                                             f.value(loads[0]->bits)),
                 n.headline + "."});
    return n;
}

// " call 1" where there are several and the threads of the step are all in that one.
std::string call_of_all(const Facts& f) {
    const int call = f.call[std::size_t(f.active.front())];
    const bool all =
        std::all_of(f.active.begin(), f.active.end(), [&](int t) { return f.call[std::size_t(t)] == call; });
    return f.trace.config.calls > 1 && all ? fmt::format(" call {}", call + 1) : std::string{};
}

// Threads that return while others go on, so that the barriers do not match.
Narration leave(const Facts& f, int s) {
    Narration n;
    const std::string who = capital(researchers(f.trace, f.active));
    const bool one = f.active.size() == 1;
    const auto loads = events_of(f, f.active.front(), EventKind::load);
    const bool last = f.mismatch == nullptr;  // nobody is left who could wait for them
    n.headline = fmt::format("{} {}", count_of(int(f.active.size()), "researcher", "researchers"),
                             last ? (one ? "returns last" : "return last")
                                  : fmt::format("{}{} early", one ? "leaves" : "leave", call_of_all(f)));
    n.body = loads.empty()
                 ? fmt::format("{} {}{}.", who, one ? "returns" : "return", at_line(f.step.line))
                 : fmt::format("{} {} box {}{}, {}, and {} with that.", who, one ? "reads" : "read",
                               loads[0]->arg, at_line(loads[0]->line),
                               loads[0]->flags & Event::undefined ? fmt::format("an undefined {}", f.one)
                                                                  : f.value(loads[0]->bits),
                               one ? "returns" : "return");
    if (const std::string mixed = mixed_calls(f); !mixed.empty())
        n.body = then(n.body, mixed);
    else if (!last)
        n.body = add(n.body, "Others still work on the result.");
    n.body = then(n.body, cost(f, s));
    if (!last) {
        n.body = then(n.body, mismatch(f));
        if (f.trace.origin.kind == trace::Origin::Kind::simulated && f.counts.barrier <= f.trace.barriers)
            n.body = add(n.body, "The simulation goes on without those who left.");
    }
    n.caption =
        last ? fitting({fmt::format("{} {} last. The others left with what they had read before.", who,
                                    one ? "returns" : "return"),
                        n.headline + "."})
             : fitting({fmt::format("{} {}: barrier {} waits for them in vain. Undefined, may hang.", who,
                                    one ? "leaves" : "leave", f.counts.barrier),
                        fmt::format("{}: a barrier waits for them. Undefined, may hang.", n.headline)});
    return n;
}

Narration other(const Facts& f, int s) {
    if (f.step.leaves)
        return leave(f, s);
    Narration n;
    const int loads = f.counts.counts.load_requests, stores = f.counts.counts.store_requests;
    n.headline = f.step.line > 0 ? fmt::format("Line {}", f.step.line) : "Between the steps";
    std::string does;
    const auto part = [&](int count, const char* one, const char* many) {
        if (count == 0)
            return;
        if (!does.empty())
            does += " and ";
        does += count_of(count, one, many);
    };
    part(loads, "load request", "load requests");
    part(stores, "store request", "store requests");
    n.body = fmt::format("{} {} here{}.", capital(researchers(f.trace, f.active)),
                         f.active.size() == 1 ? "works" : "work", does.empty() ? "" : ": " + does);
    n.body = then(n.body, cost(f, s));
    n.body = then(n.body, waiting(f));
    n.body = add(n.body, no_order(f, s));
    n.caption = fitting({fmt::format("{} {} in line {}.", capital(researchers(f.trace, f.active)),
                                     f.active.size() == 1 ? "works" : "work", f.step.line)});
    return n;
}

Narration arrive(const Trace& trace) {
    Narration n;
    const int block = trace.config.block;
    n.headline = block == 1 ? "1 researcher, 1 score" : fmt::format("{0} researchers, {0} scores", block);
    n.body = fmt::format("Each thread of the block holds one score: researcher 0 has {}",
                         trace::value_text(trace.config.values.front(), trace.config.type));
    n.body += block > 1 ? fmt::format(", researcher {} has {}.", block - 1,
                                      trace::value_text(trace.config.values.back(), trace.config.type))
                        : ".";
    n.body = add(n.body, "Nothing is on the board yet.");
    if (const kernels::Kernel* kernel = kernels::find(trace.config.kernel))
        n.body = then(n.body, std::string(kernel->summary));
    n.caption = fitting(
        {fmt::format("{} {} one score each. Wanted: the {}.", block,
                     block == 1 ? "researcher holds" : "researchers hold", result_name(trace.config.op))});
    return n;
}

Narration done(const Trace& trace, const analysis::Analysis& analysis) {
    Narration n;
    const int calls = int(analysis.results.size());
    const analysis::CallResult result = calls ? analysis.results.back() : analysis::CallResult{};
    const std::string value =
        result.undefined ? "undefined" : trace::value_text(result.bits, trace.config.type);
    const bool all_correct =
        calls > 0 && std::all_of(analysis.results.begin(), analysis.results.end(),
                                 [](const auto& r) { return r.correct && !r.undefined; });
    const std::string reference =
        trace.config.type == trace::Type::i32
            ? fmt::format("{}", result.reference_int)
            : trace::value_text(std::bit_cast<std::uint32_t>(float(result.reference)), trace::Type::f32);
    const std::string what =
        calls > 1 ? fmt::format("result {} of {}", calls, calls) : std::string(result_name(trace.config.op));
    if (calls == 0) {
        n.headline = "The run did not end";
        n.body = trace.faults.empty() ? "" : trace.faults.front().text;
        n.caption = "The run did not end.";
        return n;
    }
    const auto divided = std::find_if(analysis.results.begin(), analysis.results.end(),
                                      [](const auto& r) { return !r.all_threads_agree; });
    const bool agree = divided == analysis.results.end();
    if (all_correct && !agree) {
        const std::size_t call = std::size_t(divided - analysis.results.begin());
        const auto& returned =
            call < trace.plain_results.size() ? trace.plain_results[call] : trace.results[call];
        const auto others = std::count_if(returned.begin(), returned.end(),
                                          [&](std::uint32_t bits) { return bits != returned.front(); });
        n.headline = "Not all return the same";
        n.body = fmt::format("Researcher 0 returns {}, which is right, but {} of {} {} something else.",
                             trace::value_text(returned.front(), trace.config.type), others,
                             trace.config.block, others == 1 ? "returns" : "return");
    } else if (all_correct) {
        n.headline = fmt::format("{} is {}", calls > 1 ? capital(what) : "The " + what, value);
        n.body = fmt::format("{} {}, as the reference in {} says.",
                             trace.config.block == 1
                                 ? "The researcher returns"
                                 : fmt::format("All {} researchers return", trace.config.block),
                             value, trace.config.type == trace::Type::i32 ? "int64" : "double");
        if (result.ulp != 0)
            n.body = fmt::format(
                "Researcher 0 returns {}; the reference in double is {} ULP away, as the order of the "
                "additions allows.",
                value, result.ulp);
        if (result.wrapped)
            n.body = add(n.body, fmt::format("The exact sum, {}, does not fit an int and has wrapped.",
                                             result.reference_int));
    } else {
        std::size_t wrong = 0;
        while (wrong + 1 < analysis.results.size() && analysis.results[wrong].correct &&
               !analysis.results[wrong].undefined)
            ++wrong;
        const analysis::CallResult& r = analysis.results[wrong];
        const std::string got = r.undefined ? "undefined" : trace::value_text(r.bits, trace.config.type);
        const std::string wanted =
            trace.config.type == trace::Type::i32
                ? fmt::format("{}", r.reference_int)
                : trace::value_text(std::bit_cast<std::uint32_t>(float(r.reference)), trace::Type::f32);
        n.headline = r.undefined && r.correct ? "Undefined, right by luck"
                                              : fmt::format("Wrong: {}, not {}", got, wanted);
        if (r.undefined)
            n.headline = "The result is undefined";
        n.body = fmt::format("The {} of these {} scores is {}.", result_name(trace.config.op),
                             trace.config.block, wanted);
        if (calls > 1)
            n.body = fmt::format("Result {} of {} should be {}.", wrong + 1, calls, wanted);
    }
    const auto& missing = analysis.contributions.missing;
    if (!missing.empty())
        n.body = add(n.body, fmt::format("{} of {} scores are folded in; {} missing.",
                                         analysis.contributions.folded, trace.config.block,
                                         missing.size() == 1 ? fmt::format("researcher {}'s is", missing[0])
                                         : threads_text(missing).find("threads") == std::string::npos
                                             ? fmt::format("those of {} are", threads_text(missing))
                                             : fmt::format("{} are", missing.size())));
    const kernels::Kernel* kernel = kernels::find(trace.config.kernel);
    if (kernel && !kernel->correct && !kernel->fault.empty())
        n.body = then(n.body, std::string(kernel->fault));
    if (trace.racy && all_correct)
        n.body =
            add(n.body, "Two accesses of one box were not ordered: that it came out right proves nothing.");
    const analysis::Totals& t = analysis.totals;
    n.body =
        then(n.body,
             fmt::format(
                 "It took {}, {} at the board, {} and {}.", count_of(t.barriers, "barrier", "barriers"),
                 count_of(t.load_wavefronts + t.store_wavefronts, "wavefront", "wavefronts"),
                 count_of(t.load_bank_conflicts + t.store_bank_conflicts, "bank conflict", "bank conflicts"),
                 count_of(t.shuffles, "shuffle", "shuffles")));
    n.caption = fitting(
        {all_correct && agree
             ? fmt::format("{} is {}. {} and {} to find it.", calls > 1 ? capital(what) : "The " + what,
                           value, capital(count_of(int(trace.steps.size()), "step", "steps")),
                           count_of(t.barriers, "barrier", "barriers"))
             : n.headline + ".",
         n.headline + "."});
    return n;
}

}  // namespace

std::string threads_text(const std::vector<int>& threads) {
    if (threads.empty())
        return "none";
    struct Range {
        int first, last;
    };
    std::vector<Range> ranges;
    for (int t : threads) {
        if (!ranges.empty() && ranges.back().last + 1 == t)
            ranges.back().last = t;
        else
            ranges.push_back({t, t});
    }
    if (ranges.size() > 3) {
        const int step = threads[1] - threads[0];
        bool even = true;
        for (std::size_t i = 2; i < threads.size(); ++i)
            even &= threads[i] - threads[i - 1] == step;
        if (even)
            return fmt::format("{}, {}, … {}", threads[0], threads[1], threads.back());
        return fmt::format("{} threads", threads.size());
    }
    std::string text;
    for (std::size_t i = 0; i < ranges.size(); ++i) {
        if (i > 0)
            text += i + 1 == ranges.size() ? " and " : ", ";
        const Range r = ranges[i];
        text += r.first == r.last ? fmt::format("{}", r.first) : fmt::format("{}–{}", r.first, r.last);
    }
    return text;
}

std::string step_name(const Step& step) {
    switch (step.kind) {
        case StepKind::stage:
            return "stage";
        case StepKind::tree:
            return step.stride ? fmt::format("{}", step.stride) : "cut";
        case StepKind::handoff:
            return "sit";
        case StepKind::shuffle:
            return step.offset ? fmt::format("{}", step.offset) : "pass";
        case StepKind::publish:
            return "publish";
        case StepKind::broadcast:
            return "broadcast";
        case StepKind::other:
            return step.leaves ? "leave" : "other";
    }
    return "";
}

namespace {

Narration narrate_step(const Facts& f, int s) {
    switch (f.step.kind) {
        case StepKind::stage:
            return stage(f, s);
        case StepKind::tree:
            return tree(f, s);
        case StepKind::handoff:
            return handoff(f, s);
        case StepKind::shuffle:
            return shuffle(f, s);
        case StepKind::publish:
            return publish(f, s);
        case StepKind::broadcast:
            return broadcast(f, s);
        case StepKind::other:
            return other(f, s);
    }
    return {};
}

}  // namespace

Narration narrate(const Trace& trace, const analysis::Analysis& analysis, const playback::Moment& moment,
                  playback::Stand stand) {
    const int s = moment.span - 1;
    if (s < 0)
        return arrive(trace);
    if (s >= int(trace.steps.size()))
        return done(trace, analysis);
    Facts f = gather(trace, analysis, s);
    if (f.active.empty())
        return {"A pause", "No thread does anything here.", "A pause.", {}};
    f.stand = stand;
    Narration n = narrate_step(f, s);
    n.call = call_text(f);
    return n;
}

}  // namespace auditorium::panels
