#include "proofs_check/claims/coverage.hpp"

#include "proofs_check/claims/covered_items.hpp"

#include <algorithm>

namespace attest {

namespace {

int rank_of(Severity severity) {
    switch (severity) {
        case Severity::none:
            return 1;
        case Severity::misprint:
            return 2;
        case Severity::convention:
            return 3;
        case Severity::not_reproduced:
            return 4;
        case Severity::missing_hypothesis:
            return 5;
        case Severity::wrong_bound:
            return 6;
        case Severity::refuted:
            return 7;
        case Severity::our_statement:
            break;
    }
    return 0;
}

Severity severity_of(const std::string& id) {
    for (const Claim& claim : claims()) {
        if (claim.id == id) {
            return claim.severity;
        }
    }
    return Severity::our_statement;
}

}  // namespace

std::span<const CoveredItem> yau2024_items() {
    static const std::vector<CoveredItem> kItems = [] {
        const std::span<const CoveredItem> first = main_text_items();
        std::vector<CoveredItem> items(first.begin(), first.end());
        const std::span<const CoveredItem> second = appendix_items();
        items.insert(items.end(), second.begin(), second.end());
        return items;
    }();
    return kItems;
}

std::vector<std::string> claims_of(const CoveredItem& item) {
    std::vector<std::string> ids;
    std::string_view rest = item.claims;
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find(' '), rest.size());
        ids.push_back("yau2024/" + std::string(rest.substr(0, end)));
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return ids;
}

Severity graver(Severity a, Severity b) {
    return rank_of(a) >= rank_of(b) ? a : b;
}

std::map<Severity, Index> printed_statement_counts() {
    std::map<Severity, Index> counts;
    for (const CoveredItem& item : yau2024_items()) {
        if (item.kind != ItemKind::statement) {
            continue;
        }
        Severity gravest = Severity::our_statement;
        for (const std::string& id : claims_of(item)) {
            gravest = graver(gravest, severity_of(id));
        }
        ++counts[gravest];
    }
    return counts;
}

}  // namespace attest
