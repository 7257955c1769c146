#pragma once

#include "core/algebra/matrix.hpp"
#include "core/exact/null_space.hpp"

#include <vector>

namespace attest {

/// A rank over Q between two proved bounds.
struct RankBounds {
    Index lower = 0;  ///< by pivots modulo a prime
    Index upper = 0;  ///< by the number of rows and columns, or by verified null vectors

    [[nodiscard]] bool is_exact() const { return lower == upper; }
};

/// Columns that span all others, over Q where the rank is exact.
struct ColumnSpan {
    RankBounds rank;
    std::vector<Index> pivots;  ///< ascending
};

/// Of a matrix of doubles that are multiples of 2⁻³⁰ below 2³⁰. `effort` is what null vectors may
/// cost. A matrix without rows or columns has rank 0. Throws InvalidInput for other numbers.
[[nodiscard]] ColumnSpan column_span(const Matrix& rows, const LiftOptions& effort = {});

}  // namespace attest
