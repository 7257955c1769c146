#include "core/train/parts.hpp"

namespace attest {

namespace {

constexpr double kLinear = 1.5957691216057308;  // 2√(2/π)
constexpr double kCubic = 0.044715 * kLinear;

template <class Scalar>
using ArrayOf = Eigen::Array<Scalar, Eigen::Dynamic, Eigen::Dynamic>;

/// σ(a(x)), within rounding of 0 and 1 at the ends.
template <class Scalar>
ArrayOf<Scalar> gates(const MatrixOf<Scalar>& X) {
    const auto linear = static_cast<Scalar>(kLinear);
    const auto cubic = static_cast<Scalar>(kCubic);
    return ((-X.array() * (linear + cubic * X.array().square())).exp() + Scalar(1)).inverse();
}

}  // namespace

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

template <class Scalar>
MatrixOf<Scalar> gelu(const MatrixOf<Scalar>& X) {
    return X.array() * gates(X);
}

template <class Scalar>
MatrixOf<Scalar> gelu_slopes(const MatrixOf<Scalar>& X) {
    const auto linear = static_cast<Scalar>(kLinear);
    const auto cubic = static_cast<Scalar>(3.0 * kCubic);
    const ArrayOf<Scalar> gate = gates(X);
    return gate + X.array() * gate * (Scalar(1) - gate) * (linear + cubic * X.array().square());
}

template MatrixOf<float> gelu<float>(const MatrixOf<float>&);
template MatrixOf<double> gelu<double>(const Matrix&);
template MatrixOf<float> gelu_slopes<float>(const MatrixOf<float>&);
template Matrix gelu_slopes<double>(const Matrix&);

}  // namespace attest
