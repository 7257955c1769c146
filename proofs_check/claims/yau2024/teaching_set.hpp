#pragma once

#include "programs/language/token.hpp"

#include <vector>

namespace attest::yau2024 {

/// `times` the feature S_jk z_l, j ≤ k.
struct TeachingTerm {
    Index j = 0;
    Index k = 0;
    std::int64_t times = 1;
};

/// A sequence of two tokens whose last one is e_l: its features are S_jk z_l, once, and features
/// that earlier queries have settled.
struct TeachingQuery {
    Index j = 0;  ///< j ≤ k: the feature that is new
    Index k = 0;
    Index l = 0;
    std::vector<Token> tokens;
    std::vector<TeachingTerm> known;
};

/// psi(d) queries: [0, e_l], then [e_j, e_l] for j ≠ l, then [e_j + e_k, e_l] for j < k.
[[nodiscard]] inline std::vector<TeachingQuery> teaching_set(Index d) {
    std::vector<TeachingQuery> queries;
    for (Index l = 0; l < d; ++l) {
        queries.push_back({l, l, l, {Token{}, one_hot_token({l})}, {}});
    }
    for (Index l = 0; l < d; ++l) {
        for (Index j = 0; j < d; ++j) {
            if (j != l) {
                queries.push_back({j, j, l, {one_hot_token({j}), one_hot_token({l})}, {{l, l, 1}}});
            }
        }
        for (Index j = 0; j < d; ++j) {
            for (Index k = j + 1; k < d; ++k) {
                queries.push_back({j,
                                   k,
                                   l,
                                   {one_hot_token({j, k}), one_hot_token({l})},
                                   {{j, j, 1}, {k, k, 1}, {l, l, 1}}});
            }
        }
    }
    return queries;
}

}  // namespace attest::yau2024
