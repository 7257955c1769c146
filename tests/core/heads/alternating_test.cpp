#include "core/heads/alternating.hpp"

#include "core/algebra/residual_ratio.hpp"
#include "core/features/coefficients.hpp"
#include "core/features/gauge.hpp"
#include "tests/support/error_message.hpp"
#include "tests/support/heads.hpp"
#include "tests/support/problems.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace attest {
namespace {

TEST(RandomGauge, ComputesTheSameFunction) {
    for (const Index d : {1, 2, 4}) {
        const Matrix P = test::generic_coefficients(d, 2, Stream(1).child(d));

        const Matrix W = random_gauge(P, d, Stream(2));

        EXPECT_LT(difference_ratio(P, coefficients_of_tensor<double>(W, d)), kRatioBound);
        // The antisymmetric part is orthogonal and as long: ‖W‖² = 2‖Sym W‖², and none at d = 1.
        const double expected = d == 1 ? 1.0 : 2.0;
        const double ratio = W.squaredNorm() / symmetric_gauge<double>(P, d).squaredNorm();
        EXPECT_LT(std::abs(ratio / expected - 1.0), kRatioBound * gamma_bound(W.size()));
    }
}

TEST(AlternatingProjections, ComeCloserToAFit) {
    const Index d = 4;
    const Parameters theta = test::normal_parameters(d, d, 3, Stream(3));
    const FitTarget target = frobenius_target(coefficients(theta), d);
    const Matrix W = random_gauge(target.P, d, Stream(4));

    const double at_start = fit_values(target, alternating_projections(W, target.P, d, 3, 0)).error;
    const double later = fit_values(target, alternating_projections(W, target.P, d, 3, 50)).error;

    EXPECT_LT(later, 0.5 * at_start);
}

TEST(AveragedReflections, ComeNearAPlantOneHeadBelowTheCountingBoundAtDSix) {
    const Index d = 6;
    const Parameters theta = test::normal_parameters(d, d, 12, Stream(12));
    const FitTarget target = frobenius_target(coefficients(theta), d);
    const Matrix W = random_gauge(target.P, d, Stream(13));

    const Matrix Q = averaged_reflections(W, target.P, d, 12, 1000);

    EXPECT_LT(fit_values(target, Q).error, 0.1 * target.scale);
}

TEST(AveragedReflections, StayAtASolution) {
    const Index d = 3;
    const Parameters theta = test::normal_parameters(d, d, 2, Stream(14));
    const FitTarget target = frobenius_target(coefficients(theta), d);

    const Matrix Q = averaged_reflections(head_tensor(theta), target.P, d, 2, 10);

    EXPECT_LE(fit_values(target, Q).error, test::representation_bound(d, d) * target.scale);
}

TEST(Alternating, RefuseWrongShapes) {
    const Matrix P = Matrix::Ones(feature_dim(2), 2);
    EXPECT_EQ(test::invalid_input_message(
                  [&] { (void)averaged_reflections(Matrix::Zero(4, 4), P, 2, 0, 1); }),
              "averaged_reflections: the number of heads is out of range");
    EXPECT_EQ(test::invalid_input_message(
                  [&] { (void)alternating_projections(Matrix::Zero(4, 4), P, 2, 5, 1); }),
              "alternating_projections: the number of heads is out of range");
    EXPECT_EQ(test::invalid_input_message(
                  [&] { (void)alternating_projections(Matrix::Zero(2, 4), P, 2, 1, 1); }),
              "alternating_projections: W does not have the shape of P's tensors");
}

}  // namespace
}  // namespace attest
