// The small labels that tell a newcomer what is what.
#include <cctype>
#include <cstdio>
#include <string>

#include "app/scene/frame.h"

namespace auditorium::scene {
namespace {

enum class Sample { own, partner, eliminated, plain, folded };

// A line of a title, known as words that nothing may cut.
void add_title(Frame& frame, Point at, std::string_view text, float size, Font font, Color color) {
    add_label(frame.layer(LayerId::board), at, text, size, font, color, Align::left);
    frame.scene.words.push_back({at.x, at.y - size * 0.6f, text_width(font, size, text), size * 1.2f});
}

// A legend's little box with its words, laid from the right; returns where it begins.
float draw_sample(Frame& frame, float right, Sample sample, std::string_view words) {
    const Layout& layout = frame.layout;
    const Theme& theme = frame.theme;
    Layer& layer = frame.layer(LayerId::board);
    const float size = layout.text.label, y = layout.title_y + 1;
    add_label(layer, {right, y}, words, size, Font::regular, theme.text2, Align::right);
    const float box = size * 0.95f;
    const Point at{right - text_width(Font::regular, size, words) - 6 - box * 0.65f, y};
    const float left = at.x - box * 0.65f;
    frame.scene.words.push_back({left, y - box * 0.65f, right - left, box * 1.3f});
    add_box(layer, at, box * 1.3f, box * 1.3f, 3, theme.board);
    Shape& shape = add_box(layer, at, box, box, 3, theme.box, theme.board_work, 1.4f);
    if (sample == Sample::own) {
        shape.fill = theme.box_own;
    } else if (sample == Sample::plain || sample == Sample::folded) {
        shape.line = sample == Sample::plain ? theme.box_hatch : theme.ink;
        shape.line_width = sample == Sample::plain ? 1 : 2;
    } else if (sample == Sample::partner) {
        add_triangle(layer, {at.x - 3.5f, at.y - box / 2}, {at.x, at.y - box / 2 - 3.5f},
                     {at.x + 3.5f, at.y - box / 2}, theme.board_work);
    } else {
        shape.fill = theme.box_eliminated;
        shape.line = theme.box_hatch;
        shape.line_width = 1;
        shape.hatch = 1;
        shape.hatch_color = theme.box_hatch;
    }
    return at.x - box * 0.65f - size * 1.4f;
}

}  // namespace

void draw_titles(Frame& frame) {
    const Layout& layout = frame.layout;
    const Theme& theme = frame.theme;
    const float heading = layout.text.heading, small = layout.text.label;
    const float left = layout.frame.x;
    const std::string_view title = "Whiteboard = shared memory";
    float end = left + text_width(Font::semibold, heading, title) + heading;
    float legend = layout.frame.x + layout.frame.w;
    const float legend_room = 23 * layout.text.label;  // what the three samples take, about
    if (layout.titles)
        add_title(frame, {left, layout.title_y}, title, heading, Font::semibold, theme.text1);
    const bool room = layout.titles && end + legend_room < legend;
    if (room && frame.asked && frame.asked->scores && frame.asked->boxes.size() > 1 && frame.council < 0.5f) {
        std::string words = frame.asked->title;
        words[0] = char(std::tolower(static_cast<unsigned char>(words[0])));
        legend = draw_sample(frame, legend, Sample::eliminated, "eliminated");
        legend = draw_sample(frame, legend, Sample::folded, "folded into " + words);
        legend = draw_sample(frame, legend, Sample::plain, "still in");
    } else if (room && !frame.view.presenter && frame.plan && frame.plan->combines && frame.working &&
               frame.council < 0.5f && !frame.plan->row_council) {
        legend = draw_sample(frame, legend, Sample::eliminated, "eliminated");
        char words[24];
        if (frame.now->stride > 0)
            std::snprintf(words, sizeof words, "box i + %d", frame.now->stride);
        else
            std::snprintf(words, sizeof words, "partner box");
        legend = draw_sample(frame, legend, Sample::partner, words);
        legend = draw_sample(frame, legend, Sample::own, "own box i");
    }
    char folded[48];
    std::string_view note = "one column = one bank";
    if (frame.council > 0.5f) {
        const int count = frame.after->idle_boxes;
        if (frame.after->eliminated_boxes > 0)
            std::snprintf(folded, sizeof folded, "folded: %d %s eliminated", frame.after->eliminated_boxes,
                          frame.after->eliminated_boxes == 1 ? "box is" : "boxes are");
        else if (count > 0)
            std::snprintf(folded, sizeof folded, "folded: %d boxes are not in use", count);
        if (frame.after->eliminated_boxes > 0 || count > 0)
            note = folded;
    }
    // The unit of the numbers is said before anything else.
    std::string with_unit;
    if (frame.numbers.shown && frame.numbers.digits > 0 && frame.numbers.power != 0) {
        const std::string unit = "numbers in " + std::string(unit_name(frame.numbers.power));
        with_unit.append(note).append(", ").append(unit);
        if (end + text_width(Font::regular, small, with_unit) >= legend)
            with_unit = unit;
        note = with_unit;
    }
    if (layout.titles && end + text_width(Font::regular, small, note) < legend)
        add_title(frame, {end, layout.title_y + 1}, note, small, Font::regular, theme.text3);

    // Under the hall, where its last row leaves room.
    const float y = std::min(layout.height - heading * 1.05f, layout.hall_bottom + 4.5f * heading);
    const float row_end = layout.arc_y(frame.rows - 1, -1) + 8 * layout.person;
    const float row_under_words = layout.arc_y(frame.rows - 1, -0.35f) + 6 * layout.person;
    if (frame.council < 0.05f && y - heading * 0.6f > row_under_words && y - heading * 0.7f > row_end) {
        const std::string_view hall = "Researchers = threads";
        add_title(frame, {left, y}, hall, heading, Font::semibold, theme.text1);
        end = left + text_width(Font::semibold, heading, hall) + heading;
        const std::string_view row = "one row = one warp of 32";
        add_title(frame, {end, y}, row, small, Font::regular, theme.text3);
        end += text_width(Font::regular, small, row);
        frame.taken.add({left, y - heading * 0.75f, end - left, heading * 1.5f});
    }
}

}  // namespace auditorium::scene
