#include "core/distil/distil.hpp"

#include "core/base/error.hpp"
#include "tests/core/distil/softmax_problems.hpp"

#include <gtest/gtest.h>

namespace attest {
namespace {

using test::random_softmax;
using test::softmax_data;

DistilRequest quick_request(Index updates) {
    DistilRequest request;
    request.contenders.updates = updates;
    request.contenders.starts = 3;
    return request;
}

TEST(Distil, NoTrainingPassesBelowTheFloor) {
    for (Index seed = 0; seed < 3; ++seed) {
        const SoftmaxLayer layer = random_softmax(2, 2, 1 + seed % 2, seed);
        for (const char* family : {"linear", "affine", "degree=0..1", "decay=1,1/2"}) {
            const Dataset data = softmax_data(layer, family, 4, 60, seed);

            const Distilled found = distil(data, nullptr, quick_request(800));

            ASSERT_EQ(found.floor.basis, FloorBasis::exact) << family;
            const double power = found.train.risk / found.train.relative;
            // A loss is a sum of N·o squares, each of ψ products: so many roundings of its terms.
            const double rounding =
                30.0 * 60.0 * 2.0 * static_cast<double>(found.model.P.rows()) * 0x1p-53 * power;
            EXPECT_GE(found.train.risk, found.floor.value - rounding) << family;
            EXPECT_LE(found.train.risk, found.floor.value + rounding) << family;
            ASSERT_EQ(found.contenders.size(), 6U);
            for (const Contender& each : found.contenders) {
                if (each.relative_risk) {
                    EXPECT_GE(*each.relative_risk * power, found.floor.value - rounding) << family;
                }
            }
            const Contender& adam = found.contenders.front();
            EXPECT_EQ(adam.optimiser, OptimiserKind::adam);
            ASSERT_TRUE(adam.relative_risk.has_value());
            EXPECT_LT(*adam.relative_risk, 1.0) << family << ": better than 0";
        }
    }
}

TEST(Distil, TrainsHeadsWhereTheLayerIsThePapersAndElseCoefficients) {
    const SoftmaxLayer layer = random_softmax(2, 2, 1, 0);
    const Dataset linear = softmax_data(layer, "linear", 4, 60, 0);
    const Dataset held_out = softmax_data(layer, "linear", 4, 20, 1);
    const Distilled found = distil(linear, &held_out, quick_request(50));
    EXPECT_EQ(found.contenders.front().form, ContenderForm::heads);
    EXPECT_TRUE(found.contenders.front().held_out_relative.has_value());
    EXPECT_TRUE(found.held_out.has_value());
    const Dataset affine = softmax_data(layer, "affine", 4, 60, 0);
    EXPECT_EQ(distil(affine, nullptr, quick_request(50)).contenders.front().form,
              ContenderForm::coefficients);
    EXPECT_TRUE(distil(affine, nullptr, {}).held_out == std::nullopt);
}

TEST(Distil, SaysWhetherTheBestLayerIsUnique) {
    const SoftmaxLayer layer = random_softmax(2, 2, 1, 0);
    DistilRequest request;
    request.contenders.starts = 0;
    const Distilled full = distil(softmax_data(layer, "linear", 4, 60, 0), nullptr, request);
    EXPECT_EQ(full.uniqueness, DataVerdict::determined);
    EXPECT_EQ(full.rank, 6);
    EXPECT_TRUE(full.contenders.empty());
    const Distilled one_length = distil(softmax_data(layer, "affine", 4, 60, 0), nullptr, request);
    EXPECT_EQ(one_length.uniqueness, DataVerdict::not_determined);
    EXPECT_TRUE(one_length.determined_on_lengths_seen);
    const Distilled few = distil(softmax_data(layer, "linear", 4, 5, 0), nullptr, request);
    EXPECT_EQ(few.uniqueness, DataVerdict::not_determined);
    EXPECT_FALSE(few.determined_on_lengths_seen);
    EXPECT_EQ(few.floor.proved, 0) << "five examples are interpolated";
}

TEST(SplitOff, TakesTheLastShareAndLeavesSomethingOnEitherSide) {
    const Dataset data = softmax_data(random_softmax(2, 2, 1, 0), "linear", 4, 10, 0);
    EXPECT_EQ(split_off(data, 0.2).held_out.num_sequences(), 2);
    EXPECT_EQ(split_off(data, 0.2).train.num_sequences(), 8);
    EXPECT_EQ(split_off(data, 0.2).held_out.sequence(1), data.sequence(9));
    EXPECT_EQ(split_off(data, 0.001).held_out.num_sequences(), 1);
    EXPECT_EQ(split_off(data, 0.999).train.num_sequences(), 1);
    EXPECT_THROW((void)split_off(data, 1.0), InvalidInput);
    EXPECT_THROW((void)split_off(subset(data, 0, 1), 0.5), InvalidInput);
}

}  // namespace
}  // namespace attest
