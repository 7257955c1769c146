// One test a claim: the quick profile computes the documented outcome, with a planted fault that it
// notices.
#include "core/base/text.hpp"
#include "proofs_check/claims/registry.hpp"
#include "proofs_check/claims/report.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <sstream>

namespace attest {
namespace {

std::string source_of(const Claim& claim) {
    std::ostringstream text;
    text << std::ifstream(std::string(ATTEST_CLAIM_SOURCES) + "/" + std::string(claim.id) + ".cpp")
                .rdbuf();
    return text.str();
}

bool says(const std::vector<Finding>& findings, Form form) {
    return std::any_of(
        findings.begin(), findings.end(), [=](const Finding& f) { return f.form == form; });
}

std::string page_of(const Claim& claim) {
    std::ostringstream text;
    text << std::ifstream(std::string(ATTEST_ROOT) + "/" + evidence_page(claim.id)).rdbuf();
    return text.str();
}

/// Whether no library decides its last digits: whole numbers, rationals, committed rows.
bool is_same_everywhere(const Finding& finding) {
    return finding.precision.starts_with("exact") ||
           finding.precision.find("committed rows") != std::string::npos;
}

class EveryClaim : public testing::TestWithParam<const Claim*> {};

TEST_P(EveryClaim, HasItsDocumentedOutcome) {
    const ClaimResult result = run_claim(*GetParam(), Profile::quick, 0, ATTEST_COMMITTED_RESULTS);

    EXPECT_EQ(words(result.outcome), words(GetParam()->documented)) << explanation(result);
    const std::vector<Finding>& findings = result.evidence.findings();
    EXPECT_TRUE(result.evidence.has_shared_control())
        << "no test of the statement has been seen to come out both ways";
    EXPECT_NE(control_kind(result.evidence), ControlKind::none);

    const std::string page = page_of(*GetParam());
    for (const Finding& finding : findings) {
        if (is_same_everywhere(finding)) {
            const std::string line = formatted("  - {}, {} ({}): {}\n",
                                               to_string(finding.form),
                                               verdict_words(finding),
                                               finding.precision,
                                               markdown_text(finding.text));
            EXPECT_NE(page.find(line), std::string::npos)
                << "the page says otherwise: " << finding.text
                << "; write it anew: build/bin/attest verify --markdown .";
        }
    }

    const bool speaks_of_print = says(findings, Form::printed) || says(findings, Form::hypothesis);
    if (GetParam()->severity == Severity::our_statement) {
        EXPECT_FALSE(says(findings, Form::printed))
            << "a printed form is checked: say how it fares";
    } else {
        EXPECT_TRUE(speaks_of_print) << "the severity is of a print that no finding speaks of";
    }
    EXPECT_FALSE(GetParam()->printed == kNotAtHand && speaks_of_print);
    // Its hypothesis is ours then, too.
    EXPECT_FALSE(GetParam()->printed == kOurs && says(findings, Form::printed));
}

TEST_P(EveryClaim, IsAsGraveAsItsOutcome) {
    const Severity severity = GetParam()->severity;
    const bool stands = severity == Severity::none || severity == Severity::our_statement;

    EXPECT_EQ(GetParam()->documented == Outcome::holds, stands) << to_string(severity);
}

TEST_P(EveryClaim, StatesItsFalseAlarmLevelIffItIsStatistical) {
    EXPECT_EQ(GetParam()->method == Method::statistical, !GetParam()->false_alarm.empty());
}

TEST_P(EveryClaim, CallsNothingExactThatRestsOnSamples) {
    const std::string source = source_of(*GetParam());

    ASSERT_FALSE(source.empty()) << "a claim lives in the file of its id";
    if (GetParam()->method == Method::exact && source.find("context.stream") != std::string::npos) {
        EXPECT_TRUE(source.find("kSampled") != std::string::npos ||
                    source.find("exact: counted") != std::string::npos);
    }
}

std::vector<const Claim*> all_claims() {
    return select_claims({});
}

std::string name_of(const testing::TestParamInfo<const Claim*>& info) {
    std::string name(info.param->id);
    std::replace(name.begin(), name.end(), '/', '_');
    return name;
}

INSTANTIATE_TEST_SUITE_P(Quick, EveryClaim, testing::ValuesIn(all_claims()), name_of);

}  // namespace
}  // namespace attest
