#include "trace/steps.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <queue>
#include <tuple>
#include <unordered_map>
#include <unordered_set>

namespace auditorium::trace {
namespace {

constexpr std::uint32_t no_node = 0xffffffff;

// What becomes a step: pieces of different threads with the same key.
struct Node {
    std::uint32_t interval = 0;
    std::uint16_t line = 0;
    std::uint16_t visit = 0;
    int level = 0;
    int waiting_for = 0;                // edges into it, while levels are computed
    std::uint32_t expected = no_node;   // the node that followed it last time
    std::vector<std::uint32_t> follow;  // the nodes that follow it in some thread, same interval
    std::vector<Piece> pieces;
    int active = 0;
};

class Builder {
  public:
    explicit Builder(const Trace& trace)
        : trace_(trace), block_(static_cast<std::size_t>(trace.config.block)) {}

    // False: more nodes than max_cells allows.
    bool cut_all() {
        visits_.resize(static_cast<std::size_t>(max_lines) + 1);
        for (std::size_t thread = 0; thread < block_; ++thread) {
            if (!cut(thread)) {
                return false;
            }
        }
        return true;
    }

    // The nodes in the order of the steps; pieces of nodes that had to be split are in nodes of their own.
    bool sort(std::vector<Node>& sorted) {
        std::vector<std::uint32_t> order(nodes_.size());
        for (std::uint32_t i = 0; i < order.size(); ++i) {
            order[i] = i;
        }
        std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
            return nodes_[a].interval < nodes_[b].interval;
        });
        for (std::size_t begin = 0; begin < order.size();) {
            std::size_t end = begin;
            while (end < order.size() && nodes_[order[end]].interval == nodes_[order[begin]].interval) {
                ++end;
            }
            const std::vector<std::uint32_t> group(order.begin() + static_cast<std::ptrdiff_t>(begin),
                                                   order.begin() + static_cast<std::ptrdiff_t>(end));
            if (!(find_levels(group) ? sort_by_level(group, sorted) : split(group, sorted))) {
                return false;
            }
            begin = end;
        }
        return true;
    }

  private:
    struct Visits {
        std::uint32_t epoch = 0;
        std::uint16_t count = 0;
    };

    bool cut(std::size_t thread) {
        const auto& events = trace_.events[thread];
        std::uint32_t interval = 0;
        std::uint32_t previous = no_node;  // the node of the thread's piece before, any interval
        bool previous_here = false;        // ... in this interval
        bool open = false, loads = false, stores = false, combines = false, shuffles = false;
        std::uint32_t begin = 0, lead = no_node;
        std::uint16_t line = 0;
        ++epoch_;
        const auto close = [&](std::uint32_t end) {
            if (!open) {
                return true;
            }
            Visits& visits = visits_[line];
            if (visits.epoch != epoch_) {
                visits = {epoch_, 0};
            }
            const std::uint32_t node = find(interval, line, visits.count++, previous, previous_here);
            if (node == no_node) {
                return false;
            }
            nodes_[node].pieces[thread] = {begin, end};
            ++nodes_[node].active;
            previous = node;
            previous_here = true;
            open = false;
            return true;
        };
        const auto size = static_cast<std::uint32_t>(events.size());
        for (std::uint32_t at = 0; at < size; ++at) {
            const Event& event = events[at];
            bool begins = !open;
            switch (event.kind) {
                case EventKind::barrier_arrive:
                case EventKind::barrier_leave:
                    if (!close(at)) {
                        return false;
                    }
                    lead = no_node;
                    if (event.kind == EventKind::barrier_leave) {
                        ++interval;
                        ++epoch_;
                        previous_here = false;
                    }
                    continue;
                case EventKind::syncwarp:
                    if (!open && lead == no_node) {
                        lead = at;
                    }
                    continue;
                case EventKind::shuffle:
                    begins = true;
                    break;
                case EventKind::load:
                    begins = begins || shuffles || stores;
                    break;
                case EventKind::store:
                    begins = begins || shuffles || (loads && !combines && !stores);
                    break;
                case EventKind::combine:
                    break;
            }
            if (begins) {
                if (!close(at)) {
                    return false;
                }
                open = true;
                loads = stores = combines = shuffles = false;
                begin = lead != no_node ? lead : at;
                lead = no_node;
                line = event.line;
            }
            loads = loads || event.kind == EventKind::load;
            stores = stores || event.kind == EventKind::store;
            combines = combines || event.kind == EventKind::combine;
            shuffles = shuffles || event.kind == EventKind::shuffle;
        }
        return close(size);
    }

    std::uint32_t find(std::uint32_t interval, std::uint16_t line, std::uint16_t visit,
                       std::uint32_t previous, bool previous_here) {
        std::uint32_t& expected = previous == no_node ? first_ : nodes_[previous].expected;
        if (expected != no_node && nodes_[expected].interval == interval && nodes_[expected].line == line &&
            nodes_[expected].visit == visit) {
            return expected;  // the edge exists already
        }
        const std::uint64_t key = std::uint64_t{interval} << 32 | std::uint64_t{line} << 16 | visit;
        const auto [place, is_new] = ids_.try_emplace(key, static_cast<std::uint32_t>(nodes_.size()));
        const std::uint32_t node = place->second;
        if (is_new) {
            if ((nodes_.size() + 1) * block_ > static_cast<std::size_t>(max_cells)) {
                return no_node;
            }
            expected = node;  // before nodes_ moves
            nodes_.emplace_back();
            nodes_.back().interval = interval;
            nodes_.back().line = line;
            nodes_.back().visit = visit;
            nodes_.back().pieces.resize(block_);
        } else {
            expected = node;
        }
        if (previous_here && edges_.insert(std::uint64_t{previous} << 32 | node).second) {
            nodes_[previous].follow.push_back(node);
        }
        return node;
    }

    // Level = length of the longest chain of nodes before it. False: threads pass the nodes in different
    // orders.
    bool find_levels(const std::vector<std::uint32_t>& group) {
        for (std::uint32_t node : group) {
            for (std::uint32_t next : nodes_[node].follow) {
                ++nodes_[next].waiting_for;
            }
        }
        std::vector<std::uint32_t> ready;
        for (std::uint32_t node : group) {
            if (nodes_[node].waiting_for == 0) {
                ready.push_back(node);
            }
        }
        for (std::size_t i = 0; i < ready.size(); ++i) {
            for (std::uint32_t next : nodes_[ready[i]].follow) {
                nodes_[next].level = std::max(nodes_[next].level, nodes_[ready[i]].level + 1);
                if (--nodes_[next].waiting_for == 0) {
                    ready.push_back(next);
                }
            }
        }
        return ready.size() == group.size();
    }

    bool sort_by_level(std::vector<std::uint32_t> group, std::vector<Node>& sorted) {
        std::sort(group.begin(), group.end(), [&](std::uint32_t a, std::uint32_t b) {
            return std::tuple(nodes_[a].level, nodes_[a].line, nodes_[a].visit) <
                   std::tuple(nodes_[b].level, nodes_[b].line, nodes_[b].visit);
        });
        for (std::uint32_t node : group) {
            sorted.push_back(std::move(nodes_[node]));
        }
        return sorted.size() * block_ <= static_cast<std::size_t>(max_cells);
    }

    // Takes, again and again, a node whose threads all stand before it, or else the one that most stand
    // before, and of it these threads only.
    bool split(const std::vector<std::uint32_t>& group, std::vector<Node>& sorted) {
        struct Stop {
            std::uint32_t begin, node;
        };
        std::vector<std::vector<Stop>> path(block_);  // per thread, last first
        std::unordered_map<std::uint32_t, int> left, standing;
        for (std::uint32_t node : group) {
            for (std::size_t thread = 0; thread < block_; ++thread) {
                if (!nodes_[node].pieces[thread].empty()) {
                    path[thread].push_back({nodes_[node].pieces[thread].begin, node});
                    ++left[node];
                }
            }
        }
        for (auto& stops : path) {
            std::sort(stops.begin(), stops.end(),
                      [](const Stop& a, const Stop& b) { return a.begin > b.begin; });
        }
        for (;;) {
            standing.clear();
            for (const auto& stops : path) {
                if (!stops.empty()) {
                    ++standing[stops.back().node];
                }
            }
            if (standing.empty()) {
                return true;
            }
            std::uint32_t best = no_node;
            const auto rank = [&](std::uint32_t node) {
                const int here = standing[node];
                return std::tuple(here == left[node] ? 0 : 1, here == left[node] ? 0 : -here,
                                  nodes_[node].line, nodes_[node].visit);
            };
            for (const auto& stops : path) {
                if (!stops.empty() && (best == no_node || rank(stops.back().node) < rank(best))) {
                    best = stops.back().node;
                }
            }
            Node part;
            part.interval = nodes_[best].interval;
            part.line = nodes_[best].line;
            part.visit = nodes_[best].visit;
            part.pieces.resize(block_);
            for (std::size_t thread = 0; thread < block_; ++thread) {
                if (!path[thread].empty() && path[thread].back().node == best) {
                    part.pieces[thread] = nodes_[best].pieces[thread];
                    ++part.active;
                    --left[best];
                    path[thread].pop_back();
                }
            }
            sorted.push_back(std::move(part));
            if (sorted.size() * block_ > static_cast<std::size_t>(max_cells)) {
                return false;
            }
        }
    }

    const Trace& trace_;
    std::size_t block_;
    std::vector<Node> nodes_;
    std::unordered_map<std::uint64_t, std::uint32_t> ids_;
    std::unordered_set<std::uint64_t> edges_;
    std::uint32_t first_ = no_node;
    std::vector<Visits> visits_;
    std::uint32_t epoch_ = 0;
};

// The first event of a piece that is no __syncwarp; a piece has one.
const Event& first_of(const std::vector<Event>& events, Piece piece) {
    std::uint32_t at = piece.begin;
    while (at + 1 < piece.end && events[at].kind == EventKind::syncwarp) {
        ++at;
    }
    return events[at];
}

// Which call each step belongs to: a barrier on line 0 stands between calls. Without one, a call begins where
// the first step's line comes again after another line, as often as there are calls.
void find_calls(Trace& trace) {
    std::vector<int> call_of(static_cast<std::size_t>(trace.barriers) + 1, 0);
    bool between = false;
    for (const auto& events : trace.events) {
        for (const Event& event : events) {
            if (event.kind == EventKind::barrier_leave && event.line == 0) {
                call_of[static_cast<std::size_t>(event.arg) + 1] = 1;
                between = true;
            }
        }
    }
    for (std::size_t k = 1; k < call_of.size(); ++k) {
        call_of[k] += call_of[k - 1];
    }
    const int last_call = trace.config.calls - 1;
    if (between) {
        for (Step& step : trace.steps) {
            step.call = std::min(call_of[static_cast<std::size_t>(step.interval)], last_call);
        }
        return;
    }
    if (last_call == 0 || trace.steps.empty()) {
        return;
    }
    std::vector<std::size_t> starts;
    for (std::size_t s = 0; s < trace.steps.size(); ++s) {
        if (trace.steps[s].line == trace.steps[0].line &&
            (s == 0 || trace.steps[s - 1].line != trace.steps[0].line)) {
            starts.push_back(s);
        }
    }
    const auto calls = static_cast<std::size_t>(trace.config.calls);
    if (starts.size() < calls || starts.size() % calls != 0) {
        return;  // it does not tell
    }
    const std::size_t each = starts.size() / calls;
    for (std::size_t s = 0, next = each; s < trace.steps.size(); ++s) {
        while (next < starts.size() && s >= starts[next]) {
            next += each;
        }
        trace.steps[s].call = static_cast<int>(next / each) - 1;
    }
}

// A thread's past, as far as the kind of its next piece depends on it.
struct Past {
    enum class Value : std::uint8_t { none, load, tree, shuffle } value = Value::none;
    std::uint32_t bits = 0;
    int tree_step = -1;  // where it last combined loads
};

struct Content {
    int loads = 0, stores = 0, combines = 0, shuffles = 0;
    const Event* load[2] = {};
    const Event* store = nullptr;
    std::uint32_t last_bits = 0;  // of the last load, combine or shuffle
};

Content content_of(const std::vector<Event>& events, Piece piece) {
    Content content;
    for (std::uint32_t at = piece.begin; at < piece.end; ++at) {
        const Event& event = events[at];
        switch (event.kind) {
            case EventKind::load:
                if (content.loads < 2) {
                    content.load[content.loads] = &event;
                }
                ++content.loads;
                content.last_bits = event.bits;
                break;
            case EventKind::store:
                content.store = &event;
                ++content.stores;
                break;
            case EventKind::combine:
                ++content.combines;
                content.last_bits = event.bits;
                break;
            case EventKind::shuffle:
                ++content.shuffles;
                content.last_bits = event.bits;
                break;
            default:
                break;
        }
    }
    return content;
}

// A number that all threads have in common, or 0.
struct Common {
    bool any = false, same = true;
    int value = 0;
    void add(int x) {
        same = same && (!any || x == value);
        any = true;
        value = x;
    }
    int get() const { return any && same ? value : 0; }
};

// Marks the steps whose threads return from their call while others go on to a barrier of the kernel's text,
// and, since from then on threads come to different barriers, the later returns of that call.
void find_leaving(Trace& trace) {
    // Per interval: some thread comes to a barrier of the text at its end.
    std::vector<std::uint8_t> awaited(static_cast<std::size_t>(max_events) + 1, 0);
    for (const auto& events : trace.events) {
        for (const Event& event : events) {
            if (event.kind == EventKind::barrier_arrive && event.line > 0) {
                awaited[event.arg] = 1;
            }
        }
    }
    int call = 0;
    bool left = false;
    for (Step& step : trace.steps) {
        left = left && step.call == call;
        call = step.call;
        bool all_return = step.active_threads > 0;
        for (std::size_t thread = 0; all_return && thread < step.pieces.size(); ++thread) {
            if (step.pieces[thread].empty()) {
                continue;
            }
            const auto& events = trace.events[thread];
            std::size_t next = step.pieces[thread].end;
            while (next < events.size() && events[next].kind == EventKind::syncwarp) {
                ++next;
            }
            all_return = next == events.size() ||
                         (events[next].kind == EventKind::barrier_arrive && events[next].line == 0);
        }
        step.leaves = all_return && (left || awaited[static_cast<std::size_t>(step.interval)] != 0);
        left = left || step.leaves;
    }
}

void find_kinds(Trace& trace) {
    const auto block = static_cast<std::size_t>(trace.config.block);
    std::vector<Past> past(block);
    std::vector<int> stage_lines, broadcast_lines;
    const auto contains = [](const std::vector<int>& lines, int line) {
        return std::find(lines.begin(), lines.end(), line) != lines.end();
    };
    int call = 0;
    for (std::size_t s = 0; s < trace.steps.size(); ++s) {
        Step& step = trace.steps[s];
        if (step.call != call) {
            call = step.call;
            std::fill(past.begin(), past.end(), Past{});
        }
        // What the loads of this step read.
        Common box;
        int loaders = 0;
        std::array<int, 7> votes{};
        Common stride, down, across;
        bool exchange = false;
        Common earlier_tree;
        for (std::size_t thread = 0; thread < block; ++thread) {
            if (!step.active(static_cast<int>(thread))) {
                continue;
            }
            const auto& events = trace.events[thread];
            const Piece piece = step.pieces[thread];
            const Content content = content_of(events, piece);
            StepKind kind = StepKind::other;
            if (content.shuffles > 0) {
                kind = StepKind::shuffle;
                const Event& shuffle = first_of(events, piece);
                const int lane = static_cast<int>(thread) % warp_size;
                if (!(shuffle.flags & Event::no_partner)) {
                    down.add(std::abs(shuffle.arg - lane));
                    across.add(shuffle.arg ^ lane);
                    const std::size_t other = thread - static_cast<std::size_t>(lane) + shuffle.arg;
                    if (shuffle.arg != lane && other < block && step.active(static_cast<int>(other))) {
                        const Event& back = first_of(trace.events[other], step.pieces[other]);
                        exchange = exchange || (back.kind == EventKind::shuffle && back.arg == lane &&
                                                !(back.flags & Event::no_partner));
                    }
                }
            } else if (content.combines > 0 && content.loads >= 1 && content.loads <= 2) {
                kind = StepKind::tree;
                const bool outside = (content.load[0]->flags & Event::no_box) ||
                                     (content.loads == 2 && (content.load[1]->flags & Event::no_box));
                const int own = content.loads == 2 ? content.load[1]->arg
                                : content.store    ? content.store->arg
                                                   : static_cast<int>(thread);
                if (!outside) {
                    stride.add(std::abs(content.load[0]->arg - own));
                }
            } else if (content.loads > 0 && content.combines == 0 && content.stores == 0) {
                ++loaders;
                for (std::uint32_t at = piece.begin; at < piece.end; ++at) {
                    if (events[at].kind == EventKind::load) {
                        box.add(events[at].arg);
                    }
                }
                // Goes into a shuffle next, or is stored before the next barrier?
                std::uint32_t next = piece.end;
                while (next < events.size() && events[next].kind == EventKind::syncwarp) {
                    ++next;
                }
                if (next < events.size() &&
                    ((events[next].kind == EventKind::shuffle && events[next].sent == content.last_bits) ||
                     (events[next].kind == EventKind::store && events[next].bits == content.last_bits))) {
                    kind = StepKind::handoff;
                }
            } else if (content.stores > 0 && content.loads == 0 && content.combines == 0) {
                const bool known = past[thread].value != Past::Value::none;
                if (known && content.store->bits == past[thread].bits) {
                    kind = StepKind::publish;
                    if (past[thread].value == Past::Value::tree) {
                        earlier_tree.add(past[thread].tree_step);
                    } else {
                        earlier_tree.add(-1);
                    }
                } else {
                    kind = StepKind::stage;
                }
            }
            ++votes[static_cast<std::size_t>(kind)];
            if (content.loads + content.combines + content.shuffles > 0) {
                Past& p = past[thread];
                p.bits = content.last_bits;
                p.value = content.shuffles > 0     ? Past::Value::shuffle
                          : kind == StepKind::tree ? Past::Value::tree
                          : content.combines > 0   ? Past::Value::shuffle
                                                   : Past::Value::load;
                if (kind == StepKind::tree) {
                    p.tree_step = static_cast<int>(s);
                }
            }
        }
        step.kind = static_cast<StepKind>(std::max_element(votes.begin(), votes.end()) - votes.begin());
        // Everybody reads one box: a broadcast, unless it goes straight into the council, or its threads
        // leave while others have not finished. (Of a step that was split, the last thread may read alone,
        // on the line of the others.)
        if (step.kind == StepKind::other && !step.leaves && loaders == step.active_threads && box.any &&
            box.same && (loaders > 1 || block == 1 || contains(broadcast_lines, step.line))) {
            step.kind = StepKind::broadcast;
            broadcast_lines.push_back(step.line);
        }
        switch (step.kind) {
            case StepKind::stage:
                stage_lines.push_back(step.line);
                break;
            case StepKind::publish:
                if (contains(stage_lines, step.line)) {
                    step.kind = StepKind::stage;
                } else if (earlier_tree.any && earlier_tree.same && earlier_tree.value >= 0) {
                    // What a tree round gave is written behind a barrier: it belongs to the round.
                    const Step& round = trace.steps[static_cast<std::size_t>(earlier_tree.value)];
                    if (round.active_threads == step.active_threads) {
                        step.kind = StepKind::tree;
                        step.stride = round.stride;
                    }
                }
                break;
            case StepKind::tree:
                step.stride = stride.get();
                break;
            case StepKind::shuffle:
                step.exchange = exchange;
                step.offset = exchange ? across.get() : down.get();
                break;
            default:
                break;
        }
    }
}

// Undefined values: of shuffles from lanes that took no part and loads of boxes never written, and whatever
// is computed from one. A combine is undefined if the value before it is or becomes so; a store if the
// thread's value is; a shuffle if what the source lane gave is.
void mark_undefined(Trace& trace) {
    const auto block = static_cast<std::size_t>(trace.config.block);
    bool any = false;
    for (auto& events : trace.events) {
        for (Event& event : events) {
            const bool origin =
                (event.kind == EventKind::shuffle && (event.flags & Event::bad_mask)) ||
                (event.kind == EventKind::load && (event.flags & Event::undefined) && event.writer == nobody);
            event.flags = static_cast<std::uint8_t>(origin ? event.flags | Event::undefined
                                                           : event.flags & ~Event::undefined);
            any = any || origin;
        }
    }
    trace.result_undefined.assign(trace.results.size(), std::vector<std::uint8_t>(block, 0));
    if (!any) {
        return;
    }
    struct Value {
        std::uint32_t bits = 0;
        bool undefined = false;
    };
    bool fresh = false;  // a barrier between the calls: each begins again from the input
    for (const Event& event : trace.events[0]) {
        fresh = fresh || (event.kind == EventKind::barrier_leave && event.line == 0);
    }
    // A racy run may have loads that saw a store of a later step: then once more, until nothing is added.
    bool added = true;
    for (int round = 0; added && round < 16; ++round) {
        added = false;
        std::vector<Value> value(block);
        std::vector<std::uint8_t> sent_undefined(block);
        for (auto& undefined : trace.result_undefined) {
            std::fill(undefined.begin(), undefined.end(), std::uint8_t{0});
        }
        int call = 0;
        for (const Step& step : trace.steps) {
            if (step.call != call) {
                call = step.call;
                if (fresh) {
                    std::fill(value.begin(), value.end(), Value{});
                }
            }
            for (std::size_t thread = 0; thread < block; ++thread) {
                if (!step.pieces[thread].empty()) {
                    const Event& first = first_of(trace.events[thread], step.pieces[thread]);
                    sent_undefined[thread] = first.kind == EventKind::shuffle && value[thread].undefined &&
                                             first.sent == value[thread].bits;
                }
            }
            for (std::size_t thread = 0; thread < block; ++thread) {
                auto& events = trace.events[thread];
                Value& own = value[thread];
                bool gathered = false;  // an operand before the last one is undefined
                for (std::uint32_t at = step.pieces[thread].begin; at < step.pieces[thread].end; ++at) {
                    Event& event = events[at];
                    const auto mark = [&](bool undefined) {
                        if (undefined && !(event.flags & Event::undefined)) {
                            event.flags |= Event::undefined;
                            added = true;
                        }
                        return (event.flags & Event::undefined) != 0;
                    };
                    switch (event.kind) {
                        case EventKind::load: {
                            const bool seen = event.writer != nobody &&
                                              (trace.events[event.writer][event.writer_event].flags &
                                               Event::undefined) != 0;
                            gathered = own.undefined;
                            own = {event.bits, mark(seen)};
                            break;
                        }
                        case EventKind::shuffle: {
                            bool seen = sent_undefined[thread] != 0;
                            gathered = seen;
                            if (!(event.flags & (Event::no_partner | Event::bad_mask))) {
                                const std::size_t source = thread - thread % warp_size + event.arg;
                                seen = source < block && !step.pieces[source].empty() &&
                                       sent_undefined[source] != 0;
                            }
                            own = {event.bits, mark(seen)};
                            break;
                        }
                        case EventKind::combine:
                            own = {event.bits, mark(own.undefined || gathered)};
                            gathered = false;
                            break;
                        case EventKind::store:
                            mark(own.undefined);
                            break;
                        default:
                            break;
                    }
                }
                if (!step.pieces[thread].empty() &&
                    static_cast<std::size_t>(step.call) < trace.result_undefined.size()) {
                    trace.result_undefined[static_cast<std::size_t>(step.call)][thread] = own.undefined;
                }
            }
        }
    }
}

void fill_states(Trace& trace) {
    const auto block = static_cast<std::size_t>(trace.config.block);
    std::vector<std::uint32_t> boxes(block, 0);
    std::vector<std::uint8_t> box_state(block, box_never_written);
    std::vector<std::uint32_t> registers = trace.config.values;
    std::vector<std::uint8_t> undefined(block, 0);
    std::vector<std::size_t> busy_until(block, 0);  // the step after the thread's last one
    std::size_t first_of_interval = 0;
    for (std::size_t s = 0; s < trace.steps.size(); ++s) {
        Step& step = trace.steps[s];
        if (s > 0 && step.interval != trace.steps[s - 1].interval) {
            first_of_interval = s;
        }
        for (std::size_t thread = 0; thread < block; ++thread) {
            const Piece piece = step.pieces[thread];
            const auto& events = trace.events[thread];
            for (std::uint32_t at = piece.begin; at < piece.end; ++at) {
                const Event& event = events[at];
                const auto is_undefined = static_cast<std::uint8_t>((event.flags & Event::undefined) != 0);
                switch (event.kind) {
                    case EventKind::store:
                        if (!(event.flags & Event::no_box)) {
                            boxes[event.arg] = event.bits;
                            box_state[event.arg] = is_undefined ? box_undefined : box_defined;
                        }
                        registers[thread] = event.bits;
                        undefined[thread] = is_undefined;
                        break;
                    case EventKind::shuffle:
                        if (event.sent != registers[thread]) {
                            // It gave something else than it was last seen with: it has had that since its
                            // last event, so the steps in between show it.
                            for (std::size_t between = std::max(busy_until[thread], first_of_interval);
                                 between < s; ++between) {
                                trace.steps[between].registers[thread] = event.sent;
                                trace.steps[between].register_undefined[thread] = 0;
                            }
                        }
                        [[fallthrough]];
                    case EventKind::load:
                    case EventKind::combine:
                        registers[thread] = event.bits;
                        undefined[thread] = is_undefined;
                        break;
                    default:
                        break;
                }
            }
            if (!piece.empty()) {
                busy_until[thread] = s + 1;
            }
        }
        const bool last_of_interval =
            s + 1 == trace.steps.size() || trace.steps[s + 1].interval != step.interval;
        step.barrier_after = last_of_interval && step.interval < trace.barriers;
        if (last_of_interval && trace.racy &&
            static_cast<std::size_t>(step.interval) < trace.snapshots.size()) {
            boxes =
                trace.snapshots[static_cast<std::size_t>(step.interval)].boxes;  // what really stood there
        }
        step.boxes = boxes;
        step.box_state = box_state;
        step.registers = registers;
        step.register_undefined = undefined;
    }
}

}  // namespace

Expected<void> find_steps(Trace& trace) {
    trace.barriers = 0;
    for (const auto& events : trace.events) {
        trace.barriers = std::max(trace.barriers, barriers_passed(events));
    }
    std::vector<Node> nodes;
    Builder builder(trace);
    if (!builder.cut_all() || !builder.sort(nodes)) {
        return fail(ExitStatus::bad_input, fmt::format("The run has more than {} steps, too many to show.",
                                                       max_cells / trace.config.block));
    }
    trace.steps.clear();
    trace.steps.reserve(nodes.size());
    for (Node& node : nodes) {
        Step step;
        step.interval = static_cast<int>(node.interval);
        step.line = node.line;
        step.active_threads = node.active;
        step.pieces = std::move(node.pieces);
        trace.steps.push_back(std::move(step));
    }
    find_calls(trace);
    find_leaving(trace);
    find_kinds(trace);
    mark_undefined(trace);
    fill_states(trace);
    return {};
}

}  // namespace auditorium::trace
