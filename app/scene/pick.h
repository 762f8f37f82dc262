// From a point to the thing there, and from a thing to its neighbour. Pure functions of a scene as built.
#pragma once

#include <optional>

#include "app/inspector/thing.h"
#include "app/scene/shape.h"

namespace auditorium::scene {

inspector::Thing thing_of(const Target& target);

// What lies at a point of the window: notes and tickets over people, people over rays, rays over boxes.
std::optional<inspector::Thing> pick(const Scene& scene, Point window);

// Where a thing is drawn, in the window; empty: it is not on show now. Of a ray: where it meets the board.
std::optional<Rect> place_of(const Scene& scene, const inspector::Thing& thing);

// Where a rect of the scene lies in the window.
Rect in_window(const Scene& scene, const Rect& r);

// The next thing in a direction: (1, 0) right, (0, -1) up, ... Boxes, seats and banks go by their grid, all
// else to the nearest. A thing that is not on show (a note that has landed) goes from its researcher, bank or
// box. Empty: nothing lies that way.
std::optional<inspector::Thing> neighbour(const Scene& scene, const inspector::Thing& from, int dx, int dy);

}  // namespace auditorium::scene
