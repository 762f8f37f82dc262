// Lines of a run's text by their numbers.
#include <gtest/gtest.h>

#include "trace/trace.h"

namespace auditorium::trace::test {
namespace {

TEST(Source, LinesCountFromOne) {
    Trace trace;
    trace.source = "first\n\n  third";
    EXPECT_EQ(source_line(trace, 1), "first");
    EXPECT_EQ(source_line(trace, 2), "");
    EXPECT_EQ(source_line(trace, 3), "  third");
    EXPECT_EQ(trimmed(source_line(trace, 3)), "third");
    EXPECT_EQ(trimmed(source_line(trace, 2)), "");
    for (const int none : {-1, 0, 4, 1000})
        EXPECT_EQ(source_line(trace, none), "") << none;
    EXPECT_EQ(source_line(Trace{}, 1), "");
}

}  // namespace
}  // namespace auditorium::trace::test
