// How a value was folded together, as a tournament: its inputs, and who met whom. At most 16 inputs are all
// shown; of more, the way of the winner (of a sum: of the largest part) and, at each joint, how many inputs
// came in with the other side.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/inspector/index.h"

namespace auditorium::inspector {

inline constexpr int most_leaves = 16;

struct Bracket {
    struct Row {
        enum class Kind : std::uint8_t {
            input,      // the first score of `thread`
            constant,   // a constant that a lane gave in place of a value
            undefined,  // nobody has given it
            group,      // `count` inputs that were folded together before they came in
            lost,       // should be here and is not; count > 1: so many of them
        };
        Kind kind{};
        int thread = -1;
        int count = 1;
        std::uint32_t bits = 0;
        bool won = false;  // its value is the result's, and it came from here
    };
    struct Joint {
        int a = 0, b = 0;  // from 0: a row; below: joint -1 - a
        int level = 0;     // from 1; the last joint has the highest
        std::uint32_t bits = 0;
        bool undefined = false;
        bool won = false;  // on the winner's way
    };
    std::vector<Row> rows;
    std::vector<Joint> joints;        // children before parents; the last is the value. Empty: one input
    std::vector<std::string> levels;  // [0] "first score", then the stride or offset; "" where it differs
    bool ladder = false;              // more than most_leaves: the winner's way alone
};

// A value as its source; see analysis::Source.
struct Held {
    std::uint32_t bits = 0;
    bool undefined = false;
};
Held held(const trace::Trace& trace, const Index& index, analysis::Source source);

// Past stores, loads and shuffles, to what was folded: a combine, an input, a constant.
analysis::Source origin_of(const trace::Trace& trace, const Index& index, analysis::Source source);

Bracket bracket_of(const trace::Trace& trace, const Index& index, analysis::Source value,
                   const std::vector<int>& missing);

}  // namespace auditorium::inspector
