#include "app/claims/claims.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>

#include "analysis/findings.h"
#include "app/claims/runs.h"
#include "app/compare/recordings.h"

namespace auditorium::claims {
namespace {

constexpr std::array sizes = {32, 256, 1024};

// How far two medians of cycles must lie apart before a sentence says that one is faster: less could be a
// difference between two compilations of one text.
constexpr double clearly = 1.10;

const analysis::Finding* finding(const Run& run, analysis::Rule rule) {
    for (const analysis::Finding& finding : run.analysis.findings)
        if (finding.rule == rule)
            return &finding;
    return nullptr;
}

// "613 cycles at 256 threads against 495 (1.24 times)", or "" where one was not measured.
std::string cycles_against(const Run* slow, const Run* fast) {
    if (!slow || !fast || !slow->cycles() || !fast->cycles())
        return "";
    return fmt::format("{:.0f} against {:.0f} cycles at {} threads ({})", *slow->cycles(), *fast->cycles(),
                       slow->trace.config.block, times(*slow->cycles() / *fast->cycles()));
}

// The ratio of their medians, where both were measured.
std::optional<double> ratio(const Run* slow, const Run* fast) {
    if (!slow || !fast || !slow->cycles() || !fast->cycles())
        return std::nullopt;
    return *slow->cycles() / *fast->cycles();
}

std::string sentence(std::string text) {
    if (!text.empty() && text.back() != '.')
        text += '.';
    return text;
}

// "0 conflicts at 32, 0 at 256 and 0 at 1024 threads". `of` gives a number, or nothing.
template <typename Of>
std::string by_size(Runs& runs, std::string_view kernel, std::string_view what, Of of) {
    std::vector<std::string> parts;
    for (int block : sizes) {
        const Run* run = runs.get(kernel, block);
        const std::optional<double> value = run ? of(*run) : std::nullopt;
        if (value)
            parts.push_back(parts.empty() ? fmt::format("{:.0f} {} at {}", *value, what, block)
                                          : fmt::format("{:.0f} at {}", *value, block));
    }
    return parts.empty() ? "" : joined(parts) + " threads";
}

std::optional<double> conflicts_in_trace(const Run& run) {
    return run.conflicts();
}
std::optional<double> conflicts_counted(const Run& run) {
    return run.counted_conflicts();
}

// Conflicts at all the sizes that were recorded, by the trace and, where they were counted, by the hardware:
// the two must agree, or the verdict is unknown. Empty: nothing recorded, or no agreement.
std::optional<long> conflicts(Runs& runs, std::string_view kernel) {
    long sum = 0;
    bool any = false;
    for (int block : sizes) {
        const Run* run = runs.get(kernel, block);
        if (!run)
            continue;
        if (run->counted_conflicts() && *run->counted_conflicts() != run->conflicts())
            return std::nullopt;
        any = true;
        sum += run->conflicts();
    }
    return any ? std::optional<long>(sum) : std::nullopt;
}

using Make = void (*)(Runs&, Claim&);

void interleaved_conflicts(Runs& runs, Claim& c) {
    c.said =
        "Interleaved addressing, in which the threads with tid % (2 * s) == 0 work, runs into bank "
        "conflicts.";
    const auto sum = conflicts(runs, "interleaved_divergent");
    const Run* a = runs.get("interleaved_divergent", 256);
    const Run* b = runs.get("contiguous_full", 256);
    if (!sum || !a || !b)
        return;
    c.verdict = *sum == 0 ? Verdict::not_so : Verdict::holds;
    c.trace = fmt::format(
        "{}. The boxes that one warp touches in a round lie in different banks. What it costs is width: {} "
        "against {} load "
        "wavefronts at 256 threads, since every warp stays awake for fewer and fewer of its lanes ({:.0f}% "
        "of the lanes at "
        "work against {:.0f}%).",
        by_size(runs, "interleaved_divergent", "conflicts", conflicts_in_trace), a->totals().load_wavefronts,
        b->totals().load_wavefronts, 100 * a->totals().lane_efficiency(),
        100 * b->totals().lane_efficiency());
    c.hardware = sentence(by_size(runs, "interleaved_divergent", "conflicts counted", conflicts_counted));
    c.show = {"interleaved_divergent-max-float-256", "contiguous_full-max-float-256"};
}

void interleaved_slow(Runs& runs, Claim& c) {
    c.said = "The divergence of interleaved addressing makes it much slower than contiguous addressing.";
    const Run* a = runs.get("interleaved_divergent", 256);
    const Run* b = runs.get("contiguous_full", 256);
    const Run* a1 = runs.get("interleaved_divergent", 1024);
    const Run* b1 = runs.get("contiguous_full", 1024);
    const auto r = ratio(a, b), r1 = ratio(a1, b1);
    if (!r || !r1)
        return;
    c.verdict = std::min(*r, *r1) >= clearly * clearly ? Verdict::holds
                : std::max(*r, *r1) >= clearly         ? Verdict::partly
                                                       : Verdict::not_so;
    c.trace = fmt::format("{} against {} wavefronts for loads and stores at 256 threads, with {} each.",
                          a->wavefronts(), b->wavefronts(), counted(a->totals().barriers, "barrier"));
    c.hardware = fmt::format(
        "{}; {}. Here the block size is known when the kernel is compiled, so that the remainder is one bit "
        "operation; where it "
        "is not, the division comes on top.",
        cycles_against(a, b), cycles_against(a1, b1));
    c.show = {"interleaved_divergent-max-float-256", "contiguous_full-max-float-256"};
}

void strided_conflicts(Runs& runs, Claim& c) {
    c.said = "An index of 2 * s * tid keeps the working lanes together and pays for it with bank conflicts.";
    const auto sum = conflicts(runs, "interleaved_strided");
    const Run* a = runs.get("interleaved_strided", 256);
    if (!sum || !a)
        return;
    c.verdict = *sum > 0 ? Verdict::holds : Verdict::not_so;
    int ways = 1;
    for (const analysis::StepAnalysis& step : a->analysis.steps)
        ways = std::max(ways, step.max_ways);
    c.trace = fmt::format(
        "{} for loads and {} for stores at 256 threads; in the worst request {} different boxes of one bank.",
        counted(a->totals().load_bank_conflicts, "conflict"), a->totals().store_bank_conflicts, ways);
    c.hardware = sentence(by_size(runs, "interleaved_strided", "conflicts counted", conflicts_counted));
    c.show = {"interleaved_strided-max-float-256"};
}

void strided_faster(Runs& runs, Claim& c) {
    c.said =
        "Replacing the test tid % (2 * s) == 0 by the index 2 * s * tid makes the interleaved tree faster.";
    const Run* divergent = runs.get("interleaved_divergent", 256);
    const Run* strided = runs.get("interleaved_strided", 256);
    const auto r = ratio(divergent, strided);
    const auto r1 = ratio(runs.get("interleaved_divergent", 1024), runs.get("interleaved_strided", 1024));
    if (!r || !r1)
        return;
    c.verdict = std::min(*r, *r1) >= clearly   ? Verdict::holds
                : std::max(*r, *r1) >= clearly ? Verdict::partly
                                               : Verdict::not_so;
    c.trace = fmt::format(
        "{} + {} wavefronts (loads + stores) before and {} + {} after, at 256 threads: before, {} requests "
        "of few lanes; after, {} "
        "requests of many lanes that queue at their banks.",
        divergent->totals().load_wavefronts, divergent->totals().store_wavefronts,
        strided->totals().load_wavefronts, strided->totals().store_wavefronts,
        divergent->totals().load_requests + divergent->totals().store_requests,
        strided->totals().load_requests + strided->totals().store_requests);
    c.hardware = fmt::format(
        "{}; {}.", cycles_against(divergent, strided),
        cycles_against(runs.get("interleaved_divergent", 1024), runs.get("interleaved_strided", 1024)));
    if (divergent->counted_wavefronts() && strided->counted_wavefronts())
        c.hardware += fmt::format(" {:.0f} and {:.0f} wavefronts counted. Block size known when compiled.",
                                  *divergent->counted_wavefronts(), *strided->counted_wavefronts());
    c.show = {"interleaved_divergent-max-float-256", "interleaved_strided-max-float-256"};
}

void contiguous_free(Runs& runs, Claim& c) {
    c.said = "Contiguous addressing has no bank conflicts.";
    long sum = 0;
    std::vector<std::string> parts;
    for (const char* kernel : {"contiguous_warp", "contiguous_full", "contiguous_any"}) {
        const auto of = conflicts(runs, kernel);
        if (!of)
            return;
        sum += *of;
        parts.push_back(
            fmt::format("{}: {}", kernel, by_size(runs, kernel, "conflicts", conflicts_in_trace)));
    }
    c.verdict = sum == 0 ? Verdict::holds : Verdict::not_so;
    c.trace = sentence(fmt::format("{}", fmt::join(parts, "; ")));
    c.hardware = sentence(
        by_size(runs, "contiguous_full", "conflicts counted for contiguous_full", conflicts_counted));
    c.show = {"contiguous_full-max-float-256"};
}

// Lanes of the working warps that work, per round of the tree.
void full_warps(Runs& runs, Claim& c) {
    c.said = "With contiguous addressing the warps that still work have all their lanes at work.";
    const Run* run = runs.get("contiguous_full", 256);
    if (!run)
        return;
    std::vector<std::string> full, partial;
    for (std::size_t s = 0; s < run->trace.steps.size(); ++s) {
        const trace::Step& step = run->trace.steps[s];
        if (step.kind != trace::StepKind::tree)
            continue;
        const analysis::StepAnalysis& at = run->analysis.steps[s];
        const int lanes = at.warps_issuing ? at.active_threads / at.warps_issuing : 0;
        (lanes == trace::warp_size ? full : partial)
            .push_back(lanes == trace::warp_size
                           ? fmt::format("{}", step.stride)
                           : fmt::format("{} of {} at {}", lanes, trace::warp_size, step.stride));
    }
    c.verdict = partial.empty() ? Verdict::holds : full.empty() ? Verdict::not_so : Verdict::partly;
    c.trace = fmt::format(
        "Full at the strides {}; below, one warp with fewer lanes at every round: {}. Over the whole run "
        "{:.0f}% of "
        "the lanes of its requests are at work.",
        joined(full), joined(partial), 100 * run->totals().lane_efficiency());
    c.show = {"contiguous_full-max-float-256"};
}

int barriers_after(const Run& run, trace::StepKind kind) {
    int count = 0;
    for (std::size_t s = 0; s < run.trace.steps.size(); ++s)
        count += run.trace.steps[s].kind == kind && run.analysis.steps[s].barrier_after;
    return count;
}

void five_barriers(Runs& runs, Claim& c) {
    c.said = "Handing over to shuffles at 32 values saves five barriers.";
    const Run* full = runs.get("contiguous_full", 256);
    const Run* warp = runs.get("contiguous_warp", 256);
    if (!full || !warp)
        return;
    const int tree =
        barriers_after(*full, trace::StepKind::tree) - barriers_after(*warp, trace::StepKind::tree);
    const int all = full->totals().barriers - warp->totals().barriers;
    c.verdict = all == 5 ? Verdict::holds : tree == 5 ? Verdict::partly : Verdict::not_so;
    c.trace = fmt::format(
        "{} against {} barriers at 256 threads: {} fewer in the tree, {} more after the hand-off, so that "
        "all "
        "threads may read what warp 0 found; {} fewer in all.",
        full->totals().barriers, warp->totals().barriers, tree, tree - all, all);
    c.show = {"contiguous_full-max-float-256", "contiguous_warp-max-float-256"};
}

void shuffles_faster(Runs& runs, Claim& c) {
    c.said = "The last five rounds are faster as shuffles than through shared memory.";
    const auto r = ratio(runs.get("contiguous_full", 256), runs.get("contiguous_warp", 256));
    const auto r1 = ratio(runs.get("contiguous_full", 1024), runs.get("contiguous_warp", 1024));
    if (!r || !r1)
        return;
    c.verdict = std::min(*r, *r1) >= clearly   ? Verdict::holds
                : std::max(*r, *r1) >= clearly ? Verdict::partly
                                               : Verdict::not_so;
    const Run* full = runs.get("contiguous_full", 256);
    const Run* warp = runs.get("contiguous_warp", 256);
    c.trace =
        fmt::format("{} against {} wavefronts at 256 threads, {} against {} barriers, and {} in their place.",
                    full->wavefronts(), warp->wavefronts(), full->totals().barriers, warp->totals().barriers,
                    counted(warp->totals().shuffles, "shuffle"));
    c.hardware =
        fmt::format("{}; {}.", cycles_against(full, warp),
                    cycles_against(runs.get("contiguous_full", 1024), runs.get("contiguous_warp", 1024)));
    c.show = {"contiguous_full-max-float-256", "contiguous_warp-max-float-256"};
}

void last_round(Runs& runs, Claim& c) {
    c.said = "After the last round in shared memory the loop simply ends, without a barrier.";
    const Run* run = runs.get("contiguous_warp", 256);
    if (!run)
        return;
    int last = -1;
    for (std::size_t s = 0; s < run->trace.steps.size(); ++s)
        if (run->trace.steps[s].kind == trace::StepKind::tree)
            last = int(s);
    if (last < 0)
        return;
    const analysis::StepAnalysis& step = run->analysis.steps[std::size_t(last)];
    c.verdict = step.barrier_after ? Verdict::not_so : Verdict::holds;
    if (step.barrier_after)
        c.trace = fmt::format(
            "Stride {} is step {} of {}, and barrier {} of {} follows it: the barrier stands in the loop, so "
            "its last "
            "round has one too.",
            run->trace.steps[std::size_t(last)].stride, last + 1, run->trace.steps.size(), step.barrier,
            run->totals().barriers);
    else
        c.trace = fmt::format("No barrier follows step {}.", last + 1);
    c.show = {"contiguous_warp-max-float-256"};
}

void single_cycle(Runs& runs, Claim& c) {
    c.said = "A warp's five shuffles take a single cycle each.";
    const Run* run = runs.get("contiguous_warp", 256);
    if (!run)
        return;
    std::vector<std::string> each;
    double sum = 0;
    int shuffles = 0;
    bool measured = true;
    for (std::size_t s = 0; s < run->trace.steps.size(); ++s) {
        if (run->trace.steps[s].kind != trace::StepKind::shuffle)
            continue;
        ++shuffles;
        if (const auto cycles = run->analysis.steps[s].cycles) {
            each.push_back(fmt::format("{:.0f}", *cycles));
            sum += *cycles;
        } else {
            measured = false;
        }
    }
    c.trace = fmt::format("Warp 0 does {}, each with a combine that waits for what the shuffle brings.",
                          counted(shuffles, "shuffle"));
    if (!measured || each.empty())
        return;
    c.verdict = sum <= shuffles ? Verdict::holds : Verdict::not_so;
    c.hardware = fmt::format("{} cycles, shuffle and combine together, from stamps: {:.0f} in all.",
                             joined(each), sum);
    c.show = {"contiguous_warp-max-float-256"};
}

void one_barrier(Runs& runs, Claim& c) {
    c.said =
        "A block needs at least two barriers: one before the partial results are gathered, one before the "
        "result is read.";
    const Run* one = runs.get("one_barrier", 256);
    const Run* two = runs.get("shuffle_first", 256);
    if (!one || !two)
        return;
    const analysis::CallResult& result = one->analysis.results.front();
    const bool right = result.correct && result.all_threads_agree && one->analysis.findings.empty();
    c.verdict = one->totals().barriers == 1 && right ? Verdict::not_so : Verdict::holds;
    c.trace = fmt::format(
        "{} against {}: every warp reads all the partial results and reduces them again itself, {} against "
        "{} shuffles, "
        "and all threads end with the same bits.",
        counted(one->totals().barriers, "barrier"), two->totals().barriers, one->totals().shuffles,
        two->totals().shuffles);
    const std::string at256 = cycles_against(two, one);
    const std::string at1024 = cycles_against(runs.get("shuffle_first", 1024), runs.get("one_barrier", 1024));
    if (!at256.empty() && !at1024.empty())
        c.hardware = fmt::format("{}; {}, in favour of the one barrier.", at256, at1024);
    c.show = {"shuffle_first-max-float-256", "one_barrier-max-float-256"};
}

// What the plain kernel, which no recording disturbed, returned.
std::string as_recorded(const Run& run) {
    std::vector<std::string> parts;
    for (const analysis::CallResult& result : run.analysis.results)
        parts.push_back(
            fmt::format("{}", trace::value_text(result.plain.value_or(result.bits), run.trace.config.type)));
    const bool right = std::all_of(run.analysis.results.begin(), run.analysis.results.end(),
                                   [](const analysis::CallResult& result) { return result.ulp == 0; });
    return fmt::format(
        "{} returned {}, {}",
        run.trace.origin.kind == trace::Origin::Kind::gpu ? "The plain kernel" : "The simulated run",
        joined(parts), right ? "the right value" : "a wrong value");
}

// A claim that a finding of one of the clinic's kernels settles.
void by_finding(Runs& runs, Claim& c, std::string_view kernel, int block, analysis::Rule rule,
                std::string_view luck) {
    const Run* run = runs.get(kernel, block);
    if (!run)
        return;
    const analysis::Finding* found = finding(*run, rule);
    c.verdict = found ? Verdict::not_so : Verdict::holds;
    c.trace = found ? found->text : "Nothing of the kind was found.";
    const bool right = run->analysis.results.front().ulp == 0;
    c.hardware = fmt::format("{} in this run{}.", as_recorded(*run), found && right ? std::string(luck) : "");
    c.show = {runs.used().front()};
}

void in_step(Runs& runs, Claim& c) {
    c.said = "A warp's threads run in step, so its last rounds in shared memory need no synchronization.";
    by_finding(runs, c, "missing_syncwarp", 256, analysis::Rule::race,
               ", which proves nothing: since lanes may drift apart, the next compilation or GPU may order "
               "the accesses otherwise");
}

void no_barrier(Runs& runs, Claim& c) {
    c.said = "A tree without barriers is right, since its result comes out right when it is tried.";
    by_finding(runs, c, "missing_barrier", 256, analysis::Rule::race,
               ", by luck: the warps came in a good order, or the largest value was not in a box that was "
               "read too early");
}

void any_size(Runs& runs, Claim& c) {
    c.said = "The halving tree works for every block size that is a whole number of warps.";
    by_finding(runs, c, "ragged_block", 96, analysis::Rule::lost_input,
               ", since the largest value is not among the lost ones");
}

void twice(Runs& runs, Claim& c) {
    c.said =
        "A reduction that returns the same value in all threads may be called again at once on the same "
        "buffer.";
    by_finding(runs, c, "back_to_back", 256, analysis::Rule::race,
               ", by luck: the slowest reader came before the next call's first store");
}

void pad_with_zero(Runs& runs, Claim& c) {
    c.said = "Lanes without a value of their own may take 0.";
    by_finding(runs, c, "zero_identity", 256, analysis::Rule::identity, ", since 0 did not decide");
}

void full_mask(Runs& runs, Claim& c) {
    c.said = "0xffffffff is a safe mask for every shuffle.";
    by_finding(runs, c, "partial_mask", 48, analysis::Rule::undefined_lane,
               ", since what the missing lanes gave did not exceed it; nothing says that it must be so");
}

struct Entry {
    const char* id;
    Make make;
};
constexpr std::array entries = {
    Entry{"interleaved-conflicts", interleaved_conflicts},
    Entry{"interleaved-slow", interleaved_slow},
    Entry{"strided-conflicts", strided_conflicts},
    Entry{"strided-faster", strided_faster},
    Entry{"contiguous-free", contiguous_free},
    Entry{"full-warps", full_warps},
    Entry{"five-barriers", five_barriers},
    Entry{"last-round", last_round},
    Entry{"shuffles-faster", shuffles_faster},
    Entry{"single-cycle", single_cycle},
    Entry{"one-barrier", one_barrier},
    Entry{"in-step", in_step},
    Entry{"no-barrier", no_barrier},
    Entry{"any-size", any_size},
    Entry{"call-twice", twice},
    Entry{"pad-with-zero", pad_with_zero},
    Entry{"full-mask", full_mask},
};

}  // namespace

const char* name_of(Verdict verdict) {
    switch (verdict) {
        case Verdict::holds:
            return "holds";
        case Verdict::partly:
            return "in part";
        case Verdict::not_so:
            return "not so";
        case Verdict::unknown:
            break;
    }
    return "not recorded";
}

const char* word_of(Verdict verdict) {
    switch (verdict) {
        case Verdict::holds:
            return "holds";
        case Verdict::partly:
            return "partly";
        case Verdict::not_so:
            return "not_so";
        case Verdict::unknown:
            break;
    }
    return "unknown";
}

std::vector<Claim> claims(const Find& find) {
    Runs runs(find);
    std::vector<Claim> all;
    for (const Entry& entry : entries) {
        Claim claim;
        claim.id = entry.id;
        runs.begin();
        entry.make(runs, claim);
        claim.recordings = runs.used();
        claim.device = runs.devices();
        all.push_back(std::move(claim));
    }
    return all;
}

const std::vector<Claim>& shipped_claims() {
    static const std::vector<Claim> shipped = claims(compare::recording);
    return shipped;
}

}  // namespace auditorium::claims
