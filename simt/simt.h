// The interpreter: runs a kernel's text warp by warp, with no GPU and no compiler, and records the same
// events as the traced kernel does on a GPU.
//
// Exact: the arithmetic (PTX's, bit for bit), every thread's events, and who wrote what a load saw. Inexact:
// there is no time, and a race is shown as one order of whole accesses, the one that the schedule gives.
// docs/simulator.md says what is modelled, and which words of CUDA are understood.
#pragma once

#include <string_view>

#include "trace/trace.h"

namespace auditorium::simt {

struct Entry {
    std::string_view function = "block_reduce";  // called config.calls / results times
    bool barrier_between_calls = true;
    int results = 1;             // results that one call returns (back_to_back returns two)
    std::string_view file = {};  // how errors name the text; empty: the kernel's id and .cuh
};

// Interprets `source` for `config` (config.values filled). The trace's origin is `simulated` and it is
// finished (trace::finish). Faults of the kernel (barriers that do not match, undefined lanes, an endless
// loop) are in trace.faults; an Error is returned only if the text cannot be parsed or uses what the
// interpreter does not know: "file.cuh:12:5: ...". Never hangs, never throws.
Expected<trace::Trace> run(std::string_view source, const Entry& entry, const trace::LaunchConfig& config);

}  // namespace auditorium::simt
