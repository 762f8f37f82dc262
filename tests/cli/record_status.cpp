// What record says and returns of a run that did not end. No kernel of the catalogue makes one, so the runs
// are of texts that only this test knows.
#include <gtest/gtest.h>

#include "cli/commands.h"
#include "simt/simt.h"
#include "trace/input.h"

namespace auditorium {
namespace {

trace::Trace run_text(const std::string& body, const char* schedule = "lockstep") {
    trace::LaunchConfig config;
    config.block = 64;
    config.values = *trace::expand_input(config.input, config.type, config.block);
    config.schedule = *trace::parse_schedule(schedule);
    const std::string text =
        "template <typename Op>\n"
        "__device__ T block_reduce(T val, Shared shared, int tid, Op op) {\n" +
        body + "\n}\n";
    auto trace = simt::run(text, {"block_reduce", true, 1, "test.cuh"}, config);
    EXPECT_TRUE(trace) << trace.error().sentence;
    return *std::move(trace);
}

struct Told {
    ExitStatus status{};
    std::string text;
};

Told tell(const trace::Trace& trace, bool json = false) {
    cli::RecordOptions options;
    options.out = "a.audit";
    options.json = json;
    testing::internal::CaptureStdout();
    const cli::Status status = cli::tell_record(trace, options);
    std::fflush(stdout);
    Told told{ExitStatus::usage, testing::internal::GetCapturedStdout()};
    EXPECT_TRUE(status);
    if (status)
        told.status = *status;
    return told;
}

TEST(RecordStatus, ARunThatEndsIsStatus0) {
    const trace::Trace trace = run_text("shared[tid] = val;\n__syncthreads();\nreturn shared[0];");
    EXPECT_TRUE(trace::ended(trace));
    EXPECT_EQ(tell(trace).status, ExitStatus::ok) << "a wrong result is analyze's finding";
    EXPECT_EQ(tell(trace).text.find("did not end"), std::string::npos);
    EXPECT_NE(tell(trace, true).text.find("\"ended\": true"), std::string::npos);
}

TEST(RecordStatus, ARunThatIsStoppedIsStatus1) {
    for (const char* schedule : {"lockstep", "7", "independent:7"})
        for (const char* body : {"while (true) ; return val;", "while (shared[0] == 0) ; return val;",
                                 "if (tid == 0) while (1) ; __syncthreads(); return val;"}) {
            const trace::Trace trace = run_text(body, schedule);
            EXPECT_FALSE(trace::ended(trace)) << body;
            const Told told = tell(trace);
            EXPECT_EQ(told.status, ExitStatus::finding) << body;
            EXPECT_NE(told.text.find("The run did not end: " + trace.faults[0].text), std::string::npos)
                << told.text;
            EXPECT_NE(tell(trace, true).text.find("\"ended\": false"), std::string::npos);
        }
}

// A file may hold a run in which threads wait for ever.
TEST(RecordStatus, ThreadsThatWaitForEverAreStatus1) {
    trace::Trace trace = run_text("if (tid < 32) __syncthreads();\nreturn val;");
    EXPECT_TRUE(trace::ended(trace)) << "the interpreter goes on without those who left";
    for (auto& events : trace.events)
        if (!events.empty() && events.back().kind == trace::EventKind::barrier_leave)
            events.pop_back();
    trace.snapshots.clear();
    const auto stuck = trace::finish(trace);
    ASSERT_TRUE(stuck) << stuck.error().sentence;
    EXPECT_FALSE(trace::ended(*stuck));
    EXPECT_EQ(tell(*stuck).status, ExitStatus::finding);
    EXPECT_NE(tell(*stuck).text.find("did not end"), std::string::npos);
}

}  // namespace
}  // namespace auditorium
