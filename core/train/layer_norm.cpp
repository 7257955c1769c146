#include "core/train/layer_norm.hpp"

namespace attest {

template <class Scalar>
NormalisedTokens<Scalar> normalise(const MatrixOf<Scalar>& X) {
    const Eigen::Matrix<Scalar, 1, Eigen::Dynamic> means = X.colwise().mean();
    NormalisedTokens<Scalar> tokens;
    tokens.X = X.rowwise() - means;
    tokens.inverse_deviation =
        ((tokens.X.colwise().squaredNorm() / static_cast<Scalar>(X.rows())).array() +
         static_cast<Scalar>(1e-5))
            .rsqrt()
            .transpose();
    tokens.X *= tokens.inverse_deviation.asDiagonal();
    return tokens;
}

template <class Scalar>
MatrixOf<Scalar> normalise_backward(const NormalisedTokens<Scalar>& tokens,
                                    const MatrixOf<Scalar>& G) {
    const Eigen::Matrix<Scalar, 1, Eigen::Dynamic> means = G.colwise().mean();
    const VectorOf<Scalar> slopes = G.cwiseProduct(tokens.X).colwise().mean().transpose();
    MatrixOf<Scalar> result = G.rowwise() - means;
    result -= tokens.X * slopes.asDiagonal();
    result *= tokens.inverse_deviation.asDiagonal();
    return result;
}

template NormalisedTokens<float> normalise<float>(const MatrixOf<float>&);
template NormalisedTokens<double> normalise<double>(const Matrix&);
template MatrixOf<float> normalise_backward<float>(const NormalisedTokens<float>&,
                                                   const MatrixOf<float>&);
template Matrix normalise_backward<double>(const NormalisedTokens<double>&, const Matrix&);

}  // namespace attest
