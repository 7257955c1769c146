#include "core/questions/read_kernel.hpp"

#include "core/base/error.hpp"
#include "core/features/predict.hpp"
#include "core/layers/layer_heads.hpp"
#include "core/rng/sample.hpp"
#include "core/solve/solvers.hpp"
#include "tests/support/layer_examples.hpp"

#include <gtest/gtest.h>

namespace attest {
namespace {

/// Integer tokens, labelled exactly by integer heads: one of kernel 0, one more of each other.
Dataset labelled_by(const std::string& layer, LengthRange n = {4, 6}) {
    Dataset data = test::layer_data({.layer = layer, .n = n, .count = 700, .levels = 2});
    LayerHeads heads;
    for (Index g = 0; g < num_sums(data.layer); ++g) {
        const Matrix V = (Matrix(1, 2) << 1.0, static_cast<double>(g + 2)).finished();
        const Matrix Q = (Matrix(2, 2) << 1.0, -1.0, static_cast<double>(g), 2.0).finished();
        heads.heads.push_back({V, Q, g});
    }
    const Matrix P = coefficients(data.layer, data.layer_input(), 1, heads);
    data.y = predict(P, DatasetSource(data));
    data.truth = {};
    return data;
}

KernelReading reading(Dataset data, const std::string& lags) {
    data.layer = layer_named(lags);
    const DatasetSource source(data);
    return read_kernel(FactoredSource(source), fit_least_squares(source, "svd", {}));
}

TEST(ReadKernel, FindsOneDecayAndProvesIt) {
    const KernelReading found = reading(labelled_by("decay=1/2"), "lags=6");
    ASSERT_EQ(found.decays.size(), 1U);
    EXPECT_NEAR(found.decays[0], 0.5, 1e-10);
    ASSERT_TRUE(found.layer) << found.note;
    EXPECT_EQ(to_string(*found.layer), "decay=1/2");
    EXPECT_TRUE(found.exact);
    ASSERT_EQ(found.profile.size(), 5U);
    for (std::size_t k = 0; k < 5; ++k) {
        EXPECT_NEAR(found.profile[k], std::ldexp(1.0, -static_cast<int>(k)), 1e-10);
    }
}

TEST(ReadKernel, FindsTheDecaysOfSeveralHeads) {
    const KernelReading found = reading(labelled_by("decay=1,1/2,3/4", {6, 8}), "lags=8");
    ASSERT_TRUE(found.layer) << found.note;
    EXPECT_EQ(to_string(*found.layer), "decay=1,3/4,1/2");
    EXPECT_TRUE(found.exact);
    EXPECT_LT(found.relative_risk, 1e-22);
}

/// The sum of two multiples of one head has one component and two decays.
TEST(ReadKernel, TellsDecaysOfEqualHeadsApart) {
    Dataset data =
        test::layer_data({.layer = "decay=1,1/2", .n = {5, 5}, .count = 200, .levels = 2});
    const Matrix V = (Matrix(1, 2) << 1.0, 2.0).finished();
    const Matrix Q = (Matrix(2, 2) << 1.0, -1.0, 3.0, 2.0).finished();
    const LayerHeads heads{{{V, Q, 0}, {2.0 * V, Q, 1}}, {}};
    const Matrix P = coefficients(data.layer, data.layer_input(), 1, heads);
    data.y = predict(P, DatasetSource(data));
    data.truth = {};

    const KernelReading found = reading(data, "lags=5");
    ASSERT_TRUE(found.layer) << found.note;
    EXPECT_EQ(to_string(*found.layer), "decay=1,1/2");
    EXPECT_TRUE(found.exact);
}

TEST(ReadKernel, SaysWhereTheKernelIsNoSumOfDecays) {
    const KernelReading found = reading(labelled_by("table=1:1:-1/2:1/4"), "lags=6");
    EXPECT_FALSE(found.layer);
    EXPECT_FALSE(found.exact);
    EXPECT_NEAR(found.profile[1], -0.5, 1e-9);
    EXPECT_NEAR(found.profile[2], 0.25, 1e-9);
}

TEST(ReadKernel, AsksForMoreLagsWhereThereAreTooFew) {
    const KernelReading few = reading(labelled_by("decay=1,1/2,3/4", {5, 6}), "lags=6");
    EXPECT_TRUE(few.decays.empty());
    EXPECT_EQ(few.note,
              "3 components in 5 lags: more lags are needed to tell whether they are decays");
    const KernelReading beyond = reading(labelled_by("decay=1/2", {8, 9}), "lags=4");
    EXPECT_FALSE(beyond.layer);
    EXPECT_EQ(beyond.note, "sequences of 9 tokens reach beyond the lags; take lags=9");
}

TEST(ReadKernel, StatesItsErrorUnderNoise) {
    Dataset data = labelled_by("decay=1/2");
    data.y += 1e-3 * data.y.norm() / std::sqrt(static_cast<double>(data.y.size())) *
              grid_matrix(grid_normal(), data.y.rows(), data.y.cols(), Stream(3));
    const KernelReading found = reading(data, "lags=6");
    ASSERT_EQ(found.decays.size(), 1U) << found.note;
    EXPECT_GT(found.threshold, 0.0);
    EXPECT_LT(std::abs(found.decays[0] - 0.5), found.threshold / found.strengths(0));
    EXPECT_FALSE(found.exact);
}

TEST(ReadKernel, RefusesAnotherLayer) {
    EXPECT_THROW((void)reading(labelled_by("decay=1/2"), "lags=2"), InvalidInput);
    EXPECT_THROW((void)reading(labelled_by("decay=1/2"), "decay=1/2"), InvalidInput);
}

}  // namespace
}  // namespace attest
