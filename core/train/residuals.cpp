#include "core/train/residuals.hpp"

#include "core/algebra/product.hpp"

namespace attest {

template <class Scalar>
MatrixOf<Scalar> packed_prefixes(const PrefixData<Scalar>& data, Index i) {
    const Index d = data.d;
    MatrixOf<Scalar> S(packed_dim(d), data.labelled);
    const Index unlabelled = data.length - data.labelled;
    VectorOf<Scalar> s = VectorOf<Scalar>::Zero(S.rows());
    for (Index t = 0; t < data.length; ++t) {
        const Scalar* const z = data.tokens.data() + (i * data.length + t) * d;
        Scalar* at = s.data();
        for (Index j = 0; j < d; ++j) {
            for (Index k = j + 1; k < d; ++k) {
                *at++ += z[j] * z[k];
            }
        }
        for (Index j = 0; j < d; ++j) {
            *at++ += z[j] * z[j];
        }
        if (t >= unlabelled) {
            S.col(t - unlabelled) = s;
        }
    }
    return S;
}

template <class Scalar>
MatrixOf<Scalar> outputs(const MatrixOf<Scalar>& P,
                         const MatrixOf<Scalar>& packed,
                         const Eigen::Ref<const MatrixOf<Scalar>>& Z) {
    MatrixOf<Scalar> Y(P.cols(), Z.cols());
    MatrixOf<Scalar> M(Z.rows(), Z.cols());
    for (Index a = 0; a < P.cols(); ++a) {
        const Eigen::Map<const MatrixOf<Scalar>> P_a(
            P.data() + a * P.rows(), Z.rows(), packed.rows());
        M.setZero();
        accumulate_product<Scalar>(M, P_a, Transpose::no, packed, Transpose::no);
        Y.row(a) = M.cwiseProduct(Z).colwise().sum();
    }
    return Y;
}

template <class Scalar>
double relative_loss(const MatrixOf<Scalar>& P, const PrefixData<Scalar>& data) {
    double sum = 0.0;
    for (Index i = 0; i < data.num_sequences; ++i) {
        const MatrixOf<Scalar> residual =
            outputs<Scalar>(P, packed_prefixes(data, i), data.queries(i)) - data.labels(i);
        sum += residual.template cast<double>().squaredNorm();
    }
    return sum / (static_cast<double>(data.y.cols()) * data.label_power);
}

template <class Scalar>
Scalar residual_weight(const PrefixData<Scalar>& data, Index num_sequences) {
    return static_cast<Scalar>(
        2.0 / (static_cast<double>(num_sequences * data.labelled) * data.label_power));
}

template MatrixOf<float> packed_prefixes<float>(const PrefixData<float>&, Index);
template MatrixOf<double> packed_prefixes<double>(const PrefixData<double>&, Index);
template MatrixOf<float> outputs<float>(const MatrixOf<float>&,
                                        const MatrixOf<float>&,
                                        const Eigen::Ref<const MatrixOf<float>>&);
template Matrix outputs<double>(const Matrix&, const Matrix&, const Eigen::Ref<const Matrix>&);
template double relative_loss<float>(const MatrixOf<float>&, const PrefixData<float>&);
template double relative_loss<double>(const Matrix&, const PrefixData<double>&);
template float residual_weight<float>(const PrefixData<float>&, Index);
template double residual_weight<double>(const PrefixData<double>&, Index);

}  // namespace attest
