// What a thing is, holds and does at a moment: (trace, its analysis, its index, moment, thing) -> words and
// numbers. A pure function; the card and the marks in the scene are drawn from it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/inspector/bracket.h"
#include "app/inspector/now.h"
#include "app/inspector/thing.h"

namespace auditorium::inspector {

struct Description {
    // One fact: "Last writer" "researcher 5". `lines`: of the source, where it leads there.
    struct Fact {
        std::string name, text;
        std::vector<int> lines;
        bool on_demand = false;  // shown of a pinned thing only: the exact bits
    };
    // What is wrong with it: the rule in one sentence, and the lines that break it.
    struct Note {
        Trouble kind{};
        std::string text;
        std::vector<int> lines;
        int finding = -1;  // index in analysis.findings
    };
    Thing thing;
    std::string title;  // "Box 5"
    enum class Value { none, bits, undefined, never_written } value = Value::none;
    std::uint32_t bits = 0;
    std::vector<Fact> facts;
    std::optional<Bracket> bracket;
    int folded = 0, wanted = 0;  // "7 of 8 folded in"; wanted > folded: something is lost
    std::vector<Note> notes;     // worst first

    // What belongs to it in the picture, ascending: threads whose first score is in it (or that it names),
    // and boxes that those came through.
    std::vector<int> people, boxes;
    bool scores = false;  // people are shown with their first score
    int winner = -1;      // the thread whose first score won
};

Description describe(const trace::Trace& trace, const analysis::Analysis& analysis,
                     const playback::Timeline& timeline, const Index& index, const playback::Moment& moment,
                     const Thing& thing);

// "line 30", "lines 13 and 14"
std::string lines_text(const std::vector<int>& lines);

}  // namespace auditorium::inspector
