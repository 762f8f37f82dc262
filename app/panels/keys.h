// The keyboard map, once: what frame() obeys and what `?` lists. A key is here only if what it does is built.
#pragma once

#include <span>

namespace auditorium::panels {

enum class Action {
    play_pause,
    step_forward,
    step_back,
    sub_step_forward,
    sub_step_back,
    first,
    last,
    next_beat,
    previous_beat,
    next_tick,
    previous_tick,
    blank,
    compare,
    claims,
    ledger,
    presenter,
    escape,
    slower,
    faster,
    loop,
    code,
    gantt,
    theme,
    reduced_motion,
    fit,
    zoom_in,
    zoom_out,
    pan_left,
    pan_right,
    pan_up,
    pan_down,
    ask_left,
    ask_right,
    ask_up,
    ask_down,
    pin,
    scale_up,
    scale_down,
    scale_reset,
    open,
    save,
    quit,
    help,
};

enum Mod { none = 0, shift = 1, ctrl = 2, alt = 4 };

struct Key {
    int key = 0;  // ImGuiKey; 0: `symbol` decides, wherever the keyboard's layout has it
    int mods = 0;
    Action action{};
    bool repeats = false;  // while held down
    unsigned symbol = 0;
};

std::span<const Key> key_map();

struct KeyHelp {
    const char* group;
    const char* keys;
    const char* what;
};
std::span<const KeyHelp> key_help();

}  // namespace auditorium::panels
