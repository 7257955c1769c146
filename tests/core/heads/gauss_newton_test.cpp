#include "core/heads/gauss_newton.hpp"

#include "core/algebra/residual_ratio.hpp"
#include "core/features/coefficients.hpp"
#include "core/heads/isometric.hpp"
#include "core/heads/value_fit.hpp"
#include "tests/support/error_message.hpp"
#include "tests/support/heads.hpp"
#include "tests/support/problems.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace attest {
namespace {

/// C_a(V) column by column from the definition: the coefficients of one unit entry of Q at a time,
/// ψ×(H·d²) for each output; unknown Q[h, s] at column s·H + h.
std::vector<Matrix> explicit_jacobians(const Parameters& theta) {
    const Index d = theta.d;
    const Index H = theta.num_heads();
    std::vector<Matrix> C(static_cast<std::size_t>(theta.o), Matrix(feature_dim(d), H * d * d));
    for (Index h = 0; h < H; ++h) {
        for (Index s = 0; s < d * d; ++s) {
            Matrix Q = Matrix::Zero(d, d);
            Q(s / d, s % d) = 1.0;
            const Parameters unit{d, theta.o, {{theta.heads[static_cast<std::size_t>(h)].V, Q}}};
            const Matrix p = isometric(coefficients(unit), d);
            for (Index a = 0; a < theta.o; ++a) {
                C[static_cast<std::size_t>(a)].col(s * H + h) = p.col(a);
            }
        }
    }
    return C;
}

TEST(GaussNewtonMatrix, EqualsTheSumOverOutputs) {
    for (const Index d : {1, 2, 3, 4}) {
        for (const Index o : {Index{1}, d, d + 1}) {
            const Parameters theta = test::normal_parameters(d, o, 3, Stream(1).child(d).child(o));
            const Matrix G = test::normal_matrix(feature_dim(d), feature_dim(d), Stream(2));
            const Matrix K = G.transpose() * G;
            Matrix expected = Matrix::Zero(3 * d * d, 3 * d * d);
            for (const Matrix& C : explicit_jacobians(theta)) {
                expected += C.transpose() * K * C;
            }

            const Matrix A = gauss_newton_matrix(head_factors(theta).V, K, d);

            const Matrix lower = expected.triangularView<Eigen::Lower>();
            EXPECT_LT(difference_ratio(lower, A.triangularView<Eigen::Lower>()), kRatioBound);
        }
    }
}

TEST(GaussNewtonMatrix, OfTheWrongValuesIsNoticed) {
    const Parameters theta = test::normal_parameters(3, 2, 2, Stream(3));
    const Matrix K = Matrix::Identity(feature_dim(3), feature_dim(3));
    Matrix swapped = head_factors(theta).V;
    swapped.col(0).swap(swapped.col(1));

    const Matrix A = gauss_newton_matrix(head_factors(theta).V, K, 3);
    const Matrix B = gauss_newton_matrix(swapped, K, 3);

    EXPECT_GT(difference_ratio(Matrix(A.triangularView<Eigen::Lower>()),
                               Matrix(B.triangularView<Eigen::Lower>())),
              kRatioBound);
}

TEST(HeadGradient, EqualsTheSumOverOutputs) {
    for (const Index d : {1, 2, 3, 4}) {
        for (const Index o : {Index{1}, d, d + 1}) {
            const Parameters theta = test::normal_parameters(d, o, 3, Stream(4).child(d).child(o));
            const Matrix r = test::normal_matrix(feature_dim(d), o, Stream(5));
            Vector expected = Vector::Zero(3 * d * d);
            const std::vector<Matrix> C = explicit_jacobians(theta);
            for (Index a = 0; a < o; ++a) {
                expected += C[static_cast<std::size_t>(a)].transpose() * r.col(a);
            }

            const Matrix gradient = head_gradient(head_factors(theta).V, r, d);

            EXPECT_LT(difference_ratio(expected, gradient.reshaped()), kRatioBound);
        }
    }
}

TEST(GaussNewtonMatrix, RefusesAWrongShape) {
    EXPECT_EQ(test::invalid_input_message(
                  [] { (void)gauss_newton_matrix(Matrix::Zero(4, 1), Matrix::Zero(5, 5), 2); }),
              "gauss_newton_matrix: V and K do not match d");
}

}  // namespace
}  // namespace attest
