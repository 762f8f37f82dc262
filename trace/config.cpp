#include "trace/config.h"

#include <fmt/format.h>

#include <bit>
#include <charconv>
#include <cmath>
#include <optional>
#include <string_view>

#include "trace/text.h"

namespace auditorium::trace {
namespace {

std::optional<std::uint64_t> whole_number(std::string_view text) {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (text.empty() || error != std::errc() || end != text.data() + text.size()) {
        return std::nullopt;
    }
    return value;
}

}  // namespace

const char* name_of(Op op) {
    switch (op) {
        case Op::max:
            return "max";
        case Op::min:
            return "min";
        case Op::sum:
            return "sum";
    }
    return "?";
}

const char* name_of(Type type) {
    return type == Type::f32 ? "float" : "int";
}

std::string name_of(const Schedule& schedule) {
    switch (schedule.kind) {
        case Schedule::Kind::lockstep:
            return "lockstep";
        case Schedule::Kind::seeded:
            return fmt::format("{}", schedule.seed);
        case Schedule::Kind::independent:
            return fmt::format("independent:{}", schedule.seed);
    }
    return "?";
}

std::string value_text(std::uint32_t bits, Type type) {
    if (type == Type::i32) {
        return fmt::format("{}", static_cast<std::int32_t>(bits));
    }
    const float value = std::bit_cast<float>(bits);
    if (std::isnan(value)) {
        return "nan";
    }
    return std::fabs(value) >= 0x1p24f ? fmt::format("{}", static_cast<double>(value))
                                       : fmt::format("{}", value);
}

std::string bits_text(std::uint32_t bits) {
    return fmt::format("0x{:08x}", bits);
}

std::string text_of(Type type, std::uint32_t bits) {
    return fmt::format("{} ({})", value_text(bits, type), bits_text(bits));
}

Expected<Op> parse_op(const std::string& text) {
    for (Op op : {Op::max, Op::min, Op::sum}) {
        if (text == name_of(op)) {
            return op;
        }
    }
    return fail(ExitStatus::usage, fmt::format("Unknown op {}: it is max, min or sum.", in_quotes(text)));
}

Expected<Type> parse_type(const std::string& text) {
    for (Type type : {Type::f32, Type::i32}) {
        if (text == name_of(type)) {
            return type;
        }
    }
    return fail(ExitStatus::usage, fmt::format("Unknown type {}: it is float or int.", in_quotes(text)));
}

Expected<Schedule> parse_schedule(const std::string& text) {
    if (text == "lockstep") {
        return Schedule{};
    }
    const std::string_view prefix = "independent:";
    const bool independent = text.starts_with(prefix);
    const auto seed = whole_number(independent ? std::string_view(text).substr(prefix.size()) : text);
    if (!seed) {
        return fail(ExitStatus::usage,
                    fmt::format("Unknown schedule {}: it is lockstep, a seed such as 7, or independent:SEED.",
                                in_quotes(text)));
    }
    return Schedule{independent ? Schedule::Kind::independent : Schedule::Kind::seeded, *seed};
}

}  // namespace auditorium::trace
