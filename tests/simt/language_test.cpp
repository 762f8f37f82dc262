// What the words of the language mean. Where C++ has the same words, the compiler that builds this test is
// the reference: the text of a macro's argument is interpreted, and the argument itself compiled.
#include <fmt/format.h>

#include <functional>

#include "tests/simt/support.h"

namespace auditorium {
namespace {

using trace::EventKind;

// Runs `text` as the body of block_reduce and expects what `native(tid, val)` gives, in every thread, under
// lockstep and with every lane on its own.
template <typename Element>
void same(const std::string& text, const std::string& before,
          const std::function<Element(int, Element)>& native) {
    for (const char* schedule : {"lockstep", "5", "independent:3"}) {
        const auto config = std::is_same_v<Element, int> ? ints(70, "random:5:-50:50", schedule)
                                                         : floats(70, "random:5:-50:50", schedule);
        const auto trace = run_text(body(text, before), config);
        ASSERT_TRUE(trace) << trace.error().sentence << "\n" << text;
        for (int tid = 0; tid < config.block; ++tid) {
            const auto t = static_cast<std::size_t>(tid);
            ASSERT_EQ(trace->results[0][t], bits(native(tid, std::bit_cast<Element>(config.values[t]))))
                << "thread " << tid << ", " << schedule << ": " << text;
            ASSERT_FALSE(trace->result_undefined[0][t]) << text;
        }
    }
}

// The macros' arguments are also CUDA, so they use tid, val, T and nothing of the test's.
#define SAME_INT(...)                                                   \
    same<int>("return T(" #__VA_ARGS__ ");", "", [](int tid, int val) { \
        using T = int;                                                  \
        (void)tid, (void)val;                                           \
        return T(__VA_ARGS__);                                          \
    })
#define SAME_FLOAT(...)                                                     \
    same<float>("return T(" #__VA_ARGS__ ");", "", [](int tid, float val) { \
        using T = float;                                                    \
        (void)tid, (void)val;                                               \
        return T(__VA_ARGS__);                                              \
    })
#define SAME_INT_BODY(...)                                    \
    same<int>(#__VA_ARGS__, "", [](int tid, int val) -> int { \
        using T = int;                                        \
        (void)sizeof(T), (void)tid, (void)val;                \
        __VA_ARGS__                                           \
    })
#define SAME_FLOAT_BODY(...)                                        \
    same<float>(#__VA_ARGS__, "", [](int tid, float val) -> float { \
        using T = float;                                            \
        (void)sizeof(T), (void)tid, (void)val;                      \
        __VA_ARGS__                                                 \
    })

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wsign-compare"
#pragma GCC diagnostic ignored "-Wparentheses"
#pragma GCC diagnostic ignored "-Wbool-operation"
#pragma GCC diagnostic ignored "-Wunused-value"

TEST(Language, integers) {
    SAME_INT(tid);
    SAME_INT(val * 7 - tid / 3 % 5);
    SAME_INT(-val % 7 + -val / 7);
    SAME_INT((tid << 3 | tid >> 1) ^ (tid & 5) ^ ~tid);
    SAME_INT(-100 >> 2);
    SAME_INT(1 + 2 * 3 - 4 / 2 % 3 << 1 >> 1 & 7 | 8 ^ 3);
    SAME_INT(0x1F + 010 + 0b101 + 1'000);
    SAME_INT(tid - 40 < 3u);           // as unsigned: -37 is large
    SAME_INT(-1 < 0u);                 // false
    SAME_INT((tid - 40) / 2u > 100u);  // unsigned division
    SAME_INT((tid - 40) % 7u);
    SAME_INT(~0u >> (32 - (1 + tid % 31)));
    SAME_INT((tid - 40) >> 1);
    SAME_INT((0u + tid - 40) >> 1);
    SAME_INT(!tid + !!tid * 10);
    SAME_INT((tid < 5) + (tid < 9) + true);
    SAME_INT(-(tid > 3));
    SAME_INT(~(tid > 3));
    SAME_INT(+(tid > 3) << 4);
}

TEST(Language, floats) {
    SAME_FLOAT(val * 0.1f + tid);
    SAME_FLOAT(val / 3 - tid / 3);
    SAME_FLOAT(-val * -val);
    SAME_FLOAT(int(val / 7.3f) * 2);
    SAME_FLOAT(unsigned(tid * 1.5f) + 1);
    SAME_FLOAT((val < 0) + (val <= 1) + (val > 2) + (val >= 3) + (val == 4) + (val != 5));
    SAME_FLOAT(val > 0 ? val : T(0));
    SAME_FLOAT(tid > 3 ? 1 : 2.5f);
    SAME_FLOAT(T(1e-3f) + T(1.5e2f) + .5f + 2.f);
    SAME_FLOAT(T(0.1) + float(0.2));
    SAME_FLOAT(static_cast<T>(tid) / (T)4 + T{2});
    SAME_FLOAT(bool(val) + bool(0.5f));
    SAME_FLOAT((0u - 1u) * 1.0f);
}

TEST(Language, logic_and_choice) {
    SAME_INT(tid > 3 && tid < 60 || val == 7);
    SAME_INT(tid && val);
    SAME_INT(!(tid > 3 || val > 3) ? val : -val);
    SAME_INT(tid < 10 ? 1 : tid < 20 ? 2 : tid < 30 ? 3 : 4);
    SAME_INT((tid, val));
    SAME_INT(tid % 2 ? -1 : 1u);
    SAME_INT(tid != 0 && 100 / tid > 7);  // the right side only where the left one holds
}

TEST(Language, statements) {
    SAME_INT_BODY(int sum = 0; for (int i = 0; i < tid; ++i) sum += i * val; return sum;);
    SAME_INT_BODY(int sum = 0; for (int i = tid; i > 0; i /= 2) {
        if (i % 3 == 0)
            continue;
        sum += i;
    } return sum;);
    SAME_INT_BODY(int n = 0; while (true) {
        if (n * n > tid)
            break;
        ++n;
    } return n;);
    SAME_INT_BODY(int n = tid; int c = 0; do {
        n = n % 2 ? 3 * n + 1 : n / 2;
        c++;
    } while (n > 1 && c < 50);
                  return c;);
    SAME_INT_BODY(
        if (tid < 10) return 1; if (tid < 20) {
            if (val > 0)
                return 2;
            return 3;
        } else { val = -val; } return val;);
    SAME_INT_BODY(int a = tid; {
        int a = 5;
        a += 1;
        val += a;
    } return a + val;);
    SAME_INT_BODY(int a = 1, b = a + 1; a += b -= 3; return a * 10 + b;);
    SAME_INT_BODY(int x = tid; int y = x++ + 1; int z = --x - 1; return x * 10000 + y * 100 + z;);
    SAME_INT_BODY(int x = 7; x += tid; x -= 3; x *= 5; x /= 2; x %= 11; x <<= 2; x |= 1; x ^= 6; x &= 63;
                  x >>= 1; return x;);
    SAME_INT_BODY(unsigned u = tid; u -= 40; u /= 3; return int(u % 1000););  // wraps and divides as unsigned
    SAME_INT_BODY(bool b = tid; b = !b; bool c(3); return b + 2 * c;);
    SAME_INT_BODY(const int k = 4; const T t{6}; auto m = k * t; return m + tid;);
    SAME_INT_BODY(int s = 0; for (int i = 0, j = 10; i < j; ++i, --j) s += i * j; return s + tid;);
    SAME_INT_BODY(int s = 0; for (int i = 0; i < 6; ++i) {
        for (int j = 0;; ++j) {
            if (j == i)
                continue;
            if (j > tid % 7)
                break;
            if (i == 5)
                return s;
            s += i + j;
        }
    } return s;);
    SAME_INT_BODY(int s = 0; int i = 0; for (;;) {
        if (++i > tid)
            return s;
        if (i % 2)
            continue;
        s += i;
    });
    SAME_INT_BODY(int& r = val; r += 5; const int& c = tid; return val + c;);
    SAME_INT_BODY(if constexpr (true) { val = 3; };; return val;);
    SAME_INT_BODY(volatile int v = tid; v = v + 1; return v;);
    SAME_FLOAT_BODY(T s = 0; for (int i = 1; i <= 10; ++i) s += val / i; return s;);
    SAME_FLOAT_BODY(int i = 3.9f; T f = 7 / 2; return i + f;);
    SAME_FLOAT_BODY(int n = 5; n += 0.9f; n *= 1.5f; return n;);  // through float, and cut off
}
#pragma GCC diagnostic pop

TEST(Language, functions) {
    same<int>("return triple(tid) + twice(val);",
              "__device__ int triple(int x) { return x * 3; }\n"
              "__device__ inline T twice(T x) { x += x; return x; }\n",
              [](int tid, int val) { return tid * 3 + val * 2; });
    // Functions return early in some lanes, and call others.
    same<int>("return sign(val) * 10 + sign(tid - 30);",
              "__device__ int positive(int x) { return x > 0; }\n"
              "__device__ int sign(int x) { if (positive(x)) return 1; if (x == 0) return 0; return -1; }\n",
              [](int tid, int val) {
                  const auto sign = [](int x) { return x > 0 ? 1 : x == 0 ? 0 : -1; };
                  return sign(val) * 10 + sign(tid - 30);
              });
    same<int>("int a = tid; int b = val; swap(a, b); bump(a); return a * 100 + b;",
              "__device__ void swap(int& a, int& b) { int c = a; a = b; b = c; }\n"
              "__device__ void bump_twice(int& x) { x++; x += 1; }\n"
              "__device__ void bump(int& x) { bump_twice(x); if (x > 0) return; x = -x; }\n",
              [](int tid, int val) {
                  int a = val + 2;
                  if (a <= 0)
                      a = -a;
                  return a * 100 + tid;
              });
    same<int>("return pick(val, tid) + int(pick(1.5f, 2.5f) * 2) + pick<int>(tid, 3);",
              "template <typename X> __device__ X pick(X a, X b) { return a < b ? b : a; }\n",
              [](int tid, int val) { return std::max(val, tid) + 5 + std::max(tid, 3); });
    // Lanes recurse to different depths.
    same<int>("return gcd(tid + 1, 36);",
              "__device__ int gcd(int a, int b) { if (b == 0) return a; return gcd(b, a % b); }\n",
              [](int tid, int) {
                  int a = tid + 1, b = 36;
                  while (b) {
                      const int c = a % b;
                      a = b;
                      b = c;
                  }
                  return a;
              });
    same<int>("return half(20) + constant + tid;",
              "constexpr int twenty = 20; const unsigned constant = twenty * 2u;\n"
              "__device__ int half(int x) { return x == twenty ? 10 : 0; }\n",
              [](int tid, int) { return 50 + tid; });
    // A const reference sees what becomes of its variable; one to another type or to a value is a copy.
    same<int>(
        "const int& c = tid; tid += 5; const float& f = tid; tid += 1; return c * 100 + int(f) + see(tid, "
        "tid) + "
        "see(tid + 1, tid);",
        "__device__ int see(const int& a, int& b) { b += 7; return a; }\n",
        [](int tid, int) { return (tid + 6) * 100 + tid + 5 + (tid + 13) + (tid + 14); });
    // Naming a box reads nothing.
    const auto named = run_text(body("shared[0]; shared[tid], shared[1]; return val;"), ints(2));
    EXPECT_TRUE(named->events[0].empty());
    // Only one argument list fits.
    same<int>("return f(tid) + f(tid, 2);",
              "__device__ int f(int a) { return a; }\n__device__ int f(int a, int b) { return a * b; }\n",
              [](int tid, int) { return tid * 3; });
    // Arguments are taken in order and by value.
    same<int>("int i = tid; return sub(i, i += 5) * 1000 + i;",
              "__device__ int sub(int a, int b) { return a - b; }\n",
              [](int tid, int) { return -5 * 1000 + tid + 5; });
}

TEST(Language, the_entry_may_take_const_references) {
    const auto trace = run_text(
        "__device__ T block_reduce(const T& val, const Shared& shared, const int& tid) { return val * 100 + "
        "tid; }",
        ints(3, "values:5,6,7"));
    ASSERT_TRUE(trace) << trace.error().sentence;
    EXPECT_EQ(trace->results[0], (std::vector<std::uint32_t>{500, 601, 702}));
}

TEST(Language, operations_are_types) {
    const auto trace = run_text(
        "template <typename Op, typename Sum, typename Max>\n"
        "__device__ T block_reduce(T val, Shared shared, int tid, Op op, Sum sum, Max best) {\n"
        "  return sum(op(val, T(1)), best(val, Op()(val, T(2)))) + op.identity();\n"
        "}\n",
        config_for("test", trace::Op::sum, trace::Type::i32, 3, "values:5,-7,0"));
    ASSERT_TRUE(trace) << trace.error().sentence;
    EXPECT_EQ(trace->results[0], (std::vector<std::uint32_t>{6 + 7, bits(-6 - 5), 1 + 2}));
    int combines = 0;
    for (const trace::Event& event : trace->events[0])
        combines += event.kind == EventKind::combine;
    EXPECT_EQ(combines, 4);
}

TEST(Language, built_in_values) {
    same<int>(
        "return blockDim.x + 1000 * threadIdx.x + 100000 * (gridDim.x + blockIdx.x + blockDim.y) + warpSize;",
        "", [](int tid, int) { return 70 + 1000 * tid + 200000 + 32; });
    same<int>(
        "return max(tid, 9) - min(val, 0) + abs(val) + (max(tid, 1u) == tid) + INT_MAX + (INT_MIN + 1);", "",
        [](int tid, int val) { return std::max(tid, 9) - std::min(val, 0) + std::abs(val) + (tid >= 1); });
    same<float>("return fmaxf(val, 3.0f) + fminf(val, -INFINITY == -FLT_MAX) + fabsf(val) + max(val, 2.0f);",
                "", [](int, float val) {
                    return std::fmax(val, 3.0f) + std::fmin(val, 0.0f) + std::fabs(val) +
                           std::fmax(val, 2.0f);
                });
}

TEST(Language, shuffles) {
    // With a width, by the rules of the instruction; a lane without a partner keeps its own value.
    const auto expect = [](const std::string& call, const std::function<int(int)>& source) {
        for (const char* schedule : {"lockstep", "independent:9"}) {
            const auto trace = run_text(body("return " + call + ";"), ints(64, "random:1:0:9999", schedule));
            ASSERT_TRUE(trace) << trace.error().sentence;
            EXPECT_TRUE(trace->faults.empty()) << trace->faults[0].text;
            for (int tid = 0; tid < 64; ++tid) {
                const int from = source(tid % 32);
                const trace::Event& event = trace->events[static_cast<std::size_t>(tid)][0];
                const auto value =
                    trace->config
                        .values[static_cast<std::size_t>(tid - tid % 32 + (from < 0 ? tid % 32 : from))];
                EXPECT_EQ(trace->results[0][static_cast<std::size_t>(tid)], value)
                    << call << " thread " << tid;
                EXPECT_EQ(event.kind, EventKind::shuffle);
                EXPECT_EQ(event.arg, from < 0 ? tid % 32 : from);
                EXPECT_EQ(event.flags, from < 0 ? trace::Event::no_partner : 0) << call;
                EXPECT_EQ(event.bits, value);
                EXPECT_EQ(event.sent, trace->config.values[static_cast<std::size_t>(tid)]);
            }
        }
    };
    expect("__shfl_down_sync(~0u, val, 5)", [](int lane) { return lane + 5 < 32 ? lane + 5 : -1; });
    expect("__shfl_down_sync(0xffffffff, val, 3, 8)",
           [](int lane) { return lane % 8 + 3 < 8 ? lane + 3 : -1; });
    expect("__shfl_up_sync(~0u, val, 5)", [](int lane) { return lane >= 5 ? lane - 5 : -1; });
    expect("__shfl_up_sync(~0u, val, 3, 8)", [](int lane) { return lane % 8 >= 3 ? lane - 3 : -1; });
    expect("__shfl_xor_sync(~0u, val, 17)", [](int lane) { return lane ^ 17; });
    expect("__shfl_xor_sync(~0u, val, 5, 4)",
           [](int lane) { return (lane ^ 5) / 4 > lane / 4 ? -1 : lane ^ 5; });
    expect("__shfl_sync(~0u, val, 7)", [](int) { return 7; });
    expect("__shfl_sync(~0u, val, 37)", [](int) { return 5; });
    expect("__shfl_sync(~0u, val, 9, 8)", [](int lane) { return lane / 8 * 8 + 1; });
}

// What a trace records, event by event.
TEST(Language, events) {
    const auto trace = run_text(
        "template <typename Op>\n"
        "__device__ T block_reduce(\n"
        "    T val, Shared shared, int tid, Op op) {\n"
        "  shared[tid] = val;\n"
        "  __syncthreads();\n"
        "  val = op(shared[tid], shared[1 - tid]);\n"
        "  __syncwarp();\n"
        "  val = __shfl_xor_sync(3, val, 1);\n"
        "  shared[tid] += val;\n"
        "  return val;\n"
        "}\n",
        ints(2, "values:10,20"));
    ASSERT_TRUE(trace) << trace.error().sentence;
    struct Expected_ {
        EventKind kind;
        int line, arg;
        int bits;
    };
    const Expected_ expected[] = {
        {EventKind::store, 4, 0, 10},        {EventKind::barrier_arrive, 5, 0, 0},
        {EventKind::barrier_leave, 5, 0, 0}, {EventKind::load, 6, 0, 10},
        {EventKind::load, 6, 1, 20},         {EventKind::combine, 6, 0, 30},
        {EventKind::syncwarp, 7, 0, 0},      {EventKind::shuffle, 8, 1, 30},
        {EventKind::load, 9, 0, 10},         {EventKind::store, 9, 0, 40},
    };
    ASSERT_EQ(trace->events[0].size(), std::size(expected));
    for (std::size_t i = 0; i < std::size(expected); ++i) {
        EXPECT_EQ(trace->events[0][i].kind, expected[i].kind) << i;
        EXPECT_EQ(trace->events[0][i].line, expected[i].line) << i;
        EXPECT_EQ(trace->events[0][i].arg, expected[i].arg) << i;
        EXPECT_EQ(trace->events[0][i].bits, bits(expected[i].bits)) << i;
    }
    EXPECT_EQ(trace->events[1][4].writer, 0);
    EXPECT_EQ(trace->events[1][4].writer_event, 0);
    ASSERT_EQ(trace->snapshots.size(), 2u);
    EXPECT_EQ(trace->snapshots[0].boxes, (std::vector<std::uint32_t>{10, 20}));
    EXPECT_EQ(trace->snapshots[1].boxes, (std::vector<std::uint32_t>{40, 50}));
    EXPECT_EQ(trace->origin.kind, trace::Origin::Kind::simulated);
}

TEST(Language, several_calls_have_a_barrier_between_them) {
    trace::LaunchConfig config = ints(64, "ramp");
    config.kernel = "contiguous_full";
    config.calls = 3;
    const auto trace = run_kernel(config);
    ASSERT_TRUE(trace) << trace.error().sentence;
    ASSERT_EQ(trace->results.size(), 3u);
    for (const auto& results : trace->results)
        EXPECT_EQ(results, std::vector<std::uint32_t>(64, 63 * 64 / 2));
    EXPECT_FALSE(trace->racy);
    int between = 0;
    for (const trace::Event& event : trace->events[5])
        between += event.kind == EventKind::barrier_arrive && event.line == 0;
    EXPECT_EQ(between, 2);
}

}  // namespace
}  // namespace auditorium
