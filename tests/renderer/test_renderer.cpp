// What the renderer draws, measured in pixels: every shape covers the area that geometry says, wherever it
// lies, and nothing is cut off.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <string>

#include "app/hosts/offscreen.h"
#include "app/renderer/fonts.h"
#include "app/renderer/renderer.h"
#include "imgui.h"
#include "tests/pictures/pictures.h"
#include "tests/renderer/sheet.h"

namespace auditorium {
namespace {

using scene::Color;
using scene::LayerId;
using scene::Point;
using scene::Scene;
using scene::Shape;
using scene::ShapeKind;

constexpr Color black = 0xff000000, white = 0xffffffff;
constexpr float pi = 3.14159265f;

class RendererTest : public ::testing::Test {
  protected:
    static void SetUpTestSuite() {
        auto opened = offscreen::open();
        ASSERT_TRUE(opened.has_value()) << opened.error().sentence;
        stage_ = std::move(*opened);
    }
    static void TearDownTestSuite() { stage_.reset(); }

    static Image draw(const Scene& scene, float scale = 1) {
        auto image = offscreen::render(*stage_, scene, black, scale);
        EXPECT_TRUE(image.has_value()) << image.error().sentence;
        return image ? *image : Image{};
    }

    static Scene empty(float w = 200, float h = 200) {
        Scene s;
        s.area = {0, 0, w, h};
        s.camera = {.zoom = 1, .centre = {w / 2, h / 2}};
        return s;
    }

    // Sum of coverage of white on black, in pixels.
    static double covered(const Image& image) {
        double sum = 0;
        for (std::size_t i = 0; i < image.rgba.size(); i += 4) {
            sum += image.rgba[i] / 255.0;
        }
        return sum;
    }
    static double covered(const Shape& shape) {
        Scene s = empty();
        s[LayerId::floor].shapes.push_back(shape);
        return covered(draw(s));
    }

    static std::unique_ptr<offscreen::Stage> stage_;
};
std::unique_ptr<offscreen::Stage> RendererTest::stage_;

int grey(const Image& image, int x, int y) {
    return image.rgba[(std::size_t(y) * std::size_t(image.width) + std::size_t(x)) * 4];
}

Shape shape(ShapeKind kind, std::initializer_list<Point> points, float radius = 0) {
    Shape s;
    s.kind = kind;
    std::size_t i = 0;
    for (const Point& p : points) {
        s.p[i++] = p;
    }
    s.points = std::uint8_t(i);
    s.radius = radius;
    s.fill = white;
    return s;
}

TEST_F(RendererTest, BoxesCoverTheirArea) {
    for (float turn : {0.0f, 0.3f, 0.785f, 1.5f, 2.4f}) {
        for (float radius : {0.0f, 5.0f, 20.0f}) {
            Shape s = shape(ShapeKind::round_box, {{100.3f, 99.6f}, {50, 20}}, radius);
            s.rotation = turn;
            EXPECT_NEAR(covered(s), 100 * 40 - (4 - pi) * radius * radius, 12) << turn << " " << radius;
        }
    }
}

TEST_F(RendererTest, BoxOnWholePixelsIsSharp) {
    Scene s = empty();
    s[LayerId::floor].shapes.push_back(shape(ShapeKind::round_box, {{100, 100}, {50, 20}}));
    const Image image = draw(s);
    EXPECT_EQ(covered(image), 100 * 40);
    EXPECT_EQ(grey(image, 50, 80), 255);
    EXPECT_EQ(grey(image, 149, 119), 255);
    EXPECT_EQ(grey(image, 49, 80), 0);
    EXPECT_EQ(grey(image, 150, 119), 0);
}

TEST_F(RendererTest, ThinOutlineOnHalfPixelsIsSharp) {
    Scene s = empty();
    Shape box = shape(ShapeKind::round_box, {{100, 100}, {50.5f, 20.5f}});
    box.fill = 0;
    box.line = white;
    box.line_width = 1;
    s[LayerId::floor].shapes.push_back(box);
    const Image image = draw(s);
    EXPECT_EQ(grey(image, 49, 100), 255);
    EXPECT_EQ(grey(image, 48, 100), 0);
    EXPECT_EQ(grey(image, 50, 100), 0);
    EXPECT_EQ(grey(image, 100, 79), 255);
}

TEST_F(RendererTest, DiscsAndRings) {
    for (float radius : {1.5f, 6.0f, 40.0f}) {
        EXPECT_NEAR(covered(shape(ShapeKind::disc, {{100.2f, 99.7f}, {radius, 0}})), pi * radius * radius,
                    0.03 * pi * radius * radius + 0.3);
        Shape ring = shape(ShapeKind::disc, {{100.2f, 99.7f}, {radius, 0}});
        ring.fill = 0;
        ring.line = white;
        ring.line_width = 2;
        EXPECT_NEAR(covered(ring), 2 * pi * radius * 2, 0.03 * 4 * pi * radius + 0.5);
    }
}

TEST_F(RendererTest, CapsulesAtEveryAngle) {
    for (int i = 0; i < 16; ++i) {
        const float a = 2 * pi * float(i) / 16 + 0.1f;
        const Shape s =
            shape(ShapeKind::capsule, {{100, 100}, {100 + 60 * std::cos(a), 100 + 60 * std::sin(a)}}, 3);
        EXPECT_NEAR(covered(s), 60 * 6 + pi * 9, 4) << i;
    }
    // A point is a disc.
    EXPECT_NEAR(covered(shape(ShapeKind::capsule, {{100, 100}, {100, 100}}, 5)), pi * 25, 1.5);
}

double length_of(Point a, Point b, Point c) {
    double sum = 0;
    Point last = a;
    for (int i = 1; i <= 1000; ++i) {
        const float t = float(i) / 1000;
        const Point p{(1 - t) * (1 - t) * a.x + 2 * t * (1 - t) * b.x + t * t * c.x,
                      (1 - t) * (1 - t) * a.y + 2 * t * (1 - t) * b.y + t * t * c.y};
        sum += std::hypot(p.x - last.x, p.y - last.y);
        last = p;
    }
    return sum;
}

TEST_F(RendererTest, RibbonsCoverTheirLength) {
    const Point bends[][3] = {
        {{20, 20}, {100, 180}, {180, 30}},    // wide
        {{20, 100}, {100, 101}, {180, 100}},  // nearly straight
        {{20, 60}, {100, 100}, {180, 140}},   // straight
        {{20, 20}, {20, 20}, {180, 180}},     // the control point at an end
        {{20, 20}, {60, 60}, {180, 180}},     // straight, at uneven speed
        {{150, 20}, {150, 100}, {150, 180}},  // upright
        {{30, 170}, {190, 190}, {170, 30}},   // a corner
    };
    for (const auto& b : bends) {
        for (float radius : {0.75f, 1.0f, 3.0f}) {
            const double expected = length_of(b[0], b[1], b[2]) * 2 * radius + pi * radius * radius;
            EXPECT_NEAR(covered(shape(ShapeKind::ribbon, {b[0], b[1], b[2]}, radius)), expected,
                        0.03 * expected + 1)
                << b[1].x << "," << b[1].y << " " << radius;
        }
    }
}

// A straight ribbon is as even as a capsule.
TEST_F(RendererTest, StraightRibbonsAreEven) {
    Scene a = empty(), b = empty();
    a[LayerId::floor].shapes = {shape(ShapeKind::ribbon, {{20, 60}, {100, 60}, {180, 60}}, 1),
                                shape(ShapeKind::ribbon, {{20, 90.5f}, {60, 100.5f}, {180, 130.5f}}, 0.75f)};
    b[LayerId::floor].shapes = {shape(ShapeKind::capsule, {{20, 60}, {180, 60}}, 1),
                                shape(ShapeKind::capsule, {{20, 90.5f}, {180, 130.5f}}, 0.75f)};
    const Image x = draw(a), y = draw(b);
    int worst = 0;
    for (std::size_t i = 0; i < x.rgba.size(); ++i) {
        worst = std::max(worst, std::abs(int(x.rgba[i]) - int(y.rgba[i])));
    }
    EXPECT_LE(worst, 10);
}

TEST_F(RendererTest, PolygonsCoverTheirArea) {
    EXPECT_NEAR(covered(shape(ShapeKind::polygon, {{20, 30}, {180, 60}, {90, 170}})),
                0.5 * std::abs(160 * 140 - 30 * 70), 20);
    EXPECT_NEAR(covered(shape(ShapeKind::polygon, {{30, 30}, {90, 30}, {90, 90}, {30, 90}})), 3600, 0.01);
    // The same, the other way round; and grown by its radius.
    EXPECT_NEAR(covered(shape(ShapeKind::polygon, {{30, 90}, {90, 90}, {90, 30}, {30, 30}})), 3600, 0.01);
    EXPECT_NEAR(covered(shape(ShapeKind::polygon, {{30, 90}, {90, 90}, {90, 30}, {30, 30}}, 5)),
                3600 + 4 * 60 * 5 + pi * 25, 6);
    Shape hexagon = shape(ShapeKind::polygon, {});
    hexagon.points = 6;
    for (std::size_t i = 0; i < 6; ++i) {
        hexagon.p[i] = {100 + 50 * std::cos(float(i) * pi / 3), 100 + 50 * std::sin(float(i) * pi / 3)};
    }
    EXPECT_NEAR(covered(hexagon), 1.5 * std::sqrt(3.0) * 2500, 20);
}

TEST_F(RendererTest, DashesLeaveTheirShare) {
    Shape line = shape(ShapeKind::capsule, {{20, 100}, {180, 100}}, 2);
    const double whole = covered(line);
    line.dash = 6;
    line.gap = 4;
    EXPECT_NEAR(covered(line) / whole, 0.6, 0.02);
    Shape curve = shape(ShapeKind::ribbon, {{20, 40}, {100, 180}, {180, 40}}, 2);
    const double whole_curve = covered(curve);
    curve.dash = 3;
    curve.gap = 5;
    EXPECT_NEAR(covered(curve) / whole_curve, 0.375, 0.02);
    for (ShapeKind kind : {ShapeKind::round_box, ShapeKind::disc, ShapeKind::polygon}) {
        Shape s = kind == ShapeKind::disc        ? shape(kind, {{100, 100}, {40, 0}})
                  : kind == ShapeKind::round_box ? shape(kind, {{100, 100}, {50, 30}}, 12)
                                                 : shape(kind, {{30, 30}, {170, 40}, {100, 170}});
        s.fill = 0;
        s.line = white;
        s.line_width = 2;
        const double solid = covered(s);
        s.dash = 7;
        s.gap = 3;
        EXPECT_NEAR(covered(s) / solid, 0.7, 0.03) << int(kind);
    }
}

// On a closed outline the last gap is as wide as every other: turning the phase by a period changes nothing.
TEST_F(RendererTest, DashesClose) {
    Scene a = empty(), b = empty();
    Shape s = shape(ShapeKind::round_box, {{100, 100}, {50, 30}}, 12);
    s.fill = 0;
    s.line = white;
    s.line_width = 2;
    s.dash = 7;
    s.gap = 4;
    a[LayerId::floor].shapes = {s};
    const float outline = 4 * (38 + 18) + 2 * pi * 12;
    s.dash_phase = outline / std::round(outline / 11);
    b[LayerId::floor].shapes = {s};
    EXPECT_LT(testing::difference(draw(a), draw(b)).worst, 0.002);
}

TEST_F(RendererTest, HatchLeavesItsShare) {
    Shape s = shape(ShapeKind::round_box, {{100, 100}, {80, 80}});
    s.fill = 0;
    s.hatch_color = white;
    s.hatch = 1;
    EXPECT_NEAR(covered(s) / (160 * 160), 1.5 / 5, 0.01);
    s.hatch = 2;
    EXPECT_NEAR(covered(s) / (160 * 160), 3.2 / 5, 0.01);
}

TEST_F(RendererTest, TransparentColorsBlend) {
    Shape s = shape(ShapeKind::round_box, {{100, 100}, {20, 20}});
    s.fill = 0x80ffffff;
    Scene scene = empty();
    scene[LayerId::floor].shapes = {s};
    EXPECT_NEAR(grey(draw(scene), 100, 100), 128, 1);
    scene[LayerId::floor].shapes = {s, s};
    EXPECT_NEAR(grey(draw(scene), 100, 100), 192, 2);
}

TEST_F(RendererTest, LaterShapesAndLayersLieAbove) {
    Scene s = empty();
    const Shape below = shape(ShapeKind::round_box, {{100, 100}, {60, 60}});
    Shape above = shape(ShapeKind::ribbon, {{60, 100}, {100, 100}, {140, 100}}, 10);
    above.fill = black;
    s[LayerId::boxes].shapes = {below};
    s[LayerId::boxes].labels = {{.at = {100, 100},
                                 .text = "MMMM",
                                 .size = 20,
                                 .font = scene::Font::semibold,
                                 .align = scene::Align::centre,
                                 .color = 0xff808080}};
    s[LayerId::rays].shapes = {above};
    const Image covered_label = draw(s);
    for (int x = 70; x < 130; ++x) {
        EXPECT_EQ(grey(covered_label, x, 100), 0) << "the layer above hides the label, " << x;
    }
    s[LayerId::rays].shapes.clear();
    const Image shown = draw(s);
    int seen = 0;
    for (int x = 60; x < 140; ++x) {
        seen += grey(shown, x, 100) < 200;
    }
    EXPECT_GT(seen, 8) << "and a layer's label lies above its own shapes";
}

TEST_F(RendererTest, ClippedToTheArea) {
    Scene s = empty();
    s.area = {40, 30, 100, 120};
    s.camera.centre = {50, 60};
    s[LayerId::floor].shapes = {shape(ShapeKind::round_box, {{50, 60}, {500, 500}})};
    auto image = offscreen::paint(*stage_, 200, 200, 1, black, 1,
                                  [&s] { renderer::draw(ImGui::GetBackgroundDrawList(), s, 1, 1); });
    ASSERT_TRUE(image.has_value());
    EXPECT_EQ(covered(*image), 100 * 120);
    EXPECT_EQ(grey(*image, 40, 30), 255);
    EXPECT_EQ(grey(*image, 39, 30), 0);
    EXPECT_EQ(grey(*image, 139, 149), 255);
    EXPECT_EQ(grey(*image, 140, 149), 0);
}

// Of a large opaque box the middle is painted apart from its frame: no seam, no pixel too many.
TEST_F(RendererTest, LargeBoxesAreWholeAndKeepToTheirClip) {
    Shape box = shape(ShapeKind::round_box, {{100.3f, 100.6f}, {80, 70}}, 12);
    box.fill = white;
    const double corners = (4 - pi) * 12 * 12;
    EXPECT_NEAR(covered(box), 160 * 140 - corners, 3);
    box.line = 0xff808080;
    box.line_width = 2;
    Scene s = empty();
    s[LayerId::floor].shapes.push_back(box);
    const Image outlined = draw(s);
    for (int y = 34; y < 168; ++y)
        ASSERT_EQ(grey(outlined, 100, y), 255) << y;
    for (int x = 24; x < 177; ++x)
        ASSERT_EQ(grey(outlined, x, 100), 255) << x;
    EXPECT_NEAR(grey(outlined, 20, 100), 128, 30);

    const auto image = offscreen::paint(*stage_, 200, 200, 1, black, 1, [&box] {
        ImDrawList* list = ImGui::GetBackgroundDrawList();
        list->PushClipRect(ImVec2(90, 0), ImVec2(110, 200));
        renderer::draw_shapes(list, {box}, 1, 1);
        list->PopClipRect();
        list->AddRectFilled(ImVec2(95, 95), ImVec2(105, 105), black);
    });
    ASSERT_TRUE(image.has_value());
    EXPECT_EQ(grey(*image, 89, 100), 0);
    EXPECT_EQ(grey(*image, 90, 100), 255);
    EXPECT_EQ(grey(*image, 109, 100), 255);
    EXPECT_EQ(grey(*image, 110, 100), 0);
    EXPECT_EQ(grey(*image, 100, 100), 0);
}

// Programs are joined and changed as it is cheapest; the picture is the one of the draw order all the same.
TEST_F(RendererTest, DrawOrderHoldsAcrossPrograms) {
    Scene s = empty();
    for (int i = 0; i < 40; ++i) {
        Shape under = shape(ShapeKind::round_box, {{20.0f + 4 * float(i), 100}, {30, 30}}, 5);
        under.fill = black;
        if (i % 3 == 0) {
            under.hatch = 1;
            under.hatch_color = black;
        }
        Shape over = shape(ShapeKind::disc, {{20.0f + 4 * float(i), 100}, {2, 0}});
        over.fill = white;
        s[LayerId::floor].shapes.push_back(over);
        s[LayerId::floor].shapes.push_back(under);
    }
    EXPECT_LT(covered(draw(s)), 0.5);
    Shape last = shape(ShapeKind::disc, {{100, 100}, {10, 0}});
    last.fill = white;
    s[LayerId::floor].shapes.push_back(last);
    EXPECT_NEAR(covered(draw(s)), pi * 100, 2);
}

TEST_F(RendererTest, CameraMovesAndScales) {
    Scene s = empty();
    s.camera = {.zoom = 2, .centre = {30, 30}};
    s[LayerId::floor].shapes = {shape(ShapeKind::round_box, {{30, 30}, {10, 5}})};
    const Image image = draw(s);
    EXPECT_EQ(covered(image), 40 * 20);
    EXPECT_EQ(grey(image, 80, 90), 255);
    EXPECT_EQ(grey(image, 79, 90), 0);
}

TEST_F(RendererTest, ScreenWidthLinesDoNotGrow) {
    Scene s = empty();
    s.camera.zoom = 4;
    Shape line = shape(ShapeKind::capsule, {{90, 100}, {110, 100}}, 1);
    line.screen_width = 1;
    s[LayerId::floor].shapes = {line};
    EXPECT_NEAR(covered(draw(s)), 80 * 2 + pi, 3);
    line.screen_width = 0;
    s[LayerId::floor].shapes = {line};
    EXPECT_NEAR(covered(draw(s)), 80 * 8 + 16 * pi, 6);
}

TEST_F(RendererTest, TwiceTheScaleIsFourTimesTheArea) {
    Scene s = empty();
    s[LayerId::floor].shapes = {shape(ShapeKind::ribbon, {{20, 40}, {100, 180}, {180, 40}}, 2),
                                shape(ShapeKind::disc, {{100, 50}, {20, 0}})};
    s[LayerId::labels].labels = {{.at = {100, 160}, .text = "max(648, 948)", .size = 14}};
    EXPECT_NEAR(covered(draw(s, 2)) / covered(draw(s, 1)), 4, 0.08);
    EXPECT_NEAR(covered(draw(s, 1.5f)) / covered(draw(s, 1)), 2.25, 0.06);
}

TEST_F(RendererTest, LabelsStandWhereTheyAreAsked) {
    for (const float size : {10.0f, 10.5f, 14.5f, 21.0f, 46.0f}) {
        for (const scene::Font font : {scene::Font::regular, scene::Font::mono}) {
            for (const scene::Align align : {scene::Align::left, scene::Align::centre, scene::Align::right}) {
                Scene s = empty(400, 100);
                s[LayerId::labels].labels = {
                    {.at = {200, 50}, .text = "HEH", .size = size, .font = font, .align = align}};
                const Image image = draw(s);
                int x0 = 400, x1 = -1, y0 = 100, y1 = -1;
                for (int y = 0; y < 100; ++y) {
                    for (int x = 0; x < 400; ++x) {
                        if (grey(image, x, y) > 100) {
                            x0 = std::min(x0, x), x1 = std::max(x1, x + 1), y0 = std::min(y0, y),
                            y1 = std::max(y1, y + 1);
                        }
                    }
                }
                ASSERT_GT(x1, x0);
                EXPECT_NEAR(0.5 * (y0 + y1), 50, 1.01) << size << ": capitals are centred";
                const double reach = align == scene::Align::centre ? 0.5 * (x0 + x1)
                                     : align == scene::Align::left ? x0
                                                                   : x1;
                EXPECT_NEAR(reach, 200, align == scene::Align::centre ? 1.1 : 1.5 + 0.12 * size) << size;
                if (renderer::fonts_embedded()) {
                    EXPECT_NEAR(y1 - y0, 0.73 * size, 1.01) << size << ": sizes are em sizes";
                }
            }
        }
    }
}

// The text of a size stays sharp at any scale: its stems reach full ink.
TEST_F(RendererTest, TextIsCrispAtEveryScale) {
    for (float scale : {1.0f, 1.1f, 1.25f, 1.5f, 1.75f, 2.0f, 3.0f}) {
        Scene s = empty(200, 60);
        s[LayerId::labels].labels = {
            {.at = {100, 30}, .text = "HHHHHH", .size = 16, .font = scene::Font::semibold}};
        const Image image = draw(s, scale);
        int brightest = 0;
        for (int y = 0; y < image.height; ++y) {
            for (int x = 0; x < image.width; ++x) {
                brightest = std::max(brightest, grey(image, x, y));
            }
        }
        EXPECT_GT(brightest, 250) << scale;
        // The top edge of a capital takes one row, not two: from dark to bright at once.
        int rows = 0;
        for (int y = 1; y < image.height; ++y) {
            int most = 0;
            for (int x = 0; x < image.width; ++x) {
                most = std::max(most, grey(image, x, y));
            }
            rows += most > 20 && most < 235;
        }
        EXPECT_LE(rows, 3) << scale;
    }
}

TEST_F(RendererTest, EveryShaderCompiles) {
    auto image = offscreen::paint(*stage_, 10, 10, 1, black, 1, [] {});
    ASSERT_TRUE(image.has_value());
    EXPECT_EQ(renderer::init_all(), "");
}

TEST_F(RendererTest, SizesThatCannotBeDrawnAreRefused) {
    for (const auto& [w, h] : {std::pair{0, 10}, {10, 0}, {-1, 10}, {100000, 10}}) {
        const auto image = offscreen::paint(*stage_, w, h, 1, black, 1, [] {});
        ASSERT_FALSE(image.has_value());
        EXPECT_EQ(image.error().status, ExitStatus::usage);
    }
    for (const auto& [w, h] : {std::pair{1, 1}, {3, 700}, {5000, 2}}) {
        const auto image = offscreen::paint(*stage_, w, h, 1, white, 1, [] {});
        ASSERT_TRUE(image.has_value());
        EXPECT_EQ(image->width, w);
        EXPECT_EQ(image->height, h);
        EXPECT_EQ(covered(*image), double(w) * h);
    }
}

// The same scene twice gives the same picture, whatever was drawn between: but for rounding, a pixel does not
// depend on the place that a glyph got in the texture.
TEST_F(RendererTest, DrawingIsReproducible) {
    const Scene dark = testing::sheet(scene::theme(ThemeId::dark)),
                light = testing::sheet(scene::theme(ThemeId::light));
    const Image first = draw(dark);
    draw(light, 1.7f);
    const Image again = draw(dark);
    int worst = 0, count = 0;
    for (std::size_t i = 0; i < again.rgba.size(); ++i) {
        const int d = std::abs(int(again.rgba[i]) - int(first.rgba[i]));
        worst = std::max(worst, d);
        count += d > 0;
    }
    EXPECT_LE(worst, 1);
    EXPECT_LE(count, 8);
}

TEST_F(RendererTest, SheetDark) {
    auto image = offscreen::render(*stage_, testing::sheet(scene::theme(ThemeId::dark)),
                                   scene::theme(ThemeId::dark).background);
    ASSERT_TRUE(image.has_value());
    testing::expect_approved("sheet_dark", *image);
}

TEST_F(RendererTest, SheetLightAtAnotherScale) {
    auto image = offscreen::render(*stage_, testing::sheet(scene::theme(ThemeId::light)),
                                   scene::theme(ThemeId::light).background, 1.5f);
    ASSERT_TRUE(image.has_value());
    testing::expect_approved("sheet_light_150", *image);
}

// The comparison notices what must not go missing: a length of rope, one ticket, one number.
TEST_F(RendererTest, ComparisonNoticesWhatIsMissing) {
    const scene::Theme& theme = scene::theme(ThemeId::dark);
    const auto picture = [&theme](const Scene& s) {
        auto image = offscreen::render(*stage_, s, theme.background);
        EXPECT_TRUE(image.has_value());
        return *image;
    };
    const Scene whole = testing::sheet(theme);
    const Image approved = picture(whole);
    Scene no_rope = whole;
    no_rope[LayerId::rope].shapes.erase(no_rope[LayerId::rope].shapes.begin());
    EXPECT_FALSE(testing::difference(approved, picture(no_rope)).alike());
    Scene no_ticket = whole;
    no_ticket[LayerId::tickets].shapes.pop_back();
    EXPECT_FALSE(testing::difference(approved, picture(no_ticket)).alike());
    for (std::size_t i = 0; i < whole[LayerId::boxes].labels.size(); ++i) {
        const std::string& text = whole[LayerId::boxes].labels[i].text;
        if (text.size() < 3) {
            continue;
        }
        Scene no_number = whole;
        no_number[LayerId::boxes].labels.erase(no_number[LayerId::boxes].labels.begin() + std::ptrdiff_t(i));
        EXPECT_FALSE(testing::difference(approved, picture(no_number)).alike()) << text;
    }
}

}  // namespace
}  // namespace auditorium
