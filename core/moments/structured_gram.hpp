#pragma once

#include "core/algebra/packed_cholesky.hpp"
#include "core/moments/product_sum.hpp"

namespace attest {

/// Σ_i H(Z_i) H(Z_i)ᵀ by its distinct entries: G[(p,l),(r,m)] = Σ_i s_pi s_ri z_li z_mi depends on
/// the pairs {p,r} and {l,m} alone, q(q+1)/2 · q numbers, about ψ²/4, instead of ψ².
template <class Scalar>
class StructuredGramOf {
public:
    /// `sum` is finished; its columns are triangle_pairs(d), its rows the same products as
    /// triangle_pairs(q), the one at triangle_index t standing in row positions[t].
    StructuredGramOf(Index d, ProductSumOf<Scalar> sum, std::vector<Index> positions);

    [[nodiscard]] Index d() const { return d_; }

    [[nodiscard]] Index psi() const { return feature_dim(d_); }

    /// Entry (i, j) in the order of Algorithm 2, either triangle.
    [[nodiscard]] Scalar at(Index i, Index j) const;

    /// The lower triangle as a ψ×ψ matrix in the order of Algorithm 2; zeros above the diagonal.
    /// Throws EnvironmentFailure if it does not fit beside the distinct entries.
    [[nodiscard]] MatrixOf<Scalar> lower_triangle(int threads) const;

    /// The lower triangle in ψ(ψ+1)/2 scalars, LAPACK's rectangular full packed format
    /// (TRANSR = 'N', UPLO = 'L'), ready for ?pftrf: half the memory of lower_triangle. Gustavson,
    /// Waśniewski, Dongarra, Langou 2010.
    [[nodiscard]] VectorOf<Scalar> rectangular_packed(int threads) const;

private:
    [[nodiscard]] const Scalar* row(Index p, Index r) const;
    template <class Visit>
    void for_block_column(Index p, const Visit& visit) const;

    Index d_;
    ProductSumOf<Scalar> sum_;
    std::vector<Index> positions_;
};

using StructuredGram = StructuredGramOf<double>;

extern template class StructuredGramOf<double>;
extern template class StructuredGramOf<float>;

}  // namespace attest
