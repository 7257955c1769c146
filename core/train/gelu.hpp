#pragma once

#include "core/algebra/matrix.hpp"

namespace attest {

/// x·σ(a(x)), a(x) = 2√(2/π)(x + 0.044715x³), entry by entry: the tanh form of Hendrycks and Gimpel
/// 2016.
template <class Scalar>
[[nodiscard]] MatrixOf<Scalar> gelu(const MatrixOf<Scalar>& X);

/// Its derivative, σ + xσ(1−σ)a′.
template <class Scalar>
[[nodiscard]] MatrixOf<Scalar> gelu_slopes(const MatrixOf<Scalar>& X);

}  // namespace attest
