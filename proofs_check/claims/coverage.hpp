#pragma once

#include "proofs_check/claims/registry.hpp"

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace attest {

/// What a numbered item of a paper is to the count of printed statements.
enum class ItemKind : std::uint8_t {
    statement,   ///< counted once
    restated,    ///< another place of a statement that is counted elsewhere
    definition,  ///< fixes words; counted where a claim speaks of it
    display,     ///< a formula inside a statement or a proof
};

/// One numbered item of "Learning Linear Attention in Polynomial Time", and what is said of it
/// here.
struct CoveredItem {
    std::string_view number;  ///< "Lemma A.5", "(14)"
    ItemKind kind = ItemKind::display;
    std::string_view subject;  ///< in a few words
    std::string_view claims;   ///< ids without the paper, separated by spaces; may be empty
    std::string_view reason =
        {};  ///< without claims: why there is none; else a remark, may be empty
};

/// Every numbered statement, algorithm, figure and display of the paper, and the sentences that
/// make a statement without a number, in the paper's order.
[[nodiscard]] std::span<const CoveredItem> yau2024_items();

/// The ids of an item's claims.
[[nodiscard]] std::vector<std::string> claims_of(const CoveredItem& item);

/// The graver of two: none < misprint < convention < not_reproduced < missing_hypothesis <
/// wrong_bound < refuted. our_statement does not count.
[[nodiscard]] Severity graver(Severity a, Severity b);

/// How many printed statements, each counted once with the gravest severity of its claims, have
/// each severity; our_statement stands for those without a printed check.
[[nodiscard]] std::map<Severity, Index> printed_statement_counts();

}  // namespace attest
