#include "core/train/parts.hpp"

#include "core/base/error.hpp"
#include "core/train/causal_attention.hpp"
#include "core/train/prefix_data.hpp"
#include "core/train/transformer.hpp"
#include "tests/core/train/problem.hpp"
#include "tests/support/error_message.hpp"
#include "tests/support/problems.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace attest::test {
namespace {

TEST(LayerNorm, CentresAndScalesEveryToken) {
    const NormalisedTokens<double> tokens = normalise<double>(Matrix{{1, 5}, {3, 5}});

    // Mean 2, variance 1; and a constant token, whose variance 0 leaves 10⁻⁵.
    const double root = std::sqrt(1.0 + 1e-5);
    EXPECT_LT((tokens.X - Matrix{{-1 / root, 0}, {1 / root, 0}}).norm(), 4 * 0x1p-53);
    EXPECT_LT(std::abs(tokens.inverse_deviation(1) * std::sqrt(1e-5) - 1.0), 4 * 0x1p-53);
}

TEST(Gelu, IsTheTanhForm) {
    const Matrix X{{-40, -1, 0, 1, 2, 40}};
    const Matrix found = gelu(X);
    for (Index i = 0; i < X.size(); ++i) {
        const double x = X(i);
        const double a = std::sqrt(2.0 / 3.14159265358979323846) * (x + 0.044715 * x * x * x);
        // a carries 6 roundings, and x·σ(2a) at most doubles them relative to |x|.
        EXPECT_LT(std::abs(found(i) - 0.5 * x * (1.0 + std::tanh(a))),
                  32 * 0x1p-53 * std::abs(x) + 1e-300)
            << x;
    }
}

TEST(PrefixProducts, AreTheSumsOfTheirDefinitions) {
    for (const Index d : {1, 2, 3, 4, 8}) {
        const Index T = 9;
        const Matrix X = normal_matrix(d, T, Stream(1));
        const Matrix U = normal_matrix(d, T, Stream(2));
        const Matrix W = normal_matrix(d, T, Stream(3));
        Matrix prefix = Matrix::Zero(d, T);
        Matrix suffix = Matrix::Zero(d, T);
        for (Index t = 0; t < T; ++t) {
            for (Index s = 0; s < T; ++s) {
                if (s <= t) {
                    prefix.col(t) += X.col(s) * X.col(s).dot(U.col(t));
                }
                if (s >= t) {
                    suffix.col(t) +=
                        W.col(s) * U.col(s).dot(X.col(t)) + U.col(s) * W.col(s).dot(X.col(t));
                }
            }
        }

        // Entries lie on multiples of 2⁻³⁰ and below 2²³: every order of summation is exact.
        EXPECT_EQ(prefix_products<double>(X, U), prefix) << d;
        EXPECT_EQ(suffix_products<double>(W, U, X), suffix) << d;
    }
}

TEST(CausalAttention, AveragesTheValuesSeenSoFar) {
    // Queries 0: every key seen weighs the same.
    const Matrix none = Matrix::Zero(2, 3);
    const Matrix V{{2, 4, 6}, {1, 1, 4}};

    const CausalAttention<double> attention =
        causal_attention<double>(none, normal_matrix(2, 3, Stream(1)), V, 2);

    EXPECT_LT((attention.outputs - Matrix{{2, 3, 4}, {1, 1, 2}}).norm(), 16 * 0x1p-53);
    EXPECT_EQ(attention.weights.size(), 2U);
    EXPECT_EQ(attention.weights[0](2, 1), 0.0);
}

TEST(CausalAttention, RefusesHeadsThatDoNotDivideTheWidth) {
    const Matrix A = Matrix::Zero(3, 2);
    EXPECT_REFUSED("causal_attention: got Q 3x2 and 2 heads", causal_attention<double>(A, A, A, 2));
}

/// One token of a transformer's residual stream after layer norm with gain and shift.
Vector literal_norm(const Vector& x, const Vector& gain, const Vector& shift) {
    const double mean = x.sum() / static_cast<double>(x.size());
    double variance = 0.0;
    for (Index i = 0; i < x.size(); ++i) {
        variance += (x(i) - mean) * (x(i) - mean) / static_cast<double>(x.size());
    }
    Vector y(x.size());
    for (Index i = 0; i < x.size(); ++i) {
        y(i) = gain(i) * (x(i) - mean) / std::sqrt(variance + 1e-5) + shift(i);
    }
    return y;
}

/// The outputs at every token, token by token and head by head.
Matrix literal_transformer(const Vector& theta, const TransformerShape& shape, const Matrix& Z) {
    const TransformerLayout layout(shape);
    const auto at = [&](const ParameterBlock& block) { return Matrix(block_of(theta, block)); };
    const Index T = Z.cols();
    const Index width = shape.width / shape.heads;
    Matrix X = at(layout.input) * Z + at(layout.positions).leftCols(T);
    for (const TransformerLayer& layer : layout.layers) {
        Matrix N = X;
        for (Index t = 0; t < T; ++t) {
            N.col(t) = literal_norm(X.col(t), at(layer.attention_gain), at(layer.attention_shift));
        }
        for (Index t = 0; t < T; ++t) {
            Vector heads(shape.width);
            for (Index h = 0; h < shape.heads; ++h) {
                const auto part = [&](const ParameterBlock& block, Index s) {
                    return Vector((at(block) * N.col(s)).segment(h * width, width));
                };
                Vector sum = Vector::Zero(width);
                double total = 0.0;
                for (Index s = 0; s <= t; ++s) {
                    const double weight = std::exp(part(layer.query, t).dot(part(layer.key, s)) /
                                                   std::sqrt(static_cast<double>(width)));
                    sum += weight * part(layer.value, s);
                    total += weight;
                }
                heads.segment(h * width, width) = sum / total;
            }
            X.col(t) += at(layer.output) * heads;
        }
        for (Index t = 0; t < T; ++t) {
            const Vector n = literal_norm(X.col(t), at(layer.mlp_gain), at(layer.mlp_shift));
            X.col(t) += at(layer.down) * gelu<double>(at(layer.up) * n + at(layer.up_bias)) +
                        at(layer.down_bias);
        }
    }
    Matrix outputs(shape.o, T);
    for (Index t = 0; t < T; ++t) {
        outputs.col(t) = at(layout.head) *
                             literal_norm(X.col(t), at(layout.final_gain), at(layout.final_shift)) +
                         at(layout.head_bias);
    }
    return outputs;
}

TEST(Transformer, LossIsThatOfTheLiteralModel) {
    const PrefixData<double> data = prefix_data<double>(prefix_dataset(3, 2, 6, 2));
    TransformerShape shape{3, 2, 6, 2, 8, 4, 10};
    const Transformer<double> model(data, shape);
    const Vector theta =
        model.start(Stream(1)) + 0.2 * normal_matrix(model.num_parameters(), 1, Stream(2)).col(0);
    double error = 0.0;
    for (Index i = 0; i < 2; ++i) {
        error +=
            (literal_transformer(theta, shape, data.sequence(i)) - data.labels(i)).squaredNorm();
    }
    const double expected = error / data.y.squaredNorm();

    // A residual ends a chain of fewer than 2¹⁰ operations.
    EXPECT_LT(std::abs(model.loss(theta, data) - expected), 0x1p11 * 0x1p-53 * expected);
}

TEST(Transformer, ResultsDoNotDependOnTheNumberOfThreads) {
    const PrefixData<double> data = prefix_data<double>(prefix_dataset(3, 1, 6, 11));
    const Transformer<double> one(data, {3, 1, 6, 1, 8, 2, 8}, 1);
    const Transformer<double> three(data, {3, 1, 6, 1, 8, 2, 8}, 3);
    const Vector theta = one.start(Stream(1)).array() + 0.1;

    EXPECT_EQ(one.gradient(theta, all_sequences(11)), three.gradient(theta, all_sequences(11)));
    EXPECT_EQ(one.loss(theta, data), three.loss(theta, data));
}

TEST(Transformer, StartsAtTheOutputZero) {
    const PrefixData<double> data = prefix_data<double>(prefix_dataset(3, 1, 6, 2));
    const Transformer<double> model(data, {});
    EXPECT_LT(std::abs(model.loss(model.start(Stream(1)), data) - 1.0), 1000 * 0x1p-53);
}

}  // namespace
}  // namespace attest::test
