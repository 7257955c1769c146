#include "tasks/degraded_sequences.hpp"

#include "core/algebra/lapack.hpp"
#include "core/algebra/residual_ratio.hpp"
#include "core/base/error.hpp"
#include "core/certify/exact_rank.hpp"
#include "core/certify/minimum_eigenvalue.hpp"

#include <gtest/gtest.h>

namespace attest {
namespace {

Dataset drawn(Violation violation, double degree, Index count = 200) {
    return degraded_sequences(
        {violation, degree, 3, 5}, count, Stream(5).child("examples"), Stream(5).child("subspace"));
}

TEST(DegradedSequences, LackTheCertificateAtDegreeZeroOnly) {
    for (const auto& [violation, name] : kViolations) {
        const auto nullity = [&](double degree) {
            const Dataset data = drawn(violation, degree);
            return numerical_spectrum(triangular_factor(DatasetSource(data))).nullity();
        };
        EXPECT_GT(nullity(0.0), 0) << name;
        EXPECT_EQ(nullity(0.2), 0) << name;
        EXPECT_EQ(nullity(1.0), 0) << name;
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
