// What the top bars of the single view and of the comparison share: the buttons at their right end.
#pragma once

#include "app/panels/ui.h"

namespace auditorium::panels {

struct BarAction {
    const char* name;  // also the icon's: open | save | ledger | compare | present; "help", whose text is
                       // "?", has none
    const char* text;
    const char* says;     // what it does, and its key
    bool strong = false;  // on: filled
};

inline constexpr float label_gap = 7;  // between a chip's word and the chip

// `icons`: words have no room.
float action_width(const Ui& ui, const BarAction& action, bool icons);
bool action_button(Ui& ui, const BarAction& action, Rect r, bool icons);  // true where it was pressed

}  // namespace auditorium::panels
