// Where everything stands, in pixels of the scene's area. The numbers are those of the style sheet at
// 1280x720, 1600x900 and 1920x1080, interpolated by the area's size. A layout is a pure function of what it
// is given; between the hall and the council table it is blended, so the walk moves everything at once.
//
// Where the area is low (a small window, or a large UI scale), room is given up in this order, and nothing is
// ever laid over something else instead: the rows of boxes shrink below the height of a number; the titles
// over the board go; the hall's rows leave the foot of the picture while the council sits. What the scene
// puts where there is room (frame.h, Taken) goes in the order legend, list of passes, callout.
#pragma once

#include <algorithm>
#include <array>

#include "app/scene/shape.h"
#include "app/view.h"

namespace auditorium::scene {

inline constexpr int most_rows = 32;

enum class Detail { people, heads, dots };  // how much of a researcher is drawn

struct TextSizes {
    float heading = 14, body = 14.5f, label = 13, small = 12, box = 10.5f;
    float smallest = 10;  // nothing is written below this
    float line = 1;       // line widths are multiplied by it
};

// What the layout depends on beside the window.
struct LayoutNeeds {
    int rows = 1;                           // of the hall and of the board
    int rows_beside = 0;                    // of the other half: the scale is that of the larger one
    float council = 0;                      // 0 hall, 1 table
    std::array<float, most_rows> stand{};   // per row of the hall: 0 seated, 1 standing
    std::array<float, most_rows> gap{};     // per row: 1 where a rope runs before it
    std::array<float, most_rows> folded{};  // per row of the board: 0 full height .. 1 a sliver
    float tickets = 0;                      // in the longest queue on show
};

struct Layout {
    float width = 0, height = 0;
    TextSizes text;
    // Whiteboard
    Rect frame;
    float pitch = 25;        // between columns
    float first_column = 0;  // centre of column 0
    float title_y = 0, header_y = 0;
    bool titles = true;                    // is there room for words over the board
    std::array<float, most_rows> row_y{};  // centre of a row of boxes
    std::array<float, most_rows> row_h{};  // and its height
    float board_bottom = 0;                // of the frame
    float left_margin = 0;
    // Hall
    float centre_x = 0;
    std::array<float, most_rows> seat_y{};   // seat at the middle of the row
    std::array<float, most_rows> seat_dx{};  // between two seats
    float sag = 0;                           // the row's ends are this much higher
    float person = 1;                        // size of a researcher; 1 = at a pitch of 25 px
    float spacing = 33;                      // between two rows of seated people
    Detail detail = Detail::people;
    float hall_bottom = 0;
    float rope_gap = 0;
    float ticket_height = 17;
    float ticket_room = 0;  // height that the tickets on show take
    int ticket_slots = 8;   // so many tickets of one bank have room under the board
    // Council table
    Point table;
    float table_scale = 1;
    bool far_rows = true;  // the hall's rows stand at the foot of the picture meanwhile

    // Below it is the hall's: the board with its tray, and the tickets that hang from it.
    float hall_top() const { return board_bottom + (ticket_room > 0 ? 14 + ticket_room : 8); }
    // Radii at the table, px.
    float number_radius() const { return 189 * table_scale + std::max(24 * table_scale, 12.0f); }
    float table_radius() const { return number_radius() + std::max(11 * table_scale, 8.0f); }  // of all of it

    float column_x(int bank) const { return first_column + pitch * float(bank); }
    float header_size() const {
        return std::max(text.smallest, text.small * 0.88f);
    }                                                                       // of the banks' numbers
    float header_foot() const { return header_y + 0.46f * header_size(); }  // below it signs may stand
    float box_width() const { return pitch - (pitch >= 18 ? 2.5f : 1.5f); }
    Point seat(int row, int lane) const;
    float tilt(int row, int lane) const;  // of a glyph, radians
    float arc_y(int row, float t) const;  // height of the row's seats at t in -1..1
    bool board_numbers(int row) const;    // is there room for numbers in this row
    // The size at which so many characters fit into a box; 0: they do not. 3 at a pitch of 21, 4 at 27, 5
    // at 33.
    float number_size(int characters) const;
    float number_size_for(float width) const;  // the same for a width of so many sizes
};

// `half`: of the compare view, whose cards have the titles.
Layout make_layout(float width, float height, bool presenter, const LayoutNeeds& needs, bool half = false);

}  // namespace auditorium::scene
