#include "tasks/conditioned_data.hpp"

#include "core/algebra/lapack.hpp"
#include "core/algebra/residual_ratio.hpp"
#include "core/base/error.hpp"
#include "core/certify/numerical/spectrum.hpp"
#include "core/certify/rank/exact_rank.hpp"
#include "core/moments/triangular_factor.hpp"
#include "tests/support/error_message.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace attest {
namespace {

/// Grid normals stop there (core/rng/sample.hpp).
constexpr double kLargestNormal = 8.0;
/// A dozen operations on numbers of size 1.
constexpr double kRounding = 12.0 * 0x1p-52;

double measured_condition(const Dataset& data) {
    const Vector sigma = singular_values(triangular_factor(DatasetSource(data)).R);
    return sigma(0) / sigma(sigma.size() - 1);
}

TEST(ConditionedData, HasAboutTheConditionAskedFor) {
    for (const Degeneracy degeneracy : {Degeneracy::dependent, Degeneracy::unitary}) {
        for (const double condition : {1e3, 1e5, 1e7}) {
            const Dataset data =
                conditioned_data(degeneracy, {4, 2, 160, condition, 0.1}, Stream(1));
            check(data);
            // "About an order of magnitude", with one more for the draw of the data.
            const double off = std::log10(measured_condition(data) / condition);
            EXPECT_LT(std::abs(off), 2.0) << to_string(degeneracy) << ", " << condition;
        }
    }
}

TEST(ConditionedData, NearlyDependentTokensByHand) {
    const Dataset data = conditioned_data(Degeneracy::dependent, {3, 1, 5, 20e9, 0.0}, Stream(2));
    const Matrix gap = data.tokens.view().row(2) - data.tokens.view().row(0);
    EXPECT_GT(gap.cwiseAbs().maxCoeff(), 0.0);
    // (20/condition)^(1/3) times a grid normal; the sum is rounded.
    EXPECT_LE(gap.cwiseAbs().maxCoeff(), std::cbrt(1e-9) * kLargestNormal * (1.0 + 0x1p-40));
}

TEST(ConditionedData, NearlyUnitaryKeysAndValues) {
    const Dataset data = conditioned_data(Degeneracy::unitary, {6, 1, 2, 2e16, 0.0}, Stream(3));
    const Matrix Z = data.sequence(1);
    ASSERT_EQ(Z.cols(), 4);
    const Matrix K = Z.topLeftCorner(3, 3);
    const Matrix off = K.transpose() * K - Matrix::Identity(3, 3);
    // K = U + E with |E_ij| ≤ e: UᵀE + EᵀU is at most 2·√3·e, since a column of U has a 1-norm of
    // at most √3, and EᵀE at most 3·e². The query is a key, each with noise of its own.
    const double e = std::sqrt(2.0 / 2e16) * kLargestNormal;
    EXPECT_LT(off.cwiseAbs().maxCoeff(), 2.0 * std::sqrt(3.0) * e + 3.0 * e * e + kRounding);
    EXPECT_LT((Z.col(3).head(3) - Z.col(0).head(3)).cwiseAbs().maxCoeff(), 2.0 * e + kRounding);
}

TEST(ConditionedData, NoiseMovesTheLabelsOnly) {
    const Dataset exact = conditioned_data(Degeneracy::dependent, {2, 2, 9, 1e4, 0.0}, Stream(4));
    const Dataset noisy = conditioned_data(Degeneracy::dependent, {2, 2, 9, 1e4, 0.5}, Stream(4));
    EXPECT_EQ(exact.tokens.view(), noisy.tokens.view());
    EXPECT_GT((exact.y - noisy.y).norm(), 0.0);
}

TEST(ConditionedData, RefusesWhatItCannotMake) {
    EXPECT_REFUSED("conditioned_data: got d = 3",
                   conditioned_data(Degeneracy::unitary, {3, 1, 5, 10.0, 0.0}, Stream(5)));
    EXPECT_REFUSED("conditioned_data: got condition 0.5",
                   conditioned_data(Degeneracy::dependent, {2, 1, 5, 0.5, 0.0}, Stream(5)));
}

Dataset drawn(Violation violation, double degree, Index count = 200) {
    return degraded_sequences(
        {violation, degree, 3, 5}, count, Stream(5).child("examples"), Stream(5).child("subspace"));
}

TEST(DegradedSequences, LackTheCertificateAtDegreeZeroOnly) {
    const auto nullity = [](Violation violation, double degree) {
        const Dataset data = drawn(violation, degree);
        return numerical_spectrum(triangular_factor(DatasetSource(data))).nullity();
    };
    for (const auto& [violation, name] : kViolations) {
        EXPECT_GT(nullity(violation, 0.0), 0) << name;
        EXPECT_EQ(nullity(violation, 0.2), 0) << name;
        EXPECT_EQ(nullity(violation, 1.0), 0) << name;
    }
}

TEST(DegradedSequences, AreWhatTheirNamesSay) {
    const Dataset signs = drawn(Violation::signs, 0.0);
    const Dataset one_hot = drawn(Violation::one_hot, 0.0);
    const Dataset low = drawn(Violation::low_rank, 0.0);
    const Dataset mixed = drawn(Violation::single_token, 0.25);

    EXPECT_TRUE((signs.tokens.view().cwiseAbs().array() == 1.0).all());
    EXPECT_TRUE((one_hot.tokens.view().colwise().sum().array() == 1.0).all());
    EXPECT_TRUE((one_hot.tokens.view().colwise().maxCoeff().array() == 1.0).all());
    const Vector singular = singular_values(low.tokens.view());
    // Each token is rounded twice, the singular values by the size of the matrix.
    EXPECT_LT(singular(2), 30.0 * gamma_bound(low.tokens.cols()) * singular(0));
    EXPECT_EQ(mixed.length(49), 5);
    EXPECT_EQ(mixed.length(50), 1);
    EXPECT_EQ(mixed.tokens.cols(), 50 * 5 + 150);
    EXPECT_EQ(certify_rank(signs).verdict, RankVerdict::deficient);
}

TEST(DegradedSequences, AreDisturbedInProportionToTheDegree) {
    // Integers plus a multiple of grid normals: no rounding.
    for (const Violation violation : {Violation::signs, Violation::one_hot}) {
        const Matrix undisturbed = drawn(violation, 0.0).tokens.view();
        const Matrix half = drawn(violation, 0.5).tokens.view() - undisturbed;
        const Matrix whole = drawn(violation, 1.0).tokens.view() - undisturbed;

        EXPECT_EQ(2.0 * half, whole);
        EXPECT_GT(whole.norm(), 0.0);
    }
}

TEST(DegradedSequences, DependOnTheirIndexAlone) {
    const Dataset few = drawn(Violation::one_hot, 0.1, 7);
    const Dataset many = drawn(Violation::one_hot, 0.1, 20);

    EXPECT_EQ(many.tokens.view().leftCols(35), few.tokens.view());
    EXPECT_THROW((void)drawn(Violation::signs, 0.1, 0), InvalidInput);
}

}  // namespace

}  // namespace attest
