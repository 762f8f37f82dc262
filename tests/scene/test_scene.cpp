// What a scene must show, for every kernel, many sizes and many moments; compared with the trace itself, not
// with what the scene has worked out.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdio>
#include <map>
#include <set>

#include "app/scene/metrics.h"
#include "app/scene/pick.h"
#include "tests/scene/runs.h"

namespace auditorium::test {
namespace {

using playback::Beat;
using playback::BeatKind;
using scene::Label;
using scene::LayerId;
using scene::Point;
using scene::Rect;
using scene::Scene;
using scene::Shape;
using scene::ShapeKind;
using scene::Target;
using trace::Event;
using trace::EventKind;
using trace::StepKind;

const Rect middle_area = areas()[1];

Rect box_of(const Label& label) {
    const float w = scene::text_width(label.font, label.size, label.text), h = label.size * 0.73f;
    const float x = label.align == scene::Align::left     ? label.at.x
                    : label.align == scene::Align::centre ? label.at.x - w / 2
                                                          : label.at.x - w;
    return {x, label.at.y - h / 2, w, h};
}

bool overlap(const Rect& a, const Rect& b, float slack) {
    return a.x + slack < b.x + b.w && b.x + slack < a.x + a.w && a.y + slack < b.y + b.h &&
           b.y + slack < a.y + a.h;
}

std::string at_time(const Case& c, const Played& run, double time) {
    const playback::Moment m = playback::moment_at(run.timeline, time);
    char text[120];
    std::snprintf(text, sizeof text, "%s at %d, span %d beat %d, %.3f s", c.kernel.c_str(), c.block, m.span,
                  m.beat, time);
    return text;
}

// The first number, a NaN or an infinity that a scene holds; "" for none.
std::string first_bad_number(const Scene& s) {
    for (std::size_t l = 0; l < s.layers.size(); ++l) {
        for (const Shape& shape : s.layers[l].shapes) {
            bool good = std::isfinite(shape.radius) && std::isfinite(shape.rotation) &&
                        std::isfinite(shape.line_width);
            for (const Point& p : shape.p)
                good &= std::isfinite(p.x) && std::isfinite(p.y);
            if (shape.kind == ShapeKind::round_box)
                good &= shape.p[1].x >= 0 && shape.p[1].y >= 0;
            if (!good)
                return "shape in layer " + std::to_string(l);
        }
        for (const Label& label : s.layers[l].labels)
            if (!std::isfinite(label.at.x) || !std::isfinite(label.at.y) || !(label.size > 0))
                return "label " + label.text;
    }
    for (const Target& target : s.targets)
        if (!std::isfinite(target.area.x + target.area.y + target.area.w + target.area.h))
            return "target";
    return {};
}

std::string first_outside(const Scene& s) {
    for (const scene::Layer& layer : s.layers)
        for (const Label& label : layer.labels) {
            const Rect r = box_of(label);
            if (r.x < -0.5f || r.y < -0.5f || r.x + r.w > s.area.w + 0.5f || r.y + r.h > s.area.h + 0.5f)
                return label.text;
        }
    return {};
}

// Two labels of the layers that stand still which lie on each other. (Notes travel over numbers; the callout
// may cover what is behind it.)
std::string first_overlap(const Scene& s) {
    std::vector<std::pair<Rect, const Label*>> all;
    for (const LayerId id :
         {LayerId::board, LayerId::boxes, LayerId::people, LayerId::tickets, LayerId::labels})
        for (const Label& label : s[id].labels)
            if ((label.color >> 24) > 40)
                all.push_back({box_of(label), &label});
    std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.first.y < b.first.y; });
    for (std::size_t i = 0; i < all.size(); ++i)
        for (std::size_t j = i + 1; j < all.size() && all[j].first.y < all[i].first.y + all[i].first.h; ++j)
            if (overlap(all[i].first, all[j].first, 0.6f))
                return '"' + all[i].second->text + "\" on \"" + all[j].second->text + '"';
    return {};
}

class Kernels : public ::testing::TestWithParam<Case> {
  protected:
    Played run_ = run(GetParam().kernel, GetParam().block);
    View view_;
};

TEST_P(Kernels, NothingIsNanAndLabelsKeepInsideAndApart) {
    for (const double time : moments(run_.timeline)) {
        const Scene s = build(run_, time, view_, middle_area);
        ASSERT_EQ(first_bad_number(s), "") << at_time(GetParam(), run_, time);
        ASSERT_EQ(first_outside(s), "") << at_time(GetParam(), run_, time);
        const BeatKind kind = run_.timeline.spans[playback::moment_at(run_.timeline, time).span]
                                  .beats[playback::moment_at(run_.timeline, time).beat]
                                  .kind;
        if (kind != BeatKind::walk) {  // everything moves then
            ASSERT_EQ(first_overlap(s), "") << at_time(GetParam(), run_, time);
        }
    }
}

TEST_P(Kernels, OtherWindowsToo) {
    View presenter = view_;
    presenter.presenter = true;
    presenter.theme = ThemeId::light;
    for (int number = 0; number <= run_.timeline.last_span(); ++number) {
        const double time = playback::end_of_step(run_.timeline, number);
        for (const Rect& area : {areas()[0], areas()[2], Rect{300, 44, 812, 628}, Rect{0, 0, 960, 520}}) {
            const Scene s = build(run_, time, view_, area);
            ASSERT_EQ(first_bad_number(s), "") << at_time(GetParam(), run_, time);
            ASSERT_EQ(first_outside(s), "") << at_time(GetParam(), run_, time) << " width " << area.w;
            ASSERT_EQ(first_overlap(s), "") << at_time(GetParam(), run_, time) << " width " << area.w;
        }
        for (const Rect& area : {Rect{0, 0, 1600, 722}, Rect{0, 0, 1280, 578}, Rect{0, 0, 1920, 866}}) {
            const Scene s = build(run_, time, presenter, area);
            ASSERT_EQ(first_outside(s), "") << at_time(GetParam(), run_, time) << " presenter " << area.w;
            ASSERT_EQ(first_overlap(s), "") << at_time(GetParam(), run_, time) << " presenter " << area.w;
        }
    }
}

TEST_P(Kernels, NothingIsWrittenTooSmall) {
    View presenter = view_;
    presenter.presenter = true;
    for (int number = 0; number <= run_.timeline.last_span(); ++number) {
        const playback::Span& span = run_.timeline.spans[number];
        const double time = span.beats.front().begin + span.beats.front().seconds() / 2;
        for (const scene::Layer& layer : build(run_, time, view_, areas()[0]).layers)
            for (const Label& label : layer.labels)
                ASSERT_GE(label.size, 9.8f) << label.text << " " << at_time(GetParam(), run_, time);
        for (const scene::Layer& layer : build(run_, time, presenter, {0, 0, 1600, 722}).layers)
            for (const Label& label : layer.labels)
                ASSERT_GE(label.size, 13.8f) << label.text << " " << at_time(GetParam(), run_, time);
    }
}

// Seeking to a moment shows what playing to it shows, also when one scene is filled again and again.
TEST_P(Kernels, SeekingEqualsPlaying) {
    Scene reused;
    playback::Playback playback;
    playback.playing = true;
    const double frame = std::max(0.0371, run_.timeline.duration / 160);
    while (playback.playing) {
        playback::advance(playback, run_.timeline, frame);
        const playback::Moment moment = playback::moment_at(run_.timeline, playback.time);
        scene::build_into(reused, run_.trace, run_.analysis, run_.timeline, run_.prepared, moment, view_,
                          scene::theme(view_.theme), middle_area);
        ASSERT_TRUE(same(reused, build(run_, playback.time, view_, middle_area)))
            << at_time(GetParam(), run_, playback.time);
    }
    const double there = run_.timeline.duration * 0.4;
    const Scene whole =
        scene::build(run_.trace, run_.analysis, run_.timeline, playback::moment_at(run_.timeline, there),
                     view_, scene::theme(view_.theme), middle_area);
    EXPECT_TRUE(same(whole, build(run_, there, view_, middle_area)));
}

// Where a number stands in a box at a step's end, it is the trace's.
TEST_P(Kernels, NumbersOnTheBoardAreTheTraces) {
    for (int s = 0; s < int(run_.trace.steps.size()); ++s) {
        const trace::Step& step = run_.trace.steps[s];
        const Scene scene = build(run_, run_.timeline.spans[s + 1].end, view_, middle_area);
        std::vector<const Target*> boxes;
        for (const Target& target : scene.targets)
            if (target.kind == Target::Kind::box)
                boxes.push_back(&target);
        ASSERT_EQ(int(boxes.size()), run_.trace.config.block);
        // In a unit of the whole board a number is two labels with a narrow point between them.
        const bool unit = std::any_of(
            scene[LayerId::board].labels.begin(), scene[LayerId::board].labels.end(),
            [](const Label& label) { return label.text.find("numbers in thousands") != std::string::npos; });
        std::map<int, std::string> digits;
        for (const Label& label : scene[LayerId::boxes].labels) {
            for (const Target* target : boxes) {
                if (!target->area.contains(label.at))
                    continue;
                if (unit && step.box_state[target->index] == trace::box_defined) {
                    digits[target->index] += label.text;
                    continue;
                }
                const std::string expected =
                    step.box_state[target->index] == trace::box_defined
                        ? std::string(
                              scene::short_number(step.boxes[target->index], run_.trace.config.type).view())
                        : "?";
                ASSERT_EQ(label.text, expected) << "box " << target->index << " after step " << s + 1;
            }
        }
        for (const auto& [box, shown] : digits) {
            const double value = scene::as_double(step.boxes[std::size_t(box)], run_.trace.config.type);
            const scene::Numeral numeral = scene::numeral_of(value, 1, 3);
            EXPECT_EQ(shown, std::string(numeral.digit.data(), numeral.length))
                << "box " << box << " after step " << s + 1;
        }
    }
}

// The plaque's numbers, counted from the events.
TEST_P(Kernels, ThePlaqueCountsTheRowsThatWait) {
    const int rows = run_.trace.warps();
    for (int s = 0; s < int(run_.trace.steps.size()); ++s) {
        const trace::Step& step = run_.trace.steps[s];
        const playback::Span& span = run_.timeline.spans[s + 1];
        for (const Beat& beat : span.beats) {
            const Scene scene = build(run_, beat.begin + 0.9 * beat.seconds(), view_, middle_area);
            for (const Label& label : scene[LayerId::tickets].labels) {
                int barrier = 0, of = 0, some = 0, all = 0, first = 0, last = 0;
                if (std::sscanf(label.text.c_str(), "Barrier %d of %d", &barrier, &of) != 2)
                    continue;
                EXPECT_EQ(barrier, step.interval + 1) << label.text;
                EXPECT_EQ(of, run_.trace.barriers) << label.text;
                const std::size_t colon = label.text.find(": ");
                if (label.text.find("mismatch") != std::string::npos) {
                    int arrivals = 0;
                    for (const auto& events : run_.trace.events)
                        for (const Event& e : events)
                            arrivals += e.kind == EventKind::barrier_arrive && e.arg == step.interval;
                    EXPECT_LT(arrivals, run_.trace.config.block) << label.text;
                    continue;
                }
                ASSERT_NE(colon, std::string::npos) << label.text;
                const char* rest = label.text.c_str() + colon + 2;
                // Rows that wait: nothing left to do in this interval, and not at work now.
                int waiting = 0;
                for (int row = 0; row < rows; ++row) {
                    bool later = false, arrives = false;
                    for (int lane = 0; lane < 32; ++lane) {
                        const int thread = row * 32 + lane;
                        if (thread >= run_.trace.config.block)
                            continue;
                        for (int n = s; n < int(run_.trace.steps.size()); ++n)
                            later |= run_.trace.steps[n].interval == step.interval &&
                                     run_.trace.steps[n].active(thread);
                        for (const Event& e : run_.trace.events[thread])
                            arrives |= e.kind == EventKind::barrier_arrive && e.arg == step.interval;
                    }
                    waiting += !later && arrives;
                }
                if (std::sscanf(rest, "W%d\u2013W%d are waiting", &first, &last) == 2) {
                    EXPECT_EQ(last - first + 1, waiting) << label.text;
                } else if (std::sscanf(rest, "%d of %d", &some, &all) == 2) {
                    EXPECT_EQ(all, rows) << label.text;
                    EXPECT_EQ(some, label.text.find("here") != std::string::npos ? rows : waiting)
                        << label.text;
                } else {
                    EXPECT_EQ(std::string(rest), "passed");
                }
            }
        }
    }
}

// Arms, pens and hollow outlines in the hall are the lanes that the trace has at work, and those beside them.
TEST_P(Kernels, RaisedArmsAreTheLanesAtWork) {
    if (run_.trace.warps() > 8)
        GTEST_SKIP() << "more than 8 rows are drawn with fewer strokes";
    const scene::Theme& theme = scene::theme(view_.theme);
    for (int s = 0; s < int(run_.trace.steps.size()); ++s) {
        const trace::Step& step = run_.trace.steps[s];
        const playback::Span& span = run_.timeline.spans[s + 1];
        if (span.table_at_begin || span.table_at_end)
            continue;
        for (const Beat& beat : span.beats) {
            const bool load = beat.kind == BeatKind::load || beat.kind == BeatKind::broadcast;
            const bool store = beat.kind == BeatKind::store || beat.kind == BeatKind::crown;
            if ((!load && !store) || beat.wavefronts != 1)
                continue;
            int lanes = 0, off = 0;
            std::set<int> working_rows;
            for (int thread = 0; thread < run_.trace.config.block; ++thread) {
                int order = 0;
                for (std::uint32_t e = step.pieces[thread].begin; e < step.pieces[thread].end; ++e) {
                    const Event& event = run_.trace.events[thread][e];
                    if (event.kind != EventKind::load && event.kind != EventKind::store)
                        continue;
                    lanes += order == beat.order && (event.kind == EventKind::load) == load;
                    ++order;
                }
                if (step.active(thread))
                    working_rows.insert(thread / 32);
            }
            for (int thread = 0; thread < run_.trace.config.block; ++thread) {
                bool left = true;
                for (int n = s; n < int(run_.trace.steps.size()); ++n)
                    left &= !run_.trace.steps[n].active(thread);
                int passed = 0;
                for (const Event& e : run_.trace.events[thread])
                    passed += e.kind == EventKind::barrier_leave;
                left &= passed <= step.interval;
                off += !step.active(thread) && working_rows.count(thread / 32) && !left;
            }
            const Scene scene = build(run_, beat.begin + 0.95 * beat.seconds(), view_, middle_area);
            int strokes = 0, hollow = 0;
            for (const Shape& shape : scene[LayerId::people].shapes) {
                strokes += shape.kind == ShapeKind::capsule;
                // One whose value was undefined is almost there: it fades in.
                hollow += shape.kind == ShapeKind::disc && (shape.line | 0xff000000u) == theme.work &&
                          (shape.line >> 24) > 240 && shape.line_width > 0 && shape.fill == theme.background;
            }
            EXPECT_EQ(strokes, 2 * lanes)
                << at_time(GetParam(), run_, beat.end);  // two arms, or an arm and a pen
            EXPECT_EQ(hollow, off) << at_time(GetParam(), run_, beat.end);
        }
    }
}

// Tickets under a bank: as many as the different words that one warp wants from it.
TEST_P(Kernels, TicketsAreTheWavefronts) {
    for (int s = 0; s < int(run_.trace.steps.size()); ++s) {
        const trace::Step& step = run_.trace.steps[s];
        for (const Beat& beat : run_.timeline.spans[s + 1].beats) {
            const bool load = beat.kind == BeatKind::load || beat.kind == BeatKind::broadcast;
            if (beat.kind != BeatKind::load && beat.kind != BeatKind::broadcast &&
                beat.kind != BeatKind::store && beat.kind != BeatKind::crown)
                continue;
            std::map<int, int> deepest;  // per bank
            for (int warp = 0; warp < run_.trace.warps(); ++warp) {
                std::map<int, std::set<int>> words;
                for (int thread = warp * 32; thread < std::min(run_.trace.config.block, warp * 32 + 32);
                     ++thread) {
                    int order = 0;
                    for (std::uint32_t e = step.pieces[thread].begin; e < step.pieces[thread].end; ++e) {
                        const Event& event = run_.trace.events[thread][e];
                        if (event.kind != EventKind::load && event.kind != EventKind::store)
                            continue;
                        if (order++ == beat.order && (event.kind == EventKind::load) == load)
                            words[event.arg % 32].insert(event.arg);
                    }
                }
                for (const auto& [bank, boxes] : words)
                    deepest[bank] = std::max(deepest[bank], int(boxes.size()));
            }
            int worst = 1;
            for (const auto& [bank, depth] : deepest)
                worst = std::max(worst, depth);
            EXPECT_EQ(beat.wavefronts, worst) << at_time(GetParam(), run_, beat.end);
            const Scene scene = build(run_, beat.begin + 0.5 * beat.seconds(), view_, middle_area);
            std::map<int, int> shown;
            for (const Target& target : scene.targets)
                if (target.kind == Target::Kind::ticket)
                    ++shown[target.index];
            for (int bank = 0; bank < 32; ++bank) {
                const int depth = deepest.count(bank) && worst > 1 ? deepest[bank] : 0;
                if (depth <= 8) {
                    EXPECT_EQ(shown[bank], depth > 1 ? depth : 0)
                        << at_time(GetParam(), run_, beat.end) << " bank " << bank;
                } else {
                    EXPECT_GE(shown[bank], 7) << at_time(GetParam(), run_, beat.end) << " bank " << bank;
                }
            }
            if (worst == 1)
                continue;
            // Tickets hang over nobody's head.
            for (const Target& ticket : scene.targets)
                if (ticket.kind == Target::Kind::ticket)
                    for (const Target& seat : scene.targets)
                        if (seat.kind == Target::Kind::seat) {
                            ASSERT_FALSE(overlap(ticket.area, seat.area, 1))
                                << at_time(GetParam(), run_, beat.end);
                        }
            // Those who are served now raise their arms, and nobody else does.
            if (run_.trace.warps() > 8)
                continue;
            const double one = (beat.seconds() - beat.lead) / worst;
            for (int serving = 0; serving < worst; ++serving) {
                int arms = 0;
                for (int i = run_.analysis.first_request[s]; i < run_.analysis.first_request[s + 1]; ++i) {
                    const analysis::Request& request = run_.analysis.requests[i];
                    if (request.order != beat.order || (request.kind == EventKind::load) != load)
                        continue;
                    for (int lane = 0; lane < 32; ++lane)
                        arms += (request.lanes >> lane & 1) &&
                                (request.wavefronts == 1 || request.wavefront[lane] == serving);
                }
                const Scene now =
                    build(run_, beat.begin + beat.lead + (serving + 0.9) * one, view_, middle_area);
                int strokes = 0;
                for (const Shape& shape : now[LayerId::people].shapes)
                    strokes += shape.kind == ShapeKind::capsule;
                EXPECT_EQ(strokes, 2 * arms) << at_time(GetParam(), run_, beat.end) << " serving " << serving;
            }
        }
    }
}

// At the table a note leaves from the lane that gives it and arrives at the lane that takes it.
TEST_P(Kernels, NotesTravelFromLaneToLane) {
    for (int s = 0; s < int(run_.trace.steps.size()); ++s) {
        const trace::Step& step = run_.trace.steps[s];
        const playback::Span& span = run_.timeline.spans[s + 1];
        if (step.kind != StepKind::shuffle || !span.table_at_begin)
            continue;
        for (const Beat& beat : span.beats) {
            if (beat.kind != BeatKind::note)
                continue;
            for (const bool arrived : {false, true}) {
                const Scene scene = build(run_, arrived ? beat.end : beat.begin + 1e-4, view_, middle_area);
                std::map<int, Point> seat;
                for (const Target& target : scene.targets)
                    if (target.kind == Target::Kind::seat && target.index < 32 && target.area.w == 22)
                        seat[target.index] = {target.area.x + 11, target.area.y + 11};
                ASSERT_EQ(int(seat.size()), std::min(32, run_.trace.config.block));
                int notes = 0;
                for (const Target& target : scene.targets) {
                    if (target.kind != Target::Kind::note)
                        continue;
                    ++notes;
                    const Point at{target.area.x + target.area.w / 2, target.area.y + target.area.h / 2};
                    int nearest = -1;
                    float least = 1e9f;
                    for (const auto& [lane, p] : seat)
                        if (const float d = std::hypot(p.x - at.x, p.y - at.y); d < least) {
                            least = d;
                            nearest = lane;
                        }
                    int source = -1;
                    for (std::uint32_t e = step.pieces[target.index].begin; e < step.pieces[target.index].end;
                         ++e)
                        if (run_.trace.events[target.index][e].kind == EventKind::shuffle)
                            source = run_.trace.events[target.index][e].arg % 32;
                    if (seat.count(source)) {
                        EXPECT_EQ(nearest, arrived ? target.index : source)
                            << at_time(GetParam(), run_, beat.end);
                    }
                }
                // One for each lane whose result is used, or undefined.
                int expected = 0;
                for (int lane = 0; lane < std::min(32, run_.trace.config.block); ++lane)
                    for (std::uint32_t e = step.pieces[lane].begin; e < step.pieces[lane].end; ++e) {
                        const Event& event = run_.trace.events[lane][e];
                        if (event.kind != EventKind::shuffle || (event.flags & Event::no_partner))
                            continue;
                        expected += (event.flags & (Event::undefined | Event::bad_mask)) ||
                                    run_.analysis.steps[s].counts_lane[lane];
                    }
                EXPECT_EQ(notes, expected) << at_time(GetParam(), run_, beat.end);
            }
        }
    }
}

// Boxes whose value went into another box are hatched, and nothing reads them any more.
TEST_P(Kernels, HatchedBoxesAreNotReadAgain) {
    const scene::Theme& theme = scene::theme(view_.theme);
    if (run_.trace.warps() > 16)
        GTEST_SKIP() << "a board of 32 rows folds them";
    for (int s = 0; s < int(run_.trace.steps.size()); ++s) {
        if (run_.timeline.spans[s + 1].table_at_end || run_.timeline.spans[s + 1].table_at_begin)
            continue;
        const Scene scene = build(run_, run_.timeline.spans[s + 1].end, view_, middle_area);
        std::set<int> hatched;
        std::vector<Point> centres;
        for (const Shape& shape : scene[LayerId::boxes].shapes)
            if (shape.hatch && shape.hatch_color == theme.box_hatch)
                centres.push_back(shape.p[0]);
        for (const Target& target : scene.targets)
            if (target.kind == Target::Kind::box)
                for (const Point& p : centres)
                    if (target.area.contains(p))
                        hatched.insert(target.index);
        EXPECT_EQ(hatched.size(), centres.size());
        for (int thread = 0; thread < run_.trace.config.block; ++thread) {
            std::set<int> stored;
            for (int n = s + 1; n < int(run_.trace.steps.size()); ++n) {
                const trace::Piece& piece = run_.trace.steps[n].pieces[thread];
                for (std::uint32_t e = piece.begin; e < piece.end; ++e) {
                    const Event& event = run_.trace.events[thread][e];
                    if (event.kind == EventKind::store)
                        stored.insert(event.arg);
                    if (event.kind == EventKind::load && !stored.count(event.arg) &&
                        run_.trace.steps[n].call == run_.trace.steps[s].call) {
                        EXPECT_FALSE(hatched.count(event.arg))
                            << at_time(GetParam(), run_, run_.timeline.spans[s + 1].end);
                    }
                }
            }
        }
    }
}

TEST_P(Kernels, ReducedMotionMovesNothing) {
    View still = view_;
    still.reduced_motion = true;
    for (const playback::Span& span : run_.timeline.spans) {
        for (const Beat& beat : span.beats) {
            if (beat.kind == BeatKind::walk || beat.wavefronts > 1)
                continue;
            const double late = beat.begin + 0.5 * beat.seconds(), later = beat.begin + 0.9 * beat.seconds();
            const Scene a = build(run_, late, still, middle_area), b = build(run_, later, still, middle_area);
            ASSERT_EQ(a.targets.size(), b.targets.size());
            for (std::size_t i = 0; i < a.targets.size(); ++i) {
                if (a.targets[i].area.x != b.targets[i].area.x ||
                    a.targets[i].area.y != b.targets[i].area.y) {
                    // A board that folds at once is laid out anew when its losers turn; nothing else moves.
                    ASSERT_EQ(beat.kind, BeatKind::combine) << at_time(GetParam(), run_, later);
                    break;
                }
            }
        }
    }
}

// What a scene has, whatever its opacity.
std::multiset<std::string> things_of(const Scene& s) {
    std::multiset<std::string> out;
    char text[160];
    for (std::size_t l = 0; l < s.layers.size(); ++l) {
        for (const Shape& shape : s.layers[l].shapes) {
            std::snprintf(text, sizeof text, "%zu %d %.2f,%.2f %.2f,%.2f %.2f,%.2f %.3f %x %x", l,
                          int(shape.kind), shape.p[0].x, shape.p[0].y, shape.p[1].x, shape.p[1].y,
                          shape.p[2].x, shape.p[2].y, shape.rotation, shape.fill & 0xffffff,
                          shape.line & 0xffffff);
            out.insert(text);
        }
        for (const Label& label : s.layers[l].labels) {
            std::snprintf(text, sizeof text, "%zu %.2f,%.2f %.40s %x", l, label.at.x, label.at.y,
                          label.text.c_str(), label.color & 0xffffff);
            out.insert(text);
        }
    }
    return out;
}

// Reduced motion: a moment shows one still picture, or two of them in one while one fades into the other.
// Nothing is ever at a place between.
TEST_P(Kernels, ReducedMotionFadesBetweenStillPictures) {
    if (GetParam().block > 96 && (GetParam().block != 256 || GetParam().kernel != "interleaved_strided"))
        GTEST_SKIP() << "the same code at more threads";
    View still = view_;
    still.reduced_motion = true;
    for (const playback::Span& span : run_.timeline.spans) {
        for (const Beat& beat : span.beats) {
            if (beat.wavefronts > 4)
                continue;  // the same over and over
            for (const double part : {0.05, 0.37, 0.72}) {
                // The pictures before and after: 130 ms away no fade of this moment is left, but in a queue.
                const double t = beat.begin + part * beat.seconds();
                std::multiset<std::string> around;
                for (const double away : {-0.131, -0.101, 0.101, 0.121})
                    around.merge(things_of(
                        build(run_, std::clamp(t + away, 0.0, run_.timeline.duration), still, middle_area)));
                for (const std::string& thing : things_of(build(run_, t, still, middle_area)))
                    ASSERT_TRUE(around.contains(thing)) << thing << " " << at_time(GetParam(), run_, t);
            }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Catalogue, Kernels, ::testing::ValuesIn(cases()), [](const auto& info) {
    return info.param.kernel + "_" + std::to_string(info.param.block);
});

TEST(Scene, SumsOddFloatsAndIntegersKeepInside) {
    View view;
    const Played runs[] = {
        run("contiguous_warp", 256, trace::Op::sum),
        run("contiguous_warp", 256, trace::Op::sum, "random:1:100000000:2000000000", trace::Type::i32),
        run("contiguous_any", 5, trace::Op::max, "values:nan,-inf,1e-40,-0,inf"),
        run("shuffle_first", 64, trace::Op::sum, "random:7:-999999:999999"),
        run("one_barrier", 1024, trace::Op::sum)};
    for (const Played& r : runs)
        for (const double time : moments(r.timeline))
            for (const Rect& area : areas()) {
                const Scene s = build(r, time, view, area);
                ASSERT_EQ(first_bad_number(s), "");
                ASSERT_EQ(first_outside(s), "") << r.trace.config.kernel << " " << time << " " << area.w;
                const playback::Moment m = playback::moment_at(r.timeline, time);
                if (r.timeline.spans[m.span].beats[m.beat].kind != BeatKind::walk) {
                    ASSERT_EQ(first_overlap(s), "") << r.trace.config.kernel << " " << time << " " << area.w;
                }
            }
}

// The fade itself: both pictures are there half way, one before it and the other after it.
TEST(Scene, AReducedMotionFadeMixesOldAndNew) {
    const Played r = run("contiguous_warp", 256);
    View still;
    still.reduced_motion = true;
    const playback::Span& span = r.timeline.spans[3];
    for (const Beat& beat : span.beats) {
        if (beat.kind != BeatKind::load && beat.kind != BeatKind::wait && beat.kind != BeatKind::drop)
            continue;
        const Scene old = build(r, beat.begin, still, middle_area);
        const Scene first = build(r, beat.begin + 0.001, still, middle_area);
        const Scene half = build(r, beat.begin + 0.06, still, middle_area);
        const Scene over = build(r, beat.begin + 0.1201, still, middle_area);
        const std::multiset<std::string> olds = things_of(old), halves = things_of(half),
                                         news = things_of(over);
        int gone = 0, come = 0;
        for (const std::string& thing : olds)
            if (!news.contains(thing)) {
                ++gone;
                ASSERT_TRUE(halves.contains(thing)) << thing;
            }
        for (const std::string& thing : news)
            if (!olds.contains(thing)) {
                ++come;
                ASSERT_TRUE(halves.contains(thing)) << thing;
            }
        EXPECT_GT(gone + come, 0);
        EXPECT_TRUE(same(build(r, beat.begin + 0.06, still, middle_area), half));  // a pure function
        // In a race, whose clock may stand still here, there is one picture only: the new one.
        View race = still;
        race.cuts = true;
        EXPECT_EQ(things_of(build(r, beat.begin + 0.06, race, middle_area)), news);
        // At its begin nothing of the new picture is seen yet.
        for (std::size_t l = 0; l < first.layers.size(); ++l)
            for (const Label& label : first.layers[l].labels)
                if (label.color >> 24 > 12) {
                    bool known = false;
                    for (const Label& was : old.layers[l].labels)
                        known |= was.text == label.text && was.at.x == label.at.x && was.at.y == label.at.y;
                    EXPECT_TRUE(known) << label.text;
                }
    }
}

TEST(Scene, ACameraMovedByHandStays) {
    const Played r = run("contiguous_warp", 256);
    View view;
    EXPECT_FLOAT_EQ(build(r, 1, view, middle_area).camera.zoom, 1);
    EXPECT_FLOAT_EQ(build(r, 1, view, middle_area).camera.centre.x, middle_area.w / 2);
    view.manual_camera = scene::Camera{3, {100, 200}};
    EXPECT_FLOAT_EQ(build(r, 1, view, middle_area).camera.zoom, 3);
    EXPECT_FLOAT_EQ(build(r, 1, view, middle_area).camera.centre.y, 200);
}

// The little diagrams of the passes have lines between lanes that are there, and no others.
TEST(Scene, PassesOfASmallBlockHaveItsLanesAlone) {
    View view;
    for (const auto& [kernel, block] :
         {std::pair{"partial_mask", 17}, {"contiguous_any", 17}, {"contiguous_any", 5}}) {
        const Played r = run(kernel, block);
        int lines = 0;
        for (const double time : moments(r.timeline)) {
            const Scene s = build(r, time, view, middle_area);
            std::vector<const Shape*> discs;
            for (const Shape& shape : s[LayerId::labels].shapes)
                if (shape.kind == ShapeKind::disc && shape.p[1].x > 8)
                    discs.push_back(&shape);
            for (const Shape& line : s[LayerId::labels].shapes) {
                if (line.kind != ShapeKind::capsule || line.radius > 0.5f)
                    continue;
                for (const Shape* disc : discs) {
                    const Point c = disc->p[0];
                    for (const Point& end : {line.p[0], line.p[1]}) {
                        const float away = std::hypot(end.x - c.x, end.y - c.y);
                        if (std::abs(away - (disc->p[1].x - 4)) > 0.2f)
                            continue;
                        const float turn = std::atan2(end.x - c.x, c.y - end.y) / 6.2831853f;
                        EXPECT_LT(int(std::lround((turn < 0 ? turn + 1 : turn) * 32)) % 32, block)
                            << kernel << " at " << time;
                        ++lines;
                    }
                }
            }
        }
        EXPECT_GT(lines, 0) << kernel;
    }
}

// The callout tells what the followed researcher really does.
TEST(Scene, TheCalloutHasTheNumbersOfTheRun) {
    const Played r = run("contiguous_warp", 256);
    View view;
    view.followed = 7;
    const playback::Span& span = r.timeline.spans[2];  // stride 128
    const auto combine = std::find_if(span.beats.begin(), span.beats.end(),
                                      [](const Beat& b) { return b.kind == BeatKind::combine; });
    ASSERT_NE(combine, span.beats.end());
    const Scene s = build(r, combine->end, view, middle_area);
    const auto value = [&](int thread) {
        char text[16];
        std::snprintf(text, sizeof text, "%g", double(std::bit_cast<float>(r.trace.config.values[thread])));
        return std::string(text);
    };
    std::string words;
    for (const Label& label : s[LayerId::tooltip].labels)
        words.append(label.text).append("|");
    const std::string best = std::stof(value(7)) > std::stof(value(135)) ? value(7) : value(135);
    EXPECT_EQ(words, "Researcher 7|max(" + value(7) + ", " + value(135) + ")|keeps|" + best + "|");
}

// A kernel may combine with two operations, one after the other: the callout says which it was.
TEST(Scene, TheCalloutNamesTheOperationThatHappened) {
    const Played r = run("back_to_back", 256);
    View view;
    std::set<std::string> seen;
    for (const playback::Span& span : r.timeline.spans) {
        for (const Beat& beat : span.beats) {
            if (beat.kind != BeatKind::combine || span.step < 0)
                continue;
            const Scene scene = build(r, beat.end, view, middle_area);
            for (const Label& label : scene[LayerId::tooltip].labels) {
                float a = 0, b = 0;
                char op[4] = {};
                if (std::sscanf(label.text.c_str(), "%3[a-z](%f, %f)", op, &a, &b) == 3) {
                    seen.insert(op);
                    EXPECT_EQ(std::string(op), r.trace.steps[span.step].call == 0 ? "max" : "sum")
                        << label.text;
                }
            }
        }
    }
    EXPECT_EQ(seen, (std::set<std::string>{"max", "sum"}));
}

// Whatever lies under the pointer is found, at any zoom.
TEST(Scene, ThePointerFindsWhatLiesUnderIt) {
    const Played r = run("interleaved_strided", 256);
    View view;
    const double time = r.timeline.spans[3].beats[1].begin + 0.45 * r.timeline.spans[3].beats[1].seconds();
    const Scene plain = build(r, time, view, middle_area);
    const auto found = [&](Point middle, float zoom) {
        View at = view;
        if (zoom != 1)
            at.manual_camera = scene::Camera{zoom, middle};
        const Point centre = zoom != 1 ? middle : Point{middle_area.w / 2, middle_area.h / 2};
        const Scene s = zoom != 1 ? build(r, time, at, middle_area) : plain;
        const auto thing = scene::pick(s, {middle_area.x + middle_area.w / 2 + (middle.x - centre.x) * zoom,
                                           middle_area.y + middle_area.h / 2 + (middle.y - centre.y) * zoom});
        return thing ? inspector::name_of(*thing) : "";
    };
    int boxes = 0, seats = 0, tickets = 0, banks = 0;
    for (const Target& target : plain.targets) {
        const Point middle{target.area.x + target.area.w / 2, target.area.y + target.area.h / 2};
        const std::string name = found(middle, 1);
        EXPECT_EQ(name, inspector::name_of(scene::thing_of(target)));
        boxes += target.kind == Target::Kind::box;
        seats += target.kind == Target::Kind::seat;
        tickets += target.kind == Target::Kind::ticket;
        banks += target.kind == Target::Kind::bank;
        if (target.index % 64 == 0) {
            EXPECT_EQ(found(middle, 3), name);
        }
    }
    EXPECT_EQ(boxes, 256);
    EXPECT_EQ(seats, 256);
    EXPECT_EQ(tickets, 32);
    EXPECT_EQ(banks, 32);
    EXPECT_FALSE(scene::pick(plain, {1, 1}));
}

TEST(Scene, AnAreaTooSmallIsEmpty) {
    const Played r = run("contiguous_warp", 32);
    View view;
    for (const Rect& area : {Rect{0, 0, 0, 0}, Rect{0, 0, 10, 500}, Rect{0, 0, 60, 60}, Rect{0, 0, 200, 90}})
        for (const double time : moments(r.timeline))
            EXPECT_EQ(first_bad_number(build(r, time, view, area)), "");
}

}  // namespace
}  // namespace auditorium::test
