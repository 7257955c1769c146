#include "proofs_check/claims/own_claims.hpp"

#include "core/base/text.hpp"
#include "proofs_check/claims/report.hpp"
#include "tests/support/error_message.hpp"

#include <gtest/gtest.h>

namespace attest {
namespace {

constexpr const char* kHolds =
    R"({"form":"printed","text":"1 is 1","precision":"exact","accepted":true,"wanted":true,"test":1})";
constexpr const char* kRefuted =
    R"({"form":"printed","text":"1 is 2","precision":"exact","accepted":false,"wanted":true,"test":1})";
constexpr const char* kNoticed =
    R"({"form":"control","text":"1 is 3","precision":"exact","accepted":false,"wanted":false,"test":1})";
constexpr const char* kUnnoticed =
    R"({"form":"control","text":"1 is 1","precision":"exact","accepted":true,"wanted":false,"test":1})";
constexpr const char* kAccepted =
    R"({"form":"control","text":"1 is 1","precision":"exact","accepted":true,"wanted":true,"test":1})";
constexpr const char* kOpen =
    R"({"form":"printed","text":"?","precision":"none","accepted":null,"wanted":true,"test":0})";

std::string claim(const std::string& id,
                  const std::string& findings,
                  const std::string& documented = "holds") {
    return formatted(
        R"({{"id":"{}","line":3,"paper":"p","place":"Lemma 1","printed":"s","tested":"s",)"
        R"("deviation":"","method":"exact","documented":"{}","severity":"none","remark":"",)"
        R"("false_alarm":"","explain":"","findings":[{}],"stopped":"","seconds":0.5}})",
        id,
        documented,
        findings);
}

std::string listed(const std::string& claims) {
    return R"({"claims":[)" + claims + "]}";
}

Outcome outcome(const std::string& findings) {
    return read_own_claims(listed(claim("mine/lemma_1", findings)), "mine.py")
        .results.at(0)
        .outcome;
}

std::string refusal(const std::string& claims) {
    return test::invalid_input_message([&] { (void)read_own_claims(listed(claims), "mine.py"); });
}

TEST(OwnClaims, OutcomesAreComputedFromFindings) {
    EXPECT_EQ(outcome(formatted("{},{}", kHolds, kNoticed)), Outcome::holds);
    EXPECT_EQ(outcome(formatted("{},{}", kRefuted, kAccepted)), Outcome::false_as_printed);
    EXPECT_EQ(outcome(formatted("{},{}", kHolds, kUnnoticed)), Outcome::inconclusive);
    EXPECT_EQ(outcome(formatted("{},{},{}", kHolds, kNoticed, kOpen)), Outcome::inconclusive);
}

TEST(OwnClaims, WithoutAControlAreRefused) {
    EXPECT_EQ(
        refusal(claim("mine/lemma_1", kHolds)),
        "mine.py:3: claim mine/lemma_1 has no control, so that nobody knows whether its check "
        "can fail; run its test on a planted fault, by check.control");
    EXPECT_NE(refusal(claim("mine/lemma_1", kRefuted)).find("by check.accepts"), std::string::npos);
    EXPECT_NE(refusal(claim("mine/lemma_1", formatted("{},{}", kHolds, kAccepted))),
              "nothing was thrown")
        << "accepted twice: never seen to fail";
}

TEST(OwnClaims, ThatBecameFalseAreRefutedBesideTheControlOfTheTimeWhenTheyHeld) {
    const std::string became_false = formatted("{},{}", kRefuted, kNoticed);
    EXPECT_EQ(outcome(became_false), Outcome::false_as_printed);
    EXPECT_NE(
        refusal(claim("mine/lemma_1", became_false, "false_as_printed")).find("by check.accepts"),
        std::string::npos)
        << "as documented, by a test that may refuse everything";
    const std::string became_true = formatted("{},{}", kHolds, kAccepted);
    EXPECT_EQ(
        read_own_claims(listed(claim("mine/lemma_1", became_true, "false_as_printed")), "m.py")
            .results.at(0)
            .outcome,
        Outcome::holds);
}

TEST(OwnClaims, NamesOfOthersAndWrongOnesAreRefused) {
    const std::string good = formatted("{},{}", kHolds, kNoticed);
    EXPECT_NE(refusal(claim("yau2024/lemma_1", good)).find("take another beginning"),
              std::string::npos);
    EXPECT_NE(refusal(claim("Lemma 1", good)).find("expected GROUP/NAME"), std::string::npos);
    EXPECT_NE(refusal(claim("mine/a", good) + "," + claim("mine/a", good)).find("the same id"),
              std::string::npos);
    EXPECT_NE(
        test::invalid_input_message([] { (void)read_own_claims("{", "mine.py"); }).find("mine.py"),
        std::string::npos);
}

std::string errata(const std::string& findings) {
    return own_errata_markdown(
        read_own_claims(listed(claim("mine/lemma_1", findings)), "mine.py").results);
}

TEST(OwnClaims, ErrataFollowFromWhatWasFoundAndNotFromWhatIsSaid) {
    // The claim says documented "holds" and severity "none" throughout.
    const std::string refuted = errata(formatted("{},{}", kRefuted, kAccepted));
    EXPECT_NE(refuted.find("## Lemma 1\n"), std::string::npos) << refuted;
    EXPECT_NE(refuted.find("**found**: 1 is 2 (exact)"), std::string::npos) << refuted;
    EXPECT_NE(refuted.find("`attest verify mine.py mine/lemma_1 --explain`"), std::string::npos);
    EXPECT_EQ(refuted.find("holds instead"), std::string::npos) << "no other form was checked";

    const std::string stands = errata(formatted("{},{}", kHolds, kNoticed));
    EXPECT_NE(stands.find("Nothing that was checked is refuted"), std::string::npos) << stands;
    EXPECT_EQ(stands.find("Lemma 1"), std::string::npos) << stands;

    const std::string open = errata(formatted("{},{}", kHolds, kUnnoticed));
    EXPECT_NE(open.find("## Undecided\n\n- Lemma 1 (mine/lemma_1): inconclusive"),
              std::string::npos)
        << open;
}

TEST(OwnClaims, KeepTheirTextsWhereTheyAreMoved) {
    OwnClaims first = read_own_claims(
        listed(claim("mine/lemma_1", formatted("{},{}", kHolds, kNoticed))), "mine.py");
    const OwnClaims moved = std::move(first);

    EXPECT_EQ(moved.results.at(0).claim->id, "mine/lemma_1");
    EXPECT_EQ(verify_command(*moved.results.at(0).claim), "attest verify mine.py mine/lemma_1");
    EXPECT_EQ(checked_cases(moved.results).at(0).file, "mine.py");
    EXPECT_EQ(moved.lines, std::vector<Index>{3});
}

}  // namespace
}  // namespace attest
