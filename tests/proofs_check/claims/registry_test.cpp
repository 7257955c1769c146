#include "proofs_check/claims/registry.hpp"

#include "core/base/error.hpp"
#include "core/base/interrupt.hpp"
#include "tests/support/error_message.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace attest {
namespace {

std::vector<std::string> ids(const std::vector<const Claim*>& chosen) {
    std::vector<std::string> list;
    list.reserve(chosen.size());
    for (const Claim* claim : chosen) {
        list.emplace_back(claim->id);
    }
    return list;
}

std::string failure(const std::string& pattern) {
    try {
        (void)select_claims({pattern});
    } catch (const UnknownName& error) {
        return error.what();
    }
    return "nothing was thrown";
}

Evidence needs_something(const ClaimContext& /*context*/) {
    throw NotAvailable("rows: got none, expected results/full/fig2.jsonl");
}

Evidence breaks(const ClaimContext& /*context*/) {
    throw BrokenInvariant("a pivot vanished");
}

Evidence stops(const ClaimContext& /*context*/) {
    throw Interrupted("stop");
}

Evidence remembers_stream(const ClaimContext& context) {
    Evidence evidence;
    evidence.check(Form::printed, context.profile == Profile::full, context.stream.path());
    return evidence;
}

ClaimResult result_of(Evidence (*run)(const ClaimContext&)) {
    Claim claim;
    claim.id = "paper/lemma_1";
    claim.run = run;
    return run_claim(claim, Profile::full, 7, "results");
}

TEST(Claims, EveryEntryIsCompleteAndUnique) {
    std::set<std::string_view> seen;
    for (const Claim& claim : claims()) {
        EXPECT_TRUE(seen.insert(claim.id).second) << claim.id;
        EXPECT_NE(claim.id.find('/'), std::string_view::npos) << claim.id;
        for (const std::string_view text :
             {claim.paper, claim.place, claim.printed, claim.tested, claim.explain}) {
            EXPECT_FALSE(text.empty()) << claim.id;
        }
        EXPECT_NE(claim.run, nullptr) << claim.id;
        const bool of_first_paper =
            claim.id.starts_with("yau2024/") || claim.id.starts_with("readers/");
        EXPECT_TRUE(of_first_paper || claim.paper != Claim{}.paper) << claim.id;
    }
}

TEST(Claims, AreFoundByTheNamesThatPeopleWrite) {
    const auto one = [](const std::string& name, const std::string& id) {
        const std::vector<std::string> found = ids(select_claims({name}));
        EXPECT_NE(std::find(found.begin(), found.end(), id), found.end()) << name;
        return found.size();
    };
    for (const char* name :
         {"Lemma 2.3", "lemma 2.3", "lemma_2_3", "LEMMA A.3", "A.3", "2.3", "yau2024/lemma_a3"}) {
        one(name, "yau2024/lemma_2_3");
    }
    EXPECT_GE(one("Theorem 2.2", "yau2024/theorem_2_2_heads"), 9U);
    EXPECT_EQ(one("Equation 14", "yau2024/equation_14"), 1U);
    EXPECT_EQ(one("Figure 2 (b)", "yau2024/figure_2b"), 1U);
    EXPECT_EQ(one("theorem 4.1", "in_context/zhang_theorem_4_1"), 1U);
    EXPECT_NE(failure("Lemma 2.33"), "nothing was thrown");
    EXPECT_NE(failure("Lemma 3"), "nothing was thrown") << "not the end of Lemma 2.3";
    EXPECT_NE(failure("chen_li2024/lemma_2_3"), "nothing was thrown") << "another paper";
    EXPECT_NE(failure("the lemma"), "nothing was thrown");
}

TEST(Claims, DependOnClaimsThatExist) {
    std::set<std::string_view> known;
    for (const Claim& claim : claims()) {
        known.insert(claim.id);
    }
    for (const Claim& claim : claims()) {
        std::string_view rest = claim.depends_on;
        while (!rest.empty()) {
            const std::size_t end = std::min(rest.find(' '), rest.size());
            EXPECT_EQ(known.count(rest.substr(0, end)), 1U) << claim.id;
            rest.remove_prefix(std::min(end + 1, rest.size()));
        }
    }
}

TEST(SelectClaims, TakesIdsGlobsAndBeginningsEachClaimOnce) {
    EXPECT_EQ(ids(select_claims({"yau2024/lemma_a5"})),
              (std::vector<std::string>{"yau2024/lemma_a5"}));
    EXPECT_EQ(ids(select_claims({"yau2024/lemma_a7", "*/lemma_a[57]", "yau2024/lemma_a5"})),
              (std::vector<std::string>{"yau2024/lemma_a5", "yau2024/lemma_a7"}));
    EXPECT_EQ(select_claims({}).size(), claims().size());
    EXPECT_GE(select_claims({"yau2024/equation_"}).size(), 3U);
}

TEST(SelectClaims, AnIdIsNotTheBeginningOfOthers) {
    for (const Claim& claim : claims()) {
        EXPECT_EQ(select_claims({std::string(claim.id)}).size(), 1U) << claim.id;
    }
}

TEST(SelectClaims, UnknownNamesCarryTheNearestId) {
    EXPECT_SAYS(failure("yau2024/lema_a5"),
                "claim: got 'yau2024/lema_a5', nearest: yau2024/lemma_a5");
    EXPECT_SAYS(failure(""), "claim: got ''");
}

TEST(RunClaim, MissingRequirementsSkipWithTheReason) {
    const ClaimResult result = result_of(needs_something);

    EXPECT_EQ(result.outcome, Outcome::skipped);
    EXPECT_EQ(result.reason, "rows: got none, expected results/full/fig2.jsonl");
    EXPECT_FALSE(result.decided());
    EXPECT_FALSE(result.differs());
}

TEST(RunClaim, ErrorsDecideNothingAndInterruptsPassThrough) {
    const ClaimResult result = result_of(breaks);

    EXPECT_EQ(result.outcome, Outcome::inconclusive);
    EXPECT_EQ(result.reason, "stopped: a pivot vanished");
    EXPECT_THROW((void)result_of(stops), Interrupted);
}

TEST(RunClaim, PassesProfileAndAStreamOfItsOwn) {
    const ClaimResult result = result_of(remembers_stream);

    EXPECT_EQ(result.outcome, Outcome::holds);
    ASSERT_EQ(result.evidence.findings().size(), 1U);
    EXPECT_EQ(result.evidence.findings()[0].text, "7/paper/lemma_1");
}

TEST(ClaimResult, DiffersInEitherDirectionButNotWhenUndecided) {
    Claim claim;
    ClaimResult result{.claim = &claim, .outcome = Outcome::vacuous};
    EXPECT_TRUE(result.differs());
    claim.documented = Outcome::vacuous;
    EXPECT_FALSE(result.differs());
    claim.documented = Outcome::false_as_printed;
    result.outcome = Outcome::holds;
    EXPECT_TRUE(result.differs());
    result.outcome = Outcome::inconclusive;
    EXPECT_FALSE(result.differs());
}

}  // namespace
}  // namespace attest
