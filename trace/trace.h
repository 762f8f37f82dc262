// A Trace: what one launch of one thread block did, recorded on a GPU or by the interpreter.
//
// Units: values are the 4 bytes of a float32 or int32, as bits. Boxes are 4-byte words of shared memory; box
// i is in bank i % 32. Threads are numbered in the block, lanes in the warp. Lines count from 1 in `source`.
// Cycles are the SM's clock (clock64()). Invariants (checked by trace::read before a file's trace is used,
// and by trace::finish after a run):
//   config.values, inputs and results are config.block long; every event's index, lane and line is in range;
//   events[t] is in the order in which thread t did it; every thread's barriers alternate arrive, leave.
// Inexact: of a racy GPU run the order between threads within a barrier interval is not recorded; `racy` says
// so and a load then names the store that it really saw (writer, writer_event).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "trace/config.h"

namespace auditorium::trace {

enum class EventKind : std::uint8_t {
    load,            // arg = box, bits = the value read
    store,           // arg = box, bits = the value written
    combine,         // bits = the result of op(a, b); a and b are the thread's operands (see operands_of)
    shuffle,         // arg = source lane (the own lane when there is no partner), bits = the value received
    syncwarp,        //
    barrier_arrive,  // arg = how many barriers this thread had passed before, from 0
    barrier_leave,   // arg = the same number
};

// Bounds that trace::finish holds every trace to, so that no file can make it large without end.
inline constexpr int max_events = 8192;    // of one thread
inline constexpr int max_lines = 32767;    // of a kernel's text
inline constexpr int max_cells = 1 << 22;  // steps times threads

inline constexpr std::uint16_t nobody = 0xffff;  // writer of a box that was never written

struct Event {
    enum Flag : std::uint8_t {
        undefined = 1,  // the value is undefined: a shuffle from a lane that took no part, a box never
                        // written, or computed from such a value
        no_partner =
            2,         // shuffle: the source is outside the warp, so the thread keeps its own value (defined)
        bad_mask = 4,  // shuffle: the source lane took no part, or the mask leaves it out
        no_box = 8,    // load or store outside the block's boxes (index clamped); the access did not happen
    };
    EventKind kind = EventKind::load;
    std::uint8_t flags = 0;
    std::uint16_t line = 0;
    std::uint16_t arg = 0;
    std::uint16_t writer = nobody;   // load: the thread whose store it saw
    std::uint16_t writer_event = 0;  // load: that store's place in events[writer]
    std::uint32_t bits = 0;
    std::uint32_t sent =
        0;  // shuffle: the value that this lane gave (its register, or a constant it took instead)
    friend bool operator==(const Event&, const Event&) = default;
};

// What the thread block is doing between two neighbouring turning points; found from the events alone
// (trace/steps.h).
enum class StepKind : std::uint8_t { stage, tree, handoff, shuffle, publish, broadcast, other };
const char* name_of(StepKind kind);

// A half-open range of one thread's events that belong to a step; empty where the thread takes no part.
struct Piece {
    std::uint32_t begin = 0, end = 0;
    bool empty() const { return begin == end; }
};

struct Step {
    StepKind kind = StepKind::other;
    int stride = 0;              // tree: distance between the two boxes combined (0: differs between threads)
    int offset = 0;              // shuffle: distance between the lanes (0: differs between lanes)
    bool exchange = false;       // shuffle: pairs exchange (xor), so both ends receive
    int call = 0;                // which call of the reduction, from 0
    int interval = 0;            // barrier interval: barriers passed before it, from 0
    bool barrier_after = false;  // the step is the last one before a barrier that threads pass
    bool leaves = false;         // its threads return here, and not all threads of the block return having
                                 // come to the same barriers: the barriers do not match
    int line = 0;                // line of its first event, where most active threads agree
    std::vector<Piece> pieces;   // per thread: its loads, combines, stores, shuffles, syncwarps of this step
    std::vector<std::uint32_t> boxes;     // shared memory at the end of the step; bits. At the end of an
                                          // interval of a racy run: as its snapshot has it
    std::vector<std::uint8_t> box_state;  // per box: BoxState at the end of the step
    std::vector<std::uint32_t>
        registers;  // per thread at the end of the step: what it last loaded, combined or received, else its
                    // input. Where it then stored or gave something else (a constant in place of a missing
                    // partial, a distance computed from what it read), that.
    std::vector<std::uint8_t> register_undefined;  // per thread: 1 where that value is undefined
    int active_threads = 0;                        // threads with a piece here
    bool active(int thread) const { return !pieces[thread].empty(); }
};

enum BoxState : std::uint8_t { box_never_written = 0, box_defined = 1, box_undefined = 2 };

struct Origin {
    enum class Kind : std::uint8_t { gpu, simulated };
    Kind kind = Kind::simulated;
    std::string device;  // "NVIDIA H200"; empty when simulated
    int compute_major = 0, compute_minor = 0;
    std::string driver;  // "580.159"
    std::string cuda;    // "13.0"
    std::string note;    // why `auto` fell back to simulation, or a GPU's stamps to a slower way, if it did
};

// Cycles of the plain kernel, one block, many launches.
struct Cycles {
    double min = 0, median = 0, max = 0;
    int launches = 0;
    bool constant_block = false;  // block size known at compile time
};

// One stamp of the timed kernel: when lane 0 of `warp` reached events[warp*32][event], in cycles since its
// start; few others were taken in the same launches, so that the kernel runs nearly undisturbed
// (kernels/timed.h).
struct Stamp {
    int warp = 0;
    int event = 0;  // index in the events of the warp's lane 0; events.size() = the return
    double min = 0, median = 0, max = 0;
    int launches = 0;
};

struct Counter {
    std::string metric;  // the hardware's own name
    double value = 0;
};

// Counts per machine instruction of the plain kernel, summed over those that the machine code's line table
// gives to a line of `source`. values[i * metrics.size() + m]: metric m on lines[i]. Line 0: instructions of
// no line, which belong to the launch around the kernel. Lines ascend; a line without an instruction is left
// out.
struct LineCounters {
    std::vector<std::string> metrics;  // the hardware's own names
    std::vector<int> lines;
    std::vector<std::uint64_t> values;
    bool empty() const { return lines.empty(); }
    // The count of a metric on a line; empty where it was not counted.
    std::optional<std::uint64_t> value(int line, std::string_view metric) const;
};

// Shared memory as the run itself copied it, independent of the events, so a replay of the events can be held
// against it. snapshots[k], k < barriers, is taken at the k-th barrier: every store of barrier interval k is
// in it; snapshots[barriers] is taken at the end. interval = k; boxes.size() == config.block; a box never
// written is 0.
struct Snapshot {
    int interval = 0;
    std::vector<std::uint32_t> boxes;
};

// What went wrong while running; simulated runs only, except `overflow`.
struct RunFault {
    enum class Kind : std::uint8_t {
        barrier_mismatch,  // threads wait at different barriers, or some left while others wait
        undefined_lane,    // a shuffle read a lane that took no part
        bad_index,         // an access outside the block's boxes
        overflow,          // more events than the trace had room for
        step_limit,        // the run was stopped: it did not end
    };
    Kind kind{};
    std::vector<int> threads;
    std::vector<int> lines;
    std::string text;  // one sentence
};

// What one call of a run folds, as its events tell.
struct Call {
    Op op{};
    bool folds_inputs = true;  // the launch's inputs, not values that it computed from them
};

struct Trace {
    LaunchConfig config;
    Origin origin;
    std::string date;  // ISO 8601, UTC; "" for the deterministic parts of tests
    std::string tool_version;
    std::string source;             // the kernel's text as compiled or interpreted
    std::uint64_t source_hash = 0;  // FNV-1a 64 of source
    bool racy = false;              // derived: two accesses of one box were not ordered; see above

    std::vector<std::vector<Event>> events;           // per thread
    std::vector<Snapshot> snapshots;                  // in order of interval
    std::vector<std::vector<std::uint32_t>> results;  // [call][thread], what the traced kernel returned
    std::vector<std::vector<std::uint8_t>> result_undefined;  // [call][thread]; derived
    std::vector<std::vector<std::uint32_t>>
        plain_results;  // [call][thread] of the plain kernel; GPU only, else empty
    std::vector<std::vector<std::uint32_t>>
        simulated_results;  // [call][thread], from the interpreter; may be empty
    std::optional<Cycles> cycles;
    std::vector<Stamp> stamps;
    std::vector<Counter> counters;
    LineCounters line_counters;
    std::vector<RunFault> faults;

    std::vector<Step> steps;  // derived: trace::finish computes them, files do not hold them

    std::vector<Call> calls;  // derived

    int warps() const { return (config.block + warp_size - 1) / warp_size; }
    int barriers = 0;  // derived: block-wide barriers passed in the whole run
};

std::uint64_t hash_of(std::string_view text);  // FNV-1a 64

std::string device_text(const Trace& trace);  // "NVIDIA H200, recorded 2026-11-29" | "simulated on the CPU"

// A line of the run's text, from 1; "" where it has none of that number.
std::string_view source_line(const Trace& trace, int line);
std::string_view trimmed(std::string_view line);  // without what is blank before its first letter

int barriers_passed(const std::vector<Event>& events);  // by the thread that has these events

// Did the run end by itself? Not where the interpreter stopped it, and not where a thread waits at a barrier
// for ever.
bool ended(const Trace& trace);

// Computes everything derived (racy, steps, the writers of a race-free run's loads, undefined marks,
// barriers, source_hash) and checks the invariants above. Every maker of a Trace (launch, the file reader, a
// test) ends with it. Undefined marks are derived anew from shuffles marked bad_mask and loads of boxes never
// written, so that every origin comes to the same ones; a racy trace keeps its makers' marks of loads. A
// trace without a fault has results of every call. One with a fault may have none, which finish then fills
// with undefined zeros, and its maker's marks in result_undefined (threads that never returned) are kept.
// Snapshots may be left out.
Expected<Trace> finish(Trace trace);

}  // namespace auditorium::trace
