#include "app/scene/pick.h"

#include <algorithm>
#include <cmath>

#include "trace/config.h"

namespace auditorium::scene {
namespace {

using inspector::Thing;
using Kind = Thing::Kind;

int rank(Target::Kind kind) {
    switch (kind) {
        case Target::Kind::note:
            return 5;
        case Target::Kind::ticket:
            return 4;
        case Target::Kind::seat:
            return 3;
        case Target::Kind::box:
            return 1;
        case Target::Kind::bank:
            break;
    }
    return 0;
}
constexpr int ray_rank = 2;
constexpr float ray_reach = 2.2f;  // px of the scene

float distance(Point p, Point a, Point b) {
    const float dx = b.x - a.x, dy = b.y - a.y, length = dx * dx + dy * dy;
    const float t =
        length > 0 ? std::clamp(((p.x - a.x) * dx + (p.y - a.y) * dy) / length, 0.0f, 1.0f) : 0.0f;
    return std::hypot(p.x - a.x - t * dx, p.y - a.y - t * dy);
}

Point middle(const Rect& r) {
    return {r.x + r.w / 2, r.y + r.h / 2};
}

struct Spot {
    Thing thing;
    Point at;
};

std::optional<Spot> spot_of(const Scene& scene, const Thing& thing) {
    for (const Target& target : scene.targets)
        if (thing_of(target) == thing)
            return Spot{thing, middle(target.area)};
    for (const RayTarget& ray : scene.rays)
        if (thing == Thing{Kind::ray, ray.thread, ray.box})
            return Spot{thing, ray.edge};
    return {};
}

// Where to look from when the thing itself is not on show.
std::optional<Spot> stand_in(const Scene& scene, const Thing& thing) {
    if (auto spot = spot_of(scene, thing))
        return spot;
    switch (thing.kind) {
        case Kind::note:
        case Kind::ray:
            return spot_of(scene, {Kind::thread, thing.index, -1});
        case Kind::ticket:
            return spot_of(scene, {Kind::bank, thing.index, -1});
        default:
            return {};
    }
}

std::optional<Spot> nearest(const Scene& scene, const Spot& from, int dx, int dy) {
    std::optional<Spot> best;
    float best_score = 1e9f;
    const auto consider = [&](const Thing& thing, Point at) {
        const float along = (at.x - from.at.x) * float(dx) + (at.y - from.at.y) * float(dy);
        const float beside =
            std::abs((at.x - from.at.x) * float(dy)) + std::abs((at.y - from.at.y) * float(dx));
        if (thing == from.thing || along < 1.5f || beside > 3 * along + 12)
            return;
        const float score = along + 2 * beside;
        if (score < best_score) {
            best_score = score;
            best = Spot{thing, at};
        }
    };
    for (const Target& target : scene.targets)
        consider(thing_of(target), middle(target.area));
    for (const RayTarget& ray : scene.rays)
        consider({Kind::ray, ray.thread, ray.box}, ray.edge);
    return best;
}

}  // namespace

Thing thing_of(const Target& target) {
    switch (target.kind) {
        case Target::Kind::box:
            return {Kind::box, target.index, -1};
        case Target::Kind::seat:
            return {Kind::thread, target.index, -1};
        case Target::Kind::note:
            return {Kind::note, target.index, -1};
        case Target::Kind::ticket:
            return {Kind::ticket, target.index, target.other};
        case Target::Kind::bank:
            break;
    }
    return {Kind::bank, target.index, -1};
}

std::optional<Thing> pick(const Scene& scene, Point window) {
    const Rect& area = scene.area;
    if (!area.contains(window))
        return {};
    const Camera& camera = scene.camera;
    const Point at{camera.centre.x + (window.x - area.x - area.w / 2) / camera.zoom,
                   camera.centre.y + (window.y - area.y - area.h / 2) / camera.zoom};
    std::optional<Thing> best;
    int best_rank = -1;
    for (const Target& target : scene.targets)
        if (target.area.contains(at) && rank(target.kind) >= best_rank) {
            best = thing_of(target);
            best_rank = rank(target.kind);
        }
    if (best_rank > ray_rank)
        return best;
    float nearest = ray_reach;
    for (const RayTarget& ray : scene.rays) {
        const float away = std::min(distance(at, ray.hand, ray.edge), distance(at, ray.edge, ray.top));
        if (away <= nearest) {
            nearest = away;
            best = Thing{Kind::ray, ray.thread, ray.box};
        }
    }
    return best;
}

Rect in_window(const Scene& scene, const Rect& r) {
    const float zoom = scene.camera.zoom;
    return {scene.area.x + scene.area.w / 2 + (r.x - scene.camera.centre.x) * zoom,
            scene.area.y + scene.area.h / 2 + (r.y - scene.camera.centre.y) * zoom, r.w * zoom, r.h * zoom};
}

std::optional<Rect> place_of(const Scene& scene, const Thing& thing) {
    Rect at;
    bool found = false;
    for (const Target& target : scene.targets)
        if (thing_of(target) == thing) {
            at = target.area;
            found = true;
        }
    for (const RayTarget& ray : scene.rays)
        if (thing == Thing{Kind::ray, ray.thread, ray.box}) {
            at = {ray.edge.x - 4, ray.edge.y - 4, 8, 8};
            found = true;
        }
    if (!found)
        return {};
    return in_window(scene, at);
}

std::optional<Thing> neighbour(const Scene& scene, const Thing& from, int dx, int dy) {
    const auto spot = stand_in(scene, from);
    if (!spot)
        return {};
    // Along a grid as long as it goes on.
    const Thing at = spot->thing;
    const bool grid = at.kind == Kind::box || at.kind == Kind::thread || at.kind == Kind::bank;
    if (grid && spot->thing == from) {
        const int lane = at.index % trace::warp_size;
        if (lane + dx >= 0 && lane + dx < trace::warp_size) {
            const Thing next{at.kind, at.index + dx + (at.kind == Kind::bank ? 0 : dy * trace::warp_size),
                             -1};
            const auto there = next.index >= 0 && !(next == at) ? spot_of(scene, next) : std::nullopt;
            // At the round table the grid does not say where anybody sits.
            const bool that_way =
                there && (there->at.x - spot->at.x) * float(dx) + (there->at.y - spot->at.y) * float(dy) > 0;
            if (that_way)
                return next;
        }
    }
    if (spot->thing != from)
        return spot->thing;
    const auto next = nearest(scene, *spot, dx, dy);
    return next ? std::optional(next->thing) : std::nullopt;
}

}  // namespace auditorium::scene
