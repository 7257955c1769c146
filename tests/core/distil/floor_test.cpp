#include "core/distil/floor.hpp"

#include "core/base/error.hpp"
#include "core/exact/dyadic.hpp"
#include "core/features/predict.hpp"
#include "core/solve/solvers.hpp"
#include "tests/core/distil/softmax_problems.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace attest::test {
namespace {

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

struct LeadingCase {
    const char* family;
    int power;
};

double least_risk_at(SoftmaxLayer layer, double tau, const Dataset& data) {
    layer.tau *= tau;
    const Dataset scaled = labelled_by(layer, data);
    const DatasetSource source(scaled);
    return empirical_risk(fit_least_squares(source, "svd", {}).P, source).risk;
}

TEST(LeadingRisk, IsMetByEveryFamilyWithinTheNextTerm) {
    for (const auto& [family, power] : {LeadingCase{"linear", 0},
                                        LeadingCase{"affine", 2},
                                        LeadingCase{"degree=0..1", 2},
                                        LeadingCase{"degree=0..2", 2}}) {
        for (Index heads = 1; heads <= 2; ++heads) {
            const SoftmaxLayer layer = random_softmax(2, 2, heads, heads);
            const Dataset data = softmax_data(layer, family, 5, 150, heads);
            const LeadingRisk leading = leading_risk(layer, data);
            EXPECT_EQ(leading.power, power) << family;
            const int order = power / 2;
            const double root = std::sqrt(leading.constant);
            for (const double tau : {0.5, 0.125, 0.03125, 0x1p-10}) {
                const double measured = std::sqrt(least_risk_at(layer, tau, data));
                EXPECT_LE(std::abs(measured - root * std::pow(tau, order)),
                          leading.next * std::pow(tau, order + 1))
                    << family << " at tau " << tau;
            }
            // At the last τ the tolerance is less than a tenth of the term: it tells the exponent
            // and the constant.
            EXPECT_LT(leading.next * 0x1p-10, 0.1 * root) << family;
        }
    }
}

TEST(LeadingRisk, OfLayersWithAConstantFallsAndOfTheOthersDoesNot) {
    const SoftmaxLayer layer = random_softmax(2, 2, 1, 4);
    for (const char* family : {"linear", "degree=1", "decay=1,1/2"}) {
        EXPECT_EQ(leading_risk(layer, softmax_data(layer, family, 4, 150, 4)).power, 0) << family;
    }
    // Lengths differ: the mean is no sum.
    IidEntriesOptions options;
    options.d = 2;
    options.n = {3, 5};
    Dataset data = labelled_by(layer, materialise(*iid_entries(options, Stream(1)), 0, 150, 1));
    data.layer = layer_named("degree=0..1");
    EXPECT_EQ(leading_risk(layer, data).power, 0);
}

TEST(LeadingRisk, IsRefusedWhereNothingIsLeft) {
    const SoftmaxLayer layer = random_softmax(2, 2, 1, 4);
    // One token: softmax is V z, which degree=0 has.
    EXPECT_THROW((void)leading_risk(layer, softmax_data(layer, "degree=0", 1, 20, 4)),
                 InvalidInput);
    EXPECT_THROW((void)normalised_leading_risk(random_softmax(2, 2, 2, 0),
                                               softmax_data(layer, "affine", 3, 20, 4)),
                 InvalidInput);
}

TEST(ScoreSeries, OfTwoTokensIsThatOfTheLogisticFunction) {
    // p = 1/(1 + exp(−2τ)) for scores ±1: the value 2p − 1 = tanh τ = τ − τ³/3.
    const SoftmaxLayer layer{1, 1, false, {{Matrix::Ones(1, 1), Matrix::Ones(1, 1)}}, {}, 1.0};
    Dataset data;
    data.tokens = Matrix{{-1.0, 1.0}};
    data.offsets = {0, 2};

    const ScoreSeries series = score_series(layer, data);

    EXPECT_EQ(series.terms[0](0, 0), 0.0);
    EXPECT_EQ(series.terms[1](0, 0), 1.0);
    EXPECT_EQ(series.terms[2](0, 0), 0.0);
    // D = R = 2: the bounds on the first three derivatives are 1, 2 and 7.
    EXPECT_EQ(series.remainders[0](0), 1.0);
    EXPECT_EQ(series.remainders[1](0), 1.0);
    EXPECT_EQ(series.remainders[2](0), 7.0 / 6.0);
}

TEST(ScoreSeries, MissesTheOutputsByNoMoreThanItsRemainders) {
    for (Index seed = 0; seed < 5; ++seed) {
        SoftmaxLayer layer = random_softmax(3, 2, 1 + seed % 2, seed);
        const Dataset data = softmax_data(layer, "linear", 2 + seed, 30, seed);
        const ScoreSeries series = score_series(layer, data);
        for (const double tau : {1.0, 0.25, 0.03125}) {
            layer.tau = tau;
            const Matrix y = outputs(layer, data);
            Matrix sum = Matrix::Zero(2, 30);
            double power = 1.0;
            for (std::size_t k = 0; k < 3; ++k) {
                sum += power * series.terms[k];
                power *= tau;
                for (Index i = 0; i < 30; ++i) {
                    // A few dozen roundings of numbers below 16, beside the bound.
                    EXPECT_LE((y.col(i) - sum.col(i)).norm(),
                              power * series.remainders[k](i) + 64.0 * 16.0 * 0x1p-53);
                }
            }
        }
    }
}

TEST(ScoreSeries, WithAWrongSecondTermLeavesTheRemainder) {
    SoftmaxLayer layer = random_softmax(3, 2, 1, 0);
    const Dataset data = softmax_data(layer, "linear", 6, 30, 0);
    const ScoreSeries series = score_series(layer, data);
    layer.tau = 0.03125;
    const Matrix y = outputs(layer, data);
    // E z a in place of Cov(z, a): the mean's share is of first order.
    const Matrix wrong = series.terms[0] + layer.tau * (series.terms[1] + series.terms[0]);
    const Vector missed = (y - wrong).colwise().norm();
    EXPECT_GT((missed - layer.tau * layer.tau * series.remainders[1]).maxCoeff(), 0.0);
}

TEST(FloorSeconds, AreOfTheRouteThatIsTaken) {
    const Dataset small = softmax_data(random_softmax(2, 2, 1, 0), "linear", 4, 40, 0);
    EXPECT_GT(floor_seconds(small, FloorEffort::exact), 0.0);
    EXPECT_EQ(floor_seconds(small, FloorEffort::automatic),
              floor_seconds(small, FloorEffort::exact));
    EXPECT_LT(floor_seconds(small, FloorEffort::rigorous),
              floor_seconds(small, FloorEffort::exact));
    EXPECT_EQ(floor_seconds(small, FloorEffort::numerical), 0.0);

    const Dataset more = softmax_data(random_softmax(2, 2, 1, 0), "linear", 4, 80, 0);
    EXPECT_GT(floor_seconds(more, FloorEffort::exact), floor_seconds(small, FloorEffort::exact));
}

}  // namespace

}  // namespace attest::test
