// The scenes of the two halves, in the areas that the view really leaves them: no label on another, none cut.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include "app/panels/compare_layout.h"
#include "app/scene/metrics.h"
#include "app/scene/scene.h"
#include "sides.h"

namespace auditorium::panels {
namespace {

using scene::Label;
using scene::LayerId;

scene::Rect box_of(const Label& label) {
    const float w = scene::text_width(label.font, label.size, label.text), h = label.size * 0.73f;
    const float x = label.align == scene::Align::left     ? label.at.x
                    : label.align == scene::Align::centre ? label.at.x - w / 2
                                                          : label.at.x - w;
    return {x, label.at.y - h / 2, w, h};
}

std::string fault(const scene::Scene& s) {
    std::vector<std::pair<scene::Rect, const Label*>> all;
    for (const LayerId id :
         {LayerId::board, LayerId::boxes, LayerId::people, LayerId::tickets, LayerId::labels})
        for (const Label& label : s[id].labels)
            if ((label.color >> 24) > 40)
                all.push_back({box_of(label), &label});
    for (const auto& [r, label] : all)
        if (r.x < -0.5f || r.y < -0.5f || r.x + r.w > s.area.w + 0.5f || r.y + r.h > s.area.h + 0.5f)
            return '"' + label->text + "\" is cut";
    std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.first.y < b.first.y; });
    for (std::size_t i = 0; i < all.size(); ++i)
        for (std::size_t j = i + 1; j < all.size() && all[j].first.y < all[i].first.y + all[i].first.h; ++j) {
            const scene::Rect &a = all[i].first, &b = all[j].first;
            if (a.x + 0.6f < b.x + b.w && b.x + 0.6f < a.x + a.w && a.y + 0.6f < b.y + b.h &&
                b.y + 0.6f < a.y + a.h)
                return '"' + all[i].second->text + "\" on \"" + all[j].second->text + '"';
        }
    return {};
}

// The values at the council table: all of the ring, or none; the lanes' numbers: every one, or every second,
// fourth or eighth.
std::string unruly(const scene::Scene& s, int lanes) {
    std::map<float, std::set<int>> by_size;  // the offset in the middle has its own
    int values = 0;
    for (const Label& label : s[LayerId::people].labels) {
        if (label.font == scene::Font::mono || label.font == scene::Font::mono_semibold)
            ++values;
        else if (std::isdigit((unsigned char)label.text[0]))
            by_size[label.size].insert(std::stoi(label.text));
    }
    std::set<int> numbers;
    for (const auto& [size, some] : by_size)
        if (some.size() > numbers.size())
            numbers = some;
    if (values > 1 && values != lanes)  // one alone is the result in the middle
        return fmt::format("{} values of {}", values, lanes);
    if (numbers.size() > 1) {
        const int step = *std::next(numbers.begin());
        for (int lane = 0; lane < lanes; ++lane)
            if (numbers.contains(lane) != (lane % step == 0))
                return fmt::format("lane {} of every {}", lane, step);
    }
    return {};
}

TEST(Halves, TheWordBankKeepsOffTheFirstRowsNumber) {
    for (const int block : {64, 256, 512, 1024}) {
        const test::Run run = test::run_of(fmt::format("contiguous_warp@{}", block));
        const auto prepared = scene::prepare(run.trace, run.analysis, run.timeline);
        for (const auto& [w, h] :
             {std::pair{1280, 720}, {1366, 768}, {1600, 900}, {1920, 1080}, {1000, 620}}) {
            View view;
            view.width = w;
            view.height = h;
            view.half = true;
            view.rows_beside = block / 32;
            scene::Scene built;
            scene::build_into(built, run.trace, run.analysis, run.timeline, prepared,
                              playback::moment_at(run.timeline, playback::end_of_step(run.timeline, 1)), view,
                              scene::theme(view.theme), compare_layout(view).scene[0]);
            const Label *bank = nullptr, *row = nullptr;
            for (const Label& label : built[LayerId::board].labels) {
                if (label.text == "bank")
                    bank = &label;
                else if (label.text == "0" && label.align == scene::Align::right)
                    row = &label;
            }
            ASSERT_TRUE(row || w < 1280) << block;
            if (bank && row) {
                EXPECT_GE(row->at.y - bank->at.y, 1.25f * bank->size) << block << " " << w << "x" << h;
            }
        }
    }
}

// "Barrier 3 of 5: 6 of 8 rows are waiting" stands on nobody's head: where there is no room for it in the gap
// of its rope it stands beside the rows, else it is left out.
TEST(Halves, ThePlaqueHidesNobody) {
    int plaques = 0;
    for (const auto& [left, right] : {std::pair{"contiguous_warp", "interleaved_strided"},
                                      {"contiguous_warp", "contiguous_warp@1024"},
                                      {"contiguous_any@1", "contiguous_any@1024"}}) {
        const std::array<test::Run, 2> runs = {test::run_of(left), test::run_of(right)};
        const std::array<scene::Prepared, 2> prepared = {
            scene::prepare(runs[0].trace, runs[0].analysis, runs[0].timeline),
            scene::prepare(runs[1].trace, runs[1].analysis, runs[1].timeline)};
        const playback::Pair pair =
            playback::make_pair(playback::PairMode::step, runs[0].side(), runs[1].side());
        for (const auto& [w, h, presenter] : {std::tuple{1280, 720, true},
                                              {640, 360, false},
                                              {640, 360, true},
                                              {1280, 720, false},
                                              {1600, 900, true}})
            for (double part = 0.005; part < 1; part += 0.01)
                for (std::size_t s = 0; s < 2; ++s) {
                    const auto moment = [&](std::size_t side) {
                        return playback::moment_at(
                            runs[side].timeline,
                            playback::side_time(pair, int(side), part * pair.clock.duration));
                    };
                    const playback::Moment now = moment(s);
                    const auto& span = runs[s].timeline.spans[std::size_t(now.span)];
                    if (span.table_at_begin || span.table_at_end)
                        continue;
                    View view;
                    view.width = w;
                    view.height = h;
                    view.presenter = presenter;
                    view.compare = true;
                    view.half = true;
                    view.rows_beside = runs[1 - s].trace.warps();
                    view.tickets_beside = scene::tickets_shown(runs[1 - s].timeline, moment(1 - s), view);
                    scene::Scene built;
                    scene::build_into(built, runs[s].trace, runs[s].analysis, runs[s].timeline, prepared[s],
                                      now, view, scene::theme(view.theme), compare_layout(view).scene[s]);
                    for (const Label& label : built[LayerId::tickets].labels) {
                        if (!label.text.starts_with("Barrier"))
                            continue;
                        ++plaques;
                        const scene::Rect words = box_of(label);
                        const float high = label.size;  // half of the plate
                        int hidden = 0;
                        for (const scene::Shape& head : built[LayerId::people].shapes)
                            hidden += head.kind == scene::ShapeKind::disc && head.p[0].x > words.x &&
                                      head.p[0].x < words.x + words.w &&
                                      std::abs(head.p[0].y - label.at.y) < high;
                        // Of rows of dots that are many a plaque may hide some.
                        EXPECT_LE(hidden, h > 360 && runs[s].trace.warps() > 8 ? 200 : 0)
                            << left << " and " << right << ", side " << s << ", " << w << "x" << h
                            << (presenter ? " presenter, " : ", ")
                            << ""
                               " << label.text << "
                               " at "
                            << part;
                    }
                }
    }
    EXPECT_GT(plaques, 300);
}

TEST(Halves, NoLabelOnAnotherAndNoneCut) {
    int looked = 0;
    for (const compare::Preset& preset : compare::presets()) {
        std::vector<test::Run> runs;
        std::vector<scene::Prepared> prepared;
        for (const trace::LaunchConfig& config : compare::configs_of(preset, {})) {
            auto trace = compare::run(config, launch::Device::cpu);
            ASSERT_TRUE(trace.has_value());
            runs.push_back(test::run_of(std::move(*trace)));
            prepared.push_back(scene::prepare(runs.back().trace, runs.back().analysis, runs.back().timeline));
        }
        const playback::Pair pair =
            playback::make_pair(playback::PairMode::phase, runs[0].side(), runs[1].side());
        for (const auto& [w, h] : {std::pair{1280, 720}, {1600, 900}, {1920, 1080}, {1000, 620}})
            for (const bool presenter : {false, true}) {
                View view;
                view.width = w;
                view.height = h;
                view.presenter = presenter;
                const CompareLayout layout = compare_layout(view);
                for (const playback::Span& row : pair.clock.spans)
                    for (const playback::Beat& beat : row.beats) {
                        const double clock = beat.begin + 0.81 * beat.seconds();
                        for (int s = 0; s < 2; ++s) {
                            const std::size_t k = std::size_t(s);
                            const auto moment = [&](int side) {
                                return playback::moment_at(runs[std::size_t(side)].timeline,
                                                           playback::side_time(pair, side, clock));
                            };
                            const playback::Moment now = moment(s);
                            const auto& span = runs[k].timeline.spans[std::size_t(now.span)];
                            const playback::BeatKind kind = span.beats[std::size_t(now.beat)].kind;
                            if (kind == playback::BeatKind::walk || kind == playback::BeatKind::drop)
                                continue;  // everything moves then
                            View half = view;
                            half.half = true;
                            half.rows_beside = runs[1 - k].trace.warps();
                            half.tickets_beside =
                                scene::tickets_shown(runs[1 - k].timeline, moment(1 - s), view);
                            scene::Scene built;
                            scene::build_into(built, runs[k].trace, runs[k].analysis, runs[k].timeline,
                                              prepared[k], now, half, scene::theme(view.theme),
                                              layout.scene[k]);
                            ++looked;
                            const bool table = span.table_at_begin && span.table_at_end;
                            if (table) {
                                ASSERT_EQ(unruly(built, std::min(32, runs[k].trace.config.block)), "")
                                    << preset.id << " side " << s << " " << w << "x" << h;
                            }
                            ASSERT_EQ(fault(built), "") << preset.id << " side " << s << " " << w << "x" << h
                                                        << (presenter ? " presenter" : "") << " span "
                                                        << now.span << " beat " << now.beat;
                        }
                    }
            }
    }
    EXPECT_GT(looked, 2000);
}

}  // namespace
}  // namespace auditorium::panels
