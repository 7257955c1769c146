#pragma once

#include "core/data/moment_source.hpp"

#include <functional>

namespace attest {

/// A second moment that was factored in Scalar, wherever its factor is.
template <class Scalar>
struct FactoredMatrixOf {
    Index n = 0;
    double trace = 0.0;  ///< of the matrix M that was factored
    double norm1 = 0.0;  ///< ‖M‖₁
    double rcond = 0.0;  ///< estimate of 1/cond₁(M)
    std::function<MatrixOf<Scalar>(const MatrixOf<Scalar>&)> solve;  ///< M⁻¹ B
};

/// ‖M^{-1/2}(G − M)M^{-1/2}‖₂ for the factored M. G is formed with errors of at most
/// γ_m Σ |H||H|ᵀ (moment_sums.hpp) and factored with γ_{ψ+1} |L||L|ᵀ (Higham 2002, theorem 10.3);
/// the norms of both products are at most the trace, and √m stands for m as in accuracy.hpp.
template <class Scalar>
[[nodiscard]] double gram_departure(const FactoredMatrixOf<Scalar>& M, const SourceShape& shape);

/// M⁻¹ G in Scalar, G first brought to size 1.
template <class Scalar>
[[nodiscard]] Matrix solve_in(const FactoredMatrixOf<Scalar>& M, const Matrix& G);

extern template double gram_departure(const FactoredMatrixOf<double>&, const SourceShape&);
extern template double gram_departure(const FactoredMatrixOf<float>&, const SourceShape&);
extern template Matrix solve_in(const FactoredMatrixOf<double>&, const Matrix&);
extern template Matrix solve_in(const FactoredMatrixOf<float>&, const Matrix&);

}  // namespace attest
