// The plain kernels' machine text (PTX) is that of the same kernels written by hand, with registers, labels
// and parameters renumbered by first use. Runs nvcc; skipped where there is none. PTX needs no GPU.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <sstream>

namespace {

namespace fs = std::filesystem;

std::string find_nvcc() {
    std::vector<std::string> places;
    if (const char* named = std::getenv("CUDACXX")) {
        places.push_back(named);
    }
    std::istringstream path(std::getenv("PATH") ? std::getenv("PATH") : "");
    for (std::string folder; std::getline(path, folder, ':');) {
        places.push_back(folder + "/nvcc");
    }
    places.push_back("/usr/local/cuda/bin/nvcc");
    places.push_back("/opt/cuda/bin/nvcc");
    for (const std::string& place : places) {
        if (std::error_code error; fs::is_regular_file(place, error)) {
            return place;
        }
    }
    return "";
}

using Text = std::vector<std::string>;  // one kernel's instructions

// The kernels of a PTX file by name, renumbered.
std::map<std::string, Text> kernels_of(const std::string& ptx) {
    std::map<std::string, Text> kernels;
    static const std::regex entry(R"(\.entry (\w+)\()"), number(R"(%(?:rd|rs|r|f|fd|p)\d+|\$L__BB\d+_\d+)"),
        shared(R"(\b\w*wordsE?\b)");
    std::istringstream lines(ptx);
    std::string line, name;
    bool inside = false;
    std::map<std::string, std::string> renamed;
    std::map<std::string, int> used;
    while (std::getline(lines, line)) {
        std::smatch match;
        if (!inside) {
            if (std::regex_search(line, match, entry)) {
                name = match[1];
            } else if (!name.empty() && line == "{") {
                inside = true;
                renamed.clear();
                used.clear();
            }
            continue;
        }
        if (line == "}") {
            inside = false;
            name.clear();
            continue;
        }
        line = line.substr(0, line.find("//"));
        line.erase(0, line.find_first_not_of(" \t"));
        if (line.empty() || line.starts_with(".reg") || line.starts_with(".loc")) {
            continue;
        }
        line = std::regex_replace(line, std::regex(name + "_param_"), "param_");
        line = std::regex_replace(line, shared, "words");
        std::string clean;
        while (std::regex_search(line, match, number)) {
            const std::string old = match[0];
            if (!renamed.contains(old)) {
                const std::string kind = old.substr(0, old.find_first_of("0123456789"));
                renamed[old] = kind + std::to_string(++used[kind]);
            }
            clean += match.prefix().str() + renamed[old];
            line = match.suffix();
        }
        kernels[name].push_back(clean + line);
    }
    return kernels;
}

class Ptx : public testing::TestWithParam<int> {
  protected:
    void SetUp() override {
        nvcc_ = find_nvcc();
        if (nvcc_.empty()) {
            GTEST_SKIP() << "nvcc was not found, so the machine text of the kernels is not compared";
        }
        const std::string knows =
            "'" + nvcc_ + "' --list-gpu-arch | grep -q compute_" + std::to_string(GetParam()) + "$";
        if (std::system(knows.c_str()) != 0) {
            GTEST_SKIP() << nvcc_ << " does not compile for sm_" << GetParam();
        }
        folder_ = fs::temp_directory_path() /
                  ("auditorium_ptx_" + std::to_string(getpid()) + "_" + std::to_string(GetParam()));
        fs::create_directories(folder_);
    }
    void TearDown() override {
        if (!folder_.empty()) {
            fs::remove_all(folder_);
        }
    }

    std::map<std::string, Text> compile(const std::string& file, const std::string& more = "") {
        const fs::path out = folder_ / "out.ptx";
        const std::string command =
            "'" + nvcc_ +
            "' -std=c++20 -O3 -fmad=false -Werror all-warnings -I '" AUDITORIUM_SOURCE_DIR "' " + more +
            " -arch=compute_" + std::to_string(GetParam()) +
            " -ptx '" AUDITORIUM_SOURCE_DIR "/tests/kernels/ptx/" + file + "' -o '" + out.string() + "'";
        EXPECT_EQ(std::system(command.c_str()), 0) << command;
        std::ifstream stream(out);
        std::ostringstream text;
        text << stream.rdbuf();
        return kernels_of(text.str());
    }

    static const Text& named(const std::map<std::string, Text>& kernels, const std::string& name) {
        static const Text none;
        for (const auto& [mangled, text] : kernels) {
            if (mangled.find(name) != std::string::npos) {
                return text;
            }
        }
        ADD_FAILURE() << name << " is not in the compiled text";
        return none;
    }

    std::string nvcc_;
    fs::path folder_;
};

const std::pair<const char*, const char*> correct_kernels[] = {
    {"contiguous_warp", "ContiguousWarp"},
    {"contiguous_full", "ContiguousFull"},
    {"interleaved_divergent", "InterleavedDivergent"},
    {"interleaved_strided", "InterleavedStrided"},
    {"shuffle_first", "ShuffleFirst"},
    {"one_barrier", "OneBarrier"},
    {"contiguous_any", "ContiguousAny"},
};

// From sm_100 on the compiler may know at one place only that the block size is not negative, and then
// compares signed numbers here and unsigned ones there.
Text without_signs(Text text, int architecture) {
    if (architecture >= 100) {
        for (std::string& line : text) {
            line = std::regex_replace(line, std::regex(R"(^(.*setp\.\w+)\.[su]32)"), "$1.32");
        }
    }
    return text;
}

TEST_P(Ptx, PlainKernelsAreTheHandwrittenOnes) {
    const auto ours = compile("plain.cu");
    const auto theirs = compile("handwritten.cu");
    for (const auto& [hand, plain] : correct_kernels) {
        EXPECT_GT(named(ours, plain).size(), 50u) << hand;
        EXPECT_EQ(without_signs(named(ours, plain), GetParam()),
                  without_signs(named(theirs, hand), GetParam()))
            << hand;
    }
}

// The comparison above sees as little as two operands in the wrong order.
TEST_P(Ptx, SwappedOperandsAreNoticed) {
    const auto ours = compile("plain.cu");
    const auto swapped = compile("handwritten.cu", "-DSWAPPED");
    for (const auto& [hand, plain] : correct_kernels) {
        EXPECT_NE(without_signs(named(ours, plain), GetParam()),
                  without_signs(named(swapped, hand), GetParam()))
            << hand;
    }
}

// The instructions of each kernel in what `cuobjdump -sass` prints.
std::map<std::string, Text> sass_of(const std::string& dump) {
    std::map<std::string, Text> kernels;
    static const std::regex function(R"(Function : (\w+))"), instruction(R"(/\*[0-9a-f]{4,}\*/\s+(.*?)\s*;)");
    std::istringstream lines(dump);
    std::string name;
    for (std::string line; std::getline(lines, line);) {
        std::smatch match;
        if (std::regex_search(line, match, function)) {
            name = match[1];
        } else if (!name.empty() && std::regex_search(line, match, instruction)) {
            kernels[name].push_back(match[1]);
        }
    }
    return kernels;
}

// What the device executes, where the toolkit can show it.
TEST_P(Ptx, MachineCodeIsTheSameToo) {
    const fs::path cuobjdump = fs::path(nvcc_).parent_path() / "cuobjdump";
    if (!fs::exists(cuobjdump)) {
        GTEST_SKIP() << "cuobjdump is missing beside nvcc, so only the PTX is compared";
    }
    if (GetParam() >= 100) {
        GTEST_SKIP() << "from sm_100 on the sign of a comparison can differ";
    }
    std::map<std::string, Text> code[2];
    for (const char* file : {"plain", "handwritten"}) {
        const fs::path cubin = folder_ / (std::string(file) + ".cubin"),
                       dump = folder_ / (std::string(file) + ".sass");
        const std::string command =
            "'" + nvcc_ + "' -std=c++20 -O3 -fmad=false -I '" AUDITORIUM_SOURCE_DIR "' -arch=sm_" +
            std::to_string(GetParam()) + " -cubin '" AUDITORIUM_SOURCE_DIR "/tests/kernels/ptx/" + file +
            ".cu' -o '" + cubin.string() + "' && '" + cuobjdump.string() + "' -sass '" + cubin.string() +
            "' > '" + dump.string() + "'";
        ASSERT_EQ(std::system(command.c_str()), 0) << command;
        std::ifstream stream(dump);
        std::ostringstream text;
        text << stream.rdbuf();
        code[file[0] == 'h'] = sass_of(text.str());
    }
    for (const auto& [hand, plain] : correct_kernels) {
        EXPECT_GT(named(code[0], plain).size(), 50u) << hand;
        EXPECT_EQ(named(code[0], plain), named(code[1], hand)) << hand;
    }
}

INSTANTIATE_TEST_SUITE_P(Architectures, Ptx, testing::Values(75, 90, 100, 120),
                         [](const auto& info) { return "sm_" + std::to_string(info.param); });

}  // namespace
