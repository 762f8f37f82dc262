#include <gtest/gtest.h>

#include "app/inspector/thing.h"
#include "tests/scene/runs.h"

namespace auditorium::inspector {
namespace {

TEST(Thing, NamesAreReadBack) {
    const test::Played run = test::run("contiguous_warp", 256);
    for (const char* name : {"box:5", "box:255", "thread:37", "note:3", "ray:37:165", "ticket:5:2", "bank:31",
                             "step:0", "step:13", "step:4:7"}) {
        const auto thing = parse_thing(name, run.trace, 0);
        ASSERT_TRUE(thing) << name;
        EXPECT_EQ(name_of(*thing), name);
    }
    EXPECT_TRUE(parse_thing("finding:1", run.trace, 2));
}

TEST(Thing, WhatARunDoesNotHaveIsRefused) {
    const test::Played run = test::run("contiguous_warp", 256);
    for (const char* name : {"", "box", "box:", "box:x", "box:-1", "box:256", "box:5:1", "thread:256",
                             "ray:5", "ray:5:256", "ticket:5", "ticket:32:0", "bank:32", "step:14",
                             "step:4:8", "step:4:1:1", "finding:0", "chair:5", "box:99999999999"}) {
        const auto thing = parse_thing(name, run.trace, 0);
        ASSERT_FALSE(thing) << name;
        EXPECT_EQ(thing.error().status, ExitStatus::usage);
        EXPECT_FALSE(thing.error().sentence.empty());
    }
}

}  // namespace
}  // namespace auditorium::inspector
