// The timed kernels of sizes that the program holds no code for compile, for GPUs of two kinds. Needs NVRTC
// and no GPU.
#include "launch/gpu/runtime_timing.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

namespace auditorium::launch::gpu {
namespace {

struct Size {
    int block;
    trace::Op op;
    trace::Type type;
    int major, minor;
};

std::vector<Size> sizes_of(const kernels::Kernel& kernel) {
    using trace::Op;
    using trace::Type;
    switch (kernel.sizes) {
        case kernels::Sizes::any:
            return {{33, Op::max, Type::f32, 9, 0},
                    {1000, Op::sum, Type::i32, 9, 0},
                    {1, Op::min, Type::f32, 7, 5}};
        case kernels::Sizes::multiples_of_32:
            return {{96, Op::max, Type::f32, 9, 0},
                    {992, Op::sum, Type::i32, 9, 0},
                    {17, Op::min, Type::f32, 7, 5}};
        case kernels::Sizes::powers_of_two:
            return {{48, Op::max, Type::f32, 9, 0},
                    {1024, Op::sum, Type::i32, 9, 0},
                    {2, Op::min, Type::f32, 7, 5}};
    }
    return {};
}

class RuntimeTiming : public testing::TestWithParam<std::string> {};

TEST_P(RuntimeTiming, CompilesAndNamesItsKernels) {
    const kernels::Kernel& kernel = *kernels::find(GetParam());
    for (const Size& size : sizes_of(kernel)) {
        SCOPED_TRACE(size.block);
        const auto compiled = compile_timing(kernel, size.op, size.type, size.block, size.major, size.minor);
        if (!compiled && compiled.error().sentence.find("is missing") != std::string::npos) {
            GTEST_SKIP() << compiled.error().sentence;
        }
        ASSERT_TRUE(compiled) << compiled.error().sentence;
        const std::string& image = (*compiled)->image;
        EXPECT_EQ(image.substr(1, 3), "ELF") << "machine code was expected";
        std::set<std::string> names((*compiled)->timed.begin(), (*compiled)->timed.end());
        names.insert((*compiled)->cycles);
        EXPECT_EQ(names.size(), 1u + kernels::Points::groups);
        for (const std::string& name : names) {
            EXPECT_NE(image.find(".text." + name + '\0'), std::string::npos) << name;
        }
        // The second time it is there already.
        const auto again = compile_timing(kernel, size.op, size.type, size.block, size.major, size.minor);
        ASSERT_TRUE(again);
        EXPECT_EQ(*again, *compiled);
    }
}

std::vector<std::string> kernels_on_gpus() {
    std::vector<std::string> ids;
    for (const kernels::Kernel& kernel : kernels::all()) {
        if (kernel.may_run_on_gpu) {
            ids.emplace_back(kernel.id);
        }
    }
    return ids;
}

INSTANTIATE_TEST_SUITE_P(Kernels, RuntimeTiming, testing::ValuesIn(kernels_on_gpus()),
                         [](const auto& info) { return info.param; });

TEST(RuntimeTimingOfANewGpu, IsPtx) {
    const kernels::Kernel& kernel = *kernels::find("one_barrier");
    const auto compiled = compile_timing(kernel, trace::Op::max, trace::Type::f32, 96, 99, 0);
    if (!compiled && compiled.error().sentence.find("is missing") != std::string::npos) {
        GTEST_SKIP() << compiled.error().sentence;
    }
    ASSERT_TRUE(compiled) << compiled.error().sentence;
    EXPECT_NE((*compiled)->image.find(".entry " + (*compiled)->cycles), std::string::npos);
}

TEST(RuntimeTimingOfAnOldGpu, SaysWhyThereIsNone) {
    const auto compiled =
        compile_timing(*kernels::find("one_barrier"), trace::Op::max, trace::Type::f32, 96, 1, 0);
    ASSERT_FALSE(compiled);
    EXPECT_NE(compiled.error().sentence.find("No timed kernel could be made for a block of 96: "),
              std::string::npos)
        << compiled.error().sentence;
}

// What is included comes along, and nothing else is: no source tree is needed, nor a header of the host's.
TEST(DeviceTexts, AreTheFilesAndAllThatTheyInclude) {
    std::set<std::string> known;
    for (const DeviceText& text : device_texts()) {
        known.insert(text.path);
        std::ifstream in(std::filesystem::path(AUDITORIUM_SOURCE_DIR) / text.path, std::ios::binary);
        std::ostringstream file;
        file << in.rdbuf();
        EXPECT_EQ(file.str(), text.text) << text.path;
    }
    for (const kernels::Kernel& kernel : kernels::all()) {
        known.insert("kernels/" + std::string(kernel.file));
    }
    for (const DeviceText& text : device_texts()) {
        std::istringstream lines(text.text);
        for (std::string line; std::getline(lines, line);) {
            if (line.rfind("#include ", 0) == 0) {
                EXPECT_TRUE(known.count(line.substr(10, line.size() - 11))) << text.path << ": " << line;
            }
        }
    }
}

}  // namespace
}  // namespace auditorium::launch::gpu
