// Reduced motion: nothing travels. A moment shows one still picture; where it changes, the new one fades in
// over the old one. Pure: what is mixed, and how far, follows from the moment alone, so scrubbing is exact.
#pragma once

#include "app/playback/playback.h"
#include "app/scene/shape.h"

namespace auditorium::scene {

struct Change {
    double before = 0;  // a time at which the old picture still stands
    float part = 1;     // how far the new one has come: 0..1; 1: nothing is fading
};

// The last change of the still pictures before this moment.
Change change_at(const playback::Timeline& timeline, const playback::Moment& moment);

// `scene` is the new picture. What both have stays as it is; what only the old one has goes, what only the
// new one has comes. The new comes first, so a box that changes its colour never shows what lies behind it.
void fade_from(Scene& scene, const Scene& old, float part);

}  // namespace auditorium::scene
