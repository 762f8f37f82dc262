// Every kernel of the catalogue against a reference in double or int64, under many schedules.
#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <ostream>

#include "tests/simt/support.h"

namespace auditorium {
namespace {

using trace::EventKind;
using trace::Op;
using trace::Type;

constexpr int schedules = 50;

std::string schedule_name(int number) {
    if (number == 0)
        return "lockstep";
    return number % 2 ? fmt::format("{}", number) : fmt::format("independent:{}", number);
}

// The exact result, as a double (every int32, and every sum of 1024 of them, fits).
double reference(const trace::LaunchConfig& config) {
    double result = config.op == Op::sum   ? 0
                    : config.op == Op::max ? -std::numeric_limits<double>::infinity()
                                           : std::numeric_limits<double>::infinity();
    for (const std::uint32_t value : config.values) {
        const double x = config.type == Type::f32 ? static_cast<double>(std::bit_cast<float>(value))
                                                  : static_cast<double>(static_cast<std::int32_t>(value));
        result = config.op == Op::sum   ? result + x
                 : config.op == Op::max ? std::max(result, x)
                                        : std::min(result, x);
    }
    return result;
}

bool right(const trace::LaunchConfig& config, std::uint32_t result, double expected) {
    if (config.type == Type::i32)
        return result == static_cast<std::uint32_t>(static_cast<std::int64_t>(expected));  // wraps
    const auto got = static_cast<double>(std::bit_cast<float>(result));
    if (config.op != Op::sum)
        return got == expected;
    // Any order of adding n values by pairs is off by at most (n - 1) roundings of the sum of their
    // magnitudes.
    double magnitude = 0;
    for (const std::uint32_t value : config.values)
        magnitude += std::fabs(static_cast<double>(std::bit_cast<float>(value)));
    return std::fabs(got - expected) <= magnitude * config.block * 0x1p-24;
}

std::vector<int> sizes_of(const kernels::Kernel& kernel) {
    std::vector<int> sizes;
    for (const int block : {1,   2,   3,   8,   31,  32,  33,  63,  64,  65,  96,   100,
                            127, 128, 129, 160, 255, 256, 257, 480, 512, 992, 1000, 1024})
        if (kernels::why_not(kernel, block).empty())
            sizes.push_back(block);
    return sizes;
}

struct Case {
    std::string kernel;
    Op op;
    Type type;
    friend void PrintTo(const Case& c, std::ostream* out) {
        *out << c.kernel << ' ' << name_of(c.op) << ' ' << name_of(c.type);
    }
};
std::vector<Case> cases() {
    std::vector<Case> all;
    for (const kernels::Kernel& kernel : kernels::all())
        if (kernel.correct)
            for (const Op op : {Op::max, Op::min, Op::sum})
                for (const Type type : {Type::f32, Type::i32})
                    all.push_back({std::string(kernel.id), op, type});
    return all;
}

class Catalogue : public testing::TestWithParam<Case> {};

TEST_P(Catalogue, is_right_and_the_same_under_every_schedule) {
    const Case& c = GetParam();
    const kernels::Kernel& kernel = *kernels::find(c.kernel);
    // Whole floats of very different sizes, and values that sums must round.
    const std::string input =
        c.type == Type::f32 ? "random:7:-100000:100000" : "random:7:-2000000000:2000000000";
    for (const int block : sizes_of(kernel)) {
        trace::LaunchConfig config = config_for(c.kernel, c.op, c.type, block, input);
        if (c.type == Type::f32)
            for (std::uint32_t& value : config.values)
                value = bits(std::bit_cast<float>(value) / 7.0f);
        const double expected = reference(config);
        Expected<trace::Trace> first;
        for (int number = 0; number < schedules; ++number) {
            config.schedule = trace::parse_schedule(schedule_name(number)).value();
            SCOPED_TRACE(fmt::format("{} threads, schedule {}", block, schedule_name(number)));
            auto run = run_kernel(config);
            ASSERT_TRUE(run) << run.error().sentence;
            EXPECT_TRUE(run->faults.empty()) << run->faults[0].text;
            EXPECT_FALSE(run->racy);
            for (int thread = 0; thread < block; ++thread) {
                EXPECT_FALSE(run->result_undefined[0][thread]);
                ASSERT_TRUE(right(config, run->results[0][thread], expected))
                    << "thread " << thread << ": " << run->results[0][thread] << ", expected " << expected;
            }
            if (number == 0) {
                first = std::move(run);
                continue;
            }
            EXPECT_EQ(run->results, first->results);
            EXPECT_EQ(run->events, first->events);
            ASSERT_EQ(run->snapshots.size(), first->snapshots.size());
            for (std::size_t k = 0; k < run->snapshots.size(); ++k)
                EXPECT_EQ(run->snapshots[k].boxes, first->snapshots[k].boxes);
        }
    }
}

std::string name_of_case(const testing::TestParamInfo<Case>& info) {
    return fmt::format("{}_{}_{}", info.param.kernel, trace::name_of(info.param.op),
                       trace::name_of(info.param.type));
}
INSTANTIATE_TEST_SUITE_P(All, Catalogue, testing::ValuesIn(cases()), name_of_case);

}  // namespace
}  // namespace auditorium
