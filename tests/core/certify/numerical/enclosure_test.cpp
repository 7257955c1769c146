#include "core/certify/numerical/enclosure.hpp"

#include "core/certify/numerical/spectrum.hpp"
#include "core/exact/dyadic.hpp"
#include "proofs_check/exact/example_sets.hpp"
#include "tests/support/problems.hpp"

#include <gtest/gtest.h>

namespace attest {
namespace {

Dataset drawn_inputs(Index d, Index N, Index n) {
    return test::planted_dataset({d, 1, {}}, N, n, Stream(71).child(d).child(n));
}

TEST(ExactSecondMoment, EqualsTheDefinitionOverTheRationals) {
    for (const Index d : {1, 2, 3}) {
        Dataset data = drawn_inputs(d, 7, 3);
        data.tokens.own()(0, 0) *= 0x1p-30;  // rows of different dyadic scales
        const ExactSecondMoment moment = exact_second_moment(data);
        const Index psi = feature_dim(d);
        MatrixOf<Rational> expected = MatrixOf<Rational>::Zero(psi, psi);
        const auto batch = sequence_moments<Rational>(data, 0, data.num_sequences());
        for (Index i = 0; i < batch.size(); ++i) {
            VectorOf<Rational> h(psi);
            for (Index k = 0; k < psi; ++k) {
                h(k) = batch.S(k / d, i) * batch.u(k % d, i);
            }
            expected += h * h.transpose();
        }
        const Rational unit = power_of_two(moment.exponent);
        for (Index k = 0; k < expected.size(); ++k) {
            EXPECT_EQ(Rational(moment.G.data()[k]) * unit, expected.data()[k]);
        }
    }
}

TEST(EncloseLambdaMin, ContainsTheNumericalValueAndIsTight) {
    for (const Index d : {1, 2, 3, 4}) {
        const Dataset data = drawn_inputs(d, 4 * feature_dim(d), 3);
        const double value = numerical_spectrum(triangular_factor(DatasetSource(data))).lambda_min;

        const LambdaMinEnclosure enclosure = enclose_lambda_min(exact_second_moment(data));

        EXPECT_TRUE(enclosure.proves_full_rank()) << d;
        EXPECT_LE(to_rational(enclosure.lo), to_rational(value * (1.0 + 0x1p-40)));
        EXPECT_GE(to_rational(enclosure.hi), to_rational(value * (1.0 - 0x1p-40)));
        EXPECT_LT(to_double(enclosure.hi) / to_double(enclosure.lo), 1.0 + 0x1p-16);
    }
}

TEST(EncloseLambdaMin, HoldsForTheUnimodularInputs) {
    const LambdaMinEnclosure enclosure = enclose_lambda_min(exact_second_moment(unimodular_six()));

    // λ_min = 0.01589907719718825 to double precision.
    EXPECT_LT(to_double(enclosure.lo), 0.015899077197188251);
    EXPECT_GT(to_double(enclosure.lo), 0.015899);
    EXPECT_GE(to_double(enclosure.hi), 0.015899077197188249);
}

TEST(EncloseLambdaMin, ProvesNothingPositiveForDeficientData) {
    const Dataset data = drawn_inputs(3, 60, 1);
    const double trace = numerical_spectrum(triangular_factor(DatasetSource(data))).trace;

    const LambdaMinEnclosure enclosure = enclose_lambda_min(exact_second_moment(data));

    EXPECT_FALSE(enclosure.proves_full_rank());
    EXPECT_FALSE(enclosure.note.empty());
    // The rounded eigenvector is off by 2⁻²⁴ and by the eigensolver's error.
    EXPECT_LT(to_double(enclosure.hi), 18.0 * 0x1p-48 * trace);
}

TEST(Dominates, CountsEveryOffDiagonalEntryInBothOfItsRows) {
    const auto dominated = [](Index corner) {
        ExactSecondMoment moment{MatrixOf<Integer>(2, 2), 0, 1};
        moment.G << Integer(corner), Integer(-3), Integer(-3), Integer(10);
        return dominates(moment, {}, {{0, 0, 0}, 0});
    };

    EXPECT_TRUE(dominated(3));
    EXPECT_FALSE(dominated(2)) << "positive definite, but not diagonally dominant in its first row";
}

TEST(Dominates, RefusesAShiftAboveTheSmallestEigenvalueAndATamperedFactor) {
    const ExactSecondMoment moment = exact_second_moment(unimodular_six());
    const LambdaMinEnclosure enclosure = enclose_lambda_min(moment);
    ASSERT_TRUE(dominates(moment, enclosure.lo, enclosure.factor));

    EXPECT_FALSE(dominates(moment, enclosure.hi, enclosure.factor));
    for (std::size_t k = 0; k < enclosure.factor.mantissas.size(); ++k) {
        DyadicFactor tampered = enclosure.factor;
        tampered.mantissas[k] = tampered.mantissas[k] * 2 + 1000000;
        EXPECT_FALSE(dominates(moment, enclosure.lo, tampered)) << k;
    }
}

}  // namespace
}  // namespace attest
