// The order in which a result was folded, as a tree in short form: the last combine at the root, and below a
// chosen depth a leaf for everything that was folded together before. Pure functions of a trace.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "trace/trace.h"

namespace auditorium::analysis {

struct OrderTree {
    struct Node {
        int left = -1, right = -1;  // places in nodes; -1: a leaf
        int level = 0;              // the root has 0
        std::vector<int> inputs;    // ascending: the threads whose inputs are folded in
        std::uint32_t bits = 0;     // what was computed
        int height = 0;             // combines on the longest way from an input
        bool undefined = false;
        bool constant = false;  // a constant that a lane gave in place of a value
        // Of a float sum: how far it is from the exact sum of its inputs, rounded; in units of the last
        // place.
        std::optional<std::int64_t> ulp;
        bool leaf() const { return left < 0; }
    };
    std::vector<Node> nodes;  // [0] is the result; children after their parents
};

// Of thread 0's result of a call; empty where there is none. `levels`: depth of the deepest leaf, at most 6.
OrderTree tree_of(const trace::Trace& trace, int call, int levels);

}  // namespace auditorium::analysis
