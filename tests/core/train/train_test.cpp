#include "core/train/train.hpp"

#include "core/base/error.hpp"
#include "core/base/interrupt.hpp"
#include "core/train/heads_model.hpp"
#include "core/train/linear_layers.hpp"
#include "core/train/minibatches.hpp"
#include "tests/core/train/problem.hpp"
#include "tests/support/error_message.hpp"

#include <gtest/gtest.h>

#include <csignal>
#include <set>

namespace attest::test {

namespace {

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

TEST(Minibatches, MeetEverySequenceAtMostOnceInAnEpoch) {
    Minibatches batches(10, 3, Stream(1));
    EXPECT_EQ(batches.updates_per_epoch(), 3);
    for (Index epoch = 0; epoch < 5; ++epoch) {
        std::set<Index> met;
        for (Index b = 0; b < 3; ++b) {
            const auto batch = batches.of_update(3 * epoch + b);
            EXPECT_EQ(batch.size(), 3U);
            met.insert(batch.begin(), batch.end());
        }
        EXPECT_EQ(met.size(), 9U);
        EXPECT_GE(*met.begin(), 0);
        EXPECT_LT(*met.rbegin(), 10);
    }
}

TEST(Minibatches, DependOnNothingButStreamAndUpdate) {
    Minibatches in_order(16, 4, Stream(2));
    Minibatches jumping(16, 4, Stream(2));
    Minibatches other(16, 4, Stream(3));
    std::vector<Index> last;
    for (Index u = 0; u <= 9; ++u) {
        const auto batch = in_order.of_update(u);
        last.assign(batch.begin(), batch.end());
    }

    const auto jumped = jumping.of_update(9);
    const auto different = other.of_update(9);

    EXPECT_EQ(last, std::vector<Index>(jumped.begin(), jumped.end()));
    EXPECT_NE(last, std::vector<Index>(different.begin(), different.end()));
}

TEST(Minibatches, ComeInAnotherOrderInEveryEpoch) {
    Minibatches batches(32, 32, Stream(4));
    std::set<std::vector<Index>> orders;
    for (Index epoch = 0; epoch < 5; ++epoch) {
        const auto batch = batches.of_update(epoch);
        orders.insert(std::vector<Index>(batch.begin(), batch.end()));
    }

    EXPECT_EQ(orders.size(), 5U);
}

TEST(Minibatches, RefuseBatchesLargerThanTheData) {
    EXPECT_REFUSED("minibatches: got batches of 5", Minibatches(4, 5, Stream(1)));
}

}  // namespace

}  // namespace attest::test
