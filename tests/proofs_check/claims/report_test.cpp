#include "proofs_check/claims/report.hpp"

#include "proofs_check/claims/errata.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fstream>
#include <sstream>

namespace attest {
namespace {

const Claim kLemma{.id = "paper/lemma_1",
                   .paper = "a paper",
                   .place = "Lemma 1",
                   .printed = "x < y & \"z\"",
                   .tested = "x <= y",
                   .deviation = "",
                   .depends_on = "",
                   .method = Method::exact,
                   .documented = Outcome::holds_after_correction,
                   .severity = Severity::misprint,
                   .remark = "A slip.",
                   .explain = "Because.",
                   .machine_checked = {"a.v: order; b.v: strict", "x <= y"},
                   .run = nullptr};

ClaimResult result_with(Outcome outcome, const std::string& reason) {
    ClaimResult result{.claim = &kLemma, .outcome = outcome, .reason = reason};
    result.evidence.check(Form::printed, false, "x = 1 < 1");
    result.seconds = 0.5;
    return result;
}

std::string committed_claims() {
    std::ostringstream text;
    text << std::ifstream(ATTEST_CLAIMS_FILE).rdbuf();
    return text.str();
}

std::vector<std::string> lines_that_start(const std::string& text, const std::string& start) {
    std::istringstream in(text);
    std::vector<std::string> lines;
    std::string line;
    while (std::getline(in, line)) {
        if (line.starts_with(start)) {
            lines.push_back(line.substr(start.size()));
        }
    }
    return lines;
}

TEST(ClaimReport, ListIsAnArrayOfSixKeys) {
    EXPECT_EQ(claim_list({&kLemma}).dump(),
              R"([{"id":"paper/lemma_1","paper":"a paper",)"
              R"("outcome_documented":"holds_after_correction","method":"exact",)"
              R"("severity":"misprint",)"
              R"#("machine_checked":"a.v: order; b.v: strict (in part: x <= y)"}])#");
}

TEST(ClaimReport, ResultsCountWhatDiffersAndWhatIsOpen) {
    const nlohmann::ordered_json results =
        claim_results({result_with(Outcome::holds_after_correction, ""),
                       result_with(Outcome::holds, ""),
                       result_with(Outcome::skipped, "no rows")},
                      Profile::quick);

    EXPECT_EQ(results["profile"], "quick");
    EXPECT_EQ(results["as_documented"], 1);
    EXPECT_EQ(results["different"], 1);
    EXPECT_EQ(results["undecided"], 1);
    EXPECT_EQ(results["claims"][2]["reason"], "no rows");
    EXPECT_EQ(results["claims"][0]["findings"][0].dump(),
              R"({"form":"printed","verdict":"violated","precision":"exact","text":"x = 1 < 1"})");
}

TEST(ClaimReport, CasesFailWhereTheOutcomeDiffersAndAreOpenWhereThereIsNone) {
    const std::vector<CheckedCase> cases =
        checked_cases({result_with(Outcome::holds_after_correction, ""),
                       result_with(Outcome::holds, ""),
                       result_with(Outcome::skipped, "no rows")});

    ASSERT_EQ(cases.size(), 3U);
    EXPECT_EQ(cases[0].outcome, CheckOutcome::passed);
    EXPECT_EQ(cases[0].name, "paper/lemma_1");
    EXPECT_EQ(cases[0].seconds, 0.5);
    EXPECT_EQ(cases[1].outcome, CheckOutcome::failed);
    EXPECT_EQ(cases[1].message, "holds, documented: holds after correction");
    EXPECT_EQ(cases[2].outcome, CheckOutcome::open);
    EXPECT_EQ(cases[2].message, "skipped, documented: holds after correction: no rows");
}

TEST(ClaimReport, ARefutedStatisticalClaimSaysItsLevelAndHowToDrawAnew) {
    Claim claim = kLemma;
    claim.false_alarm = "1e-6";
    ClaimResult result = result_with(Outcome::holds, "");
    result.claim = &claim;

    EXPECT_EQ(checked_cases({result}).front().message,
              "holds, documented: holds after correction; refuted though true with probability at "
              "most 1e-6: draw anew by `attest verify paper/lemma_1 --seed 1`");
}

TEST(ClaimReport, ExplanationHoldsStatementArgumentAndEvidence) {
    EXPECT_EQ(explanation(result_with(Outcome::holds_after_correction, "")),
              "paper/lemma_1 (Lemma 1 of a paper): holds after correction\n"
              "  printed    x < y & \"z\"\n"
              "  tested     x <= y\n"
              "  severity   misprint\n"
              "  remark     A slip.\n"
              "  argument   Because.\n"
              "  machine-checked a.v: order; b.v: strict (in part: x <= y)\n"
              "  - printed · violated · exact: x = 1 < 1\n");
}

TEST(ClaimReport, TableNamesTheDocumentedOutcomeOnlyWhereItDiffers) {
    const std::string table = outcome_table(
        {result_with(Outcome::holds_after_correction, ""), result_with(Outcome::holds, "")});

    EXPECT_NE(table.find("holds after correction  the same"), std::string::npos) << table;
    EXPECT_NE(table.find("holds                   holds after correction"), std::string::npos)
        << table;
}

TEST(ClaimReport, MarkdownIsPlainTextInMarkup) {
    const std::string text = claims_markdown({result_with(Outcome::holds_after_correction, "")});

    EXPECT_NE(text.find("### paper/lemma_1\n"), std::string::npos);
    EXPECT_NE(text.find("- **printed**: x \\< y & \"z\"\n"), std::string::npos) << text;
    EXPECT_NE(text.find("- **machine-checked**: a.v: order; b.v: strict (in part: x \\<= y)\n"),
              std::string::npos);
    EXPECT_NE(text.find("`attest verify paper/lemma_1 --explain`"), std::string::npos);
    EXPECT_EQ(text.find("0.5"), std::string::npos) << "times would change with every run";
}

TEST(ClaimReport, MarkdownOpensWithCountsFindingsAndTheMapOfThePaper) {
    const std::string text = claims_markdown({result_with(Outcome::holds_after_correction, "")});
    const std::size_t counts = text.find("<!-- counts -->");
    const std::size_t map = text.find("## Map of the paper");

    ASSERT_NE(map, std::string::npos);
    EXPECT_LT(counts, map);
    EXPECT_LT(map, text.find("### paper/lemma_1"));
    EXPECT_NE(text.find("| Theorem 2.2"), std::string::npos);
    EXPECT_NE(text.find("| claims paper"), std::string::npos) << text.substr(0, 2000);
}

TEST(Errata, AnEntryHasPrintCounterexampleRepairAndCommand) {
    const std::string text = errata_markdown({result_with(Outcome::holds_after_correction, "")});

    EXPECT_NE(text.find("## Lemma 1\n"), std::string::npos);
    EXPECT_NE(text.find("- **kind**: misprint\n"), std::string::npos);
    EXPECT_NE(text.find("- **found**: x = 1 \\< 1 (exact)\n"), std::string::npos) << text;
    EXPECT_NE(text.find("- **what we would write**: x \\<= y\n"), std::string::npos);
    EXPECT_NE(text.find("`attest verify paper/lemma_1 --explain`"), std::string::npos);
}

TEST(ErrataFile, HasEveryErratumOfTheRegistry) {
    std::ostringstream file;
    file << std::ifstream(ATTEST_ERRATA_FILE).rdbuf();
    const std::string text = file.str();

    for (const Claim& claim : claims()) {
        const std::string command = "`attest verify " + std::string(claim.id) + " --explain`";
        EXPECT_EQ(text.find(command) != std::string::npos, is_erratum(claim))
            << claim.id << ": write it anew: build/bin/attest verify --errata docs/errata.md";
    }
}

TEST(ClaimsFile, ListsEveryClaimInOrderWithItsOutcome) {
    const std::string text = committed_claims();
    const std::vector<std::string> sections = lines_that_start(text, "### ");
    const std::vector<std::string> rows = lines_that_start(text, "| [");

    ASSERT_EQ(sections.size(), claims().size())
        << "write it anew: build/bin/attest verify --markdown CLAIMS.md";
    ASSERT_EQ(rows.size(), claims().size());
    for (std::size_t i = 0; i < sections.size(); ++i) {
        const Claim& claim = claims()[i];
        EXPECT_EQ(sections[i], claim.id);
        EXPECT_NE(rows[i].find("| " + words(claim.documented) + " "), std::string::npos) << rows[i];
    }
}

}  // namespace
}  // namespace attest
