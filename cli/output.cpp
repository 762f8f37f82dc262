#include "cli/output.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <limits>
#include <system_error>

#include "analysis/findings.h"
#include "analysis/verdict.h"
#include "trace/files.h"
#include "trace/text.h"

namespace auditorium::cli {

namespace {

int output_error = 0;  // the errno of the first write to standard output that failed

}  // namespace

void print(std::string_view text) {
    errno = 0;
    if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() && output_error == 0)
        output_error = errno;
}

Expected<void> finish_output() {
    errno = 0;
    const bool flushed = std::fflush(stdout) == 0;
    const int error = output_error != 0 ? output_error : errno;
    if (flushed && !std::ferror(stdout))
        return {};
    return tl::unexpected(
        unwritable("Standard output", std::generic_category().message(error != 0 ? error : EIO)));
}

void say(const std::string& sentence) {
    // Words from outside may be anything; what goes out is one line of UTF-8. Where standard error is closed
    // or full, the exit status still speaks: no exception here.
    std::string line = sentence;
    std::replace(line.begin(), line.end(), '\n', ' ');
    line = fmt::format("auditorium: {}\n", printable(line));
    std::fwrite(line.data(), 1, line.size(), stderr);
}

void print_json(const Json& json) {
    // Strings may hold what came from a file: bytes that are no UTF-8 are replaced, never thrown at.
    print(json.dump(2) + "\n");
}

namespace {

// Columns that a terminal shows for UTF-8 text, one for each code point.
std::size_t width_of(const std::string& text) {
    return std::size_t(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xc0) != 0x80; }));
}

}  // namespace

std::string as_text(const Rows& rows) {
    std::vector<std::size_t> width(rows.head.size(), 0);
    const auto measure = [&](const std::vector<std::string>& row) {
        for (std::size_t i = 0; i < width.size(); ++i)
            width[i] = std::max(width[i], width_of(row[i]));
    };
    measure(rows.head);
    for (const auto& row : rows.rows)
        measure(row);
    std::string text;
    const auto put = [&](const std::vector<std::string>& row) {
        std::string line;
        for (std::size_t i = 0; i < width.size(); ++i) {
            const std::string space(width[i] - width_of(row[i]), ' ');
            line += (i ? "  " : "") + (rows.number[i] ? space + row[i] : row[i] + space);
        }
        line.erase(line.find_last_not_of(' ') + 1);
        text += line + "\n";
    };
    put(rows.head);
    for (const auto& row : rows.rows)
        put(row);
    return text;
}

std::string as_markdown(const Rows& rows) {
    std::string text;
    const auto put = [&](const std::vector<std::string>& row) {
        for (const std::string& cell : row) {
            text += "| ";
            for (const char c : cell)
                text += c == '|' ? "\\|" : std::string(1, c);
            text += " ";
        }
        text += "|\n";
    };
    put(rows.head);
    for (const bool number : rows.number)
        text += number ? "|---:" : "|---";
    text += "|\n";
    for (const auto& row : rows.rows)
        put(row);
    return text;
}

std::string as_csv(const Rows& rows) {
    std::string text;
    const auto put = [&](const std::vector<std::string>& row) {
        for (std::size_t i = 0; i < row.size(); ++i) {
            const bool quote = row[i].find_first_of(",\"\r\n") != std::string::npos;
            text += i ? "," : "";
            if (!quote) {
                text += row[i];
                continue;
            }
            text += '"';
            for (const char c : row[i])
                text += c == '"' ? "\"\"" : std::string(1, c);
            text += '"';
        }
        text += "\r\n";
    };
    put(rows.head);
    for (const auto& row : rows.rows)
        put(row);
    return text;
}

std::string launch_text(const trace::Trace& trace) {
    const auto& config = trace.config;
    return fmt::format("{}, {} of {}, {} thread{}{}", config.kernel, name_of(config.op), name_of(config.type),
                       config.block, config.block == 1 ? "" : "s",
                       config.calls > 1 ? fmt::format(", {} calls", config.calls) : "");
}

std::string number_text(double value) {
    return fmt::format("{}", value);
}

std::string result_text(const trace::Trace& trace, const analysis::Analysis& analysis, std::size_t call) {
    const analysis::CallResult& result = analysis.results[call];
    const trace::Type type = trace.config.type;
    const std::string value = trace::value_text(result.bits, type);
    if (result.undefined)
        return value + " (undefined)";
    const std::string reference =
        type == trace::Type::i32 ? fmt::format("{}", result.reference_int) : number_text(result.reference);
    const std::string wraps =
        result.wrapped ? fmt::format("; the exact sum, {}, wraps around", reference) : "";
    if (result.correct && !result.all_threads_agree)
        return fmt::format("{} ({}) in thread 0, but the threads do not all return the same value", value,
                           trace::bits_text(result.bits));
    // Known for the first call alone: what a later one folds is not the launch's input.
    const std::string amiss = call == 0 ? analysis::inputs_amiss(analysis, trace.config.block) : "";
    const std::string although = amiss.empty() ? "" : " although " + amiss;
    if (result.correct && result.ulp == 0)
        return fmt::format("{} ({}), equal to the reference{}{}", value, trace::bits_text(result.bits),
                           although, wraps);
    if (type == trace::Type::i32)
        return fmt::format("{} ({}), wrong: off by {} from the reference {}{}", value,
                           trace::bits_text(result.bits), result.ulp,
                           result.wrapped
                               ? trace::value_text(std::uint32_t(std::uint64_t(result.reference_int)), type)
                               : reference,
                           wraps);
    if (result.ulp == std::numeric_limits<std::int64_t>::max())
        return fmt::format("{} ({}), wrong: the reference is {}", value, trace::bits_text(result.bits),
                           reference);
    return fmt::format("{} ({}), {}: {} ULP from the reference {}{}", value, trace::bits_text(result.bits),
                       result.correct ? "within the bound of its order of addition" : "wrong", result.ulp,
                       reference, result.correct ? although : "");
}

Json value_json(std::uint32_t bits, trace::Type type) {
    if (type == trace::Type::i32)
        return std::int32_t(bits);
    const float value = std::bit_cast<float>(bits);
    return std::isfinite(value) ? Json(double(value)) : Json(nullptr);
}

const char* origin_name(const trace::Trace& trace) {
    return trace.origin.kind == trace::Origin::Kind::gpu ? "gpu" : "simulated";
}

Expected<void> check_output(const std::string& path, const std::vector<std::string>& read) {
    if (path == "-")
        return fail(ExitStatus::usage,
                    "-o takes a file, not '-' for standard output, which says what was done; './-' is a file "
                    "of that name.");
    std::error_code error;
    for (const std::string& file : read)
        if (std::filesystem::equivalent(path, file, error))
            return fail(ExitStatus::usage,
                        fmt::format("{} is the file that is read; give -o another.", in_quotes(path, 200)));
    struct stat named {
    }, output{};
    if (::stat(path.c_str(), &named) == 0 && ::fstat(STDOUT_FILENO, &output) == 0 && S_ISREG(named.st_mode) &&
        named.st_dev == output.st_dev && named.st_ino == output.st_ino)
        return fail(ExitStatus::usage, fmt::format("{} is where standard output goes, which says what was "
                                                   "done; give -o another file.",
                                                   in_quotes(path, 200)));
    return can_write(path);
}

Expected<long> parse_number(const std::string& option, const std::string& text, long low, long high) {
    long value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || value < low || value > high)
        return fail(ExitStatus::usage, fmt::format("{} takes a whole number from {} to {}, not {}.", option,
                                                   low, high, in_quotes(text)));
    return value;
}

Expected<Format> parse_format(const std::string& text) {
    if (text == "text")
        return Format::text;
    if (text == "md")
        return Format::markdown;
    if (text == "csv")
        return Format::csv;
    if (text == "json")
        return Format::json;
    return fail(ExitStatus::usage,
                fmt::format("--format takes text, md, csv or json, not {}.", in_quotes(text)));
}

}  // namespace auditorium::cli
