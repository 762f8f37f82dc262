// What a trace means: pure functions of a Trace. Every count here is defined so that it equals a hardware
// counter.
//
// Request: the events of one warp with equal line, kind (load or store), barrier interval and count among
// that thread's accesses of the line in the interval. Wavefronts of a request (4-byte words): the largest
// number of different words in one bank (bank = word % 32); one word read by many lanes counts once. Bank
// conflicts = wavefronts - requests. Equal to l1tex__data_pipe_lsu_wavefronts_mem_shared_op_{ld,st}.sum and
// l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_{ld,st}.sum of a launch of the plain kernel.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "trace/trace.h"

namespace auditorium::analysis {

struct Request {
    int step = 0;  // index in trace.steps
    int warp = 0;
    int line = 0;
    trace::EventKind kind{};              // load or store
    int order = 0;                        // place among the warp's requests of this step
    std::uint32_t lanes = 0;              // mask of the lanes that take part
    std::array<std::uint16_t, 32> box{};  // per lane in `lanes`
    std::array<std::uint8_t, 32>
        wavefront{};  // per lane: which wavefront serves it, from 0. Which lane goes first is
                      // a drawing convention: ascending lanes; the hardware does not say.
    int wavefronts = 1;
    bool broadcast = false;  // one word for all its lanes (more than one lane)
};

struct Counts {
    int load_requests = 0, store_requests = 0;
    int load_wavefronts = 0, store_wavefronts = 0;
    int load_bank_conflicts = 0, store_bank_conflicts = 0;
    int shuffle_requests = 0;  // warp-wide shuffle instructions
    long active_lanes = 0;     // summed over loads, stores and shuffles
    long lane_slots = 0;       // 32 x (load_requests + store_requests + shuffle_requests)
    double lane_efficiency() const { return lane_slots ? double(active_lanes) / double(lane_slots) : 0; }
};

struct StepAnalysis {
    Counts counts;
    int active_threads = 0;
    int warps_issuing = 0;
    bool barrier_after = false;  // the last step of its interval of which a thread comes to the barrier, and
                                 // the barrier is passed
    int barrier = 0;             // number of the barrier that ends its interval, from 1; 0: none follows
    std::vector<std::uint8_t> waiting;  // per warp: 1 = has no further piece in this interval and waits at
                                        // its barrier while this step runs
    std::vector<std::uint8_t> exited;   // per warp: 1 = has left the kernel before this step
    std::optional<double>
        cycles;  // measured, from the stamps: latest end minus latest begin; empty without stamps
    int results_that_count = 0;             // shuffle: lanes whose result any later result depends on
    std::vector<std::uint8_t> counts_lane;  // shuffle: per thread, 1 = its result is used later
    int max_ways = 1;                       // worst request's wavefronts
};

// One __syncthreads (or a barrier that the launcher puts between calls, line 0).
struct Barrier {
    int arrived = 0;                // threads
    bool mismatch = false;          // some threads never came, or they came from different lines
    std::vector<int> absent;        // threads that never came, ascending
    std::vector<int> lines;         // ascending
    std::vector<int> arrival_step;  // per warp: the step at whose end it has arrived; -1: it never does
};

struct CallResult {
    std::uint32_t bits = 0;  // thread 0's result: plain where there is one, else traced or simulated
    std::optional<std::uint32_t> plain, traced, simulated;
    double reference = 0;  // in double (float) or exact int64, then wrapped to int32 (int)
    std::int64_t reference_int = 0;
    bool wrapped = false;  // int sum: the exact sum does not fit int32
    std::int64_t ulp = 0;  // distance between bits and the reference rounded to the type
    bool correct = false;  // max, min, int: equal; float sum: within the bound of the summation order
    bool all_threads_agree = true;  // every thread returned thread 0's bits
    bool undefined = false;
};

enum class Rule {
    race,
    barrier_mismatch,
    undefined_lane,  // a shuffle from a lane that takes no part, or a load of a box never written
    bad_index,       // an access outside the block's boxes
    lost_input,
    doubled_input,
    identity,
    unfinished,    // the run was stopped, or the trace had no room for all of it
    wrong_result,  // wrong, and no other error explains it
};
enum class Severity { error, warning };
const char* name_of(Rule rule);  // as in the JSON: "race", "barrier_mismatch", ...
const char* name_of(Severity severity);

struct Finding {
    Rule rule{};
    Severity severity = Severity::error;
    std::string kind;  // race: "RAW" | "WAR" | "WAW"; else ""
    std::vector<int> boxes, threads, lines;
    std::string text;  // one sentence: the rule, and where it was broken
};

// Which inputs are folded into the result, from the events alone (a load names the store that it saw).
struct Contributions {
    int folded = 0;                     // inputs folded in at least once
    std::vector<int> missing, doubled;  // threads whose input is not in the result, or more than once
};

struct Totals : Counts {
    int barriers = 0;
    int shuffles = 0;  // shuffle steps that a warp executed, summed over warps
};

struct Analysis {
    std::vector<StepAnalysis> steps;  // one per trace.steps
    std::vector<Request> requests;    // sorted by step, warp, order
    std::vector<int> first_request;   // per step, index in requests; size steps + 1
    std::vector<Barrier> barriers;    // barriers[k] ends barrier interval k
    Totals totals;
    std::vector<CallResult> results;  // one per call
    std::vector<Finding> findings;
    Contributions contributions;  // of the first call's result in thread 0
    // Lanes that have had an event on a line, counted up to the end of step s (the arrive cap is index 0):
    // hits[s][line].
    std::vector<std::vector<int>> hits;
};

Analysis analyze(const trace::Trace& trace);

}  // namespace auditorium::analysis
