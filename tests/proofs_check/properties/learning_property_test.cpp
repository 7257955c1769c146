// Properties of least squares, leverage and spans over Q: the comparisons are ==.
#include "core/certify/numerical/enclosure.hpp"
#include "core/features/coefficients.hpp"
#include "proofs_check/exact/other_routes.hpp"
#include "tests/proofs_check/properties/falsifiable.hpp"
#include "tests/support/problems.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace attest::test {
namespace {

/// `extra` sequences more than ψ(d), discarded unless their features have full rank.
std::vector<RationalMatrix> draw_certified(Index d, Index extra) {
    std::vector<RationalMatrix> Z;
    for (Index i = 0; i < feature_dim(d) + extra; ++i) {
        Z.push_back(draw_integers<Rational>(d, draw_index(2, 3)));
    }
    RC_PRE(rational_rank(feature_rows(Z)) == feature_dim(d));
    return Z;
}

RC_GTEST_PROP(Property08, LeveragesOfTheTrainingSetAddUpToNTimesPsi, ()) {
    const Index d = draw_index(1, 2);
    const RationalMatrix H = feature_rows(draw_certified(d, draw_index(0, 3)));
    const RationalMatrix Lambda = second_moment(H);
    Rational sum = 0;
    for (Index i = 0; i < H.rows(); ++i) {
        sum += leverage(Lambda, H.row(i).transpose());
    }

    RC_ASSERT(sum == H.rows() * H.cols());
}

TEST(Property08, NoticesALeverageLeftOut) {
    EXPECT_TRUE(falsifiable("the first leverage left out", [] {
        const RationalMatrix H = feature_rows(draw_certified(1, 2));
        const RationalMatrix Lambda = second_moment(H);
        Rational sum = 0;
        for (Index i = 1; i < H.rows(); ++i) {
            sum += leverage(Lambda, H.row(i).transpose());
        }
        RC_ASSERT(sum == H.rows() * H.cols());
    }));
}

struct TwoModels {
    ExactProblem data;
    RationalMatrix P;
    RationalMatrix other;
    RationalVector query;
};

TwoModels draw_two_models() {
    const std::vector<RationalMatrix> Z = draw_certified(2, 2);
    const RationalMatrix H = feature_rows(Z);
    return {{H, draw_integers<Rational>(H.rows(), 2)},
            coefficients(draw_parameters<Rational>(2, 2, 2)),
            coefficients(draw_parameters<Rational>(2, 2, 1)),
            feature_rows({draw_integers<Rational>(2, 3)}).row(0).transpose()};
}

/// Whether ‖difference at the query‖² ≤ factor·(eps − L*)·lev.
bool within(const TwoModels& models, const Rational& factor) {
    const Rational L = risk(models.data, models.P);
    const Rational other = risk(models.data, models.other);
    const Rational eps = L > other ? L : other;
    const Rational least = risk(models.data, least_squares(models.data));
    const RationalMatrix difference = (models.P - models.other).transpose() * models.query;
    return squared_norm(difference) <=
           factor * (eps - least) * leverage(second_moment(models.data.H), models.query);
}

RC_GTEST_PROP(Property10, ModelsOfLossEpsAreCloseInTheLeverage, ()) {
    const TwoModels models = draw_two_models();
    const RationalMatrix difference = models.data.H * (models.P - models.other);
    const Rational mean = squared_norm(difference) / Rational(models.data.num_examples());

    RC_ASSERT(mean <= 2 * risk(models.data, models.P) + 2 * risk(models.data, models.other));
    RC_ASSERT(within(models, 4));
}

TEST(Property10, NoticesAFactorThatIsTooSmall) {
    EXPECT_TRUE(falsifiable("a tenth of the bound",
                            [] { RC_ASSERT(within(draw_two_models(), Rational(4, 10))); }));
}

RC_GTEST_PROP(Property11, OneMoreExampleLowersNoEigenvalueAndRaisesNoLeverage, ()) {
    const Index d = draw_index(1, 2);
    const RationalMatrix before = feature_rows(draw_certified(d, 0));
    RationalMatrix after(before.rows() + 1, before.cols());
    const RationalMatrix added = feature_rows({draw_integers<Rational>(d, 2)});
    after << before, added;
    const RationalVector h = before.row(0).transpose();
    const RationalMatrix G = before.transpose() * before;
    const RationalMatrix larger = after.transpose() * after;

    RC_ASSERT(definiteness(larger - G).semidefinite);
    RC_ASSERT(leverage(larger, h) <= leverage(G, h));
}

TEST(Property11, NoticesThatTheMeanMayFall) {
    EXPECT_TRUE(falsifiable("the second moment divided by N", [] {
        const RationalMatrix before = feature_rows(draw_certified(1, 0));
        RationalMatrix after(before.rows() + 1, before.cols());
        after << before, feature_rows({draw_integers<Rational>(1, 1)});
        RC_ASSERT(definiteness(second_moment(after) - second_moment(before)).semidefinite);
    }));
}

RC_GTEST_PROP(Property13, KernelAndPrimalGiveTheSamePredictions, ()) {
    const Index d = draw_index(1, 2);
    std::vector<RationalMatrix> Z;
    const Index examples = draw_index(1, 8);
    for (Index i = 0; i < examples; ++i) {
        Z.push_back(draw_integers<Rational>(d, draw_index(1, 3)));
    }

    const ExactProblem data = realisable_problem(Z, draw_parameters<Rational>(d, 2, 2));
    const RationalMatrix P = kernel_minimiser(Z, data.Y);

    RC_ASSERT(data.H * P == data.Y);
    RC_ASSERT(data.H * least_squares(data) == data.Y);
}

TEST(Property13, NoticesAKernelWithoutItsWeights) {
    EXPECT_TRUE(falsifiable("pairs counted once", [] {
        const std::vector<RationalMatrix> Z{draw_integers<Rational>(2, 2)};
        const ExactProblem data = realisable_problem(Z, draw_parameters<Rational>(2, 2, 2));
        RationalMatrix P = kernel_minimiser(Z, data.Y);
        P.topRows(2) /= Rational(2);
        RC_ASSERT(data.H * P == data.Y);
    }));
}

struct NoisyData {
    ExactProblem data;
    RationalMatrix truth;
    RationalMatrix noise;
};

NoisyData draw_noisy() {
    const Index d = draw_index(1, 2);
    const RationalParameters theta = draw_parameters<Rational>(d, 1, 2);
    ExactProblem data = realisable_problem(draw_certified(d, 3), theta);
    const RationalMatrix noise = draw_integers<Rational>(data.Y.rows(), 1);
    data.Y += noise;
    return {data, coefficients(theta), noise};
}

RC_GTEST_PROP(Property14, NoiseTakesFromTheLossExactlyItsPartOutsideTheFeatures, ()) {
    const NoisyData noisy = draw_noisy();
    const RationalMatrix best = least_squares(noisy.data);
    const Rational N(noisy.data.num_examples());
    const RationalMatrix projected = noisy.data.H * (best - noisy.truth);

    RC_ASSERT(risk(noisy.data, best) == (squared_norm(noisy.noise) - squared_norm(projected)) / N);
}

TEST(Property14, NoticesAForgottenProjection) {
    EXPECT_TRUE(falsifiable("without the projection", [] {
        const NoisyData noisy = draw_noisy();
        const Rational N(noisy.data.num_examples());
        RC_ASSERT(risk(noisy.data, least_squares(noisy.data)) == squared_norm(noisy.noise) / N);
    }));
}

RC_GTEST_PROP(Property15, MinimisersAgreeExactlyOnTheSpanOfTheTrainingFeatures, ()) {
    std::vector<RationalMatrix> Z;
    for (Index i = 0; i < 4; ++i) {
        Z.push_back(draw_integers<Rational>(2, 2));
    }
    const ExactProblem data = realisable_problem(Z, draw_parameters<Rational>(2, 2, 2));
    const RationalMatrix null_space = rational_null_space(data.H);
    const RationalVector inside = data.H.transpose() * draw_integers<Rational>(4, 1);
    const RationalVector h = feature_rows({draw_integers<Rational>(2, 2)}).row(0).transpose();
    const RationalMatrix gram = null_space.transpose() * null_space;
    const RationalVector residual =
        null_space * rational_inverse(gram) * (null_space.transpose() * h);
    const RationalMatrix best = least_squares(data);
    RationalMatrix other = best;
    other.col(0) += residual;

    RC_ASSERT(risk(data, other) == 0);
    RC_ASSERT(best.transpose() * inside == other.transpose() * inside);
    const RationalVector difference = (other - best).transpose() * h;
    RC_ASSERT(difference(0) == squared_norm(residual));
}

TEST(Property15, NoticesThatMinimisersDisagreeElsewhere) {
    EXPECT_TRUE(falsifiable("every input counted as in the span", [] {
        const std::vector<RationalMatrix> Z{draw_integers<Rational>(2, 2)};
        const RationalMatrix null_space = rational_null_space(feature_rows(Z));
        const RationalMatrix h = feature_rows({draw_integers<Rational>(2, 2)});
        RC_ASSERT((h * null_space).isZero(Rational(0)));
    }));
}

}  // namespace
}  // namespace attest::test
