#pragma once

#include "core/audit/lazy.hpp"
#include "core/certify/leverage.hpp"
#include "core/certify/minimum_eigenvalue.hpp"
#include "core/solve/problem.hpp"

namespace attest {

/// Examples with what several questions about them share: the triangular factor R, RᵀR = Λ_D, and
/// what follows from it. Each is computed when it is first asked for, at most once, from one pass
/// over the examples in all; any number of threads may ask. What the reference returns lives as
/// long as this object.
class FactoredSource {
public:
    /// The source must outlive this.
    explicit FactoredSource(const MomentSource& source);

    [[nodiscard]] const MomentSource& source() const { return source_; }

    /// The data set behind the source. Throws InvalidInput where the tokens are not at hand.
    [[nodiscard]] const Dataset& dataset() const;

    /// The one pass, about 3Nψ² flops; see triangular_factor.
    [[nodiscard]] const TriangularFactor& factor() const;

    /// Singular values of R, O(ψ³).
    [[nodiscard]] const NumericalSpectrum& spectrum() const;

    /// Its numerical row space, O(ψ³).
    [[nodiscard]] const NumericalLeverage& leverage() const;

    /// The empirical risk minimiser of least norm ‖Sym W‖ at any rank, by the SVD of R, O(ψ³).
    [[nodiscard]] const LeastSquaresFit& minimiser() const;

private:
    const MomentSource& source_;
    mutable Lazy<TriangularFactor> factor_;
    mutable Lazy<NumericalSpectrum> spectrum_;
    mutable Lazy<NumericalLeverage> leverage_;
    mutable Lazy<LeastSquaresFit> minimiser_;
};

}  // namespace attest
