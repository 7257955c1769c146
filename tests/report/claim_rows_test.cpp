#include "report/claim_rows.hpp"

#include "core/base/error.hpp"
#include "proofs_check/claims/report.hpp"
#include "tests/support/case_row.hpp"

#include <gtest/gtest.h>

namespace attest::test {
namespace {

Case case_of(const std::string& id, const std::filesystem::path& results) {
    for (const Case& one : claims_entry(results).make(Profile::quick, 0).cases) {
        if (one.key.task == id) {
            return one;
        }
    }
    throw InvalidInput("no claim " + id);
}

TEST(ClaimsExperiment, HasACaseForEveryClaimOfTheRegistry) {
    const Experiment experiment = claims_entry("results").make(Profile::quick, 0);

    ASSERT_EQ(experiment.cases.size(), claims().size());
    EXPECT_EQ(experiment.id, "claims");
    EXPECT_EQ(experiment.cases.front().key.task, claims().front().id);
}

TEST(ClaimRows, HoldWhatVerifyFinds) {
    const Claim* const claim = select_claims({"yau2024/algorithm_2"}).front();
    const ClaimResult expected = run_claim(*claim, Profile::quick, 0, "results");

    const std::vector<ClaimRow> rows =
        claim_rows({row_of(case_of("yau2024/algorithm_2", "results"))});

    ASSERT_EQ(rows.size(), 1U);
    EXPECT_EQ(rows[0].outcome, expected.outcome);
    EXPECT_EQ(rows[0].documented, claim->documented);
    EXPECT_EQ(rows[0].printed, claim->printed);
    EXPECT_EQ(rows[0].tested, claim->tested);
    EXPECT_EQ(rows[0].machine_checked, words(claim->machine_checked));
    EXPECT_FALSE(rows[0].machine_checked.empty());
    ASSERT_EQ(rows[0].findings.size(), expected.evidence.findings().size());
    EXPECT_EQ(rows[0].findings.front().text, expected.evidence.findings().front().text);
    EXPECT_EQ(rows[0].agreement(), Agreement::as_documented);
}

TEST(ClaimRows, OfAClaimThatLacksItsRowsAreSkippedAndNotOk) {
    const Row row = row_of(case_of("yau2024/figure_2a", "/nonexistent"));

    EXPECT_EQ(row.status, RowStatus::skipped);
    EXPECT_EQ(claim_rows({row}).front().agreement(), Agreement::undecided);
    EXPECT_FALSE(row.message.empty());
}

TEST(Agreement, OfSeveralClaimsIsTheWorst) {
    const Agreement same = agreement(Outcome::vacuous, Outcome::vacuous);
    const Agreement other = agreement(Outcome::vacuous, Outcome::holds);
    const Agreement open = agreement(Outcome::skipped, Outcome::skipped);

    EXPECT_EQ(open, Agreement::undecided) << "even where that is documented";
    EXPECT_EQ(joint_agreement({}), Agreement::as_documented);
    EXPECT_EQ(joint_agreement({same, same}), Agreement::as_documented);
    EXPECT_EQ(joint_agreement({same, open}), Agreement::undecided);
    EXPECT_EQ(joint_agreement({other, open, same}), Agreement::differs);
}

TEST(ClaimRows, WithoutEvidenceAreInconclusive) {
    Row row;
    row.key.task = "p/c";
    row.status = RowStatus::refused;
    row.message = "out of memory";

    const ClaimRow claim = claim_rows({row}).front();

    EXPECT_EQ(claim.outcome, Outcome::inconclusive);
    EXPECT_EQ(claim.agreement(), Agreement::undecided);
    EXPECT_EQ(claim.reason, "out of memory");
    row.evidence = "{}";
    EXPECT_THROW((void)claim_rows({row}), InvalidInput);
}

}  // namespace
}  // namespace attest::test
