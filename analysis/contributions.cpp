#include "analysis/contributions.h"

namespace auditorium::analysis {

Contributions contributions_of(const Fold& fold) {
    Contributions contributions;
    for (std::size_t thread = 0; thread < fold.times.size(); ++thread) {
        if (fold.times[thread] == 0)
            contributions.missing.push_back(int(thread));
        else
            contributions.folded += 1;
        if (fold.times[thread] > 1)
            contributions.doubled.push_back(int(thread));
    }
    return contributions;
}

std::uint32_t identity_of(trace::Op op, trace::Type type) {
    const bool is_float = type == trace::Type::f32;
    switch (op) {
        case trace::Op::max:
            return is_float ? 0xff800000u : 0x80000000u;
        case trace::Op::min:
            return is_float ? 0x7f800000u : 0x7fffffffu;
        case trace::Op::sum:
            return 0u;
    }
    return 0u;
}

}  // namespace auditorium::analysis
