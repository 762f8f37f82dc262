#include "tests/renderer/sheet.h"

#include <cmath>

namespace auditorium::testing {

using scene::Align;
using scene::Font;
using scene::Label;
using scene::LayerId;
using scene::Point;
using scene::Shape;
using scene::ShapeKind;

namespace {

Shape round_box(Point centre, Point half, float radius, scene::Color fill, scene::Color line = 0,
                float width = 0) {
    Shape s;
    s.kind = ShapeKind::round_box;
    s.p[0] = centre;
    s.p[1] = half;
    s.radius = radius;
    s.fill = fill;
    s.line = line;
    s.line_width = width;
    return s;
}

Shape disc(Point centre, float radius, scene::Color fill, scene::Color line = 0, float width = 0) {
    Shape s;
    s.kind = ShapeKind::disc;
    s.p[0] = centre;
    s.p[1].x = radius;
    s.fill = fill;
    s.line = line;
    s.line_width = width;
    return s;
}

Shape capsule(Point a, Point b, float radius, scene::Color fill) {
    Shape s;
    s.kind = ShapeKind::capsule;
    s.p[0] = a;
    s.p[1] = b;
    s.radius = radius;
    s.fill = fill;
    return s;
}

Shape ribbon(Point a, Point control, Point b, float radius, scene::Color fill) {
    Shape s = capsule(a, control, radius, fill);
    s.kind = ShapeKind::ribbon;
    s.p[2] = b;
    return s;
}

Shape polygon(std::initializer_list<Point> points, scene::Color fill, scene::Color line = 0,
              float width = 0) {
    Shape s;
    s.kind = ShapeKind::polygon;
    for (const Point& q : points) {
        s.p[s.points++] = q;
    }
    s.fill = fill;
    s.line = line;
    s.line_width = width;
    return s;
}

Shape dashed(Shape s, float dash, float gap) {
    s.dash = dash;
    s.gap = gap;
    return s;
}

Shape hatched(Shape s, int kind, scene::Color color) {
    s.hatch = std::uint8_t(kind);
    s.hatch_color = color;
    return s;
}

Label label(Point at, const char* text, float size, Font font, Align align, scene::Color color) {
    return {.at = at, .text = text, .size = size, .font = font, .align = align, .color = color};
}

}  // namespace

scene::Scene sheet(const scene::Theme& t) {
    scene::Scene s;
    s.area = {0, 0, 800, 600};
    s.camera = {.zoom = 1, .centre = {400, 300}};
    auto& board = s[LayerId::board];
    auto& boxes = s[LayerId::boxes];
    auto& rays = s[LayerId::rays];
    auto& rope = s[LayerId::rope];
    auto& people = s[LayerId::people];

    // Boxes: plain, own, eliminated, hazard, dashed, rotated.
    board.shapes.push_back(round_box({400, 80}, {380, 60}, 10, t.board, t.board_frame, 4));
    const auto box = [](int i) { return Point{70.0f + 95.0f * float(i), 80}; };
    boxes.shapes.push_back(round_box(box(0), {33, 22}, 4, t.box, t.board_frame, 1));
    boxes.shapes.push_back(round_box(box(1), {33, 22}, 4, t.box_own, t.board_work, 2));
    boxes.shapes.push_back(hatched(round_box(box(2), {33, 22}, 4, t.box_eliminated), 1, t.box_hatch));
    boxes.shapes.push_back(
        hatched(round_box(box(3), {33, 22}, 4, t.box, t.board_hazard, 2.5f), 2, t.board_hazard));
    boxes.shapes.push_back(dashed(round_box(box(4), {33, 22}, 4, 0, t.board_frame, 1.5f), 4, 3));
    boxes.shapes.push_back(dashed(round_box(box(5), {33, 22}, 22, t.box, t.board_conflict, 2.5f), 6, 4));
    Shape turned = round_box(box(6), {33, 18}, 4, t.box, t.board_champion, 2.5f);
    turned.rotation = 0.35f;
    boxes.shapes.push_back(turned);
    boxes.shapes.push_back(round_box(box(7), {33, 22}, 0, t.box, t.ink, 1));
    const char* values[] = {"948", "12.8k", "266", "!", "?", "998", "640", "-7"};
    for (int i = 0; i < 8; ++i) {
        boxes.labels.push_back(
            label(box(i), values[i], 10.0f + 1.5f * float(i), Font::mono, Align::centre, t.ink));
    }

    // Lines: thin to thick, dashed, at many angles; ribbons flat and bent, straight and degenerate.
    for (int i = 0; i < 24; ++i) {
        const float a = 2 * 3.14159265f * float(i) / 24;
        Shape ray =
            capsule({100 + 20 * std::cos(a), 230 + 20 * std::sin(a)},
                    {100 + 70 * std::cos(a), 230 + 70 * std::sin(a)}, 0.5f + 0.05f * float(i), t.work);
        rays.shapes.push_back(i % 3 == 2 ? dashed(ray, 5, 3) : ray);
    }
    for (int i = 0; i < 6; ++i) {
        Shape chord = ribbon({190, 290}, {250 + 30 * float(i), 170 - 10 * float(i)}, {330, 290},
                             0.8f + 0.3f * float(i), i % 2 ? t.conflict_line : t.work);
        rays.shapes.push_back(i % 3 == 2 ? dashed(chord, 6, 4) : chord);
    }
    rays.shapes.push_back(ribbon({190, 305}, {260, 305}, {330, 305}, 1, t.text1));     // straight
    rays.shapes.push_back(ribbon({350, 180}, {350, 180}, {350, 300}, 1.5f, t.text1));  // control at an end
    rays.shapes.push_back(
        dashed(ribbon({365, 180}, {365, 340}, {366, 180}, 1, t.hazard), 2, 2));  // a hairpin

    // The rope: posts and sagging, twisted ribbons.
    for (int i = 0; i < 4; ++i) {
        const float x = 400 + 120 * float(i);
        if (i < 3) {
            rope.shapes.push_back(ribbon({x, 190}, {x + 60, 235}, {x + 120, 190}, 1.6f, t.rope));
            rope.shapes.push_back(
                dashed(ribbon({x, 260}, {x + 60, 305}, {x + 120, 260}, 1.6f, t.hazard), 6, 4));
        }
        rope.shapes.push_back(capsule({x, 190}, {x, 215}, 1.5f, t.rope));
        rope.shapes.push_back(disc({x, 188}, 4, t.rope));
        rope.shapes.push_back(capsule({x - 6, 216}, {x + 6, 216}, 1.5f, t.rope));
    }

    // People: seated, with arms up, a hollow outline, a dashed seat, followed; rings and dots.
    for (int i = 0; i < 5; ++i) {
        const float x = 60 + 70 * float(i), y = 400;
        const bool away = i == 4;
        Shape seat = round_box({x, y + 34}, {18, 9}, 8, t.seat, t.seat_line, 1);
        people.shapes.push_back(away ? dashed(round_box({x, y + 34}, {18, 9}, 8, 0, t.seat_line, 1.5f), 4, 3)
                                     : seat);
        if (away) {
            continue;
        }
        const bool hollow = i == 2;
        const scene::Color body = hollow ? 0 : i == 0 ? t.person : t.work;
        const float width = hollow ? 2.0f : 0.0f;
        if (i == 1 || i == 3) {
            people.shapes.push_back(capsule({x - 9, y + 4}, {x - 19, y - 20}, 3, t.work));
            people.shapes.push_back(capsule({x + 9, y + 4}, {x + 19, y - 20}, 3, t.work));
        }
        people.shapes.push_back(round_box({x, y + 12}, {11, 14}, 9, body, t.work, width));
        people.shapes.push_back(disc({x, y - 10}, 9, body, t.work, width));
        if (i == 3) {
            people.shapes.push_back(disc({x, y - 10}, 15, 0, t.focus, 3));
        }
    }
    people.shapes.push_back(dashed(disc({410, 400}, 16, 0, t.hazard, 2), 4, 4));
    for (int i = 0; i < 12; ++i) {
        people.shapes.push_back(disc({460 + 12 * float(i), 400}, 0.5f + 0.5f * float(i), t.champion));
    }

    // Polygons: a triangle, a tab, a crown's spike, a pen, hexagons with an outline, hatch and dashes.
    auto& tickets = s[LayerId::tickets];
    tickets.shapes.push_back(polygon({{620, 380}, {640, 392}, {620, 404}}, t.work));
    tickets.shapes.push_back(polygon({{655, 404}, {667, 380}, {679, 404}}, t.champion, t.text1, 1.5f));
    const auto hexagon = [](Point c, float r, scene::Color fill, scene::Color line) {
        Shape h = polygon({}, fill, line, 2);
        h.points = 6;
        for (int i = 0; i < 6; ++i) {
            const float a = 3.14159265f * float(i) / 3;
            h.p[std::size_t(i)] = {c.x + r * std::cos(a), c.y + r * std::sin(a)};
        }
        return h;
    };
    tickets.shapes.push_back(hexagon({710, 392}, 15, t.note, t.note_edge));
    tickets.shapes.push_back(hatched(dashed(hexagon({750, 392}, 15, t.note, t.hazard), 5, 3), 1, t.hazard));
    Shape rounded = polygon({{770, 402}, {790, 402}, {780, 384}}, t.rope);
    rounded.radius = 4;
    tickets.shapes.push_back(rounded);

    // Labels in every font, alignment and size; a shape of the next layer over a label.
    auto& labels = s[LayerId::labels];
    const Font fonts[] = {Font::regular, Font::medium, Font::semibold, Font::mono, Font::mono_semibold};
    for (int i = 0; i < 5; ++i) {
        const float y = 470 + 26 * float(i);
        labels.labels.push_back(label({20, y}, "Researchers 0\u201363 compare", 10 + 2 * float(i), fonts[i],
                                      Align::left, t.text1));
        labels.labels.push_back(
            label({500, y}, "op(648, 948)", 20 - 2 * float(i), fonts[i], Align::centre, t.work));
        labels.labels.push_back(label({780, y}, "0x44798000", 12, fonts[i], Align::right, t.text3));
    }
    labels.labels.push_back(label({640, 440}, "under", 16, Font::semibold, Align::centre, t.text1));
    s[LayerId::tooltip].shapes.push_back(round_box({660, 440}, {20, 10}, 6, t.raised, t.edge, 1));
    s[LayerId::tooltip].labels.push_back(label({660, 440}, "over", 11, Font::medium, Align::centre, t.text1));
    return s;
}

}  // namespace auditorium::testing
