#include "tasks/agnostic_labels.hpp"

#include "core/base/bitwise.hpp"
#include "core/exact/reals.hpp"
#include "core/features/cubic.hpp"
#include "core/rng/sample.hpp"
#include "tasks/iid_entries.hpp"
#include "tasks/random_linear_attention.hpp"
#include "tests/support/error_message.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <limits>

namespace attest {
namespace {

AgnosticLabels relabelled(AgnosticKind kind, IidEntriesOptions options = {}) {
    return {iid_entries(options, Stream(1)), kind, Stream(2)};
}

TEST(AgnosticLabels, GiveATaskWithoutLabelsOneForEachSequence) {
    const AgnosticLabels task = relabelled(AgnosticKind::softmax);

    EXPECT_EQ(task.traits().labels, LabelKind::per_sequence);
    EXPECT_EQ(task.traits().o, 4);
    EXPECT_EQ(task.draw(0).y.cols(), 1);
}

TEST(AgnosticLabels, FollowThePrefixesOfTheirTask) {
    RandomLinearAttentionOptions options;
    options.labels = LabelKind::per_prefix;
    options.n = {5, 5};
    for (const Choice<AgnosticKind>& choice : kAgnosticKinds) {
        const AgnosticLabels every(
            random_linear_attention(options, Stream(1)), choice.value, Stream(2));
        RandomLinearAttentionOptions shorter = options;
        shorter.n = {3, 3};
        const AgnosticLabels prefix(
            random_linear_attention(shorter, Stream(1)), choice.value, Stream(2));

        ASSERT_EQ(every.draw(0).y.cols(), 5);
        EXPECT_EQ(every.draw(0).y.leftCols(3), prefix.draw(0).y) << choice.name;
    }
}

TEST(SoftmaxLabel, OfEqualTokensIsTheToken) {
    const Matrix V = Matrix::Identity(2, 2);
    Matrix Z(2, 3);
    Z << 1.0, 1.0, 1.0, 0.5, 0.5, 0.5;

    const Vector y = softmax_label(V, Matrix::Ones(2, 2), Z);

    EXPECT_TRUE(bitwise_equal(y(0), 1.0));
    EXPECT_TRUE(bitwise_equal(y(1), 0.5));
}

TEST(SoftmaxLabel, WeighsTokensByTheirScores) {
    // d = 1, Q = 1, z = 1: scores −1 and 1, so y = (e − e⁻¹)/(e + e⁻¹) = tanh 1.
    Matrix Z(1, 2);
    Z << -1.0, 1.0;
    const Matrix one = Matrix::Ones(1, 1);

    const Real50 miss = abs(Real50(softmax_label(one, one, Z)(0)) - tanh(Real50(1)));

    // One exp within 4 units, two sums and a division.
    EXPECT_LT(miss, Real50(8.0 * std::numeric_limits<double>::epsilon()));
}

RC_GTEST_PROP(SoftmaxLabel, IsTheFormulaInFiftyDigits, (std::uint64_t seed)) {
    const auto d = *rc::gen::inRange<Index>(1, 5);
    const auto n = *rc::gen::inRange<Index>(1, 7);
    const Stream stream(seed);
    const Matrix V = grid_matrix(grid_normal(), 2, d, stream.child("V"));
    const Matrix Q = grid_matrix(grid_normal(), d, d, stream.child("Q"));
    const Matrix Z = grid_matrix(grid_normal(), d, n, stream.child("Z"));

    const MatrixOf<Real50> tokens = Z.cast<Real50>();
    const VectorOf<Real50> key = Q.cast<Real50>() * tokens.col(n - 1);
    Real50 total = 0;
    VectorOf<Real50> mixed = VectorOf<Real50>::Zero(d);
    Real50 largest_score = 0;
    for (Index t = 0; t < n; ++t) {
        const Real50 score = tokens.col(t).dot(key) / sqrt(Real50(d));
        const Real50 size = tokens.col(t).cwiseAbs().dot(Q.cwiseAbs().cast<Real50>() *
                                                         tokens.col(n - 1).cwiseAbs());
        largest_score = size > largest_score ? size : largest_score;
        total += exp(score);
        mixed += exp(score) * tokens.col(t);
    }

    // A score is off by at most γ_{2d+4} times the sum of magnitudes; that shifts the logarithm of
    // each weight, the highest one's included. Sums, exp and division add n + d + 10 roundings.
    const Real50 unit = Real50(std::numeric_limits<double>::epsilon());
    const Real50 relative = unit * (2 * (2 * Real50(d) + 4) * largest_score + Real50(n + d + 10));
    const Vector y = softmax_label(V, Q, Z);
    for (Index a = 0; a < 2; ++a) {
        const VectorOf<Real50> row = V.row(a).transpose().cast<Real50>();
        const Real50 size = row.cwiseAbs().dot(tokens.cwiseAbs().rowwise().maxCoeff());
        RC_ASSERT(abs(Real50(y(a)) - row.dot(mixed) / total) <= 2 * relative * size);
    }
}

TEST(AgnosticLabels, CoefficientsAreTheTruth) {
    const AgnosticLabels task = relabelled(AgnosticKind::coefficients);
    const Matrix P = *task.truth().P;

    EXPECT_EQ(P.rows(), feature_dim(4));
    EXPECT_EQ(P.cols(), 4);
    EXPECT_TRUE(task.traits().realisable);
    EXPECT_FALSE(task.truth().heads.has_value());
}

TEST(AgnosticLabels, TokenCubicAddsUpOverTokensAndIgnoresTheirOrder) {
    IidEntriesOptions options;
    options.law = EntryLaw::rademacher;
    options.d = 1;
    options.n = {6, 6};
    const AgnosticLabels task = relabelled(AgnosticKind::token_cubic, options);

    // d = 1: the directions are ±1, so y = ±Σ_t z_t³ = ±Σ_t z_t, with one sign for all sequences.
    const double sign = task.draw(0).y(0, 0) / task.draw(0).Z.sum();
    for (Index i = 0; i < 20; ++i) {
        EXPECT_TRUE(is_zero(task.draw(i).y(0, 0) - sign * task.draw(i).Z.sum())) << i;
    }
    EXPECT_TRUE(bitwise_equal(std::abs(sign), 1.0));
}

}  // namespace
}  // namespace attest
