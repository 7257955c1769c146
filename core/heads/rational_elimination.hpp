#pragma once

#include "core/algebra/matrix.hpp"
#include "core/exact/scalars.hpp"

namespace attest {

/// Rank of a rational matrix, by elimination.
[[nodiscard]] Index rational_rank(MatrixOf<Rational> A);

/// Numbers of positive and negative squares of a rational symmetric matrix (Sylvester), by
/// congruence.
struct Inertia {
    Index positive = 0;
    Index negative = 0;
};

[[nodiscard]] Inertia rational_inertia(MatrixOf<Rational> S);

}  // namespace attest
