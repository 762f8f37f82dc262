// Where the timed kernels can read the clock.
#include "kernels/points.h"

#include <gtest/gtest.h>

namespace auditorium::kernels {
namespace {

constexpr int none = Points::no_point;

TEST(Points, ARoundOfTheTreeHasNoneBetweenItsBarriers) {
    Points points;
    EXPECT_EQ(points.store(), none);  // stage: the kernel's start is its own point
    const int first_arrival = points.barrier_arrive(), first_leave = points.barrier_leave();
    EXPECT_NE(first_arrival, first_leave);
    EXPECT_EQ(points.load(), none);
    EXPECT_EQ(points.load(), none);
    EXPECT_EQ(points.combine(), none);
    EXPECT_EQ(points.store(), none);
    const int second_arrival = points.barrier_arrive();
    EXPECT_NE(second_arrival, first_arrival);
    EXPECT_NE(second_arrival, none);
}

// A thread that takes no part in a round arrives at the same points as one that does.
TEST(Points, DoNotDependOnTheBranchTaken) {
    Points busy, idle;
    busy.barrier_leave();
    idle.barrier_leave();
    busy.load();
    busy.load();
    busy.combine();
    busy.store();
    EXPECT_EQ(busy.barrier_arrive(), idle.barrier_arrive());
    EXPECT_EQ(busy.barrier_leave(), idle.barrier_leave());
    EXPECT_EQ(busy.end(), idle.end());
}

TEST(Points, StepsWithoutABarrierBegin) {
    Points points;
    points.barrier_leave();
    EXPECT_EQ(points.load(), none);  // hand-off
    const int first = points.shuffle();
    EXPECT_EQ(points.combine(), none);
    const int second = points.shuffle();
    points.combine();
    const int publish = points.store();
    EXPECT_GT(first, 0);
    EXPECT_GT(second, first);
    EXPECT_GT(publish, second);

    // Two reductions back to back: the second stages right after the first one's broadcast.
    points.barrier_leave();
    EXPECT_EQ(points.load(), none);
    EXPECT_GT(points.store(), publish);

    // Rounds that no barrier separates: who sits one out would number the rest otherwise.
    points.load();
    points.combine();
    EXPECT_EQ(points.store(), none);
    EXPECT_EQ(points.load(), none);
}

}  // namespace
}  // namespace auditorium::kernels
