#include "core/heads/linear_construction.hpp"

#include "core/algebra/residual_ratio.hpp"
#include "core/features/coefficients.hpp"
#include "core/heads/isometric.hpp"
#include "core/heads/lower_bound.hpp"
#include "tests/support/error_message.hpp"
#include "tests/support/heads.hpp"
#include "tests/support/problems.hpp"

#include <gtest/gtest.h>

namespace attest {
namespace {

TEST(LinearConstruction, RepresentsEveryFunctionWithFewerThanDSquaredHeads) {
    for (const Index d : {1, 2, 3, 4, 5, 6}) {
        for (const Index o : {Index{1}, Index{2}, Index{3}, d, d + 3}) {
            const Matrix P = test::generic_coefficients(d, o, Stream(1).child(d).child(o));

            const LinearConstruction linear = linear_construction(P, d, Stream(2));

            EXPECT_EQ(linear.factors.Q.rows(), linear_head_count(d, o));
            ASSERT_GT(linear.rcond, 0.0);
            // Rounding of the solution, magnified at most by the condition number.
            const double bound = test::representation_bound(d, o) / linear.rcond;
            EXPECT_LE(linear.residual, std::min(bound, test::kResidualBar)) << d << ' ' << o;
        }
    }
}

TEST(LinearConstruction, HeadsComputeTheSameCoefficients) {
    const Matrix P = test::generic_coefficients(3, 2, Stream(3));

    const LinearConstruction linear = linear_construction(P, 3, Stream(4));

    const Parameters heads = balanced_heads(linear.factors, 3);
    EXPECT_LT(difference_ratio(P, coefficients(heads)), 30.0 / linear.rcond);
    EXPECT_EQ(heads.num_heads(), 4);
}

TEST(LinearConstruction, DependsOnlyOnItsStream) {
    const Matrix P = test::generic_coefficients(3, 2, Stream(5));

    EXPECT_EQ(linear_construction(P, 3, Stream(6)).factors.Q,
              linear_construction(P, 3, Stream(6)).factors.Q);
    EXPECT_NE(linear_construction(P, 3, Stream(6)).factors.Q,
              linear_construction(P, 3, Stream(7)).factors.Q);
}

TEST(QueryDesign, RefusesValuesOfTheWrongShape) {
    EXPECT_EQ(test::invalid_input_message([] { (void)query_design(Matrix::Zero(3, 1), 2); }),
              "query_design: V does not have o·d rows");
}

}  // namespace
}  // namespace attest
