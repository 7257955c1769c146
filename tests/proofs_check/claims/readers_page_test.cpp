// docs/readers-questions.md names claims that exist, and every claim of readers/.
#include "proofs_check/claims/registry.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <regex>
#include <set>
#include <sstream>

namespace attest {
namespace {

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

}  // namespace
}  // namespace attest
