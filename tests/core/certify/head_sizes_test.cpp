#include "core/certify/head_sizes.hpp"

#include "core/certify/local_determination.hpp"
#include "tests/reference/elimination.hpp"
#include "tests/support/error_message.hpp"
#include "tests/support/heads.hpp"
#include "tests/support/layer_examples.hpp"

#include <gtest/gtest.h>

namespace attest {
namespace {

struct FamilySizes {
    Index d;
    Index key;
    Index value;
    Index heads;
    Index dimension;  ///< of one layer of linear attention
};

Dataset size_examples(const std::string& layer, Index d, Index count) {
    return test::layer_data({.layer = layer, .d = d, .n = {3, 3}, .count = count, .seed = 1});
}

/// Heads that are products of integer matrices, exactly. These are of full rank: small integers
/// alone are not always.
Model product_model(const Dataset& data, const FamilySizes& sizes) {
    Model model{data.d(), data.o(), {}, {data.d(), data.o(), {}}, "", data.layer};
    model.input = data.layer_input();
    const SumShape shape = sum_shape(data.layer, model.input);
    Index drawn = 0;
    const auto draw = [&](Index rows, Index cols) {
        const Matrix small =
            test::nonzero_integers(rows, cols, Stream(5).child("factors").child(drawn++));
        return Matrix(small + 16.0 * Matrix::Identity(rows, cols));
    };
    for (Index h = 0; h < sizes.heads; ++h) {
        const Matrix V = draw(data.o(), sizes.value) * draw(sizes.value, shape.rows);
        const Matrix Q = draw(shape.columns, sizes.key) * draw(sizes.key, model.layout().m());
        if (data.layer.is_linear()) {
            model.heads.heads.push_back({V, Q});
        } else {
            model.layer_heads.heads.push_back({V, Q, h % num_sums(data.layer)});
        }
    }
    return model;
}

LocalDetermination judged_with(const Dataset& data, const Model& model, HeadSizes sizes) {
    return local_determination(data, certify_rank(data), model, sizes);
}

/// The data with d outputs.
Dataset with_outputs(Dataset data) {
    data.y = Matrix::Ones(data.d(), data.num_examples());
    data.labels = LabelKind::per_sequence;
    return data;
}

// Counts of independent programs; (4, 2, 2) with two heads has 64 entries and not the 60
// dimensions of heads of full size.
TEST(HeadSizes, DimensionsAreThoseOfHeadsAsTheyAreTrained) {
    for (const FamilySizes& sizes : {FamilySizes{2, 1, 1, 1, 5},
                                     FamilySizes{2, 1, 1, 3, 12},
                                     FamilySizes{3, 1, 1, 2, 18},
                                     FamilySizes{3, 2, 3, 2, 32},
                                     FamilySizes{3, 2, 3, 3, 45},
                                     FamilySizes{4, 2, 2, 2, 46},
                                     FamilySizes{4, 3, 4, 2, 60},
                                     FamilySizes{4, 1, 2, 3, 54}}) {
        const Dataset data = with_outputs(size_examples("linear", sizes.d, 60));
        const LocalDetermination found =
            judged_with(data, product_model(data, sizes), {sizes.key, sizes.value});
        const auto said = testing::Message() << sizes.d << " " << sizes.key << " " << sizes.value;
        EXPECT_EQ(found.dimension, sizes.dimension) << said;
        EXPECT_EQ(found.rank, sizes.dimension) << said;
        EXPECT_EQ(found.verdict, LocalVerdict::determined) << said;
        EXPECT_EQ(found.parameters, 2 * sizes.heads * sizes.d * (sizes.key + sizes.value)) << said;
        EXPECT_LT(found.rounded_by, 30 * std::numeric_limits<double>::epsilon()) << said;
    }
}

TEST(HeadSizes, FullSizesHaveTheDimensionOfTheEntries) {
    for (const std::string layer : {"linear", "affine", "decay=1,1/2", "cross"}) {
        const Dataset data = size_examples(layer, 3, 12);
        const Model model = product_model(data, {3, 3, 3, 2, 0});
        const LocalDetermination full = judged_with(data, model, {});
        const LocalDetermination found = judged_with(data, model, {100, 100});
        EXPECT_EQ(found.dimension, full.dimension) << layer;
        EXPECT_EQ(found.rank, full.rank) << layer;
        EXPECT_FALSE(full.sizes.has_value());
    }
}

TEST(HeadSizes, FullHeadsSayThatTheModelsAreSmaller) {
    const Dataset data = with_outputs(size_examples("linear", 4, 60));
    const LocalDetermination found = judged_with(data, product_model(data, {4, 2, 1, 2, 0}), {});
    ASSERT_TRUE(found.ranks.has_value());
    EXPECT_EQ(found.ranks->key, 2);
    EXPECT_EQ(found.ranks->value, 1);
    EXPECT_FALSE(judged_with(data, product_model(data, {4, 4, 4, 2, 0}), {}).ranks.has_value());
}

/// P of two heads of d = 3 with keys of one entry and values of two, from their factors in order:
/// O, V, K, Q of each head, row by row.
MatrixOf<Rational> coefficients_of_factors(const std::vector<double>& factors) {
    const double* at = factors.data();
    const auto next = [&](Index rows, Index cols) {
        MatrixOf<Rational> A(rows, cols);
        for (Index k = 0; k < A.size(); ++k) {
            A(k / cols, k % cols) = Rational(*at++);
        }
        return A;
    };
    const SumShape shape = sum_shape({}, {.d = 3});
    MatrixOf<Rational> P = MatrixOf<Rational>::Zero(feature_dim(3), 3);
    for (Index h = 0; h < 2; ++h) {
        const MatrixOf<Rational> O = next(3, 2);
        const MatrixOf<Rational> V = O * next(2, 3);
        const MatrixOf<Rational> K = next(1, 3);
        const MatrixOf<Rational> Q = K.transpose() * next(1, 3);
        for (Index j = 0; j < 3; ++j) {
            for (Index k = 0; k < 3; ++k) {
                for (Index l = 0; l < 3; ++l) {
                    P.row(entry_of_sum(shape, j, k) * 3 + l) += V.col(j).transpose() * Q(k, l);
                }
            }
        }
    }
    return P;
}

TEST(HeadSizes, FewExamplesLeaveTheFamilyOpenAndTheRankIsThatOfDifferences) {
    const FamilySizes sizes{3, 1, 2, 2, 0};
    const Dataset data = with_outputs(size_examples("linear", 3, 4));
    const Model model = product_model(data, sizes);
    const LocalDetermination found = judged_with(data, model, {sizes.key, sizes.value});
    EXPECT_LT(found.rank, found.dimension);
    EXPECT_EQ(found.verdict, LocalVerdict::not_determined);
    EXPECT_FALSE(found.direction.has_value());

    // An output is affine in each single factor, so that differences are exact derivatives.
    const HeadProducts products(2, 3, 3, 3, 3, 0, {sizes.key, sizes.value});
    const FactoredHeads factored = products.factored(heads_of(model));
    const MatrixOf<Rational> H = test::features_by_definition(data);
    const auto outputs = [&](const std::vector<double>& factors) {
        return MatrixOf<Rational>(H * coefficients_of_factors(factors));
    };
    reference::Rows derivatives;
    const MatrixOf<Rational> before = outputs(factored.factors);
    for (std::size_t i = 0; i < factored.factors.size(); ++i) {
        std::vector<double> raised = factored.factors;
        // By a power of two near it: no bit is lost.
        const MatrixOf<Rational> change = outputs([&] {
                                              raised[i] *= 2.0;
                                              return raised;
                                          }()) -
                                          before;
        derivatives.emplace_back(change.reshaped().begin(), change.reshaped().end());
    }
    EXPECT_EQ(found.rank, static_cast<Index>(reference::reference_rank(derivatives)));
}

TEST(HeadSizes, HeadsOfLargerRankAreRefusedByNumber) {
    const Dataset data = with_outputs(size_examples("linear", 3, 30));
    const Model model = product_model(data, {3, 2, 2, 2, 0});
    EXPECT_REFUSED("Q of head 0 has rank 2", judged_with(data, model, {1, 2}));
    EXPECT_REFUSED("V of head 0 has rank 2", judged_with(data, model, {2, 1}));
    EXPECT_NO_THROW((void)judged_with(data, model, {2, 2}));
}

TEST(HeadSizes, HeadsOfZerosHaveTheSmallestSizeAndNotTheFullOne) {
    LayerHeads zeros;
    zeros.heads.assign(2, {Matrix::Zero(3, 3), Matrix::Zero(3, 3)});
    EXPECT_FALSE(numerical_sizes(zeros).is_full());
}

TEST(HeadSizes, SurplusSizeIsASpecialPoint) {
    const Dataset data = with_outputs(size_examples("linear", 3, 10));
    const LocalDetermination found =
        judged_with(data, product_model(data, {3, 1, 1, 1, 0}), {2, 2});
    EXPECT_LT(found.at_model, found.dimension);
    EXPECT_EQ(found.verdict, LocalVerdict::singular);
}

TEST(HeadSizes, ProductsAndTheirDerivativesAreThoseOfMatrices) {
    const HeadProducts products(1, 1, 2, 2, 1, 1, {1, 1});
    const Modulus p;
    // O = 2, W = (3 5), K = (7 11), R = 13, and 17 behind.
    const std::vector<Residue> factors{2, 3, 5, 7, 11, 13, 17};
    EXPECT_EQ(products.product(p, factors), (std::vector<Residue>{6, 10, 91, 143, 17}));
    ModularMatrix one_by_one(5, 5);
    for (Index k = 0; k < 5; ++k) {
        one_by_one(k, k) = 1;
    }
    const ModularMatrix by = products.by_factors(p, one_by_one, factors);
    ASSERT_EQ(by.rows(), 5);
    ASSERT_EQ(by.cols(), 7);
    EXPECT_EQ(by(1, 0), 5U);  // V_2 = O W_2
    EXPECT_EQ(by(1, 2), 2U);
    EXPECT_EQ(by(3, 4), 13U);  // Q_2 = K_2 R
    EXPECT_EQ(by(3, 5), 11U);
    EXPECT_EQ(by(4, 6), 1U);
    EXPECT_EQ(by(0, 2), 0U);
    // Rows of derivatives by the entries: 4 and 7 by V_1 and V_2, 1 by Q_1.
    ModularMatrix rows(1, 5);
    rows(0, 0) = 4;
    rows(0, 1) = 7;
    rows(0, 2) = 1;
    const ModularMatrix chained = products.by_factors(p, rows, factors);
    EXPECT_EQ(chained(0, 0), 4U * 3U + 7U * 5U);
    EXPECT_EQ(chained(0, 2), 7U * 2U);
    EXPECT_EQ(chained(0, 3), 13U);
    EXPECT_EQ(chained(0, 5), 7U);
}

}  // namespace
}  // namespace attest
