#include "core/certify/least_risk.hpp"

#include "core/exact/dyadic.hpp"
#include "tests/support/error_message.hpp"
#include "tests/support/layer_examples.hpp"
#include "tests/support/process_settings.hpp"

#include <gtest/gtest.h>

namespace attest::test {
namespace {

MatrixOf<Rational> labels_of(const Dataset& data) {
    MatrixOf<Rational> y(data.y.cols(), data.y.rows());
    for (Index i = 0; i < y.rows(); ++i) {
        for (Index a = 0; a < y.cols(); ++a) {
            y(i, a) = attest::to_rational(data.y(a, i));
        }
    }
    return y;
}

Rational mean_square(const MatrixOf<Rational>& residuals) {
    Rational sum = 0;
    for (Index i = 0; i < residuals.rows(); ++i) {
        for (Index a = 0; a < residuals.cols(); ++a) {
            sum += residuals(i, a) * residuals(i, a);
        }
    }
    return sum / Rational(residuals.rows());
}

bool is_zero(const MatrixOf<Rational>& A) {
    return mean_square(A) == 0;
}

/// All words of n letters ±1 with a constant beside them; the label is their product.
Dataset parity(Index n) {
    Dataset data;
    data.offsets = {0};
    data.labels = LabelKind::per_sequence;
    const Index count = Index{1} << n;
    data.tokens = Matrix::Ones(2, n * count);
    data.y = Matrix::Ones(1, count);
    for (Index i = 0; i < count; ++i) {
        for (Index t = 0; t < n; ++t) {
            data.tokens.own()(1, i * n + t) = ((i >> t) & 1) != 0 ? -1.0 : 1.0;
            data.y(0, i) *= data.tokens(1, i * n + t);
        }
        data.offsets.push_back((i + 1) * n);
    }
    return data;
}

/// Noisy labels, so that nothing fits where there are more examples than the rank.
Dataset noisy(const std::string& layer, LabelKind labels) {
    Dataset data =
        layer_data({.layer = layer, .n = {1, 4}, .labels = labels, .count = 40, .levels = 1});
    for (Index i = 0; i < data.y.cols(); ++i) {
        data.y(i % data.o(), i) += static_cast<double>((i * i) % 7) / 4.0;
    }
    return data;
}

TEST(LeastRisk, OfParityIsThatOfGuessingFromThreeLettersOn) {
    EXPECT_EQ(least_risk(parity(2)).risk, 0);
    EXPECT_EQ(least_risk(parity(2)).verdict, LabelConsistency::consistent);
    for (const Index n : {3, 4, 6}) {
        const LeastRisk found = least_risk(parity(n));
        EXPECT_EQ(found.verdict, LabelConsistency::inconsistent);
        EXPECT_EQ(found.risk, 1) << "the product of all letters is orthogonal to every feature";
        EXPECT_EQ(found.power, 1);
    }
}

TEST(LeastRisk, IsReachedByItsCoefficientsAndProvedByResidualsThatNoFeatureSees) {
    for (const std::string& layer : layer_texts()) {
        for (const LabelKind labels : {LabelKind::per_sequence, LabelKind::per_prefix}) {
            const Dataset data = noisy(layer, labels);
            const MatrixOf<Rational> H = features_by_definition(data);
            const MatrixOf<Rational> y = labels_of(data);

            const LeastRisk found = least_risk(data);

            ASSERT_EQ(found.verdict, LabelConsistency::inconsistent) << layer << found.reason;
            const MatrixOf<Rational> residuals = y - H * found.P;
            EXPECT_TRUE(is_zero(H.transpose() * residuals)) << layer << ": no P does better";
            EXPECT_EQ(found.risk, mean_square(residuals)) << layer;
            EXPECT_EQ(found.power, mean_square(y)) << layer;
            for (std::size_t a = 0; a < found.duals.size(); ++a) {
                const VectorOf<Rational> dual = found.duals[a].cast<Rational>();
                EXPECT_TRUE(is_zero(H.transpose() * dual)) << layer;
                EXPECT_NE(dual.dot(y.col(static_cast<Index>(a))), 0) << layer;
            }
        }
    }
}

TEST(LeastRisk, GrowsWithEveryChangeOfTheCoefficientsWhereTheyAreUnique) {
    const Dataset data = noisy("linear", LabelKind::per_sequence);
    const MatrixOf<Rational> H = features_by_definition(data);
    const LeastRisk found = least_risk(data);
    ASSERT_EQ(found.rank, H.cols());
    for (Index j = 0; j < H.cols(); ++j) {
        MatrixOf<Rational> P = found.P;
        P(j, j % P.cols()) += Rational(1, 1000000);
        EXPECT_GT(mean_square(labels_of(data) - H * P), found.risk);
    }
}

TEST(LeastRisk, IsZeroForLabelsOfAPlantedLayerWhoseCoefficientsFitExactly) {
    for (const std::string layer : {"linear", "decay=2/3,1/3", "affine", "degree=0..2"}) {
        const Dataset data = layer_data({.layer = layer, .n = {1, 3}, .count = 12, .levels = 1});
        // Rational layers' labels are rounded to doubles: planted anew, where 12 examples are
        // independent anything fits.
        const LeastRisk found = least_risk(data);
        if (found.verdict == LabelConsistency::consistent) {
            EXPECT_EQ(found.risk, 0);
            EXPECT_TRUE(is_zero(labels_of(data) - features_by_definition(data) * found.P)) << layer;
            EXPECT_FALSE(inexpressible_proof(data, found)) << "there is nothing to prove";
        } else {
            EXPECT_GT(found.risk, 0) << layer;
        }
    }
}

TEST(LeastRisk, OfExamplesWithoutFeaturesIsThePowerOfTheLabels) {
    Dataset data;
    data.tokens = Matrix::Zero(2, 3);
    data.offsets = {0, 1, 2, 3};
    data.labels = LabelKind::per_sequence;
    data.y = Matrix::Constant(1, 3, 2.0);
    const LeastRisk found = least_risk(data);
    EXPECT_EQ(found.rank, 0);
    EXPECT_EQ(found.risk, 4);
    EXPECT_EQ(found.power, 4);
}

/// All words of n letters out of d, one-hot, with noise for labels: one group for each last letter.
Dataset words(Index d, Index n) {
    Dataset data;
    data.offsets = {0};
    data.labels = LabelKind::per_sequence;
    Index count = 1;
    for (Index t = 0; t < n; ++t) {
        count *= d;
    }
    data.tokens = Matrix::Zero(d, n * count);
    data.y = Matrix(2, count);
    for (Index i = 0; i < count; ++i) {
        Index rest = i;
        for (Index t = 0; t < n; ++t, rest /= d) {
            data.tokens.own()(rest % d, i * n + t) = 1.0;
        }
        data.y.col(i) << static_cast<double>((i * i) % 11) / 8.0, i % 5 == 0 ? 1.0 : 0.0;
        data.offsets.push_back((i + 1) * n);
    }
    return data;
}

TEST(LeastRisk, OfOneHotWordsIsThatOfEachLastLetterByItself) {
    const Dataset data = words(3, 3);
    const MatrixOf<Rational> H = features_by_definition(data);
    const MatrixOf<Rational> y = labels_of(data);

    const LeastRisk found = least_risk(data);

    EXPECT_EQ(found.rank, 9);
    const MatrixOf<Rational> residuals = y - H * found.P;
    EXPECT_TRUE(is_zero(H.transpose() * residuals)) << "no P does better";
    EXPECT_EQ(found.risk, mean_square(residuals));
    for (const IntegerVector& dual : found.duals) {
        EXPECT_TRUE(is_zero(H.transpose() * dual.cast<Rational>()));
    }
}

TEST(LeastRisk, OfManyLettersTakesTheMemoryOfTheFeaturesThatOccur) {
    // psi = 32800 and 1600 examples: 3.4 GB as a table, 120 KB as groups.
    const Dataset data = words(40, 2);
    const test::MemoryLimit limit(100000000);
    const LeastRisk found = least_risk(data);
    EXPECT_EQ(found.rank, 1600);
    EXPECT_EQ(found.verdict, LabelConsistency::consistent);
}

TEST(LeastRisk, IsUndecidedWhereTheLiftingExceedsItsBudget) {
    const Dataset data = layer_data({.layer = "linear", .d = 4, .count = 60, .levels = 0});
    const LeastRisk found = least_risk(data, {.budget_seconds = 0.0});
    EXPECT_EQ(found.verdict, LabelConsistency::undecided);
    EXPECT_SAYS(found.reason, "primes");
    EXPECT_FALSE(inexpressible_proof(data, found));
}

TEST(LeastRisk, NeedsLabels) {
    Dataset data = parity(2);
    data.labels = LabelKind::none;
    EXPECT_REFUSED("least_risk: the data set has no labels", least_risk(data));
}

TEST(InexpressibleProof, NamesTheLeastRiskAndARelationForEachOutput) {
    const Dataset data = parity(3);
    const std::optional<std::string> proof = inexpressible_proof(data, least_risk(data));
    ASSERT_TRUE(proof);
    EXPECT_NE(
        proof->find("\nclaim inexpressible 1 1\nrelation 0:1 1:-1 2:-1 3:1 4:-1 5:1 6:1 7:-1\n"
                    "end "),
        std::string::npos)
        << *proof;
}

TEST(LeastRiskSeconds, GrowWithTheRankAndWithTheBitsOfTheFeatures) {
    const auto data_of = [](Index levels, Index d) {
        return layer_data({.layer = "linear", .d = d, .n = {4, 4}, .count = 60, .levels = levels});
    };
    EXPECT_GT(least_risk_seconds(data_of(1, 4)), least_risk_seconds(data_of(1, 2)));
    EXPECT_GT(least_risk_seconds(data_of(1000, 3)), least_risk_seconds(data_of(1, 3)));
}

}  // namespace
}  // namespace attest::test
