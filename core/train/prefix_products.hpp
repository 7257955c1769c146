#pragma once

#include "core/algebra/matrix.hpp"

namespace attest {

/// Column t: S_t u_t with S_t = Σ_{s≤t} x_s x_sᵀ. X and U are d×T. The map is symmetric in the
/// sense that its transposed derivative in U is the map itself. O(T d²).
template <class Scalar>
[[nodiscard]] MatrixOf<Scalar> prefix_products(const MatrixOf<Scalar>& X,
                                               const MatrixOf<Scalar>& U);

/// Column t: Σ_{s≥t} (w_s u_sᵀ + u_s w_sᵀ) x_t, the gradient in X of Σ_t w_tᵀ S_t u_t. O(T d²).
template <class Scalar>
[[nodiscard]] MatrixOf<Scalar> suffix_products(const MatrixOf<Scalar>& W,
                                               const MatrixOf<Scalar>& U,
                                               const MatrixOf<Scalar>& X);

}  // namespace attest
