#pragma once

#include "core/data/dataset.hpp"

#include <vector>

namespace attest {

/// The different tokens of a data set, numbered in an order of their own.
struct TokenTypes {
    std::vector<Vector> types;
    std::vector<Index> of;  ///< of each column of Dataset::tokens

    [[nodiscard]] Index count() const { return std::ssize(types); }
};

[[nodiscard]] TokenTypes token_types(const Eigen::Ref<const Matrix>& tokens);

/// pack(e eᵀ) of the types listed, one a row.
[[nodiscard]] Matrix packed_squares(const TokenTypes& tokens, const std::vector<Index>& listed);

}  // namespace attest
