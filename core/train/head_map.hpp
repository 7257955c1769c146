#pragma once

#include "core/model/parameters.hpp"
#include "core/rng/stream.hpp"

namespace attest {

/// The map θ → p(Θ) of equations 41 and 42 for H heads, and its transposed derivative. θ is the
/// H×(o·d) matrix V of the flattened V_h, then the H×d² matrix Q of the flattened Q_h, both
/// column-major: W = VᵀQ, and P is W made symmetric in its first two token indices.
template <class Scalar>
class HeadMap {
public:
    /// Throws InvalidInput unless all three are positive.
    HeadMap(Index d, Index o, Index num_heads);

    [[nodiscard]] Index num_parameters() const { return num_heads_ * (o_ * d_ + d_ * d_); }

    /// P = p(Θ), ψ×o. O(H o d³).
    [[nodiscard]] MatrixOf<Scalar> coefficients(const VectorOf<Scalar>& theta) const;

    /// The gradient in θ of a function whose gradient in P (ψ×o) is given. The gradient Ḡ in W,
    /// (o·d)×d², repeats that of {j,k} at (j,k) and (k,j); then V̄ = Q Ḡᵀ and Q̄ = V Ḡ. O(H o d³).
    [[nodiscard]] VectorOf<Scalar> pull_back(const VectorOf<Scalar>& theta,
                                             const MatrixOf<Scalar>& gradient_P) const;

    /// Independent entries of variance 1/d.
    [[nodiscard]] VectorOf<Scalar> start(const Stream& stream) const;

    /// θ as matrices.
    [[nodiscard]] ParametersOf<Scalar> heads(const VectorOf<Scalar>& theta) const;

private:
    using ConstMap = Eigen::Map<const MatrixOf<Scalar>>;

    [[nodiscard]] ConstMap values(const VectorOf<Scalar>& theta) const {
        return {theta.data(), num_heads_, o_ * d_};
    }

    [[nodiscard]] ConstMap queries(const VectorOf<Scalar>& theta) const {
        return {theta.data() + num_heads_ * o_ * d_, num_heads_, d_ * d_};
    }

    Index d_;
    Index o_;
    Index num_heads_;
};

extern template class HeadMap<float>;
extern template class HeadMap<double>;

}  // namespace attest
