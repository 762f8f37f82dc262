// What a real GPU recorded, held against its own snapshots and against the interpreter.
#include <gtest/gtest.h>

#include <filesystem>

#include "kernels/catalogue.h"
#include "simt/simt.h"
#include "trace/difference.h"
#include "trace/io.h"
#include "trace/replay.h"

namespace auditorium::trace {
namespace {

TEST(Recordings, replay_and_equal_the_simulated_run) {
    int files = 0, equal = 0;
    for (const auto& entry : std::filesystem::directory_iterator(AUDITORIUM_SOURCE_DIR "/recordings")) {
        if (entry.path().extension() != ".audit") {
            continue;
        }
        const auto name = entry.path().filename().string();
        const auto trace = read(entry.path().string());
        ASSERT_TRUE(trace) << trace.error().sentence;
        ++files;
        EXPECT_EQ(replay(*trace).difference, "") << name;
        const auto* kernel = kernels::find(trace->config.kernel);
        ASSERT_NE(kernel, nullptr) << name;
        if (trace->source != kernel->source) {
            continue;  // recorded from another text: it is the recordings' own test that says so
        }
        const auto simulated = simt::run(
            kernel->source, {kernel->entry, kernel->barrier_between_calls, kernel->results, kernel->file},
            trace->config);
        ASSERT_TRUE(simulated) << simulated.error().sentence;
        EXPECT_EQ(trace->racy, simulated->racy) << name;
        if (!trace->racy) {  // of a racy run the GPU's order is its own
            EXPECT_EQ(difference(*trace, *simulated), "") << name;
            ++equal;
        }
    }
    EXPECT_GT(files, 0);
    EXPECT_GT(equal, 0);
}

}  // namespace
}  // namespace auditorium::trace
