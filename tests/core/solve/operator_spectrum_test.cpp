#include "core/solve/operator_spectrum.hpp"

#include "core/algebra/lapack.hpp"
#include "core/features/cubic.hpp"
#include "tests/support/layer_examples.hpp"
#include "tests/support/problems.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace attest {
namespace {

/// Λ_D formed, and all its eigenvalues.
Vector eigenvalues_of(const Dataset& data) {
    const Matrix H = feature_columns(collect(DatasetSource(data)), data.layout());
    return symmetric_eigenvalues(H * H.transpose() / static_cast<double>(H.cols()));
}

void expect_ends(const Dataset& data, const std::string& what) {
    const Vector expected = eigenvalues_of(data);
    const OperatorSpectrum found = operator_spectrum(DatasetSource(data));
    const auto value = [&](double number) { return std::ldexp(number, 2 * found.exponent); };
    ASSERT_TRUE(found.least.converged) << what;
    // A Rayleigh quotient is off by the square of the residual over the gap, and by rounding of Λ.
    const double rounding = value(found.threshold);
    EXPECT_GE(value(found.least.value), expected(0) - rounding) << what;
    EXPECT_LE(value(found.least.value), expected(0) + value(found.least.error) + rounding) << what;
    const double largest = expected(expected.size() - 1);
    EXPECT_LE(value(found.lambda_max), largest * (1.0 + 1e-10)) << what;
    EXPECT_GE(value(found.lambda_max), 0.99 * largest) << what;
}

TEST(OperatorSpectrum, HasTheEndsOfTheSecondMomentsSpectrum) {
    for (const std::uint64_t seed : {1U, 2U, 3U}) {
        expect_ends(
            test::layer_data({.layer = "linear", .d = 4, .count = 400, .levels = 0, .seed = seed}),
            formatted("seed {}", seed));
    }
}

TEST(OperatorSpectrum, IsThatOfEveryLayer) {
    for (const std::string layer : {"decay=1/2", "affine", "lags=2", "degree=0..2"}) {
        expect_ends(test::layer_data({.layer = layer, .count = 300, .levels = 0}), layer);
    }
}

TEST(OperatorSpectrum, ScalesWithThePowerOfTheTokens) {
    Dataset data = test::layer_data({.layer = "linear", .d = 3, .count = 200, .levels = 0});
    const OperatorSpectrum one = operator_spectrum(DatasetSource(data));
    data.tokens.own() *= 0x1p200;
    const OperatorSpectrum two = operator_spectrum(DatasetSource(data));
    EXPECT_EQ(two.exponent, one.exponent + 600);
    EXPECT_EQ(two.least.value, one.least.value);
}

TEST(OperatorSpectrum, SeesDeficientData) {
    Dataset data = test::layer_data({.layer = "linear", .d = 3, .count = 200, .levels = 0});
    EXPECT_TRUE(operator_spectrum(DatasetSource(data)).is_full_rank());
    EXPECT_TRUE(operator_spectrum(DatasetSource(subset(data, 0, 17))).is_deficient());

    Dataset equal = data;
    equal.tokens.own().row(2) = equal.tokens.own().row(1);
    EXPECT_TRUE(operator_spectrum(DatasetSource(equal)).is_deficient());

    // One token a sequence: S_jj z_k = S_jk z_j, and no factor of s ⊗ u alone shows it.
    const Dataset single =
        test::layer_data({.layer = "linear", .d = 3, .n = {1, 1}, .count = 200, .levels = 0});
    EXPECT_TRUE(operator_spectrum(DatasetSource(single)).is_deficient());
}

}  // namespace
}  // namespace attest
