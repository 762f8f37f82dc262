#include "app/panels/keys.h"

#include <imgui.h>

#include <array>

namespace auditorium::panels {

std::span<const Key> key_map() {
    static constexpr std::array map = {
        Key{ImGuiKey_Space, none, Action::play_pause},
        Key{ImGuiKey_RightArrow, none, Action::step_forward, true},
        Key{ImGuiKey_LeftArrow, none, Action::step_back, true},
        Key{ImGuiKey_RightArrow, shift, Action::sub_step_forward, true},
        Key{ImGuiKey_LeftArrow, shift, Action::sub_step_back, true},
        Key{ImGuiKey_Home, none, Action::first},
        Key{ImGuiKey_End, none, Action::last},
        Key{ImGuiKey_PageDown, none, Action::next_beat},
        Key{ImGuiKey_PageUp, none, Action::previous_beat},
        Key{ImGuiKey_N, none, Action::next_tick, true},
        Key{ImGuiKey_N, shift, Action::previous_tick, true},
        Key{ImGuiKey_B, none, Action::blank},
        Key{0, none, Action::blank, false, '.'},
        Key{ImGuiKey_C, none, Action::compare},
        Key{ImGuiKey_W, none, Action::claims},
        Key{ImGuiKey_J, none, Action::ledger},
        Key{ImGuiKey_P, none, Action::presenter},
        Key{ImGuiKey_F5, none, Action::presenter},
        Key{ImGuiKey_Escape, none, Action::escape},
        Key{0, none, Action::slower, false, '['},
        Key{0, none, Action::faster, false, ']'},
        Key{ImGuiKey_R, none, Action::loop},
        Key{ImGuiKey_K, none, Action::code},
        Key{ImGuiKey_G, none, Action::gantt},
        Key{ImGuiKey_T, none, Action::theme},
        Key{ImGuiKey_M, none, Action::reduced_motion},
        Key{ImGuiKey_F, none, Action::fit},
        Key{0, none, Action::zoom_in, true, '+'},
        Key{0, none, Action::zoom_out, true, '-'},
        Key{ImGuiKey_LeftArrow, ctrl, Action::pan_left, true},
        Key{ImGuiKey_RightArrow, ctrl, Action::pan_right, true},
        Key{ImGuiKey_UpArrow, ctrl, Action::pan_up, true},
        Key{ImGuiKey_DownArrow, ctrl, Action::pan_down, true},
        Key{ImGuiKey_LeftArrow, alt, Action::ask_left, true},
        Key{ImGuiKey_RightArrow, alt, Action::ask_right, true},
        Key{ImGuiKey_UpArrow, alt, Action::ask_up, true},
        Key{ImGuiKey_DownArrow, alt, Action::ask_down, true},
        Key{ImGuiKey_I, none, Action::pin},
        Key{ImGuiKey_Equal, ctrl, Action::scale_up},
        Key{ImGuiKey_Equal, ctrl | shift, Action::scale_up},
        Key{ImGuiKey_KeypadAdd, ctrl, Action::scale_up},
        Key{ImGuiKey_Minus, ctrl, Action::scale_down},
        Key{ImGuiKey_KeypadSubtract, ctrl, Action::scale_down},
        Key{ImGuiKey_0, ctrl, Action::scale_reset},
        Key{ImGuiKey_O, ctrl, Action::open},
        Key{ImGuiKey_S, ctrl, Action::save},
        Key{ImGuiKey_Q, ctrl, Action::quit},
        Key{0, none, Action::help, false, '?'},
        Key{ImGuiKey_F1, none, Action::help},
    };
    return map;
}

std::span<const KeyHelp> key_help() {
    static constexpr std::array help = {
        KeyHelp{"Time", "Space", "play or pause"},
        KeyHelp{"Time", "Right, Left", "one step on, one back"},
        KeyHelp{"Time", "Shift + Right, Left", "one part of a step: load, combine, store, rope"},
        KeyHelp{"Time", "Home, End", "first, last"},
        KeyHelp{"Time", "Page Down, Page Up", "play to the end of the step, one step back"},
        KeyHelp{"Time", "N, Shift + N", "next trouble (a tick below the steps), back"},
        KeyHelp{"Time", "[ ], R", "slower, faster (0.25 to 4), repeat"},
        KeyHelp{"View", "C, J", "two runs side by side; ledger of all runs"},
        KeyHelp{"View", "W", "what they say, what it did"},
        KeyHelp{"View", "P or F5, Esc", "presenter mode (light; T keeps dark), back"},
        KeyHelp{"View", "B or .", "blank screen"},
        KeyHelp{"View", "T, M", "dark or light, reduced motion"},
        KeyHelp{"View", "K, G", "code panel, lanes of the timeline"},
        KeyHelp{"View", "Ctrl + plus, minus, 0", "size of everything"},
        KeyHelp{"Scene", "Alt + arrows", "inspect the next box, seat, ray, note, step"},
        KeyHelp{"Scene", "I, Esc", "pin what is inspected (also a click), let it go"},
        KeyHelp{"Scene", "plus, minus", "zoom (also the wheel)"},
        KeyHelp{"Scene", "Ctrl + arrows", "move the camera (also drag)"},
        KeyHelp{"Scene", "F", "fit the camera"},
        KeyHelp{"Program", "Tab, Shift + Tab, Enter", "next, previous, press"},
        KeyHelp{"Program", "Ctrl + O, S", "open, save a trace"},
        KeyHelp{"Program", "Ctrl + Q", "quit"},
        KeyHelp{"Program", "? or F1", "this list"},
    };
    return help;
}

}  // namespace auditorium::panels
