// A strand is a set of lanes of one warp that run together: a whole warp under `lockstep` and `seeded`, one
// lane under `independent`. A warp is split into two strands only where some of its lanes wait at a
// block-wide barrier that the others have not reached.
//
// Turns. Nothing but shared memory is seen by other strands, so one turn is at most one access (load or store
// of all active lanes), under `seeded` and `independent`; under `lockstep` it is one statement, in ascending
// order of warps. Barriers, `__syncwarp` and shuffles end a turn where the strand has to wait.
#include "simt/machine.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "simt/arithmetic.h"

namespace auditorium::simt {
namespace {

using trace::Event;
using trace::EventKind;
using trace::RunFault;
using trace::Trace;
using Mask = std::uint32_t;

constexpr Mask all_lanes = ~Mask(0);

struct alignas(64) Slot {
    Bits lane[trace::warp_size];
};

// Calls `f` for each lane of `mask`, in ascending order.
template <typename F>
inline void for_lanes(Mask mask, F&& f) {
    if (mask == all_lanes) {
        for (int lane = 0; lane < trace::warp_size; ++lane)
            f(lane);
        return;
    }
    while (mask) {
        f(std::countr_zero(mask));
        mask &= mask - 1;
    }
}

// splitmix64: small, and the same everywhere.
struct Random {
    std::uint64_t state = 0;
    std::uint64_t next() {
        std::uint64_t z = (state += 0x9e3779b97f4a7c15u);
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
        return z ^ (z >> 31);
    }
    std::uint32_t below(std::uint32_t bound) {
        return static_cast<std::uint32_t>(((next() >> 32) * bound) >> 32);
    }
};

struct Control {
    Mask saved = 0;                // active before the statement
    Mask other = 0;                // if: lanes that go to the else branch
    Mask left = 0, continued = 0;  // loop: those of the loop around it
};

struct Frame {
    std::uint32_t pc = 0;  // where the caller goes on
    std::uint32_t base = 0;
    std::uint16_t slots = 0;
    Mask active = 0, returned = 0, left = 0, continued = 0;
    std::uint32_t result = 0;  // place of the result, absolute
    bool has_result = false;
};

enum class State : std::uint8_t { ready, at_barrier, at_collective, done };

struct Strand {
    std::uint32_t pc = 0;
    std::uint32_t base = 0;   // of the frame, in the warp's slots
    std::uint16_t slots = 0;  // size of the frame
    int warp = 0;
    State state = State::ready;
    Mask lanes = 0;      // all of them
    Mask active = 0;     // those that execute now
    Mask returned = 0;   // from the function
    Mask left = 0;       // the loop's body, by break or continue
    Mask continued = 0;  // of those, by continue
    std::vector<Control> control;
    std::vector<Frame> frames;
};

struct Warp {
    std::vector<Slot> slots;
    std::vector<Mask> undefined;  // per slot: lanes whose value is undefined
    std::vector<std::uint32_t> strands;
    Mask live = 0;  // lanes that have not ended
};

// "thread 5", "threads 0 to 31 and 64", at most a few ranges.
std::string describe(const std::vector<int>& threads) {
    std::vector<std::string> ranges;
    for (std::size_t i = 0; i < threads.size();) {
        std::size_t j = i;
        while (j + 1 < threads.size() && threads[j + 1] == threads[j] + 1)
            ++j;
        if (j >= i + 2) {
            ranges.push_back(fmt::format("{} to {}", threads[i], threads[j]));
        } else {
            for (std::size_t k = i; k <= j; ++k)
                ranges.push_back(std::to_string(threads[k]));
        }
        i = j + 1;
    }
    std::string text = threads.size() == 1 ? "thread " : "threads ";
    constexpr std::size_t shown = 4;
    const std::size_t last = std::min(ranges.size(), shown);
    for (std::size_t i = 0; i < last; ++i) {
        if (i > 0)
            text += i + 1 == last && ranges.size() <= shown ? " and " : ", ";
        text += ranges[i];
    }
    if (ranges.size() > shown)
        text += fmt::format(" and more ({} in all)", threads.size());
    return text;
}

std::string upper_first(std::string text) {
    if (!text.empty() && text[0] >= 'a' && text[0] <= 'z')
        text[0] = static_cast<char>(text[0] - 'a' + 'A');
    return text;
}

std::string describe_line(int line) {
    return line == 0 ? "the barrier between two calls" : fmt::format("line {}", line);
}

class Machine {
  public:
    Machine(const Code& code, const Limits& limits, Trace& trace)
        : code_(code),
          trace_(trace),
          limits_(limits),
          block_(trace.config.block),
          kind_(trace.config.schedule.kind) {
        random_.state = trace.config.schedule.seed;
        const int warps = trace.warps();
        warps_.resize(static_cast<std::size_t>(warps));
        boxes_.assign(static_cast<std::size_t>(block_), 0);
        box_writer_.assign(static_cast<std::size_t>(block_), trace::nobody);
        box_event_.assign(static_cast<std::size_t>(block_), 0);
        trace.events.assign(static_cast<std::size_t>(block_), {});
        for (std::vector<Event>& list : trace.events)
            list.reserve(32);
        trace.snapshots.clear();
        trace.faults.clear();
        const auto results = static_cast<std::size_t>(trace.config.calls);
        trace.results.assign(results, std::vector<Bits>(static_cast<std::size_t>(block_), 0));
        trace.result_undefined.assign(results,
                                      std::vector<std::uint8_t>(static_cast<std::size_t>(block_), 1));
        strands_.reserve(static_cast<std::size_t>(block_));  // never more: each has a lane of its own
        for (int w = 0; w < warps; ++w) {
            Warp& warp = warps_[static_cast<std::size_t>(w)];
            const int lanes = std::min(trace::warp_size, block_ - w * trace::warp_size);
            warp.live = lanes == trace::warp_size ? all_lanes : (Mask(1) << lanes) - 1;
            warp.slots.resize(code.slots);
            warp.undefined.resize(code.slots, 0);
            for (int lane = 0; lane < lanes; ++lane)
                warp.slots[code.input_slot].lane[lane] =
                    trace.config.values[static_cast<std::size_t>(w * trace::warp_size + lane)];
            if (kind_ == trace::Schedule::Kind::independent)
                for (int lane = 0; lane < lanes; ++lane)
                    add_strand(w, Mask(1) << lane);
            else
                add_strand(w, warp.live);
        }
        live_ = block_;
    }

    void run() {
        if (kind_ == trace::Schedule::Kind::lockstep)
            run_in_order();
        else
            run_at_random();
        if (stopped_)
            tidy_up();
        take_snapshot();
        report_lanes();
    }

  private:
    // ---- scheduling

    void add_strand(int warp, Mask lanes) {
        Strand& strand = strands_.emplace_back();
        strand.warp = warp;
        strand.pc = code_.begin;
        strand.slots = code_.slots;
        strand.lanes = strand.active = lanes;
        const auto number = static_cast<std::uint32_t>(strands_.size() - 1);
        warps_[static_cast<std::size_t>(warp)].strands.push_back(number);
        place_.push_back(0);
        make_ready(number);
    }
    void make_ready(std::uint32_t strand) {
        strands_[strand].state = State::ready;
        place_[strand] = static_cast<std::uint32_t>(ready_.size());
        ready_.push_back(strand);
    }
    void make_unready(std::uint32_t strand, State state) {
        strands_[strand].state = state;
        const std::uint32_t place = place_[strand];
        ready_[place] = ready_.back();
        place_[ready_[place]] = place;
        ready_.pop_back();
    }

    void run_in_order() {
        std::size_t at = 0;
        while (!ready_.empty() && !stopped_) {
            if (strands_[at].state == State::ready)
                turn(static_cast<std::uint32_t>(at));
            at = released_ || at + 1 >= strands_.size() ? 0 : at + 1;
            released_ = false;
        }
    }

    // Seeds differ in temper: some let every turn go to anybody, some let a strand keep it for a while, so
    // that one gets far ahead of the others.
    void run_at_random() {
        const std::uint32_t temper = random_.below(4);
        const std::uint32_t longest = temper < 2 ? 1 : temper == 2 ? 8 : 64;
        while (!ready_.empty() && !stopped_) {
            const std::uint32_t strand = ready_[random_.below(static_cast<std::uint32_t>(ready_.size()))];
            std::uint32_t turns = longest == 1 ? 1 : 1 + random_.below(longest);
            while (turns-- > 0 && strands_[strand].state == State::ready && !stopped_)
                turn(strand);
        }
    }

    // ---- faults

    void stop(RunFault::Kind kind, const Strand& strand, int line, std::string text) {
        if (stopped_)
            return;
        stopped_ = true;
        RunFault fault;
        fault.kind = kind;
        fault.threads = threads_of(strand.warp, strand.active ? strand.active : strand.lanes);
        if (line > 0)
            fault.lines = {line};
        fault.text = std::move(text);
        trace_.faults.push_back(std::move(fault));
    }

    static std::vector<int> threads_of(int warp, Mask lanes) {
        std::vector<int> threads;
        for_lanes(lanes, [&](int lane) { threads.push_back(warp * trace::warp_size + lane); });
        return threads;
    }

    // The run was cut off: no thread may be left inside a barrier, no barrier counts that nobody left, and
    // there are no results.
    void tidy_up() {
        int passed = 0;
        for (std::vector<Event>& events : trace_.events) {
            if (!events.empty() && events.back().kind == EventKind::barrier_arrive)
                events.pop_back();
            passed = std::max(passed, trace::barriers_passed(events));
        }
        trace_.snapshots.resize(std::min(trace_.snapshots.size(), static_cast<std::size_t>(passed)));
        trace_.results.clear();  // finish makes them undefined
    }

    struct LaneFault {
        std::set<int> threads;
        std::string text;
    };
    void lane_fault(RunFault::Kind kind, int line, int thread, std::string text) {
        LaneFault& fault = lane_faults_[{kind, line}];
        if (fault.threads.empty())
            fault.text = std::move(text);
        fault.threads.insert(thread);
    }
    void report_lanes() {
        for (auto& [key, lanes] : lane_faults_) {
            RunFault fault;
            fault.kind = key.first;
            fault.lines = {key.second};
            fault.threads.assign(lanes.threads.begin(), lanes.threads.end());
            fault.text = std::move(lanes.text);
            if (fault.threads.size() > 1)
                fault.text += fmt::format(" It is the first of {} threads with that fault there.",
                                          fault.threads.size());
            trace_.faults.push_back(std::move(fault));
        }
    }

    // ---- events

    Event* record(int thread, EventKind kind, int line) {
        std::vector<Event>& events = trace_.events[static_cast<std::size_t>(thread)];
        if (events.size() >= limits_.events) {
            if (!stopped_) {
                stopped_ = true;
                RunFault fault;
                fault.kind = RunFault::Kind::overflow;
                fault.threads = {thread};
                fault.lines = {line};
                fault.text = fmt::format(
                    "The run was stopped: thread {} did more than {} things that a trace records.", thread,
                    limits_.events);
                trace_.faults.push_back(std::move(fault));
            }
            return nullptr;
        }
        Event& event = events.emplace_back();
        event.kind = kind;
        event.line = static_cast<std::uint16_t>(line);
        return &event;
    }

    void take_snapshot() {
        trace_.snapshots.push_back(trace::Snapshot{static_cast<int>(trace_.snapshots.size()), boxes_});
    }

    // ---- barriers

    void check_barrier() {
        if (live_ == 0 || waiting_ < live_)
            return;
        check_match();
        take_snapshot();
        const std::size_t number = trace_.snapshots.size() - 1;
        for (std::uint32_t i = 0; i < strands_.size(); ++i) {
            Strand& strand = strands_[i];
            if (strand.state != State::at_barrier)
                continue;
            const int line = code_.instructions[strand.pc].line;
            for_lanes(strand.active, [&](int lane) {
                if (Event* event =
                        record(strand.warp * trace::warp_size + lane, EventKind::barrier_leave, line))
                    event->arg = static_cast<std::uint16_t>(number);
            });
            ++strand.pc;
            make_ready(i);
        }
        waiting_ = 0;
        released_ = true;
    }

    // Do all threads wait at one barrier of the text? If not, say so once for each pair of places.
    void check_match() {
        std::map<std::uint32_t, std::vector<int>> places;  // by barrier
        std::map<std::uint32_t, int> lines;
        for (const Strand& strand : strands_)
            if (strand.state == State::at_barrier) {
                const Instruction& instruction = code_.instructions[strand.pc];
                std::vector<int>& threads = places[instruction.immediate];
                lines[instruction.immediate] = instruction.line;
                for_lanes(strand.active,
                          [&](int lane) { threads.push_back(strand.warp * trace::warp_size + lane); });
            }
        if (places.size() < 2 && live_ == block_)
            return;
        std::vector<int> key;
        for (const auto& [place, line] : lines)
            key.push_back(line);
        if (live_ < block_)
            key.push_back(-1);
        if (!mismatches_.insert(key).second)
            return;
        RunFault fault;
        fault.kind = RunFault::Kind::barrier_mismatch;
        std::string text;
        for (auto& [place, threads] : places) {
            std::sort(threads.begin(), threads.end());
            fault.lines.push_back(lines[place]);
            if (!text.empty())
                text += ", ";
            text += fmt::format(
                "{} wait{} at {}", describe(threads), threads.size() == 1 ? "s" : "",
                lines[place] == 0 ? describe_line(0) : "the barrier in " + describe_line(lines[place]));
            if (fault.threads.empty() || places.size() > 1 || live_ < block_)
                fault.threads.insert(fault.threads.end(), threads.begin(), threads.end());
        }
        std::sort(fault.threads.begin(), fault.threads.end());
        std::erase(fault.lines, 0);
        std::sort(fault.lines.begin(), fault.lines.end());
        fault.lines.erase(std::unique(fault.lines.begin(), fault.lines.end()), fault.lines.end());
        if (live_ < block_) {
            std::vector<int> gone;
            for (std::size_t w = 0; w < warps_.size(); ++w)
                for (int lane = 0; lane < trace::warp_size; ++lane) {
                    const int thread = static_cast<int>(w) * trace::warp_size + lane;
                    if (thread < block_ && !(warps_[w].live >> lane & 1))
                        gone.push_back(thread);
                }
            text += fmt::format(", but {} {} already left the kernel", describe(gone),
                                gone.size() == 1 ? "has" : "have");
        }
        fault.text = upper_first(text) + ". A barrier must be reached by every thread of the block.";
        trace_.faults.push_back(std::move(fault));
    }

    // The active lanes of the strand wait at its barrier; others of its lanes that have not come here go on
    // in a strand of their own.
    void arrive(std::uint32_t number) {
        if (strands_[number].active != strands_[number].lanes)
            split(number);
        Strand& strand = strands_[number];
        const int line = code_.instructions[strand.pc].line;
        for_lanes(strand.active, [&](int lane) {
            if (Event* event = record(strand.warp * trace::warp_size + lane, EventKind::barrier_arrive, line))
                event->arg = static_cast<std::uint16_t>(trace_.snapshots.size());
        });
        waiting_ += std::popcount(strand.active);
        make_unready(number, State::at_barrier);
        settle(strand.warp);
        check_barrier();
    }

    void split(std::uint32_t number) {
        strands_.push_back(strands_[number]);
        place_.push_back(0);
        const auto rest_number = static_cast<std::uint32_t>(strands_.size() - 1);
        Strand& waits = strands_[number];
        Strand& rest = strands_[rest_number];
        keep_lanes(rest, waits.lanes & ~waits.active);
        keep_lanes(waits, waits.active);
        ++rest.pc;
        warps_[static_cast<std::size_t>(rest.warp)].strands.push_back(rest_number);
        make_ready(rest_number);
    }
    static void keep_lanes(Strand& strand, Mask lanes) {
        for (Mask* mask : {&strand.lanes, &strand.active, &strand.returned, &strand.left, &strand.continued})
            *mask &= lanes;
        for (Control& control : strand.control)
            for (Mask* mask : {&control.saved, &control.other, &control.left, &control.continued})
                *mask &= lanes;
        for (Frame& frame : strand.frames)
            for (Mask* mask : {&frame.active, &frame.returned, &frame.left, &frame.continued})
                *mask &= lanes;
    }

    // ---- shuffles and __syncwarp: the lanes that the mask names wait for one another

    void collective(std::uint32_t number) {
        make_unready(number, State::at_collective);
        settle(strands_[number].warp);
    }

    // Called whenever a strand of the warp starts to wait or ends: lets a collective go on whose lanes are
    // all there. Where nobody else of the warp can come any more, the one with the lowest place in the code
    // goes on without the missing lanes.
    void settle(int number) {
        const Warp& warp = warps_[static_cast<std::size_t>(number)];
        std::uint32_t first = 0;
        bool any = false, some_ready = false;
        for (const std::uint32_t s : warp.strands) {
            const Strand& strand = strands_[s];
            some_ready |= strand.state == State::ready;
            if (strand.state != State::at_collective)
                continue;
            Mask here = 0, needed = 0;
            meet(warp, strand.pc, here, needed);
            if ((needed & warp.live & ~here) == 0)
                return go_on(number, strand.pc, here);
            if (!any || strand.pc < first)
                first = strand.pc;
            any = true;
        }
        if (!any || some_ready)
            return;
        Mask here = 0, needed = 0;
        meet(warp, first, here, needed);
        go_on(number, first, here);
    }
    void meet(const Warp& warp, std::uint32_t pc, Mask& here, Mask& needed) const {
        const std::uint16_t slot = code_.instructions[pc].a;
        for (const std::uint32_t s : warp.strands) {
            const Strand& strand = strands_[s];
            if (strand.state != State::at_collective || strand.pc != pc)
                continue;
            here |= strand.active;
            const Slot& mask = warp.slots[strand.base + slot];
            for_lanes(strand.active, [&](int lane) { needed |= mask.lane[lane]; });
        }
    }
    void go_on(int number, std::uint32_t pc, Mask here) {
        Warp& warp = warps_[static_cast<std::size_t>(number)];
        meeting_.clear();
        for (const std::uint32_t s : warp.strands)
            if (strands_[s].state == State::at_collective && strands_[s].pc == pc)
                meeting_.push_back(s);
        if (code_.instructions[pc].op == Opcode::shuffle)
            shuffle(warp, number, pc, here);
        else
            sync_warp(warp, number, pc, here);
        for (const std::uint32_t s : meeting_) {
            ++strands_[s].pc;
            make_ready(s);
        }
    }

    void shuffle(Warp& warp, int number, std::uint32_t pc, Mask here) {
        const Instruction& instruction = code_.instructions[pc];
        Bits sent[trace::warp_size];
        Mask sent_undefined = 0;
        for (const std::uint32_t s : meeting_) {
            const Strand& strand = strands_[s];
            const Slot& values = warp.slots[strand.base + instruction.b];
            sent_undefined |= warp.undefined[strand.base + instruction.b] & strand.active;
            for_lanes(strand.active, [&](int lane) { sent[lane] = values.lane[lane]; });
        }
        for (const std::uint32_t s : meeting_) {
            const Strand& strand = strands_[s];
            const Slot* slots = warp.slots.data() + strand.base;
            Slot result = slots[instruction.dst];
            Mask undefined = warp.undefined[strand.base + instruction.dst] & ~strand.active;
            for_lanes(strand.active, [&](int lane) {
                const Mask mask = slots[instruction.a].lane[lane];
                const int source =
                    source_lane(static_cast<Shuffle>(instruction.immediate), lane,
                                slots[instruction.c].lane[lane], slots[instruction.target].lane[lane]);
                const int thread = number * trace::warp_size + lane;
                Event* event = record(thread, EventKind::shuffle, instruction.line);
                Event spare;
                if (!event)
                    event = &spare;
                event->sent = sent[lane];
                if (source < 0) {
                    event->flags = Event::no_partner;
                    event->arg = static_cast<std::uint16_t>(lane);
                    event->bits = sent[lane];
                    undefined |= sent_undefined & (Mask(1) << lane);
                } else {
                    event->arg = static_cast<std::uint16_t>(source);
                    const bool named = mask >> source & 1, present = here >> source & 1,
                               self = mask >> lane & 1;
                    if (named && present && self) {
                        event->bits = sent[source];
                        undefined |= (sent_undefined >> source & 1) << lane;
                    } else {
                        event->flags = Event::undefined | Event::bad_mask;
                        undefined |= Mask(1) << lane;
                        lane_fault(RunFault::Kind::undefined_lane, instruction.line, thread,
                                   why_undefined(thread, lane, source, present, self));
                    }
                }
                if (undefined >> lane & 1)
                    event->flags |= Event::undefined;
                result.lane[lane] = event->bits;
            });
            warp.slots[strand.base + instruction.dst] = result;
            warp.undefined[strand.base + instruction.dst] = undefined;
        }
    }

    std::string why_undefined(int thread, int lane, int source, bool present, bool self) const {
        if (!present) {
            const int other = thread - lane + source;
            if (other >= block_)
                return fmt::format(
                    "Thread {} takes the value of lane {}, but the block has only {} threads, so that "
                    "lane does not exist.",
                    thread, source, block_);
            return fmt::format(
                "Thread {} takes the value of lane {}, but thread {} takes no part in the shuffle.", thread,
                source, other);
        }
        if (!self)
            return fmt::format("Thread {} (lane {}) takes part in a shuffle whose mask does not name it.",
                               thread, lane);
        return fmt::format("Thread {} takes the value of lane {}, which the shuffle's mask does not name.",
                           thread, source);
    }

    // -1: outside the group of `width` lanes, so that the lane keeps its own value.
    static int source_lane(Shuffle kind, int lane, Bits argument, Bits width) {
        // As the instruction has it: the segment's mask is 32 - width, whatever the width.
        const Bits segment = (trace::warp_size - width) & 31;
        const int low = static_cast<int>(static_cast<Bits>(lane) & segment);
        const int high = static_cast<int>((static_cast<Bits>(lane) & segment) | (31 & ~segment));
        const int distance = static_cast<int>(argument & 31);
        switch (kind) {
            case Shuffle::down:
                return lane + distance > high ? -1 : lane + distance;
            case Shuffle::up:
                return lane - distance < low ? -1 : lane - distance;
            case Shuffle::exclusive_or:
                return (lane ^ distance) > high ? -1 : lane ^ distance;
            case Shuffle::from:
                return static_cast<int>(static_cast<Bits>(low) | (argument & 31 & ~segment));
        }
        return -1;
    }

    void sync_warp(Warp& warp, int number, std::uint32_t pc, Mask here) {
        const Instruction& instruction = code_.instructions[pc];
        for (const std::uint32_t s : meeting_) {
            const Strand& strand = strands_[s];
            const Slot& masks = warp.slots[strand.base + instruction.a];
            for_lanes(strand.active, [&](int lane) {
                const int thread = number * trace::warp_size + lane;
                record(thread, EventKind::syncwarp, instruction.line);
                const Mask missing = masks.lane[lane] & warp.live & ~here;
                if (missing)
                    lane_fault(RunFault::Kind::barrier_mismatch, instruction.line, thread,
                               fmt::format("Thread {} waits at __syncwarp for {}, which did not come.",
                                           thread, describe(threads_of(number, missing))));
                else if (!(masks.lane[lane] >> lane & 1))
                    lane_fault(
                        RunFault::Kind::barrier_mismatch, instruction.line, thread,
                        fmt::format("Thread {} calls __syncwarp with a mask that does not name it.", thread));
            });
        }
    }

    // ---- shared memory

    void load(const Strand& strand, const Instruction& instruction) {
        Warp& warp = warps_[static_cast<std::size_t>(strand.warp)];
        Slot* slots = warp.slots.data() + strand.base;
        const Slot& index = slots[instruction.a];
        Slot result = slots[instruction.dst];
        Mask undefined = warp.undefined[strand.base + instruction.dst] & ~strand.active;
        for_lanes(strand.active, [&](int lane) {
            const int thread = strand.warp * trace::warp_size + lane;
            Event* event = record(thread, EventKind::load, instruction.line);
            if (!event)
                return;
            const Bits box = index.lane[lane];
            if (box >= static_cast<Bits>(block_)) {
                outside(*event, thread, instruction.line, box, "reads");
                result.lane[lane] = 0;
                return;
            }
            event->arg = static_cast<std::uint16_t>(box);
            event->bits = boxes_[box];
            event->writer = box_writer_[box];
            event->writer_event = box_event_[box];
            if (event->writer == trace::nobody || box_undefined(box)) {
                event->flags = Event::undefined;
                undefined |= Mask(1) << lane;
            }
            result.lane[lane] = event->bits;
        });
        slots[instruction.dst] = result;
        warp.undefined[strand.base + instruction.dst] = undefined;
    }
    bool box_undefined(Bits box) const {
        const Event& event = trace_.events[box_writer_[box]][box_event_[box]];
        return event.flags & Event::undefined;
    }

    void store(const Strand& strand, const Instruction& instruction) {
        Warp& warp = warps_[static_cast<std::size_t>(strand.warp)];
        const Slot* slots = warp.slots.data() + strand.base;
        const Slot& index = slots[instruction.a];
        const Slot& value = slots[instruction.b];
        const Mask undefined = warp.undefined[strand.base + instruction.b];
        for_lanes(strand.active, [&](int lane) {
            const int thread = strand.warp * trace::warp_size + lane;
            Event* event = record(thread, EventKind::store, instruction.line);
            if (!event)
                return;
            const Bits box = index.lane[lane];
            event->bits = value.lane[lane];
            if (undefined >> lane & 1)
                event->flags = Event::undefined;
            if (box >= static_cast<Bits>(block_)) {
                outside(*event, thread, instruction.line, box, "writes");
                return;
            }
            event->arg = static_cast<std::uint16_t>(box);
            boxes_[box] = value.lane[lane];
            box_writer_[box] = static_cast<std::uint16_t>(thread);
            box_event_[box] =
                static_cast<std::uint16_t>(trace_.events[static_cast<std::size_t>(thread)].size() - 1);
        });
    }
    void outside(Event& event, int thread, int line, Bits box, const char* does) {
        event.flags |= Event::no_box;
        event.arg = static_cast<std::uint16_t>(as_int(box) < 0 ? 0 : block_ - 1);
        lane_fault(RunFault::Kind::bad_index, line, thread,
                   fmt::format("Thread {} {} box {}, but the block has only the boxes 0 to {}.", thread, does,
                               as_int(box), block_ - 1));
    }

    void combine(const Strand& strand, const Instruction& instruction) {
        const Warp& warp = warps_[static_cast<std::size_t>(strand.warp)];
        const Slot& result = warp.slots[strand.base + instruction.dst];
        const Mask undefined = warp.undefined[strand.base + instruction.dst];
        for_lanes(strand.active, [&](int lane) {
            Event* event =
                record(strand.warp * trace::warp_size + lane, EventKind::combine, instruction.line);
            if (!event)
                return;
            event->bits = result.lane[lane];
            if (undefined >> lane & 1)
                event->flags = Event::undefined;
        });
    }

    // ---- calls

    bool enter(Strand& strand, const Instruction& instruction) {
        const Call& call = code_.calls[instruction.target];
        const CompiledFunction& function = code_.functions[call.function];
        Warp& warp = warps_[static_cast<std::size_t>(strand.warp)];
        const std::uint32_t base = strand.base + strand.slots;
        if (strand.frames.size() >= max_depth || base + function.slots > max_warp_slots) {
            stop(RunFault::Kind::step_limit, strand, instruction.line,
                 fmt::format("The run was stopped: calls stood {} deep inside one another in line {}.",
                             strand.frames.size(), instruction.line));
            return false;
        }
        if (warp.slots.size() < base + function.slots) {
            warp.slots.resize(base + function.slots);
            warp.undefined.resize(base + function.slots, 0);
        }
        for (std::size_t i = 0; i < call.arguments.size(); ++i) {
            if (call.arguments[i] == no_slot)
                continue;
            const Slot& from = warp.slots[strand.base + call.arguments[i]];
            Slot& to = warp.slots[base + i];
            for_lanes(strand.active, [&](int lane) { to.lane[lane] = from.lane[lane]; });
            set_undefined(warp, base + static_cast<std::uint32_t>(i), strand.active,
                          warp.undefined[strand.base + call.arguments[i]]);
        }
        Frame frame;
        frame.pc = strand.pc + 1;
        frame.base = strand.base;
        frame.active = strand.active;
        frame.returned = strand.returned;
        frame.left = strand.left;
        frame.continued = strand.continued;
        frame.has_result = instruction.dst != no_slot;
        frame.result = strand.base + (frame.has_result ? instruction.dst : 0);
        if (frame.has_result) {  // undefined until the function returns something
            Slot& result = warp.slots[frame.result];
            for_lanes(strand.active, [&](int lane) { result.lane[lane] = 0; });
            set_undefined(warp, frame.result, strand.active, all_lanes);
        }
        frame.slots = strand.slots;
        strand.frames.push_back(frame);
        strand.returned = strand.left = strand.continued = 0;
        strand.base = base;
        strand.slots = function.slots;
        strand.pc = function.begin;
        return true;
    }

    static void set_undefined(Warp& warp, std::uint32_t slot, Mask active, Mask undefined) {
        warp.undefined[slot] = (warp.undefined[slot] & ~active) | (undefined & active);
    }

    // ---- one turn of a strand

    void turn(std::uint32_t number);

    const Code& code_;
    Trace& trace_;
    const Limits limits_;
    const int block_;
    const trace::Schedule::Kind kind_;
    Random random_;
    std::vector<Strand> strands_;
    std::vector<Warp> warps_;
    std::vector<std::uint32_t> ready_, place_;  // strands that can go on; where each stands in ready_
    std::vector<std::uint32_t> meeting_;
    std::vector<Bits> boxes_;
    std::vector<std::uint16_t> box_writer_, box_event_;
    std::map<std::pair<RunFault::Kind, int>, LaneFault> lane_faults_;
    std::set<std::vector<int>> mismatches_;
    int live_ = 0;     // threads that have not ended
    int waiting_ = 0;  // of those, at a barrier
    bool released_ = false;
    bool stopped_ = false;
    std::uint64_t executed_ = 0;
};

void Machine::turn(std::uint32_t number) {
    Strand& strand = strands_[number];
    Warp& warp = warps_[static_cast<std::size_t>(strand.warp)];
    const bool by_statement = kind_ == trace::Schedule::Kind::lockstep;
    bool began = false;     // lockstep: this turn's statement
    bool accessed = false;  // otherwise: this turn's access
    Slot* slots = warp.slots.data() + strand.base;
    Mask* undefined = warp.undefined.data() + strand.base;

    const auto unary = [&](const Instruction& i, auto f) {
        const Slot& a = slots[i.a];
        Slot& dst = slots[i.dst];
        for_lanes(strand.active, [&](int lane) { dst.lane[lane] = f(a.lane[lane]); });
        undefined[i.dst] = (undefined[i.dst] & ~strand.active) | (undefined[i.a] & strand.active);
    };
    const auto binary = [&](const Instruction& i, auto f) {
        const Slot& a = slots[i.a];
        const Slot& b = slots[i.b];
        Slot& dst = slots[i.dst];
        for_lanes(strand.active, [&](int lane) { dst.lane[lane] = f(a.lane[lane], b.lane[lane]); });
        undefined[i.dst] =
            (undefined[i.dst] & ~strand.active) | ((undefined[i.a] | undefined[i.b]) & strand.active);
    };
    const auto truth = [&](const Slot& slot) {
        Mask mask = 0;
        for_lanes(strand.active, [&](int lane) { mask |= static_cast<Mask>(slot.lane[lane] != 0) << lane; });
        return mask;
    };

    // Not more than the budget allows; looked at wherever a run could go round in circles.
    const auto over_budget = [&](const Instruction& i) {
        if (executed_ <= limits_.instructions)
            return false;
        stop(RunFault::Kind::step_limit, strand, i.line,
             fmt::format("The run was stopped in line {}: it did not end within {} instructions.", i.line,
                         limits_.instructions));
        return true;
    };

    while (true) {
        const Instruction& i = code_.instructions[strand.pc];
        ++executed_;
        if (strand.active == 0 && i.op < Opcode::if_) {  // nobody is here
            ++strand.pc;
            continue;
        }
        Opcode op = i.op;
        if (op == Opcode::combine)
            op = static_cast<Opcode>(i.immediate);
        switch (op) {
            case Opcode::turn:
                if (by_statement) {
                    if (began)
                        return;
                    began = true;
                }
                break;
            case Opcode::immediate: {
                Slot& dst = slots[i.dst];
                for_lanes(strand.active, [&](int lane) { dst.lane[lane] = i.immediate; });
                undefined[i.dst] &= ~strand.active;
                break;
            }
            case Opcode::thread: {
                Slot& dst = slots[i.dst];
                const Bits first = static_cast<Bits>(strand.warp * trace::warp_size);
                for_lanes(strand.active, [&](int lane) { dst.lane[lane] = first + static_cast<Bits>(lane); });
                undefined[i.dst] &= ~strand.active;
                break;
            }
            case Opcode::undefined: {
                Slot& dst = slots[i.dst];
                for_lanes(strand.active, [&](int lane) { dst.lane[lane] = 0; });
                undefined[i.dst] |= strand.active;
                break;
            }
            case Opcode::copy:
                unary(i, [](Bits a) { return a; });
                break;
            case Opcode::add:
                binary(i, [](Bits a, Bits b) { return a + b; });
                break;
            case Opcode::sub:
                binary(i, [](Bits a, Bits b) { return a - b; });
                break;
            case Opcode::mul:
                binary(i, [](Bits a, Bits b) { return a * b; });
                break;
            case Opcode::div_int:
                binary(i, div_int);
                break;
            case Opcode::div_unsigned:
                binary(i, div_unsigned);
                break;
            case Opcode::rem_int:
                binary(i, rem_int);
                break;
            case Opcode::rem_unsigned:
                binary(i, rem_unsigned);
                break;
            case Opcode::shift_left:
                binary(i, shift_left);
                break;
            case Opcode::shift_right_int:
                binary(i, shift_right_int);
                break;
            case Opcode::shift_right_unsigned:
                binary(i, shift_right_unsigned);
                break;
            case Opcode::bit_and:
                binary(i, [](Bits a, Bits b) { return a & b; });
                break;
            case Opcode::bit_or:
                binary(i, [](Bits a, Bits b) { return a | b; });
                break;
            case Opcode::bit_xor:
                binary(i, [](Bits a, Bits b) { return a ^ b; });
                break;
            case Opcode::less_int:
                binary(i, [](Bits a, Bits b) -> Bits { return as_int(a) < as_int(b); });
                break;
            case Opcode::less_equal_int:
                binary(i, [](Bits a, Bits b) -> Bits { return as_int(a) <= as_int(b); });
                break;
            case Opcode::less_unsigned:
                binary(i, [](Bits a, Bits b) -> Bits { return a < b; });
                break;
            case Opcode::less_equal_unsigned:
                binary(i, [](Bits a, Bits b) -> Bits { return a <= b; });
                break;
            case Opcode::equal:
                binary(i, [](Bits a, Bits b) -> Bits { return a == b; });
                break;
            case Opcode::not_equal:
                binary(i, [](Bits a, Bits b) -> Bits { return a != b; });
                break;
            case Opcode::add_float:
                binary(i, add_float);
                break;
            case Opcode::sub_float:
                binary(i, sub_float);
                break;
            case Opcode::mul_float:
                binary(i, mul_float);
                break;
            case Opcode::div_float:
                binary(i, div_float);
                break;
            case Opcode::less_float:
                binary(i, [](Bits a, Bits b) -> Bits { return as_float(a) < as_float(b); });
                break;
            case Opcode::less_equal_float:
                binary(i, [](Bits a, Bits b) -> Bits { return as_float(a) <= as_float(b); });
                break;
            case Opcode::equal_float:
                binary(i, [](Bits a, Bits b) -> Bits { return as_float(a) == as_float(b); });
                break;
            case Opcode::not_equal_float:
                binary(i, [](Bits a, Bits b) -> Bits { return as_float(a) != as_float(b); });
                break;
            case Opcode::max_int:
                binary(i, max_int);
                break;
            case Opcode::min_int:
                binary(i, min_int);
                break;
            case Opcode::max_unsigned:
                binary(i, [](Bits a, Bits b) { return a > b ? a : b; });
                break;
            case Opcode::min_unsigned:
                binary(i, [](Bits a, Bits b) { return a < b ? a : b; });
                break;
            case Opcode::max_float:
                binary(i, max_float);
                break;
            case Opcode::min_float:
                binary(i, min_float);
                break;
            case Opcode::negate:
                unary(i, [](Bits a) { return Bits(0) - a; });
                break;
            case Opcode::negate_float:
                unary(i, [](Bits a) { return a ^ 0x80000000u; });
                break;
            case Opcode::bit_not:
                unary(i, [](Bits a) { return ~a; });
                break;
            case Opcode::logical_not:
                unary(i, [](Bits a) -> Bits { return a == 0; });
                break;
            case Opcode::absolute_int:
                unary(i, [](Bits a) { return as_int(a) < 0 ? Bits(0) - a : a; });
                break;
            case Opcode::absolute_float:
                unary(i, [](Bits a) { return a & 0x7fffffffu; });
                break;
            case Opcode::float_of_int:
                unary(i, float_of_int);
                break;
            case Opcode::float_of_unsigned:
                unary(i, float_of_unsigned);
                break;
            case Opcode::int_of_float:
                unary(i, int_of_float);
                break;
            case Opcode::unsigned_of_float:
                unary(i, unsigned_of_float);
                break;
            case Opcode::bool_of_int:
                unary(i, [](Bits a) -> Bits { return a != 0; });
                break;
            case Opcode::bool_of_float:
                unary(i, [](Bits a) -> Bits { return as_float(a) != 0; });
                break;
            case Opcode::load:
            case Opcode::store:
                if (!by_statement && accessed)
                    return;
                accessed = true;
                if (op == Opcode::load)
                    load(strand, i);
                else
                    store(strand, i);
                if (stopped_)
                    return;
                break;
            case Opcode::combine:
                break;  // taken apart above
            case Opcode::shuffle:
            case Opcode::sync_warp:
                collective(number);
                if (strand.state != State::ready || stopped_)
                    return;
                continue;  // it has moved on
            case Opcode::barrier:
                arrive(number);
                return;
            case Opcode::address: {
                Slot& dst = slots[i.dst];
                for_lanes(strand.active, [&](int lane) { dst.lane[lane] = strand.base + i.a; });
                undefined[i.dst] &= ~strand.active;
                break;
            }
            case Opcode::load_reference: {
                Mask marks = undefined[i.dst] & ~strand.active;
                for_lanes(strand.active, [&](int lane) {
                    const Bits place = slots[i.a].lane[lane];
                    slots[i.dst].lane[lane] = warp.slots[place].lane[lane];
                    marks |= warp.undefined[place] & (Mask(1) << lane);
                });
                undefined[i.dst] = marks;
                break;
            }
            case Opcode::store_reference:
                for_lanes(strand.active, [&](int lane) {
                    const Bits place = slots[i.a].lane[lane];
                    warp.slots[place].lane[lane] = slots[i.b].lane[lane];
                    set_undefined(warp, place, Mask(1) << lane, undefined[i.b]);
                });
                break;
            case Opcode::result:
                for_lanes(strand.active, [&](int lane) {
                    const auto thread = static_cast<std::size_t>(strand.warp * trace::warp_size + lane);
                    trace_.results[i.immediate][thread] = slots[i.a].lane[lane];
                    trace_.result_undefined[i.immediate][thread] = undefined[i.a] >> lane & 1;
                });
                break;

            case Opcode::if_: {
                const Mask yes = strand.active ? truth(slots[i.a]) : 0;
                strand.control.push_back(Control{strand.active, strand.active & ~yes, 0, 0});
                strand.active = yes;
                if (!yes) {
                    strand.pc = i.target;
                    continue;
                }
                break;
            }
            case Opcode::else_:
                strand.active = strand.control.back().other;
                if (!strand.active) {
                    strand.pc = i.target;
                    continue;
                }
                break;
            case Opcode::end_if:
                strand.active = strand.control.back().saved & ~(strand.returned | strand.left);
                strand.control.pop_back();
                break;
            case Opcode::loop:
                strand.control.push_back(Control{strand.active, 0, strand.left, strand.continued});
                strand.left = strand.continued = 0;
                break;
            case Opcode::loop_test:
                if (i.a != no_slot && strand.active)
                    strand.active = truth(slots[i.a]);
                if (!strand.active) {
                    strand.pc = i.target;
                    continue;
                }
                break;
            case Opcode::loop_resume:
                strand.active |= strand.continued;
                strand.left &= ~strand.continued;
                strand.continued = 0;
                break;
            case Opcode::loop_next:
                if (over_budget(i))
                    return;
                strand.pc = i.target;
                continue;
            case Opcode::loop_end: {
                const Control& control = strand.control.back();
                strand.active = control.saved & ~strand.returned;
                strand.left = control.left;
                strand.continued = control.continued;
                strand.control.pop_back();
                break;
            }
            case Opcode::break_:
                strand.left |= strand.active;
                strand.active = 0;
                break;
            case Opcode::continue_:
                strand.left |= strand.active;
                strand.continued |= strand.active;
                strand.active = 0;
                break;
            case Opcode::call:
                if (!strand.active)
                    break;
                if (over_budget(i) || !enter(strand, i))
                    return;
                slots = warp.slots.data() + strand.base;
                undefined = warp.undefined.data() + strand.base;
                continue;
            case Opcode::return_: {
                const Frame& frame = strand.frames.back();
                if (frame.has_result && i.a != no_slot) {
                    Slot& result = warp.slots[frame.result];
                    const Slot& value = slots[i.a];
                    for_lanes(strand.active, [&](int lane) { result.lane[lane] = value.lane[lane]; });
                    set_undefined(warp, frame.result, strand.active, undefined[i.a]);
                }
                strand.returned |= strand.active;
                strand.active = 0;
                break;
            }
            case Opcode::end_function: {
                const Frame& frame = strand.frames.back();
                strand.pc = frame.pc;
                strand.base = frame.base;
                strand.slots = frame.slots;
                strand.active = frame.active;
                strand.returned = frame.returned;
                strand.left = frame.left;
                strand.continued = frame.continued;
                strand.frames.pop_back();
                slots = warp.slots.data() + strand.base;
                undefined = warp.undefined.data() + strand.base;
                continue;
            }
            case Opcode::exit:
                warp.live &= ~strand.lanes;
                live_ -= std::popcount(strand.lanes);
                make_unready(number, State::done);
                settle(strand.warp);
                check_barrier();
                return;
        }
        if (i.op == Opcode::combine)
            combine(strand, i);
        if (stopped_)
            return;
        ++strand.pc;
    }
}

}  // namespace

void execute(const Code& code, const Limits& limits, Trace& trace) {
    Machine(code, limits, trace).run();
}

}  // namespace auditorium::simt
