// From a point to the thing there, for every kind; and by keyboard from any thing to any kind of thing.
#include <gtest/gtest.h>

#include <deque>
#include <set>

#include "app/scene/pick.h"
#include "tests/scene/runs.h"

namespace auditorium::scene {
namespace {

using inspector::Thing;
using Kind = Thing::Kind;
using test::Played;

Scene scene_at(const Played& run, int number, playback::BeatKind kind, double progress) {
    double time = -1;
    for (const playback::Beat& beat : run.timeline.spans.at(std::size_t(number)).beats)
        if (beat.kind == kind)
            time = beat.begin + progress * beat.seconds();
    EXPECT_GE(time, 0);
    return test::build(run, time, {}, test::areas()[1]);
}

std::set<Kind> picked(const Scene& scene) {
    std::set<Kind> out;
    for (float y = scene.area.y; y < scene.area.y + scene.area.h; y += 1.5f)
        for (float x = scene.area.x; x < scene.area.x + scene.area.w; x += 1.5f)
            if (const auto thing = pick(scene, {x, y}))
                out.insert(thing->kind);
    return out;
}

// Everything that Alt and arrows reach from a thing.
std::set<Kind> reached(const Scene& scene, const Thing& from) {
    std::set<std::string> seen{inspector::name_of(from)};
    std::set<Kind> kinds;
    std::deque<Thing> open{from};
    while (!open.empty()) {
        const Thing at = open.front();
        open.pop_front();
        kinds.insert(at.kind);
        for (const auto& [dx, dy] : {std::pair{1, 0}, {-1, 0}, {0, 1}, {0, -1}})
            if (const auto next = neighbour(scene, at, dx, dy))
                if (seen.insert(inspector::name_of(*next)).second)
                    open.push_back(*next);
    }
    return kinds;
}

TEST(Pick, EveryKindUnderThePointerAndByKeyboard) {
    const Played cut = test::run("contiguous_warp", 256), queue = test::run("interleaved_strided", 256),
                 rows = test::run("shuffle_first", 256);
    const Scene rays = scene_at(cut, 2, playback::BeatKind::load, 1);
    EXPECT_EQ(picked(rays), (std::set<Kind>{Kind::box, Kind::thread, Kind::ray, Kind::bank}));
    EXPECT_EQ(reached(rays, {Kind::thread, 5, -1}),
              (std::set<Kind>{Kind::box, Kind::thread, Kind::ray, Kind::bank}));
    const Scene tickets = scene_at(queue, 3, playback::BeatKind::load, 0.45);
    EXPECT_TRUE(picked(tickets).count(Kind::ticket));
    EXPECT_TRUE(reached(tickets, {Kind::thread, 5, -1}).count(Kind::ticket));
    const Scene notes = scene_at(cut, 7, playback::BeatKind::note, 0.5);
    EXPECT_TRUE(picked(notes).count(Kind::note));
    EXPECT_TRUE(reached(notes, {Kind::thread, 5, -1}).count(Kind::note));
    const Scene arcs = scene_at(rows, 2, playback::BeatKind::note, 0.5);
    EXPECT_TRUE(picked(arcs).count(Kind::note));
    EXPECT_TRUE(reached(arcs, {Kind::thread, 5, -1}).count(Kind::note));
}

TEST(Pick, ARayIsPickedAlongItsWayAndNotBesideIt) {
    const Played run = test::run("contiguous_warp", 256);
    const Scene scene = scene_at(run, 2, playback::BeatKind::load, 1);
    ASSERT_GT(scene.rays.size(), 100u);
    int found = 0;
    for (const RayTarget& ray : scene.rays) {
        // In the middle of its gutter.
        const Point at{scene.area.x + ray.edge.x, scene.area.y + (ray.edge.y + ray.top.y) / 2};
        const auto thing = pick(scene, at);
        ASSERT_TRUE(thing);
        EXPECT_EQ(thing->kind, Kind::ray);
        found += *thing == Thing{Kind::ray, ray.thread, ray.box};
        const auto beside = pick(scene, {at.x + 6, at.y});
        const Thing ray_itself{Kind::ray, ray.thread, ray.box};
        EXPECT_FALSE(beside && *beside == ray_itself);
    }
    EXPECT_GT(found, int(scene.rays.size()) / 4);  // of those that share a gutter one is found
}

TEST(Pick, AltAndArrowsGoByTheGridAndBackAgain) {
    const Played run = test::run("contiguous_warp", 256);
    const Scene scene = test::build(run, playback::end_of_step(run.timeline, 1), {}, test::areas()[0]);
    const auto go = [&](Thing from, int dx, int dy) {
        const auto next = neighbour(scene, from, dx, dy);
        return next ? inspector::name_of(*next) : "";
    };
    EXPECT_EQ(go({Kind::box, 5, -1}, 1, 0), "box:6");
    EXPECT_EQ(go({Kind::box, 5, -1}, 0, 1), "box:37");
    EXPECT_EQ(go({Kind::box, 37, -1}, 0, -1), "box:5");
    EXPECT_EQ(go({Kind::box, 5, -1}, 0, -1), "bank:5");
    EXPECT_EQ(go({Kind::bank, 5, -1}, 0, 1), "box:5");
    EXPECT_EQ(go({Kind::thread, 37, -1}, 0, -1), "thread:5");
    EXPECT_EQ(go({Kind::thread, 37, -1}, -1, 0), "thread:36");
    EXPECT_EQ(go({Kind::thread, 32, -1}, -1, 0), "");
    EXPECT_EQ(go({Kind::thread, 5, -1}, 0, -1).substr(0, 3), "box");
    EXPECT_EQ(go({Kind::box, 229, -1}, 0, 1).substr(0, 6), "thread");
    EXPECT_EQ(go({Kind::thread, 229, -1}, 0, 1), "");      // the app goes on to the timeline
    EXPECT_EQ(go({Kind::note, 5, -1}, 1, 0), "thread:5");  // it has landed
}

TEST(Pick, AThingIsWhereItIsPicked) {
    const Played run = test::run("interleaved_strided", 256);
    const Scene scene = scene_at(run, 3, playback::BeatKind::load, 0.45);
    for (const Target& target : scene.targets) {
        const auto place = place_of(scene, thing_of(target));
        ASSERT_TRUE(place);
        const auto there = pick(scene, {place->x + place->w / 2, place->y + place->h / 2});
        ASSERT_TRUE(there);
        EXPECT_EQ(inspector::name_of(*there), inspector::name_of(thing_of(target)));
    }
    EXPECT_FALSE(place_of(scene, {Kind::note, 3, -1}));
}

// What is asked about is drawn the same whether the caller has described it or the scene asks itself.
TEST(Pick, ASceneOfAQuestionIsAPureFunction) {
    const Played run = test::run("contiguous_warp", 256);
    View view;
    view.pin = Thing{Kind::box, 5, -1};
    for (const double time : test::moments(run.timeline)) {
        const playback::Moment moment = playback::moment_at(run.timeline, time);
        const inspector::Description said =
            inspector::describe(run.trace, run.analysis, run.timeline, run.prepared.index, moment, *view.pin);
        Scene reused = test::build(run, run.timeline.duration / 2, view, test::areas()[0]);
        build_into(reused, run.trace, run.analysis, run.timeline, run.prepared, moment, view,
                   scene::theme(view.theme), test::areas()[0], &said);
        EXPECT_TRUE(test::same(reused, test::build(run, time, view, test::areas()[0]))) << time;
    }
}

// E of the design: 8 boxes with a thick edge, 8 rings, 8 notes, and no number in any other eliminated box.
TEST(Pick, HoveringDropsTheNumbersThatHaveNoPartInIt) {
    const Played run = test::run("contiguous_warp", 256);
    const double time = playback::end_of_step(run.timeline, 4);
    View view;
    const Scene plain = test::build(run, time, view, test::areas()[1]);
    view.hovered = Thing{Kind::box, 5, -1};
    const Scene asked = test::build(run, time, view, test::areas()[1]);
    EXPECT_EQ(plain[LayerId::boxes].labels.size(), 256u);
    EXPECT_EQ(asked[LayerId::boxes].labels.size(), 32u + 7u);
    EXPECT_EQ(asked[LayerId::notes].labels.size(), plain[LayerId::notes].labels.size() + 8);
}

}  // namespace
}  // namespace auditorium::scene
