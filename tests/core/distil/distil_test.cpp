#include "core/distil/distil.hpp"

#include "core/base/error.hpp"
#include "core/base/progress_scope.hpp"
#include "core/distil/contenders.hpp"
#include "core/features/predict.hpp"
#include "core/rng/sample.hpp"
#include "core/solve/solvers.hpp"
#include "tests/core/distil/softmax_problems.hpp"
#include "tests/support/layer_examples.hpp"

#include <gtest/gtest.h>

#include <numeric>

namespace attest::test {

namespace {

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

TEST(Contenders, AStartThatFailsIsTrainedAtOtherRates) {
    const SoftmaxLayer layer = random_softmax(2, 2, 1, 0);
    Dataset data = softmax_data(layer, "linear", 4, 60, 0);
    const ContenderRequest request{.starts = 1, .updates = 3000};
    const auto adam = [&] {
        for (const Contender& each : train_contenders(data, nullptr, request)) {
            if (each.optimiser == OptimiserKind::adam) {
                return each;
            }
        }
        return Contender();
    };
    const Contender usual = adam();
    EXPECT_FALSE(usual.failed());
    EXPECT_EQ(usual.rates_tried, 1);
    // Features are cubic: the rate that suits 4 times the tokens is 4096 times as small.
    data.tokens.own() *= 4.0;
    const Contender large = adam();
    EXPECT_GT(large.rates_tried, 1);
    EXPECT_NE(large.rate, usual.rate);
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

TEST(CoefficientModel, GradientIsThatOfTheLossInEveryLayer) {
    for (const char* text :
         {"linear", "affine", "degree=0..2", "decay=1,1/2", "cross", "moments"}) {
        const Dataset data = layer_data({.layer = text, .count = 8});
        const PrefixData<double> moments = moment_data(DatasetSource(data));
        const CoefficientModel model(moments, data.layout());
        std::vector<Index> all(static_cast<std::size_t>(data.num_examples()));
        std::iota(all.begin(), all.end(), 0);
        const Vector theta = model.start(Stream(1));
        const Vector direction = model.start(Stream(2));

        const double slope = model.gradient(theta, all).dot(direction);

        // The loss is quadratic: central differences are exact but for rounding, at any step.
        const double up = model.loss(theta + direction, moments);
        const double down = model.loss(theta - direction, moments);
        const double size = (up + down) * static_cast<double>(theta.size());
        EXPECT_NEAR(slope, (up - down) / 2.0, 30.0 * size * 0x1p-53) << text;
    }
}

TEST(CoefficientModel, LossOfScaledCoefficientsIsTheRelativeRisk) {
    const Dataset data = layer_data({.layer = "affine", .count = 12});
    const DatasetSource source(data);
    const PrefixData<double> moments = moment_data(source);
    const CoefficientModel model(moments, data.layout());
    EXPECT_NEAR(model.loss(Vector::Zero(model.num_parameters()), moments), 1.0, 30.0 * 0x1p-53);
    EXPECT_GT(model.feature_power(), 0.0);
}

TEST(CoefficientModel, RefusesDataOfAnotherLayer) {
    const Dataset data = layer_data({.layer = "affine"});
    const PrefixData<double> moments = moment_data(DatasetSource(data));
    EXPECT_THROW(CoefficientModel(moments, FeatureLayout(2)), InvalidInput);
}

TEST(TrainingSeconds, AreOfEveryUpdateOfEveryStart) {
    const SoftmaxLayer layer = random_softmax(3, 2, 1, 0);
    for (const char* family : {"linear", "affine"}) {
        const Dataset data = softmax_data(layer, family, 4, 60, 0);
        const auto seconds_of = [&](Index starts, Index updates) {
            ContenderRequest request;
            request.starts = starts;
            request.updates = updates;
            return training_seconds(data, request);
        };
        EXPECT_GT(seconds_of(1, 100), 0.0);
        EXPECT_DOUBLE_EQ(seconds_of(3, 400), 12.0 * seconds_of(1, 100)) << family;
        EXPECT_EQ(seconds_of(0, 100), 0.0);
    }
}

TEST(TrainingSeconds, OfHeadsGrowWithTheLengthAndOfCoefficientsDoNot) {
    const SoftmaxLayer layer = random_softmax(3, 2, 1, 0);
    const auto seconds_of = [&](const char* family, Index n) {
        return training_seconds(softmax_data(layer, family, n, 60, 0), {});
    };
    EXPECT_GT(seconds_of("linear", 8), seconds_of("linear", 4));
    EXPECT_EQ(seconds_of("affine", 8), seconds_of("affine", 4));
}

/// What the board showed last, at the end of a training.
TEST(TrainContenders, NoteTheirUpdates) {
    const Dataset data = softmax_data(random_softmax(2, 2, 1, 0), "affine", 4, 60, 0);
    ContenderRequest request;
    request.starts = 1;
    request.updates = 30;
    ProgressBoard board;
    const ProgressScope scope(&board);
    ASSERT_EQ(train_contenders(data, nullptr, request).size(), 2U);
    EXPECT_EQ(board.read().stage, "updates");
    EXPECT_EQ(board.read().total, 30);
}

}  // namespace

}  // namespace attest::test
