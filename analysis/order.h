// The order in which a result was folded, as far as two results that differ need it to be told apart.
#pragma once

#include <cstdint>
#include <vector>

#include "trace/trace.h"

namespace auditorium::analysis {

struct Order {
    int height = 0;  // combines on the longest way from an input to the result
    std::vector<int> left,
        right;  // the threads whose inputs the last combine's two operands hold; empty: no combine
    std::vector<std::uint32_t> shape;  // equal for two results that were folded alike, whatever their inputs
};

// Of thread 0's result of a call.
Order order_of(const trace::Trace& trace, int call);

}  // namespace auditorium::analysis
