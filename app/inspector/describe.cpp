#include "app/inspector/describe.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "analysis/findings.h"

namespace auditorium::inspector {
namespace {

using analysis::Rule;
using analysis::Source;
using trace::Event;
using trace::EventKind;
using trace::StepKind;
using Kind = Thing::Kind;

void sort_unique(std::vector<int>& list) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
}

std::string number_of(const std::vector<int>& list, const char* one, const char* many) {
    return fmt::format("{} {}", list.size() == 1 ? one : many, analysis::list_of(list));
}

std::string step_text(const trace::Step& step, int index) {
    switch (step.kind) {
        case StepKind::stage:
            return "stage";
        case StepKind::tree:
            return step.stride > 0 ? fmt::format("stride {}", step.stride)
                                   : fmt::format("step {}", index + 1);
        case StepKind::handoff:
            return "sit";
        case StepKind::shuffle:
            return step.offset > 0 ? fmt::format("shuffle by {}", step.offset) : "shuffle";
        case StepKind::publish:
            return "publish";
        case StepKind::broadcast:
            return "broadcast";
        case StepKind::other:
            break;
    }
    return fmt::format("step {}", index + 1);
}

Trouble trouble_of(Rule rule) {
    switch (rule) {
        case Rule::barrier_mismatch:
            return Trouble::mismatch;
        case Rule::undefined_lane:
            return Trouble::undefined;
        case Rule::lost_input:
        case Rule::doubled_input:
            return Trouble::lost;
        case Rule::identity:
            return Trouble::identity;
        default:
            return Trouble::hazard;
    }
}

// An access of the running step.
struct Access {
    int thread = 0;
    std::uint32_t place = 0;
    const Event* event = nullptr;
};

class Describer {
  public:
    Describer(const trace::Trace& trace, const analysis::Analysis& analysis,
              const playback::Timeline& timeline, const Index& index, const playback::Moment& moment)
        : trace_(trace), analysis_(analysis), index_(index), now_(trace, analysis, timeline, moment) {}

    Description about(const Thing& thing) {
        out_.thing = thing;
        if (!exists(thing, trace_, int(analysis_.findings.size())))
            return std::move(out_);
        switch (thing.kind) {
            case Kind::box:
                box(thing.index);
                break;
            case Kind::thread:
                thread(thing.index);
                break;
            case Kind::note:
                note(thing.index);
                break;
            case Kind::ray:
                ray(thing.index, thing.other);
                break;
            case Kind::ticket:
                ticket(thing.index, thing.other);
                break;
            case Kind::bank:
                bank(thing.index);
                break;
            case Kind::step:
                step(thing.index, thing.other);
                break;
            case Kind::finding:
                finding(thing.index);
                break;
        }
        sort_unique(out_.people);
        sort_unique(out_.boxes);
        std::stable_sort(
            out_.notes.begin(), out_.notes.end(),
            [](const Description::Note& a, const Description::Note& b) { return a.kind < b.kind; });
        return std::move(out_);
    }

  private:
    int steps() const { return int(trace_.steps.size()); }
    const trace::Step* running() const {
        return now_.in_step() ? &trace_.steps[std::size_t(now_.step())] : nullptr;
    }
    const std::vector<Event>& events(int thread) const { return trace_.events[std::size_t(thread)]; }
    std::uint32_t flat(int thread, std::uint32_t place) const {
        return index_.places.first[std::size_t(thread)] + place;
    }

    void fact(std::string name, std::string text, std::vector<int> lines = {}, bool on_demand = false) {
        out_.facts.push_back({std::move(name), std::move(text), std::move(lines), on_demand});
    }

    void value(std::uint32_t bits, bool undefined) {
        out_.value = undefined ? Description::Value::undefined : Description::Value::bits;
        out_.bits = bits;
    }

    void exact() {
        if (out_.value != Description::Value::bits)
            return;
        const bool is_float = trace_.config.type == trace::Type::f32;
        fact("Exactly",
             is_float ? fmt::format("{} = {}", trace::value_text(out_.bits, trace_.config.type),
                                    trace::bits_text(out_.bits))
                      : trace::bits_text(out_.bits),
             {}, true);
    }

    void note_of(int f) {
        const analysis::Finding& finding = analysis_.findings[std::size_t(f)];
        out_.notes.push_back({trouble_of(finding.rule), finding.text, finding.lines, f});
    }

    // The same of a race, with the two accesses of this box (or of this thread); the finding's own sentence
    // has the first pair of all.
    void note_of_race(int f, int box, int thread) {
        const analysis::Finding& finding = analysis_.findings[std::size_t(f)];
        struct Found {
            int thread = 0, interval = 0, line = 0, box = 0;
        };
        std::vector<Found> stores, others;
        for (const int t : finding.threads)
            for (std::uint32_t e = 0; e < events(t).size(); ++e) {
                const Event& event = events(t)[e];
                const bool load = event.kind == EventKind::load, store = event.kind == EventKind::store;
                if ((!load && !store) || (box >= 0 && event.arg != box) || event.flags & Event::no_box ||
                    !std::binary_search(finding.lines.begin(), finding.lines.end(), int(event.line)) ||
                    !std::binary_search(finding.boxes.begin(), finding.boxes.end(), int(event.arg)))
                    continue;
                const Found found{t, index_.places.interval[flat(t, e)], event.line, event.arg};
                if (store)
                    stores.push_back(found);
                if (load == (finding.kind != "WAW"))
                    others.push_back(found);
            }
        const bool within = finding.severity == analysis::Severity::warning;
        for (const Found& store : stores)
            for (const Found& other : others) {
                const bool pair =
                    store.thread != other.thread && store.interval == other.interval &&
                    store.box == other.box &&
                    (store.thread / trace::warp_size == other.thread / trace::warp_size) == within &&
                    (thread < 0 || store.thread == thread || other.thread == thread);
                if (!pair)
                    continue;
                const bool reads_first = finding.kind == "WAR";
                const std::string writes =
                    fmt::format("thread {} writes box {} on line {}", store.thread, store.box, store.line);
                const std::string reads = fmt::format(
                    "thread {} {} {} on line {}", other.thread, finding.kind == "WAW" ? "writes" : "reads",
                    reads_first ? fmt::format("box {}", store.box) : "it", other.line);
                out_.notes.push_back(
                    {Trouble::hazard,
                     fmt::format("{} race: {} and {}, and {}.", finding.kind, reads_first ? reads : writes,
                                 reads_first
                                     ? fmt::format("thread {} writes it on line {}", store.thread, store.line)
                                     : reads,
                                 within ? "they are lanes of one warp and no __syncwarp orders the two"
                                        : "no barrier orders the two"),
                     finding.lines, f});
                return;
            }
        note_of(f);
    }

    // --- the value and what is folded into it

    void contributions(Source source, const std::vector<int>& missing, bool result) {
        const analysis::Fold fold = analysis::fold_of(trace_, index_.places, index_.provenance, source);
        int doubled = 0;
        for (std::size_t t = 0; t < fold.times.size(); ++t) {
            if (fold.times[t] == 0)
                continue;
            out_.people.push_back(int(t));
            out_.folded += 1;
            doubled += fold.times[t] > 1;
        }
        out_.wanted = out_.folded + int(missing.size());
        out_.bracket = bracket_of(trace_, index_, source, missing);
        out_.scores = true;
        for (const Bracket::Row& row : out_.bracket->rows)
            if (row.won && row.kind == Bracket::Row::Kind::input)
                out_.winner = row.thread;
        std::string text = missing.empty() ? fmt::format("{} of {}", out_.folded, trace_.config.block)
                                           : fmt::format("{} of {} folded in", out_.folded, out_.wanted);
        if (doubled > 0)
            text += fmt::format(", {} twice", doubled);
        if (!fold.constants.empty())
            text += fold.constants.size() == 1 ? ", a constant" : ", constants";
        fact("Contributions", std::move(text));
        if (!missing.empty()) {
            const std::string who = number_of(missing, "thread", "threads");
            out_.notes.push_back(
                {Trouble::lost,
                 result
                     ? fmt::format("Lost: {} of {} scores are in the result; {} of {} went no further.",
                                   out_.folded, out_.wanted, missing.size() == 1 ? "the one" : "those", who)
                     : fmt::format("Lost: {} of {} scores are folded in; {} of {} came too late.",
                                   out_.folded, out_.wanted, missing.size() == 1 ? "the one" : "those", who),
                 lines_of_loss(missing.front()), -1});
        }
        boxes_on_the_way(source);
    }

    // Every box that a value came through.
    void boxes_on_the_way(Source value) {
        std::vector<std::uint32_t> open;
        std::vector<std::uint8_t> seen(index_.places.step.size(), 0);
        const auto visit = [&](Source source) {
            if (source.kind == Source::Kind::event && !seen[source.at]) {
                seen[source.at] = 1;
                open.push_back(source.at);
            }
        };
        visit(value);
        while (!open.empty()) {
            const std::uint32_t at = open.back();
            open.pop_back();
            const Event& event = index_.event(trace_, at);
            if (event.kind == EventKind::store && !(event.flags & Event::no_box))
                out_.boxes.push_back(event.arg);
            visit(index_.provenance.of_event[at].a);
            if (event.kind == EventKind::combine)
                visit(index_.provenance.of_event[at].b);
        }
    }

    // Where a score was last written, and where the others went on without it.
    std::vector<int> lines_of_loss(int thread) const {
        std::vector<int> lines;
        const int lost = index_.lost_in[std::size_t(thread)];
        if (lost < 0)
            return lines;
        if (lost > 0)
            lines.push_back(line_of(trace_.steps[std::size_t(lost - 1)], EventKind::store));
        lines.push_back(trace_.steps[std::size_t(lost)].line);
        std::erase(lines, 0);
        sort_unique(lines);
        return lines;
    }

    // The line of a step's last event of a kind, of its first thread that has one; 0: none.
    int line_of(const trace::Step& step, EventKind kind) const {
        for (int thread = 0; thread < trace_.config.block; ++thread) {
            const trace::Piece& piece = step.pieces[std::size_t(thread)];
            for (std::uint32_t e = piece.end; e-- > piece.begin;)
                if (events(thread)[e].kind == kind)
                    return events(thread)[e].line;
        }
        return 0;
    }

    // --- boxes

    // The last store that has happened.
    const Store* store_now(int box) const {
        const int step = now_.step();
        if (now_.in_step()) {
            const Store* store = index_.last_store(trace_, box, step);
            const bool written = std::any_of(
                index_.stores[std::size_t(box)].begin(), index_.stores[std::size_t(box)].end(),
                [&](const Store& s) { return s.step == step && now_.happened(s.thread, s.place); });
            if (written && store)
                return store;
            return step > 0 ? index_.last_store(trace_, box, step - 1) : nullptr;
        }
        return step < 0 ? nullptr : index_.last_store(trace_, box, steps() - 1);
    }

    void box(int b) {
        out_.title = fmt::format("Box {}", b);
        out_.boxes.push_back(b);
        fact("Address", fmt::format("shared + 0x{:03X}", 4 * b));
        fact("Bank", fmt::format("{}", b % trace::warp_size));
        const Store* store = store_now(b);
        if (!store) {
            out_.value = Description::Value::never_written;
            fact("Last writer", "nobody so far");
        } else {
            const Event& event = events(store->thread)[store->place];
            const trace::Step& at = trace_.steps[std::size_t(store->step)];
            const bool now = store->step == now_.step();
            const int shown =
                now ? now_.step() : std::min(now_.in_step() ? now_.step() - 1 : now_.step(), steps() - 1);
            const trace::Step& end = trace_.steps[std::size_t(std::max(shown, store->step))];
            value(end.boxes[std::size_t(b)], end.box_state[std::size_t(b)] == trace::box_undefined);
            fact("Last writer", fmt::format("researcher {}", store->thread));
            fact("Written at", fmt::format("line {}, {}", event.line, step_text(at, store->step)),
                 {int(event.line)});
            std::vector<int> missing;
            bool result = false;
            for (const Shortfall& less : index_.shortfall[std::size_t(std::max(shown, store->step))])
                if (less.box == b) {
                    missing = less.missing;
                    result = less.missing == analysis_.contributions.missing;
                }
            contributions({Source::Kind::event, flat(store->thread, store->place)}, missing, result);
        }
        box_in_step(b);
        for (int f = 0; f < int(analysis_.findings.size()); ++f) {
            const analysis::Finding& finding = analysis_.findings[std::size_t(f)];
            if (!std::binary_search(finding.boxes.begin(), finding.boxes.end(), b))
                continue;
            finding.rule == Rule::race ? note_of_race(f, b, -1) : note_of(f);
        }
        exact();
    }

    std::vector<Access> accesses_of(int b) const {
        std::vector<Access> out;
        const trace::Step* step = running();
        if (!step)
            return out;
        for (int r = analysis_.first_request[std::size_t(now_.step())];
             r < analysis_.first_request[std::size_t(now_.step()) + 1]; ++r) {
            const analysis::Request& request = analysis_.requests[std::size_t(r)];
            for (int lane = 0; lane < trace::warp_size; ++lane) {
                if (!(request.lanes >> lane & 1) || request.box[std::size_t(lane)] != b)
                    continue;
                const int thread = request.warp * trace::warp_size + lane;
                const trace::Piece& piece = step->pieces[std::size_t(thread)];
                for (std::uint32_t e = piece.begin; e < piece.end; ++e) {
                    const Event& event = events(thread)[e];
                    if (event.kind == request.kind && event.arg == b && event.line == request.line) {
                        out.push_back({thread, e, &event});
                        break;
                    }
                }
            }
        }
        return out;
    }

    void box_in_step(int b) {
        if (!running())
            return;
        std::vector<int> readers, writers;
        const analysis::Request* queue = nullptr;
        int queued = -1;
        for (const Access& access : accesses_of(b)) {
            (access.event->kind == EventKind::load ? readers : writers).push_back(access.thread);
            const analysis::Request* request = now_.request(access.thread, access.place);
            if (request && in_queue(*request, b % trace::warp_size) && (!queue || now_.current(*request))) {
                queue = request;
                queued = access.thread;
            }
        }
        sort_unique(readers);
        sort_unique(writers);
        std::string text;
        if (!readers.empty())
            text = "read by " + who(readers);
        if (!writers.empty())
            text += (text.empty() ? "" : ", ") + ("written by " + who(writers));
        fact("This step", text.empty() ? "not used" : text);
        if (queue)
            queue_facts(*queue, queued);
    }

    static std::string who(const std::vector<int>& threads) {
        if (threads.size() > 4)
            return fmt::format("{} researchers", threads.size());
        std::string out;
        for (const int thread : threads)
            out += fmt::format("{}#{}", out.empty() ? "" : ", ", thread);
        return out;
    }

    // --- queues

    // Does a bank serve more than one word of the request?
    bool in_queue(const analysis::Request& request, int bank) const {
        return request.wavefronts > 1 && depth(request, bank) > 1;
    }

    static int depth(const analysis::Request& request, int bank) {
        int most = 0;
        for (int lane = 0; lane < trace::warp_size; ++lane)
            if (request.lanes >> lane & 1 && request.box[std::size_t(lane)] % trace::warp_size == bank)
                most = std::max(most, request.wavefront[std::size_t(lane)] + 1);
        return most;
    }

    // Lanes of the request that stand at a bank, in the order of the tickets.
    static std::vector<int> queue_at(const analysis::Request& request, int bank) {
        std::vector<int> lanes;
        for (int lane = 0; lane < trace::warp_size; ++lane)
            if (request.lanes >> lane & 1 && request.box[std::size_t(lane)] % trace::warp_size == bank)
                lanes.push_back(lane);
        std::stable_sort(lanes.begin(), lanes.end(), [&](int a, int b) {
            return request.wavefront[std::size_t(a)] < request.wavefront[std::size_t(b)];
        });
        return lanes;
    }

    void queue_facts(const analysis::Request& request, int thread) {
        const int lane = thread % trace::warp_size;
        const int bank = request.box[std::size_t(lane)] % trace::warp_size;
        fact("Queue", fmt::format("ticket {} of {} at bank {}", request.wavefront[std::size_t(lane)] + 1,
                                  depth(request, bank), bank));
        std::vector<int> others;
        for (const int other : queue_at(request, bank))
            if (other != lane)
                others.push_back(request.warp * trace::warp_size + other);
        fact("With", who(others));
        conflict_note(request, bank);
    }

    void conflict_note(const analysis::Request& request, int bank) {
        const int words = depth(request, bank);
        out_.notes.push_back(
            {Trouble::conflict,
             fmt::format(
                 "Bank conflict: W{} wants {} different words of bank {} at once, and a bank serves one "
                 "at a time; which lane goes first is a drawing convention.",
                 request.warp, words, bank),
             {request.line},
             -1});
    }

    // --- threads

    void thread(int t) {
        out_.title = fmt::format("Researcher {}", t);
        out_.people.push_back(t);
        const int warp = t / trace::warp_size;
        fact("Place", fmt::format("warp {}, lane {}", warp, t % trace::warp_size));
        Source source{Source::Kind::input, std::uint32_t(t)};
        std::uint32_t bits = trace_.config.values[std::size_t(t)];
        bool undefined = false;
        for (std::uint32_t e = std::uint32_t(events(t).size()); e-- > 0;) {
            const Event& event = events(t)[e];
            if (event.kind != EventKind::load && event.kind != EventKind::combine &&
                event.kind != EventKind::shuffle)
                continue;
            const int step = index_.places.step[flat(t, e)];
            if (step > now_.step() || (step == now_.step() && !now_.happened(t, e)))
                continue;
            source = {Source::Kind::event, flat(t, e)};
            bits = event.bits;
            undefined = (event.flags & (Event::undefined | Event::bad_mask)) != 0;
            break;
        }
        value(bits, undefined);
        thread_in_step(t);
        contributions(source, {}, false);
        for (int f = 0; f < int(analysis_.findings.size()); ++f) {
            const analysis::Finding& finding = analysis_.findings[std::size_t(f)];
            if (!std::binary_search(finding.threads.begin(), finding.threads.end(), t))
                continue;
            if (finding.rule == Rule::lost_input && index_.lost_in[std::size_t(t)] >= 0) {
                const int lost = index_.lost_in[std::size_t(t)];
                out_.notes.push_back({Trouble::lost,
                                      fmt::format("Lost: this score goes no further than step {}, and the "
                                                  "result is made without it.",
                                                  lost),
                                      lines_of_loss(t), f});
            } else if (finding.rule == Rule::race) {
                note_of_race(f, -1, t);
            } else {
                note_of(f);
            }
        }
        exact();
    }

    void thread_in_step(int t) {
        const trace::Step* step = running();
        if (!step)
            return;
        const int warp = t / trace::warp_size;
        const analysis::StepAnalysis& found = analysis_.steps[std::size_t(now_.step())];
        const trace::Piece& piece = step->pieces[std::size_t(t)];
        if (piece.empty()) {
            const bool exited = std::size_t(warp) < found.exited.size() && found.exited[std::size_t(warp)];
            const bool waits = std::size_t(warp) < found.waiting.size() && found.waiting[std::size_t(warp)];
            bool row = false;
            for (int lane = 0; lane < trace::warp_size; ++lane) {
                const int other = warp * trace::warp_size + lane;
                row |= other < trace_.config.block && step->active(other);
            }
            fact("This step", exited  ? "has left the kernel"
                              : row   ? "switched off: its row works without it"
                              : waits ? fmt::format("waits at barrier {}", found.barrier)
                                      : "nothing to do");
            return;
        }
        std::vector<int> reads, writes, lines;
        const analysis::Request* queue = nullptr;
        std::string note;
        for (std::uint32_t e = piece.begin; e < piece.end; ++e) {
            const Event& event = events(t)[e];
            if (event.kind != EventKind::syncwarp)
                lines.push_back(event.line);
            if (event.kind == EventKind::shuffle) {
                note = event.flags & Event::no_partner
                           ? "has no partner, keeps its value"
                           : fmt::format("the note of lane {}", event.arg % trace::warp_size);
            } else if ((event.kind == EventKind::load || event.kind == EventKind::store) &&
                       !(event.flags & Event::no_box)) {
                (event.kind == EventKind::load ? reads : writes).push_back(event.arg);
                out_.boxes.push_back(event.arg);
                const analysis::Request* request = now_.request(t, e);
                if (request && in_queue(*request, event.arg % trace::warp_size) &&
                    (!queue || now_.current(*request)))
                    queue = request;
            }
        }
        sort_unique(reads);
        sort_unique(writes);
        sort_unique(lines);
        if (!reads.empty())
            fact("Reads", number_of(reads, "box", "boxes"));
        if (!writes.empty())
            fact("Writes", number_of(writes, "box", "boxes"));
        if (!note.empty())
            fact("Takes", note);
        if (!lines.empty())
            fact("At", lines_text(lines), lines);
        if (queue)
            queue_facts(*queue, t);
    }

    // --- notes and rays

    const Event* shuffle_of(int t, std::uint32_t& place) const {
        const trace::Step* step = running();
        if (!step)
            return nullptr;
        const trace::Piece& piece = step->pieces[std::size_t(t)];
        for (std::uint32_t e = piece.begin; e < piece.end; ++e)
            if (events(t)[e].kind == EventKind::shuffle) {
                place = e;
                return &events(t)[e];
            }
        return nullptr;
    }

    void note(int t) {
        out_.title = fmt::format("Note to researcher {}", t);
        out_.people.push_back(t);
        std::uint32_t place = 0;
        const Event* event = shuffle_of(t, place);
        if (!event) {
            fact("This step", "takes no note");
            return;
        }
        const int warp = t / trace::warp_size, lane = event->arg % trace::warp_size;
        const int from = warp * trace::warp_size + lane;
        const bool undefined = (event->flags & (Event::undefined | Event::bad_mask)) != 0;
        value(event->bits, undefined);
        if (event->flags & Event::no_partner) {
            fact("From", "nobody: no lane lies that far");
        } else {
            fact("From", fmt::format("researcher {}, lane {}", from, lane));
            if (from < trace_.config.block)
                out_.people.push_back(from);
        }
        fact("To", fmt::format("researcher {}, lane {}", t, t % trace::warp_size));
        fact("Line", lines_text({int(event->line)}), {int(event->line)});
        const analysis::StepAnalysis& found = analysis_.steps[std::size_t(now_.step())];
        if (std::size_t(t) < found.counts_lane.size())
            fact("Counts",
                 found.counts_lane[std::size_t(t)] ? "yes: the result depends on it" : "no: nothing uses it");
        std::vector<int> people = out_.people;
        contributions({Source::Kind::event, flat(t, place)}, {}, false);
        out_.people = people;
        out_.scores = false;
        out_.boxes.clear();
        for (int f = 0; f < int(analysis_.findings.size()); ++f) {
            const analysis::Finding& finding = analysis_.findings[std::size_t(f)];
            // A wrong identity is supplied on another line than that of the shuffle which takes it.
            const bool here = finding.rule == Rule::identity ||
                              std::binary_search(finding.lines.begin(), finding.lines.end(), event->line);
            const bool mine = std::binary_search(finding.threads.begin(), finding.threads.end(), t) ||
                              std::binary_search(finding.threads.begin(), finding.threads.end(), from);
            if (here && mine && (finding.rule == Rule::undefined_lane || finding.rule == Rule::identity))
                note_of(f);
        }
        exact();
    }

    void ray(int t, int b) {
        out_.people.push_back(t);
        out_.boxes.push_back(b);
        out_.title = fmt::format("Researcher {} and box {}", t, b);
        const trace::Step* step = running();
        const Event* found = nullptr;
        std::uint32_t place = 0;
        if (step) {
            const trace::Piece& piece = step->pieces[std::size_t(t)];
            for (std::uint32_t e = piece.begin; e < piece.end; ++e) {
                const Event& event = events(t)[e];
                const bool access = event.kind == EventKind::load || event.kind == EventKind::store;
                if (!access || event.arg != b || event.flags & Event::no_box)
                    continue;
                const analysis::Request* request = now_.request(t, e);
                if (!found || (request && now_.current(*request))) {
                    found = &event;
                    place = e;
                }
            }
        }
        fact("Address", fmt::format("shared + 0x{:03X}", 4 * b));
        fact("Bank", fmt::format("{}", b % trace::warp_size));
        if (!found) {
            fact("This step", "does not use it");
            return;
        }
        const bool load = found->kind == EventKind::load;
        out_.title = fmt::format("Researcher {} {} box {}", t, load ? "reads" : "writes", b);
        value(found->bits, (found->flags & Event::undefined) != 0);
        fact("Line", lines_text({int(found->line)}), {int(found->line)});
        if (load && found->writer < trace_.events.size() &&
            found->writer_event < events(found->writer).size()) {
            const Event& writer = events(found->writer)[found->writer_event];
            fact("Written by", fmt::format("researcher {}, line {}", found->writer, writer.line),
                 {int(writer.line)});
        }
        const analysis::Request* request = now_.request(t, place);
        if (request) {
            int same = 0;
            for (int lane = 0; lane < trace::warp_size; ++lane)
                same += (request->lanes >> lane & 1) && request->box[std::size_t(lane)] == b;
            if (same > 1)
                fact("Same word", fmt::format("{} lanes of the row, one wavefront", same));
            if (in_queue(*request, b % trace::warp_size))
                queue_facts(*request, t);
            else
                fact("Queue", "none: served at once");
        }
        for (int f = 0; f < int(analysis_.findings.size()); ++f) {
            const analysis::Finding& finding = analysis_.findings[std::size_t(f)];
            if (std::binary_search(finding.boxes.begin(), finding.boxes.end(), b) &&
                std::binary_search(finding.threads.begin(), finding.threads.end(), t) &&
                std::binary_search(finding.lines.begin(), finding.lines.end(), int(found->line)))
                note_of(f);
        }
        exact();
    }

    // --- banks and their queues

    // The deepest queue of the running step at a bank, that of the running beat first.
    const analysis::Request* queue_now(int bank) const {
        if (!running())
            return nullptr;
        const analysis::Request* best = nullptr;
        bool best_now = false;
        for (int r = analysis_.first_request[std::size_t(now_.step())];
             r < analysis_.first_request[std::size_t(now_.step()) + 1]; ++r) {
            const analysis::Request& request = analysis_.requests[std::size_t(r)];
            if (!in_queue(request, bank))
                continue;
            const bool current = now_.current(request);
            if (!best || (current && !best_now) ||
                (current == best_now && depth(request, bank) > depth(*best, bank))) {
                best = &request;
                best_now = current;
            }
        }
        return best;
    }

    std::string turn(const analysis::Request& request, int place) const {
        if (!now_.current(request))
            return "";
        const int serving = now_.wavefront();
        return place < serving ? "has been served" : place == serving ? "being served" : "waits";
    }

    void ticket(int bank, int place) {
        const analysis::Request* request = queue_now(bank);
        if (!request || place >= depth(*request, bank)) {
            out_.title = fmt::format("Ticket {} at bank {}", place + 1, bank);
            fact("This step", "no such queue");
            return;
        }
        out_.title = fmt::format("Ticket {} of {} at bank {}", place + 1, depth(*request, bank), bank);
        std::vector<int> threads, others;
        int word = -1;
        for (const int lane : queue_at(*request, bank)) {
            const bool mine = request->wavefront[std::size_t(lane)] == place;
            (mine ? threads : others).push_back(request->warp * trace::warp_size + lane);
            if (mine)
                word = request->box[std::size_t(lane)];
        }
        out_.people = threads;
        if (word >= 0) {
            out_.boxes.push_back(word);
            fact("For", who(threads));
            fact("Box", fmt::format("{}, shared + 0x{:03X}", word, 4 * word));
        }
        if (const std::string state = turn(*request, place); !state.empty())
            fact("Now", state);
        fact("Also here", who(others));
        fact("Line", lines_text({request->line}), {request->line});
        conflict_note(*request, bank);
    }

    void bank(int b) {
        out_.title = fmt::format("Bank {}", b);
        std::vector<int> boxes;
        for (int box = b; box < trace_.config.block; box += trace::warp_size)
            boxes.push_back(box);
        out_.boxes = boxes;
        fact("Holds", boxes.empty() ? "no box of this block" : number_of(boxes, "box", "boxes"));
        if (!running())
            return;
        int requests = 0, readers = 0, writers = 0;
        for (int r = analysis_.first_request[std::size_t(now_.step())];
             r < analysis_.first_request[std::size_t(now_.step()) + 1]; ++r) {
            const analysis::Request& request = analysis_.requests[std::size_t(r)];
            const int lanes = int(queue_at(request, b).size());
            requests += lanes > 0;
            (request.kind == EventKind::load ? readers : writers) += lanes;
        }
        fact("Wanted by", requests == 0 ? "nobody in this step"
                                        : fmt::format("{} {} of {} {}", readers + writers,
                                                      readers + writers == 1 ? "lane" : "lanes", requests,
                                                      requests == 1 ? "request" : "requests"));
        const analysis::Request* queue = queue_now(b);
        if (!queue) {
            if (requests > 0)
                fact("Queue", "none: each request is served at once");
            return;
        }
        // While another line of the step is served the picture shows that one's queues.
        bool other_now = false;
        for (int r = analysis_.first_request[std::size_t(now_.step())];
             r < analysis_.first_request[std::size_t(now_.step()) + 1]; ++r)
            other_now |= now_.current(analysis_.requests[std::size_t(r)]);
        if (other_now && !now_.current(*queue)) {
            fact("Queue", "none now");
            fact("In this step",
                 fmt::format("{} tickets of W{}, {}", depth(*queue, b), queue->warp,
                             lines_text({queue->line})),
                 {queue->line});
            conflict_note(*queue, b);
            return;
        }
        std::vector<int> threads;
        for (const int lane : queue_at(*queue, b))
            threads.push_back(queue->warp * trace::warp_size + lane);
        out_.people = threads;
        fact("Queue", fmt::format("{} tickets of W{}", depth(*queue, b), queue->warp));
        fact("Who", who(threads));
        fact("Line", lines_text({queue->line}), {queue->line});
        conflict_note(*queue, b);
    }

    // --- steps

    void step(int number, int warp) {
        const bool cap = number == 0 || number > steps();
        if (cap) {
            out_.title = number == 0 ? "Arrive" : "Done";
            fact("Researchers", fmt::format("{}", trace_.config.block));
            fact("Rows", fmt::format("{}", trace_.warps()));
            return;
        }
        const int s = number - 1;
        const trace::Step& at = trace_.steps[std::size_t(s)];
        const analysis::StepAnalysis& found = analysis_.steps[std::size_t(s)];
        const std::string what = step_text(at, s);
        out_.title = fmt::format("Step {}", number);
        if (!what.starts_with("step "))
            out_.title += ": " + what;
        if (warp >= 0)
            out_.title += fmt::format(", W{}", warp);
        const int first = std::max(0, warp) * trace::warp_size;
        const int last =
            warp < 0 ? trace_.config.block : std::min(trace_.config.block, first + trace::warp_size);
        int lanes = 0;
        for (int t = first; t < last; ++t)
            lanes += at.active(t);
        fact("Lanes at work", fmt::format("{} of {}", lanes, last - first));
        int requests[2] = {0, 0}, wavefronts[2] = {0, 0};
        for (int r = analysis_.first_request[std::size_t(s)]; r < analysis_.first_request[std::size_t(s) + 1];
             ++r) {
            const analysis::Request& request = analysis_.requests[std::size_t(r)];
            if (warp >= 0 && request.warp != warp)
                continue;
            const int kind = request.kind == EventKind::load ? 0 : 1;
            requests[kind] += 1;
            wavefronts[kind] += request.wavefronts;
        }
        const char* const names[2] = {"Loads", "Stores"};
        for (int kind = 0; kind < 2; ++kind)
            if (requests[kind] > 0)
                fact(names[kind],
                     fmt::format("{} {}, {} {}", requests[kind], requests[kind] == 1 ? "request" : "requests",
                                 wavefronts[kind], wavefronts[kind] == 1 ? "wavefront" : "wavefronts"));
        if (warp >= 0 && std::size_t(warp) < found.waiting.size()) {
            if (found.exited[std::size_t(warp)])
                fact("State", "has left the kernel");
            else if (lanes == 0 && found.waiting[std::size_t(warp)])
                fact("State", fmt::format("waits at barrier {}", found.barrier));
        }
        if (at.barrier_after)
            fact("Ends at", fmt::format("barrier {} of {}", found.barrier, trace_.barriers));
        if (at.line > 0)
            fact("Line", lines_text({at.line}), {at.line});
        // Each trouble once: a finding in its own words, conflicts summed up.
        std::vector<int> said;
        bool conflict = false;
        for (const Mark& mark : index_.marks) {
            if (mark.step != s || (warp >= 0 && mark.warp != warp))
                continue;
            if (mark.kind == Trouble::conflict) {
                conflict = true;
            } else if (mark.finding >= 0 && std::find(said.begin(), said.end(), mark.finding) == said.end()) {
                said.push_back(mark.finding);
                note_of(mark.finding);
                if (mark.kind == Trouble::lost)
                    out_.notes.back().lines =
                        lines_of_loss(analysis_.findings[std::size_t(mark.finding)].threads.front());
            }
        }
        if (conflict)
            out_.notes.push_back(
                {Trouble::conflict,
                 fmt::format(
                     "Bank conflicts: {} requests take {} wavefronts; different words of one bank are "
                     "served one after another.",
                     requests[0] + requests[1], wavefronts[0] + wavefronts[1]),
                 {at.line},
                 -1});
    }

    void finding(int f) {
        const analysis::Finding& found = analysis_.findings[std::size_t(f)];
        note_of(f);
        Description::Note& note = out_.notes.back();
        std::string name = name_of(note.kind);
        if (found.rule == Rule::doubled_input)
            name = "score counted twice";
        else if (found.rule == Rule::bad_index)
            name = "no such box";
        else if (found.rule == Rule::unfinished)
            name = "unfinished run";
        else if (found.rule == Rule::wrong_result)
            name = "wrong result";
        name[0] = char(std::toupper(static_cast<unsigned char>(name[0])));
        out_.title = std::move(name);
        if (found.rule == Rule::lost_input)
            note.lines = lines_of_loss(found.threads.front());
        out_.people = found.threads;
        out_.boxes = found.boxes;
        if (!found.kind.empty())
            fact("Kind", found.kind == "RAW"   ? "RAW: a read after a write"
                         : found.kind == "WAR" ? "WAR: a write after a read"
                                               : "WAW: a write after a write");
        if (found.rule == Rule::race)
            fact("Severity", found.severity == analysis::Severity::error ? "error: between warps"
                                                                         : "warning: within a warp");
        if (!found.boxes.empty())
            fact("Boxes", short_list(found.boxes));
        if (!found.threads.empty())
            fact("Researchers", short_list(found.threads));
        std::vector<int> at;
        for (const Mark& mark : index_.marks)
            if (mark.finding == f)
                at.push_back(mark.step + 1);
        sort_unique(at);
        if (!at.empty())
            fact("In", number_of(at, "step", "steps"));
    }

    static std::string short_list(const std::vector<int>& list) {
        std::string text = analysis::list_of(list);
        return text.size() <= 32 ? text
                                 : fmt::format("{}, from {} to {}", list.size(), list.front(), list.back());
    }

    const trace::Trace& trace_;
    const analysis::Analysis& analysis_;
    const Index& index_;
    const Now now_;
    Description out_;
};

}  // namespace

Description describe(const trace::Trace& trace, const analysis::Analysis& analysis,
                     const playback::Timeline& timeline, const Index& index, const playback::Moment& moment,
                     const Thing& thing) {
    return Describer(trace, analysis, timeline, index, moment).about(thing);
}

std::string lines_text(const std::vector<int>& lines) {
    return number_of(lines, "line", "lines");
}

}  // namespace auditorium::inspector
