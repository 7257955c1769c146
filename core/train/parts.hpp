#pragma once

#include "core/algebra/matrix.hpp"

namespace attest {

/// Tokens (columns) with mean 0 and variance 1, and what undoes the scaling.
template <class Scalar>
struct NormalisedTokens {
    MatrixOf<Scalar> X;                  ///< (x − mean)/√(variance + 10⁻⁵)
    VectorOf<Scalar> inverse_deviation;  ///< 1/√(variance + 10⁻⁵), one a column
};

/// Ba, Kiros and Hinton 2016, without gain and shift.
template <class Scalar>
[[nodiscard]] NormalisedTokens<Scalar> normalise(const MatrixOf<Scalar>& X);

/// The cotangent of the inputs for a cotangent Ḡ of the normalised tokens x̂: column by column
/// (ḡ − mean(ḡ) − x̂ mean(ḡ∘x̂)) / deviation.
template <class Scalar>
[[nodiscard]] MatrixOf<Scalar> normalise_backward(const NormalisedTokens<Scalar>& tokens,
                                                  const MatrixOf<Scalar>& G);

/// x·σ(a(x)), a(x) = 2√(2/π)(x + 0.044715x³), entry by entry: the tanh form of Hendrycks and Gimpel
/// 2016.
template <class Scalar>
[[nodiscard]] MatrixOf<Scalar> gelu(const MatrixOf<Scalar>& X);

/// Its derivative, σ + xσ(1−σ)a′.
template <class Scalar>
[[nodiscard]] MatrixOf<Scalar> gelu_slopes(const MatrixOf<Scalar>& X);

}  // namespace attest
