// What is commonly said about block reductions, each sentence held against the recordings: what the trace
// shows (counts of events), and what the hardware measured (its counters, its clock).
//
// No number stands in this code: every one is read from a recording when claims() is called, and the verdict
// follows from the numbers. A recording that is missing, or that lacks the counters or cycles that a sentence
// needs, makes that part empty, and a verdict that needs it `unknown`.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "trace/trace.h"

namespace auditorium::claims {

enum class Verdict { holds, partly, not_so, unknown };
const char* name_of(Verdict verdict);  // "holds" | "in part" | "not so" | "not recorded"
const char* word_of(Verdict verdict);  // as in the JSON: "holds" | "partly" | "not_so" | "unknown"

struct Claim {
    std::string id;    // "interleaved-conflicts"; unique, stays
    std::string said;  // the claim, one sentence
    Verdict verdict = Verdict::unknown;
    std::string trace;     // what the events say
    std::string hardware;  // what the counters and the clock say; "" where nothing was measured for it
    std::string device;    // "NVIDIA H200, recorded 2026-11-30"; of the recordings used, each once
    std::vector<std::string> recordings;  // used, in order of use: "contiguous_warp-max-float-256"
    std::vector<std::string> show;        // one to open, or two to set side by side; of `recordings`
};

// A recording by name, or nothing. Called at most once a name.
using Find = std::function<std::optional<trace::Trace>(std::string_view name)>;

// In a fixed order.
std::vector<Claim> claims(const Find& find);

// From the recordings that the program carries.
const std::vector<Claim>& shipped_claims();  // computed at the first call, then kept

}  // namespace auditorium::claims
