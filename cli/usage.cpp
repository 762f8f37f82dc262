#include "cli/usage.h"

#include <fmt/format.h>

#include <vector>

#include "trace/text.h"

namespace auditorium::cli {

namespace {

std::string what_is_wrong(const CLI::App& app, const CLI::ParseError& error) {
    const std::string said = error.what();
    if (dynamic_cast<const CLI::ExtrasError*>(&error)) {
        // CLI11 names them from the last to the first.
        std::string list;
        const std::vector<std::string> left = app.remaining(true);
        for (std::size_t i = 0; i < left.size(); ++i)
            list += (i == 0 ? "" : i + 1 == left.size() ? " and " : ", ") + in_quotes(left[i], 60);
        return fmt::format("{} not expected here", list + (left.size() == 1 ? " is" : " are"));
    }
    if (dynamic_cast<const CLI::ArgumentMismatch*>(&error)) {
        std::string option = said.substr(0, said.find_first_of(": "));
        if (!option.starts_with('-'))
            option.insert(0, "--");
        if (said.find("missing") != std::string::npos)
            return fmt::format("{} needs a value", option);
        if (said.find("received") != std::string::npos)
            return fmt::format("{} is given more than once", option);
        if (said.find("override") != std::string::npos)
            return fmt::format("{} takes no value", option);
    }
    if (dynamic_cast<const CLI::ExcludesError*>(&error)) {
        const std::size_t middle = said.find(" excludes ");
        if (middle != std::string::npos)
            return fmt::format("{} and {} exclude each other", said.substr(0, middle),
                               said.substr(middle + 10));
    }
    return said.substr(0, said.find_last_not_of(".\n ") + 1);
}

}  // namespace

std::string usage_sentence(const CLI::App& app, const CLI::ParseError& error) {
    const auto commands = app.get_subcommands();
    return fmt::format("{}; see 'auditorium {}--help'.", what_is_wrong(app, error),
                       commands.empty() ? "" : commands[0]->get_name() + " ");
}

}  // namespace auditorium::cli
