#include "core/distil/floor.hpp"

#include "core/base/error.hpp"
#include "core/exact/dyadic.hpp"
#include "core/features/predict.hpp"
#include "core/solve/solvers.hpp"
#include "tests/core/distil/softmax_problems.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace attest {
namespace {

using test::random_softmax;
using test::softmax_data;

/// One feature z³ per example (d = n = 1) with labels of one output.
Dataset scalar_data(const std::vector<double>& tokens, const std::vector<double>& labels) {
    Dataset data;
    const auto N = static_cast<Index>(tokens.size());
    data.tokens = Eigen::Map<const Matrix>(tokens.data(), 1, N);
    data.y = Eigen::Map<const Matrix>(labels.data(), 1, N);
    data.labels = LabelKind::per_sequence;
    for (Index i = 0; i <= N; ++i) {
        data.offsets.push_back(i);
    }
    return data;
}

RiskFloor floor_of(const Dataset& data, FloorEffort effort) {
    const DatasetSource source(data);
    const Matrix P = fit_least_squares(source, "svd", {}).P;
    return risk_floor(data, P, empirical_risk(P, source).risk, effort);
}

TEST(RiskFloor, OfTwoPointsIsDoneByHand) {
    // Features 1 and 8, labels 1 and 1: p = 9/65, risk (1/2)(2 − 81/65) = 49/130.
    const Dataset data = scalar_data({1.0, 2.0}, {1.0, 1.0});

    const RiskFloor exact = floor_of(data, FloorEffort::exact);
    EXPECT_EQ(exact.basis, FloorBasis::exact);
    EXPECT_EQ(exact.proved, Rational(49, 130));
    EXPECT_LE(to_rational(exact.value), Rational(49, 130));

    // One rounding of p to 60 bits costs its square: far below a rounding of the risk.
    const RiskFloor rigorous = floor_of(data, FloorEffort::rigorous);
    EXPECT_EQ(rigorous.basis, FloorBasis::rigorous);
    EXPECT_LE(rigorous.proved, Rational(49, 130));
    EXPECT_GT(rigorous.proved, Rational(49, 130) * Rational(1 - power_of_two(-52)));
}

TEST(RiskFloor, RigorousIsBelowTheExactOneByLessThanItSays) {
    for (Index seed = 0; seed < 4; ++seed) {
        const SoftmaxLayer layer = random_softmax(2, 2, 1, seed);
        for (const char* family : {"linear", "degree=0..1"}) {
            const Dataset data = softmax_data(layer, family, 4, 40, seed);
            const RiskFloor exact = floor_of(data, FloorEffort::exact);
            const RiskFloor rigorous = floor_of(data, FloorEffort::rigorous);
            EXPECT_LE(rigorous.proved, exact.proved) << family;
            // Least squares is accurate to κ² roundings or so: nothing like 2⁻²⁰.
            EXPECT_GT(rigorous.proved, exact.proved * Rational(1 - power_of_two(-20))) << family;
        }
    }
}

TEST(RiskFloor, OfCoefficientsFarFromTheMinimiserStaysBelowTheLeastRisk) {
    const Dataset data = softmax_data(random_softmax(2, 2, 1, 9), "linear", 4, 40, 9);
    const RiskFloor exact = floor_of(data, FloorEffort::exact);
    for (const double wrong : {0.0, 0.01, 1.0}) {
        const Matrix P = Matrix::Constant(data.layout().psi(), 2, wrong);
        const RiskFloor floor = risk_floor(data, P, 0.0, FloorEffort::rigorous);
        EXPECT_LE(floor.proved, exact.proved);
        EXPECT_GE(floor.proved, 0);
    }
}

TEST(RiskFloor, IsZeroWhereTheLabelsFit) {
    const Dataset data = scalar_data({1.0, 2.0}, {0.5, 4.0});
    EXPECT_EQ(floor_of(data, FloorEffort::automatic).proved, 0);
    EXPECT_EQ(floor_of(data, FloorEffort::automatic).basis, FloorBasis::exact);
}

TEST(RiskFloor, RigorousNeedsFullRankAndSaysSo) {
    const Dataset data = softmax_data(random_softmax(2, 2, 1, 9), "affine", 4, 40, 9);
    EXPECT_THROW((void)floor_of(data, FloorEffort::rigorous), InvalidInput);
    EXPECT_EQ(floor_of(data, FloorEffort::exact).basis, FloorBasis::exact);
    EXPECT_EQ(floor_of(data, FloorEffort::numerical).basis, FloorBasis::numerical);
}

TEST(RoundedDown, IsTheLargestDoubleThatIsNotAbove) {
    EXPECT_EQ(rounded_down(Rational(1, 2)), 0.5);
    for (const Rational& value :
         {Rational(1, 3), Rational(2, 3), Rational(-1, 3), Rational(1, 10)}) {
        const double down = rounded_down(value);
        EXPECT_LT(to_rational(down), value);
        EXPECT_GT(to_rational(std::nextafter(down, 1.0)), value);
    }
}

}  // namespace
}  // namespace attest
