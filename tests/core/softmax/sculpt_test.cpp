#include "core/softmax/sculpt.hpp"

#include "core/base/error.hpp"
#include "core/rng/sample.hpp"
#include "tests/core/softmax/planted.hpp"
#include "tests/support/error_message.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace attest::test {
namespace {

TEST(PatternFit, FindsTheWeightsOfAMixtureOfThreeTokens) {
    const Matrix values{{0.0, 1.0, 0.0}, {0.0, 0.0, 2.0}, {0.0, 0.0, 0.0}};  // v_0, v_1, v_2
    const Vector label{{0.25, 1.0, 0.5}};  // ¼ v_0 + ¼ v_1 + ½ v_2, and ½ off the plane
    PatternFit fit(3, 3);
    fit.start(label.data(), values.col(0).data());
    fit.add(0, values.col(1).data());
    fit.add(1, values.col(2).data());

    ASSERT_TRUE(fit.solve(0.5, 0.03));

    EXPECT_LT(std::abs(fit.probability(0) - 0.25), 0x1p-50);
    EXPECT_LT(std::abs(fit.probability(1) - 0.25), 0x1p-50);
    EXPECT_LT(std::abs(fit.probability(2) - 0.5), 0x1p-50);
    // residual ½, σ_min 1, least probability ¼.
    EXPECT_LT(std::abs(fit.score() - 2.0), 0x1p-48);
}

TEST(PatternFit, RefusesFlatDesignsAndSmallProbabilities) {
    const double origin = 0.0;
    const double one = 1.0;
    const double small = 0.01;
    PatternFit fit(1, 2);
    fit.start(&small, &origin);
    fit.add(0, &one);
    EXPECT_FALSE(fit.solve(0.5, 0.03));
    fit.start(&small, &origin);
    fit.add(0, &one);
    EXPECT_FALSE(fit.solve(2.0, 0.001));
    EXPECT_THROW(PatternFit(1, 1), InvalidInput);
}

TEST(Sculpt, OfASingleHeadWithItsOwnValuesGivesItsLogits) {
    // m = 1: all heads agree on every row, the residual is rounding and every constraint holds.
    for (const auto& [k, mode] : {std::pair(Index{2}, SculptMode::full),
                                  std::pair(Index{3}, SculptMode::full),
                                  std::pair(Index{2}, SculptMode::pairs)}) {
        const Planted planted(setting(TokenLaw::gaussian, 4, k, 1, 2.0), 300, k);
        const SoftmaxHead& head = planted.heads().front();
        SculptOptions options;
        options.mode = mode;
        options.rows = 50;

        const SculptedRows rows = sculpt(planted.source(), head.W, options);

        ASSERT_EQ(rows.count(), 50);
        EXPECT_EQ(rows.steps, mode == SculptMode::full ? k - 1 : 1);
        for (Index t = 0; t < 50 * rows.steps; ++t) {
            const double logit =
                rows.tokens.col(t / rows.steps).dot(head.Theta * rows.differences.col(t));
            // Kept designs have σ_min ≥ ½ and p ≥ 0.03: a logit is off by roundings of size
            // ‖W‖‖x‖ε/(σ_min p), with ‖x‖ below 8.
            EXPECT_LT(std::abs(logit - rows.logits(t)), 64.0 * 8.0 * 0x1p-52 / (0.5 * 0.03));
        }
        EXPECT_LT((rows.labels - head.W.transpose() * rows.mixtures).cwiseAbs().maxCoeff(),
                  64.0 * 8.0 * 0x1p-52 / 0.5);
    }
}

TEST(Sculpt, KeepsTheSameRowsWhateverTheMemory) {
    const Planted planted(setting(TokenLaw::gaussian, 4, 2, 2, 3.0), 30000, 5);
    const Matrix W = sum_of_values(planted.heads());
    SculptOptions options;
    options.rows = 40;

    const SculptedRows few = sculpt(planted.source(), W, options);
    options.rows = 400;
    const SculptedRows many = sculpt(held_in_memory(planted.source(), 1e9), W, options);

    EXPECT_EQ(few.scores, Vector(many.scores.head(40)));
    EXPECT_EQ(few.differences, Matrix(many.differences.leftCols(40 * many.steps)));
    EXPECT_LE(many.scores(0), many.scores(399));
}

TEST(Sculpt, OnTrueValuesFindsRowsOnWhichTheHeadsAgree) {
    const Planted planted(setting(TokenLaw::gaussian, 6, 2, 2, 3.0), 20000, 6);
    SculptOptions options;
    options.rows = 100;
    const auto disagreement = [&](const Matrix& W) {
        const SculptedRows rows = sculpt(planted.source(), W, options);
        double sum = 0.0;
        for (Index t = 0; t < rows.count(); ++t) {
            const auto logit = [&](std::size_t i) {
                return rows.tokens.col(t).dot(planted.heads()[i].Theta * rows.differences.col(t));
            };
            sum += std::abs(logit(0) - logit(1));
        }
        return sum / static_cast<double>(rows.count());
    };

    // Logits differ by 3·√(2·6·6)/… ≈ 10 on an average row. A transposed W finds nothing.
    EXPECT_LT(disagreement(sum_of_values(planted.heads())), 0.05);
    EXPECT_GT(disagreement(sum_of_values(planted.heads()).transpose()), 0.5);
}

TEST(Sculpt, RefusesWhatNoRegressionCanDo) {
    const Planted single(setting(TokenLaw::gaussian, 2, 1, 1, 1.0), 3, 7);
    const Planted wide(setting(TokenLaw::gaussian, 2, 4, 1, 1.0), 3, 8);
    EXPECT_REFUSED("sculpt: got sequences of 1 tokens",
                   sculpt(single.source(), Matrix::Identity(2, 2), {}));
    EXPECT_REFUSED("sculpt: got mode full with k = 4 and d = 2",
                   sculpt(wide.source(), Matrix::Identity(2, 2), {}));
    EXPECT_EQ(sculpt_modes(4, 2).size(), 1U);
    EXPECT_EQ(sculpt_modes(4, 4).size(), 2U);
    EXPECT_EQ(sculpt_modes(4, 5).front(), SculptMode::pairs);
}

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

}  // namespace attest::test
