#include "core/train/causal_attention.hpp"

#include "core/algebra/product.hpp"
#include "core/base/error.hpp"
#include "core/base/text.hpp"

#include <cmath>

namespace attest {

namespace {

template <class Scalar>
Scalar logit_scale(Index head_width) {
    return static_cast<Scalar>(1.0 / std::sqrt(static_cast<double>(head_width)));
}

/// Columns of logits to columns of weights, over the entries on and above the diagonal.
template <class Scalar>
void causal_softmax(MatrixOf<Scalar>& A) {
    for (Index t = 0; t < A.cols(); ++t) {
        auto seen = A.col(t).head(t + 1);
        const Scalar largest = seen.maxCoeff();
        seen = (seen.array() - largest).exp();
        seen /= seen.sum();
        A.col(t).tail(A.rows() - t - 1).setZero();
    }
}

}  // namespace

template <class Scalar>
CausalAttention<Scalar> causal_attention(MatrixOf<Scalar> Q,
                                         MatrixOf<Scalar> K,
                                         MatrixOf<Scalar> V,
                                         Index heads) {
    require(heads >= 1 && Q.rows() % heads == 0 && K.rows() == Q.rows() && V.rows() == Q.rows() &&
                K.cols() == Q.cols() && V.cols() == Q.cols(),
            "causal_attention: got Q {}x{} and {} heads, expected heads that divide its rows, and "
            "K and V of its shape",
            Q.rows(),
            Q.cols(),
            heads);
    const Index width = Q.rows() / heads;
    const Index T = Q.cols();
    CausalAttention<Scalar> attention{std::move(Q), std::move(K), std::move(V), {}, {}};
    attention.outputs = MatrixOf<Scalar>::Zero(heads * width, T);
    for (Index h = 0; h < heads; ++h) {
        const auto rows = [&](MatrixOf<Scalar>& A) { return A.middleRows(h * width, width); };
        MatrixOf<Scalar> A = MatrixOf<Scalar>::Zero(T, T);
        accumulate_product<Scalar>(
            A, rows(attention.K), Transpose::yes, rows(attention.Q), Transpose::no);
        A *= logit_scale<Scalar>(width);
        causal_softmax(A);
        accumulate_product<Scalar>(
            rows(attention.outputs), rows(attention.V), Transpose::no, A, Transpose::no);
        attention.weights.push_back(std::move(A));
    }
    return attention;
}

template <class Scalar>
AttentionCotangents<Scalar> attention_backward(const CausalAttention<Scalar>& attention,
                                               const MatrixOf<Scalar>& outputs) {
    const auto heads = static_cast<Index>(attention.weights.size());
    const Index width = attention.Q.rows() / heads;
    const Index T = attention.Q.cols();
    const MatrixOf<Scalar> none = MatrixOf<Scalar>::Zero(attention.Q.rows(), T);
    AttentionCotangents<Scalar> result{none, none, none};
    for (Index h = 0; h < heads; ++h) {
        const auto rows = [&](auto& A) { return A.middleRows(h * width, width); };
        const MatrixOf<Scalar>& A = attention.weights[static_cast<std::size_t>(h)];
        MatrixOf<Scalar> L = MatrixOf<Scalar>::Zero(T, T);
        accumulate_product<Scalar>(
            L, rows(attention.V), Transpose::yes, rows(outputs), Transpose::no);
        const Eigen::Matrix<Scalar, 1, Eigen::Dynamic> means = A.cwiseProduct(L).colwise().sum();
        L = logit_scale<Scalar>(width) * A.cwiseProduct(L.rowwise() - means);
        accumulate_product<Scalar>(rows(result.V), rows(outputs), Transpose::no, A, Transpose::yes);
        accumulate_product<Scalar>(
            rows(result.K), rows(attention.Q), Transpose::no, L, Transpose::yes);
        accumulate_product<Scalar>(
            rows(result.Q), rows(attention.K), Transpose::no, L, Transpose::no);
    }
    return result;
}

template CausalAttention<float> causal_attention<float>(MatrixOf<float>,
                                                        MatrixOf<float>,
                                                        MatrixOf<float>,
                                                        Index);
template CausalAttention<double> causal_attention<double>(Matrix, Matrix, Matrix, Index);
template AttentionCotangents<float> attention_backward<float>(const CausalAttention<float>&,
                                                              const MatrixOf<float>&);
template AttentionCotangents<double> attention_backward<double>(const CausalAttention<double>&,
                                                                const Matrix&);

}  // namespace attest
