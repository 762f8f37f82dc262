// The palette of each theme (docs: every text pair has a contrast of at least 4.5:1; a test checks it).
#pragma once

#include "app/scene/shape.h"
#include "app/view.h"

namespace auditorium::scene {

constexpr Color rgb(std::uint32_t hex, std::uint32_t alpha = 255) {
    return (alpha << 24) | ((hex & 0xff) << 16) | (hex & 0xff00) | ((hex >> 16) & 0xff);
}

struct Theme {
    Color background, panel, raised;
    Color hairline, edge;
    Color text1, text2, text3;
    Color focus;
    Color work, work_soft;
    Color rope, rope_text, rope_soft;
    Color conflict, conflict_line, conflict_text, conflict_ink;
    Color champion, champion_soft;
    Color hazard;
    Color person, eliminated;
    Color seat, seat_line, floor;
    Color note, note_edge, note_ink;
    Color board, board_frame, box, box_eliminated, box_hatch, ink, ink_eliminated;
    // On the board, in both themes:
    Color board_work, board_conflict, board_champion, board_hazard, box_own, box_served,
        board_conflict_outline;
    // Timeline: fill and ink of the phases.
    Color write_fill, write_ink, cut_fill, cut_ink, shuffle_fill, shuffle_ink, champion_fill, champion_ink;
    // Code.
    Color keyword, call, number, current_line;
};

const Theme& theme(ThemeId id);

}  // namespace auditorium::scene
