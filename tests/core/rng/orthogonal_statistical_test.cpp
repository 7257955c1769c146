#include "core/rng/orthogonal.hpp"
#include "tests/support/statistics.hpp"

#include <gtest/gtest.h>

namespace attest {
namespace {

using test::bernstein_deviation;

constexpr Index kMatrices = 40000;

// Under Haar measure on O(d): E[Q_ij] = 0, E[Q_ij²] = 1/d, E[Q_ij⁴] = 3/(d(d+2)), E[tr Q] = 0,
// E[(tr Q)²] = 1 (Diaconis and Shahshahani 1994).
TEST(OrthogonalStatistics, EntriesAndTraceHaveHaarMoments) {
    for (const Index d : {2, 4}) {
        const Stream stream = Stream(2024).child("haar").child(d);
        double first = 0.0;
        double square = 0.0;
        double fourth = 0.0;
        double trace_square = 0.0;
        for (Index i = 0; i < kMatrices; ++i) {
            const Matrix Q = random_orthogonal(d, stream.child(i));
            const double x = Q(d - 1, 0);
            first += x;
            square += x * x;
            fourth += x * x * x * x;
            trace_square += Q.trace() * Q.trace();
        }
        const auto n = static_cast<double>(kMatrices);
        const auto D = static_cast<double>(d);

        // Variances: at most 1/d, E[x⁴], E[x⁸] ≤ E[x⁴], and E[(tr Q)⁴] ≤ d²·1.
        const double m4 = 3.0 / (D * (D + 2.0));
        EXPECT_LT(std::abs(first / n), bernstein_deviation(1.0 / D, 1.0, kMatrices)) << d;
        EXPECT_LT(std::abs(square / n - 1.0 / D), bernstein_deviation(m4, 1.0, kMatrices)) << d;
        EXPECT_LT(std::abs(fourth / n - m4), bernstein_deviation(m4, 1.0, kMatrices)) << d;
        EXPECT_LT(std::abs(trace_square / n - 1.0), bernstein_deviation(D * D, D * D, kMatrices))
            << d;
    }
}

}  // namespace
}  // namespace attest
