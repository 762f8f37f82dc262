// What has to be read can be read: numbers on the board in every kernel's sums, signs and crowns clear of
// digits, and lines that end where they belong.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "app/panels/layout.h"
#include "app/scene/metrics.h"
#include "tests/scene/runs.h"

namespace auditorium::test {
namespace {

using playback::BeatKind;
using scene::Label;
using scene::LayerId;
using scene::Numeral;
using scene::Point;
using scene::Rect;
using scene::Scene;
using scene::Shape;
using scene::ShapeKind;
using scene::Target;

struct Window {
    int width, height;
    bool presenter;
};

constexpr Window windows[] = {{1280, 720, false}, {1600, 900, false}, {1920, 1080, false},
                              {1280, 720, true},  {1600, 900, true},  {1280, 860, false}};

View view_of(const Window& window) {
    View view;
    view.width = window.width;
    view.height = window.height;
    view.presenter = window.presenter;
    view.theme = window.presenter ? ThemeId::light : ThemeId::dark;
    return view;
}

Scene at(const Played& run, double time, const Window& window) {
    const View view = view_of(window);
    return build(run, time, view, panels::layout(view, 4).scene);
}

std::string name_of(const Window& window) {
    return std::to_string(window.width) + "x" + std::to_string(window.height) +
           (window.presenter ? " presenter" : "");
}

// As high as its digits are: JetBrains Mono is drawn a little larger than its size says.
Rect ink_of(const Label& label) {
    const float w = scene::text_width(label.font, label.size, label.text), h = label.size * 0.8f;
    const float x = label.align == scene::Align::left     ? label.at.x
                    : label.align == scene::Align::centre ? label.at.x - w / 2
                                                          : label.at.x - w;
    return {x + 0.5f, label.at.y - h / 2, w - 1, h};
}

bool over(const Rect& a, const Rect& b) {
    return a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;
}

Rect around(const Shape& polygon) {
    float x0 = 1e9f, y0 = 1e9f, x1 = -1e9f, y1 = -1e9f;
    for (int i = 0; i < polygon.points; ++i) {
        x0 = std::min(x0, polygon.p[std::size_t(i)].x);
        x1 = std::max(x1, polygon.p[std::size_t(i)].x);
        y0 = std::min(y0, polygon.p[std::size_t(i)].y);
        y1 = std::max(y1, polygon.p[std::size_t(i)].y);
    }
    return {x0, y0, x1 - x0, y1 - y0};
}

std::string text_of(const Numeral& n) {
    std::string out = n.negative ? "-" : "";
    for (int i = 0; i < n.length; ++i) {
        if (i == n.before_point)
            out += '.';
        out += n.digit[std::size_t(i)];
    }
    return out;
}

TEST(Numerals, ThreeDigitsInAUnit) {
    const auto text = [](double value, int power, int digits = 3) {
        return text_of(scene::numeral_of(value, power, digits));
    };
    EXPECT_EQ(text(1242, 1), "1.24");
    EXPECT_EQ(text(571, 1), ".571");
    EXPECT_EQ(text(7, 1), ".007");
    EXPECT_EQ(text(0, 1), "0");
    EXPECT_EQ(text(-1242, 1), "-1.24");
    EXPECT_EQ(text(12849, 1), "12.8");
    EXPECT_EQ(text(129139, 1), "129");
    EXPECT_EQ(text(999.6, 1), "1.00");
    EXPECT_EQ(text(9996, 1), "10.0");
    EXPECT_EQ(text(99960, 1), "100");
    EXPECT_EQ(text(0.25, 0), ".250");
    EXPECT_EQ(text(12, 0), "12");  // a whole number of ones is exact
    EXPECT_EQ(text(1242, 1, 2), "1.2");
    EXPECT_EQ(text(996, 1, 2), "1.0");
    EXPECT_EQ(text(94, 1, 2), ".09");
    EXPECT_EQ(text(12849, 1, 2), "13");
    EXPECT_EQ(text(129139, 1, 2), "129");
    EXPECT_EQ(scene::unit_of(999), 0);
    EXPECT_EQ(scene::unit_of(999.6), 1);
    EXPECT_EQ(scene::unit_of(129139), 1);
    EXPECT_EQ(scene::unit_of(2e9), 3);
    EXPECT_EQ(scene::unit_of(0.02), -1);
    EXPECT_EQ(scene::unit_of(0), 0);
    // Rounded, not cut: nowhere more than half a unit of the last digit away, and never a fourth digit.
    for (const int digits : {2, 3})
        for (double value = 0; value < 999499; value = value * 1.013 + 0.7) {
            const std::string shown = text(value, 1, digits);
            const std::size_t point = shown.find('.');
            const double unit =
                point == std::string::npos ? 1000 : 1000 * std::pow(10.0, -double(shown.size() - 1 - point));
            EXPECT_LE(std::abs(std::stod(shown) * 1000 - value), unit / 2 + 1e-6) << value << ' ' << shown;
            EXPECT_LE(shown.size(), 4u) << value;
        }
}

// Sums of up to 8 rows are numbers in the three windows of the style sheet, all of one kind, and the title
// says their unit.
TEST(Numerals, SumsAreNumbersOnTheWholeBoard) {
    for (const char* kernel : {"contiguous_warp", "contiguous_full", "interleaved_divergent",
                               "interleaved_strided", "contiguous_any", "missing_barrier"}) {
        for (const int block : {64, 256}) {
            const Played r = run(kernel, block, trace::Op::sum);
            for (const Window& window : windows)
                for (int step = 1; step <= int(r.trace.steps.size()); ++step) {
                    const Scene s = at(r, playback::end_of_step(r.timeline, step), window);
                    const std::string where = std::string(kernel) + " " + std::to_string(block) + " " +
                                              name_of(window) + " step " + std::to_string(step);
                    // Every box that is as high as a number has one.
                    int high = 0, numbered = 0;
                    for (const Target& target : s.targets) {
                        if (target.kind != Target::Kind::box || target.area.h < 16)
                            continue;
                        ++high;
                        numbered += std::any_of(
                            s[LayerId::boxes].labels.begin(), s[LayerId::boxes].labels.end(),
                            [&](const Label& label) {
                                const Rect ink = ink_of(label);
                                return target.area.contains({ink.x + ink.w / 2, ink.y + ink.h / 2});
                            });
                    }
                    EXPECT_EQ(numbered, high) << where;
                    // Digits alone need a unit; "12.8k" has its own.
                    double largest = 0;
                    for (const std::uint32_t bits : r.trace.steps[std::size_t(step) - 1].boxes)
                        largest = std::max(largest, std::abs(scene::as_double(bits, r.trace.config.type)));
                    const bool said = std::any_of(
                        s[LayerId::board].labels.begin(), s[LayerId::board].labels.end(),
                        [](const Label& label) { return label.text.ends_with("numbers in thousands"); });
                    const bool own_unit =
                        std::any_of(s[LayerId::boxes].labels.begin(), s[LayerId::boxes].labels.end(),
                                    [](const Label& label) { return label.text.size() > 3; });
                    if (largest >= 1000) {
                        EXPECT_NE(said, own_unit) << where;
                    }
                    for (const Label& label : s[LayerId::boxes].labels)
                        EXPECT_GE(label.size, 10) << where;
                }
        }
    }
}

// A unit is not said of a board that has only bars.
TEST(Numerals, NoUnitWithoutANumber) {
    for (const int block : {256, 512, 1024}) {
        const Played r = run("interleaved_divergent", block, trace::Op::sum);
        for (const Window& window : windows)
            for (int step = 1; step <= int(r.trace.steps.size()); ++step) {
                const Scene s = at(r, playback::end_of_step(r.timeline, step), window);
                const bool said = std::any_of(
                    s[LayerId::board].labels.begin(), s[LayerId::board].labels.end(),
                    [](const Label& label) { return label.text.find("numbers in") != std::string::npos; });
                EXPECT_TRUE(!said || !s[LayerId::boxes].labels.empty())
                    << block << ' ' << name_of(window) << " step " << step;
            }
    }
}

// Tickets take room while a bank has a queue, and give it back to the hall when all wait: the people are as
// large then as after a step without queues.
TEST(Tickets, GiveTheirRoomBack) {
    const Played strided = run("interleaved_strided", 256), plain = run("contiguous_full", 256);
    for (const Window& window : windows) {
        const auto spread = [&](const Played& r, double time) {
            float low = 1e9f, high = 0;
            for (const Target& t : at(r, time, window).targets)
                if (t.kind == Target::Kind::seat) {
                    low = std::min(low, t.area.y);
                    high = std::max(high, t.area.y + t.area.h);
                }
            return high - low;
        };
        for (const int step : {3, 4, 5, 6}) {
            const float rest = spread(strided, playback::end_of_step(strided.timeline, step));
            EXPECT_NEAR(rest, spread(plain, playback::end_of_step(plain.timeline, step)), 1)
                << name_of(window) << " step " << step;
        }
        // Without a jump: no seat moves far from one fiftieth of a second to the next.
        const playback::Span &span = strided.timeline.spans[4], &next = strided.timeline.spans[5];
        float before = spread(strided, span.begin);
        for (double time = span.begin; time < next.begin + 0.6; time += 0.02) {
            const float now = spread(strided, time);
            EXPECT_LT(std::abs(now - before), 75) << name_of(window) << " at " << time;
            before = now;
        }
    }
}

// The numbers do not change their form while a step runs.
TEST(Numerals, OneKindThroughoutAStep) {
    const Played r = run("contiguous_warp", 256, trace::Op::sum);
    for (const Window& window : windows)
        for (const playback::Span& span : r.timeline.spans) {
            float size = 0;
            for (double part = 0.02; part < 1; part += 0.07) {
                const Scene s = at(r, span.begin + part * (span.end - span.begin), window);
                for (const Label& label : s[LayerId::boxes].labels) {
                    if (label.text == "?")
                        continue;
                    if (size == 0)
                        size = label.size;
                    EXPECT_EQ(label.size, size) << name_of(window) << ' ' << &span - r.timeline.spans.data();
                }
            }
        }
}

// The "!" of a race and the crown lie on no number of a box, and on no bank's number.
TEST(Signs, AreClearOfNumbers) {
    for (const auto& [kernel, block] : {std::pair{"missing_barrier", 256},
                                        {"missing_barrier", 64},
                                        {"back_to_back", 256},
                                        {"back_to_back", 32},
                                        {"missing_syncwarp", 256},
                                        {"divergent_barrier", 256},
                                        {"contiguous_warp", 256},
                                        {"one_barrier", 256},
                                        {"missing_barrier", 512}}) {
        for (const trace::Op op : {trace::Op::max, trace::Op::sum}) {
            const Played r = run(kernel, block, op);
            int signs = 0, crowns = 0;
            for (const Window& window : windows)
                for (int step = 1; step <= int(r.trace.steps.size()); ++step) {
                    const Scene s = at(r, playback::end_of_step(r.timeline, step), window);
                    const scene::Theme theme = scene::theme(view_of(window).theme);
                    for (const Shape& shape : s[LayerId::rays].shapes) {
                        if (shape.kind != ShapeKind::polygon || shape.points != 3 ||
                            (shape.fill != theme.board_hazard && shape.fill != theme.board_champion))
                            continue;
                        (shape.fill == theme.board_hazard ? signs : crowns) += 1;
                        const Rect sign = around(shape);
                        for (const LayerId id : {LayerId::boxes, LayerId::board})
                            for (const Label& label : s[id].labels)
                                EXPECT_FALSE(over(sign, ink_of(label)))
                                    << kernel << ' ' << block << ' ' << name_of(window) << " step " << step
                                    << ": on " << label.text;
                    }
                }
            const bool racy = !r.trace.racy ? false : true;
            EXPECT_EQ(signs > 0, racy) << kernel << ' ' << block;
            if (std::string(kernel) == "contiguous_warp") {
                EXPECT_GT(crowns, 0);
            }
        }
    }
}

// A ray ends at its researcher: at the hand, or on the line above the row's heads that stands for all of
// them.
TEST(RayEnds, AreAtTheirPeople) {
    for (const kernels::Kernel& kernel : kernels::all())
        for (const int block : {kernel.correct ? 32 : kernel.clinic_block, 256, 1024}) {
            if (!kernels::why_not(kernel, block).empty() && block != kernel.clinic_block)
                continue;
            const Played r = run(std::string(kernel.id), block);
            for (const Window& window : windows)
                for (const playback::Span& span : r.timeline.spans)
                    for (const playback::Beat& beat : span.beats) {
                        const Scene s = at(r, beat.begin + 0.9 * beat.seconds(), window);
                        for (const scene::RayTarget& ray : s.rays) {
                            const auto seat =
                                std::find_if(s.targets.begin(), s.targets.end(), [&](const Target& t) {
                                    return t.kind == Target::Kind::seat && t.index == ray.thread;
                                });
                            if (seat == s.targets.end())
                                continue;
                            const Rect& a = seat->area;
                            const float reach = 0.7f * a.w + 5;
                            EXPECT_LT(std::abs(ray.hand.x - a.x - a.w / 2), reach)
                                << kernel.id << ' ' << block << ' ' << name_of(window) << ", thread "
                                << ray.thread << " at " << beat.begin;
                        }
                    }
        }
}

// Where one word goes to a whole row, its line meets the row's: no gap between the two.
TEST(RayEnds, ASharedLineMeetsItsRow) {
    for (const int block : {32, 64, 256, 512}) {
        const Played r = run("contiguous_any", block);
        const int last = int(r.trace.steps.size());
        ASSERT_EQ(r.trace.steps[std::size_t(last) - 1].kind, trace::StepKind::broadcast);
        for (const Window& window : windows) {
            const Scene s = at(r, playback::end_of_step(r.timeline, last), window);
            ASSERT_EQ(s.rays.size(), std::size_t(block / 32)) << name_of(window);
            for (const scene::RayTarget& ray : s.rays) {
                // Ends of strokes near the entry: the trunk's, and two of the row's line on its sides.
                bool trunk = false, on_line = false;
                for (const Shape& shape : s[LayerId::rays].shapes) {
                    if (shape.kind != ShapeKind::capsule)
                        continue;
                    const Point a = shape.p[0], b = shape.p[1];
                    const auto near = [&](Point p) {
                        return std::hypot(p.x - ray.hand.x, p.y - ray.hand.y) < 1;
                    };
                    if (near(b) && a.y < b.y - 3)
                        trunk = true;
                    const float t = b.x > a.x ? (ray.hand.x - a.x) / (b.x - a.x) : -1;
                    if (t > -0.02f && t < 1.02f && std::abs(a.y + t * (b.y - a.y) - ray.hand.y) < 2 &&
                        b.x - a.x > 5)
                        on_line = true;
                }
                EXPECT_TRUE(trunk) << block << ' ' << name_of(window) << ' ' << ray.thread;
                EXPECT_TRUE(on_line) << block << ' ' << name_of(window) << ' ' << ray.thread;
            }
        }
    }
}

// At the table a note with a number lies on no value, not square on another note, and moves without a jump.
TEST(Notes, AtTheTableKeepApartFromEachOtherAndFromTheValues) {
    for (const char* kernel : {"contiguous_warp", "contiguous_any", "zero_identity"}) {
        for (const trace::Op op : {trace::Op::max, trace::Op::sum}) {
            const Played r = run(kernel, 256, op);
            for (const Window& window : windows)
                for (const playback::Span& span : r.timeline.spans)
                    for (const playback::Beat& beat : span.beats) {
                        if (beat.kind != BeatKind::note || !span.table_at_begin)
                            continue;
                        std::array<Point, 32> before{};
                        std::array<bool, 32> known{};
                        for (double time = beat.begin + 0.005; time < beat.end; time += 0.01) {
                            const Scene s = at(r, time, window);
                            const std::string where =
                                std::string(kernel) + " " + name_of(window) + " at " + std::to_string(time);
                            std::vector<Rect> notes;
                            for (const Label& label : s[LayerId::notes].labels)
                                notes.push_back(ink_of(label));
                            for (std::size_t a = 0; a < notes.size(); ++a) {
                                // Their papers may touch while they pass.
                                for (std::size_t b = a + 1; b < notes.size() && !window.presenter; ++b)
                                    EXPECT_GT(std::max(std::abs(notes[a].x - notes[b].x) / notes[a].w,
                                                       std::abs(notes[a].y - notes[b].y) / notes[a].h),
                                              0.55f)
                                        << where;
                                for (const Label& value : s[LayerId::people].labels)
                                    if (value.font == scene::Font::mono) {
                                        EXPECT_FALSE(over(notes[a], ink_of(value))) << where << value.text;
                                    }
                            }
                            for (const Target& t : s.targets) {
                                if (t.kind != Target::Kind::note)
                                    continue;
                                const auto lane = std::size_t(t.index);
                                const Point now{t.area.x + t.area.w / 2, t.area.y + t.area.h / 2};
                                if (known[lane]) {
                                    EXPECT_LT(std::hypot(now.x - before[lane].x, now.y - before[lane].y), 40)
                                        << where << " lane " << lane;
                                }
                                before[lane] = now;
                                known[lane] = true;
                            }
                        }
                    }
        }
    }
}

}  // namespace
}  // namespace auditorium::test
