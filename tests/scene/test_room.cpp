// Room: in every window in reach nothing of the scene lies on anything else, is cut off, or touches its
// neighbour. What has no room is left out. From the areas that the panels really leave to the scene, for
// every kernel at three sizes, in every step.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>

#include "app/panels/layout.h"
#include "app/scene/metrics.h"
#include "tests/scene/runs.h"

namespace auditorium::test {
namespace {

using playback::Beat;
using playback::BeatKind;
using scene::Label;
using scene::LayerId;
using scene::Rect;
using scene::Scene;
using scene::Shape;
using scene::ShapeKind;
using scene::Target;

struct Window {
    int width, height;
    float scale;
};

constexpr Window windows[] = {{1280, 720, 1}, {1280, 720, 1.25f}, {1280, 720, 1.5f}, {1280, 720, 2},
                              {1600, 900, 1}, {1600, 900, 2},     {1920, 1080, 1},   {1920, 1080, 1.5f},
                              {800, 500, 1},  {853, 480, 1},      {900, 600, 1},     {1000, 620, 1},
                              {1280, 860, 1}, {3000, 400, 1},     {640, 1600, 1}};

View view_of(const Window& window, bool presenter) {
    View view;
    view.ui_scale = window.scale;
    view.width = int(float(window.width) / window.scale);
    view.height = int(float(window.height) / window.scale);
    view.presenter = presenter;
    view.theme = presenter ? ThemeId::light : ThemeId::dark;
    return view;
}

Rect box_of(const Label& label) {
    const float w = scene::text_width(label.font, label.size, label.text), h = label.size * 0.73f;
    const float x = label.align == scene::Align::left     ? label.at.x
                    : label.align == scene::Align::centre ? label.at.x - w / 2
                                                          : label.at.x - w;
    return {x, label.at.y - h / 2, w, h};
}

Rect box_of(const Shape& shape) {
    return {shape.p[0].x - shape.p[1].x, shape.p[0].y - shape.p[1].y, 2 * shape.p[1].x, 2 * shape.p[1].y};
}

// Nearer than `x` px beside each other and `y` px one over the other.
bool near(const Rect& a, const Rect& b, float x, float y) {
    return a.x < b.x + b.w + x && b.x < a.x + a.w + x && a.y < b.y + b.h + y && b.y < a.y + a.h + y;
}

bool inside(const Rect& r, const Scene& s) {
    return r.x >= -0.5f && r.y >= -0.5f && r.x + r.w <= s.area.w + 0.5f && r.y + r.h <= s.area.h + 0.5f;
}

struct Word {
    Rect box;
    const Label* label;
    LayerId layer;
};

// What is wrong with the picture, "" for nothing. `travels`: notes are in flight, or people on their way.
std::string fault(const Scene& s, const scene::Theme& theme) {
    std::vector<Word> words;
    for (const LayerId id : {LayerId::board, LayerId::boxes, LayerId::people, LayerId::tickets,
                             LayerId::labels, LayerId::tooltip})
        for (const Label& label : s[id].labels)
            if ((label.color >> 24) > 40)
                words.push_back({box_of(label), &label, id});
    for (const Word& word : words)
        if (!inside(word.box, s))
            return '"' + word.label->text + "\" is cut";
    std::sort(words.begin(), words.end(), [](const Word& a, const Word& b) { return a.box.y < b.box.y; });
    for (std::size_t i = 0; i < words.size(); ++i)
        for (std::size_t j = i + 1; j < words.size() && words[j].box.y < words[i].box.y + words[i].box.h; ++j)
            // The callout's words follow each other in one line.
            if (near(words[i].box, words[j].box,
                     words[i].layer == LayerId::tooltip && words[j].layer == LayerId::tooltip ? -0.3f : 1.4f,
                     -0.3f))
                return '"' + words[i].label->text + "\" touches \"" + words[j].label->text + '"';
    // Plates with words: plaque, tickets, tags, callout.
    std::vector<std::pair<Rect, LayerId>> plates;
    for (const LayerId id : {LayerId::tickets, LayerId::labels, LayerId::tooltip})
        for (const Shape& shape : s[id].shapes)
            if (shape.kind == ShapeKind::round_box && (shape.fill >> 24) > 200 && shape.p[1].x > 8 &&
                shape.p[1].y > 6)
                plates.push_back({box_of(shape), id});
    Rect board{};
    for (const Shape& shape : s[LayerId::board].shapes)
        if (shape.kind == ShapeKind::round_box && shape.fill == theme.board && shape.p[1].x * 2 > board.w)
            board = box_of(shape);
    if (!inside(board, s))
        return "the board is cut";
    for (std::size_t i = 0; i < plates.size(); ++i) {
        const auto& [plate, layer] = plates[i];
        char where[80];
        std::snprintf(where, sizeof where, "plate %.0f,%.0f %.0fx%.0f of layer %d", plate.x, plate.y, plate.w,
                      plate.h, int(layer));
        if (!inside(plate, s))
            return std::string(where) + " is cut";
        if (near(plate, board, 0, 0))
            return std::string(where) + " lies on the board";
        for (const Word& word : words) {
            const float cx = word.box.x + word.box.w / 2, cy = word.box.y + word.box.h / 2;
            const bool own = word.layer == layer && plate.contains({cx, cy});
            if (!own && near(plate, word.box, 0, 0))
                return std::string(where) + " lies on \"" + word.label->text + '"';
            if (own && (word.box.x < plate.x || word.box.x + word.box.w > plate.x + plate.w ||
                        word.box.y < plate.y || word.box.y + word.box.h > plate.y + plate.h))
                return '"' + word.label->text + "\" is wider than its plate";
        }
        for (std::size_t j = i + 1; j < plates.size(); ++j)
            if (near(plate, plates[j].first, -0.7f, -0.7f))
                return std::string(where) + " lies on another plate";
    }
    for (const Target& target : s.targets) {
        const Rect& r = target.area;
        if (target.kind == Target::Kind::box && !inside(r, s))
            return "box " + std::to_string(target.index) + " is cut";
        if (target.kind == Target::Kind::seat && r.y < s.area.h &&
            (r.y + r.h / 2 < board.y + board.h || r.y + r.h / 2 > s.area.h))
            return "seat " + std::to_string(target.index) + " is not in the hall";
    }
    return {};
}

struct Launch {
    std::string kernel;
    int block;
};

class Room : public ::testing::TestWithParam<Launch> {};

TEST_P(Room, NothingLiesOnAnythingElse) {
    const Launch& param = GetParam();
    int faults = 0;
    for (const trace::Op op : {trace::Op::max, trace::Op::sum}) {
        const Played r = run(param.kernel, param.block, op);
        for (const playback::Span& span : r.timeline.spans) {
            for (const Beat& beat : span.beats) {
                if (beat.kind == BeatKind::walk || beat.kind == BeatKind::drop || beat.kind == BeatKind::hold)
                    continue;
                for (const Window& window : windows) {
                    for (const bool presenter : {false, true}) {
                        const View view = view_of(window, presenter);
                        const Rect area = panels::layout(view, 4).scene;
                        const double time = beat.begin + 0.81 * beat.seconds();
                        const std::string found = fault(build(r, time, view, area), scene::theme(view.theme));
                        if (found.empty())
                            continue;
                        ADD_FAILURE()
                            << param.kernel << " at " << param.block << ", " << trace::name_of(op) << ", "
                            << window.width << "x" << window.height << " at scale " << window.scale
                            << (presenter ? ", presenter" : "") << " (area " << area.w << "x" << area.h
                            << "), step " << &span - r.timeline.spans.data() << ", beat " << int(beat.kind)
                            << ", " << time << " s: " << found;
                        if (++faults > 12)
                            return;
                    }
                }
            }
        }
    }
}

int count_of(const Scene& s, LayerId id, bool (*is)(const Label&)) {
    int n = 0;
    for (const Label& label : s[id].labels)
        n += is(label);
    return n;
}

// What gives way in a small window is there in the three windows of the style sheet.
TEST(RoomKept, NothingIsLeftOutWhereThereIsRoom) {
    const Played r = run("contiguous_warp", 256);
    for (const Window& window : {Window{1280, 720, 1}, {1600, 900, 1}, {1920, 1080, 1}}) {
        const View view = view_of(window, false);
        const Rect area = panels::layout(view, 4).scene;
        const auto at = [&](int span, BeatKind kind) {
            for (const Beat& beat : r.timeline.spans[std::size_t(span)].beats)
                if (beat.kind == kind)
                    return build(r, beat.begin + 0.81 * beat.seconds(), view, area);
            ADD_FAILURE() << "no such beat in span " << span;
            return Scene{};
        };
        const Scene hall = at(3, BeatKind::load), table = at(7, BeatKind::combine);
        EXPECT_EQ(count_of(hall, LayerId::boxes, [](const Label&) { return true; }), 256) << window.width;
        EXPECT_EQ(hall[LayerId::tooltip].labels.size(), 3u) << window.width;  // the callout
        EXPECT_EQ(count_of(hall, LayerId::labels, [](const Label& l) { return l.text[0] == 'W'; }), 8);
        EXPECT_EQ(count_of(hall, LayerId::board, [](const Label& l) { return l.text == "eliminated"; }), 1);
        EXPECT_EQ(
            count_of(hall, LayerId::tickets, [](const Label& l) { return l.text.starts_with("Barrier"); }),
            1);
        const auto named = [](const Label& l) { return l.text == "Five passes" || l.text == "Notes"; };
        EXPECT_EQ(count_of(table, LayerId::labels, named), 2) << window.width;
        EXPECT_EQ(table[LayerId::tooltip].labels.size(), 3u) << window.width;
        EXPECT_EQ(count_of(table, LayerId::people, [](const Label&) { return true; }), 32 + 32 + 2);
    }
}

// While a bank queue begins, lasts and ends: no ticket lies on a person, a row's tag, the rope's plaque or
// the callout, at any moment.
TEST(RoomForTickets, TicketsKeepOffEverything) {
    for (const int block : {64, 128, 256, 512, 1024}) {  // 32 boxes have no queue
        const Played r = run("interleaved_strided", block);
        int shown = 0;
        for (const playback::Span& span : r.timeline.spans) {
            std::vector<double> times;
            for (const Beat& beat : span.beats) {
                if (beat.wavefronts < 2)
                    continue;
                for (double t = 0.01; t < std::min(0.45, beat.seconds()); t += 0.03)
                    times.push_back(beat.begin + t);
                times.push_back(beat.begin + 0.7 * beat.seconds());
                times.push_back(beat.end);
            }
            for (const double time : times) {
                for (const Window& window :
                     {Window{1280, 720, 1}, {1600, 900, 1}, {1920, 1080, 1}, {1000, 620, 1}}) {
                    for (const bool presenter : {false, true}) {
                        const View view = view_of(window, presenter);
                        const Scene s = build(r, time, view, panels::layout(view, 4).scene);
                        std::vector<Rect> others;
                        for (const Target& target : s.targets)
                            if (target.kind == Target::Kind::seat)
                                others.push_back(target.area);
                        for (const LayerId id : {LayerId::tickets, LayerId::labels, LayerId::tooltip})
                            for (const Shape& shape : s[id].shapes)
                                if (shape.kind == ShapeKind::round_box && shape.p[1].x > 8 &&
                                    shape.p[1].y > 6 && (id != LayerId::tickets || shape.p[1].x > 40))
                                    others.push_back(box_of(shape));
                        for (const Shape& shape : s[LayerId::rope].shapes)
                            if (shape.kind == ShapeKind::disc && window.width >= 1280)
                                others.push_back({shape.p[0].x - shape.p[1].x, shape.p[0].y - shape.p[1].x,
                                                  2 * shape.p[1].x, 2 * shape.p[1].x});
                        for (const Target& target : s.targets) {
                            if (target.kind != Target::Kind::ticket)
                                continue;
                            ++shown;
                            for (const Rect& other : others)
                                ASSERT_FALSE(near(target.area, other, -0.3f, -0.3f))
                                    << block << " threads, " << window.width << "x" << window.height
                                    << (presenter ? ", presenter" : "") << ", " << time << " s: ticket at "
                                    << target.area.x << "," << target.area.y << " " << target.area.w << "x"
                                    << target.area.h << " and " << other.x << "," << other.y << " " << other.w
                                    << "x" << other.h;
                        }
                    }
                }
            }
        }
        EXPECT_GT(shown, 100) << block;
    }
}

std::vector<Launch> runs() {
    std::vector<Launch> out;
    for (const kernels::Kernel& kernel : kernels::all())
        for (const int block : {32, 256, 1024})
            out.push_back({std::string(kernel.id), block});
    return out;
}

INSTANTIATE_TEST_SUITE_P(Catalogue, Room, ::testing::ValuesIn(runs()), [](const auto& info) {
    return info.param.kernel + "_" + std::to_string(info.param.block);
});

}  // namespace
}  // namespace auditorium::test
