// Text from anywhere: it is refused or run, in bounded time and memory, and never brings the program down.
#include <fmt/format.h>

#include <chrono>
#include <functional>

#include "simt/code.h"
#include "simt/machine.h"
#include "tests/simt/support.h"

namespace auditorium {
namespace {

using trace::RunFault;

std::string repeat(const std::string& text, int times) {
    std::string out;
    for (int i = 0; i < times; ++i)
        out += text;
    return out;
}

// Runs `source`; a trace or an error are both fine, a hang is not.
Expected<trace::Trace> survives(const std::string& source, int block = 32,
                                const char* schedule = "lockstep") {
    const auto begin = std::chrono::steady_clock::now();
    auto trace = run_text(source, floats(block, "ramp", schedule));
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(60));
    return trace;
}

TEST(Hostile, deep_nesting) {
    constexpr int deep = 20'000;
    const std::string texts[] = {
        body("return " + repeat("(", deep) + "1" + repeat(")", deep) + ";"),
        body("return " + repeat("-", deep) + "1;"),
        body("return " + repeat("!", deep) + "1;"),
        body("return " + repeat("T(", deep) + "1" + repeat(")", deep) + ";"),
        body("return " + repeat("(T)", deep) + "1;"),
        body("return " + repeat("1 + ", deep) + "1;"),
        body("return " + repeat("1 * (1 + ", deep) + "1" + repeat(")", deep) + ";"),
        body("return " + repeat("1 ? 1 : ", deep) + "1;"),
        body("return " + repeat("1 ? ", deep) + "1" + repeat(" : 1", deep) + ";"),
        body("return " + repeat("val = ", deep) + "1;"),
        body("return " + repeat("shared[", deep) + "0" + repeat("]", deep) + ";"),
        body("return " + repeat("f(", deep) + "0" + repeat(")", deep) + ";"),
        body("return shared" + repeat(".x", deep) + ";"),
        body("return f" + repeat("(1)", deep) + ";"),
        body("return 1" + repeat(", 1", deep) + ";"),
        body(repeat("{", deep) + repeat("}", deep)),
        body(repeat("if (1) ", deep) + ";"),
        body(repeat("if (1) ; else ", deep) + ";"),
        body(repeat("for (;;) ", deep) + ";"),
        body(repeat("while (1) ", deep) + ";"),
        body(repeat("do ", deep) + ";" + repeat(" while (1);", deep)),
        body("x" + repeat("++", deep) + ";"),
        repeat("(", deep),
        repeat("template <", deep),
        repeat("template <typename A> ", deep),
    };
    for (const std::string& text : texts) {
        const auto trace = survives(text);
        EXPECT_FALSE(trace) << text.substr(0, 100);
    }
    // As deep as it may be.
    const auto trace = survives(body("return " + repeat("(", 50) + "val" + repeat(")", 50) + ";"));
    ASSERT_TRUE(trace) << trace.error().sentence;
}

TEST(Hostile, too_much_of_everything) {
    EXPECT_FALSE(survives(std::string(300'000, ' ')));
    EXPECT_FALSE(survives(repeat("\n", 40'000) + body("return val;")));
    EXPECT_TRUE(survives(body(repeat("{ T b = val; }", 15'000) + "return val;")));  // long, but not too long
    EXPECT_FALSE(survives(body([] {
        std::string text;
        for (int i = 0; i < 6000; ++i)
            text += fmt::format("int v{} = {};", i, i);
        return text + "return val;";
    }())));
    // Templates and constants that double at every step.
    std::string constants = "const int c0 = 1;\n";
    for (int i = 1; i < 60; ++i)
        constants += fmt::format("const int c{} = c{} + c{};\n", i, i - 1, i - 1);
    EXPECT_FALSE(survives(body("return c59;", constants)));
    EXPECT_FALSE(survives(body("return f(" + repeat("1, ", 100) + "1);")));
    std::string functions = "__device__ int f0(int x) { return x; }\n";
    for (int i = 1; i < 40; ++i)
        functions +=
            fmt::format("__device__ int f{}(int x) {{ return f{}(x) + f{}(x); }}\n", i, i - 1, i - 1);
    const auto trace = survives(body("return f39(1);", functions));  // 2^39 calls
    ASSERT_TRUE(trace) << trace.error().sentence;
    ASSERT_EQ(trace->faults.size(), 1u);
    EXPECT_EQ(trace->faults[0].kind, RunFault::Kind::step_limit);
}

TEST(Hostile, endless_loops_are_stopped) {
    for (const char* schedule : {"lockstep", "3", "independent:3"})
        for (const char* text : {
                 "while (true) ; return val;",
                 "for (;;) { val += 1; }",
                 "do { continue; } while (1); return val;",
                 "if (tid == 0) while (1) ; __syncthreads(); return val;",
                 "while (shared[0] == 0) ; return val;",
                 "while (1) __syncthreads();",
                 "while (1) __syncwarp();",
                 "while (1) val = op(val, val);",
                 "while (1) val = __shfl_xor_sync(~0u, val, 1);",
                 "while (1) { shared[tid] = val; __syncthreads(); val = shared[0]; __syncthreads(); }",
                 "for (int i = 0; i < 10; i *= 1) { if (tid > 3) break; } return val;",
             }) {
            for (const int block : {1, 40, 1024}) {
                // Once per kind of schedule is enough for the short ones, and once for a large block.
                const bool lockstep = schedule == std::string("lockstep");
                if (block == 1 ? !lockstep
                               : block == 1024 && (!lockstep || std::string(text).find("shared[tid]") ==
                                                                    std::string::npos))
                    continue;
                const auto trace = survives(body(text), block, schedule);
                ASSERT_TRUE(trace) << trace.error().sentence << "\n" << text;
                ASSERT_FALSE(trace->faults.empty()) << text;
                const auto kind = trace->faults[0].kind;
                EXPECT_TRUE(kind == RunFault::Kind::step_limit || kind == RunFault::Kind::overflow)
                    << trace->faults[0].text;
                EXPECT_TRUE(trace->result_undefined[0][0]) << text;
            }
        }
}

TEST(Hostile, endless_recursion_is_stopped) {
    for (const char* schedule : {"lockstep", "independent:3"})
        for (const char* functions : {
                 "__device__ int f(int x) { return f(x + 1); }\n",
                 "__device__ int f(int x) { return x > 1000000 ? x : 1 + f(x + 1); }\n",
                 "__device__ int g(int x);\n__device__ int f(int x) { return g(x); }\n"
                 "__device__ int g(int x) { return f(x); }\n",
                 "template <typename X> __device__ int f(X x) { return f(x * 1.0f); }\n",
             }) {
            const auto trace = survives(body("return f(tid);", functions), 40, schedule);
            ASSERT_TRUE(trace) << trace.error().sentence;
            ASSERT_EQ(trace->faults.size(), 1u);
            EXPECT_EQ(trace->faults[0].kind, RunFault::Kind::step_limit);
            EXPECT_NE(trace->faults[0].text.find("deep inside one another"), std::string::npos);
        }
}

TEST(Hostile, boxes_that_do_not_exist) {
    const auto trace =
        survives(body("shared[tid] = val;\n"
                      "__syncthreads();\n"
                      "shared[tid + 30] = 1;\n"
                      "shared[-tid - 1] = 1;\n"
                      "val = shared[1000000000];\n"
                      "val = shared[tid - 100];\n"
                      "return val;"));
    ASSERT_TRUE(trace) << trace.error().sentence;
    ASSERT_EQ(trace->faults.size(), 4u);
    EXPECT_EQ(trace->faults[0].kind, RunFault::Kind::bad_index);
    EXPECT_EQ(trace->faults[0].lines, std::vector<int>{4});
    EXPECT_EQ(trace->faults[0].threads.size(), 30u);
    EXPECT_EQ(trace->faults[0].text.substr(0, 71),
              "Thread 2 writes box 32, but the block has only the boxes 0 to 31. It is");
    EXPECT_TRUE(trace->events[5].back().flags & trace::Event::no_box);
    EXPECT_EQ(trace->events[5].back().bits, 0u);
    for (int box = 0; box < 30; ++box)  // nothing was written past the end
        EXPECT_EQ(trace->snapshots.back().boxes[static_cast<std::size_t>(box)], bits(float(box)));
}

// Every kernel cut off anywhere, and with any one token dropped, doubled or swapped with the next.
TEST(Hostile, damaged_kernels) {
    int ran = 0, refused = 0;
    const auto try_one = [&](const kernels::Kernel& kernel, const std::string& text) {
        auto config = floats(33, "ramp");
        config.calls = kernel.calls;
        const auto program = simt::parse(text);
        if (!program) {
            EXPECT_FALSE(program.error().sentence.empty());
            EXPECT_LE(program.error().range.begin, text.size());
            ++refused;
            return;
        }
        simt::LaunchShape shape;
        shape.function = kernel.entry;
        shape.results_per_call = shape.results = kernel.results;
        shape.block = 33;
        const auto code = simt::compile(*program, shape);
        code ? ++ran : ++refused;
    };
    for (const kernels::Kernel& kernel : kernels::all()) {
        const std::string source(kernel.source);
        for (std::size_t i = 0; i < source.size(); ++i)
            try_one(kernel, source.substr(0, i));
        for (std::size_t i = 0; i < source.size(); ++i) {
            std::string text = source;
            text.erase(i, 1);
            try_one(kernel, text);
            text = source;
            text.insert(i, 1, source[i]);
            try_one(kernel, text);
            if (i + 1 < source.size()) {
                text = source;
                std::swap(text[i], text[i + 1]);
                try_one(kernel, text);
            }
            text = source;
            text[i] = static_cast<char>(i * 37);
            try_one(kernel, text);
        }
    }
    EXPECT_GT(ran, 1000);
    EXPECT_GT(refused, 10'000);
}

}  // namespace
}  // namespace auditorium
