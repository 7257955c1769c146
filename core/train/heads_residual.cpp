#include "core/train/heads_residual.hpp"

#include "core/algebra/product.hpp"
#include "core/train/residuals.hpp"

namespace attest {

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
