#include "app/scene/crossfade.h"

#include <algorithm>
#include <bit>
#include <unordered_map>

#include "app/scene/motion.h"

namespace auditorium::scene {
namespace {

using playback::BeatKind;

constexpr double crossfade_seconds = 0.12;
constexpr double queue_seconds = 0.10;  // a queue moves on, and a store lands, more often than that
constexpr double a_moment = 1e-4;       // before a change; its very instant may be the end of a step

bool same(const Shape& a, const Shape& b) {
    if (a.kind != b.kind || a.points != b.points || a.hatch != b.hatch || a.screen_width != b.screen_width ||
        a.radius != b.radius || a.rotation != b.rotation || a.line_width != b.line_width ||
        a.dash != b.dash || a.gap != b.gap || a.dash_phase != b.dash_phase || a.fill != b.fill ||
        a.line != b.line || a.hatch_color != b.hatch_color)
        return false;
    for (std::size_t i = 0; i < a.p.size(); ++i)
        if (a.p[i].x != b.p[i].x || a.p[i].y != b.p[i].y)
            return false;
    return true;
}

bool same(const Label& a, const Label& b) {
    return a.at.x == b.at.x && a.at.y == b.at.y && a.size == b.size && a.font == b.font &&
           a.align == b.align && a.color == b.color && a.text == b.text;
}

std::uint64_t key_of(float x, float y, Color color) {
    return (std::uint64_t(std::bit_cast<std::uint32_t>(x)) << 32 | std::bit_cast<std::uint32_t>(y)) ^
           std::uint64_t(color) * 0x9e3779b97f4a7c15u;
}

std::uint64_t key_of(const Shape& s) {
    return key_of(s.p[0].x, s.p[0].y, s.fill ^ s.line);
}

std::uint64_t key_of(const Label& l) {
    return key_of(l.at.x, l.at.y, l.color);
}

void fade(Shape& shape, float opacity) {
    shape.fill = faded(shape.fill, opacity);
    shape.line = faded(shape.line, opacity);
    shape.hatch_color = faded(shape.hatch_color, opacity);
}

void fade(Label& label, float opacity) {
    label.color = faded(label.color, opacity);
}

// The old ones that go lie below the new ones.
template <typename Item>
void mix_items(std::vector<Item>& now, const std::vector<Item>& old, float goes, float comes) {
    std::unordered_multimap<std::uint64_t, std::size_t> places;
    for (std::size_t i = 0; i < old.size(); ++i)
        places.emplace(key_of(old[i]), i);
    std::vector<bool> stays(old.size(), false);
    for (Item& item : now) {
        bool found = false;
        const auto [first, last] = places.equal_range(key_of(item));
        for (auto at = first; at != last && !found; ++at) {
            if (stays[at->second] || !same(item, old[at->second]))
                continue;
            stays[at->second] = found = true;
        }
        if (!found)
            fade(item, comes);
    }
    std::vector<Item> gone;
    for (std::size_t i = 0; i < old.size(); ++i) {
        if (stays[i])
            continue;
        gone.push_back(old[i]);
        fade(gone.back(), goes);
    }
    now.insert(now.begin(), gone.begin(), gone.end());
}

}  // namespace

Change change_at(const playback::Timeline& timeline, const playback::Moment& moment) {
    const playback::Beat& beat = timeline.spans[std::size_t(moment.span)].beats[std::size_t(moment.beat)];
    Change change;
    double last = -1, length = crossfade_seconds;
    const auto changes = [&](double time, double before, double seconds) {
        if (time < moment.time && time > last) {
            last = time;
            length = seconds;
            change.before = before;
        }
    };
    if (beat.begin > 0)
        changes(beat.begin, beat.begin - a_moment, crossfade_seconds);
    if (beat.kind == BeatKind::combine) {
        const double folded = beat.begin + beat.lead + 0.32, taken = beat.begin + 0.35 * beat.seconds();
        changes(folded, folded - a_moment, crossfade_seconds);
        changes(taken, taken - a_moment, crossfade_seconds);
    } else if (beat.kind == BeatKind::walk) {
        changes(beat.begin + 0.35, beat.begin + 0.35 - a_moment, crossfade_seconds);
    }
    if (beat.wavefronts > 1) {
        // The queue moves on at the begin of a wavefront; what it stores stands there from its middle on.
        const double half = (beat.seconds() - beat.lead) / beat.wavefronts / 2;
        for (int i = 1; i < 2 * beat.wavefronts; ++i) {
            const double time = beat.begin + beat.lead + i * half;
            changes(time, time - a_moment, queue_seconds);
        }
    } else if (beat.kind == BeatKind::store || beat.kind == BeatKind::crown) {
        const double middle = beat.begin + beat.lead + (beat.seconds() - beat.lead) / 2;
        changes(middle, middle - a_moment, crossfade_seconds);
    }
    if (last >= 0)
        change.part = clamp01((moment.time - last) / length);
    return change;
}

void fade_from(Scene& scene, const Scene& old, float part) {
    const float goes = std::min(1.0f, 2 * (1 - part)), comes = std::min(1.0f, 2 * part);
    for (std::size_t i = 0; i < scene.layers.size(); ++i) {
        mix_items(scene.layers[i].shapes, old.layers[i].shapes, goes, comes);
        mix_items(scene.layers[i].labels, old.layers[i].labels, goes, comes);
    }
}

}  // namespace auditorium::scene
