#include "core/model/autoregressive.hpp"

#include "tests/support/error_message.hpp"
#include "tests/support/heads.hpp"
#include "tests/support/problems.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace attest::test {

namespace {

const auto kIdentity = [](const auto& v) { return v; };

TEST(ComputationHistory, CubesAndSumsForOneDimensionalAttention) {
    // d = 1, V = Q = 1: the next token is (Σ z²)·z. 1, then 1·1 = 1, then 2·1 = 2, then (1+1+4)·2
    // = 12.
    const Parameters theta{1, 1, {{Matrix::Ones(1, 1), Matrix::Ones(1, 1)}}};

    const Matrix Z = computation_history<double>(theta, Matrix::Ones(1, 1), 3, kIdentity);

    EXPECT_EQ(Z, Matrix({{1, 1, 2, 12}}));
}

TEST(ComputationHistory, AppendsWhatTheTokenMapReturns) {
    const Parameters theta{2, 2, {{Matrix::Identity(2, 2), Matrix::Identity(2, 2)}}};
    const Matrix prompt{{1}, {2}};

    const Matrix Z = computation_history<double>(theta, prompt, 2, round_one_hot<double>);

    EXPECT_EQ(Z, Matrix({{1, 0, 0}, {2, 1, 1}}));
}

TEST(ComputationHistory, IsThePromptAfterZeroSteps) {
    const Parameters theta{2, 2, {}};
    const Matrix prompt{{1, 2}, {3, 4}};

    EXPECT_EQ(computation_history<double>(theta, prompt, 0, kIdentity), prompt);
}

RC_GTEST_PROP(ComputationHistory, AppendsTheLastColumnOfDefinition21AtEveryStep, ()) {
    const Index d = draw_index(1, 2);
    const auto theta = draw_parameters<Rational>(d, d, draw_index(0, 2));
    const auto prompt = draw_tokens<Rational>(d);
    const Index steps = draw_index(1, 3);

    const MatrixOf<Rational> Z = computation_history<Rational>(theta, prompt, steps, kIdentity);

    const HeadRows heads = head_rows(theta);
    RC_ASSERT(Z.leftCols(prompt.cols()) == prompt);
    for (Index t = prompt.cols(); t < Z.cols(); ++t) {
        const MatrixOf<Rational> before = Z.leftCols(t);
        const reference::Rows Y = reference::reference_attention(
            heads.V, heads.Q, to_rows(before), static_cast<std::size_t>(d));
        for (Index a = 0; a < d; ++a) {
            RC_ASSERT(Z(a, t) == Y[static_cast<std::size_t>(a)].back());
        }
    }
}

TEST(ComputationHistory, RefusesModelsThatCannotFeedThemselves) {
    const Parameters theta{2, 1, {}};
    const Parameters square{2, 2, {}};

    EXPECT_REFUSED("computation_history: a model that feeds itself needs o = d",
                   computation_history<double>(theta, Matrix::Ones(2, 1), 1, kIdentity));
    EXPECT_REFUSED("computation_history: the prompt has no token",
                   computation_history<double>(square, Matrix(2, 0), 1, kIdentity));
}

TEST(RoundOneHot, PicksTheLargestEntryNotTheLargestMagnitude) {
    EXPECT_EQ(round_one_hot<double>(Vector({{-5, 0.25, 0.5}})), Vector({{0, 0, 1}}));
}

TEST(RoundOneHot, PicksTheFirstOfEqualMaxima) {
    EXPECT_EQ(round_one_hot<double>(Vector({{0, 2, 2}})), Vector({{0, 1, 0}}));
    EXPECT_EQ(round_one_hot<double>(Vector::Zero(3)), Vector({{1, 0, 0}}));
}

RC_GTEST_PROP(RoundOneHot, FixesOneHotVectorsAndNothingElse, ()) {
    const Index d = draw_index(1, 5);
    const Vector v = draw_integers(d, 1);
    const Vector rounded = round_one_hot<double>(v);

    RC_ASSERT(round_one_hot<double>(rounded) == rounded);
    RC_ASSERT(rounded.sum() == 1.0);
    RC_ASSERT(rounded.dot(v) == v.maxCoeff());
}

TEST(RoundOneHot, RefusesAnEmptyVector) {
    EXPECT_REFUSED("round_one_hot: the vector is empty", round_one_hot<double>(Vector(0)));
}

}  // namespace

}  // namespace attest::test
