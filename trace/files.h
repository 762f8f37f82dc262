// Whole files, read and written so that nothing is lost.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "trace/error.h"

namespace auditorium {

// The bytes of a regular file; more than `most` bytes are an error. Exit status bad_input.
Expected<std::string> read_file(const std::string& path, std::size_t most);

// The one sentence about output that failed: "WHAT cannot be written: WHY.". Exit status bad_output.
Error unwritable(const std::string& what, const std::string& why);

// Writes a file beside `path` and renames it, so that what stood there before stays whole until the new one
// is. Follows links, also to what is not there yet. What is there must be a regular file, /dev/null or
// /dev/full: others may keep their writer waiting for ever. Exit status bad_output.
Expected<void> write_file(const std::string& path, std::string_view bytes);

// Whether write_file can be expected to work, so that nobody waits for what cannot be kept. Leaves no trace
// of itself. Exit status bad_output.
Expected<void> can_write(const std::string& path);

// Makes a folder, and those that it is in, where they are missing; one that a link leads to as well. Exit
// status bad_output.
Expected<void> make_folder(const std::string& path);

}  // namespace auditorium
