#include "proofs_check/claims/evidence.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace attest {
namespace {

struct Entry {
    Form form;
    Verdict verdict;
};

constexpr Entry kPrintedHolds{Form::printed, Verdict::holds};
constexpr Entry kPrintedViolated{Form::printed, Verdict::violated};
constexpr Entry kTestedHolds{Form::tested, Verdict::holds};
constexpr Entry kTestedViolated{Form::tested, Verdict::violated};
constexpr Entry kCaught{Form::control, Verdict::holds};
constexpr Entry kMissed{Form::control, Verdict::violated};

Outcome outcome(const std::vector<Entry>& entries) {
    Evidence evidence;
    for (const Entry& entry : entries) {
        if (entry.verdict == Verdict::inconclusive) {
            evidence.undecided(entry.form, "text", "double");
        } else {
            evidence.check(entry.form, entry.verdict == Verdict::holds, "text");
        }
    }
    return outcome_of(evidence);
}

TEST(Evidence, KeepsWhatWasCheckedInOrder) {
    Evidence evidence;

    evidence.check(Form::printed, false, "1 > 0");
    evidence.undecided(Form::tested, "0 +- 1", "double");

    ASSERT_EQ(evidence.findings().size(), 2U);
    EXPECT_EQ(evidence.findings()[0].verdict, Verdict::violated);
    EXPECT_EQ(evidence.findings()[0].text, "1 > 0");
    EXPECT_EQ(evidence.findings()[0].precision, "exact");
    EXPECT_EQ(evidence.findings()[1].verdict, Verdict::inconclusive);
    EXPECT_EQ(evidence.findings()[1].precision, "double");
}

TEST(OutcomeOf, CorrectionNeedsARefutedPrintAndATestedFormThatHolds) {
    EXPECT_EQ(outcome({kPrintedViolated, kTestedHolds, kCaught}), Outcome::holds_after_correction);
    EXPECT_EQ(outcome({kPrintedHolds, kTestedHolds}), Outcome::holds);
    EXPECT_EQ(outcome({kPrintedViolated}), Outcome::false_as_printed);
    EXPECT_EQ(outcome({kPrintedViolated, kTestedHolds, kTestedViolated}),
              Outcome::false_as_printed);
}

TEST(OutcomeOf, AStatementOnlyTestedHoldsOrIsFalse) {
    EXPECT_EQ(outcome({kTestedHolds}), Outcome::holds);
    EXPECT_EQ(outcome({kTestedViolated}), Outcome::false_as_printed);
    EXPECT_EQ(outcome({kPrintedHolds, kTestedViolated}), Outcome::false_as_printed);
}

TEST(OutcomeOf, OneViolationOutweighsManySuccesses) {
    EXPECT_EQ(outcome({kPrintedHolds, kPrintedHolds, kPrintedViolated}), Outcome::false_as_printed);
}

TEST(OutcomeOf, HypothesisThatNothingSatisfiesMakesItVacuous) {
    const Entry none{Form::hypothesis, Verdict::violated};

    EXPECT_EQ(outcome({none, kTestedHolds}), Outcome::vacuous);
    EXPECT_EQ(outcome({none}), Outcome::vacuous);
    EXPECT_EQ(outcome({none, kPrintedViolated, kTestedHolds}), Outcome::holds_after_correction);
    EXPECT_EQ(outcome({{Form::hypothesis, Verdict::holds}, kPrintedHolds}), Outcome::holds);
}

TEST(OutcomeOf, NothingIsDecidedByOpenFindingsMissedFaultsOrNoFindings) {
    EXPECT_EQ(outcome({}), Outcome::inconclusive);
    EXPECT_EQ(outcome({kCaught}), Outcome::inconclusive);
    EXPECT_EQ(outcome({kPrintedHolds, kMissed}), Outcome::inconclusive);
    EXPECT_EQ(outcome({kPrintedViolated, kTestedHolds, kMissed}), Outcome::inconclusive);
    EXPECT_EQ(outcome({kPrintedHolds, {Form::tested, Verdict::inconclusive}}),
              Outcome::inconclusive);
    EXPECT_EQ(outcome({kPrintedHolds, {Form::control, Verdict::inconclusive}}),
              Outcome::inconclusive);
}

Answer is_even(int number) {
    return {number % 2 == 0, std::to_string(number)};
}

TEST(SharedTest, RunsTheStatementAndTheFaultThroughOneFunction) {
    Evidence evidence;
    const SharedTest even(evidence, is_even);

    even.check(Form::tested, 4);
    even.control(5);
    even.accepts(6);

    ASSERT_EQ(evidence.findings().size(), 3U);
    EXPECT_EQ(evidence.findings()[0].form, Form::tested);
    EXPECT_EQ(evidence.findings()[1].form, Form::control);
    EXPECT_EQ(evidence.findings()[1].text, "5");
    EXPECT_EQ(outcome_of(evidence), Outcome::holds);
    EXPECT_TRUE(evidence.has_shared_control());
}

TEST(SharedTest, AControlThatTheTestAcceptsIsAMissedFault) {
    Evidence evidence;
    const SharedTest even(evidence, is_even);

    even.check(Form::tested, 4);
    even.control(2);

    EXPECT_EQ(outcome_of(evidence), Outcome::inconclusive);
    EXPECT_FALSE(evidence.has_shared_control());
}

TEST(SharedTest, ControlsOfAnotherTestOrOfNoneAreNotShared) {
    Evidence evidence;
    const SharedTest even(evidence, is_even);
    const SharedTest other(evidence, is_even);

    even.check(Form::tested, 4);
    other.control(5);
    evidence.check(Form::control, true, "a fault of its own");

    EXPECT_FALSE(evidence.has_shared_control());
}

TEST(SharedTest, ARefutedPrintBesideACorrectionThatHoldsIsItsOwnControl) {
    Evidence evidence;
    const SharedTest even(evidence, is_even);

    even.check(Form::printed, 3);
    even.check(Form::tested, 4);

    EXPECT_EQ(outcome_of(evidence), Outcome::holds_after_correction);
    EXPECT_TRUE(evidence.has_shared_control());
}

TEST(OutcomeOf, NamesAreStable) {
    EXPECT_EQ(to_string(Outcome::holds), "holds");
    EXPECT_EQ(to_string(Outcome::holds_after_correction), "holds_after_correction");
    EXPECT_EQ(to_string(Outcome::false_as_printed), "false_as_printed");
    EXPECT_EQ(to_string(Outcome::vacuous), "vacuous");
    EXPECT_EQ(to_string(Outcome::inconclusive), "inconclusive");
    EXPECT_EQ(to_string(Outcome::skipped), "skipped");
    EXPECT_EQ(to_string(Form::hypothesis), "hypothesis");
    EXPECT_EQ(to_string(Verdict::violated), "violated");
}

}  // namespace
}  // namespace attest
