// One frame in the making: what scene::build hands to the functions that draw a part of it. Internal to the
// scene.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "app/inspector/describe.h"
#include "app/scene/draw.h"
#include "app/scene/layout.h"
#include "app/scene/prepared.h"
#include "app/scene/scene.h"

namespace auditorium::scene {

enum class Posture : std::uint8_t {
    seated,   // in the running, waits
    noting,   // seated at work: passes notes
    reading,  // two arms
    writing,  // one arm with a pen
    queued,   // stands in a bank's queue, arms down
    served,   // stands, arms down, has been served
    off,      // lane switched off in a working row
    slumped,  // eliminated
    gone,     // away, or has returned
    unknown,  // its value is undefined
};

// A researcher's figure, as numbers that can be blended. Lengths at size 1 (a pitch of 25 px), y up from the
// seat.
struct Pose {
    float body_y = 5.5f, body_w = 13.5f, body_h = 10.5f;
    float head_x = 0, head_y = 15, head_r = 4.5f;
    float arm_left = 0, arm_right = 0, pen = 0;
    float filled = 1;   // 0: hollow outline
    float present = 1;  // 0: nobody there, the seat is dashed
    float stand = 0;
    float strange = 0;  // 1: value undefined
    Color color = 0;
};

// What lies where already: whatever may be left out asks first. Rects in pixels of the area.
struct Taken {
    std::array<Rect, 96> rects{};
    int count = 0;
    Point table{};  // the council table with its numbers
    float table_radius = 0;

    void add(const Rect& r) {
        if (count < int(rects.size()))
            rects[std::size_t(count++)] = r;
    }
    bool free(const Rect& r) const {
        for (int i = 0; i < count; ++i) {
            const Rect& t = rects[std::size_t(i)];
            if (r.x < t.x + t.w && t.x < r.x + r.w && r.y < t.y + t.h && t.y < r.y + r.h)
                return false;
        }
        const float dx = table.x - std::clamp(table.x, r.x, r.x + r.w);
        const float dy = table.y - std::clamp(table.y, r.y, r.y + r.h);
        return table_radius <= 0 || dx * dx + dy * dy > table_radius * table_radius;
    }
};

// How the board writes its numbers in this step: one board has one kind.
struct Numbers {
    float size = 0;      // px; 0: level bars alone
    int digits = 0;      // 0: as they are (BoardState::text); else numerals of so many digits,
    int power = 0;       // in this power of 1000
    bool shown = false;  // there is one on the board
};

// Seconds in which a rope on the floor is gone, once the next step begins.
inline constexpr double dropped_rope_fades = 0.16;

// A set of threads by row.
using Lanes = std::array<std::uint32_t, most_rows>;

struct Frame {
    const trace::Trace& trace;
    const analysis::Analysis& analysis;
    const playback::Timeline& timeline;
    const Prepared& prepared;
    const playback::Moment& moment;
    const View& view;
    const Theme& theme;
    Scene& scene;

    // Where in time
    const playback::Span& span;
    const playback::Beat& beat;
    int step = -1;                       // -1: a cap
    const trace::Step* now = nullptr;    // the step, nullptr in a cap
    const StepPlan* plan = nullptr;      //
    const BoardState* before = nullptr;  // the board at the step's begin
    const BoardState* after = nullptr;   // and at its end
    float in_beat = 0;                   // seconds since the beat began
    float in_span = 0;
    bool working = false;  // in a beat in which the step's accesses happen
    bool resting = false;  // wait, hold, drop
    float council = 0;     // 0 hall .. 1 table, eased

    int rows = 1, threads = 32, followed = 0;
    Layout layout{};
    std::array<Pose, trace::max_block> pose{};
    std::array<std::uint8_t, trace::max_block> written{};    // per box: 1 once the step's store has happened
    const inspector::Description* asked = nullptr;           // what the inspector is asked about, if anything
    std::array<std::uint8_t, trace::max_block> box_asked{};  // per box: 1 where it belongs to that
    Numbers numbers{};                                       // on the board
    float fade = 0;                                          // of the losers' boxes: 0 plain .. 1 eliminated
    Taken taken{};

    // Beats of the running step, by place.
    int beat_of(playback::BeatKind kind, int order) const;  // -1: none
    bool begun(int beat_index) const { return beat_index >= 0 && beat_index <= moment.beat; }
    bool passed(int beat_index) const { return beat_index >= 0 && beat_index < moment.beat; }
    // The request of a row with that place among its requests, nullptr: none.
    const analysis::Request* request(int row, int order) const;
    // Which wavefront is being served, from 0, and how far it is; only in a load or store beat.
    int wavefront() const;
    float wavefront_progress() const;
    bool active(int thread) const {
        return plan && (plan->active[thread / trace::warp_size] >> (thread % trace::warp_size) & 1);
    }
    float px(float width) const { return width * layout.text.line; }  // line widths
    Layer& layer(LayerId id) { return scene[id]; }
    Rect inside() const { return {2, 2, layout.width - 4, layout.height - 4}; }  // where words may stand
};

// The ropes of one moment. Each value is per row: a rope before it.
struct RopeState {
    std::array<float, most_rows> gap{};    // how far the room for it has opened, 0..1
    std::array<float, most_rows> drawn{};  // how much of it is drawn, from the left, 0..1
    std::array<float, most_rows> shown{};  // its opacity
    std::array<float, most_rows> drop{};   // 0 up .. 1 on the floor
    std::uint32_t rows = 0;                // rows that any rope is drawn before
    bool mismatch = false;                 // rows are held at barriers that do not match
};

// pose.cpp
void find_poses(Frame& frame);
void find_written(Frame& frame);
// rope.cpp
RopeState rope_state(const Frame& frame);
void draw_ropes(Frame& frame, const RopeState& rope);
// board.cpp
Numbers numbers_of(const Frame& frame);
float number_width(const Frame& frame, const BoardState& state, int box);
void draw_number(Frame& frame, Layer& layer, Point at, const BoardState& state, int box, Font font,
                 Color color);
void draw_board(Frame& frame);
// hall.cpp
void draw_hall(Frame& frame, const RopeState& rope);
// glyphs.cpp
struct Spot {
    Point seat;
    float tilt = 0, size = 1;
};
void draw_person(Frame& frame, Layer& layer, const Spot& spot, const Pose& pose);
void draw_head(Frame& frame, Layer& layer, const Spot& spot, const Pose& pose);
void draw_dot(Frame& frame, Layer& layer, const Spot& spot, const Pose& pose);
Point hand_of(const Spot& spot, const Pose& pose, bool left);
Point head_of(const Spot& spot, const Pose& pose);
// rays.cpp
void draw_rays(Frame& frame);
// tickets.cpp
void draw_tickets(Frame& frame);
// table.cpp
void draw_table(Frame& frame);
Point place_at_table(const Layout& layout, int lane);
void draw_beside_table(Frame& frame);  // the list of passes, the legend: where there is room
// notes.cpp
void draw_row_notes(Frame& frame);
void draw_slip(Frame& frame, Layer& layer, Point centre, float width, float height);
void draw_note(Frame& frame, Layer& layer, Point centre, float width, float height, std::string_view text,
               float size, bool undefined);
// callout.cpp
void draw_callout(Frame& frame);
// asked.cpp
void find_asked(Frame& frame);
void draw_asked(Frame& frame);
// trouble.cpp
void draw_troubles(Frame& frame);  // on the board
void draw_lost(Frame& frame);      // in the hall
// labels.cpp
void draw_titles(Frame& frame);

}  // namespace auditorium::scene
