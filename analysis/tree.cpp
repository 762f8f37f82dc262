#include "analysis/tree.h"

#include <algorithm>
#include <bit>

#include "analysis/provenance.h"
#include "analysis/results.h"

namespace auditorium::analysis {

namespace {

using Kind = Source::Kind;

struct Maker {
    const trace::Trace& trace;
    const Places places = places_of(trace);
    const Provenance provenance = provenance_of(trace, places, groups_of(trace, places));
    OrderTree tree = {};

    const trace::Event& event(std::uint32_t at) const {
        const std::size_t thread = places.thread[at];
        return trace.events[thread][at - places.first[thread]];
    }

    // Past what only hands a value on: loads, stores, shuffles.
    Source through(Source source) const {
        std::size_t passed = 0;
        while (source.kind == Kind::event && passed++ <= places.step.size() &&
               event(source.at).kind != trace::EventKind::combine)
            source = provenance.of_event[source.at].a;
        return source;
    }

    std::optional<std::int64_t> error_of(const std::vector<std::uint8_t>& times, std::uint32_t bits) const {
        if (trace.config.op != trace::Op::sum || trace.config.type != trace::Type::f32)
            return std::nullopt;
        // In long double: 1024 floats of one magnitude lose nothing that a float would show.
        long double sum = 0;
        for (std::size_t t = 0; t < times.size(); ++t)
            for (int k = 0; k < times[t]; ++k)
                sum += (long double)std::bit_cast<float>(trace.config.values[t]);
        return ulps_between(bits, std::bit_cast<std::uint32_t>(float(sum)), trace::Type::f32);
    }

    int add(Source source, int level, int levels) {
        source = through(source);
        const int at = int(tree.nodes.size());
        tree.nodes.emplace_back();
        const Fold fold = fold_of(trace, places, provenance, source);
        OrderTree::Node node;
        node.level = level;
        node.height = fold.height;
        node.undefined = fold.undefined;
        for (std::size_t t = 0; t < fold.times.size(); ++t)
            if (fold.times[t])
                node.inputs.push_back(int(t));
        switch (source.kind) {
            case Kind::event:
                node.bits = event(source.at).bits;
                break;
            case Kind::input:
                node.bits = trace.config.values[source.at];
                break;
            case Kind::constant:
                node.bits = source.at;
                node.constant = true;
                break;
            case Kind::undefined:
                break;
        }
        if (!node.undefined && !node.constant)
            node.ulp = error_of(fold.times, node.bits);
        if (source.kind == Kind::event && level < levels) {
            node.left = add(provenance.of_event[source.at].a, level + 1, levels);
            node.right = add(provenance.of_event[source.at].b, level + 1, levels);
        }
        tree.nodes[std::size_t(at)] = std::move(node);
        return at;
    }
};

}  // namespace

OrderTree tree_of(const trace::Trace& trace, int call, int levels) {
    Maker maker{trace};
    if (call < 0 || std::size_t(call) >= maker.provenance.results.size() ||
        maker.provenance.results[std::size_t(call)].empty())
        return {};
    maker.add(maker.provenance.results[std::size_t(call)][0], 0, std::clamp(levels, 0, 6));
    return std::move(maker.tree);
}

}  // namespace auditorium::analysis
