#include "core/train/head_map.hpp"

#include "core/algebra/matrix.hpp"
#include "core/algebra/symmetric_pack.hpp"
#include "core/rng/sample.hpp"

#include <cmath>

namespace attest {

template <class Scalar>
HeadMap<Scalar>::HeadMap(Index d, Index o, Index num_heads) : d_(d), o_(o), num_heads_(num_heads) {
    require(d >= 1 && o >= 1 && num_heads >= 1,
            "head_map: got d = {}, o = {}, heads = {}, expected each at least 1",
            d,
            o,
            num_heads);
}

template <class Scalar>
MatrixOf<Scalar> HeadMap<Scalar>::coefficients(const VectorOf<Scalar>& theta) const {
    MatrixOf<Scalar> W(o_ * d_, d_ * d_);
    W.noalias() = values(theta).transpose() * queries(theta);
    MatrixOf<Scalar> P(feature_dim(d_), o_);
    for (Index a = 0; a < o_; ++a) {
        for (Index j = 0; j < d_; ++j) {
            for (Index k = j; k < d_; ++k) {
                const Index row = pack_index(d_, j, k) * d_;
                for (Index l = 0; l < d_; ++l) {
                    const Scalar one_way = W(a * d_ + j, k * d_ + l);
                    P(row + l, a) = j == k ? one_way : one_way + W(a * d_ + k, j * d_ + l);
                }
            }
        }
    }
    return P;
}

template <class Scalar>
VectorOf<Scalar> HeadMap<Scalar>::pull_back(const VectorOf<Scalar>& theta,
                                            const MatrixOf<Scalar>& gradient_P) const {
    MatrixOf<Scalar> G(o_ * d_, d_ * d_);
    for (Index a = 0; a < o_; ++a) {
        for (Index k = 0; k < d_; ++k) {
            for (Index j = 0; j < d_; ++j) {
                const Index row = pack_index(d_, j, k) * d_;
                for (Index l = 0; l < d_; ++l) {
                    G(a * d_ + j, k * d_ + l) = gradient_P(row + l, a);
                }
            }
        }
    }
    VectorOf<Scalar> gradient(num_parameters());
    Eigen::Map<MatrixOf<Scalar>> of_values(gradient.data(), num_heads_, o_ * d_);
    Eigen::Map<MatrixOf<Scalar>> of_queries(
        gradient.data() + of_values.size(), num_heads_, d_ * d_);
    of_values.noalias() = queries(theta) * G.transpose();
    of_queries.noalias() = values(theta) * G;
    return gradient;
}

template <class Scalar>
VectorOf<Scalar> HeadMap<Scalar>::start(const Stream& stream) const {
    const Matrix entries = grid_matrix(grid_normal(), num_parameters(), 1, stream);
    const Vector scaled = entries.col(0) / std::sqrt(static_cast<double>(d_));
    return scaled.cast<Scalar>();
}

template <class Scalar>
ParametersOf<Scalar> HeadMap<Scalar>::heads(const VectorOf<Scalar>& theta) const {
    ParametersOf<Scalar> result{d_, o_, {}};
    for (Index h = 0; h < num_heads_; ++h) {
        const VectorOf<Scalar> V = values(theta).row(h);
        const VectorOf<Scalar> Q = queries(theta).row(h);
        result.heads.push_back({fold<Scalar>(V, o_, d_), fold<Scalar>(Q, d_, d_)});
    }
    return result;
}

template class HeadMap<float>;
template class HeadMap<double>;

}  // namespace attest
