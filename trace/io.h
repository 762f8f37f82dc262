// Traces as files, *.audit (trace/trace.fbs). A file is checked by the FlatBuffers verifier, then for
// meaning, then finished (trace::finish), before anybody sees its trace. A bad, truncated, newer or hostile
// one gives one sentence with its name and the exit status bad_input; no allocation is taken from a size that
// was not checked.
#pragma once

#include <string>
#include <string_view>

#include "trace/trace.h"

namespace auditorium::trace {

inline constexpr int file_version = 1;

// The bytes of the file of a finished trace.
Expected<std::string> encode(const Trace& trace);

// `name` stands in the sentence of an error; bytes need no alignment.
Expected<Trace> read(std::string_view bytes, const std::string& name);

Expected<Trace> read(const std::string& path);

// Writes beside `path` and renames. Exit status bad_output.
Expected<void> write(const Trace& trace, const std::string& path);

}  // namespace auditorium::trace
