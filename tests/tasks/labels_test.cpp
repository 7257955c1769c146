#include "tasks/labels.hpp"

#include "core/base/bitwise.hpp"
#include "core/exact/scalars.hpp"
#include "core/model/forward.hpp"
#include "core/rng/sample.hpp"
#include "tasks/teacher.hpp"
#include "tests/support/error_message.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace attest {
namespace {

Parameters one_head(double v, double q) {
    return {1, 1, {{Matrix::Constant(1, 1, v), Matrix::Constant(1, 1, q)}}};
}

/// Definition 2.1 over Q, rounded to double once.
double reference(const Parameters& theta, const Matrix& Z, Index row) {
    Rational y(0);
    for (const Head& head : theta.heads) {
        for (Index t = 0; t < Z.cols(); ++t) {
            Rational score(0);
            Rational value(0);
            for (Index j = 0; j < theta.d; ++j) {
                value += Rational(head.V(row, j)) * Rational(Z(j, t));
                for (Index k = 0; k < theta.d; ++k) {
                    score +=
                        Rational(Z(j, t)) * Rational(head.Q(j, k)) * Rational(Z(k, Z.cols() - 1));
                }
            }
            y += value * score;
        }
    }
    return static_cast<double>(y);
}

TEST(Labeller, SumsSquaresInOneDimension) {
    const Labeller labeller(one_head(2.0, 3.0), 10);
    Matrix Z(1, 2);
    Z << 1.0, 0.5;

    // V S Q z = 2·(1 + 1/4)·3·1/2; at the first prefix 2·1·3·1.
    EXPECT_TRUE(bitwise_equal(labeller.labels(Z, LabelKind::per_sequence)(0, 0), 3.75));
    EXPECT_TRUE(bitwise_equal(labeller.labels(Z, LabelKind::per_prefix)(0, 0), 6.0));
    EXPECT_TRUE(bitwise_equal(labeller.labels(Z, LabelKind::per_prefix)(0, 1), 3.75));
}

RC_GTEST_PROP(Labeller, GridLabelsAreTheRationalOnesRoundedOnce, (std::uint64_t seed)) {
    const Stream stream(seed);
    TeacherOptions options;
    options.d = *rc::gen::inRange<Index>(1, 5);
    options.o = *rc::gen::inRange<Index>(1, 4);
    options.heads = *rc::gen::inRange<Index>(0, 4);
    const Labeller labeller(random_teacher(options, stream.child("teacher")), 10);
    const Matrix Z = grid_matrix(
        grid_normal(), options.d, *rc::gen::inRange<Index>(1, 8), stream.child("tokens"));

    RC_ASSERT(labeller.arithmetic(Z) == LabelArithmetic::exact);
    const Matrix y = labeller.labels(Z, LabelKind::per_prefix);
    for (Index t = 0; t < Z.cols(); ++t) {
        for (Index a = 0; a < options.o; ++a) {
            RC_ASSERT(bitwise_equal(y(a, t), reference(labeller.theta(), Z.leftCols(t + 1), a)));
        }
    }
}

TEST(Labeller, FallsBackToFixedOrderOffTheGrid) {
    const Matrix on_grid = Matrix::Constant(1, 2, 0.5);
    const Matrix off_grid = Matrix::Constant(1, 2, 0.1);

    EXPECT_EQ(Labeller(one_head(1.0, 1.0), 10).arithmetic(on_grid), LabelArithmetic::exact);
    EXPECT_EQ(Labeller(one_head(1.0, 1.0), 10).arithmetic(off_grid), LabelArithmetic::fixed_order);
    EXPECT_EQ(Labeller(one_head(0.1, 1.0), 10).arithmetic(on_grid), LabelArithmetic::fixed_order);
    EXPECT_EQ(Labeller(one_head(1.0, 0.1), 10).arithmetic(on_grid), LabelArithmetic::fixed_order);
    EXPECT_EQ(to_string(LabelArithmetic::exact), "exact");
    EXPECT_EQ(to_string(LabelArithmetic::fixed_order), "fixed_order");
}

TEST(Labeller, FallsBackWhereSumsCouldOverflow128Bits) {
    // The numerators of V and Q are 2⁴⁰ and 2³⁹: with z = 2¹⁵ the bound is 2¹²⁴, with 2¹⁶ it is
    // 2¹²⁷.
    const Labeller labeller(one_head(0x1p20, 0x1p19), 0);
    Matrix Z(1, 1);
    Z << 0x1p15;
    EXPECT_EQ(labeller.arithmetic(Z), LabelArithmetic::exact);
    EXPECT_TRUE(bitwise_equal(labeller.labels(Z, LabelKind::per_sequence)(0, 0), 0x1p84));

    Z << 0x1p16;
    EXPECT_EQ(labeller.arithmetic(Z), LabelArithmetic::fixed_order);
    EXPECT_TRUE(bitwise_equal(labeller.labels(Z, LabelKind::per_sequence)(0, 0), 0x1p87));
}

TEST(Labeller, FixedOrderIsTheOrderOfTheFormula) {
    const Labeller labeller(one_head(0.1, 0.7), 10);
    Matrix Z(1, 2);
    Z << 0.3, 0.9;

    const double S = 0.3 * 0.3 + 0.9 * 0.9;
    const double expected = 0.1 * (S * (0.7 * 0.9));

    EXPECT_TRUE(bitwise_equal(labeller.labels(Z, LabelKind::per_sequence)(0, 0), expected));
}

TEST(Labeller, RefusesWhatItCannotLabel) {
    const Labeller labeller(one_head(1.0, 1.0), 10);

    EXPECT_REFUSED("labels: Z is 2x3", labeller.labels(Matrix(2, 3), LabelKind::per_prefix));
    EXPECT_REFUSED("labels: Z is 1x0", labeller.labels(Matrix(1, 0), LabelKind::per_prefix));
    EXPECT_REFUSED("labels: got kind none", labeller.labels(Matrix(1, 1), LabelKind::none));
    EXPECT_REFUSED("labels: got inputs on multiples of 2^-41", Labeller(one_head(1.0, 1.0), 41));
}

}  // namespace
}  // namespace attest
