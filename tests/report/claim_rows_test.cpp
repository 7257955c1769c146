#include "report/claim_rows.hpp"

#include "core/base/error.hpp"
#include "proofs_check/claims/own_claims.hpp"
#include "proofs_check/claims/report.hpp"
#include "report/comparison.hpp"
#include "report/html_report.hpp"
#include "tests/support/case_row.hpp"
#include "tests/support/error_message.hpp"
#include "tests/support/temporary_folder.hpp"

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

TEST(ClaimRows, SayOfAControlWhetherItsFaultWasNoticed) {
    Row row;
    row.key.task = "paper/lemma_1";
    const auto of = [&](const std::string& findings) {
        row.evidence =
            R"({"paper":"","place":"","method":"exact","outcome":"holds","outcome_documented":)"
            R"("holds","reason":"","printed":"","tested":"","deviation":"","depends_on":"",)"
            R"("explain":"","findings":[{"form":"control","verdict":"holds","precision":"exact",)"
            R"("text":"a fault")" +
            findings + "}]}";
        return claim_rows({row}).front().findings.front().said;
    };

    EXPECT_EQ(of(R"(,"said":"accepted")"), "accepted");
    EXPECT_EQ(of(""), "noticed") << "of a row written before";
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

/// What the runner of Python prints of a claim whose test accepted, or refused, the statement.
OwnClaims own_claims(bool holds) {
    const auto finding = [](const char* form, bool accepted, bool wanted) {
        return formatted(
            R"({{"form":"{}","text":"t","precision":"exact","accepted":{},"wanted":{},"test":1}})",
            form,
            accepted ? "true" : "false",
            wanted ? "true" : "false");
    };
    return read_own_claims(
        formatted(
            R"({{"claims":[{{"id":"mine/lemma_1","line":3,"paper":"p","place":"Lemma 1",)"
            R"("printed":"s","tested":"s","deviation":"","method":"exact","documented":"holds",)"
            R"("severity":"none","remark":"","false_alarm":"","explain":"","findings":[{},{}],)"
            R"("stopped":"","seconds":0.5}}]}})",
            finding("printed", holds, true),
            finding("control", !holds, !holds)),
        "my claims.py");
}

ResultSet rows_of(const OwnClaims& own, const std::string& folder) {
    Provenance provenance;
    provenance.seed = 7;
    const std::vector<std::filesystem::path> files =
        write_claim_rows(own.results, Profile::quick, DirectoryLock(folder), provenance);
    EXPECT_EQ(files.front(), std::filesystem::path(folder) / "claims.jsonl");
    EXPECT_GT(files.size(), 1U) << "their table";
    return read_results(folder);
}

TEST(ClaimRows, OfAUsersOwnClaimsKnowTheirFile) {
    const TemporaryFolder folder;

    const ResultSet results = rows_of(own_claims(true), folder.file("before"));

    const std::vector<ClaimRow> rows = claim_rows(results.entries.at(0).rows);
    ASSERT_EQ(rows.size(), 1U);
    EXPECT_EQ(rows[0].id, "mine/lemma_1");
    EXPECT_EQ(rows[0].outcome, Outcome::holds);
    EXPECT_EQ(rows[0].source, "my claims.py");
    EXPECT_EQ(results.entries.at(0).rows.at(0).key.seed, 7U);
    EXPECT_EQ(results.entries.at(0).rows.at(0).seconds, 0.5);
    EXPECT_SAYS(html_report(results), "attest verify 'my claims.py' mine/lemma_1 --explain");
}

TEST(ClaimRows, OfAUsersOwnClaimsAreCompared) {
    const TemporaryFolder folder;
    const ResultSet before = rows_of(own_claims(true), folder.file("before"));
    const ResultSet after = rows_of(own_claims(false), folder.file("after"));

    EXPECT_TRUE(compare_results(before, before, 0.01).same());
    const Comparison found = compare_results(before, after, 0.01);
    EXPECT_FALSE(found.same());
    ASSERT_EQ(found.claims.size(), 1U);
    EXPECT_EQ(found.claims[0].subject, "mine/lemma_1");
    EXPECT_EQ(found.claims[0].after, "false as printed");
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
