#include "core/train/train.hpp"

#include "core/base/interrupt.hpp"
#include "core/train/heads_model.hpp"
#include "core/train/linear_layers.hpp"
#include "tests/core/train/problem.hpp"

#include <gtest/gtest.h>

#include <csignal>

namespace attest {
namespace {

using test::prefix_dataset;

TrainOptions short_training() {
    TrainOptions options;
    options.updates = 60;
    options.batch_size = 4;
    options.curve_points = 5;
    return options;
}

TEST(Train, IsAFunctionOfModelOptionsAndStream) {
    const PrefixData<double> data = prefix_data<double>(prefix_dataset(2, 1, 10, 12));
    const LinearLayers<double> model(data, 2);

    const TrainResult<double> once = train(model, data, short_training(), Stream(1));
    const TrainResult<double> again = train(model, data, short_training(), Stream(1));
    const TrainResult<double> other = train(model, data, short_training(), Stream(2));

    EXPECT_EQ(once.theta, again.theta);
    EXPECT_NE(once.theta, other.theta);
    EXPECT_EQ(once.status, TrainStatus::finished);
    EXPECT_EQ(once.updates, 60);
    ASSERT_EQ(once.curve.size(), again.curve.size());
    for (std::size_t i = 0; i < once.curve.size(); ++i) {
        EXPECT_EQ(once.curve[i].loss, again.curve[i].loss);
    }
}

TEST(Train, CurveBeginsAtTheStartAndEndsAtTheResult) {
    const PrefixData<double> data = prefix_data<double>(prefix_dataset(2, 1, 10, 12));
    const PrefixData<double> held_out = prefix_data<double>(prefix_dataset(2, 1, 10, 5, 1));
    const HeadsMoments<double> model(data, 2);

    const TrainResult<double> result = train(model, held_out, short_training(), Stream(1));

    EXPECT_EQ(curve_updates(60, 5), (std::vector<Index>{0, 2, 10, 22, 38, 60}));
    ASSERT_EQ(result.curve.size(), 6U);
    EXPECT_EQ(result.curve.front().loss,
              model.loss(model.start(Stream(1).child("start")), held_out));
    EXPECT_EQ(result.curve.back().update, 60);
    EXPECT_EQ(result.curve.back().loss, model.loss(result.theta, held_out));
    EXPECT_LT(result.curve.back().loss, result.curve.front().loss);
}

TEST(Train, CurveUpdatesAreDistinctWhenThereAreFewerUpdatesThanPoints) {
    EXPECT_EQ(curve_updates(3, 40), (std::vector<Index>{0, 1, 2, 3}));
}

TEST(Train, FourHeadsReachTheTeacherAtDTwo) {
    const PrefixData<double> data = prefix_data<double>(prefix_dataset(2, 1, 100, 64));
    const HeadsMoments<double> model(data, 4);
    TrainOptions options;
    options.updates = 6400;

    const TrainResult<double> result = train(model, data, options, Stream(1));

    EXPECT_LE(result.curve.back().loss, 1e-20);
}

TEST(Train, SaysSoWhenItDiverges) {
    const PrefixData<double> data = prefix_data<double>(prefix_dataset(2, 1, 10, 12));
    const LinearLayers<double> model(data, 2);
    TrainOptions options = short_training();
    options.optimiser = {.kind = OptimiserKind::sgd, .rate = 1e100};

    const TrainResult<double> result = train(model, data, options, Stream(1));

    EXPECT_EQ(result.status, TrainStatus::diverged);
    EXPECT_EQ(result.note.rfind("diverged: the ", 0), 0U) << result.note;
    EXPECT_LT(result.updates, 60);
    EXPECT_TRUE(result.theta.allFinite()) << "the step along that gradient is not taken";
    ASSERT_FALSE(result.curve.empty()) << "the loss of the start";
    for (const LossPoint& point : result.curve) {
        EXPECT_TRUE(std::isfinite(point.loss));
    }
}

TEST(Train, StopsWhenTheUserAsksForIt) {
    const PrefixData<double> data = prefix_data<double>(prefix_dataset(2, 1, 10, 12));
    const LinearLayers<double> model(data, 1);
    install_interrupt_handlers();
    std::raise(SIGINT);

    EXPECT_THROW((void)train(model, data, short_training(), Stream(1)), Interrupted);
    clear_interrupt();
}

}  // namespace
}  // namespace attest
