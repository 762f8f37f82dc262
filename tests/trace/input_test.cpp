// Input SPECs, and names of ops, types and schedules: what they give and every way in which they can be
// wrong.
#include "trace/input.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <bit>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "trace/text.h"

namespace auditorium::trace {
namespace {

std::vector<float> floats(const std::string& spec, int block) {
    const auto values = expand_input(spec, Type::f32, block);
    EXPECT_TRUE(values) << values.error().sentence;
    std::vector<float> out;
    for (auto bits : *values) {
        out.push_back(std::bit_cast<float>(bits));
    }
    return out;
}

std::string sentence(const std::string& spec, int block, Type type = Type::f32,
                     ExitStatus status = ExitStatus::usage) {
    const auto values = expand_input(spec, type, block);
    EXPECT_FALSE(values) << spec;
    if (values) {
        return "";
    }
    EXPECT_EQ(values.error().status, status) << spec;
    const std::string& text = values.error().sentence;
    EXPECT_TRUE(text.ends_with('.') && !text.ends_with("..")) << text;
    EXPECT_EQ(text.find('\n'), std::string::npos) << text;
    return text;
}

bool says(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

TEST(Input, random_is_the_standard_generator) {
    // The first three values of std::mt19937(5489), which the C++ standard's generator defaults to.
    EXPECT_EQ(floats("random:5489", 3),
              (std::vector<float>{3499211612u % 1000, 581869302u % 1000, 3890346734u % 1000}));
    EXPECT_EQ(floats("random:5489:-5:5", 2),
              (std::vector<float>{-5 + float(3499211612u % 11), -5 + float(581869302u % 11)}));
    EXPECT_EQ(floats("random:1:7:7", 2), (std::vector<float>{7, 7}));
    const auto whole = expand_input("random:5489:-2147483648:2147483647", Type::i32, 1);
    ASSERT_TRUE(whole);
    EXPECT_EQ((*whole)[0], 3499211612u + 0x80000000u);
}

TEST(Input, ramp_ones_and_typed_values) {
    EXPECT_EQ(floats("ramp", 4), (std::vector<float>{0, 1, 2, 3}));
    EXPECT_EQ(floats("ones", 2), (std::vector<float>{1, 1}));
    EXPECT_EQ(floats("values: 1, +2.5 ,-3e2", 3), (std::vector<float>{1, 2.5f, -300}));
    EXPECT_EQ(*expand_input("values:-1,7", Type::i32, 2), (std::vector<std::uint32_t>{0xffffffff, 7}));
}

TEST(Input, odd_floats_are_read_exactly) {
    const auto bits = *expand_input("values:nan,inf,-inf,-0,1e-40,0.1,16777217,1e-60,-1e-60", Type::f32, 9);
    EXPECT_TRUE(std::isnan(std::bit_cast<float>(bits[0])));
    EXPECT_EQ(bits[1], 0x7f800000u);
    EXPECT_EQ(bits[2], 0xff800000u);
    EXPECT_EQ(bits[3], 0x80000000u);
    EXPECT_EQ(bits[4], 71362u);  // a denormal
    EXPECT_EQ(bits[5], 0x3dcccccdu);
    EXPECT_EQ(bits[6], 0x4b800000u);  // half way: to even
    EXPECT_EQ(bits[7], 0u);
    EXPECT_EQ(bits[8], 0x80000000u);
}

TEST(Input, every_wrong_spec_gets_one_sentence) {
    EXPECT_TRUE(says(sentence("", 4), "Unknown input"));
    EXPECT_TRUE(says(sentence("ramps", 4), "Unknown input 'ramps'"));
    EXPECT_TRUE(says(sentence("random:", 4), "seed"));
    EXPECT_TRUE(says(sentence("random:x", 4), "seed"));
    EXPECT_TRUE(says(sentence("random:-1", 4), "seed"));
    EXPECT_TRUE(says(sentence("random:4294967296", 4), "seed"));
    EXPECT_TRUE(says(sentence("random:1:2", 4), "largest"));
    EXPECT_TRUE(says(sentence("random:1:9:2", 4), "LO must not be larger"));
    EXPECT_TRUE(says(sentence("random:1:0.5:2", 4), "whole numbers"));
    EXPECT_TRUE(says(sentence("random:1:2:3:4", 4), "largest"));
    EXPECT_TRUE(says(sentence("values:", 4), "empty"));
    EXPECT_TRUE(says(sentence("values:1,,3", 3), "Value 2"));
    EXPECT_TRUE(says(sentence("values:1,2,", 3), "Value 3"));
    EXPECT_TRUE(says(sentence("values:1,two,3", 3), "'two' is not a number"));
    EXPECT_TRUE(says(sentence("values:1,2", 3), "has only 2 values, but a block of 3 needs exactly 3"));
    EXPECT_TRUE(says(sentence("values:1", 3), "has only 1 value,"));
    EXPECT_TRUE(says(sentence("values:1,2,3,4", 3), "has 4 values"));
    EXPECT_TRUE(says(sentence("values:1e39", 1), "too large"));
    EXPECT_TRUE(says(sentence("values:1e999", 1), "too large"));
    EXPECT_TRUE(says(sentence("values:1.5", 1, Type::i32), "whole number"));
    EXPECT_TRUE(says(sentence("values:2147483648", 1, Type::i32), "whole number"));
    EXPECT_TRUE(says(sentence("values:--1", 1), "not a number"));
    EXPECT_TRUE(says(sentence("values:+-1", 1), "not a number"));
    EXPECT_TRUE(says(sentence("values:1\x1b[2J", 1), "'1?[2J'"));
    EXPECT_TRUE(says(sentence("file:", 1), "names no file"));
    for (int block : {0, -1, 1025}) {
        EXPECT_TRUE(says(sentence("ones", block), "1 to 1024"));
    }
}

TEST(Input, files) {
    const auto folder =
        std::filesystem::temp_directory_path() / ("auditorium_input_" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder);
    const auto write = [&](const std::string& text) {
        std::ofstream(folder / "numbers.txt", std::ios::binary) << text;
        return "file:" + (folder / "numbers.txt").string();
    };
    EXPECT_EQ(floats(write("1 2,3\n\t4 ,\r\n5"), 5), (std::vector<float>{1, 2, 3, 4, 5}));
    EXPECT_EQ(floats(write("\xEF\xBB\xBF"
                           "7\n"),
                     1),
              (std::vector<float>{7}));
    const auto bad = ExitStatus::bad_input;
    EXPECT_TRUE(says(sentence(write(""), 1, Type::f32, bad), "holds no number"));
    EXPECT_TRUE(says(sentence(write("1\n2\nx"), 3, Type::f32, bad), "line 3: 'x' is not a number"));
    EXPECT_TRUE(says(sentence(write("1 2"), 3, Type::f32, bad), "has only 2 values"));
    EXPECT_TRUE(says(sentence(write("1 2 3 4"), 3, Type::f32, bad), "has 4 values"));
    EXPECT_TRUE(says(sentence(write(std::string(2 << 20, ' ')), 1, Type::f32, bad), "larger than 1 MB"));
    EXPECT_TRUE(says(sentence(write(std::string("\0\1", 2)), 1, Type::f32, bad), "not a number"));
    EXPECT_TRUE(says(sentence("file:" + folder.string(), 1, Type::f32, bad), "is a folder"));
    EXPECT_TRUE(says(sentence("file:/nowhere/at/all", 1, Type::f32, bad), "does not exist"));
    std::filesystem::create_symlink("round", folder / "round");
    EXPECT_TRUE(says(sentence("file:" + (folder / "round").string(), 1, Type::f32, bad), "symbolic links"));
    std::filesystem::remove_all(folder);
}

// Where the bounds of float and double are passed: the nearest float, or too large.
TEST(Input, numbers_beyond_all_bounds) {
    const std::string zeros(400, '0');
    EXPECT_EQ(floats("values:1e-400,1e-46,0." + zeros + "1", 3), (std::vector<float>{0, 0, 0}));
    EXPECT_EQ(floats("values:1" + zeros + "e-400", 1), (std::vector<float>{1}));
    for (const std::string& large : {std::string("1e39"), std::string("-1e400"), "1" + zeros,
                                     "1" + zeros + "e-300", "0.0001e" + std::string("400")}) {
        EXPECT_TRUE(says(sentence("values:" + large, 1), "too large for a float")) << large;
    }
}

// What a trace could not keep is refused: it could not be read again.
TEST(Input, a_spec_that_no_trace_can_keep) {
    EXPECT_TRUE(says(sentence("values:" + std::string(70000, '1'), 1), "at most 65536"));
    EXPECT_TRUE(says(sentence("file:/tmp/\xff", 1), "no UTF-8 text"));
    EXPECT_TRUE(says(sentence("file:/tmp/\x1b[1m", 1), "no UTF-8 text"));
}

TEST(Config, values_are_told_to_the_last_digit) {
    const auto told = [](float value) { return value_text(std::bit_cast<std::uint32_t>(value), Type::f32); };
    EXPECT_EQ(told(998), "998");
    EXPECT_EQ(told(0.1f), "0.1");
    EXPECT_EQ(told(-0.0f), "-0");
    EXPECT_EQ(told(1e-40f), "1e-40");
    EXPECT_EQ(told(16777215), "16777215");
    EXPECT_EQ(told(-17537012000.f), "-17537011712");
    EXPECT_EQ(told(2143362688.f), "2143362688");
    EXPECT_EQ(told(-INFINITY), "-inf");
    EXPECT_EQ(told(-NAN), "nan");
    EXPECT_EQ(value_text(0x80000000, Type::i32), "-2147483648");
    EXPECT_EQ(text_of(Type::f32, 0xd082a932), "-17537011712 (0xd082a932)");
    for (float value = 1.1f; std::isfinite(value); value *= 3.7f) {
        EXPECT_EQ(std::strtof(told(value).c_str(), nullptr), value) << told(value);
        EXPECT_EQ(std::strtod(told(value).c_str(), nullptr) == double(value) || value < 0x1p24f, true)
            << value;
    }
}

TEST(Text, what_is_printable) {
    EXPECT_EQ(printable("a\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80"), "a\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80");
    for (const char* bytes :
         {"\xff", "\xc3", "\x80", "\x1b", "\x7f", "\n", "\xc2\x9b", "\xe2\x80\xae", "\xe2\x80\xa8"}) {
        EXPECT_EQ(printable(std::string("a") + bytes + "b"), "a?b") << int(bytes[0]);
    }
    EXPECT_EQ(printable("\xed\xa0\x80"), "???") << "half of a surrogate pair";
    EXPECT_EQ(printable("\xc0\xaf"), "??") << "longer than need be";
    EXPECT_EQ(in_quotes("\xc3\xa9\xc3\xa9", 3), "'\xc3\xa9...'");
    EXPECT_EQ(in_quotes("abc", 3), "'abc'");
    EXPECT_EQ(in_quotes("\x80\x80\x80\x80\x80\x80\x80\x80\x80", 7), "'???????...'");
}

TEST(Config, names_are_read_back) {
    for (const char* name : {"max", "min", "sum"}) {
        EXPECT_STREQ(name_of(*parse_op(name)), name);
    }
    for (const char* name : {"float", "int"}) {
        EXPECT_STREQ(name_of(*parse_type(name)), name);
    }
    for (const char* name : {"lockstep", "0", "7", "18446744073709551615", "independent:12"}) {
        EXPECT_EQ(name_of(*parse_schedule(name)), name);
    }
    for (const char* name : {"", "MAX", "mean"}) {
        EXPECT_FALSE(parse_op(name));
        EXPECT_FALSE(parse_type(name));
    }
    for (const char* name :
         {"", "x", "-1", "independent", "independent:", "independent:x", "18446744073709551616"}) {
        EXPECT_FALSE(parse_schedule(name)) << name;
    }
}

}  // namespace
}  // namespace auditorium::trace
