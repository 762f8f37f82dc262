// The council: warp 0 at a round table, lane i at 11.25 degrees times i clockwise from the top. Notes travel
// along chords; the result of a pass stands at its seat. Beside the table, where there is room: the passes
// and what the lines mean.
#include <array>
#include <bit>
#include <cmath>
#include <cstdio>
#include <string>

#include "app/scene/frame.h"

namespace auditorium::scene {
namespace {

using playback::BeatKind;
using trace::Event;
using trace::EventKind;
using trace::StepKind;

constexpr float edge_r = 171, people_r = 189, value_r = 151, chord_r = 133;
constexpr float least_with_values = 0.42f;  // a smaller table has no values at its seats
constexpr float pi = 3.14159265f;

const Event* shuffle_of(const trace::Trace& trace, const trace::Step& step, int thread) {
    const trace::Piece& piece = step.pieces[thread];
    for (std::uint32_t e = piece.begin; e < piece.end; ++e)
        if (trace.events[thread][e].kind == EventKind::shuffle)
            return &trace.events[thread][e];
    return nullptr;
}

// What each lane's shuffle comes to, as masks over the lanes of warp 0.
struct Pass {
    std::uint32_t counts = 0;      // its result is used later
    std::uint32_t not_needed = 0;  // nobody uses it
    std::uint32_t alone = 0;       // no partner
    std::uint32_t undefined = 0;   // reads a lane that took no part
    std::uint32_t gives = 0;       // its value goes to a lane that counts
    std::array<int, trace::warp_size> source{};
};

Pass pass_of(const Frame& frame, int s) {
    Pass out;
    const trace::Step& step = frame.trace.steps[s];
    const analysis::StepAnalysis& found = frame.analysis.steps[s];
    const int lanes = std::min(frame.threads, trace::warp_size);
    for (int lane = 0; lane < lanes; ++lane) {
        out.source[lane] = lane;
        const Event* event = shuffle_of(frame.trace, step, lane);
        if (!event)
            continue;
        const std::uint32_t bit = 1u << lane;
        out.source[lane] = event->arg % trace::warp_size;
        if (event->flags & Event::no_partner)
            out.alone |= bit;
        else if (event->flags & (Event::undefined | Event::bad_mask))
            out.undefined |= bit;
        else if (lane < int(found.counts_lane.size()) && found.counts_lane[lane])
            out.counts |= bit;
        else
            out.not_needed |= bit;
    }
    for (int lane = 0; lane < lanes; ++lane)
        if ((out.counts | out.undefined) >> lane & 1)
            out.gives |= 1u << out.source[lane];
    return out;
}

float angle_of(float lane) {
    return lane * 2 * pi / 32;
}

Point on_ring(const Layout& layout, float lane, float radius) {
    const float a = angle_of(lane), r = radius * layout.table_scale;
    return layout.table + Point{r * std::sin(a), -r * std::cos(a)};
}

// Labels around a ring, one a lane: which of them are written, and how far from the middle each stands, px.
struct Ring {
    std::uint32_t shown = 0;
    float size = 0;
    std::array<float, trace::warp_size> radius{};
    std::array<float, trace::warp_size> chord_end{};
    bool stepped = false;  // every second one stands far inside its neighbours
};

using Lengths = std::array<int, trace::warp_size>;  // characters a lane

Rect area_of(const Layout& layout, const Ring& ring, int lane, int characters) {
    const Point at = on_ring(layout, float(lane), ring.radius[std::size_t(lane)] / layout.table_scale);
    const float w = 0.6f * ring.size * float(characters) + 2,
                h = ring.size * 0.8f + 1;  // 2 px apart, 1 above
    return {at.x - w / 2, at.y - h / 2, w, h};
}

// Does a lane's label touch one of the labels that are shown?
bool touches(const Layout& layout, const Ring& ring, const Lengths& lengths, int lane) {
    const Rect a = area_of(layout, ring, lane, lengths[std::size_t(lane)]);
    for (int other = 0; other < trace::warp_size; ++other) {
        if (other == lane || !(ring.shown >> other & 1))
            continue;
        const Rect b = area_of(layout, ring, other, lengths[std::size_t(other)]);
        if (a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h)
            return true;
    }
    return false;
}

bool any_touch(const Layout& layout, const Ring& ring, const Lengths& lengths) {
    for (int lane = 0; lane < trace::warp_size; ++lane)
        if ((ring.shown >> lane & 1) && touches(layout, ring, lengths, lane))
            return true;
    return false;
}

std::uint32_t mask_of(int lanes) {
    return lanes >= 32 ? 0xffffffffu : (1u << lanes) - 1;
}

// The lanes' numbers, outside the people.
Ring numbers_of(const Layout& layout, int lanes, Lengths& digits) {
    Ring ring;
    ring.size = std::max(layout.text.smallest, layout.text.small * std::min(1.0f, layout.table_scale));
    ring.radius.fill(layout.number_radius());
    for (int lane = 0; lane < trace::warp_size; ++lane)
        digits[std::size_t(lane)] = lane < 10 ? 1 : 2;
    // As on a clock face: all of them, else every second, every fourth, every eighth.
    for (const std::uint32_t some : {0xffffffffu, 0x55555555u, 0x11111111u, 0x01010101u}) {
        ring.shown = mask_of(lanes) & some;
        if (!any_touch(layout, ring, digits))
            return ring;
    }
    ring.shown = 0;
    return ring;
}

// The values at the seats in this step, between the people and where the arrows end: placed for what they are
// before it and after it, so that none moves when a note is taken. Where they do not fit side by side, every
// second one moves inwards; where that is not enough, they get smaller. All of them are written, or none: a
// ring with holes would read as lanes without a value.
Ring values_of(const Frame& frame) {
    const Layout& layout = frame.layout;
    const float k = layout.table_scale;
    const int lanes = std::min(frame.threads, trace::warp_size);
    Lengths lengths{};
    int longest = 3;
    for (int lane = 0; lane < lanes; ++lane) {
        int& length = lengths[std::size_t(lane)];
        length = std::max<int>(frame.before->lane_text[lane].length, frame.after->lane_text[lane].length);
        longest = std::max(longest, length);
    }
    Ring ring;
    ring.chord_end.fill(chord_r * k);
    ring.size = std::min(12.0f * std::clamp(k, 1.0f, 1.5f) * (frame.view.presenter ? 1.15f : 1.0f),
                         (29.6f * k - 3.5f) / (0.6f * float(longest)));
    ring.size = std::max(ring.size, layout.text.smallest);
    if (k < least_with_values)
        return ring;
    const auto place = [&](Ring& to, float inwards) {
        for (int lane = 0; lane < lanes; ++lane) {
            const float a = angle_of(float(lane));
            const float half = 0.3f * to.size * float(lengths[std::size_t(lane)]) * std::abs(std::sin(a)) +
                               0.4f * to.size * std::abs(std::cos(a));  // of the text, towards the middle
            float r = std::min(value_r * k, (people_r - 8) * k - half - 1);
            if (lane % 2 == 1 && inwards > 0 && std::abs(std::cos(a)) > 0.62f)
                r -= inwards / std::abs(std::cos(a));
            to.radius[std::size_t(lane)] = r;
            to.chord_end[std::size_t(lane)] = std::min(chord_r * k, r - half - 4);
        }
        to.shown = mask_of(lanes);
    };
    for (;; ring.size = std::max(layout.text.smallest, ring.size - 0.5f)) {
        for (const float inwards : {0.0f, ring.size + 2, ring.size + 5, ring.size + 8}) {
            place(ring, inwards);
            ring.stepped = inwards > ring.size + 2;
            if (!any_touch(layout, ring, lengths))
                return ring;
        }
        if (ring.size <= layout.text.smallest)
            break;
    }
    ring.shown = 0;
    ring.stepped = false;
    ring.chord_end.fill(chord_r * k);
    return ring;
}

struct Chord {
    Point from, control, to;
};

Chord chord_between(const Layout& layout, int source, int lane, const Ring& values) {
    const auto end = [&](int at) {
        return on_ring(layout, float(at), values.chord_end[std::size_t(at)] / layout.table_scale);
    };
    const Point from = end(source), to = end(lane);
    const Point middle = mix(from, to, 0.5f);
    Point control = mix(middle, layout.table, 0.42f);
    if (std::abs(source - lane) == 16)  // a diameter bends sideways, or every note would meet in the centre
        control = on_ring(layout, float(lane) + 8, 0.9f * chord_r);
    return {from, control, to};
}

// "0", "0–7", "0, 2, 5"; "" for too many runs.
std::string lanes_text(std::uint32_t mask) {
    std::string out;
    int runs = 0;
    for (int lane = 0; lane < 32; ++lane) {
        if (!(mask >> lane & 1))
            continue;
        int last = lane;
        while (last + 1 < 32 && (mask >> (last + 1) & 1))
            ++last;
        if (++runs > 3)
            return {};
        char text[40];
        const char* comma = out.empty() ? "" : ", ";
        if (last > lane)
            std::snprintf(text, sizeof text, "%s%d\u2013%d", comma, lane, last);
        else
            std::snprintf(text, sizeof text, "%s%d", comma, lane);
        out.append(text);
        lane = last;
    }
    return out;
}

std::string lanes_sentence(std::uint32_t mask) {
    const int count = std::popcount(mask);
    const std::string which = lanes_text(mask);
    char text[64];
    if (which.empty())
        std::snprintf(text, sizeof text, "%d lanes", count);
    else
        std::snprintf(text, sizeof text, "%s %s", count == 1 ? "lane" : "lanes", which.c_str());
    return text;
}

void draw_seat_at_table(Frame& frame, Point at, float angle, float k, Color body, Color head, bool hollow) {
    Layer& layer = frame.layer(LayerId::people);
    const Theme& theme = frame.theme;
    const auto outward = [&](float distance) { return at + rotated({0, -distance * k}, angle); };
    add_box(layer, outward(9.5f), 22 * k, 8 * k, 3 * k, theme.seat, theme.seat_line, 1).rotation = angle;
    Shape& shape = add_box(layer, outward(2.5f), 18 * k, 11 * k, 5.5f * k, hollow ? theme.background : body,
                           hollow ? head : 0, hollow ? frame.px(1.6f) : 0);
    shape.rotation = angle;
    add_disc(layer, outward(-1.5f), 4.8f * k, head, theme.background, 1.2f);
}

// How far a lane is on its way to the table: 0 at its seat in the hall, 1 at the table.
float arrived_part(const Frame& frame, int lane) {
    if (frame.beat.kind != BeatKind::walk || frame.view.reduced_motion)
        return frame.council;
    const float begun = clamp01((frame.in_beat - 0.006f * float(lane)) / 0.7f);
    return in_out_cubic(frame.span.table_at_begin ? 1 - begun : begun);
}

// Half way between the hall and the table a researcher changes from a figure into a head seen from above.
void draw_people(Frame& frame, const Pass* pass) {
    const Layout& layout = frame.layout;
    const Theme& theme = frame.theme;
    const int lanes = std::min(frame.threads, trace::warp_size);
    Layer& layer = frame.layer(LayerId::people);
    Lengths digits;
    const Ring numbers = numbers_of(layout, lanes, digits);
    for (int lane = 0; lane < lanes; ++lane) {
        const float w = arrived_part(frame, lane);
        const Point home = layout.seat(0, lane), place = on_ring(layout, float(lane), people_r);
        const float angle = angle_of(float(lane));
        const bool arrived = w > 0.6f;
        const bool active = frame.active(lane);
        bool hollow = false;
        Color head = active ? theme.work : theme.person;
        bool counts = active;
        if (pass) {
            counts = (pass->counts | pass->undefined) >> lane & 1;
            hollow = !counts && (pass->gives >> lane & 1);
            head = counts || hollow ? theme.work : theme.eliminated;
            if (pass->undefined >> lane & 1)
                head = theme.hazard;
        } else if (frame.plan && frame.working && !active && frame.beat.kind != BeatKind::walk) {
            head = theme.eliminated;
        }
        if (arrived) {
            const Point at = w >= 1 ? place : mix(home, place, w);
            draw_seat_at_table(frame, at, angle, layout.table_scale, mix(head, theme.background, 0.28f), head,
                               hollow);
            if (w > 0.95f) {
                char text[16];
                std::snprintf(text, sizeof text, "%d", lane);
                if (numbers.shown >> lane & 1)
                    add_label(layer,
                              on_ring(layout, float(lane), layout.number_radius() / layout.table_scale), text,
                              numbers.size, counts && pass ? Font::semibold : Font::regular,
                              counts && pass ? theme.work : theme.text3);
                frame.scene.targets.push_back({Target::Kind::seat, lane, {at.x - 11, at.y - 11, 22, 22}});
            }
        } else {
            Pose pose;  // everybody walks upright, arms down
            pose.body_y = 11.8f;
            pose.body_h = 14.6f;
            pose.head_y = 23.4f;
            pose.stand = 1;
            pose.color = active ? theme.work : theme.person;
            const Spot spot{mix(home, place, w), 0, mix(layout.person, layout.table_scale * 0.9f, w)};
            draw_person(frame, layer, spot, pose);
        }
        if (lane == frame.followed)
            add_disc(layer, arrived ? mix(home, place, w) : mix(home, place, w) + Point{0, -15},
                     (arrived ? 14.5f : 9.0f) * layout.table_scale, 0, theme.focus, frame.px(1.8f));
    }
}

void draw_values(Frame& frame, const Pass* pass, const Ring& ring, float opacity) {
    const Layout& layout = frame.layout;
    const Theme& theme = frame.theme;
    Layer& layer = frame.layer(LayerId::people);
    const int lanes = std::min(frame.threads, trace::warp_size);
    bool taken = !frame.now || frame.resting;
    if (frame.now) {
        const int combine = frame.beat_of(BeatKind::combine, 0), note = frame.beat_of(BeatKind::note, 0);
        const int load = frame.beat_of(BeatKind::load, 0);
        if (combine >= 0)
            taken = frame.passed(combine) || (frame.begun(combine) && frame.moment.beat_progress > 0.35);
        else if (note >= 0)
            taken = frame.passed(note);
        else
            taken = load < 0 || frame.passed(load) || frame.begun(load);
    }
    const BoardState& state = taken ? *frame.after : *frame.before;
    const trace::Step* step = taken            ? frame.now
                              : frame.step > 0 ? &frame.trace.steps[frame.step - 1]
                                               : nullptr;
    for (int lane = 0; lane < lanes; ++lane) {
        const bool undefined = step && step->register_undefined[lane];
        const ShortText& text = state.lane_text[lane];
        // It stands there once its owner does: people walk in through the ring.
        const float there = clamp01((arrived_part(frame, lane) - 0.9f) / 0.1f);
        if (!(ring.shown >> lane & 1) || there <= 0)
            continue;
        const bool involved = pass ? ((pass->counts | pass->gives | pass->undefined) >> lane & 1) : true;
        const Color color = undefined ? theme.hazard : involved ? theme.text1 : theme.text3;
        add_label(layer, on_ring(layout, float(lane), ring.radius[std::size_t(lane)] / layout.table_scale),
                  undefined ? "?" : text.view(), ring.size, undefined ? Font::mono_semibold : Font::mono,
                  faded(color, opacity * there));
    }
}

void draw_arrow_head(Layer& layer, const Chord& chord, float size, Color color) {
    const Point d = chord.to - chord.control;
    const float length = std::max(1e-3f, std::hypot(d.x, d.y));
    const Point u{d.x / length, d.y / length}, n{-u.y, u.x};
    add_triangle(layer, chord.to + u * (size * 0.2f), chord.to - u * size + n * (size * 0.45f),
                 chord.to - u * size - n * (size * 0.45f), color);
}

void draw_chords(Frame& frame, const Pass& pass, const Ring& values, float opacity) {
    const Layout& layout = frame.layout;
    const Theme& theme = frame.theme;
    Layer& lines = frame.layer(LayerId::people);
    Layer& notes = frame.layer(LayerId::notes);
    const int note_beat = frame.beat_of(BeatKind::note, 0);
    if (!frame.begun(note_beat))
        return;
    const bool flying = frame.moment.beat == note_beat;
    const float p = flying ? in_out_cubic(clamp01(frame.moment.beat_progress)) : 1;
    const int lanes = std::min(frame.threads, trace::warp_size);
    const int offset = std::max(1, frame.now->offset);
    const int many = std::popcount(pass.counts);
    const bool blank = many > 8;
    // First what does not count, so that it lies below.
    for (int lane = 0; lane < lanes; ++lane) {
        const std::uint32_t bit = 1u << lane;
        const Color quiet = faded(theme.text3, 0.6f * opacity);
        if (pass.alone & bit) {
            add_ribbon(lines, on_ring(layout, float(lane) - 0.22f, chord_r),
                       on_ring(layout, float(lane), chord_r - 46),
                       on_ring(layout, float(lane) + 0.22f, chord_r), frame.px(1.1f), quiet, 2, 3);
        } else if (pass.not_needed & bit) {
            const Chord chord = chord_between(layout, pass.source[lane], lane, values);
            add_ribbon(lines, chord.from, chord.control, chord.to, frame.px(1), quiet, 4, 3.5f);
        }
    }
    for (int lane = 0; lane < lanes; ++lane) {
        const std::uint32_t bit = 1u << lane;
        if (!((pass.counts | pass.undefined) & bit))
            continue;
        const Chord chord = chord_between(layout, pass.source[lane], lane, values);
        const bool undefined = pass.undefined & bit;
        const bool followed = lane == frame.followed;
        const Color color = faded(undefined ? theme.hazard : theme.work, opacity);
        add_ribbon(lines, chord.from, chord.control, chord.to, frame.px(followed ? 2.4f : 1.6f), color,
                   undefined ? 6 : 0, undefined ? 4 : 0);
        if (!blank || followed)
            draw_arrow_head(lines, chord, 8 * layout.table_scale, color);
    }
    if (!flying && !frame.view.reduced_motion)
        return;
    const float size =
        std::max(layout.text.smallest, layout.text.box * std::min(1.15f, layout.table_scale * 1.08f));
    // On a small table, and inside values that stand in two circles, the notes would lie over each other and
    // over the middle: none but the followed lane's has its number.
    const float innermost =
        values.stepped ? *std::min_element(values.chord_end.begin(), values.chord_end.begin() + lanes)
                       : chord_r * layout.table_scale;
    const float apart = 2 * pi / trace::warp_size * innermost;
    const char* longest = values.stepped ? "00000" : "000";
    const bool crowded = many > 1 && apart < 0.6f * (text_width(Font::mono_semibold, size, longest) + 10);
    std::array<Rect, trace::warp_size> placed{};  // numbered notes so far
    int count = 0;
    for (int pair = 0; pair < 2; ++pair) {  // the followed lane's note lies on top
        for (int lane = 0; lane < lanes; ++lane) {
            const bool followed = lane == frame.followed;
            if (!((pass.counts | pass.undefined) >> lane & 1) || followed != (pair == 1))
                continue;
            const Event* event = shuffle_of(frame.trace, *frame.now, lane);
            const Chord chord = chord_between(layout, pass.source[lane], lane, values);
            const int turn = frame.now->exchange ? lane % offset : lane;
            const float t =
                clamp01(1.5f * p - 0.5f * float(std::min(turn, offset - 1)) / float(std::max(1, offset - 1)));
            const bool undefined = pass.undefined >> lane & 1;
            const ShortText text = short_number(event->bits, frame.trace.config.type);
            const bool number = !(blank || crowded) || followed;
            const float k = layout.table_scale;
            const float w = number ? text_width(Font::mono_semibold, size, text.view()) + 10 : 14 * k;
            const float h = number ? size * 1.6f : 9 * k;
            const std::string_view words =
                number ? (undefined ? std::string_view("?") : text.view()) : std::string_view();
            // On its chord, but never on the ring of values.
            const float inner = 3 + std::min({values.chord_end[std::size_t(lane)],
                                              values.chord_end[std::size_t(pass.source[lane])], innermost});
            const auto place = [&](float part) {
                const Point d = on_curve(chord.from, chord.control, chord.to, part) - layout.table;
                const float r = std::max(1.0f, std::hypot(d.x, d.y));
                const float reach =
                    (w * std::abs(d.x) + h * std::abs(d.y)) / (2 * r);  // of the note, outwards
                const Point at = layout.table + d * (std::min(r, inner - reach) / r);
                if (!number)
                    return at;
                // Beside its neighbours: further in, as far as it takes. The way out grows with how much they
                // lie on each other, so that no note jumps when another passes; the paper may touch, digits
                // do not.
                const auto area = [&](Point p) { return Rect{p.x - w / 2, p.y - h / 2, w, h}; };
                const Rect mine = area(at);
                const Point in{-d.x / r, -d.y / r};
                float push = 0;
                for (int i = 0; i < count; ++i) {
                    const Rect& other = placed[std::size_t(i)];
                    const float x = std::min(mine.x + w, other.x + other.w) - std::max(mine.x, other.x);
                    const float y = std::min(mine.y + h, other.y + other.h) - std::max(mine.y, other.y);
                    if (x <= 0 || y <= 0)
                        continue;
                    const bool right = at.x >= other.x + other.w / 2, below = at.y >= other.y + other.h / 2;
                    const float along_x = right ? in.x : -in.x, along_y = below ? in.y : -in.y;
                    const float far = w + h;
                    const float out = std::min(
                        {along_x > 0.1f ? x / along_x : far, along_y > 0.1f ? y / along_y : far, far});
                    const float part = clamp01(std::min(x, y) / 7);
                    push = std::max(push, std::min(out, 30.0f) * part * part * (3 - 2 * part));
                }
                const Point found = at + in * push;
                placed[std::size_t(count)] = area(found);
                count = std::min(count + 1, trace::warp_size - 1);
                return found;
            };
            if (frame.view.reduced_motion) {
                if (!number)
                    continue;
                draw_note(frame, notes, place(0.1f), w, h, words, size, undefined);
                draw_note(frame, notes, place(0.9f), w, h, words, size, undefined);
            } else {
                const Point at = place(t);
                draw_note(frame, notes, at, w, h, words, size, undefined);
                frame.scene.targets.push_back({Target::Kind::note, lane, {at.x - w / 2, at.y - h / 2, w, h}});
            }
        }
    }
}

const char* count_word(int n) {
    static constexpr const char* words[] = {"No",   "One", "Two",   "Three", "Four",
                                            "Five", "Six", "Seven", "Eight"};
    return n <= 8 ? words[n] : "Many";
}

// The passes of this stay at the table.
void draw_passes(Frame& frame, float opacity) {
    const Layout& layout = frame.layout;
    const Theme& theme = frame.theme;
    int first = frame.step, last = frame.step;
    if (frame.plan->council) {
        first = frame.prepared.stay_begin[frame.step];
        last = frame.prepared.stay_end[frame.step];
    } else if (frame.step + 1 < int(frame.trace.steps.size()) &&
               frame.prepared.steps[frame.step + 1].council) {
        first = frame.prepared.stay_begin[frame.step + 1];
        last = frame.prepared.stay_end[frame.step + 1];
    } else {
        return;
    }
    std::array<int, 8> steps;
    int count = 0;
    for (int s = first; s <= last && count < 8; ++s)
        if (frame.trace.steps[s].kind == StepKind::shuffle)
            steps[count++] = s;
    if (count == 0)
        return;
    // As large as the table; smaller where the height is short; not at all where even that lies on something.
    const float size = layout.text.body, small = layout.text.small;
    const float words_w = text_width(Font::semibold, size, "down by 16") + 18;
    float k = std::clamp(layout.table_scale, 0.8f, 1.1f), left = 0, y = 0;
    bool fits = false;
    for (const float part : {1.0f, 0.85f, 0.72f, 0.6f}) {
        const float scale = k * part, width = 44 * scale + 10 + words_w;
        left = std::max(10.0f, layout.table.x - 232 * layout.table_scale - width + 10 - 66 * scale);
        y = layout.table.y - 62 * scale * float(count) / 2 + 4;
        const Rect area{left, y - 14 * scale - size * 0.6f, width,
                        14 * scale + size * 0.6f + 62 * scale * float(count)};
        fits = frame.inside().holds(area) && frame.taken.free(area);
        if (fits) {
            k = scale;
            frame.taken.add(area);
            frame.scene.words.push_back(area);
            break;
        }
    }
    if (!fits)
        return;
    Layer& layer = frame.layer(LayerId::labels);
    const float pitch = 62 * k, r = 22 * k;
    char text[48];
    std::snprintf(text, sizeof text, "%s %s", count_word(count), count == 1 ? "pass" : "passes");
    add_label(layer, {left, y - 14 * k}, text, size * 0.93f, Font::regular, faded(theme.text2, opacity),
              Align::left);
    y += pitch * 0.5f;
    for (int i = 0; i < count; ++i, y += pitch) {
        const int s = steps[i];
        const bool now = s == frame.step;
        const bool done = s < frame.step || (now && frame.moment.at_end);
        const Pass pass = pass_of(frame, s);
        const Point c{left + r, y};
        const Color line = faded(now ? theme.work : theme.edge, opacity);
        add_disc(layer, c, r, faded(theme.background, opacity), line, frame.px(now ? 1.8f : 1));
        const Color ink = faded(now    ? theme.work
                                : done ? theme.text2
                                       : theme.text3,
                                opacity * (now ? 1 : 0.8f));
        for (int lane = 0; lane < 32; ++lane) {
            if (!((pass.counts | pass.undefined) >> lane & 1))
                continue;
            const float a = angle_of(float(lane)), b = angle_of(float(pass.source[lane]));
            const Point from = c + Point{std::sin(a), -std::cos(a)} * (r - 4);
            if (pass.source[lane] >= frame.threads)  // nobody is there: a short line towards the middle
                add_line(layer, from, mix(from, c, 0.25f), 0.8f, faded(theme.hazard, opacity));
            else {  // bent as its chord is: a short one can be seen too
                const Point to = c + Point{std::sin(b), -std::cos(b)} * (r - 4);
                const Point bend = on_curve(from, mix(mix(from, to, 0.5f), c, 0.6f), to, 0.5f);
                add_line(layer, from, bend, 0.8f, ink);
                add_line(layer, bend, to, 0.8f, ink);
            }
        }
        const trace::Step& step = frame.trace.steps[s];
        if (step.offset > 0)
            std::snprintf(text, sizeof text, step.exchange ? "swap by %d" : "down by %d", step.offset);
        else
            std::snprintf(text, sizeof text, "shuffle");
        const float x = left + 2 * r + 10;
        const Font font = now ? Font::semibold : Font::regular;
        add_label(layer, {x, y - small * 0.55f}, text, size * 0.97f, font,
                  faded(now ? theme.text1 : theme.text2, opacity), Align::left);
        if (done) {
            const float cx = x + text_width(font, size * 0.97f, text) + 6, cy = y - small * 0.55f;
            add_line(layer, {cx, cy}, {cx + 3, cy + 3.5f}, 1.8f, faded(theme.champion, opacity));
            add_line(layer, {cx + 3, cy + 3.5f}, {cx + 9, cy - 4}, 1.8f, faded(theme.champion, opacity));
        }
        const int useful = std::popcount(pass.counts);
        std::snprintf(text, sizeof text, useful == 1 ? "%d note counts" : "%d notes count", useful);
        add_label(layer, {x, y + size * 0.6f}, text, small, Font::regular, faded(theme.text3, opacity),
                  Align::left);
    }
}

// What the lines of this pass mean.
void draw_legend(Frame& frame, const Pass& pass, float opacity) {
    const Layout& layout = frame.layout;
    const Theme& theme = frame.theme;
    const float size = layout.text.label, small = layout.text.small;
    const float x = layout.table.x + 248 * layout.table_scale;
    const float words = x + 40;
    Layer& layer = frame.layer(LayerId::labels);
    const float pitch = 46 * std::clamp(layout.table_scale, 0.85f, 1.1f);
    struct Entry {
        std::uint32_t mask;
        const char* words;
    };
    const Entry entries[] = {{pass.counts, "counts"},
                             {pass.not_needed, "not needed"},
                             {pass.alone, "no partner"},
                             {pass.undefined, "undefined"}};
    int shown = 0;
    for (const Entry& entry : entries)
        shown += entry.mask != 0;
    float y = std::min(layout.table.y + 40 * layout.table_scale,
                       layout.table.y + 200 * layout.table_scale - pitch * float(shown));
    float width = 40 + text_width(Font::regular, size, "not needed");
    for (const Entry& entry : entries)
        if (entry.mask)
            width = std::max(width, 40 + text_width(Font::regular, small, lanes_sentence(entry.mask)));
    const Rect area{x, y - size * 0.6f, width, size * 0.6f + pitch * (float(shown) + 0.2f)};
    if (!frame.inside().holds(area) || !frame.taken.free(area))
        return;
    frame.taken.add(area);
    frame.scene.words.push_back(area);
    add_label(layer, {x, y}, "Notes", size, Font::regular, faded(theme.text2, opacity), Align::left);
    y += pitch * 0.6f;
    for (int i = 0; i < 4; ++i) {
        if (!entries[i].mask)
            continue;
        const Point a{x, y}, b{x + 30, y}, m{x + 15, y};
        if (i == 0) {
            add_line(layer, a, b, frame.px(1.8f), faded(theme.work, opacity));
            draw_slip(frame, layer, m, 20, 13);
        } else if (i == 1) {
            add_dashed_line(layer, a, b, frame.px(1.2f), faded(theme.text3, opacity), 3, 4);
        } else if (i == 2) {
            add_ribbon(layer, {m.x - 7, y + 8}, {m.x, y - 20}, {m.x + 7, y + 8}, frame.px(1.2f),
                       faded(theme.text3, opacity), 2, 3);
        } else {
            add_dashed_line(layer, a, b, frame.px(1.4f), faded(theme.hazard, opacity), 5, 3);
            draw_note(frame, layer, m, 19, 14, "?", layout.text.smallest, true);
        }
        add_label(layer, {words, y - small * 0.3f}, entries[i].words, size, Font::regular,
                  faded(theme.text1, opacity), Align::left);
        add_label(layer, {words, y + size * 0.8f}, lanes_sentence(entries[i].mask), small, Font::regular,
                  faded(theme.text3, opacity), Align::left);
        y += pitch;
    }
}

// In the middle: the offset of a pass (unless the diameters go there), or the result once it is published.
void draw_centre(Frame& frame, bool passing) {
    const Layout& layout = frame.layout;
    const Theme& theme = frame.theme;
    Layer& layer = frame.layer(LayerId::people);
    const float k = layout.table_scale;
    const Point words{layout.table.x, layout.table.y - 29 * k},
        number{layout.table.x, layout.table.y + 6 * k};
    const float small = std::max(layout.text.smallest, layout.text.label);
    const bool worded = (29 + 6) * k > 0.4f * (small + 46 * k) + 2;  // a small table has the number alone
    if (passing && frame.now->offset > 0 && frame.now->offset < 16) {
        char text[16];
        std::snprintf(text, sizeof text, "%d", frame.now->offset);
        if (worded)
            add_label(layer, words, frame.now->exchange ? "xor" : "offset", small, Font::regular,
                      theme.text2);
        add_label(layer, number, text, std::max(layout.text.smallest, 46 * k), Font::semibold, theme.text1);
        return;
    }
    const int crown = frame.beat_of(BeatKind::crown, 0), box = frame.after->champion;
    if (passing || !frame.begun(crown) || box < 0 || frame.council < 0.8f ||
        frame.after->state[box] != trace::box_defined)
        return;
    const float opacity = clamp01((frame.council - 0.8f) / 0.2f);
    const std::string_view text = frame.after->text[box].view();
    if (worded)
        add_label(layer, words, "result", small, Font::regular, faded(theme.text2, opacity));
    add_label(layer, number, text,
              std::max(layout.text.smallest, std::min(46 * k, 150 * k / (0.6f * float(text.size())))),
              Font::mono_semibold, faded(theme.champion, opacity));
}

}  // namespace

Point place_at_table(const Layout& layout, int lane) {
    return on_ring(layout, float(lane), people_r);
}

void draw_table(Frame& frame) {
    if (frame.council <= 0.001f || !frame.plan)
        return;
    const Layout& layout = frame.layout;
    const Theme& theme = frame.theme;
    const float k = layout.table_scale;
    const float opacity = clamp01((frame.council - 0.35f) / 0.5f);
    Layer& floor = frame.layer(LayerId::floor);
    if (opacity > 0) {
        add_disc(floor, layout.table, edge_r * k, faded(mix(theme.panel, theme.raised, 0.5f), opacity),
                 faded(theme.edge, opacity), frame.px(1.8f));
        add_disc(floor, layout.table, (chord_r - 3) * k, faded(theme.panel, opacity));
    }
    const bool shuffle = frame.now->kind == StepKind::shuffle;
    Pass pass;
    if (shuffle)
        pass = pass_of(frame, frame.step);
    const bool passing = shuffle && frame.beat.kind != BeatKind::walk && !frame.resting;
    const Ring values = values_of(frame);
    frame.taken.table = layout.table;
    frame.taken.table_radius = layout.table_radius() + 4;
    const float radius = layout.table_radius();
    frame.scene.table = {layout.table.x - radius, layout.table.y - radius, 2 * radius, 2 * radius};
    if (passing)
        draw_chords(frame, pass, values, opacity);
    draw_people(frame, passing ? &pass : nullptr);
    if (frame.council > 0.8f)
        draw_values(frame, passing ? &pass : nullptr, values, clamp01((frame.council - 0.8f) / 0.2f));
    draw_centre(frame, passing);
}

void draw_beside_table(Frame& frame) {
    const float opacity = clamp01((frame.council - 0.75f) / 0.25f);
    if (opacity <= 0.02f || !frame.plan)
        return;
    draw_passes(frame, opacity);
    if (!frame.view.presenter && frame.now->kind == StepKind::shuffle && frame.beat.kind != BeatKind::walk &&
        !frame.resting)
        draw_legend(frame, pass_of(frame, frame.step), opacity);
}

}  // namespace auditorium::scene
