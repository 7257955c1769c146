#include "proofs_check/claims/coverage.hpp"

#include "core/base/text.hpp"
#include "proofs_check/claims/errata.hpp"
#include "proofs_check/claims/papers.hpp"
#include "proofs_check/claims/registry.hpp"
#include "proofs_check/claims/second_routes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

// The map of the paper: every number has one line, every line claims or a reason, every claim about
// the print a line.
// docs/readers-questions.md names claims that exist, and every claim of readers/.
// What claims name as machine-checked is stated in proofs_check/theory.
// Every paper says which version was read; every finding graver than a misprint has a second route.

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

std::set<std::string> ids_named_on_the_page() {
    std::ostringstream out;
    out << std::ifstream(ATTEST_READERS_PAGE).rdbuf();
    const std::string text = out.str();
    const std::regex id("(readers|yau2024)/[a-z_0-9]+");
    std::set<std::string> named;
    for (std::sregex_iterator at(text.begin(), text.end(), id); at != std::sregex_iterator();
         ++at) {
        named.insert(at->str());
    }
    return named;
}

TEST(ReadersPage, NamesEveryReadersClaimAndNoOtherThanClaims) {
    const std::set<std::string> named = ids_named_on_the_page();
    std::set<std::string> known;

    for (const Claim& claim : claims()) {
        known.insert(std::string(claim.id));
        if (claim.id.starts_with("readers/")) {
            EXPECT_EQ(named.count(std::string(claim.id)), 1U) << claim.id;
        }
    }

    EXPECT_FALSE(named.empty());
    for (const std::string& id : named) {
        EXPECT_EQ(known.count(id), 1U) << id;
    }
}

std::string theory_source(const std::string& file) {
    std::ostringstream text;
    text << std::ifstream(std::string(ATTEST_THEORY) + "/" + file).rdbuf();
    return text.str();
}

/// The separated parts, without the spaces around them.
std::vector<std::string> parts(const std::string& text, char separator) {
    std::vector<std::string> found;
    std::istringstream in(text);
    for (std::string part; std::getline(in, part, separator);) {
        found.push_back(part.substr(part.find_first_not_of(' ')));
    }
    return found;
}

/// Of "file.v: name, name; file.v: name" what no file states.
std::vector<std::string> not_stated(const std::string& theorems) {
    std::vector<std::string> missing;
    for (const std::string& entry : parts(theorems, ';')) {
        const std::string file = entry.substr(0, entry.find(": "));
        const std::string source = theory_source(file);
        for (const std::string& name : parts(entry.substr(file.size() + 1), ',')) {
            const std::regex statement(formatted("\n(Theorem|Corollary|Lemma) {}\\b", name));
            if (!std::regex_search(source, statement)) {
                missing.push_back(file + ": " + name);
            }
        }
    }
    return missing;
}

TEST(MachineChecked, EveryTheoremThatAClaimNamesIsStated) {
    std::size_t named = 0;
    for (const Claim& claim : claims()) {
        const std::string theorems(claim.machine_checked.theorems);
        EXPECT_EQ(not_stated(theorems), std::vector<std::string>{}) << claim.id;
        EXPECT_TRUE(!theorems.empty() || claim.machine_checked.part.empty()) << claim.id;
        named += theorems.empty() ? 0 : 1;
    }
    EXPECT_GE(named, 10U);
}

TEST(MachineChecked, ATheoremThatIsGoneIsMissed) {
    const std::vector<std::string> both{"certificate.v: identifiabl", "nowhere.v: identifiable"};

    EXPECT_EQ(not_stated("certificate.v: identifiable, identifiabl; nowhere.v: identifiable"),
              both);
}

/// How many entries name the paper.
std::size_t entries_of(std::string_view paper) {
    std::size_t count = 0;
    for (const Paper& entry : papers()) {
        count += entry.paper == paper ? 1 : 0;
    }
    return count;
}

TEST(Papers, EveryPaperThatAClaimNamesSaysWhatWasReadOfIt) {
    for (const Claim& claim : claims()) {
        const std::size_t expected = claim.paper.starts_with("docs/") ? 0 : 1;
        EXPECT_EQ(entries_of(claim.paper), expected)
            << claim.id << ": add " << claim.paper << " to proofs_check/claims/papers.cpp";
    }
    for (const Paper& paper : papers()) {
        EXPECT_FALSE(paper.title.empty() || paper.read.empty()) << paper.paper;
    }
}

TEST(Papers, DifferencesNameClaimsThatExist) {
    const std::set<std::string> known = known_ids();

    EXPECT_GE(version_differences().size(), 3U);
    for (const VersionDifference& difference : version_differences()) {
        for (const std::string& id : parts(std::string(difference.claims), ' ')) {
            EXPECT_EQ(known.count(id), 1U) << id;
        }
    }
}

TEST(Papers, EveryErratumOfTheFirstPaperSaysWhereItWasRead) {
    for (const Claim& claim : claims()) {
        if (is_erratum(claim) && claim.id.starts_with("yau2024/")) {
            EXPECT_NE(read_in(claim.id).find("text cop"), std::string::npos) << claim.id;
        }
    }
    EXPECT_EQ(read_in("yau2024/lemma_e2"), "the proceedings, one text copy");
    EXPECT_EQ(read_in("in_context/lu_test_error"), "");
}

TEST(Papers, NothingThatWasWithdrawnIsStillReported) {
    for (const CoveredItem& item : yau2024_items()) {
        EXPECT_EQ(item.reason.find(" hat"), std::string_view::npos) << item.number;
        EXPECT_EQ(item.reason.find("declared"), std::string_view::npos) << item.number;
        EXPECT_EQ(item.reason.find("lost square"), std::string_view::npos) << item.number;
    }
}

bool needs_second_route(const Claim& claim) {
    return graver(claim.severity, Severity::convention) != Severity::convention;
}

TEST(SecondRoute, EveryFindingGraverThanAMisprintHasOneOfAtMost25Lines) {
    std::size_t needed = 0;
    for (const Claim& claim : claims()) {
        if (needs_second_route(claim)) {
            ++needed;
            EXPECT_NE(second_route_of(claim.id), nullptr)
                << "write proofs_check/second_route/" << claim.id << ".py and what it prints, .txt";
        }
    }
    EXPECT_GE(needed, 9U);
    for (const SecondRoute& route : second_routes()) {
        EXPECT_EQ(known_ids().count(std::string(route.id)), 1U) << route.id;
        EXPECT_LE(std::count(route.code.begin(), route.code.end(), '\n'), 25) << route.id;
        EXPECT_EQ(route.code.find("attest"), std::string_view::npos) << route.id;
        EXPECT_TRUE(route.code.ends_with('\n') && route.printed.ends_with('\n')) << route.id;
    }
}

}  // namespace

}  // namespace attest
