// What lies under the pointer: its name, and the numbers behind it.
#include <array>
#include <bit>
#include <cstdio>
#include <string>
#include <vector>

#include "app/scene/frame.h"

namespace auditorium::scene {
namespace {

using trace::Event;
using trace::EventKind;

template <typename... Values>
std::string say(const char* format, Values... values) {
    char text[160];
    std::snprintf(text, sizeof text, format, values...);
    return text;
}

const Target* under_pointer(const Scene& scene, Point at) {
    // Notes and tickets lie over people, people over boxes.
    const auto rank = [](Target::Kind kind) {
        switch (kind) {
            case Target::Kind::note:
                return 4;
            case Target::Kind::ticket:
                return 3;
            case Target::Kind::seat:
                return 2;
            case Target::Kind::box:
                return 1;
            case Target::Kind::bank:
                break;
        }
        return 0;
    };
    const Target* best = nullptr;
    for (const Target& target : scene.targets)
        if (target.area.contains(at) && (!best || rank(target.kind) >= rank(best->kind)))
            best = &target;
    return best;
}

// The last store to a box up to this moment.
std::string last_writer(const Frame& frame, int box) {
    int step = frame.step >= 0 ? frame.step : frame.moment.span == 0 ? -1 : int(frame.trace.steps.size()) - 1;
    if (frame.step >= 0 && !frame.written[box])
        --step;
    for (; step >= 0; --step) {
        if (!(frame.prepared.steps[step].role[box] & role_written))
            continue;
        for (int thread = 0; thread < frame.threads; ++thread) {
            const trace::Piece& piece = frame.trace.steps[step].pieces[thread];
            for (std::uint32_t e = piece.begin; e < piece.end; ++e) {
                const Event& event = frame.trace.events[thread][e];
                if (event.kind == EventKind::store && event.arg == box && !(event.flags & Event::no_box))
                    return say("written by researcher %d, line %d", thread, int(event.line));
            }
        }
    }
    return {};
}

void about_box(const Frame& frame, int box, std::vector<std::string>& lines) {
    const BoardState& board = frame.written[box] ? *frame.after : *frame.before;
    const int steps = int(frame.trace.steps.size());
    const int end = frame.step >= 0          ? frame.step + (frame.written[box] ? 1 : 0)
                    : frame.moment.span == 0 ? 0
                                             : steps;
    lines.push_back(say("Box %d, bank %d", box, box % trace::warp_size));
    if (board.state[box] == trace::box_never_written || end == 0) {
        lines.push_back("never written");
        return;
    }
    std::string value = board.state[box] == trace::box_undefined
                            ? std::string("undefined")
                            : exact_number(frame.trace.steps[end - 1].boxes[box], frame.trace.config.type);
    if (board.eliminated[box])
        value.append(", eliminated");
    lines.push_back(std::move(value));
    if (std::string writer = last_writer(frame, box); !writer.empty())
        lines.push_back(std::move(writer));
}

void about_seat(const Frame& frame, int thread, std::vector<std::string>& lines) {
    lines.push_back(
        say("Researcher %d: warp %d, lane %d", thread, thread / trace::warp_size, thread % trace::warp_size));
    const int steps = int(frame.trace.steps.size());
    int end = frame.step >= 0 ? frame.step : frame.moment.span == 0 ? 0 : steps;
    if (frame.step >= 0 && (frame.resting || frame.moment.at_end))
        ++end;
    const bool undefined = end > 0 && frame.trace.steps[end - 1].register_undefined[thread];
    const std::uint32_t bits =
        end > 0 ? frame.trace.steps[end - 1].registers[thread] : frame.trace.config.values[thread];
    lines.push_back(undefined ? std::string("holds an undefined value")
                              : say("holds %s", exact_number(bits, frame.trace.config.type).c_str()));
}

// How deep the bank's queue is now: the worst request of the running beat.
int queue_of(const Frame& frame, int bank) {
    if (!frame.plan || !frame.working || frame.beat.wavefronts < 2)
        return 0;
    int deep = 0;
    for (int row = 0; row < frame.rows; ++row)
        if (const analysis::Request* request = frame.request(row, frame.beat.order))
            for (int lane = 0; lane < trace::warp_size; ++lane)
                if ((request->lanes >> lane & 1) && request->box[lane] % trace::warp_size == bank)
                    deep = std::max(deep, request->wavefront[lane] + 1);
    return deep;
}

void about_bank(const Frame& frame, int bank, bool ticket, std::vector<std::string>& lines) {
    const int deep = queue_of(frame, bank);
    if (deep > 1) {
        lines.push_back(say("Bank %d: %d different words wanted at once", bank, deep));
        lines.push_back(say("so %d wavefronts, one ticket each", deep));
        if (ticket)
            lines.push_back("which lane goes first is a drawing convention");
        return;
    }
    lines.push_back(say("Bank %d", bank));
    if (frame.rows == 1)
        lines.push_back(say("holds box %d", bank));
    else
        lines.push_back(
            say("holds boxes %d, %d%s", bank, bank + trace::warp_size, frame.rows > 2 ? ", ..." : ""));
}

void about_note(const Frame& frame, int lane, std::vector<std::string>& lines) {
    const trace::Piece& piece = frame.now->pieces[lane];
    for (std::uint32_t e = piece.begin; e < piece.end; ++e) {
        const Event& event = frame.trace.events[lane][e];
        if (event.kind != EventKind::shuffle)
            continue;
        const bool undefined = event.flags & (Event::undefined | Event::bad_mask);
        lines.push_back(say("Lane %d takes a note of lane %d", lane, event.arg % trace::warp_size));
        lines.push_back(undefined ? std::string("undefined: that lane takes no part")
                                  : exact_number(event.bits, frame.trace.config.type));
    }
}

}  // namespace

void draw_hover(Frame& frame) {
    const Rect& area = frame.scene.area;
    if (!frame.view.pointer || !area.contains(*frame.view.pointer))
        return;
    const Camera& camera = frame.scene.camera;
    const Point at{camera.centre.x + (frame.view.pointer->x - area.x - area.w / 2) / camera.zoom,
                   camera.centre.y + (frame.view.pointer->y - area.y - area.h / 2) / camera.zoom};
    const Target* target = under_pointer(frame.scene, at);
    if (!target)
        return;
    std::vector<std::string> lines;
    switch (target->kind) {
        case Target::Kind::box:
            about_box(frame, target->index, lines);
            break;
        case Target::Kind::seat:
            about_seat(frame, target->index, lines);
            break;
        case Target::Kind::note:
            about_note(frame, target->index, lines);
            break;
        case Target::Kind::ticket:
            about_bank(frame, target->index, true, lines);
            break;
        case Target::Kind::bank:
            about_bank(frame, target->index, false, lines);
            break;
    }
    const Theme& theme = frame.theme;
    Layer& layer = frame.layer(LayerId::tooltip);
    const Rect& r = target->area;
    // A tooltip keeps its size whatever the zoom.
    const float k = 1 / camera.zoom;
    if (target->kind == Target::Kind::box || target->kind == Target::Kind::bank)
        add_box(layer, {r.x + r.w / 2, r.y + r.h / 2}, r.w, r.h, 4, 0, theme.focus, frame.px(1.6f));
    else if (target->kind == Target::Kind::seat)
        add_box(layer, {r.x + r.w / 2, r.y + r.h / 2}, r.w + 4, r.h + 4, 6, 0, theme.focus, frame.px(1.4f));
    const float size = frame.layout.text.small * k, pad = size * 0.8f, pitch = size * 1.5f;
    float width = 0;
    for (std::size_t i = 0; i < lines.size(); ++i)
        width = std::max(width, text_width(i ? Font::regular : Font::semibold, size, lines[i]));
    width += 2 * pad;
    const float height = pitch * float(lines.size()) + pad;
    const float left = camera.centre.x - area.w / 2 * k, top = camera.centre.y - area.h / 2 * k;
    const float right = left + area.w * k, bottom = top + area.h * k;
    float x = at.x + 14 * k, y = at.y + 16 * k;
    if (x + width > right - 4 * k)
        x = std::max(left + 4 * k, at.x - width - 10 * k);
    if (y + height > bottom - 4 * k)
        y = std::max(top + 4 * k, at.y - height - 8 * k);
    add_box(layer, {x + width / 2, y + height / 2}, width, height, 6 * k, theme.raised, theme.edge, k);
    for (std::size_t i = 0; i < lines.size(); ++i)
        add_label(layer, {x + pad, y + pad / 2 + pitch * (float(i) + 0.5f)}, lines[i], size,
                  i ? Font::regular : Font::semibold, i ? theme.text2 : theme.text1, Align::left);
}

}  // namespace auditorium::scene
