// A GPU's speed as text and back.
#include "launch/speed.h"

#include <gtest/gtest.h>

namespace auditorium::launch {
namespace {

Speed some() {
    Speed speed;
    speed.device = "NVIDIA H200";
    speed.driver = "580.1";
    speed.cuda = "13.0";
    speed.date = "2026-11-30T10:00:00Z";
    speed.compute_major = 9;
    speed.runs = 5;
    speed.launches = 201;
    speed.array_elements = 1 << 29;
    speed.calls = {{"one_barrier", trace::Op::max, trace::Type::f32, 256, 320, 321.5},
                   {cub_block_reduce, trace::Op::sum, trace::Type::i32, 1024, 640, 641}};
    speed.arrays = {{whole_array_sum, 0.48, 0.49, 2147483648.0}};
    return speed;
}

TEST(Speed, ComesBackFromItsText) {
    const Speed speed = some();
    const auto again = parse_speed(speed_text(speed), "speed.txt");
    ASSERT_TRUE(again) << again.error().sentence;
    EXPECT_EQ(speed_text(*again), speed_text(speed));
    EXPECT_EQ(again->device, "NVIDIA H200");
    EXPECT_EQ(again->compute_major, 9);
    EXPECT_EQ(again->runs, 5);
    const CallTime* call = again->call("one_barrier", trace::Op::max, trace::Type::f32, 256);
    ASSERT_TRUE(call);
    EXPECT_EQ(call->median, 321.5);
    EXPECT_FALSE(again->call("one_barrier", trace::Op::min, trace::Type::f32, 256));
    ASSERT_TRUE(again->array(whole_array_sum));
    EXPECT_NEAR(again->array(whole_array_sum)->terabytes_per_second(), 4.383, 0.001);
}

TEST(Speed, WhatIsNoneIsRefusedWithItsLine) {
    for (const char* text :
         {"", "something else\n", "auditorium speed 1\ncall\tx\tmax\tfloat\t256\t1\n",
          "auditorium speed 1\ncall\tx\tmax\tfloat\t0\t1\t2\n",
          "auditorium speed 1\ncall\tx\tmax\tfloat\t256\tnan\t2\n",
          "auditorium speed 1\ncall\tx\tmost\tfloat\t256\t1\t2\n", "auditorium speed 1\narray\tx\t1\t-2\t3\n",
          "auditorium speed 1\ndevice\tH200\tnine\n"}) {
        const auto speed = parse_speed(text, "a file");
        ASSERT_FALSE(speed) << text;
        EXPECT_EQ(speed.error().status, ExitStatus::bad_input);
        EXPECT_NE(speed.error().sentence.find("a file, line "), std::string::npos) << speed.error().sentence;
    }
}

}  // namespace
}  // namespace auditorium::launch
