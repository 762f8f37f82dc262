// What the commands print: text on standard output, rows as text, markdown or CSV, JSON.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "analysis/analysis.h"
#include "cli/commands.h"
#include "trace/json.h"

namespace auditorium::cli {

using trace::Json;

void print(std::string_view text);      // as it is, no newline added; what fails is told by finish_output()
Expected<void> finish_output();         // at the end: whether standard output took all of it (bad_output)
void say(const std::string& sentence);  // one line on standard error
void print_json(const Json& json);      // indented, with a newline

struct Rows {
    std::vector<std::string> head;
    std::vector<std::vector<std::string>> rows;
    std::vector<bool> number;  // per column: aligned to the right
};
std::string as_text(const Rows& rows);      // columns with two spaces between
std::string as_markdown(const Rows& rows);  // a table; | in a cell is escaped
std::string as_csv(const Rows& rows);       // RFC 4180, with a head

// Pieces that several commands say.
std::string launch_text(const trace::Trace& trace);  // "contiguous_warp, max of float, 256 threads"
std::string number_text(double value);               // shortest that reads back
// "998 (0x44798000), equal to the reference": of one call.
std::string result_text(const trace::Trace& trace, const analysis::Analysis& analysis, std::size_t call);
Json value_json(std::uint32_t bits, trace::Type type);  // null for a NaN or an infinity
const char* origin_name(const trace::Trace& trace);     // "gpu" | "simulated"

// What -o names, before anything long is begun for it: "-", the file that standard output goes to and one of
// those that are read are refused (usage), and so is a file that could not be written (bad_output).
Expected<void> check_output(const std::string& path, const std::vector<std::string>& read = {});

// A whole number in [low, high], or one sentence.
Expected<long> parse_number(const std::string& option, const std::string& text, long low, long high);

}  // namespace auditorium::cli
