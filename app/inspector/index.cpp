#include "app/inspector/index.h"

#include <algorithm>
#include <bit>
#include <set>
#include <tuple>

#include "analysis/contributions.h"
#include "trace/order.h"

namespace auditorium::inspector {
namespace {

using analysis::Rule;
using analysis::Source;
using trace::Event;
using trace::EventKind;

// Where a value came from, one step back; how many sources there are.
int sources_of(const trace::Trace& trace, const Index& index, std::uint32_t flat, Source (&out)[2]) {
    const analysis::Made& made = index.provenance.of_event[flat];
    out[0] = made.a;
    out[1] = made.b;
    switch (index.event(trace, flat).kind) {
        case EventKind::combine:
            return 2;
        case EventKind::load:
        case EventKind::store:
        case EventKind::shuffle:
            return 1;
        default:
            return 0;
    }
}

// Every event after those that it was made of. A hostile trace may name its writers in a circle: then some
// event of it comes first.
std::vector<std::uint32_t> made_order(const trace::Trace& trace, const Index& index) {
    enum : std::uint8_t { unseen, open, done };
    std::vector<std::uint8_t> state(index.places.step.size(), unseen);
    std::vector<std::uint32_t> order;
    order.reserve(state.size());
    std::vector<std::pair<std::uint32_t, int>> stack;
    for (std::uint32_t start = 0; start < state.size(); ++start) {
        if (state[start] != unseen)
            continue;
        stack.push_back({start, 0});
        state[start] = open;
        while (!stack.empty()) {
            const std::uint32_t at = stack.back().first;
            Source from[2];
            const int count = sources_of(trace, index, at, from);
            if (stack.back().second == count) {
                state[at] = done;
                order.push_back(at);
                stack.pop_back();
                continue;
            }
            const Source source = from[stack.back().second++];
            if (source.kind == Source::Kind::event && state[source.at] == unseen) {
                state[source.at] = open;
                stack.push_back({source.at, 0});
            }
        }
    }
    return order;
}

void count_leaves(const trace::Trace& trace, const std::vector<std::uint32_t>& order, Index& index) {
    index.leaves.assign(index.places.step.size(), 0);
    for (const std::uint32_t at : order) {
        Source from[2];
        const int count = sources_of(trace, index, at, from);
        std::uint32_t sum = 0;
        for (int i = 0; i < count; ++i)
            sum += from[i].kind == Source::Kind::event ? index.leaves[from[i].at] : 1;
        index.leaves[at] = std::min(sum, 1u << 30);
    }
}

void list_stores(const trace::Trace& trace, Index& index) {
    index.stores.resize(std::size_t(trace.config.block));
    for (int s = 0; s < int(trace.steps.size()); ++s)
        for (int thread = 0; thread < trace.config.block; ++thread) {
            const trace::Piece& piece = trace.steps[std::size_t(s)].pieces[std::size_t(thread)];
            for (std::uint32_t e = piece.begin; e < piece.end; ++e) {
                const Event& event = trace.events[std::size_t(thread)][e];
                if (event.kind == EventKind::store && !(event.flags & Event::no_box))
                    index.stores[event.arg].push_back({s, thread, e});
            }
        }
}

class Marker {
  public:
    Marker(const trace::Trace& trace, const analysis::Analysis& analysis, Index& index)
        : trace_(trace), analysis_(analysis), index_(index) {}

    void all() {
        index_.hazards.resize(trace_.steps.size());
        for (const analysis::Request& request : analysis_.requests)
            if (request.wavefronts > 1)
                add(request.step, request.warp, Trouble::conflict, -1);
        const std::vector<trace::Race> races =
            trace_.racy ? trace::races_of(trace_) : std::vector<trace::Race>{};
        std::set<std::pair<int, int>> raced;  // interval, box
        for (const trace::Race& race : races)
            raced.insert({race.interval, race.box});
        for (int f = 0; f < int(analysis_.findings.size()); ++f) {
            const analysis::Finding& finding = analysis_.findings[std::size_t(f)];
            switch (finding.rule) {
                case Rule::race:
                    hazards(f, finding, raced);
                    break;
                case Rule::barrier_mismatch:
                    mismatch(f, finding);
                    break;
                case Rule::identity:
                    identity(f, finding);
                    break;
                case Rule::lost_input:
                    for (const int thread : finding.threads)
                        if (index_.lost_in[std::size_t(thread)] >= 0)
                            add(index_.lost_in[std::size_t(thread)], thread / trace::warp_size, Trouble::lost,
                                f);
                    break;
                default:
                    break;
            }
        }
        undefined();
        std::sort(index_.marks.begin(), index_.marks.end(), [](const Mark& a, const Mark& b) {
            return std::tie(a.step, a.kind, a.warp, a.finding) < std::tie(b.step, b.kind, b.warp, b.finding);
        });
        index_.marks.erase(std::unique(index_.marks.begin(), index_.marks.end()), index_.marks.end());
        for (std::vector<int>& boxes : index_.hazards) {
            std::sort(boxes.begin(), boxes.end());
            boxes.erase(std::unique(boxes.begin(), boxes.end()), boxes.end());
        }
    }

  private:
    void add(int step, int warp, Trouble kind, int finding) {
        if (step >= 0 && step < int(trace_.steps.size()))
            index_.marks.push_back({step, warp, kind, finding});
    }

    template <typename Visit>
    void each_event(const std::vector<int>& threads, Visit visit) {
        for (const int thread : threads) {
            const auto& events = trace_.events[std::size_t(thread)];
            for (std::size_t e = 0; e < events.size(); ++e) {
                const std::uint32_t flat = index_.places.first[std::size_t(thread)] + std::uint32_t(e);
                if (index_.places.step[flat] != analysis::no_step)
                    visit(thread, events[e], flat);
            }
        }
    }

    static bool has(const std::vector<int>& list, int value) {
        return std::binary_search(list.begin(), list.end(), value);
    }

    void hazards(int f, const analysis::Finding& finding, const std::set<std::pair<int, int>>& raced) {
        each_event(finding.threads, [&](int thread, const Event& event, std::uint32_t flat) {
            const bool access = event.kind == EventKind::load || event.kind == EventKind::store;
            if (!access || event.flags & Event::no_box || !has(finding.lines, event.line) ||
                !has(finding.boxes, event.arg) || !raced.count({index_.places.interval[flat], event.arg}))
                return;
            const int step = index_.places.step[flat];
            add(step, thread / trace::warp_size, Trouble::hazard, f);
            index_.hazards[std::size_t(step)].push_back(event.arg);
        });
    }

    // Where the rows stand that wait for the others: the last step of the interval.
    void mismatch(int f, const analysis::Finding& finding) {
        for (std::size_t k = 0; k < analysis_.barriers.size(); ++k) {
            const analysis::Barrier& barrier = analysis_.barriers[k];
            if (!barrier.mismatch)
                continue;
            int step = -1;
            for (int s = 0; s < int(trace_.steps.size()); ++s)
                if (trace_.steps[std::size_t(s)].interval <= int(k))
                    step = s;
            for (int warp = 0; warp < trace_.warps(); ++warp)
                if (finding.threads.empty() ||
                    std::any_of(finding.threads.begin(), finding.threads.end(),
                                [&](int thread) { return thread / trace::warp_size == warp; }))
                    add(step, warp, Trouble::mismatch, f);
            return;
        }
    }

    void identity(int f, const analysis::Finding& finding) {
        each_event(finding.threads, [&](int thread, const Event& event, std::uint32_t flat) {
            if (event.kind != EventKind::shuffle)
                return;
            const Source& given = index_.provenance.of_event[flat].b;
            const bool right = given.kind == Source::Kind::constant &&
                               given.at == analysis::identity_of(trace_.config.op, trace_.config.type);
            if (given.kind == Source::Kind::constant && !right)
                add(index_.places.step[flat], thread / trace::warp_size, Trouble::identity, f);
        });
    }

    void undefined() {
        for (int thread = 0; thread < trace_.config.block; ++thread)
            each_event({thread}, [&](int, const Event& event, std::uint32_t flat) {
                if (!(event.flags & (Event::undefined | Event::bad_mask)))
                    return;
                // The finding of its line; where it was only handed on, the first one.
                int finding = -1;
                for (int f = int(analysis_.findings.size()); f-- > 0;) {
                    const analysis::Finding& found = analysis_.findings[std::size_t(f)];
                    if (found.rule != Rule::undefined_lane)
                        continue;
                    finding = f;
                    if (has(found.lines, event.line))
                        break;
                }
                add(index_.places.step[flat], thread / trace::warp_size, Trouble::undefined, finding);
            });
    }

    const trace::Trace& trace_;
    const analysis::Analysis& analysis_;
    Index& index_;
};

// Sets of inputs, one row of bits a value.
class Sets {
  public:
    Sets(std::size_t rows, int threads)
        : words_(std::size_t(threads + 31) / 32), bits_(rows * words_, 0), threads_(threads) {}
    void put(std::size_t row, int thread) {
        bits_[row * words_ + std::size_t(thread) / 32] |= 1u << (thread % 32);
    }
    void join(std::size_t row, const Sets& other, std::size_t from) {
        for (std::size_t w = 0; w < words_; ++w)
            bits_[row * words_ + w] |= other.bits_[from * words_ + w];
    }
    void copy(std::size_t row, const Sets& other, std::size_t from) {
        for (std::size_t w = 0; w < words_; ++w)
            bits_[row * words_ + w] = other.bits_[from * words_ + w];
    }
    bool has(std::size_t row, int thread) const {
        return bits_[row * words_ + std::size_t(thread) / 32] >> (thread % 32) & 1;
    }
    template <typename Visit>
    void each(std::size_t row, Visit visit) const {
        for (std::size_t w = 0; w < words_; ++w)
            for (std::uint32_t bits = bits_[row * words_ + w]; bits; bits &= bits - 1)
                visit(int(w) * 32 + std::countr_zero(bits));
    }
    int count(std::size_t row) const {
        int sum = 0;
        for (std::size_t w = 0; w < words_; ++w)
            sum += std::popcount(bits_[row * words_ + w]);
        return sum;
    }
    // In `row` here, and not in that row of the other.
    std::vector<int> without(std::size_t row, const Sets& other, std::size_t from) const {
        std::vector<int> out;
        for (int thread = 0; thread < threads_; ++thread)
            if (has(row, thread) && !other.has(from, thread))
                out.push_back(thread);
        return out;
    }

  private:
    std::size_t words_;
    std::vector<std::uint32_t> bits_;
    int threads_;
};

// Which inputs are in each value, from where it really came.
Sets real_sets(const trace::Trace& trace, const Index& index, const std::vector<std::uint32_t>& order) {
    Sets sets(index.places.step.size(), trace.config.block);
    for (const std::uint32_t at : order) {
        Source from[2];
        const int count = sources_of(trace, index, at, from);
        for (int i = 0; i < count; ++i) {
            if (from[i].kind == Source::Kind::event)
                sets.join(at, sets, from[i].at);
            else if (from[i].kind == Source::Kind::input)
                sets.put(at, int(from[i].at));
        }
    }
    return sets;
}

// Which inputs would be in each value if every load saw the last store of an earlier step; calls
// end_of_step(step, per box: sets' row of what it holds, or -1).
template <typename EndOfStep>
void walk_in_step(const trace::Trace& trace, const Index& index, Sets& sets, EndOfStep end_of_step) {
    std::vector<std::int64_t> holds(std::size_t(trace.config.block), -1), next;
    for (int s = 0; s < int(trace.steps.size()); ++s) {
        const trace::Step& step = trace.steps[std::size_t(s)];
        next = holds;
        std::uint32_t longest = 0;
        for (const trace::Piece& piece : step.pieces)
            longest = std::max(longest, piece.end - piece.begin);
        for (std::uint32_t k = 0; k < longest; ++k)
            for (int thread = 0; thread < trace.config.block; ++thread) {
                const trace::Piece& piece = step.pieces[std::size_t(thread)];
                if (k >= piece.end - piece.begin)
                    continue;
                const std::uint32_t flat = index.places.first[std::size_t(thread)] + piece.begin + k;
                const Event& event = index.event(trace, flat);
                Source from[2];
                const int count = sources_of(trace, index, flat, from);
                const bool box = !(event.flags & Event::no_box);
                if (event.kind == EventKind::load && box && holds[event.arg] >= 0) {
                    sets.copy(flat, sets, std::size_t(holds[event.arg]));
                    continue;
                }
                for (int i = 0; i < count; ++i) {
                    if (from[i].kind == Source::Kind::event)
                        sets.join(flat, sets, from[i].at);
                    else if (from[i].kind == Source::Kind::input)
                        sets.put(flat, int(from[i].at));
                }
                if (event.kind == EventKind::store && box)
                    next[event.arg] = flat;
            }
        holds = next;
        end_of_step(s, holds);
    }
}

// The boxes that carry thread 0's first result as it is, and from which step on.
std::vector<std::pair<int, int>> result_boxes(const trace::Trace& trace, const Index& index) {
    std::vector<std::pair<int, int>> out;
    if (index.provenance.results.empty() || index.provenance.results[0].empty())
        return out;
    Source source = index.provenance.results[0][0];
    for (int guard = 0; guard < 64 && source.kind == Source::Kind::event; ++guard) {
        const Event& event = index.event(trace, source.at);
        if (event.kind != EventKind::load && event.kind != EventKind::store)
            break;
        if (event.kind == EventKind::store)
            out.push_back({event.arg, index.places.step[source.at]});
        source = index.provenance.of_event[source.at].a;
    }
    return out;
}

void find_losses(const trace::Trace& trace, const analysis::Analysis& analysis,
                 const std::vector<std::uint32_t>& order, Index& index) {
    const std::vector<int>& missing = analysis.contributions.missing;
    const std::size_t cells =
        index.places.step.size() * (std::size_t(trace.config.block + 31) / 32);  // of one table
    constexpr std::size_t most = std::size_t(1) << 25;
    if ((missing.empty() && !trace.racy) || cells > most)
        return;
    const Sets real = real_sets(trace, index, order);
    const auto step_of = [&](std::uint32_t flat) { return index.places.step[flat]; };
    std::vector<int> last(std::size_t(trace.config.block),
                          -1);  // step in which the input was last in a value
    for (std::uint32_t flat = 0; !missing.empty() && flat < index.places.step.size(); ++flat)
        if (step_of(flat) >= 0 && trace.steps[std::size_t(step_of(flat))].call == 0)
            real.each(flat, [&](int thread) {
                last[std::size_t(thread)] = std::max(last[std::size_t(thread)], step_of(flat));
            });
    for (const int thread : missing)
        index.lost_in[std::size_t(thread)] =
            std::min(last[std::size_t(thread)] + 1, int(trace.steps.size()) - 1);
    if (trace.racy) {
        Sets wanted(index.places.step.size(), trace.config.block);
        walk_in_step(trace, index, wanted, [&](int s, const std::vector<std::int64_t>& holds) {
            for (int box = 0; box < trace.config.block; ++box) {
                if (holds[std::size_t(box)] < 0)
                    continue;
                const Store* store = index.last_store(trace, box, s);
                const std::uint32_t held = index.places.first[std::size_t(store->thread)] + store->place;
                std::vector<int> less = wanted.without(std::size_t(holds[std::size_t(box)]), real, held);
                if (!less.empty())
                    index.shortfall[std::size_t(s)].push_back({box, real.count(held), std::move(less)});
            }
        });
    }
    if (missing.empty())
        return;
    for (const auto& [box, since] : result_boxes(trace, index)) {
        for (int s = std::max(0, since); s < int(trace.steps.size()); ++s) {
            if (trace.steps[std::size_t(s)].call != 0)
                break;
            const Store* store = index.last_store(trace, box, s);
            if (!store || store->step != since)
                break;
            std::vector<Shortfall>& at = index.shortfall[std::size_t(s)];
            std::erase_if(at, [&](const Shortfall& other) { return other.box == box; });
            at.push_back({box, trace.config.block - int(missing.size()), missing});
        }
    }
    for (std::vector<Shortfall>& at : index.shortfall)
        std::sort(at.begin(), at.end(), [](const Shortfall& a, const Shortfall& b) { return a.box < b.box; });
}

}  // namespace

const char* name_of(Trouble trouble) {
    switch (trouble) {
        case Trouble::hazard:
            return "hazard";
        case Trouble::mismatch:
            return "barrier mismatch";
        case Trouble::undefined:
            return "undefined value";
        case Trouble::lost:
            return "lost score";
        case Trouble::identity:
            return "wrong identity";
        case Trouble::conflict:
            return "bank conflict";
    }
    return "";
}

const Store* Index::last_store(const trace::Trace& trace, int box, int step) const {
    const std::vector<Store>& all = stores[std::size_t(box)];
    const auto end = std::upper_bound(all.begin(), all.end(), step,
                                      [](int s, const Store& store) { return s < store.step; });
    if (end == all.begin())
        return nullptr;
    const Store* last = &*(end - 1);
    // Of a race the order of the events need not be that of the run: the one whose bits lie in the box.
    const std::uint32_t bits = trace.steps[std::size_t(step)].boxes[std::size_t(box)];
    for (auto at = end; at != all.begin();) {
        --at;
        if (trace.events[std::size_t(at->thread)][at->place].bits == bits)
            return &*at;
        if (!trace.racy)
            break;
    }
    return last;
}

Index make_index(const trace::Trace& trace, const analysis::Analysis& analysis) {
    Index index;
    index.places = analysis::places_of(trace);
    index.groups = analysis::groups_of(trace, index.places);
    index.provenance = analysis::provenance_of(trace, index.places, index.groups);
    index.lost_in.assign(std::size_t(trace.config.block), -1);
    index.shortfall.resize(trace.steps.size());
    list_stores(trace, index);
    const std::vector<std::uint32_t> order = made_order(trace, index);
    count_leaves(trace, order, index);
    find_losses(trace, analysis, order, index);
    Marker(trace, analysis, index).all();
    return index;
}

std::vector<int> marked_steps(const Index& index) {
    std::vector<int> steps;
    for (const Mark& mark : index.marks)
        if (steps.empty() || steps.back() != mark.step)
            steps.push_back(mark.step);
    return steps;
}

}  // namespace auditorium::inspector
