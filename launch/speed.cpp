#include "launch/speed.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#ifdef AUDITORIUM_RECORDED_SPEED
extern "C" const unsigned char auditorium_recorded_speed[], auditorium_recorded_speed_end[];
#endif

namespace auditorium::launch {
namespace {

constexpr std::string_view first_line = "auditorium speed 1";
constexpr std::size_t most_rows = 4096;

std::vector<std::string> split(std::string_view text, char by) {
    std::vector<std::string> parts;
    for (;;) {
        const std::size_t end = text.find(by);
        parts.emplace_back(text.substr(0, end));
        if (end == std::string_view::npos) {
            return parts;
        }
        text.remove_prefix(end + 1);
    }
}

// A number that is finite and not negative; -1: none.
double number(const std::string& text) {
    char* end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    return !text.empty() && *end == 0 && std::isfinite(value) && value >= 0 ? value : -1;
}

}  // namespace

const std::optional<Speed>& recorded_speed() {
    static const std::optional<Speed> recorded = []() -> std::optional<Speed> {
#ifdef AUDITORIUM_RECORDED_SPEED
        const char* begin = reinterpret_cast<const char*>(auditorium_recorded_speed);
        const char* end = reinterpret_cast<const char*>(auditorium_recorded_speed_end);
        if (auto speed =
                parse_speed({begin, static_cast<std::size_t>(end - begin)}, "the built-in figures")) {
            return std::move(*speed);
        }
#endif
        return std::nullopt;
    }();
    return recorded;
}

const CallTime* Speed::call(std::string_view what, trace::Op op, trace::Type type, int threads) const {
    for (const CallTime& call : calls) {
        if (call.what == what && call.op == op && call.type == type && call.threads == threads) {
            return &call;
        }
    }
    return nullptr;
}

double Speed::cub_median(trace::Op op, trace::Type type, int threads) const {
    const CallTime *plain = call(cub_block_reduce, op, type, threads),
                   *raking = call(cub_raking, op, type, threads);
    return plain && raking ? std::min(plain->median, raking->median)
           : plain         ? plain->median
           : raking        ? raking->median
                           : 0;
}

const ArrayTime* Speed::array(std::string_view what) const {
    for (const ArrayTime& array : arrays) {
        if (array.what == what) {
            return &array;
        }
    }
    return nullptr;
}

std::string speed_text(const Speed& speed) {
    std::string text = std::string(first_line) + "\n";
    text += fmt::format("device\t{}\t{}.{}\ndriver\t{}\ncuda\t{}\ndate\t{}\n", speed.device,
                        speed.compute_major, speed.compute_minor, speed.driver, speed.cuda, speed.date);
    text += fmt::format("runs\t{}\t{}\nelements\t{:.0f}\n", speed.runs, speed.launches, speed.array_elements);
    for (const CallTime& call : speed.calls) {
        text += fmt::format("call\t{}\t{}\t{}\t{}\t{}\t{}\n", call.what, name_of(call.op), name_of(call.type),
                            call.threads, call.min, call.median);
    }
    for (const ArrayTime& array : speed.arrays) {
        text += fmt::format("array\t{}\t{:.5f}\t{:.5f}\t{:.0f}\n", array.what, array.min, array.median,
                            array.bytes);
    }
    return text;
}

Expected<Speed> parse_speed(std::string_view text, const std::string& name) {
    const auto bad = [&](std::size_t line) {
        return fail(ExitStatus::bad_input,
                    fmt::format("{}, line {}: this is no record of a GPU's speed.", name, line));
    };
    Speed speed;
    const std::vector<std::string> lines = split(text, '\n');
    if (lines.front() != first_line) {
        return bad(1);
    }
    for (std::size_t i = 1; i < lines.size(); ++i) {
        if (lines[i].empty()) {
            continue;
        }
        const std::vector<std::string> cells = split(lines[i], '\t');
        const std::string& kind = cells[0];
        if (kind == "device" && cells.size() == 3) {
            speed.device = cells[1];
            const std::vector<std::string> version = split(cells[2], '.');
            if (version.size() != 2 || number(version[0]) < 0 || number(version[1]) < 0) {
                return bad(i + 1);
            }
            speed.compute_major = static_cast<int>(std::min(number(version[0]), 1000.0));
            speed.compute_minor = static_cast<int>(std::min(number(version[1]), 1000.0));
        } else if (kind == "driver" && cells.size() == 2) {
            speed.driver = cells[1];
        } else if (kind == "cuda" && cells.size() == 2) {
            speed.cuda = cells[1];
        } else if (kind == "date" && cells.size() == 2) {
            speed.date = cells[1];
        } else if (kind == "runs" && cells.size() == 3 && number(cells[1]) > 0 && number(cells[2]) > 0) {
            speed.runs = static_cast<int>(std::min(number(cells[1]), 1e6));
            speed.launches = static_cast<int>(std::min(number(cells[2]), 1e6));
        } else if (kind == "elements" && cells.size() == 2 && number(cells[1]) > 0) {
            speed.array_elements = number(cells[1]);
        } else if (kind == "call" && cells.size() == 7 && speed.calls.size() < most_rows) {
            const auto op = trace::parse_op(cells[2]);
            const auto type = trace::parse_type(cells[3]);
            const double threads = number(cells[4]);
            CallTime call{cells[1], {}, {}, 0, number(cells[5]), number(cells[6])};
            if (!op || !type || threads < 1 || threads > trace::max_block || call.min < 0 ||
                call.median < 0) {
                return bad(i + 1);
            }
            call.op = *op;
            call.type = *type;
            call.threads = static_cast<int>(threads);
            speed.calls.push_back(std::move(call));
        } else if (kind == "array" && cells.size() == 5 && speed.arrays.size() < most_rows) {
            ArrayTime array{cells[1], number(cells[2]), number(cells[3]), number(cells[4])};
            if (array.min < 0 || array.median < 0 || array.bytes < 0) {
                return bad(i + 1);
            }
            speed.arrays.push_back(std::move(array));
        } else {
            return bad(i + 1);
        }
    }
    return speed;
}

}  // namespace auditorium::launch
