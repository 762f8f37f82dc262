// What a scene needs to know of a trace besides the moment: worked out once, when a trace is shown, so that a
// frame only draws. A pure function of the trace, its analysis and its timeline.
#pragma once

#include <cstdint>
#include <vector>

#include "app/inspector/index.h"
#include "app/playback/playback.h"
#include "app/scene/metrics.h"

namespace auditorium::scene {

// How a researcher looks who takes no part in a step.
enum class Rest : std::uint8_t {
    running,     // will work again in this call: sits upright
    eliminated,  // has nothing left to do but to read the result: slumped
    left,        // has returned: empty seat
};

// What a step does with a box.
enum BoxRole : std::uint8_t {
    role_own = 1,      // read by the thread that also writes it, or that keeps what it read
    role_partner = 2,  // read by a thread that writes another box
    role_written = 4,
};

enum class Toward : std::uint8_t { nowhere, up, down, left, right };  // where a partner's winner is

// Two rows of the board that a step folds together.
struct Fold {
    std::uint8_t from = 0, to = 0;
};

// The board and the table between two steps.
struct BoardState {
    std::vector<ShortText> text;           // per box
    std::vector<float> value;              // per box: to the few digits that the board shows
    std::vector<float> level;              // per box: 0..1 of the largest magnitude on the board
    std::vector<std::uint8_t> state;       // per box: trace::BoxState
    std::vector<std::uint8_t> eliminated;  // per box: folded into another box and not read again
    int longest = 1;                       // characters of the longest text
    float largest = 0;                     // finite magnitude
    bool negative = false;                 // is there a value below 0
    bool fractional = false;               // or one that is not whole
    int eliminated_boxes = 0;
    std::vector<std::uint8_t> row_idle;  // per row: nothing in it is in the running; row 0 only if eliminated
    std::vector<std::uint8_t> row_eliminated;  // per row: every box of it is eliminated
    int idle_boxes = 0;                        // in such rows
    int champion = -1;                         // the box that holds the result, once it is published
    std::vector<ShortText> lane_text;          // per lane of warp 0: its register
};

struct StepPlan {
    std::vector<std::uint32_t> active;  // per warp: mask of lanes with a piece
    std::vector<Rest> rest;             // per thread
    std::vector<std::uint8_t> role;     // per box: BoxRole bits
    std::vector<Toward> toward;         // per box
    std::vector<Fold> folds;
    std::uint32_t rope = 0;            // rows that a rope runs before while the step works: first of each run
    std::uint32_t waiting = 0;         // rows behind a rope meanwhile
    std::uint32_t present = 0;         // rows that have not left when the step begins
    std::uint32_t arriving = 0;        // rows of which any thread comes to the barrier after it
    std::uint32_t rope_after = 0;      // rows that a rope runs before at that barrier
    bool mismatch = false;             // some thread never comes to that barrier, or comes to another one
    std::vector<std::uint8_t> leaves;  // per thread: 1 where it returns before that barrier
    bool combines = false;             // any thread combines
    bool council = false;              // at the round table
    bool row_council = false;          // shuffles in the rows
    int orders = 0;                    // requests of the busiest warp
    std::vector<int> request;          // [warp * orders + order]: index in analysis.requests, -1: none
};

struct Prepared {
    int rows = 0;                    // warps
    std::vector<BoardState> states;  // [s] before step s; [steps] at the end
    std::vector<StepPlan> steps;
    // For each step at the table: the first and last step of its stay, else -1.
    std::vector<int> stay_begin, stay_end;
    inspector::Index index;  // where trouble is, and where every value came from

    bool empty() const { return states.empty(); }
};

Prepared prepare(const trace::Trace& trace, const analysis::Analysis& analysis,
                 const playback::Timeline& timeline);

}  // namespace auditorium::scene
