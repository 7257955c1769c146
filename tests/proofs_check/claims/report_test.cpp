#include "proofs_check/claims/report.hpp"

#include "proofs_check/claims/errata.hpp"
#include "tests/support/error_message.hpp"

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

std::string committed(const std::string& path) {
    std::ostringstream text;
    text << std::ifstream(std::string(ATTEST_ROOT) + "/" + path).rdbuf();
    return text.str();
}

constexpr std::string_view kFinding = "  - ";

/// The text without the lines of findings, whose last digits a library of linear algebra decides.
std::string without_findings(const std::string& text) {
    std::istringstream in(text);
    std::string kept;
    for (std::string line; std::getline(in, line);) {
        kept += line.starts_with(kFinding) ? "" : line + "\n";
    }
    return kept;
}

/// What the documented outcomes give, without a run.
std::vector<MarkdownPage> documented_pages() {
    std::vector<ClaimResult> results;
    for (const Claim& claim : claims()) {
        results.push_back({.claim = &claim, .outcome = claim.documented});
    }
    return claims_markdown(results);
}

std::size_t times_in(const std::string& text, const std::string& part) {
    std::size_t count = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
        ++count;
    }
    return count;
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
              R"({"form":"printed","verdict":"violated","said":"violated","precision":"exact",)"
              R"("text":"x = 1 < 1"})");
}

TEST(ClaimReport, CasesFailWhereTheOutcomeDiffersAndAreOpenWhereThereIsNone) {
    const std::vector<CheckedCase> cases =
        checked_cases({result_with(Outcome::holds_after_correction, ""),
                       result_with(Outcome::holds, ""),
                       result_with(Outcome::skipped, "no rows")});

    ASSERT_EQ(cases.size(), 3U);
    EXPECT_EQ(cases[0].outcome, CheckOutcome::passed);
    EXPECT_EQ(cases[0].name, "paper/lemma_1");
    EXPECT_EQ(cases[0].file, "docs/claims/paper.md");
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
              "\n"
              "  evidence\n"
              "  - printed · violated · exact: x = 1 < 1\n");
}

TEST(ClaimReport, AControlSaysWhetherItsFaultWasNoticed) {
    ClaimResult result{.claim = &kLemma, .outcome = Outcome::holds};
    const int test = result.evidence.next_test();
    result.evidence.add(Form::control, {false, "a fault"}, false, "exact", test);
    result.evidence.add(Form::control, {true, "a fault"}, false, "exact", test);
    result.evidence.add(Form::control, {true, "an input"}, true, "exact", test);
    result.evidence.add(Form::control, {false, "an input"}, true, "exact", test);
    result.evidence.check(Form::control, true, "a fault");

    std::vector<std::string_view> words;
    for (const Finding& finding : result.evidence.findings()) {
        words.push_back(verdict_words(finding));
    }
    EXPECT_EQ(words,
              (std::vector<std::string_view>{
                  "noticed", "not noticed", "accepted", "refused", "noticed"}));
    EXPECT_NE(explanation(result).find("control · noticed · exact: a fault"), std::string::npos);
}

TEST(ClaimReport, WhatHasBeenSeenToFailIsNamed) {
    Evidence refused;
    const int one = refused.next_test();
    refused.add(Form::printed, {false, "the print"}, true, "exact", one);
    EXPECT_EQ(control_kind(refused), ControlKind::none);
    refused.add(Form::control, {true, "an input"}, true, "exact", one);
    EXPECT_EQ(control_kind(refused), ControlKind::accepted_input);
    refused.add(Form::tested, {true, "the repair"}, true, "exact", one);
    EXPECT_EQ(control_kind(refused), ControlKind::refuted_print);
    refused.add(Form::control, {false, "a fault"}, false, "exact", one);
    EXPECT_EQ(control_kind(refused), ControlKind::planted_fault);

    Evidence apart;
    apart.add(Form::tested, {true, "the statement"}, true, "exact", apart.next_test());
    apart.add(Form::control, {false, "another test's"}, false, "exact", apart.next_test());
    EXPECT_EQ(control_kind(apart), ControlKind::none);
    EXPECT_EQ(to_string(control_kind(apart)), "none");
    EXPECT_TRUE(control_sentence(ControlKind::none).empty());
    EXPECT_NE(control_sentence(ControlKind::refuted_print).find("the print is the fault"),
              std::string_view::npos);
}

TEST(ClaimReport, LongLinesAreBrokenBetweenWords) {
    ClaimResult result{.claim = &kLemma, .outcome = Outcome::holds};
    std::string text = "a";
    for (int word = 0; word < 60; ++word) {
        text += " word" + std::to_string(word);
    }
    result.evidence.check(Form::tested, true, text);

    const std::string said = explanation(result);

    std::istringstream lines(said);
    for (std::string line; std::getline(lines, line);) {
        EXPECT_LE(line.size(), 104U) << line << " (three letters of two bytes)";
    }
    EXPECT_NE(said.find("word59"), std::string::npos);
    EXPECT_NE(said.find("\n    word"), std::string::npos);
}

TEST(ClaimReport, TableNamesTheDocumentedOutcomeOnlyWhereItDiffers) {
    const std::string table = outcome_table(
        {result_with(Outcome::holds_after_correction, ""), result_with(Outcome::holds, "")});

    EXPECT_SAYS(table, "holds after correction  the same");
    EXPECT_SAYS(table, "holds                   holds after correction");
}

TEST(ClaimReport, WhatNothingDecidedSaysWhy) {
    ClaimResult unnoticed{.claim = &kLemma, .outcome = Outcome::inconclusive};
    unnoticed.evidence.check(Form::control, false, "a fault");

    EXPECT_EQ(
        open_reasons(
            {result_with(Outcome::holds, ""), result_with(Outcome::skipped, "no rows"), unnoticed}),
        "  paper/lemma_1 is skipped: no rows\n"
        "  paper/lemma_1 is inconclusive: control · not noticed · exact: a fault\n");
}

TEST(ClaimReport, EvidenceIsPlainTextInMarkup) {
    const std::vector<MarkdownPage> pages =
        claims_markdown({result_with(Outcome::holds_after_correction, "")});

    ASSERT_EQ(pages.size(), 2U);
    EXPECT_EQ(pages[0].path, "docs/claims/paper.md");
    const std::string& text = pages[0].text;
    EXPECT_SAYS(text, "## paper/lemma_1\n");
    EXPECT_SAYS(text, "- **printed**: x \\< y & \"z\"\n");
    EXPECT_SAYS(text, "- **machine-checked**: a.v: order; b.v: strict (in part: x \\<= y)\n");
    EXPECT_SAYS(text, "  - printed, violated (exact): x = 1 \\< 1\n");
    EXPECT_SAYS(text, "`attest verify paper/lemma_1 --explain`");
    EXPECT_EQ(text.find("0.5"), std::string::npos) << "times would change with every run";
}

TEST(ClaimReport, TheFirstPageHasCountsFindingsTheMapOfThePaperAndALineAClaim) {
    const MarkdownPage page =
        claims_markdown({result_with(Outcome::holds_after_correction, "")}).back();
    const std::size_t counts = page.text.find("<!-- counts -->");
    const std::size_t map = page.text.find("## Map of the paper");

    EXPECT_EQ(page.path, "CLAIMS.md");
    ASSERT_NE(map, std::string::npos);
    EXPECT_LT(counts, map);
    EXPECT_SAYS(page.text, "| Theorem 2.2");
    EXPECT_SAYS(page.text, "| claims paper") << page.text.substr(0, 2000);
    EXPECT_TRUE(page.text.ends_with(
        "\n| [paper/lemma_1](docs/claims/paper.md#paperlemma_1) | Lemma 1 | holds after "
        "correction | misprint | exact |\n"))
        << page.text.substr(page.text.size() - 500);
}

TEST(Errata, AnEntryHasPrintCounterexampleRepairAndCommand) {
    const std::string text = errata_markdown({result_with(Outcome::holds_after_correction, "")});

    EXPECT_SAYS(text, "## Lemma 1\n");
    EXPECT_SAYS(text, "- **kind**: misprint\n");
    EXPECT_SAYS(text, "- **found**: x = 1 \\< 1 (exact)\n");
    EXPECT_SAYS(text, "- **what we would write**: x \\<= y\n");
    EXPECT_SAYS(text, "`attest verify paper/lemma_1 --explain`");
}

TEST(ErrataFile, HasEveryErratumOfTheRegistry) {
    const std::string text = committed("docs/errata.md");

    for (const Claim& claim : claims()) {
        const std::string command = "`attest verify " + std::string(claim.id) + " --explain`";
        EXPECT_EQ(text.find(command) != std::string::npos, is_erratum(claim))
            << claim.id << ": write it anew: build/bin/attest verify --errata docs/errata.md";
    }
}

TEST(ClaimsFiles, AreWhatTheRegistryWrites) {
    for (const MarkdownPage& page : documented_pages()) {
        EXPECT_EQ(without_findings(committed(page.path)), page.text)
            << page.path << ": write it anew: build/bin/attest verify --markdown .";
    }
}

TEST(ClaimsFiles, HaveEveryClaimOnceWithItsFindings) {
    const std::string first = committed("CLAIMS.md");

    for (const Claim& claim : claims()) {
        const std::string id(claim.id);
        const std::string evidence = committed(evidence_page(id));
        const std::size_t start = evidence.find("## " + id + "\n");

        EXPECT_EQ(times_in(first, "\n| [" + id + "](" + evidence_page(id) + "#"), 1U) << id;
        EXPECT_EQ(times_in(evidence, "\n## " + id + "\n"), 1U) << id;
        ASSERT_NE(start, std::string::npos) << id;
        const std::string section = evidence.substr(start, evidence.find("\n## ", start) - start);
        EXPECT_SAYS(section, "\n" + std::string(kFinding)) << id;
    }
}

TEST(ClaimsFiles, TheFirstPageIsShort) {
    EXPECT_LT(committed("CLAIMS.md").size(), 60'000U);
}

}  // namespace
}  // namespace attest
