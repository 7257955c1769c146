#include "core/moments/power_scale.hpp"

#include "core/algebra/symmetric_pack.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace attest {
namespace {

/// Two sequences of two tokens with labels; coordinate j of size 2^tokens[j], queries 2^queries
/// below.
Dataset data_of(int first, int second, int queries, int labels) {
    Dataset data;
    data.tokens.own().resize(2, 4);
    data.tokens.own() << 1, 1.5, -1, 1, 1, 1, 1.25, -1;
    data.tokens.own().row(0) *= std::ldexp(1.0, first);
    data.tokens.own().row(1) *= std::ldexp(1.0, second);
    data.tokens.own().col(1) *= std::ldexp(1.0, -queries);
    data.tokens.own().col(3) *= std::ldexp(1.0, -queries);
    data.offsets = {0, 2, 4};
    data.labels = LabelKind::per_sequence;
    data.y.resize(1, 2);
    data.y << std::ldexp(1.0, labels), -std::ldexp(1.0, labels);
    return data;
}

TEST(PowerScale, LeavesOrdinarySizesAlone) {
    for (const ScaleBy by : {ScaleBy::one_power, ScaleBy::coordinate}) {
        const Dataset data = data_of(50, 43, 20, -150);

        const PowerScale scale = power_scale(data, by);

        EXPECT_TRUE(scale.is_identity());
        EXPECT_EQ(scaled_source(data, scale)->dataset(), &data);
    }
}

TEST(PowerScale, DividesAllByOnePowerOrEachCoordinateByItsOwn) {
    const Dataset data = data_of(400, -20, 0, 900);

    const PowerScale together = power_scale(data, ScaleBy::one_power);
    const PowerScale apart = power_scale(data, ScaleBy::coordinate);

    EXPECT_EQ(together.tokens, (std::vector<int>{400, 400}));
    EXPECT_EQ(apart.tokens, (std::vector<int>{400, -20}));
    EXPECT_EQ(apart.queries, apart.tokens);
    EXPECT_EQ(apart.labels, 900);
    EXPECT_EQ(apart.features()[0], 400 - 20 + 400) << "pair {0,1} at query coordinate 0";
    EXPECT_EQ(apart.features()[5], -20 - 20 - 20);
}

TEST(PowerScale, QueriesFarBelowTheTokensHaveAPowerOfTheirOwn) {
    const Dataset data = data_of(0, 0, 700, 0);

    const PowerScale scale = power_scale(data, ScaleBy::one_power);
    const auto source = scaled_source(data, scale);

    EXPECT_EQ(scale.queries, (std::vector<int>{-700, -700}));
    EXPECT_EQ(source->dataset(), nullptr);
    EXPECT_EQ(source->block(0).u(0, 0), 1.5);
}

TEST(PowerScale, ScaledMomentsTimesTheirPowersAreTheMoments) {
    const Dataset data = data_of(60, -30, 0, 200);
    const PowerScale scale = power_scale(data, ScaleBy::coordinate);

    const MomentBatch scaled = scaled_source(data, scale)->block(0);

    const MomentBatch given = DatasetSource(data).block(0);
    const Index mixed = pack_index(2, 0, 1);
    for (Index i = 0; i < 2; ++i) {
        EXPECT_EQ(std::ldexp(scaled.S(mixed, i), 30), given.S(mixed, i));
        EXPECT_EQ(std::ldexp(scaled.u(0, i), 60), given.u(0, i));
        EXPECT_EQ(std::ldexp(scaled.y(0, i), 200), given.y(0, i));
    }
}

}  // namespace
}  // namespace attest
