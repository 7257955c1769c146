// The map of the paper: every number has one line, every line claims or a reason, every claim about
// the print a line.
#include "proofs_check/claims/coverage.hpp"

#include <gtest/gtest.h>

#include <set>

namespace attest {
namespace {

std::set<std::string> numbers_of_the_paper() {
    std::set<std::string> numbers;
    for (Index i = 1; i <= 68; ++i) {
        numbers.insert("(" + std::to_string(i) + ")");
    }
    for (Index i = 1; i <= 8; ++i) {
        numbers.insert("Algorithm " + std::to_string(i));
    }
    for (Index i = 1; i <= 4; ++i) {
        numbers.insert("Figure " + std::to_string(i));
    }
    for (const char* number :
         {"Theorem 2.2",    "Lemma 2.3",      "Corollary 2.4",  "Lemma 3.1",      "Lemma A.3",
          "Corollary A.4",  "Lemma A.5",      "Lemma A.6",      "Lemma A.7",      "Lemma A.8",
          "Lemma B.1",      "Lemma C.5",      "Lemma E.1",      "Lemma E.2",      "Lemma F.1",
          "Corollary F.3",  "Definition 2.1", "Definition A.1", "Definition A.2", "Definition C.1",
          "Definition C.2", "Definition C.3", "Definition C.4", "Definition F.2", "Definition G.1",
          "Definition G.2"}) {
        numbers.insert(number);
    }
    return numbers;
}

std::set<std::string> known_ids() {
    std::set<std::string> ids;
    for (const Claim& claim : claims()) {
        ids.insert(std::string(claim.id));
    }
    return ids;
}

TEST(Coverage, EveryNumberOfThePaperHasOneLine) {
    std::multiset<std::string> lines;
    for (const CoveredItem& item : yau2024_items()) {
        lines.insert(std::string(item.number));
    }

    for (const std::string& number : numbers_of_the_paper()) {
        EXPECT_EQ(lines.count(number), 1U) << number;
    }
    EXPECT_EQ(std::set<std::string>(lines.begin(), lines.end()).size(), lines.size());
}

TEST(Coverage, EveryLineNamesClaimsThatExistOrSaysWhyThereAreNone) {
    const std::set<std::string> known = known_ids();

    for (const CoveredItem& item : yau2024_items()) {
        EXPECT_FALSE(item.subject.empty()) << item.number;
        EXPECT_FALSE(item.claims.empty() && item.reason.empty()) << item.number;
        for (const std::string& id : claims_of(item)) {
            EXPECT_EQ(known.count(id), 1U) << item.number << ": " << id;
        }
    }
}

TEST(Coverage, EveryClaimAboutThePrintBelongsToAPrintedStatement) {
    std::set<std::string> counted;
    for (const CoveredItem& item : yau2024_items()) {
        if (item.kind == ItemKind::statement || item.kind == ItemKind::definition) {
            for (const std::string& id : claims_of(item)) {
                counted.insert(id);
            }
        }
    }

    for (const Claim& claim : claims()) {
        if (claim.id.starts_with("yau2024/") && claim.severity != Severity::our_statement) {
            EXPECT_EQ(counted.count(std::string(claim.id)), 1U) << claim.id;
        }
    }
}

TEST(Coverage, TheGravestOfAStatementsClaimsCountsOnce) {
    EXPECT_EQ(graver(Severity::misprint, Severity::refuted), Severity::refuted);
    EXPECT_EQ(graver(Severity::none, Severity::our_statement), Severity::none);
    EXPECT_EQ(graver(Severity::wrong_bound, Severity::missing_hypothesis), Severity::wrong_bound);

    Index statements = 0;
    for (const CoveredItem& item : yau2024_items()) {
        statements += item.kind == ItemKind::statement ? 1 : 0;
    }
    Index counted = 0;
    for (const auto& [severity, count] : printed_statement_counts()) {
        counted += count;
    }
    EXPECT_EQ(counted, statements);
}

}  // namespace
}  // namespace attest
