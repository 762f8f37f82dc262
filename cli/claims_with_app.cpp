// What is commonly said about block reductions, and what the recordings say.
#include <fmt/format.h>

#include "app/claims/claims.h"
#include "cli/commands.h"
#include "cli/output.h"

namespace auditorium::cli {

namespace {

// "In part: ...", as a list of the parts that there are.
std::string as_page(const std::vector<claims::Claim>& all, bool markdown) {
    std::string page;
    int number = 0;
    for (const claims::Claim& claim : all) {
        const std::string verdict = name_of(claim.verdict);
        ++number;
        page += markdown ? fmt::format("## {}. {}\n\n**{}**\n\n", number, claim.said, verdict)
                         : fmt::format("{:>2}. {}\n    {}\n", number, claim.said, verdict);
        const auto part = [&](const char* head, const std::string& text) {
            if (!text.empty())
                page += markdown ? fmt::format("- {}: {}\n", head, text)
                                 : fmt::format("    {:<9} {}\n", std::string(head) + ":", text);
        };
        part("Trace", claim.trace);
        part("Hardware", claim.hardware);
        part("Device", claim.device);
        if (markdown && !claim.recordings.empty())
            page += fmt::format("- Recordings: `{}`\n", fmt::join(claim.recordings, "`, `"));
        page += "\n";
    }
    return page;
}

}  // namespace

Status claims(Format format) {
    const std::vector<claims::Claim>& all = claims::shipped_claims();
    if (format == Format::json) {
        Json list = Json::array();
        for (const claims::Claim& claim : all)
            list.push_back({{"id", claim.id},
                            {"said", claim.said},
                            {"verdict", word_of(claim.verdict)},
                            {"trace", claim.trace},
                            {"hardware", claim.hardware},
                            {"device", claim.device},
                            {"recordings", claim.recordings}});
        print_json(list);
    } else if (format == Format::csv) {
        return fail(ExitStatus::usage, "claims takes --format text, md or json.");
    } else if (format == Format::markdown) {
        print(
            "# What they say, what it did\n\n"
            "Sentences that are commonly said about block reductions, each held against the recordings in "
            "`recordings/`: what the trace of the run shows, and what the hardware's counters and clock say. "
            "`auditorium claims --format md` writes this page; every number and every verdict on it is "
            "computed from the "
            "recordings, and a test holds it against them. Counts are of one block with `max` over floats; "
            "cycles "
            "are the median of the plain kernel, whose block size is known when it is compiled.\n\n" +
            as_page(all, true));
    } else {
        print(as_page(all, false));
    }
    return ExitStatus::ok;
}

}  // namespace auditorium::cli
