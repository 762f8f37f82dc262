// The commands of the program, one function and one file each. Each prints its answer on standard output and
// returns its exit status; what is wrong with a call comes back as an Error, which main() prints as one
// sentence on standard error.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/analysis.h"
#include "launch/launch.h"
#include "trace/error.h"
#include "trace/trace.h"

namespace auditorium::cli {

using Status = Expected<ExitStatus>;

enum class Format { text, markdown, csv, json };
Expected<Format> parse_format(const std::string& text);  // "text" | "md" | "csv" | "json"

struct RecordOptions {
    std::string kernel = "contiguous_warp", op = "max", type = "float";
    std::optional<std::string> block,
        input;                         // none: what shows the kernel's fault, else 256, random:3664:0:999
    std::optional<std::string> calls;  // none: the kernel's own
    std::string device = "auto";
    std::optional<std::string> schedule;  // none: lockstep
    std::string out;
    bool allow_wrong = false;
    bool find_wrong = false;  // search what is not said, schedules and inputs, until the result is wrong
    bool json = false;
};

struct RenderOptions {
    std::optional<std::string> file;
    std::string out;
    std::vector<std::string> compare;  // one or two: files or catalogue entries, beside FILE or each other
    std::string op = "max", type = "float", input = "random:3664:0:999";  // of catalogue entries
    std::string mode = "step";            // how a pair is aligned: step, phase or race
    std::optional<std::string> step, at;  // one of the two
    std::string size = "1600x900", theme = "dark", view = "full";
    std::optional<std::string> pin;  // what the inspector is asked about: "box:5"
};

struct WindowOptions {
    std::optional<std::string> file;        // none: the recording that is built in
    std::optional<std::string> state_file;  // tests: what is shown, as JSON, rewritten whenever it changes
    int frames = 0;                         // tests: leave after so many frames; 0: stay
};

Status kernels(bool json);
Status info(bool json);
Status record(const RecordOptions& options);
Status table(const std::string& file, Format format);
Status table_of(const trace::Trace& trace, Format format);
Status analyze(const std::string& file, Format format);
Status compare(const std::string& a, const std::string& b, Format format);
Status verify(const std::string& file, bool json);
Status verify_of(const trace::Trace& trace, const std::string& name, bool json);  // name: what JSON calls it
// device: "auto" times this machine's processor, and its GPU where it has one; "cpu" and "gpu" one of them.
// kernel: this one alone on the processor; none: all. out: a file for the GPU's figures (launch/speed.h).
Status bench(bool json, const std::string& runs, const std::optional<std::string>& kernel,
             const std::string& device, const std::optional<std::string>& out);
Status claims(Format format);                 // needs the app, which carries the recordings
Status render(const RenderOptions& options);  // needs the app
Status storyboard(const std::string& file,
                  const std::string& folder);  // needs the app: one PNG for each step
// Needs the app. Without a display it does what can be done without one: records, verifies, tells and draws.
Status window(const WindowOptions& options);

// What `record` says of a run; `file`: where its trace is, or "".
void tell_run(const trace::Trace& trace, const analysis::Analysis& analysis, const std::string& file);

// All that `record` prints, and its exit status: `finding` where the run did not end.
Status tell_record(const trace::Trace& trace, const RecordOptions& options);

// Options as a config, its values filled and checked against the catalogue.
Expected<trace::LaunchConfig> config_of(const RecordOptions& options, launch::Options& launch);

}  // namespace auditorium::cli
