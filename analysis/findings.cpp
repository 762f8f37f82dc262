#include "analysis/findings.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>
#include <string_view>

#include "analysis/contributions.h"

namespace auditorium::analysis {

using trace::Event;
using trace::EventKind;

namespace {

void sort_unique(std::vector<int>& list) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
}

std::string line_text(const std::vector<int>& lines) {
    return fmt::format("{} {}", lines.size() == 1 ? "line" : "lines", list_of(lines));
}

std::string thread_text(const std::vector<int>& threads) {
    return fmt::format("{} {}", threads.size() == 1 ? "thread" : "threads", list_of(threads));
}

Finding race(const Hazard& hazard) {
    Finding finding;
    finding.rule = Rule::race;
    finding.severity = hazard.severity;
    finding.kind = hazard.kind;
    finding.boxes = hazard.boxes;
    finding.threads = hazard.threads;
    finding.lines = {hazard.first_line, hazard.second_line};
    sort_unique(finding.lines);
    const bool first_writes = hazard.kind != "WAR", second_writes = hazard.kind != "RAW";
    const char* why = hazard.severity == Severity::error
                          ? "no barrier orders the two"
                          : "they are lanes of one warp and no __syncwarp orders the two";
    finding.text = fmt::format(
        "{} race: thread {} {} box {} on line {} and thread {} {} it on line {}, and {}{}.", hazard.kind,
        hazard.first_thread, first_writes ? "writes" : "reads", hazard.box, hazard.first_line,
        hazard.second_thread, second_writes ? "writes" : "reads", hazard.second_line, why,
        hazard.boxes.size() > 1 ? fmt::format(" ({} boxes in all)", hazard.boxes.size()) : "");
    return finding;
}

void add_mismatches(const trace::Trace& trace, const Analysis& analysis, std::vector<Finding>& findings) {
    for (std::size_t k = 0; k < analysis.barriers.size(); ++k) {
        const Barrier& barrier = analysis.barriers[k];
        if (!barrier.mismatch)
            continue;
        Finding finding;
        finding.rule = Rule::barrier_mismatch;
        finding.lines = barrier.lines;
        finding.threads = barrier.absent;
        const auto more = std::count_if(analysis.barriers.begin() + std::ptrdiff_t(k) + 1,
                                        analysis.barriers.end(), [](const Barrier& b) { return b.mismatch; });
        const std::string others = more == 0
                                       ? ""
                                       : fmt::format("; {} more {} short of threads for the same reason",
                                                     more, more == 1 ? "barrier is" : "barriers are");
        // Only a thread that was not cut off has returned.
        const bool cut = std::any_of(trace.faults.begin(), trace.faults.end(), [](const auto& fault) {
            return fault.kind == trace::RunFault::Kind::step_limit ||
                   fault.kind == trace::RunFault::Kind::overflow;
        });
        const bool one = finding.threads.size() == 1;
        if (!finding.threads.empty())
            finding.text = fmt::format(
                "Barrier mismatch: {} of {} threads wait at barrier {} ({}), and {} {}; on a GPU this is "
                "undefined and may hang{}.",
                barrier.arrived, trace.config.block, k + 1, places_text(barrier.lines),
                thread_text(finding.threads),
                cut ? (one ? "never comes" : "never come")
                    : (one ? "returns without it" : "return without it"),
                others);
        else
            finding.text = fmt::format(
                "Barrier mismatch: threads wait at barrier {} at different places ({}); on a GPU this is "
                "undefined and may hang.",
                k + 1, places_text(barrier.lines));
        findings.push_back(std::move(finding));
        return;  // what follows a mismatch follows from it
    }
}

// One finding a line: the lanes that were read though they took no part, and how far it went.
void add_undefined_lanes(const trace::Trace& trace, const Analysis& analysis,
                         std::vector<Finding>& findings) {
    struct Seen {
        std::vector<int> readers, sources;
    };
    std::map<int, Seen> lanes, boxes;  // by line; sources are threads, or boxes never written
    for (std::size_t t = 0; t < trace.events.size(); ++t)
        for (const Event& event : trace.events[t]) {
            if (event.kind == EventKind::shuffle && event.flags & Event::bad_mask) {
                lanes[event.line].readers.push_back(int(t));
                lanes[event.line].sources.push_back(int(t / trace::warp_size * trace::warp_size) + event.arg);
            } else if (event.kind == EventKind::load && !(event.flags & Event::no_box) &&
                       event.writer == trace::nobody && event.flags & Event::undefined) {
                boxes[event.line].readers.push_back(int(t));
                boxes[event.line].sources.push_back(event.arg);
            }
        }
    const bool reached = std::any_of(analysis.results.begin(), analysis.results.end(),
                                     [](const CallResult& r) { return r.undefined; });
    const char* reach = reached ? "they reach the result" : "they do not reach the result";
    for (auto& [line, seen] : lanes) {
        sort_unique(seen.readers);
        sort_unique(seen.sources);
        Finding finding;
        finding.rule = Rule::undefined_lane;
        finding.threads = seen.readers;
        finding.lines = {line};
        std::vector<int> beyond, absent;
        for (const int source : seen.sources)
            (source >= trace.config.block ? beyond : absent).push_back(source);
        std::string who;
        if (!absent.empty())
            who =
                fmt::format("{} that {} no part", thread_text(absent), absent.size() == 1 ? "takes" : "take");
        if (!beyond.empty())
            who += fmt::format("{}{} that {} not exist", who.empty() ? "" : " and from ", thread_text(beyond),
                               beyond.size() == 1 ? "does" : "do");
        finding.text = fmt::format(
            "Undefined lanes: on line {} {} {} from {}; the values are undefined, "
            "and {}.",
            line, thread_text(seen.readers), seen.readers.size() == 1 ? "shuffles" : "shuffle", who, reach);
        findings.push_back(std::move(finding));
    }
    for (auto& [line, seen] : boxes) {
        sort_unique(seen.readers);
        sort_unique(seen.sources);
        Finding finding;
        finding.rule = Rule::undefined_lane;
        finding.boxes = seen.sources;
        finding.threads = seen.readers;
        finding.lines = {line};
        finding.text = fmt::format(
            "Never written: on line {} {} {} {} {} before anything was written there; the "
            "values are undefined, and {}.",
            line, thread_text(seen.readers), seen.readers.size() == 1 ? "reads" : "read",
            seen.sources.size() == 1 ? "box" : "boxes", list_of(seen.sources), reach);
        findings.push_back(std::move(finding));
    }
}

void add_bad_indices(const trace::Trace& trace, std::vector<Finding>& findings) {
    std::map<int, std::vector<int>> threads;  // by line
    for (std::size_t t = 0; t < trace.events.size(); ++t)
        for (const Event& event : trace.events[t])
            if (event.flags & Event::no_box)
                threads[event.line].push_back(int(t));
    for (auto& [line, list] : threads) {
        sort_unique(list);
        Finding finding;
        finding.rule = Rule::bad_index;
        finding.threads = list;
        finding.lines = {line};
        finding.text =
            fmt::format("No such box: on line {} {} {} beyond the block's {} boxes.", line, thread_text(list),
                        list.size() == 1 ? "reaches" : "reach", trace.config.block);
        findings.push_back(std::move(finding));
    }
}

// The line that most threads of a step with an event of the kind have it on; 0: none.
int line_of(const trace::Trace& trace, const trace::Step& step, EventKind kind) {
    std::map<int, int> count;
    for (std::size_t t = 0; t < step.pieces.size(); ++t)
        for (std::uint32_t e = step.pieces[t].begin; e < step.pieces[t].end; ++e)
            if (trace.events[t][e].kind == kind) {
                ++count[trace.events[t][e].line];
                break;
            }
    int best = 0;
    for (const auto& [line, n] : count)
        if (best == 0 || n > count[best])
            best = line;
    return best;
}

// Where an input that does not reach the first result is lost: the line of the step after the last one in
// which it was in a value, and where that one stored its values.
std::vector<int> lines_of_loss(const trace::Trace& trace, const Places& places, const Provenance& provenance,
                               int thread) {
    const std::size_t events = places.step.size();
    // Who was made of each event.
    std::vector<std::uint32_t> first(events + 1, 0), users;
    const auto each_source = [&](std::uint32_t at, auto visit) {
        const EventKind kind = trace.events[places.thread[at]][at - places.first[places.thread[at]]].kind;
        const Made& made = provenance.of_event[at];
        if (kind == EventKind::load || kind == EventKind::store || kind == EventKind::shuffle ||
            kind == EventKind::combine)
            visit(made.a);
        if (kind == EventKind::combine)
            visit(made.b);
    };
    for (std::uint32_t at = 0; at < events; ++at)
        each_source(at, [&](const Source& s) {
            if (s.kind == Source::Kind::event)
                ++first[s.at + 1];
        });
    for (std::size_t at = 0; at < events; ++at)
        first[at + 1] += first[at];
    users.resize(first[events]);
    std::vector<std::uint32_t> next(first.begin(), first.end() - 1), open;
    std::vector<std::uint8_t> seen(events, 0);
    for (std::uint32_t at = 0; at < events; ++at)
        each_source(at, [&](const Source& s) {
            if (s.kind == Source::Kind::event) {
                users[next[s.at]++] = at;
            } else if (s.kind == Source::Kind::input && int(s.at) == thread && !seen[at]) {
                seen[at] = 1;
                open.push_back(at);
            }
        });
    int last = -1;
    while (!open.empty()) {
        const std::uint32_t at = open.back();
        open.pop_back();
        const int step = places.step[at];
        if (step != no_step && trace.steps[std::size_t(step)].call == 0)
            last = std::max(last, step);
        for (std::uint32_t u = first[at]; u < first[at + 1]; ++u)
            if (!seen[users[u]]) {
                seen[users[u]] = 1;
                open.push_back(users[u]);
            }
    }
    std::vector<int> lines;
    if (trace.steps.empty())
        return lines;
    const int lost = std::min(last + 1, int(trace.steps.size()) - 1);
    if (lost > 0)
        lines.push_back(line_of(trace, trace.steps[std::size_t(lost - 1)], EventKind::store));
    lines.push_back(trace.steps[std::size_t(lost)].line);
    std::erase(lines, 0);
    sort_unique(lines);
    return lines;
}

void add_contributions(const trace::Trace& trace, const Analysis& analysis, const Places& places,
                       const Provenance& provenance, std::vector<Finding>& findings) {
    const Contributions& contributions = analysis.contributions;
    if (!contributions.missing.empty()) {
        Finding finding;
        finding.rule = Rule::lost_input;
        finding.threads = contributions.missing;
        finding.lines = lines_of_loss(trace, places, provenance, contributions.missing.front());
        finding.text =
            fmt::format("Lost: the {} of {} ({} of {} inputs) never {} the result.",
                        contributions.missing.size() == 1 ? "input" : "inputs",
                        thread_text(contributions.missing), contributions.missing.size(), trace.config.block,
                        contributions.missing.size() == 1 ? "reaches" : "reach");
        findings.push_back(std::move(finding));
    }
    if (!contributions.doubled.empty()) {
        Finding finding;
        finding.rule = Rule::doubled_input;
        const bool harmless = trace.config.op != trace::Op::sum;
        finding.severity = harmless ? Severity::warning : Severity::error;
        finding.threads = contributions.doubled;
        finding.text = fmt::format(
            "Counted twice: the {} of {} {} folded into the result more than once{}.",
            contributions.doubled.size() == 1 ? "input" : "inputs", thread_text(contributions.doubled),
            contributions.doubled.size() == 1 ? "is" : "are",
            harmless ? fmt::format(", which a {} does not notice", name_of(trace.config.op)) : "");
        findings.push_back(std::move(finding));
    }
}

// The line that supplies a constant which a lane gives to a shuffle. No event is on it: it is where the lanes
// of the warp that have a value load it, or the nearest line before that and after the barrier which has a
// T(number); the shuffle's own where no lane loads one.
int line_of_constant(const trace::Trace& trace, const Places& places, const Group& shuffle) {
    for (std::size_t lane = 0; lane < 32; ++lane) {
        if (!(shuffle.lanes >> lane & 1))
            continue;
        const std::uint32_t at = shuffle.event[lane], first = places.first[places.thread[at]];
        const auto& events = trace.events[places.thread[at]];
        int load = 0, barrier = 0;
        for (std::uint32_t e = at - first; e-- > 0 && barrier == 0;) {
            if (events[e].kind == EventKind::load && load == 0)
                load = events[e].line;
            else if (events[e].kind == EventKind::barrier_leave)
                barrier = events[e].line;
        }
        if (load == 0)
            continue;
        for (int line = load; line > barrier && line > 0; --line) {
            const std::string_view text = trace::source_line(trace, line);
            const std::size_t found = text.find("T(");
            if (found != std::string_view::npos && found + 2 < text.size() &&
                std::string_view("0123456789-.").find(text[found + 2]) != std::string_view::npos)
                return line;
        }
        return load;
    }
    return shuffle.line;
}

void add_identity(const trace::Trace& trace, const Analysis& analysis, const Places& places,
                  const Groups& groups, const Provenance& provenance, const std::vector<Fold>& folds,
                  std::vector<Finding>& findings) {
    if (folds.empty())
        return;
    const std::uint32_t identity = identity_of(trace.config.op, trace.config.type);
    for (const std::uint32_t constant : folds[0].constants) {
        const bool zero_sum = trace.config.op == trace::Op::sum && trace.config.type == trace::Type::f32 &&
                              constant == 0x80000000u;
        if (constant == identity || zero_sum)
            continue;
        Finding finding;
        finding.rule = Rule::identity;
        const bool wrong = !analysis.results[0].correct;
        finding.severity = wrong ? Severity::error : Severity::warning;
        // The lanes that gave it, and where.
        for (const Group& group : groups.all) {
            if (group.kind != EventKind::shuffle)
                continue;
            for (std::size_t lane = 0; lane < 32; ++lane) {
                if (!(group.lanes >> lane & 1))
                    continue;
                const Source& given = provenance.of_event[group.event[lane]].b;
                if (given == Source{Source::Kind::constant, constant}) {
                    finding.threads.push_back(group.warp * trace::warp_size + int(lane));
                    finding.lines.push_back(line_of_constant(trace, places, group));
                }
            }
        }
        sort_unique(finding.threads);
        sort_unique(finding.lines);
        finding.text = fmt::format(
            "Identity: lanes without a value of their own take {}, which is not the identity of {} ({}); {}.",
            trace::value_text(constant, trace.config.type), name_of(trace.config.op),
            trace::value_text(identity, trace.config.type),
            wrong ? "it decides the result" : "with these inputs it changes nothing");
        findings.push_back(std::move(finding));
    }
}

void add_faults(const trace::Trace& trace, std::vector<Finding>& findings) {
    using Kind = trace::RunFault::Kind;
    const auto has = [&](Rule rule) {
        return std::any_of(findings.begin(), findings.end(),
                           [&](const Finding& f) { return f.rule == rule; });
    };
    for (const trace::RunFault& fault : trace.faults) {
        const Rule rule = fault.kind == Kind::barrier_mismatch ? Rule::barrier_mismatch
                          : fault.kind == Kind::undefined_lane ? Rule::undefined_lane
                          : fault.kind == Kind::bad_index      ? Rule::bad_index
                                                               : Rule::unfinished;
        if (rule != Rule::unfinished && has(rule))
            continue;  // found in the events, with more detail
        Finding finding;
        finding.rule = rule;
        finding.threads = fault.threads;
        finding.lines = fault.lines;
        finding.text = fault.text;
        findings.push_back(std::move(finding));
    }
}

void add_wrong_results(const trace::Trace& trace, const Analysis& analysis, std::vector<Finding>& findings) {
    const bool explained = std::any_of(findings.begin(), findings.end(),
                                       [](const Finding& f) { return f.severity == Severity::error; });
    if (explained)
        return;
    for (std::size_t call = 0; call < analysis.results.size(); ++call) {
        const CallResult& result = analysis.results[call];
        if (result.correct && result.all_threads_agree)
            continue;
        Finding finding;
        finding.rule = Rule::wrong_result;
        const std::string which = analysis.results.size() > 1 ? fmt::format(" of call {}", call + 1) : "";
        finding.text =
            result.correct
                ? fmt::format("Wrong result: the threads do not all return the same value{}.", which)
                : fmt::format("Wrong result: thread 0's value{} is {}, the reference is {}.", which,
                              trace::value_text(result.bits, trace.config.type),
                              trace.config.type == trace::Type::i32 ? fmt::format("{}", result.reference_int)
                                                                    : fmt::format("{}", result.reference));
        findings.push_back(std::move(finding));
    }
}

}  // namespace

const char* name_of(Rule rule) {
    switch (rule) {
        case Rule::race:
            return "race";
        case Rule::barrier_mismatch:
            return "barrier_mismatch";
        case Rule::undefined_lane:
            return "undefined_lane";
        case Rule::bad_index:
            return "bad_index";
        case Rule::lost_input:
            return "lost_input";
        case Rule::doubled_input:
            return "doubled_input";
        case Rule::identity:
            return "identity";
        case Rule::unfinished:
            return "unfinished";
        case Rule::wrong_result:
            return "wrong_result";
    }
    return "";
}

const char* name_of(Severity severity) {
    return severity == Severity::error ? "error" : "warning";
}

std::string places_text(const std::vector<int>& lines) {
    if (lines.empty() || lines.front() != 0)
        return line_text(lines);
    const std::vector<int> others(lines.begin() + 1, lines.end());
    return others.empty() ? "between calls" : line_text(others) + ", and between calls";
}

std::string capital(std::string text) {
    if (!text.empty() && text[0] >= 'a' && text[0] <= 'z')
        text[0] = char(text[0] - 'a' + 'A');
    return text;
}

std::string list_of(const std::vector<int>& numbers) {
    std::vector<std::string> parts;
    for (std::size_t begin = 0, end = 0; begin < numbers.size(); begin = end) {
        end = begin + 1;
        while (end < numbers.size() && numbers[end] == numbers[end - 1] + 1)
            ++end;
        if (end - begin >= 3) {
            parts.push_back(fmt::format("{} to {}", numbers[begin], numbers[end - 1]));
        } else {
            for (std::size_t i = begin; i < end; ++i)
                parts.push_back(fmt::format("{}", numbers[i]));
        }
    }
    constexpr std::size_t most = 8;
    if (parts.size() > most) {
        parts.resize(most - 1);
        parts.push_back("more");
    }
    std::string text;
    for (std::size_t i = 0; i < parts.size(); ++i)
        text += (i == 0 ? "" : i + 1 == parts.size() ? " and " : ", ") + parts[i];
    return text;
}

std::vector<Finding> findings_of(const trace::Trace& trace, const Places& places,
                                 const Provenance& provenance, const Groups& groups, const Analysis& analysis,
                                 const std::vector<Hazard>& hazards, const std::vector<Fold>& folds) {
    std::vector<Finding> findings;
    for (const Hazard& hazard : hazards)
        findings.push_back(race(hazard));
    add_mismatches(trace, analysis, findings);
    add_undefined_lanes(trace, analysis, findings);
    add_bad_indices(trace, findings);
    add_contributions(trace, analysis, places, provenance, findings);
    add_identity(trace, analysis, places, groups, provenance, folds, findings);
    add_faults(trace, findings);
    add_wrong_results(trace, analysis, findings);
    return findings;
}

}  // namespace auditorium::analysis
