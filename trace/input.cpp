#include "trace/input.h"

#include <fmt/format.h>

#include <bit>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <random>
#include <string_view>

#include "trace/text.h"

namespace auditorium::trace {
namespace {

constexpr std::size_t max_text_bytes = 1 << 20;  // 1024 numbers need far less

std::string_view trimmed(std::string_view text) {
    const auto space = [](char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; };
    while (!text.empty() && space(text.front())) {
        text.remove_prefix(1);
    }
    while (!text.empty() && space(text.back())) {
        text.remove_suffix(1);
    }
    return text;
}

template <typename Number>
bool parse_whole(std::string_view text, Number& value) {
    if (text.starts_with('+') && !text.starts_with("+-") && !text.starts_with("++")) {
        text.remove_prefix(1);
    }
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return !text.empty() && error == std::errc() && end == text.data() + text.size();
}

Expected<std::uint32_t> parse_number(std::string_view text, Type type, ExitStatus status) {
    if (type == Type::i32) {
        std::int32_t value = 0;
        if (!parse_whole(text, value)) {
            return fail(status,
                        fmt::format("{} is not a whole number between {} and {}, which an int input needs.",
                                    in_quotes(text), std::numeric_limits<std::int32_t>::min(),
                                    std::numeric_limits<std::int32_t>::max()));
        }
        return std::bit_cast<std::uint32_t>(value);
    }
    std::string_view digits = text;
    if (digits.starts_with('+') && !digits.starts_with("+-") && !digits.starts_with("++")) {
        digits.remove_prefix(1);
    }
    float value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (digits.empty() || error == std::errc::invalid_argument || end != digits.data() + digits.size()) {
        return fail(status, fmt::format("{} is not a number.", in_quotes(text)));
    }
    if (error == std::errc::result_out_of_range) {  // too large, or so small that zero is the nearest
        value = std::strtof(std::string(digits).c_str(), nullptr);
        if (std::isinf(value)) {
            return fail(status, fmt::format("{} is too large for a float.", in_quotes(text)));
        }
    }
    return std::bit_cast<std::uint32_t>(value);
}

std::uint32_t bits_of(std::int64_t value, Type type) {
    return type == Type::f32 ? std::bit_cast<std::uint32_t>(static_cast<float>(value))
                             : static_cast<std::uint32_t>(value);
}

Expected<std::vector<std::uint32_t>> random_values(std::string_view arguments, Type type, int block) {
    std::vector<std::string_view> parts;
    for (std::size_t begin = 0; begin <= arguments.size();) {
        const auto end = std::min(arguments.find(':', begin), arguments.size());
        parts.push_back(arguments.substr(begin, end - begin));
        begin = end + 1;
    }
    const auto bad = [&](const char* why) {
        return fail(ExitStatus::usage, fmt::format("Bad input {}: {} (random:SEED or random:SEED:LO:HI).",
                                                   in_quotes("random:" + std::string(arguments)), why));
    };
    if (parts.size() != 1 && parts.size() != 3) {
        return bad("it takes a seed, or a seed, a smallest and a largest value");
    }
    std::uint32_t seed = 0;
    if (!parse_whole(parts[0], seed)) {
        return bad("the seed must be a whole number from 0 to 4294967295");
    }
    std::int32_t low = 0, high = 999;
    if (parts.size() == 3 && (!parse_whole(parts[1], low) || !parse_whole(parts[2], high))) {
        return bad("LO and HI must be whole numbers from -2147483648 to 2147483647");
    }
    if (low > high) {
        return bad("LO must not be larger than HI");
    }
    const std::uint64_t width = static_cast<std::uint64_t>(std::int64_t{high} - low) + 1;
    std::mt19937 generator(seed);
    std::vector<std::uint32_t> values(static_cast<std::size_t>(block));
    for (auto& value : values) {
        value = bits_of(low + static_cast<std::int64_t>(generator() % width), type);
    }
    return values;
}

Expected<std::vector<std::uint32_t>> check_count(std::vector<std::uint32_t> values, std::size_t count,
                                                 int block, const std::string& where, ExitStatus status) {
    if (count != static_cast<std::size_t>(block)) {
        return fail(status, fmt::format("{} {} {} value{}, but a block of {} needs exactly {}.", where,
                                        count < static_cast<std::size_t>(block) ? "has only" : "has", count,
                                        count == 1 ? "" : "s", block, block));
    }
    return values;
}

Expected<std::vector<std::uint32_t>> typed_values(std::string_view list, Type type, int block) {
    if (trimmed(list).empty()) {
        return fail(ExitStatus::usage, "The input is empty: write values:1,2,3 with one number a thread.");
    }
    std::vector<std::uint32_t> values;
    std::size_t count = 0;
    for (std::size_t begin = 0; begin <= list.size(); ++count) {
        const auto end = std::min(list.find(',', begin), list.size());
        const auto item = trimmed(list.substr(begin, end - begin));
        begin = end + 1;
        if (item.empty()) {
            return fail(
                ExitStatus::usage,
                fmt::format("Value {} of the input is empty: two commas stand side by side or one at an end.",
                            count + 1));
        }
        auto value = parse_number(item, type, ExitStatus::usage);
        if (!value) {
            return fail(ExitStatus::usage,
                        fmt::format("Value {} of the input: {}", count + 1, value.error().sentence));
        }
        if (values.size() < static_cast<std::size_t>(max_block)) {
            values.push_back(*value);
        }
    }
    return check_count(std::move(values), count, block, "The input", ExitStatus::usage);
}

Expected<std::vector<std::uint32_t>> values_of_file(const std::string& path, Type type, int block) {
    const auto bad = [&](std::string_view why) {
        return fail(ExitStatus::bad_input, fmt::format("The input file {} {}.", in_quotes(path, 200), why));
    };
    if (path.empty()) {
        return fail(ExitStatus::usage, "The input names no file: write file:PATH.");
    }
    std::error_code error;
    const auto status = std::filesystem::status(path, error);
    if (!std::filesystem::status_known(status)) {
        return bad(fmt::format("cannot be read: {}", error.message()));
    }
    if (!std::filesystem::exists(status)) {
        return bad("does not exist");
    }
    if (std::filesystem::is_directory(status)) {
        return bad("is a folder");
    }
    if (!std::filesystem::is_regular_file(status)) {  // a pipe may keep its reader waiting for ever
        return bad("is not a regular file");
    }
    errno = 0;
    std::ifstream file(path, std::ios::binary);
    if (!file) {
        return bad(fmt::format("cannot be read: {}", std::strerror(errno != 0 ? errno : EIO)));
    }
    std::string text(max_text_bytes + 1, '\0');
    file.read(text.data(), static_cast<std::streamsize>(text.size()));
    if (file.bad()) {
        return bad(fmt::format("cannot be read: {}", std::strerror(errno != 0 ? errno : EIO)));
    }
    text.resize(static_cast<std::size_t>(file.gcount()));
    if (text.size() > max_text_bytes) {
        return bad("is larger than 1 MB, too large for one number a thread");
    }
    std::string_view rest = text;
    if (rest.starts_with("\xEF\xBB\xBF")) {
        rest.remove_prefix(3);
    }
    const auto separates = [](char c) {
        return c == ',' || std::isspace(static_cast<unsigned char>(c)) != 0;
    };
    std::vector<std::uint32_t> values;
    std::size_t count = 0;
    int line = 1;
    for (std::size_t at = 0; at < rest.size();) {
        if (separates(rest[at])) {
            line += rest[at] == '\n';
            ++at;
            continue;
        }
        std::size_t end = at;
        while (end < rest.size() && !separates(rest[end])) {
            ++end;
        }
        auto value = parse_number(rest.substr(at, end - at), type, ExitStatus::bad_input);
        if (!value) {
            return fail(ExitStatus::bad_input,
                        fmt::format("The input file {}, line {}: {}", in_quotes(path, 200), line,
                                    value.error().sentence));
        }
        if (values.size() < static_cast<std::size_t>(max_block)) {
            values.push_back(*value);
        }
        ++count;
        at = end;
    }
    if (count == 0) {
        return bad("holds no number");
    }
    return check_count(std::move(values), count, block,
                       fmt::format("The input file {}", in_quotes(path, 200)), ExitStatus::bad_input);
}

}  // namespace

Expected<std::vector<std::uint32_t>> expand_input(const std::string& spec, Type type, int block) {
    if (block < 1 || block > max_block) {
        return fail(ExitStatus::usage,
                    fmt::format("A block has 1 to {} threads; {} is not possible.", max_block, block));
    }
    const std::string_view text = spec;
    if (text.size() > max_input) {
        return fail(
            ExitStatus::usage,
            fmt::format("The input {} is {} bytes long; at most {} can be kept in a trace, so put the "
                        "numbers into a file and write file:PATH.",
                        in_quotes(text), text.size(), max_input));
    }
    if (text.starts_with("random:")) {
        return random_values(text.substr(7), type, block);
    }
    if (text.starts_with("values:")) {
        return typed_values(text.substr(7), type, block);
    }
    if (text.starts_with("file:")) {
        if (!is_text(text)) {  // the trace names the file
            return fail(ExitStatus::usage,
                        fmt::format("The input {} is no UTF-8 text without control characters, as a trace "
                                    "needs it: give the file another name.",
                                    in_quotes(text, 200)));
        }
        return values_of_file(spec.substr(5), type, block);
    }
    if (text == "ramp" || text == "ones") {
        std::vector<std::uint32_t> values;
        for (int thread = 0; thread < block; ++thread) {
            values.push_back(bits_of(text == "ramp" ? thread : 1, type));
        }
        return values;
    }
    return fail(
        ExitStatus::usage,
        fmt::format("Unknown input {}: it is random:SEED[:LO:HI], ramp, ones, values:1,2,3 or file:PATH.",
                    in_quotes(text)));
}

}  // namespace auditorium::trace
