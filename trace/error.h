// Errors as values. No exception crosses the interface of trace, simt, launch or analysis.
#pragma once

#include <string>
#include <tl/expected.hpp>

namespace auditorium {

// Exit statuses of the program, documented in the README.
enum class ExitStatus : int {
    ok = 0,
    finding = 1,     // a wrong result, a hazard, a mismatch
    usage = 2,       // a wrong option, an unknown kernel, a size that the kernel is not right for
    bad_input = 3,   // a bad or missing input file
    device = 4,      // the device asked for is missing or failed
    bad_output = 5,  // the output cannot be written
};

// `sentence`: one clear sentence for a person: what is wrong, where, and what to do.
struct Error {
    ExitStatus status = ExitStatus::usage;
    std::string sentence;
};

template <typename T>
using Expected = tl::expected<T, Error>;

inline tl::unexpected<Error> fail(ExitStatus status, std::string sentence) {
    return tl::unexpected<Error>(Error{status, std::move(sentence)});
}

}  // namespace auditorium
