#include "core/heads/scaled_coefficients.hpp"

#include "core/algebra/residual_ratio.hpp"
#include "core/features/coefficients.hpp"
#include "core/heads/split_heads.hpp"
#include "tests/support/problems.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace attest {
namespace {

TEST(ScaledCoefficients, AreTheCoefficientsThemselvesWhereTheirSquaresAreSafe) {
    const Matrix P = Matrix::Constant(6, 1, 0x1p300);

    EXPECT_EQ(scaled_coefficients(P).exponent, 0);
    EXPECT_EQ(scaled_coefficients(P).P, P);
    EXPECT_EQ(scaled_coefficients(2.0 * P).exponent, 301);
    EXPECT_EQ(scaled_coefficients(2.0 * P).P, Matrix::Constant(6, 1, 1.0));
}

TEST(ScaledCoefficients, HeadsNearTheEndsOfTheRangeAreThoseOfOrdinaryOnesTimesAPower) {
    const Matrix P = coefficients(test::normal_parameters(2, 2, 2, Stream(4)));
    const Matrix plain = coefficients(split_heads(P, 2).heads);
    for (const int exponent : {1000, -1000, 301, -999}) {
        const Matrix extreme = P.unaryExpr([&](double x) { return std::ldexp(x, exponent); });

        const HeadSplit split = split_heads(extreme, 2);

        EXPECT_EQ(split.heads.num_heads(), split_heads(P, 2).heads.num_heads());
        const Matrix back =
            coefficients(split.heads).unaryExpr([&](double x) { return std::ldexp(x, -exponent); });
        // LAPACK works on other numbers of the same function: each is off by its own rounding.
        EXPECT_LT(difference_ratio(plain, back), kRatioBound);
    }
}

}  // namespace
}  // namespace attest
