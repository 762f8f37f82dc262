#include "app/panels/ui.h"

#include <imgui.h>
#include <imgui_internal.h>  // ClearActiveID, BringWindowToDisplayFront

#include <algorithm>
#include <cmath>

#include "app/renderer/fonts.h"
#include "app/renderer/renderer.h"

namespace auditorium::panels {
namespace {

// ImGui's own font has Latin-1 alone.
std::string latin(std::string_view text) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text.compare(i, 3, "–") == 0 || text.compare(i, 3, "−") == 0) {
            out += '-';
            i += 2;
        } else if (text.compare(i, 3, "…") == 0) {
            out += "...";
            i += 2;
        } else {
            out += text[i];
        }
    }
    return out;
}

ImVec2 at(Point p) {
    return {p.x, p.y};
}

// What the clips leave of it; nothing where w or h is not positive.
Rect visible(const Ui& ui, Rect r) {
    for (const Rect& clip : ui.clips) {
        const float x1 = std::min(r.x + r.w, clip.x + clip.w), y1 = std::min(r.y + r.h, clip.y + clip.h);
        r.x = std::max(r.x, clip.x);
        r.y = std::max(r.y, clip.y);
        r.w = x1 - r.x;
        r.h = y1 - r.y;
    }
    return r;
}

scene::Shape box_of(Rect r, Color fill, float radius) {
    scene::Shape box;
    box.p[0] = {r.x + r.w / 2, r.y + r.h / 2};
    box.p[1] = {r.w / 2, r.h / 2};
    box.radius = radius;
    box.fill = fill;
    return box;
}

}  // namespace

void bring_to_front() {
    ImGui::BringWindowToDisplayFront(ImGui::GetCurrentWindow());
}

Color mix(Color a, Color b, float part) {
    Color out = 0;
    for (int shift = 0; shift < 32; shift += 8) {
        const float x = float((a >> shift) & 0xff), y = float((b >> shift) & 0xff);
        out |= Color(std::lround(x + (y - x) * part)) << shift;
    }
    return out;
}

Color faded(Color color, float alpha) {
    return (color & 0x00ffffffu) | (Color(std::lround(float(color >> 24) * alpha)) << 24);
}

void Ui::fill(Rect r, Color color, float radius) {
    if (r.w * r.h > 20000 && (color >> 24) == 0xff) {
        // The renderer has a quick way for what covers much of the window.
        renderer::draw_shapes(list, {box_of(r, color, radius)}, 1, ImGui::GetIO().DisplayFramebufferScale.x);
        return;
    }
    list->AddRectFilled(at({r.x, r.y}), at({r.x + r.w, r.y + r.h}), color, radius);
}

void Ui::outline(Rect r, Color color, float radius, float width) {
    const float w = std::max(1.f, width);
    const ImVec2 a = at({r.x, r.y}), b = at({r.x + r.w, r.y + r.h});
    list->AddRect({a.x + w / 2 - 0.5f, a.y + w / 2 - 0.5f}, {b.x - w / 2 + 0.5f, b.y - w / 2 + 0.5f}, color,
                  radius, 0, w);
}

void Ui::ground(const std::vector<Rect>& cards) {
    std::vector<scene::Shape> boxes;
    if (layout.top.w > 0)
        boxes.push_back(box_of(layout.top, theme.panel, 0));
    for (const Rect& r : cards) {
        if (r.w <= 0)
            continue;
        // The outline lies on whole pixels, inside.
        scene::Shape& card =
            boxes.emplace_back(box_of({r.x + 0.5f, r.y + 0.5f, r.w - 1, r.h - 1}, theme.panel, 10));
        card.line = theme.hairline;
        card.line_width = 1;
    }
    renderer::draw_shapes(list, boxes, 1, ImGui::GetIO().DisplayFramebufferScale.x);
}

void Ui::line(Point a, Point b, Color color, float width) {
    list->AddLine(at(a), at(b), color, std::max(1.f, width));
}

void Ui::disc(Point centre, float radius, Color color) {
    list->AddCircleFilled(at(centre), radius, color);
}

void Ui::ring(Point centre, float radius, Color color, float width) {
    list->AddCircle(at(centre), radius, color, 0, std::max(1.f, width));
}

void Ui::polygon(const std::vector<Point>& points, Color color) {
    ImVec2 moved[8];
    const int n = std::min(int(points.size()), 8);
    for (int i = 0; i < n; ++i)
        moved[i] = at(points[i]);
    list->AddConvexPolyFilled(moved, n, color);
}

void Ui::stroke(const std::vector<Point>& points, Color color, float width) {
    ImVec2 moved[24];
    const int n = std::min(int(points.size()), 24);
    for (int i = 0; i < n; ++i)
        moved[i] = at(points[i]);
    list->AddPolyline(moved, n, color, 0, std::max(1.f, width));
}

void Ui::clip(Rect r) {
    list->PushClipRect(at({r.x, r.y}), at({r.x + r.w, r.y + r.h}), true);
    clips.push_back(r);
}

void Ui::unclip() {
    list->PopClipRect();
    clips.pop_back();
}

float Ui::width(Font font, float size, std::string_view text) const {
    if (!renderer::fonts_embedded())
        return renderer::text_width(font, size, latin(text));
    return renderer::text_width(font, size, text);
}

float Ui::text(Point p, std::string_view said, float size, Font font, Color color, Align align,
               float max_width, bool may_be_cut) {
    float w = width(font, size, said);
    std::string shortened;
    bool cut = false;
    if (max_width > 0 && w > max_width + 0.5f) {
        cut = true;
        shortened = std::string(said);
        while (!shortened.empty() && w > max_width) {
            while (!shortened.empty() && (shortened.back() & 0xc0) == 0x80)
                shortened.pop_back();
            if (!shortened.empty())
                shortened.pop_back();
            w = width(font, size, shortened + "…");
        }
        shortened += "…";
        said = shortened;
    }
    std::string plain;
    if (!renderer::fonts_embedded()) {
        plain = latin(said);
        said = plain;
    }
    if (align == Align::centre)
        p.x -= w / 2;
    else if (align == Align::right)
        p.x -= w;
    const ImVec2 middle = at(p);
    renderer::text(list, font, size, {middle.x, middle.y}, Align::left, color, said);
    const Rect seen = visible(*this, {p.x, p.y - size * 0.5f, w, size});
    if (seen.w > 0 && seen.h > 0)
        drawn.push_back({std::string(said), seen, int(scope), false, cut, may_be_cut});
    return w;
}

std::vector<std::string> Ui::wrap(Font font, float size, std::string_view text, float limit) const {
    std::vector<std::string> lines;
    std::string line;
    std::size_t i = 0;
    while (i < text.size()) {
        const std::size_t end = std::min(text.find_first_of(" \n", i), text.size());
        const std::string word(text.substr(i, end - i));
        if (word.empty() && end < text.size() && text[end] == '\n') {
            lines.push_back(line);
            line.clear();
            i = end + 1;
            continue;
        }
        const std::string longer = line.empty() ? word : line + " " + word;
        if (!line.empty() && width(font, size, longer) > limit) {
            lines.push_back(line);
            line = word;
        } else {
            line = longer;
        }
        // A word wider than the line is broken where it must be.
        while (line.size() > 1 && width(font, size, line) > limit) {
            std::size_t keep = line.size();
            while (keep > 1 && width(font, size, line.substr(0, keep)) > limit) {
                --keep;
                while (keep > 1 && (line[keep] & 0xc0) == 0x80)
                    --keep;
            }
            lines.push_back(line.substr(0, keep));
            line = line.substr(keep);
        }
        if (end < text.size() && text[end] == '\n') {
            lines.push_back(line);
            line.clear();
        }
        i = end + 1;
    }
    if (!line.empty())
        lines.push_back(line);
    return lines;
}

Press Ui::press(const std::string& name, Rect r, bool enabled, bool stop) {
    Press out;
    const Rect seen = visible(*this, r);
    if (seen.w > 0 && seen.h > 0)
        drawn.push_back({name, seen, int(scope), true, false, false});
    if (!enabled || r.w <= 0 || r.h <= 0)
        return out;
    ImGui::SetCursorScreenPos(at({r.x, r.y}));
    out.pressed = ImGui::InvisibleButton(name.c_str(), {r.w, r.h});
    out.hovered = ImGui::IsItemHovered();
    out.held = ImGui::IsItemActive();
    out.dragged = out.held ? ImGui::IsMouseDown(ImGuiMouseButton_Left)
                           : ImGui::IsItemDeactivated() && ImGui::IsMouseReleased(ImGuiMouseButton_Left);
    if (out.pressed) {
        focus.name = name;
        focus.visible = false;
    }
    if (stop && scope == focus.scope) {
        focus.next_stops.push_back(name);
        out.focused = focus.visible && focus.name == name;
        if (out.focused && focus.pressed) {
            out.pressed = true;
            focus.pressed = false;
        }
        if (out.focused && focus.moved && scope != Scope::panels)
            ImGui::SetScrollHereY();
    }
    return out;
}

void Ui::focus_ring(Rect r, float radius) {
    outline({r.x - 3, r.y - 3, r.w + 6, r.h + 6}, theme.focus, radius + 3, 2);
}

void Ui::says(const Press& p, Rect r, std::string said) {
    if (p.hovered || (p.focused && tip.text.empty()))
        tip = {std::move(said), r};
}

void Ui::draw_tip(float window_width, float window_height) {
    if (tip.text.empty())
        return;
    const float size = layout.type.small, w = width(Font::medium, size, tip.text) + 18, h = size * 1.9f;
    const Rect& by = tip.beside;
    const bool below = by.y + by.h + 6 + h <= window_height - 4;
    const float x = std::clamp(by.x + by.w / 2 - w / 2, 4.f, std::max(4.f, window_width - w - 4));
    const Rect r{std::round(x), std::round(below ? by.y + by.h + 6 : by.y - 6 - h), w, h};
    list = ImGui::GetForegroundDrawList();
    scope = Scope::tip;
    list->AddRectFilled(at({r.x, r.y}), at({r.x + r.w, r.y + r.h}), theme.raised, 6);
    outline(r, theme.text3, 6);
    text({r.x + 9, r.y + r.h / 2}, tip.text, size, Font::medium, theme.text1);
}

Press Ui::button_press(const std::string& name, Rect r, std::string_view label, bool strong, bool enabled) {
    const Press p = press(name, r, enabled);
    fill(r,
         strong ? (p.hovered ? mix(theme.work_soft, theme.work, 0.25f) : theme.work_soft)
                : (p.hovered ? theme.raised : theme.panel),
         6);
    outline(r, strong ? theme.work : theme.edge, 6);
    text({r.x + r.w / 2, r.y + r.h / 2}, label, layout.type.label, Font::medium,
         enabled ? theme.text1 : theme.text3, Align::centre);
    if (p.focused)
        focus_ring(r, 6);
    return p;
}

bool Ui::button(const std::string& name, Rect r, std::string_view label, bool strong, bool enabled) {
    return button_press(name, r, label, strong, enabled).pressed;
}

bool Ui::text_field(const std::string& name, Rect r, std::string& value, const char* hint) {
    drawn.push_back({name, r, int(scope), true, false, false});
    fill(r, theme.background, 6);
    ImGui::SetCursorScreenPos(at({r.x + 8, r.y}));
    const bool in_scope = scope == focus.scope;
    if (in_scope)
        focus.next_stops.push_back(name);
    const bool wanted = in_scope && focus.name == name && (focus.moved || focus.grab);
    if (wanted) {
        ImGui::SetKeyboardFocusHere();
        focus.grab = false;
    }
    const float size = renderer::font_size(Font::mono, layout.type.label);
    ImGui::PushFont(renderer::font(Font::mono), size);
    ImGui::PushStyleColor(ImGuiCol_FrameBg, 0);
    ImGui::PushStyleColor(ImGuiCol_Text, theme.text1);
    ImGui::PushStyleColor(ImGuiCol_TextDisabled, theme.text3);
    ImGui::PushStyleColor(ImGuiCol_TextSelectedBg, theme.work_soft);
    ImGui::PushStyleColor(ImGuiCol_InputTextCursor, theme.focus);
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {0, std::max(0.f, (r.h - ImGui::GetFontSize()) / 2)});
    ImGui::PushItemFlag(ImGuiItemFlags_NoTabStop, true);
    ImGui::SetNextItemWidth((r.w - 16));
    const auto grow = [](ImGuiInputTextCallbackData* data) {
        if (data->EventFlag == ImGuiInputTextFlags_CallbackResize) {
            auto* text = static_cast<std::string*>(data->UserData);
            text->resize(std::size_t(data->BufTextLen));
            data->Buf = text->data();
        }
        return 0;
    };
    const bool entered =
        ImGui::InputTextWithHint(("##" + name).c_str(), hint, value.data(), value.capacity() + 1,
                                 ImGuiInputTextFlags_CallbackResize | ImGuiInputTextFlags_EnterReturnsTrue |
                                     ImGuiInputTextFlags_AutoSelectAll,
                                 grow, &value);
    const bool active = ImGui::IsItemActive();
    if (active && in_scope && focus.name != name && !focus.moved)
        focus.name = name;  // clicked
    if (active && focus.name != name)
        ImGui::ClearActiveID();  // Tab has gone on
    ImGui::PopItemFlag();
    ImGui::PopStyleVar();
    ImGui::PopStyleColor(5);
    ImGui::PopFont();
    outline(r, active ? theme.focus : theme.edge, 6, active ? 2.f : 1.f);
    return entered;
}

}  // namespace auditorium::panels
