#include "core/softmax/polish.hpp"

#include "core/algebra/lapack.hpp"
#include "core/base/error.hpp"
#include "core/softmax/baselines.hpp"
#include "core/softmax/diagnostics.hpp"
#include "core/softmax/net_search.hpp"
#include "tests/core/softmax/planted.hpp"
#include "tests/support/error_message.hpp"
#include "tests/support/problems.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace attest::test {
namespace {

SoftmaxHeads perturbed(SoftmaxHeads heads, double relative) {
    for (std::size_t i = 0; i < heads.size(); ++i) {
        Matrix& Theta = heads[i].Theta;
        const Matrix direction =
            normal_matrix(Theta.rows(), Theta.cols(), Stream(77).child(static_cast<Index>(i)));
        Theta += direction * (relative * Theta.norm() / direction.norm());
    }
    return heads;
}

std::vector<Matrix> thetas_of(const SoftmaxHeads& heads) {
    std::vector<Matrix> thetas;
    for (const SoftmaxHead& head : heads) {
        thetas.push_back(head.Theta);
    }
    return thetas;
}

/// Singular values of the outputs' derivative by all entries of Θ and W, by central differences,
/// each parameter in units of its matrix's norm and the outputs in units of theirs.
Vector relative_slopes(const SoftmaxHeads& heads, const SoftmaxExamples& examples, Index k) {
    const double h = 0x1p-17;
    const Index entries = heads.front().Theta.size();
    Matrix J(examples.Y.size(), 2 * entries * static_cast<Index>(heads.size()));
    Index column = 0;
    for (std::size_t i = 0; i < heads.size(); ++i) {
        for (Matrix SoftmaxHead::*part : {&SoftmaxHead::Theta, &SoftmaxHead::W}) {
            const double unit = (heads[i].*part).norm();
            for (Index e = 0; e < entries; ++e) {
                SoftmaxHeads plus = heads;
                SoftmaxHeads minus = heads;
                (plus[i].*part)(e) += h * unit;
                (minus[i].*part)(e) -= h * unit;
                const Matrix slope = (softmax_attention(plus, examples.X, k) -
                                      softmax_attention(minus, examples.X, k)) /
                                     (2.0 * h * examples.Y.norm());
                J.col(column++) = slope.reshaped();
            }
        }
    }
    return singular_values(J);
}

TEST(Planted, OutputsAnswerToTheHeadsWithinTheSlopesThatTheTolerancesPresume) {
    SoftmaxAttentionOptions singular = setting(TokenLaw::gaussian, 6, 2, 2, 3.0);
    singular.teacher.value = ValueKind::singular;
    const std::vector<SoftmaxAttentionOptions> settings{
        setting(TokenLaw::gaussian, 4, 2, 2, 3.0),
        setting(TokenLaw::gaussian, 4, 2, 3, 3.0),
        setting(TokenLaw::gaussian, 6, 2, 2, 3.0),
        setting(TokenLaw::boolean, 6, 2, 1, 3.0),
        singular,
    };
    for (const SoftmaxAttentionOptions& options : settings) {
        for (const Index seed : {1, 2, 5, 6, 8}) {
            const Planted planted(options, 300, seed);

            const Vector slopes =
                relative_slopes(planted.heads(), planted.source().draw(0, 300), options.k);

            EXPECT_GT(slopes.minCoeff(), kLeastSlope) << options.teacher.d;
            // All 2m matrices may be off by e at once.
            const double parts = 2.0 * static_cast<double>(planted.heads().size());
            EXPECT_LT(slopes(0) * std::sqrt(parts), kMostSlope) << options.teacher.d;
        }
    }
}

TEST(ThetaJacobian, IsTheDerivativeOfTheOutputs) {
    const Planted planted(setting(TokenLaw::gaussian, 3, 4, 1, 2.0), 5, 0);
    const SoftmaxExamples examples = planted.source().draw(0, 5);
    const SoftmaxHead head = planted.heads().front();
    const double h = 0x1p-17;
    for (Index c = 0; c < 3; ++c) {
        const Matrix J = theta_jacobian(head, examples, c);
        for (Index u = 0; u < 3; ++u) {
            for (Index v = 0; v < 3; ++v) {
                SoftmaxHead plus = head;
                SoftmaxHead minus = head;
                plus.Theta(u, v) += h;
                minus.Theta(u, v) -= h;
                const Matrix slope = (softmax_attention({plus}, examples.X, 4) -
                                      softmax_attention({minus}, examples.X, 4)) /
                                     (2.0 * h);
                // Central differences: h²/6 times a third derivative, in which every factor is a
                // centred product of tokens below 4³·4, plus rounding 2⁻⁵²·8/h.
                const double bound = h * h / 6.0 * 64.0 * 64.0 * 64.0 + 0x1p-49 / h;
                EXPECT_LT((J.row(u * 3 + v) - slope.row(c)).cwiseAbs().maxCoeff(), bound);
            }
        }
    }
}

TEST(Polish, ReturnsToThePlantedHeadsFromNearby) {
    const Planted planted(setting(TokenLaw::gaussian, 4, 2, 2, 3.0), 300, 1);
    const SoftmaxExamples examples = planted.source().draw(0, 300);

    const SoftmaxFit fit =
        polish(thetas_of(perturbed(planted.heads(), 0.1)), examples, polish_control());

    EXPECT_EQ(fit.end, FitEnd::target);
    EXPECT_LT(fit.relative_error, polish_control().target);
    EXPECT_LE(fit.iterations, 10);
    for (std::size_t i = 1; i < fit.history.size(); ++i) {
        EXPECT_LT(fit.history[i], fit.history[i - 1]);
    }
    EXPECT_LT(recovery_error(fit.heads, planted.heads()).worst(), kPolishedHeads);
}

TEST(Polish, NeedsSquareStarts) {
    const Planted planted(setting(TokenLaw::gaussian, 3, 2, 1, 1.0), 5, 2);
    EXPECT_REFUSED("polish: expected at least one d×d Theta to start from",
                   polish({Matrix::Zero(3, 2)}, planted.source().draw(0, 5), polish_control()));
}

TEST(Unmix, ContractsTheErrorOfAStartFifteenPercentOff) {
    const Planted planted(setting(TokenLaw::gaussian, 6, 2, 2, 3.0), 4000, 3);
    const SoftmaxExamples examples = planted.source().draw(0, 4000);
    const NetTuple start =
        fit_values_to(flattened_thetas(perturbed(planted.heads(), 0.15)), examples);

    const Unmixing result = unmix(start.heads, examples, 6);

    ASSERT_EQ(result.errors.size(), 6U);
    // "About tenfold a round": fivefold at least in each.
    constexpr double kContraction = 1.0 / 5.0;
    EXPECT_LT(result.errors.front(), kContraction * relative_error(start.heads, examples));
    for (std::size_t round = 1; round < result.errors.size(); ++round) {
        EXPECT_LT(result.errors[round], kContraction * result.errors[round - 1]) << round;
    }
    EXPECT_LT(recovery_error(result.heads, planted.heads()).worst(),
              std::sqrt(result.errors.back()) / kLeastSlope);
}

TEST(Unmix, NeedsInjectiveRows) {
    const Planted planted(setting(TokenLaw::gaussian, 4, 4, 2, 3.0), 10, 4);
    EXPECT_REFUSED("unmix: got d = 4, m = 2, k = 4",
                   unmix(planted.heads(), planted.source().draw(0, 10), 1));
    EXPECT_TRUE(rows_are_injective(6, 4, 2));
}

TEST(ErrorGradient, IsTheDerivativeOfTheMeanSquaredError) {
    const Planted planted(setting(TokenLaw::gaussian, 3, 3, 2, 2.0), 20, 5);
    const SoftmaxExamples examples = planted.source().draw(0, 20);
    const SoftmaxHeads at = perturbed(planted.heads(), 0.5);
    const auto loss = [&](const SoftmaxHeads& heads) {
        return (examples.Y - softmax_attention(heads, examples.X, 3)).squaredNorm() / 20.0;
    };
    const SoftmaxHeads gradient = error_gradient(at, examples);
    const double h = 0x1p-17;
    for (std::size_t i = 0; i < 2; ++i) {
        for (Index e = 0; e < 9; ++e) {
            SoftmaxHeads plus = at;
            SoftmaxHeads minus = at;
            plus[i].Theta(e) += h;
            minus[i].Theta(e) -= h;
            const double bound = h * h * 64.0 * 64.0 * 64.0 + 0x1p-46 / h;
            EXPECT_LT(std::abs((loss(plus) - loss(minus)) / (2.0 * h) - gradient[i].Theta(e)),
                      bound);
            plus = at;
            minus = at;
            plus[i].W(e) += h;
            minus[i].W(e) -= h;
            EXPECT_LT(std::abs((loss(plus) - loss(minus)) / (2.0 * h) - gradient[i].W(e)), bound);
        }
    }
}

TEST(Baselines, LevenbergMarquardtFromRandomStartsSolvesASmallLayer) {
    const Planted planted(setting(TokenLaw::gaussian, 4, 2, 2, 3.0), 300, 6);

    const SoftmaxFit fit =
        fit_from_random(planted.source().draw(0, 300), 2, 0.3, 5, Stream(1).child("lm"));

    EXPECT_EQ(fit.end, FitEnd::target);
    EXPECT_LT(recovery_error(fit.heads, planted.heads()).worst(), kPolishedHeads);
}

TEST(Baselines, AdamDescends) {
    const Planted planted(setting(TokenLaw::gaussian, 3, 2, 1, 1.0), 100, 7);
    const SoftmaxExamples examples = planted.source().draw(0, 100);
    AdamOptions options;
    options.steps = 300;

    const SoftmaxFit fit = fit_by_adam(examples, 1, options, Stream(2));

    EXPECT_LT(fit.relative_error, 0.01);
    options.steps = 1;
    EXPECT_GT(fit_by_adam(examples, 1, options, Stream(2)).relative_error, 0.1);
}

}  // namespace
}  // namespace attest::test
