#pragma once

#include "core/data/sources/moments.hpp"
#include "core/features/coefficients.hpp"

namespace attest {

/// The examples of a data set with whitened tokens, block by block: S~ is formed from Z~, so that
/// it is as accurate as S. Data set and order of examples as DatasetSource.
class WhitenedSource final : public MomentSource {
public:
    /// `data` must outlive the source; L is d×d, lower triangular, nonsingular.
    WhitenedSource(const SequenceSource& data, const Matrix& L);

    [[nodiscard]] SourceShape shape() const override { return source_.shape(); }

    [[nodiscard]] MomentBatch block(Index b) const override { return source_.block(b); }

private:
    ChangedSequences whitened_;
    SlicedSource source_;
};

/// Coordinates in which the tokens of a data set have unit second moment: Z~ = L⁻¹ Z.
struct Whitening {
    Matrix L;            ///< lower triangular, positive diagonal, L Lᵀ = (1/T) Σ z zᵀ
    double rcond = 0.0;  ///< estimate of 1/cond₁ of the tokens, each coordinate scaled to norm 1;
                         ///< 0: they do not span R^d numerically, L is the identity
};

/// L from a Householder QR of the tokens, block by block: never through their second moment, which
/// would square the condition. 2Td² flops. Whitening removes what linear dependence among the
/// coordinates does to the condition of H, about cond(L)³, and nothing else. Minimum norm and ridge
/// mean another norm there: solve in these coordinates for a unique minimiser without ridge.
[[nodiscard]] Whitening token_whitening(const SequenceSource& data);

[[nodiscard]] inline Whitening token_whitening(const Dataset& data) {
    return token_whitening(SequencesInMemory(data));
}

/// The same from the triangular factor R of T tokens: RᵀR = Σ z zᵀ.
[[nodiscard]] Whitening whitening_of_factor(Matrix R, Index T);

/// L⁻¹ Z by forward substitution. Z is d×n.
template <class Scalar>
[[nodiscard]] MatrixOf<Scalar> whiten_tokens(const MatrixOf<Scalar>& L, const MatrixOf<Scalar>& Z) {
    return L.template triangularView<Eigen::Lower>().solve(Z);
}

/// P' with W'[(a,b),(c,l)] = Σ M_βb M_γc M_λl W[(a,β),(γ,λ)], W the symmetric gauge of P (ψ×o),
/// which stays symmetric. Then P'ᵀ H(Z) = Pᵀ H(M Z). O(o d⁴).
template <class Scalar>
[[nodiscard]] MatrixOf<Scalar> substitute_tokens(const MatrixOf<Scalar>& P,
                                                 const MatrixOf<Scalar>& M) {
    const Index d = M.rows();
    MatrixOf<Scalar> W = symmetric_gauge<Scalar>(P, d);
    for (Index a = 0; a < P.cols(); ++a) {
        MatrixOf<Scalar> block = W.middleRows(a * d, d);
        for (int index = 0; index < 3; ++index) {
            // Contract the first index, then rotate: (b; c, l) becomes (c; l, b).
            const MatrixOf<Scalar> contracted = M.transpose() * block;
            for (Index b = 0; b < d; ++b) {
                for (Index c = 0; c < d; ++c) {
                    for (Index l = 0; l < d; ++l) {
                        block(c, l * d + b) = contracted(b, c * d + l);
                    }
                }
            }
        }
        W.middleRows(a * d, d) = block;
    }
    return coefficients_of_tensor<Scalar>(W, d);
}

/// Coefficients back from whitened tokens: Pᵀ H(Z) = P~ᵀ H(L⁻¹ Z). In heads: V = V~ L⁻¹,
/// Q = L⁻ᵀ Q~ L⁻¹. Their inverse is substitute_tokens(P, L).
template <class Scalar>
[[nodiscard]] MatrixOf<Scalar> unwhiten_coefficients(const MatrixOf<Scalar>& P,
                                                     const MatrixOf<Scalar>& L) {
    const MatrixOf<Scalar> identity = MatrixOf<Scalar>::Identity(L.rows(), L.rows());
    return substitute_tokens<Scalar>(P, whiten_tokens<Scalar>(L, identity));
}

}  // namespace attest
