#include "core/train/minibatches.hpp"

#include "core/base/error.hpp"
#include "tests/support/error_message.hpp"

#include <gtest/gtest.h>

#include <set>

namespace attest {
namespace {

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
    EXPECT_EQ(test::invalid_input_message([] { (void)Minibatches(4, 5, Stream(1)); }),
              "minibatches: got batches of 5, expected 1 to the number of sequences, 4");
}

}  // namespace
}  // namespace attest
