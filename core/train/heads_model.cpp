#include "core/train/heads_model.hpp"

#include "core/algebra/lapack.hpp"
#include "core/algebra/product.hpp"
#include "core/base/memory.hpp"
#include "core/features/cubic.hpp"
#include "core/train/residuals.hpp"

namespace attest {

namespace {

template <class Scalar>
MatrixOf<Scalar> sequence_sums(const PrefixData<Scalar>& data) {
    const Index psi = feature_dim(data.d);
    const Index triangle = psi * (psi + 1) / 2;
    require_memory(static_cast<double>((triangle + psi * data.o) * data.num_sequences) *
                       static_cast<double>(sizeof(Scalar)),
                   "HeadsMoments: the moments of every sequence",
                   "train through the residuals");
    MatrixOf<Scalar> sums(triangle + psi * data.o, data.num_sequences);
    for (Index i = 0; i < data.num_sequences; ++i) {
        const MomentBatch batch{packed_prefixes(data, i).template cast<double>(),
                                data.queries(i).template cast<double>(),
                                data.labels(i).template cast<double>()};
        const Matrix H = feature_columns(batch);
        Matrix G = Matrix::Zero(psi, psi);
        add_syrk(G, H);
        const Matrix g = H * batch.y.transpose();
        Index at = 0;
        for (Index c = 0; c < psi; ++c) {
            sums.col(i).segment(at, psi - c) = G.col(c).tail(psi - c).template cast<Scalar>();
            at += psi - c;
        }
        sums.col(i).tail(g.size()) = g.reshaped().template cast<Scalar>();
    }
    return sums;
}

/// The symmetric matrix of a lower triangle stored column after column.
template <class Scalar>
MatrixOf<Scalar> symmetric(const VectorOf<Scalar>& triangle, Index psi) {
    MatrixOf<Scalar> G(psi, psi);
    Index at = 0;
    for (Index c = 0; c < psi; ++c) {
        G.col(c).tail(psi - c) = triangle.segment(at, psi - c);
        at += psi - c;
    }
    G.template triangularView<Eigen::StrictlyUpper>() = G.transpose();
    return G;
}

}  // namespace

template <class Scalar>
HeadsMoments<Scalar>::HeadsMoments(const PrefixData<Scalar>& data, Index num_heads)
    : HeadsModel<Scalar>(data, num_heads), moments_(sequence_sums(data)) {}

template <class Scalar>
VectorOf<Scalar> HeadsMoments<Scalar>::gradient(const VectorOf<Scalar>& theta,
                                                std::span<const Index> sequences) const {
    const MatrixOf<Scalar> P = this->map().coefficients(theta);
    VectorOf<Scalar> sum = VectorOf<Scalar>::Zero(moments_.rows());
    for (const Index i : sequences) {
        sum += moments_.col(i);
    }
    const Eigen::Map<const MatrixOf<Scalar>> g(
        sum.data() + sum.size() - P.size(), P.rows(), P.cols());
    const MatrixOf<Scalar> G = symmetric(sum, P.rows());
    const MatrixOf<Scalar> gradient_P =
        residual_weight(this->data(), static_cast<Index>(sequences.size())) * (G * P - g);
    return this->map().pull_back(theta, gradient_P);
}

template class HeadsMoments<float>;
template class HeadsMoments<double>;

template <class Scalar>
HeadsResidual<Scalar>::HeadsResidual(const PrefixData<Scalar>& data, Index num_heads)
    : HeadsModel<Scalar>(data, num_heads) {}

template <class Scalar>
VectorOf<Scalar> HeadsResidual<Scalar>::gradient(const VectorOf<Scalar>& theta,
                                                 std::span<const Index> sequences) const {
    const MatrixOf<Scalar> P = this->map().coefficients(theta);
    const Scalar weight = residual_weight(this->data(), static_cast<Index>(sequences.size()));
    MatrixOf<Scalar> gradient_P = MatrixOf<Scalar>::Zero(P.rows(), P.cols());
    MatrixOf<Scalar> scaled(this->data().d, this->data().labelled);
    for (const Index i : sequences) {
        const MatrixOf<Scalar> S = packed_prefixes(this->data(), i);
        const MatrixOf<Scalar> residual =
            weight * (outputs<Scalar>(P, S, this->data().queries(i)) - this->data().labels(i));
        for (Index a = 0; a < this->data().o; ++a) {
            scaled = this->data().queries(i) * residual.row(a).asDiagonal();
            Eigen::Map<MatrixOf<Scalar>> of_a(
                gradient_P.data() + a * P.rows(), this->data().d, S.rows());
            accumulate_product<Scalar>(of_a, scaled, Transpose::no, S, Transpose::yes);
        }
    }
    return this->map().pull_back(theta, gradient_P);
}

template class HeadsResidual<float>;
template class HeadsResidual<double>;

}  // namespace attest
