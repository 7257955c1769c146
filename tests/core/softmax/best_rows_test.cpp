#include "core/softmax/best_rows.hpp"

#include "core/base/error.hpp"
#include "core/rng/sample.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

namespace attest {
namespace {

BestRows::Result best_of(const std::vector<BestRows::Key>& keys, Index capacity) {
    BestRows best(capacity, 2);
    for (const BestRows::Key& key : keys) {
        if (best.accepts(key)) {
            double* payload = best.keep(key);
            payload[0] = key.score;
            payload[1] = static_cast<double>(key.example);
        }
    }
    return best.sorted();
}

RC_GTEST_PROP(BestRows, AreTheHeadOfTheSortedOffersInWhateverOrder, (std::uint64_t seed)) {
    const Index count = *rc::gen::inRange<Index>(1, 60);
    const Index capacity = *rc::gen::inRange<Index>(1, 20);
    std::vector<BestRows::Key> keys;
    Draws draws{Stream(seed)};
    for (Index i = 0; i < count; ++i) {
        keys.push_back({static_cast<double>(draws.below(5)), i, 0, 0, 1});
    }
    std::vector<BestRows::Key> shuffled;
    for (const Index i : random_permutation(count, Stream(seed).child("order"))) {
        shuffled.push_back(keys[static_cast<std::size_t>(i)]);
    }

    const BestRows::Result result = best_of(shuffled, capacity);

    std::sort(keys.begin(), keys.end());
    keys.resize(static_cast<std::size_t>(std::min(count, capacity)));
    RC_ASSERT(result.keys.size() == keys.size());
    for (std::size_t i = 0; i < keys.size(); ++i) {
        RC_ASSERT(result.keys[i].example == keys[i].example);
        RC_ASSERT(result.payloads(1, static_cast<Index>(i)) ==
                  static_cast<double>(keys[i].example));
    }
}

TEST(BestRows, NeedRoomForOne) {
    EXPECT_THROW(BestRows(0, 1), InvalidInput);
}

}  // namespace
}  // namespace attest
