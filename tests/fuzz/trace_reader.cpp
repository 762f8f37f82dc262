// Sources: trace/*.cpp analysis/*.cpp
// Fuzzes the reader of trace files: any bytes give an error or a trace that can be replayed, analyzed and
// written, and that is the same when it is read again.
#include <cstdlib>

#include "analysis/analysis.h"
#include "trace/difference.h"
#include "trace/io.h"
#include "trace/replay.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace auditorium;
    const auto trace = trace::read(std::string_view(reinterpret_cast<const char*>(data), size), "fuzz.audit");
    if (!trace) {
        if (trace.error().status != ExitStatus::bad_input || !trace.error().sentence.ends_with('.')) {
            std::abort();
        }
        return 0;
    }
    trace::replay(*trace);
    analysis::analyze(*trace);
    const auto bytes = trace::encode(*trace);
    if (!bytes) {
        std::abort();
    }
    const auto again = trace::read(*bytes, "again.audit");
    if (!again || again->events != trace->events || again->racy != trace->racy ||
        !trace::difference(*trace, *again).empty()) {
        std::abort();
    }
    return 0;
}
