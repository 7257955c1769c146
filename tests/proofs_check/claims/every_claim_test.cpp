// One test a claim: the quick profile computes the documented outcome, with a planted fault that it
// notices.
#include "proofs_check/claims/registry.hpp"
#include "proofs_check/claims/report.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace attest {
namespace {

class EveryClaim : public testing::TestWithParam<const Claim*> {};

TEST_P(EveryClaim, HasItsDocumentedOutcome) {
    const ClaimResult result = run_claim(*GetParam(), Profile::quick, 0, ATTEST_COMMITTED_RESULTS);

    EXPECT_EQ(words(result.outcome), words(GetParam()->documented)) << explanation(result);
    const std::vector<Finding>& findings = result.evidence.findings();
    const bool controlled = std::any_of(
        findings.begin(), findings.end(), [](const Finding& f) { return f.form == Form::control; });
    EXPECT_TRUE(controlled) << "no negative control";
    const bool speaks_of_print = std::any_of(
        findings.begin(), findings.end(), [](const Finding& f) { return f.form == Form::printed; });
    EXPECT_FALSE(GetParam()->printed == kNotAtHand && speaks_of_print);
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
