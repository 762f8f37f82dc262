// What is wrong with a command line, in one sentence.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace auditorium::cli {

// Of an error of app.parse() that is no --help or --version; with what to do, ending in a full stop.
std::string usage_sentence(const CLI::App& app, const CLI::ParseError& error);

}  // namespace auditorium::cli
