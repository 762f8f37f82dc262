// What the inspector says: on traces written by hand, and on runs of the catalogue against the trace itself.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "app/inspector/describe.h"
#include "app/scene/metrics.h"
#include "tests/analysis/make_trace.h"
#include "tests/scene/runs.h"

namespace auditorium::inspector {
namespace {

using test::Played;
using Kind = Thing::Kind;

Played played(trace::Trace trace) {
    Played out{std::move(trace), {}, {}, {}};
    out.analysis = analysis::analyze(out.trace);
    out.timeline = playback::make_timeline(out.trace, out.analysis);
    out.prepared = scene::prepare(out.trace, out.analysis, out.timeline);
    return out;
}

Description at(const Played& run, double time, const Thing& thing) {
    return describe(run.trace, run.analysis, run.timeline, run.prepared.index,
                    playback::moment_at(run.timeline, time), thing);
}

Description after(const Played& run, int number, const Thing& thing) {
    return at(run, playback::end_of_step(run.timeline, number), thing);
}

std::string fact(const Description& said, const std::string& name) {
    for (const Description::Fact& f : said.facts)
        if (f.name == name)
            return f.text;
    return "-";
}

std::vector<int> lines(const Description& said, const std::string& name) {
    for (const Description::Fact& f : said.facts)
        if (f.name == name)
            return f.lines;
    return {};
}

std::string rows(const Bracket& bracket) {
    std::string out;
    for (const Bracket::Row& row : bracket.rows)
        out += (out.empty() ? "" : " ") +
               (row.kind == Bracket::Row::Kind::group  ? "+" + std::to_string(row.count)
                : row.kind == Bracket::Row::Kind::lost ? "lost" + std::to_string(row.thread)
                                                       : "#" + std::to_string(row.thread)) +
               (row.won ? "!" : "");
    return out;
}

TEST(Describe, ABoxByHand) {
    testing::Machine machine(4, trace::Op::max);
    machine.inputs({3, 9, 7, 1});
    testing::stage(machine);
    testing::halve(machine, 2);
    testing::halve(machine, 1);
    testing::everyone_reads_box_0(machine);
    const Played run = played(machine.finish());
    const Thing box{Kind::box, 0, -1};

    const Description before = at(run, 0, box);
    EXPECT_EQ(before.value, Description::Value::never_written);
    EXPECT_EQ(fact(before, "Last writer"), "nobody so far");

    const Description staged = after(run, 1, box);
    EXPECT_EQ(staged.title, "Box 0");
    EXPECT_EQ(staged.bits, 3u);
    EXPECT_EQ(fact(staged, "Address"), "shared + 0x000");
    EXPECT_EQ(fact(staged, "Last writer"), "researcher 0");
    EXPECT_EQ(fact(staged, "Contributions"), "1 of 4");
    EXPECT_EQ(lines(staged, "Written at"), std::vector<int>{testing::stage_line});

    const Description once = after(run, 2, box);
    EXPECT_EQ(once.bits, 7u);
    EXPECT_EQ(fact(once, "Written at"), "line 22, stride 2");
    EXPECT_EQ(rows(*once.bracket), "#0 #2!");
    EXPECT_EQ(once.people, (std::vector<int>{0, 2}));
    EXPECT_EQ(once.boxes, (std::vector<int>{0, 2}));
    EXPECT_EQ(once.winner, 2);

    const Description twice = after(run, 3, box);
    EXPECT_EQ(twice.bits, 9u);
    EXPECT_EQ(rows(*twice.bracket), "#0 #2 #1! #3");
    ASSERT_EQ(twice.bracket->joints.size(), 3u);
    EXPECT_EQ(twice.bracket->levels, (std::vector<std::string>{"first score", "2", "1"}));
    EXPECT_TRUE(twice.bracket->joints.back().won);
    EXPECT_FALSE(twice.bracket->joints[0].won);  // 7 lost
    EXPECT_EQ(fact(twice, "This step"), "read by #0, written by #0");
    EXPECT_EQ(fact(after(run, 4, box), "This step"), "read by #0, #1, #2, #3");
    EXPECT_EQ(fact(after(run, 3, {Kind::box, 3, -1}), "This step"), "not used");
    EXPECT_EQ(fact(after(run, 1, {Kind::box, 3, -1}), "Address"), "shared + 0x00C");
}

TEST(Describe, AResearcherByHand) {
    testing::Machine machine(64, trace::Op::sum);
    testing::tree_then_warp(machine);
    const Played run = played(machine.finish());
    const Description reads = after(run, 2, {Kind::thread, 5, -1});
    EXPECT_EQ(reads.title, "Researcher 5");
    EXPECT_EQ(fact(reads, "Place"), "warp 0, lane 5");
    EXPECT_EQ(fact(reads, "Reads"), "boxes 5 and 37");
    EXPECT_EQ(fact(reads, "Writes"), "box 5");
    EXPECT_EQ(reads.bits, 5u + 37u);
    EXPECT_EQ(fact(reads, "Contributions"), "2 of 64");
    EXPECT_EQ(fact(after(run, 2, {Kind::thread, 40, -1}), "This step"), "waits at barrier 2");
    EXPECT_EQ(after(run, 2, {Kind::thread, 40, -1}).bits, 40u);

    // The first shuffle, by 16: lane 3 takes what lane 19 gives; lane 20 has nobody.
    const Description note = after(run, 4, {Kind::note, 3, -1});
    EXPECT_EQ(fact(note, "From"), "researcher 19, lane 19");
    EXPECT_EQ(note.bits, 19u + 51u);
    EXPECT_EQ(rows(*note.bracket), "#19 #51");
    EXPECT_EQ(fact(after(run, 4, {Kind::note, 20, -1}), "From"), "nobody: no lane lies that far");
    EXPECT_EQ(fact(after(run, 2, {Kind::note, 3, -1}), "This step"), "takes no note");

    // A sum has no winner; above 16 inputs the largest part's way is shown.
    const Description all = after(run, 9, {Kind::box, 0, -1});
    EXPECT_EQ(all.bits, 63u * 64 / 2);
    EXPECT_EQ(all.winner, -1);
    EXPECT_TRUE(all.bracket->ladder);
    EXPECT_EQ(rows(*all.bracket), "#63 #31 +2 +4 +8 +16 +32");
    int sum = 0;
    for (const Bracket::Row& row : all.bracket->rows)
        sum += row.count;
    EXPECT_EQ(sum, 64);

    const Description ray = after(run, 2, {Kind::ray, 5, 37});
    EXPECT_EQ(ray.title, "Researcher 5 reads box 37");
    EXPECT_EQ(fact(ray, "Written by"), "researcher 37, line 10");
    EXPECT_EQ(ray.bits, 37u);
    EXPECT_EQ(fact(after(run, 2, {Kind::ray, 5, 38}), "This step"), "does not use it");
}

TEST(Describe, FloatsHaveTheirBitsOnDemand) {
    const Played run = test::run("contiguous_warp", 256);
    const Description said = after(run, 4, {Kind::box, 5, -1});
    const auto exact = std::find_if(said.facts.begin(), said.facts.end(),
                                    [](const Description::Fact& f) { return f.name == "Exactly"; });
    ASSERT_NE(exact, said.facts.end());
    EXPECT_TRUE(exact->on_demand);
    EXPECT_NE(exact->text.find(bits_text(said.bits)), std::string::npos);
    EXPECT_EQ(fact(said, "Contributions"), "8 of 256");
    EXPECT_EQ(said.people, (std::vector<int>{5, 37, 69, 101, 133, 165, 197, 229}));
    EXPECT_EQ(rows(*said.bracket).substr(0, 11), "#5 #133 #69");
}

TEST(Describe, QueuesSayWhoElseStandsThere) {
    const Played run = test::run("interleaved_strided", 256);
    const playback::Beat& beat = run.timeline.spans[3].beats[1];  // stride 2: 4 words a bank
    ASSERT_GT(beat.wavefronts, 1);
    const double time = beat.begin + beat.lead + 0.45 * (beat.seconds() - beat.lead);
    const Description bank = at(run, time, {Kind::bank, 2, -1});
    EXPECT_EQ(fact(bank, "Queue"), "4 tickets of W0");
    EXPECT_EQ(bank.people.size(), 4u);
    ASSERT_EQ(bank.notes.size(), 1u);
    EXPECT_EQ(bank.notes[0].kind, Trouble::conflict);
    EXPECT_NE(bank.notes[0].text.find("drawing convention"), std::string::npos);
    const Description ticket = at(run, time, {Kind::ticket, 2, 1});
    EXPECT_EQ(ticket.title, "Ticket 2 of 4 at bank 2");
    EXPECT_EQ(fact(ticket, "Now"), "being served");
    EXPECT_EQ(fact(at(run, time, {Kind::ticket, 2, 0}), "Now"), "has been served");
    EXPECT_EQ(fact(at(run, time, {Kind::ticket, 2, 3}), "Now"), "waits");
    EXPECT_EQ(fact(at(run, time, {Kind::ticket, 2, 9}), "This step"), "no such queue");
    ASSERT_EQ(ticket.people.size(), 1u);
    const Description who = at(run, time, {Kind::thread, ticket.people[0], -1});
    EXPECT_EQ(fact(who, "Queue").substr(0, 11), "ticket 2 of");
    EXPECT_EQ(fact(at(run, 0, {Kind::bank, 2, -1}), "Queue"), "-");
    // A broadcast is none.
    const Description shared = after(run, int(run.trace.steps.size()), {Kind::ray, 40, 0});
    EXPECT_EQ(fact(shared, "Same word"), "32 lanes of the row, one wavefront");
    EXPECT_EQ(fact(shared, "Queue"), "none: served at once");
}

TEST(Describe, TheClinicSaysTheRuleAndTheLines) {
    {
        const Played run = test::run("missing_barrier", 256);
        const Description said = after(run, 3, {Kind::box, 40, -1});
        ASSERT_FALSE(said.notes.empty());
        EXPECT_EQ(said.notes[0].kind, Trouble::hazard);
        EXPECT_NE(said.notes[0].text.find("box 40"), std::string::npos) << said.notes[0].text;
        EXPECT_NE(said.notes[0].text.find("no barrier orders the two"), std::string::npos);
        EXPECT_EQ(said.notes[0].lines, (std::vector<int>{13, 14}));
    }
    {
        const Played run = test::run("back_to_back", 256);
        const Description said = after(run, 13, {Kind::box, 0, -1});
        ASSERT_FALSE(said.notes.empty());
        EXPECT_EQ(said.notes[0].lines, (std::vector<int>{15, 32}));
        EXPECT_NE(said.notes[0].text.find("WAR"), std::string::npos);
    }
    {
        const Played run = test::run("ragged_block", 96);
        const Description box = after(run, 9, {Kind::box, 0, -1});
        EXPECT_EQ(fact(box, "Contributions"), "64 of 96 folded in");
        EXPECT_EQ(box.folded, 64);
        EXPECT_EQ(box.wanted, 96);
        EXPECT_EQ(box.bracket->rows.back().kind, Bracket::Row::Kind::lost);
        EXPECT_EQ(box.bracket->rows.back().count, 32);
        ASSERT_FALSE(box.notes.empty());
        EXPECT_EQ(box.notes[0].kind, Trouble::lost);
        EXPECT_FALSE(box.notes[0].lines.empty());
        const Description thread = after(run, 5, {Kind::thread, 40, -1});
        ASSERT_FALSE(thread.notes.empty());
        EXPECT_EQ(thread.notes[0].text,
                  "Lost: this score goes no further than step 2, and the result is made without it.");
        EXPECT_EQ(thread.notes[0].lines, (std::vector<int>{25, 31}));
        EXPECT_TRUE(after(run, 5, {Kind::thread, 5, -1}).notes.empty());
    }
    {
        const Played run = test::run("partial_mask", 48);
        const Description note = after(run, 1, {Kind::note, 40, -1});
        EXPECT_EQ(note.value, Description::Value::undefined);
        ASSERT_FALSE(note.notes.empty());
        EXPECT_EQ(note.notes[0].kind, Trouble::undefined);
        const Description thread = after(run, 1, {Kind::thread, 40, -1});
        EXPECT_EQ(thread.value, Description::Value::undefined);
        EXPECT_EQ(thread.bracket->rows.back().kind, Bracket::Row::Kind::undefined);
    }
    for (const kernels::Kernel& kernel : kernels::all()) {
        if (kernel.correct)
            continue;
        const bool negative = kernel.id == "zero_identity";
        const Played run = test::run(std::string(kernel.id), kernel.clinic_block, trace::Op::max,
                                     negative ? "random:1:-999:-1" : "random:3664:0:999");
        ASSERT_FALSE(run.analysis.findings.empty()) << kernel.id;
        // Whatever is marked is told by the step that it is marked in, by its finding, and by some thread or
        // box.
        std::set<int> told;
        for (const Mark& mark : run.prepared.index.marks) {
            const Description step = after(run, mark.step + 1, {Kind::step, mark.step + 1, -1});
            EXPECT_TRUE(std::any_of(step.notes.begin(), step.notes.end(),
                                    [&](const Description::Note& n) { return n.finding == mark.finding; }))
                << kernel.id << " " << mark.step << name_of(mark.kind);
            if (mark.finding >= 0)
                told.insert(mark.finding);
        }
        for (const int f : told) {
            const Description said = at(run, 0, {Kind::finding, f, -1});
            ASSERT_EQ(said.notes.size(), 1u);
            EXPECT_FALSE(said.notes[0].lines.empty()) << kernel.id;
            EXPECT_FALSE(said.title.empty());
            const std::vector<int>& threads = run.analysis.findings[std::size_t(f)].threads;
            ASSERT_FALSE(threads.empty());
            const Description thread =
                after(run, 2, {Kind::thread, std::min(threads[0], run.trace.config.block - 1), -1});
            EXPECT_FALSE(thread.notes.empty()) << kernel.id << f;
        }
    }
}

// One of eight came too late: the score of the box that was read before it was written is missing.
TEST(Describe, AScoreThatCameTooLateLeavesADashedSlot) {
    testing::Machine machine(4, trace::Op::max);
    machine.inputs({3, 9, 7, 11});
    testing::stage(machine);
    machine.load(0, 3, 0);
    machine.load(0, 3, 1);  // before thread 1 has folded box 3 into it
    machine.combine(0, 3);
    machine.load(1, 4, 1);
    machine.load(1, 4, 3);
    machine.combine(1, 4);
    machine.store(1, 4, 1);
    machine.store(0, 5, 0);
    machine.barrier(6);
    testing::everyone_reads_box_0(machine);
    const Played run = played(machine.finish());
    const Description said = after(run, int(run.trace.steps.size()), {Kind::box, 0, -1});
    EXPECT_EQ(said.bits, 9u);
    EXPECT_EQ(said.folded, 2);
    EXPECT_EQ(said.wanted, 4);
    EXPECT_EQ(rows(*said.bracket), "#0 #1! lost2 lost3");
    EXPECT_EQ(fact(said, "Contributions"), "2 of 4 folded in");
}

// The value that the picture shows in a box and the value that the inspector tells are one, at every moment
// of every kernel; the same for who is folded in at the end.
TEST(Describe, AgreesWithThePictureAtEveryMoment) {
    for (const test::Case& c : test::cases()) {
        if (c.block > 256)
            continue;
        const Played run = test::run(c.kernel, c.block);
        View view;
        view.followed = 0;
        const std::vector<double> moments = test::moments(run.timeline);
        for (std::size_t m = 0; m < moments.size(); m += 1 + moments.size() / 25) {
            const scene::Scene scene = test::build(run, moments[m], view, test::areas()[1]);
            const playback::Moment moment = playback::moment_at(run.timeline, moments[m]);
            for (const int box : {0, 5, c.block / 2, c.block - 1}) {
                if (box >= c.block)
                    continue;
                const Description said = at(run, moments[m], {Kind::box, box, -1});
                // What lies in the box's rectangle; in a unit of the whole board the digits lie beside a
                // point.
                std::string shown = "-";
                const auto& titles = scene[scene::LayerId::board].labels;
                const bool unit = std::any_of(titles.begin(), titles.end(), [](const scene::Label& label) {
                    return label.text.find("numbers in thousands") != std::string::npos;
                });
                for (const scene::Target& target : scene.targets)
                    if (target.kind == scene::Target::Kind::box && target.index == box)
                        for (const scene::Label& label : scene[scene::LayerId::boxes].labels)
                            if (target.area.contains(label.at))
                                shown = unit && shown != "-" ? shown + label.text : label.text;
                // From the compare on, the picture shows in a researcher's own box what it is about to store.
                const playback::Beat& beat =
                    run.timeline.spans[std::size_t(moment.span)].beats[std::size_t(moment.beat)];
                const bool ahead = beat.kind == playback::BeatKind::combine ||
                                   (beat.kind == playback::BeatKind::store && moment.beat_progress < 1 &&
                                    run.prepared.steps[std::size_t(moment.span) - 1].combines);
                if (shown == "-" || ahead)
                    continue;
                const scene::Numeral numeral =
                    scene::numeral_of(scene::as_double(said.bits, run.trace.config.type), 1, 3);
                const std::string told =
                    said.value != Description::Value::bits ? "?"
                    : unit                                 ? std::string(numeral.digit.data(), numeral.length)
                           : std::string(scene::short_number(said.bits, run.trace.config.type).view());
                EXPECT_EQ(told, shown) << c.kernel << c.block << " box " << box << " at " << moments[m];
            }
        }
        if (run.analysis.results[0].undefined)
            continue;
        const Description result = after(run, int(run.trace.steps.size()) + 1, {Kind::thread, 0, -1});
        if (run.trace.config.calls == 1 && kernels::find(c.kernel)->correct) {
            EXPECT_EQ(result.folded, c.block) << c.kernel;
        }
    }
}

// Nothing may be asked that breaks it: every kind of thing, every kernel, every step.
TEST(Describe, EverythingCanBeAskedAlways) {
    for (const test::Case& c : test::cases()) {
        const Played run = test::run(c.kernel, c.block);
        for (int number = 0; number <= run.timeline.last_span(); ++number)
            for (const Thing& thing :
                 {Thing{Kind::box, c.block - 1, -1}, Thing{Kind::thread, c.block / 2, -1},
                  Thing{Kind::note, 0, -1}, Thing{Kind::ray, c.block - 1, 0}, Thing{Kind::ticket, 0, 1},
                  Thing{Kind::bank, 31, -1}, Thing{Kind::step, number, run.trace.warps() - 1},
                  Thing{Kind::step, number, -1}, Thing{Kind::finding, 0, -1}}) {
                const Description said = after(run, number, thing);
                const bool there = exists(thing, run.trace, int(run.analysis.findings.size()));
                EXPECT_EQ(said.title.empty(), !there) << c.kernel << name_of(thing);
                if (said.bracket) {
                    EXPECT_LE(said.bracket->rows.size(), std::size_t(most_leaves) + 1);
                }
            }
    }
}

}  // namespace
}  // namespace auditorium::inspector
