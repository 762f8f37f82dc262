#include "app/inspector/bracket.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "trace/operands.h"

namespace auditorium::inspector {
namespace {

using analysis::Source;
using trace::Event;
using trace::EventKind;

double size_of(std::uint32_t bits, trace::Type type) {
    return std::fabs(type == trace::Type::f32 ? double(std::bit_cast<float>(bits))
                                              : double(std::bit_cast<std::int32_t>(bits)));
}

std::string step_label(const trace::Step& step) {
    const int distance = step.kind == trace::StepKind::shuffle ? step.offset : step.stride;
    return distance > 0 ? fmt::format("{}", distance) : "";
}

class Builder {
  public:
    Builder(const trace::Trace& trace, const Index& index) : trace_(trace), index_(index) {}

    Bracket build(Source value) {
        value = origin_of(trace_, index_, value);
        out_.levels = {"first score"};
        out_.ladder = leaves(value) > most_leaves;
        int root = 0;
        if (out_.ladder)
            ladder(value);
        else
            root = whole(value, 0);
        if (!out_.joints.empty())
            root = -int(out_.joints.size());
        mark_winner(root, value);
        return std::move(out_);
    }

  private:
    std::uint32_t leaves(Source source) const {
        return source.kind == Source::Kind::event ? index_.leaves[source.at] : 1;
    }

    void operands(Source combine, Source (&out)[2]) const {
        const analysis::Made& made = index_.provenance.of_event[combine.at];
        out[0] = origin_of(trace_, index_, made.a);
        out[1] = origin_of(trace_, index_, made.b);
    }

    static bool is_fold(Source source) { return source.kind == Source::Kind::event; }

    int add_row(Source source) {
        Bracket::Row row;
        const Held value = held(trace_, index_, source);
        row.bits = value.bits;
        if (source.kind == Source::Kind::input) {
            row.kind = Bracket::Row::Kind::input;
            row.thread = int(source.at);
        } else if (source.kind == Source::Kind::constant) {
            row.kind = Bracket::Row::Kind::constant;
        } else if (source.kind == Source::Kind::undefined) {
            row.kind = Bracket::Row::Kind::undefined;
        } else {
            row.kind = Bracket::Row::Kind::group;
            row.count = int(leaves(source));
        }
        out_.rows.push_back(row);
        return int(out_.rows.size()) - 1;
    }

    int level_of(int node) const { return node >= 0 ? 0 : out_.joints[std::size_t(-1 - node)].level; }

    int add_joint(Source source, int a, int b) {
        const Held value = held(trace_, index_, source);
        const int level = std::max(level_of(a), level_of(b)) + 1;
        out_.joints.push_back({a, b, level, value.bits, value.undefined, false});
        const std::int32_t step = index_.places.step[source.at];
        const std::string label = step >= 0 ? step_label(trace_.steps[std::size_t(step)]) : "";
        if (int(out_.levels.size()) == level)
            out_.levels.push_back(label);
        else if (out_.levels[std::size_t(level)] != label)
            out_.levels[std::size_t(level)].clear();
        return -int(out_.joints.size());
    }

    int whole(Source source, int depth) {
        // A hostile trace may name its writers in a circle.
        if (!is_fold(source) || depth > 64 || out_.rows.size() > 4 * most_leaves)
            return add_row(source);
        Source from[2];
        operands(source, from);
        const int a = whole(from[0], depth + 1), b = whole(from[1], depth + 1);
        return add_joint(source, a, b);
    }

    void ladder(Source source) {
        std::vector<Source> way, beside;  // from the value down
        Source at = source;
        while (is_fold(at) && way.size() < 64) {
            Source from[2];
            operands(at, from);
            const Held value = held(trace_, index_, at), a = held(trace_, index_, from[0]),
                       b = held(trace_, index_, from[1]);
            bool second = size_of(b.bits, trace_.config.type) > size_of(a.bits, trace_.config.type);
            if (a.bits != b.bits && (a.bits == value.bits || b.bits == value.bits))
                second = b.bits == value.bits;
            way.push_back(at);
            beside.push_back(from[second ? 0 : 1]);
            at = from[second ? 1 : 0];
        }
        int node = add_row(at);
        for (std::size_t i = way.size(); i-- > 0;)
            node = add_joint(way[i], node, add_row(beside[i]));
    }

    // Down from the value as long as one operand is what was kept.
    void mark_winner(int node, Source value) {
        const int step = is_fold(value) ? index_.places.step[value.at] : -1;
        const int call = step >= 0 ? trace_.steps[std::size_t(step)].call : 0;
        if (trace::op_of_call(trace_, call) == trace::Op::sum)
            return;
        while (node < 0) {
            Bracket::Joint& joint = out_.joints[std::size_t(-1 - node)];
            if (joint.undefined)
                return;
            const auto same = [&](int child) {
                return child >= 0 ? out_.rows[std::size_t(child)].bits == joint.bits &&
                                        out_.rows[std::size_t(child)].kind != Bracket::Row::Kind::undefined
                                  : out_.joints[std::size_t(-1 - child)].bits == joint.bits;
            };
            if (!same(joint.a) && !same(joint.b))
                return;
            joint.won = true;
            node = same(joint.a) ? joint.a : joint.b;
        }
        if (out_.rows.size() > 1)
            out_.rows[std::size_t(node)].won = true;
    }

    const trace::Trace& trace_;
    const Index& index_;
    Bracket out_;
};

}  // namespace

Held held(const trace::Trace& trace, const Index& index, Source source) {
    switch (source.kind) {
        case Source::Kind::event: {
            const Event& event = index.event(trace, source.at);
            return {event.bits, (event.flags & (Event::undefined | Event::bad_mask)) != 0};
        }
        case Source::Kind::input:
            return {trace.config.values[source.at], false};
        case Source::Kind::constant:
            return {source.at, false};
        case Source::Kind::undefined:
            break;
    }
    return {0, true};
}

Source origin_of(const trace::Trace& trace, const Index& index, Source source) {
    for (int guard = 0; guard < 4096 && source.kind == Source::Kind::event; ++guard) {
        if (index.event(trace, source.at).kind == EventKind::combine)
            return source;
        source = index.provenance.of_event[source.at].a;
    }
    return source.kind == Source::Kind::event ? Source{} : source;
}

Bracket bracket_of(const trace::Trace& trace, const Index& index, Source value,
                   const std::vector<int>& missing) {
    Bracket out = Builder(trace, index).build(value);
    using Row = Bracket::Row;
    const bool each = !out.ladder && out.rows.size() + missing.size() <= std::size_t(most_leaves);
    if (each)
        for (const int thread : missing)
            out.rows.push_back({Row::Kind::lost, thread, 1, trace.config.values[std::size_t(thread)], false});
    else if (!missing.empty())
        out.rows.push_back({Row::Kind::lost, missing.front(), int(missing.size()), 0, false});
    return out;
}

}  // namespace auditorium::inspector
