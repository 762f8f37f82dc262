// Rays: who reads or writes which box. They run in the gutters between the columns, even rows left, odd rows
// right, and change their colour where they leave the board. A row whose lanes queue at a bank has no rays:
// its lines end at the tickets (tickets.cpp).
#include <algorithm>
#include <array>
#include <bit>
#include <vector>

#include "app/scene/frame.h"

namespace auditorium::scene {
namespace {

using playback::BeatKind;
using trace::EventKind;

struct Ray {
    int thread = 0;
    int box = 0;
};

// Where a lane's ray begins: at its hand, or at its place at the council table.
Point origin_of(const Frame& frame, int row, int lane) {
    const Layout& layout = frame.layout;
    if (row == 0 && frame.council > 0.5f) {
        const float a = float(lane) * 2 * 3.14159265f / 32, r = 226 * layout.table_scale;
        return layout.table + Point{r * std::sin(a), -r * std::cos(a)};
    }
    const Spot spot{layout.seat(row, lane), layout.tilt(row, lane), layout.person};
    return layout.detail == Detail::people
               ? hand_of(spot, frame.pose[row * trace::warp_size + lane], row % 2 == 0)
               : spot.seat + Point{0, -10 * layout.person};
}

// What runs up the gutters, gathered: where rays lie over each other they are painted once, as strong as all
// of them together.
struct Gutters {
    struct Piece {
        float top = 0, opacity = 0;
    };
    std::array<std::vector<Piece>, std::size_t(2 * trace::warp_size)> pieces;  // left and right of each bank

    static std::size_t index(int bank, bool left) { return std::size_t(2 * bank + (left ? 0 : 1)); }
};

float gutter_x(const Layout& layout, int bank, bool left) {
    return layout.column_x(bank) + (left ? -1.0f : 1.0f) * (layout.pitch / 2 - 0.9f);
}

void draw_gutters(Frame& frame, Gutters& gutters, float width) {
    const Layout& layout = frame.layout;
    Layer& layer = frame.layer(LayerId::rays);
    for (int bank = 0; bank < trace::warp_size; ++bank) {
        for (const bool left : {true, false}) {
            std::vector<Gutters::Piece>& pieces = gutters.pieces[Gutters::index(bank, left)];
            std::sort(pieces.begin(), pieces.end(),
                      [](const auto& a, const auto& b) { return a.top < b.top; });
            const float x = gutter_x(layout, bank, left), bottom = layout.board_bottom - 1 + width / 2;
            float clear = 1;  // what the rays so far let through
            for (std::size_t i = 0; i < pieces.size(); ++i) {
                clear *= 1 - pieces[i].opacity;
                const float top = pieces[i].top - width / 2;
                const float end = i + 1 < pieces.size() ? pieces[i + 1].top - width / 2 : bottom;
                if (end > top)
                    add_box(layer, {x, (top + end) / 2}, width, end - top, 0,
                            faded(frame.theme.board_work, 1 - clear));
            }
        }
    }
}

// A ray as it grows from the hand: up to the board's lower edge, then up its gutter to the box.
void draw_ray(Frame& frame, Gutters& gutters, Ray ray, float grown, float opacity, float width, bool strong) {
    if (grown <= 0.01f || opacity <= 0.01f)
        return;
    const Layout& layout = frame.layout;
    Layer& layer = frame.layer(LayerId::rays);
    const int row = ray.thread / trace::warp_size, lane = ray.thread % trace::warp_size;
    const int box_row = ray.box / trace::warp_size, bank = ray.box % trace::warp_size;
    const bool left = row % 2 == 0;
    if (!strong && bank != lane && frame.rows > 2)
        opacity *= 0.5f;  // a line across the hall: many of them would hide the people
    const Point hand = origin_of(frame, row, lane);
    const float gutter = gutter_x(layout, bank, left) + (strong ? (left ? -0.3f : 0.3f) : 0);
    const Point edge{gutter, layout.board_bottom - 1};
    const Point top{gutter, layout.row_y[box_row] + (layout.row_h[box_row] > 14 ? 2.0f : 0)};
    frame.scene.rays.push_back({ray.thread, ray.box, hand, edge, top});
    const float below = std::hypot(edge.x - hand.x, edge.y - hand.y), above = std::max(0.0f, edge.y - top.y);
    const float length = (below + above) * grown;
    const float first = below > 0 ? std::min(1.0f, length / below) : 1;
    add_line(layer, hand, mix(hand, edge, first), width, faded(frame.theme.work, opacity));
    if (length <= below || above <= 0)
        return;
    const Point end = mix(edge, top, std::min(1.0f, (length - below) / above));
    if (strong)
        add_line(layer, edge, end, width, frame.theme.board_work);
    else
        gutters.pieces[Gutters::index(bank, left)].push_back({end.y, opacity * 0.62f});
}

// One word for a whole row is one line: up its gutter, and along the row above the heads.
void draw_shared_ray(Frame& frame, const analysis::Request& request, float grown, float opacity,
                     float width) {
    const Layout& layout = frame.layout;
    Layer& layer = frame.layer(LayerId::rays);
    const int row = request.warp, box = request.box[std::countr_zero(request.lanes)];
    const int bank = box % trace::warp_size, box_row = box / trace::warp_size;
    const int first = std::countr_zero(request.lanes), last = 31 - std::countl_zero(request.lanes);
    // Clear of the raised hands.
    const float lift = (layout.detail == Detail::people  ? 31.0f
                        : layout.detail == Detail::heads ? 21.0f
                                                         : 15.0f) *
                       layout.person;
    // The gutter is the one under which the row's people sit: at the board's edges only one of the two is.
    const auto lane_under = [&](float x) { return (x - layout.centre_x) / layout.seat_dx[row] + 15.5f; };
    const auto misses = [&](bool left) {
        const float lane = lane_under(gutter_x(layout, bank, left));
        return std::max({0.0f, float(first) - lane, lane - float(last)});
    };
    const bool even = row % 2 == 0;
    const float gutter = gutter_x(layout, bank, misses(even) <= misses(!even) ? even : !even);
    // Where it meets the row's own line.
    const float entry_lane = std::clamp(lane_under(gutter), float(first), float(last));
    const auto at_lane = [&](float lane) {
        return Point{layout.centre_x + (lane - 15.5f) * layout.seat_dx[row],
                     layout.arc_y(row, (lane - 15.5f) / 15.5f) - lift};
    };
    const Point top{gutter, layout.row_y[box_row]}, edge{gutter, layout.board_bottom - 1},
        entry = at_lane(entry_lane);
    const int nearest = std::clamp(int(std::lround(entry_lane)), first, last);
    if (request.lanes >> nearest & 1)  // the line belongs to all its lanes; the one below it stands for them
        frame.scene.rays.push_back({row * trace::warp_size + nearest, box, entry, edge, top});
    const float trunk = std::min(1.0f, grown * 2), spread = std::max(0.0f, grown * 2 - 1);
    const float above = edge.y - top.y,
                below = std::max(1.0f, std::hypot(entry.x - edge.x, entry.y - edge.y));
    const float length = (above + below) * trunk;
    add_line(layer, top, mix(top, edge, std::min(1.0f, length / std::max(1.0f, above))), width,
             faded(frame.theme.board_work, opacity));
    const Color color = faded(frame.theme.work, opacity);
    if (length > above)
        add_line(layer, edge, mix(edge, entry, (length - above) / below), width, color);
    if (spread <= 0)
        return;
    const float from = mix(entry_lane, float(first), spread), to = mix(entry_lane, float(last), spread);
    const Point a = at_lane(from), b = at_lane(to);
    // The row is a parabola; its control point lies where the tangents of both ends meet.
    const float middle = at_lane((from + to) / 2).y;
    add_arc(layer, a, {(a.x + b.x) / 2, 2 * middle - (a.y + b.y) / 2 + 0.01f}, b, width, color);
}

// How much of the rays of a beat is there now.
struct Growth {
    float grown = 0, opacity = 0;
};

Growth growth(const Frame& frame, int at, bool keep, int row) {
    if (!frame.begun(at))
        return {};
    const playback::Beat& beat = frame.span.beats[at];
    const bool still = frame.view.reduced_motion;
    if (at == frame.moment.beat) {
        double begin = beat.lead * 0.6;
        if (beat.kind == BeatKind::broadcast)
            begin += std::min(0.04 * row, 0.4 * row / std::max(1, frame.rows - 1));
        const float t = clamp01((frame.in_beat - begin) / (beat.kind == BeatKind::broadcast ? 0.30 : 0.22));
        return still ? Growth{1, 1} : Growth{out_cubic(t), 1};
    }
    if (keep)
        return {1, 1};
    if (still)
        return {};
    // What has been read fades while something else happens.
    const float t = clamp01(frame.in_beat / 0.12);
    return {1, at == frame.moment.beat - 1 ? 1 - t : 0};
}

}  // namespace

void draw_rays(Frame& frame) {
    if (!frame.plan || !frame.working)
        return;
    const StepPlan& plan = *frame.plan;
    const bool storing = frame.beat.kind == BeatKind::store || frame.beat.kind == BeatKind::crown;
    const bool table = frame.council > 0.01f;
    // Where many rays cross they are thinner.
    int lines = 0;
    for (int row = 0; row < frame.rows; ++row)
        lines += plan.active[row] != 0;
    const float opacity = lines <= 2 ? 0.85f : lines <= 8 ? 0.6f : lines <= 16 ? 0.4f : 0.3f;
    const float width = frame.px(lines <= 8 ? 1.15f : 0.9f);
    const bool crowded = lines > 16;      // then every second ray stands for its neighbour
    static thread_local Gutters gutters;  // kept, so that a frame allocates nothing
    for (auto& pieces : gutters.pieces)
        pieces.clear();
    Ray followed{-1, 0};
    Growth followed_growth;
    for (int row = 0; row < frame.rows; ++row) {
        if (!plan.active[row] || (table && row == 0 && !storing))
            continue;
        // The highest box a lane reaches for hides the lower ones in the same gutter.
        std::array<int, trace::warp_size> best;
        best.fill(-1);
        std::array<Growth, trace::warp_size> best_growth{};
        for (int order = 0; order < plan.orders; ++order) {
            const analysis::Request* request = frame.request(row, order);
            if (!request || (request->kind == EventKind::store) != storing)
                continue;
            int at = -1;
            for (const BeatKind kind :
                 {BeatKind::load, BeatKind::broadcast, BeatKind::store, BeatKind::crown}) {
                const bool store = kind == BeatKind::store || kind == BeatKind::crown;
                if (store == storing && at < 0)
                    at = frame.beat_of(kind, order);
            }
            if (request->wavefronts > 1)
                continue;  // these lanes queue, see tickets.cpp
            const bool keep = !storing && frame.beat.kind != BeatKind::walk;
            const Growth grown = growth(frame, at, keep, row);
            if (grown.opacity <= 0)
                continue;
            if (request->broadcast && std::popcount(request->lanes) > 2) {
                draw_shared_ray(frame, *request, grown.grown, 0.9f * grown.opacity, frame.px(1.5f));
                continue;
            }
            for (int lane = 0; lane < trace::warp_size; ++lane) {
                if (!(request->lanes >> lane & 1))
                    continue;
                const int box = request->box[lane], thread = row * trace::warp_size + lane;
                if (best[lane] >= 0 && best[lane] % 32 == box % 32) {
                    // Same gutter: keep the higher box; while the longer ray grows the shorter stands.
                    const int other = best[lane];
                    const Growth other_growth = best_growth[lane];
                    const bool higher = box < other;
                    if (higher ? grown.grown < 1 : other_growth.grown < 1)
                        draw_ray(frame, gutters, {thread, higher ? other : box},
                                 higher ? other_growth.grown : grown.grown,
                                 opacity * (higher ? other_growth.opacity : grown.opacity), width, false);
                    if (!higher)
                        continue;
                } else if (best[lane] >= 0) {
                    draw_ray(frame, gutters, {thread, best[lane]}, best_growth[lane].grown,
                             opacity * best_growth[lane].opacity, width, false);
                }
                best[lane] = box;
                best_growth[lane] = grown;
            }
        }
        for (int lane = 0; lane < trace::warp_size; ++lane) {
            if (best[lane] < 0)
                continue;
            const int thread = row * trace::warp_size + lane;
            if (thread != frame.followed && crowded && (lane + row / 2) % 2 != 0)
                continue;
            if (thread == frame.followed) {
                followed = {thread, best[lane]};
                followed_growth = best_growth[lane];
            } else {
                draw_ray(frame, gutters, {thread, best[lane]}, best_growth[lane].grown,
                         opacity * best_growth[lane].opacity, width, false);
            }
        }
    }
    draw_gutters(frame, gutters, width);
    if (followed.thread >= 0)
        draw_ray(frame, gutters, followed, followed_growth.grown, followed_growth.opacity, frame.px(2.6f),
                 true);
}

}  // namespace auditorium::scene
