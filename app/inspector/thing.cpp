#include "app/inspector/thing.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <vector>

#include "trace/text.h"

namespace auditorium::inspector {
namespace {

using Kind = Thing::Kind;

constexpr std::array<std::string_view, 8> names = {"box",    "thread", "note", "ray",
                                                   "ticket", "bank",   "step", "finding"};

bool has_two(Kind kind) {
    return kind == Kind::ray || kind == Kind::ticket;
}

bool number(std::string_view text, int& out) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
    return error == std::errc() && end == text.data() + text.size() && out >= 0 && !text.empty();
}

}  // namespace

std::string name_of(const Thing& thing) {
    std::string out = fmt::format("{}:{}", names[std::size_t(thing.kind)], thing.index);
    if (has_two(thing.kind) || (thing.kind == Kind::step && thing.other >= 0))
        out += fmt::format(":{}", thing.other);
    return out;
}

bool exists(const Thing& thing, const trace::Trace& trace, int findings) {
    const auto below = [](int value, int end) { return value >= 0 && value < end; };
    switch (thing.kind) {
        case Kind::box:
        case Kind::thread:
        case Kind::note:
            return below(thing.index, trace.config.block);
        case Kind::ray:
            return below(thing.index, trace.config.block) && below(thing.other, trace.config.block);
        case Kind::ticket:
            return below(thing.index, trace::warp_size) && below(thing.other, trace::warp_size);
        case Kind::bank:
            return below(thing.index, trace::warp_size);
        case Kind::step:
            return below(thing.index, int(trace.steps.size()) + 2) &&
                   (thing.other == -1 || below(thing.other, trace.warps()));
        case Kind::finding:
            return below(thing.index, findings);
    }
    return false;
}

Expected<Thing> parse_thing(std::string_view name, const trace::Trace& trace, int findings) {
    std::vector<std::string_view> parts;
    for (std::size_t begin = 0; begin <= name.size();) {
        const std::size_t end = std::min(name.find(':', begin), name.size());
        parts.push_back(name.substr(begin, end - begin));
        begin = end + 1;
    }
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (parts.empty() || parts[0] != names[i])
            continue;
        Thing thing{Kind(i), 0, -1};
        const bool two = has_two(thing.kind);
        const bool fits = parts.size() == (two ? 3u : 2u) || (thing.kind == Kind::step && parts.size() == 3);
        if (!fits || !number(parts[1], thing.index) || (parts.size() == 3 && !number(parts[2], thing.other)))
            break;
        if (!exists(thing, trace, findings))
            return fail(ExitStatus::usage,
                        fmt::format("This run has no {}: it has {} threads and boxes, {} steps and {} {}.",
                                    name_of(thing), trace.config.block, trace.steps.size(), findings,
                                    findings == 1 ? "finding" : "findings"));
        return thing;
    }
    return fail(ExitStatus::usage,
                fmt::format("A thing is named as box:5, thread:37, note:3, ray:37:165, ticket:5:2, bank:5, "
                            "step:4, step:4:1 or finding:0, not {}.",
                            in_quotes(name)));
}

}  // namespace auditorium::inspector
