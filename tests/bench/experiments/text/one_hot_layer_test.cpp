#include "bench/experiments/text/one_hot_layer.hpp"

#include "core/data/dataset.hpp"
#include "core/features/predict.hpp"
#include "core/moments/triangular_factor.hpp"
#include "core/rng/stream.hpp"
#include "core/solve/orthogonal.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace attest {
namespace {

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();

struct WideCase {
    Index vocabulary;
    Index windows;
    double ridge;
};

/// Common words are commoner, as in text.
std::vector<WordWindow> random_windows(Index vocabulary, Index count, std::uint64_t seed) {
    Draws draws{Stream(seed)};
    const auto word = [&] {
        const std::uint64_t below = 1 + draws.below(static_cast<std::uint64_t>(vocabulary));
        return static_cast<Index>(draws.below(below));
    };
    std::vector<WordWindow> windows;
    for (Index i = 0; i < count; ++i) {
        windows.push_back({{word(), word(), word()}, word()});
    }
    return windows;
}

/// The same windows as one-hot tokens with the next word's unit vector, less `prior`, as label.
Dataset dense_data(const std::vector<WordWindow>& windows, Index vocabulary) {
    Dataset data;
    const Index count = std::ssize(windows);
    data.tokens = Matrix::Zero(vocabulary, 3 * count);
    data.y = Matrix::Zero(vocabulary, count);
    data.labels = LabelKind::per_sequence;
    data.offsets.push_back(0);
    for (Index i = 0; i < count; ++i) {
        const WordWindow& window = windows[static_cast<std::size_t>(i)];
        for (Index t = 0; t < 3; ++t) {
            data.tokens.own()(window.words[static_cast<std::size_t>(t)], 3 * i + t) = 1.0;
        }
        data.y(window.next, i) = 1.0;
        data.offsets.push_back(3 * (i + 1));
    }
    return data;
}

Matrix outputs(const OneHotLayer& layer, const std::vector<WordWindow>& windows, Index vocabulary) {
    Matrix y(vocabulary, std::ssize(windows));
    for (Index i = 0; i < y.cols(); ++i) {
        y.col(i) = layer.predict(windows[static_cast<std::size_t>(i)]);
    }
    return y;
}

/// The dense solver knows nothing of groups: Householder and SVD on all ψ features.
Matrix dense_outputs(const WideCase& at,
                     const std::vector<WordWindow>& train,
                     const std::vector<WordWindow>& test) {
    const Dataset data = dense_data(train, at.vocabulary);
    const LeastSquaresFit fit =
        fit_svd(triangular_factor(DatasetSource(data)), at.vocabulary, {at.ridge});
    return predict(fit.P, DatasetSource(dense_data(test, at.vocabulary)));
}

class OneHotLayerTest : public testing::TestWithParam<WideCase> {};

TEST_P(OneHotLayerTest, EqualsTheDenseSolver) {
    const WideCase at = GetParam();
    const std::vector<WordWindow> train = random_windows(at.vocabulary, at.windows, 1);
    std::vector<WordWindow> test = random_windows(at.vocabulary, 50, 2);
    test.insert(test.end(), train.begin(), train.begin() + 20);
    const OneHotLayer layer(at.vocabulary, train, {}, at.ridge);

    const Matrix dense = dense_outputs(at, train, test);
    const Matrix split = outputs(layer, test, at.vocabulary);

    // Both solve systems of this condition backward stably; outputs are of size 1 and sums of at
    // most N products (Higham 2002, theorem 10.4 with √N in the place of N; ratio below 30).
    const double bound =
        30.0 * std::sqrt(static_cast<double>(at.windows)) * kEpsilon * layer.condition();
    ASSERT_LE(bound, 1e-10);
    EXPECT_LE((dense - split).cwiseAbs().maxCoeff(), bound);
    // A label taken for another is seen.
    std::vector<WordWindow> wrong = train;
    wrong.front().next = (wrong.front().next + 1) % at.vocabulary;
    const OneHotLayer other(at.vocabulary, wrong, {}, at.ridge);
    EXPECT_GT((dense - outputs(other, test, at.vocabulary)).cwiseAbs().maxCoeff(), 1e-6);
}

INSTANTIATE_TEST_SUITE_P(UpToTwentyFourWords,
                         OneHotLayerTest,
                         testing::Values(WideCase{2, 40, 0.0},
                                         WideCase{5, 200, 0.0},
                                         WideCase{5, 200, 1e-2},
                                         WideCase{12, 150, 0.0},
                                         WideCase{12, 150, 2e-3},
                                         WideCase{24, 100, 0.0},
                                         WideCase{24, 100, 1e-2}));

TEST(OneHotLayer, RidgeTowardsTheBigramIsTheRidgeOnWhatTheBigramLeaves) {
    const Index V = 6;
    const std::vector<WordWindow> train = random_windows(V, 120, 3);
    const std::vector<WordWindow> test = random_windows(V, 40, 4);
    std::vector<Trigram> trigrams;
    trigrams.reserve(train.size());
    for (const WordWindow& window : train) {
        trigrams.push_back({window.words[1], window.words[2], window.next});
    }
    const NgramTables tables(V, trigrams);
    const OneHotLayer layer(V, train, {&tables, 2.0}, 1e-2);
    // The same by the dense solver: labels less the bigram's, whose coefficients are a layer's too.
    Dataset data = dense_data(train, V);
    Matrix prior(V, 40);
    for (Index i = 0; i < 120; ++i) {
        data.y.col(i) -= tables.bigram(train[static_cast<std::size_t>(i)].query(), 2.0);
    }
    for (Index i = 0; i < 40; ++i) {
        prior.col(i) = tables.bigram(test[static_cast<std::size_t>(i)].query(), 2.0);
    }
    const Matrix P = fit_svd(triangular_factor(DatasetSource(data)), V, {1e-2}).P;
    const Matrix dense = prior + predict(P, DatasetSource(dense_data(test, V)));
    const double bound = 30.0 * std::sqrt(120.0) * kEpsilon * layer.condition();
    EXPECT_LE((dense - outputs(layer, test, V)).cwiseAbs().maxCoeff(), bound);
    // A large ridge leaves the bigram alone.
    const OneHotLayer stiff(V, train, {&tables, 2.0}, 1e9);
    EXPECT_LT((prior - outputs(stiff, test, V)).cwiseAbs().maxCoeff(), 1e-6);
}

TEST(OneHotLayer, AWordThatNeverAskedHasThePrior) {
    const std::vector<WordWindow> train{{{0, 1}, 0}, {{1, 1}, 1}};
    const OneHotLayer layer(3, train, {}, 0.0);
    EXPECT_EQ(layer.predict({{0, 2}, 0}), Vector::Zero(3));
    EXPECT_EQ(layer.rank(), 2);
}

}  // namespace
}  // namespace attest
