// What panels draw and ask with: text, cards, buttons and menus on ImGui's draw lists. ImGui's own unit is
// the px at UI scale 1: the hosts give it the scale as that of the framebuffer.
//
// Every control works by pointer and by keyboard: it is a Tab stop in the order in which it was drawn, Enter
// presses it, and a ring shows where the keyboard is. Space and the arrows stay playback's. While a menu or a
// dialog is open (a scope above the panels), only its controls are stops, and it has all keys.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "app/panels/layout.h"
#include "app/scene/shape.h"
#include "app/scene/theme.h"

struct ImDrawList;
struct ImFont;

namespace auditorium::panels {

using scene::Align;
using scene::Color;
using scene::Font;
using scene::Point;
using scene::Rect;

// A control or a text as drawn in the last frame: for ui tests and for the test that nothing overlaps.
struct Drawn {
    std::string text;  // what a text says, or a control's name
    Rect area;
    int scope = 0;  // 0: panels; above: menus and dialogs
    bool control = false;
    bool cut = false;  // a text that did not fit and ends in an ellipsis
    bool may_be_cut = false;
    bool mark = false;  // no text and no control, but nothing may lie on it
};

enum class Scope { panels = 0, menu = 1, dialog = 2, tip = 3 };

struct Focus {
    std::string name;                // the control that has the keyboard; "" for none
    bool visible = false;            // after a key, not after a click
    std::vector<std::string> stops;  // of the topmost scope in the last frame, in order
    std::vector<std::string> next_stops;
    Scope scope = Scope::panels;  // topmost in this frame
    bool pressed = false;         // Enter, for the control with the focus
    bool moved = false;           // the focus has just moved: scroll to it
    bool grab = false;            // the text field that has the focus is to be typed into
};

struct Press {
    bool pressed = false;  // clicked, or Enter
    bool hovered = false;
    bool held = false;
    bool dragged = false;  // held, or let go just now: that frame too brings a piece of the pointer's way
    bool focused = false;
};

// What a control without words says of itself, drawn after everything else.
struct Tip {
    std::string text;  // "" for none
    Rect beside;
};

struct Ui {
    const scene::Theme& theme;
    const Layout& layout;
    Focus& focus;
    std::vector<Drawn>& drawn;  // filled in each frame
    ImDrawList* list = nullptr;
    Scope scope = Scope::panels;
    std::vector<Rect> clips = {};  // of what is being drawn now, innermost last
    Tip tip = {};                  // of the control under the pointer, else of the one with the keyboard

    // Shapes.
    void fill(Rect area, Color color, float radius = 0);
    void outline(Rect area, Color color, float radius = 0, float width = 1);
    void ground(const std::vector<Rect>& cards);  // of all panels at once: the top bar and these cards
    void line(Point a, Point b, Color color, float width = 1);
    void disc(Point centre, float radius, Color color);
    void ring(Point centre, float radius, Color color, float width = 1);
    void polygon(const std::vector<Point>& points, Color color);
    void stroke(const std::vector<Point>& points, Color color, float width);
    void clip(Rect area);
    void unclip();

    // Text. `at.y` is the vertical centre. Returns its width. max_width > 0: cut with an ellipsis.
    float width(Font font, float size, std::string_view text) const;
    float text(Point at, std::string_view text, float size, Font font, Color color, Align align = Align::left,
               float max_width = 0, bool may_be_cut = false);
    float line_height(float size) const { return size * 1.38f; }
    std::vector<std::string> wrap(Font font, float size, std::string_view text, float width) const;

    void mark(const std::string& name, Rect area) {
        drawn.push_back({name, area, int(scope), false, false, false, true});
    }

    // Controls. Names are unique within a scope.
    Press press(const std::string& name, Rect area, bool enabled = true, bool stop = true);
    bool button(const std::string& name, Rect area, std::string_view label, bool strong = false,
                bool enabled = true);
    Press button_press(const std::string& name, Rect area, std::string_view label, bool strong = false,
                       bool enabled = true);
    void focus_ring(Rect area, float radius);
    // "Repeat (R)": what a control that has no words is, and its key; while the pointer is on it, or the
    // keyboard.
    void says(const Press& press, Rect area, std::string text);
    void draw_tip(float width, float height);  // of the window; the frame's last call
    bool text_field(const std::string& name, Rect area, std::string& value,
                    const char* hint = "");  // true: Enter
};

// The window that is being drawn, over all others: a notice that comes while a menu or dialog is open stays
// under it.
void bring_to_front();

Color mix(Color a, Color b, float part);  // part of b
Color faded(Color color, float alpha);

}  // namespace auditorium::panels
