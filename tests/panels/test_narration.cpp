#include <gtest/gtest.h>

#include <bit>
#include <set>

#include "app/panels/narration.h"
#include "runs.h"
#include "trace/operands.h"

namespace auditorium::panels {
namespace {

using test::Recorded;

int code_points(const std::string& text) {
    int n = 0;
    for (char c : text)
        n += (c & 0xc0) != 0x80;
    return n;
}

Narration said(const Recorded& run, int span) {
    playback::Moment moment;
    moment.span = span;
    return narrate(run.trace, run.analysis, moment);
}

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

// Every kernel at several sizes, every op: every step has words, captions fit a projector, sentences are
// whole.
TEST(Narration, EveryStepOfEveryKernelHasWordsThatFit) {
    for (const kernels::Kernel& kernel : kernels::all()) {
        for (int block : {kernel.correct ? 256 : kernel.clinic_block, 64, 1024}) {
            for (const trace::Op op : {trace::Op::max, trace::Op::min, trace::Op::sum}) {
                const Recorded run = test::run(std::string(kernel.id), block, op);
                std::set<std::string> bodies;
                for (int span = 0; span <= run.timeline.last_span(); ++span) {
                    const Narration n = said(run, span);
                    const std::string where = std::string(kernel.id) + " " + std::to_string(block) + " " +
                                              trace::name_of(op) + " " + std::to_string(span) + ": ";
                    EXPECT_FALSE(n.headline.empty()) << where;
                    EXPECT_FALSE(n.body.empty()) << where;
                    EXPECT_LE(code_points(n.headline), 60) << where << n.headline;
                    EXPECT_LE(code_points(n.caption), 90) << where << n.caption;
                    EXPECT_GT(code_points(n.caption), 5) << where;
                    for (const std::string* text : {&n.body, &n.caption}) {
                        EXPECT_EQ(text->back(), '.') << where << *text;
                        EXPECT_FALSE(contains(*text, "  ")) << where << *text;
                        EXPECT_FALSE(contains(*text, "..")) << where << *text;
                        EXPECT_FALSE(contains(*text, "line 0")) << where << *text;
                        EXPECT_FALSE(contains(*text, " ,")) << where << *text;
                        EXPECT_FALSE(contains(*text, "{")) << where << *text;
                        EXPECT_TRUE(std::isupper((unsigned char)(*text)[0]) ||
                                    std::isdigit((unsigned char)(*text)[0]))
                            << where << *text;
                    }
                    // At most two sentences in a caption.
                    int sentences = 0;
                    for (std::size_t i = 0; i < n.caption.size(); ++i)
                        sentences +=
                            n.caption[i] == '.' && (i + 1 == n.caption.size() || n.caption[i + 1] == ' ');
                    EXPECT_LE(sentences, 2) << where << n.caption;
                    bodies.insert(n.body);
                }
                EXPECT_GT(bodies.size(), run.trace.steps.size() / 2) << kernel.id;
            }
        }
    }
}

// The words follow the run: its lines, its values, its rows.
TEST(Narration, ATreeStepNamesItsNumbers) {
    const Recorded run = test::run("contiguous_warp", 256);
    ASSERT_EQ(run.trace.steps.size(), 12u);
    const Narration n = said(run, 3);  // stride 64
    EXPECT_EQ(n.headline, "64 pairs, 64 boxes apart");
    EXPECT_TRUE(contains(n.body, "Researchers 0–63 compare their own box with the one 64 places on"))
        << n.body;
    EXPECT_TRUE(contains(n.body, "keep the higher score")) << n.body;
    EXPECT_TRUE(contains(n.body, "6 rows wait at barrier 3 of 5")) << n.body;
    // The lines are those of the events.
    int combine = 0;
    for (std::uint32_t e = run.trace.steps[2].pieces[0].begin; e < run.trace.steps[2].pieces[0].end; ++e) {
        if (run.trace.events[0][e].kind == trace::EventKind::combine)
            combine = run.trace.events[0][e].line;
    }
    EXPECT_TRUE(contains(n.body, "(line " + std::to_string(combine) + ")")) << n.body;
    // The example is what thread 0 did.
    const std::uint32_t own = run.trace.steps[1].boxes[0], other = run.trace.steps[1].boxes[64];
    EXPECT_TRUE(contains(n.body, "max(" + value_text(own, trace::Type::f32) + ", " +
                                     value_text(other, trace::Type::f32) +
                                     ") = " + value_text(run.trace.steps[2].boxes[0], trace::Type::f32)))
        << n.body;
    EXPECT_EQ(n.caption,
              "Stride 64: researchers 0–63 compare with the box 64 places on. The rest wait at the rope.");
}

// back_to_back's second call adds, whatever op the launch was asked for.
TEST(Narration, EachCallSaysItsOwnOp) {
    const Recorded run = test::run("back_to_back", 256);
    int folds[2] = {};
    for (std::size_t s = 0; s < run.trace.steps.size(); ++s) {
        const trace::Step& step = run.trace.steps[s];
        const Narration n = said(run, int(s) + 1);
        const bool second = step.call == 1;
        EXPECT_EQ(trace::op_of_call(run.trace, step.call), second ? trace::Op::sum : trace::Op::max);
        EXPECT_EQ(trace::folds_inputs(run.trace, step.call), !second);
        if (step.kind != trace::StepKind::tree && step.kind != trace::StepKind::shuffle)
            continue;
        ++folds[second];
        EXPECT_EQ(contains(n.body, "max("), !second) << n.body;
        EXPECT_EQ(contains(n.body, "sum("), second) << n.body;
        EXPECT_EQ(contains(n.body, "higher"), !second) << n.body;
        EXPECT_FALSE(second && contains(n.caption, "higher")) << n.caption;
    }
    EXPECT_EQ(folds[0], 8);
    EXPECT_EQ(folds[1], 8);
}

TEST(Narration, OtherDataOtherWords) {
    const Recorded a = test::run("contiguous_warp", 256),
                   b = test::run("contiguous_warp", 256, trace::Op::max, trace::Type::f32, "random:7:0:999");
    EXPECT_NE(said(a, 3).body, said(b, 3).body);
    const Recorded sum = test::run("contiguous_warp", 256, trace::Op::sum);
    EXPECT_TRUE(contains(said(sum, 3).body, "add the score 64 places on to their own box"))
        << said(sum, 3).body;
    EXPECT_FALSE(contains(said(sum, 3).body, "higher"));
    const Recorded min = test::run("contiguous_warp", 256, trace::Op::min);
    EXPECT_TRUE(contains(said(min, 3).body, "lower score"));
}

TEST(Narration, DivergenceIsSaidWhereItIs) {
    const Recorded divergent = test::run("interleaved_divergent", 256);
    EXPECT_TRUE(contains(said(divergent, 2).body, "16 of 32 lanes")) << said(divergent, 2).body;
    const Recorded full = test::run("contiguous_full", 256);
    EXPECT_FALSE(contains(said(full, 2).body, "lanes")) << said(full, 2).body;
}

TEST(Narration, BankConflictsAreSaidWhereTheyAre) {
    const Recorded strided = test::run("interleaved_strided", 256);
    bool any = false;
    for (int s = 0; s < int(strided.trace.steps.size()); ++s) {
        const auto& c = strided.analysis.steps[std::size_t(s)].counts;
        const int conflicts = c.load_bank_conflicts + c.store_bank_conflicts;
        const std::string body = said(strided, s + 1).body;
        EXPECT_EQ(conflicts > 0, contains(body, "same banks")) << body;
        if (conflicts > 0) {
            any = true;
            EXPECT_TRUE(
                contains(body, std::to_string(conflicts) + (conflicts == 1 ? " extra turn" : " extra turns")))
                << body;
        }
    }
    EXPECT_TRUE(any);
}

TEST(Narration, AShuffleSaysHowManyResultsCount) {
    const Recorded run = test::run("contiguous_warp", 256);
    const Narration n = said(run, 7);  // down by 8
    EXPECT_EQ(n.headline, "Notes across the table, 8 seats apart");
    EXPECT_TRUE(contains(n.body, "Lane i takes the note of lane i + 8")) << n.body;
    EXPECT_TRUE(contains(n.body, "8 of 32 results can still change the answer")) << n.body;
    EXPECT_TRUE(contains(n.body, "8 lanes have no partner")) << n.body;
    const Recorded xors = test::run("one_barrier", 256);
    EXPECT_TRUE(contains(said(xors, 1).body, "i and i xor 16 exchange notes")) << said(xors, 1).body;
    EXPECT_TRUE(contains(said(xors, 1).headline, "All 8 rows")) << said(xors, 1).headline;
}

TEST(Narration, UndefinedLanesAreNamed) {
    const Recorded run = test::run("partial_mask", 48);
    bool any = false;
    for (int span = 1; span < run.timeline.last_span(); ++span)
        any |= contains(said(run, span).body, "undefined");
    EXPECT_TRUE(any);
}

TEST(Narration, TheEndTellsTheResultAndWhyItIsWrong) {
    const Recorded good = test::run("contiguous_warp", 256);
    const std::string value = value_text(good.analysis.results[0].bits, trace::Type::f32);
    EXPECT_EQ(said(good, good.timeline.last_span()).headline, "The maximum is " + value);
    const Recorded wrong = test::run("ragged_block", 96, trace::Op::sum);
    const Narration n = said(wrong, wrong.timeline.last_span());
    EXPECT_TRUE(n.headline.starts_with("Wrong: ")) << n.headline;
    EXPECT_TRUE(contains(n.body, "64 of 96 scores are folded in; those of 32–47 and 80–95 are missing"))
        << n.body;
}

TEST(Narration, AMissingBarrierIsSaid) {
    const Recorded run = test::run("missing_barrier", 256);
    bool any = false;
    for (int span = 1; span < run.timeline.last_span(); ++span)
        any |= contains(said(run, span).body, "No barrier ends this step");
    EXPECT_TRUE(any);
    const Recorded benign = test::run("contiguous_full", 256);
    for (int span = 1; span < benign.timeline.last_span(); ++span)
        EXPECT_FALSE(contains(said(benign, span).body, "No barrier ends this step"));
}

TEST(ThreadsText, RangesSinglesAndSteps) {
    EXPECT_EQ(threads_text({}), "none");
    EXPECT_EQ(threads_text({5}), "5");
    EXPECT_EQ(threads_text({0, 1, 2, 3}), "0–3");
    EXPECT_EQ(threads_text({32, 33, 34, 80, 81}), "32–34 and 80–81");
    EXPECT_EQ(threads_text({0, 2, 4, 6, 8}), "0, 2, … 8");
    EXPECT_EQ(threads_text({0, 2, 5, 7, 8}), "5 threads");
}

TEST(ValueText, AsAPersonWouldWriteIt) {
    EXPECT_EQ(value_text(std::bit_cast<std::uint32_t>(998.f), trace::Type::f32), "998");
    EXPECT_EQ(value_text(0x80000000u, trace::Type::f32), "-0");
    EXPECT_EQ(value_text(0x7fffffffu, trace::Type::f32), "nan");
    EXPECT_EQ(value_text(0xffc00000u, trace::Type::f32), "nan");
    EXPECT_EQ(value_text(std::bit_cast<std::uint32_t>(0.1f), trace::Type::f32), "0.1");
    EXPECT_EQ(value_text(0xffffffffu, trace::Type::i32), "-1");
}

// Threads that leave while others go on to a barrier: who comes, who does not, and what that means; no
// champion.
TEST(Narration, AMismatchedBarrierIsToldAsOne) {
    const Recorded run = test::run("divergent_barrier", 256);
    const Narration cut = said(run, 2), left = said(run, 3);
    for (const Narration* n : {&cut, &left}) {
        EXPECT_TRUE(contains(n->body,
                             "Barrier 2 (line 15) is mismatched: 128 of 256 threads come to it, "
                             "researchers 128–255 never. On a GPU that is undefined and may hang."))
            << n->body;
        EXPECT_TRUE(contains(n->caption, "may hang")) << n->caption;
    }
    EXPECT_EQ(left.headline, "128 researchers leave early");
    EXPECT_TRUE(contains(left.body, "Researchers 128–255 read box 0 (line 18), 526, and return with that."))
        << left.body;
    EXPECT_EQ(step_name(run.trace.steps[2]), "leave");
    for (int span = 0; span <= run.timeline.last_span(); ++span) {
        EXPECT_FALSE(contains(said(run, span).headline + said(run, span).body, "champion")) << span;
        EXPECT_EQ(contains(said(run, span).body, "holds everyone"), span == 1) << span;
    }
    const Narration done = said(run, run.timeline.last_span());
    EXPECT_EQ(done.headline, "Not all return the same");
    int others = 0;
    for (const std::uint32_t bits : run.trace.results[0])
        others += bits != run.trace.results[0][0];
    EXPECT_TRUE(contains(done.body, "Researcher 0 returns 998, which is right, but " +
                                        std::to_string(others) + " of 256 return something else."))
        << done.body;
}

// Where barriers do not match, threads of two calls run at once: the words say who is in which, and a barrier
// between calls is no line 0.
TEST(Narration, CallsThatRunAtOnceAreNamed) {
    trace::LaunchConfig config = test::record("divergent_barrier", 256).config;
    config.calls = 2;
    launch::Options options;
    options.device = launch::Device::cpu;
    options.allow_wrong = true;
    auto trace = launch::run(config, options);
    ASSERT_TRUE(trace);
    Recorded run;
    run.trace = std::move(*trace);
    run.analysis = analysis::analyze(run.trace);
    run.timeline = playback::make_timeline(run.trace, run.analysis);
    int named = 0, pairs = 0;
    for (int span = 1; span < run.timeline.last_span(); ++span) {
        const Narration n = said(run, span);
        EXPECT_TRUE(n.call.starts_with("call")) << span;
        EXPECT_FALSE(contains(n.body, "line 0")) << n.body;
        EXPECT_FALSE(contains(n.body, "lines 0")) << n.body;
        named += contains(n.body, "Two calls run at once: researchers") && contains(n.body, "in call 1") &&
                 contains(n.body, "in call 2");
        pairs += contains(n.body, "the one ") && contains(n.body, " on, ");
    }
    EXPECT_GT(named, 8);
    EXPECT_GT(pairs, 3);
    // Of one call nothing is said; of a launch without a mismatch each step has one.
    const Recorded one = test::run("contiguous_warp", 64);
    EXPECT_EQ(said(one, 2).call, "");
    const Recorded both = test::run("back_to_back", 64);
    EXPECT_EQ(said(both, 2).call, "call 1 of 2");
    EXPECT_EQ(said(both, both.timeline.last_span() - 1).call, "call 2 of 2");
}

}  // namespace
}  // namespace auditorium::panels
