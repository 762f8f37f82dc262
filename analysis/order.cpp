#include "analysis/order.h"

#include "analysis/provenance.h"

namespace auditorium::analysis {

namespace {

using Kind = Source::Kind;

// What only hands a value on (loads, stores, shuffles) is left out, so that the shape is that of the
// arithmetic.
Source through(const trace::Trace& trace, const Places& places, const Provenance& provenance, Source source) {
    std::size_t passed = 0;
    while (source.kind == Kind::event && passed++ <= places.step.size()) {
        const std::size_t thread = places.thread[source.at];
        if (trace.events[thread][source.at - places.first[thread]].kind == trace::EventKind::combine)
            break;
        source = provenance.of_event[source.at].a;
    }
    return source;
}

std::vector<int> inputs_of(const Fold& fold) {
    std::vector<int> threads;
    for (std::size_t t = 0; t < fold.times.size(); ++t)
        if (fold.times[t])
            threads.push_back(int(t));
    return threads;
}

}  // namespace

Order order_of(const trace::Trace& trace, int call) {
    const Places places = places_of(trace);
    const Provenance provenance = provenance_of(trace, places, groups_of(trace, places));
    Order order;
    const Source result = through(trace, places, provenance, provenance.results.at(std::size_t(call)).at(0));
    order.height = fold_of(trace, places, provenance, result).height;
    if (result.kind == Kind::event) {
        order.left = inputs_of(fold_of(trace, places, provenance, provenance.of_event[result.at].a));
        order.right = inputs_of(fold_of(trace, places, provenance, provenance.of_event[result.at].b));
    }

    // The tree written out in prefix order; bounded, since a hostile trace may share its parts without end.
    constexpr std::uint32_t combine = 0xffffffffu, constant = 0xfffffffeu, undefined = 0xfffffffdu;
    const std::size_t most = 8 * trace.events.size() + 64;
    std::vector<Source> open{result};
    while (!open.empty() && order.shape.size() < most) {
        const Source source = through(trace, places, provenance, open.back());
        open.pop_back();
        switch (source.kind) {
            case Kind::event:
                order.shape.push_back(combine);
                open.push_back(provenance.of_event[source.at].b);
                open.push_back(provenance.of_event[source.at].a);
                break;
            case Kind::input:
                order.shape.push_back(source.at);
                break;
            case Kind::constant:
                order.shape.push_back(constant);
                break;
            case Kind::undefined:
                order.shape.push_back(undefined);
                break;
        }
    }
    return order;
}

}  // namespace auditorium::analysis
