#include "analysis/verdict.h"

#include <gtest/gtest.h>

namespace auditorium::analysis {
namespace {

Analysis made(bool correct, std::vector<Finding> findings) {
    Analysis analysis;
    CallResult result;
    result.correct = correct;
    analysis.results = {result};
    analysis.findings = std::move(findings);
    return analysis;
}

Finding found(Rule rule, Severity severity = Severity::error) {
    Finding finding;
    finding.rule = rule;
    finding.severity = severity;
    return finding;
}

TEST(Verdict, RightByLuckIsNotRight) {
    EXPECT_EQ(verdict_of(made(true, {})), Verdict::right);
    EXPECT_EQ(verdict_of(made(true, {found(Rule::race)})), Verdict::luck);
    EXPECT_EQ(verdict_of(made(true, {found(Rule::race, Severity::warning)})), Verdict::luck);
    EXPECT_EQ(verdict_of(made(true, {found(Rule::lost_input)})), Verdict::luck);
    EXPECT_EQ(verdict_of(made(false, {})), Verdict::wrong);
    EXPECT_EQ(verdict_of(Analysis{}), Verdict::wrong);
    Analysis divided = made(true, {});
    divided.results[0].all_threads_agree = false;
    EXPECT_EQ(verdict_of(divided), Verdict::wrong);
    Analysis second = made(true, {});
    second.results.push_back(CallResult{});
    EXPECT_EQ(verdict_of(second), Verdict::wrong);
    EXPECT_EQ(verdict_of(second, second.results[0]), Verdict::right);
}

TEST(Verdict, WhatARaceExplains) {
    // Of a size that the kernel is right for, inputs are lost by the race; of another one by the size.
    const Analysis lost = made(false, {found(Rule::race), found(Rule::lost_input)});
    EXPECT_FALSE(explained_without_race(lost, true));
    EXPECT_TRUE(explained_without_race(lost, false));
    for (const Rule rule : {Rule::barrier_mismatch, Rule::bad_index, Rule::identity, Rule::undefined_lane})
        EXPECT_TRUE(explained_without_race(made(false, {found(Rule::race), found(rule)}), true));
    EXPECT_FALSE(explained_without_race(
        made(false, {found(Rule::race), found(Rule::identity, Severity::warning)}), true));
    EXPECT_FALSE(explained_without_race(made(false, {found(Rule::race)}), false));
}

TEST(Verdict, InputsAmiss) {
    Analysis analysis = made(true, {});
    EXPECT_EQ(inputs_amiss(analysis, 96), "");
    analysis.contributions.doubled = {4};
    EXPECT_EQ(inputs_amiss(analysis, 96), "1 of 96 inputs is in it twice");
    analysis.contributions.missing = {4, 5};
    EXPECT_EQ(inputs_amiss(analysis, 96), "2 of 96 inputs are not in it");
}

}  // namespace
}  // namespace auditorium::analysis
