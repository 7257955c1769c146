#include "core/certify/local_determination.hpp"

#include "core/features/predict.hpp"
#include "tests/reference/elimination.hpp"
#include "tests/support/error_message.hpp"
#include "tests/support/heads.hpp"
#include "tests/support/layer_examples.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace attest {
namespace {

/// Random heads with entries ±1, ±2, ±3, kernels in turn.
Model integer_heads(const Dataset& data, Index count, std::uint64_t seed) {
    Model model{data.d(), data.o(), {}, {data.d(), data.o(), {}}, "", data.layer};
    model.input = data.layer_input();
    const SumShape shape = sum_shape(data.layer, model.input);
    const Index m = model.layout().m();
    Index drawn = 0;
    const auto draw = [&](Index rows, Index cols) {
        return test::nonzero_integers(rows, cols, Stream(seed).child("heads").child(drawn++));
    };
    for (Index h = 0; h < count; ++h) {
        const Matrix V = draw(data.o(), shape.rows);
        const Matrix Q = draw(shape.columns, m);
        if (data.layer.is_linear()) {
            model.heads.heads.push_back({V, Q});
        } else {
            model.layer_heads.heads.push_back({V, Q, h % num_sums(data.layer)});
        }
    }
    if (data.layer.affine) {
        model.layer_heads.direct = draw(data.o(), m);
    }
    return model;
}

Matrix coefficients_of(const Model& model, const LayerHeads& heads) {
    return coefficients(model.layer, model.input, model.o, heads);
}

/// Every entry of the heads, in turn raised by one.
std::vector<LayerHeads> raised_by_one(const LayerHeads& heads) {
    std::vector<LayerHeads> all;
    const auto raise = [&](Index size, const auto& entry) {
        for (Index i = 0; i < size; ++i) {
            all.push_back(heads);
            entry(all.back(), i) += 1.0;
        }
    };
    for (std::size_t h = 0; h < heads.heads.size(); ++h) {
        raise(heads.heads[h].V.size(),
              [h](LayerHeads& to, Index i) -> double& { return to.heads[h].V.data()[i]; });
        raise(heads.heads[h].Q.size(),
              [h](LayerHeads& to, Index i) -> double& { return to.heads[h].Q.data()[i]; });
    }
    raise(heads.direct.size(),
          [](LayerHeads& to, Index i) -> double& { return to.direct.data()[i]; });
    return all;
}

/// Rank of the outputs' derivatives, from differences: an output is affine in each single entry.
Index rank_by_differences(const Dataset& data, const Model& model) {
    const LayerHeads heads = heads_of(model);
    const MatrixOf<Rational> H = test::features_by_definition(data);
    const Matrix P = coefficients_of(model, heads);
    reference::Rows transposed;
    for (const LayerHeads& raised : raised_by_one(heads)) {
        const Matrix change = coefficients_of(model, raised) - P;
        const MatrixOf<Rational> outputs = H * change.cast<Rational>();
        transposed.emplace_back(outputs.reshaped().begin(), outputs.reshaped().end());
    }
    return static_cast<Index>(reference::reference_rank(transposed));
}

Dataset examples_of(const std::string& layer, Index d, Index count, std::uint64_t seed = 1) {
    return test::layer_data({.layer = layer, .d = d, .n = {3, 3}, .count = count, .seed = seed});
}

LocalDetermination judged(const Dataset& data, const Model& model) {
    return local_determination(data, certify_rank(data), model);
}

TEST(LocalDetermination, RanksAreThoseOfExactElimination) {
    for (const std::string& layer : test::layer_texts()) {
        if (!has_heads(layer_named(layer))) {
            continue;
        }
        for (const Index d : {2, 3}) {
            for (const Index count : {2, 5, 9}) {
                const Dataset data = examples_of(layer, d, count);
                const Model model = integer_heads(data, 2, 7);
                EXPECT_EQ(judged(data, model).rank, rank_by_differences(data, model))
                    << layer << ", d = " << d << ", N = " << count;
            }
        }
    }
    const Dataset data = examples_of("linear", 4, 12);
    const Model model = integer_heads(data, 2, 7);
    EXPECT_EQ(judged(data, model).rank, rank_by_differences(data, model));
}

// V has 2·d entries, Q d²; only V → cV, Q → Q/c changes nothing.
TEST(LocalDetermination, OneHeadHasOneEntryLessThanItsMatrices) {
    for (const Index d : {2, 3, 4}) {
        const Dataset data = examples_of("linear", d, 40);
        const LocalDetermination found = judged(data, integer_heads(data, 1, 3));
        EXPECT_EQ(found.parameters, 2 * d + d * d);
        EXPECT_EQ(found.dimension, found.parameters - 1);
        EXPECT_EQ(found.examples, (found.dimension + 1) / 2);
    }
}

TEST(LocalDetermination, FewHeadsAreDeterminedByFewerExamplesThanFeatures) {
    for (const std::string layer : {"linear", "decay=1,1/2", "cross"}) {
        const Dataset data = examples_of(layer, 3, 10, 4);
        const ExactRank rank = certify_rank(data);
        ASSERT_EQ(rank.verdict, RankVerdict::deficient) << layer;
        const LocalDetermination found = local_determination(data, rank, integer_heads(data, 1, 5));
        EXPECT_EQ(found.verdict, LocalVerdict::determined) << layer;
        EXPECT_LT(found.examples, rank.psi);
    }
}

// Squares that add up to 2⁶¹ − 1: modulo this prime the last example says nothing.
TEST(LocalDetermination, WhatChangesPAndNoFunctionIsNoOtherFunction) {
    // The token that asks is summed too: of z_j z_k z_l some products are one feature twice.
    for (const std::string layer : {"window=1", "lags=2"}) {
        const Dataset data =
            test::layer_data({.layer = layer, .d = 2, .n = {6, 6}, .count = 200, .seed = 3});
        const Model model = integer_heads(data, 4, 4);
        const LocalDetermination found = local_determination(data, certify_rank(data), model, {});
        EXPECT_EQ(found.verdict, LocalVerdict::determined) << layer;
        EXPECT_EQ(found.rank, found.dimension) << layer;
    }
}

TEST(LocalDetermination, QueriesElsewhereLeaveFewerIdentities) {
    // The first of two tokens asks, the last alone is summed: no product is one feature twice.
    Dataset data =
        test::layer_data({.layer = "window=1", .d = 2, .n = {2, 2}, .count = 4, .seed = 3});
    data.query.assign(4, 0);
    data.y = Matrix::Zero(1, 4);
    const Model model = integer_heads(data, 1, 4);
    const LocalDetermination found = local_determination(data, certify_rank(data), model, {});
    EXPECT_EQ(found.dimension, 5) << "6 entries less a scale; where the last asks, 4 of 6 features";
    EXPECT_EQ(found.rank, 4);
    EXPECT_NE(found.verdict, LocalVerdict::determined);
}

TEST(LocalDetermination, OfNumbersThatVanishModuloAPrimeIsThatOfTheirNeighbours) {
    const Matrix Z{{1, -3, 0, 1, 3, -2, 0, -3, -3, -2, -2, 2, -2, -2, -2, 2, 0, 0, 0, 0},
                   {2, 2, 0, -1, -3, -1, -1, -3, -3, 3, 1, -2, 0, 3, 3, 2, 0, 0, 0, 0}};
    for (const double more : {0.0, 1.0}) {
        Dataset data;
        data.tokens = TokenMatrix(Z);
        data.tokens.own().row(0).tail(4) << 273812685.0 + more, 182224143.0, 1449130794.0,
            312544279.0;
        data.offsets = {0, 4, 8, 12, 16, 20};
        data.labels = LabelKind::per_sequence;
        data.y = Matrix::Ones(1, 5);
        Model model;
        model.d = 2;
        model.o = 1;
        model.heads = {2, 1, {{Matrix{{1.0, 2.0}}, Matrix{{1.0, 3.0}, {-2.0, 5.0}}}}};
        const LocalDetermination found = judged(data, model);
        EXPECT_EQ(found.rank, 5);
        EXPECT_EQ(found.verdict, LocalVerdict::determined);
    }
}

/// The heads after a step along the direction.
LayerHeads moved(LayerHeads heads, const LayerHeads& direction, double step) {
    for (std::size_t h = 0; h < heads.heads.size(); ++h) {
        heads.heads[h].V += step * direction.heads[h].V;
        heads.heads[h].Q += step * direction.heads[h].Q;
    }
    if (heads.direct.size() > 0) {
        heads.direct += step * direction.direct;
    }
    return heads;
}

LayerHeads absolute(LayerHeads heads) {
    for (LayerHead& head : heads.heads) {
        head.V = head.V.cwiseAbs();
        head.Q = head.Q.cwiseAbs();
    }
    heads.direct = heads.direct.cwiseAbs();
    return heads;
}

Dataset absolute(Dataset data) {
    data.tokens = data.tokens.view().cwiseAbs();
    data.columns.phi = data.columns.phi.cwiseAbs();
    return data;
}

double largest_output(const Matrix& P, const Dataset& data) {
    return predict(P, DatasetSource(data)).cwiseAbs().maxCoeff();
}

TEST(LocalDetermination, WithTooFewExamplesADirectionChangesTheFunctionOnly) {
    for (const std::string layer : {"linear", "decay=1,1/2", "affine", "mapped", "gates=vector"}) {
        const Dataset data = examples_of(layer, 3, 4, 4);
        const Model model = integer_heads(data, 1, 5);
        const LocalDetermination found = judged(data, model);
        ASSERT_EQ(found.verdict, LocalVerdict::not_determined) << layer;
        ASSERT_TRUE(found.direction) << layer;
        const double step = 0x1p-20;
        const LayerHeads heads = heads_of(model);
        const Matrix change = coefficients_of(model, moved(heads, *found.direction, step)) -
                              coefficients_of(model, heads);
        // Coefficients are of degree 2 in V and Q, of degree 1 in the direct part: what is beyond
        // first order is step² times those of the direction without its direct part.
        LayerHeads quadratic = *found.direction;
        quadratic.direct.setZero();
        const Matrix second = step * step * coefficients_of(model, quadratic);
        // Each output is a sum of at most ψ products of features, sums over n tokens, and
        // coefficients, sums over the heads; heads and direction are rounded: Higham 2002 §3.1.
        const Matrix sizes =
            coefficients_of(model, moved(absolute(heads), absolute(*found.direction), step));
        const double roundings = static_cast<double>(data.layout().psi() + 3 + 1 + 10) *
                                 std::numeric_limits<double>::epsilon();
        EXPECT_LE(largest_output(change, data),
                  largest_output(second, data) + roundings * largest_output(sizes, absolute(data)))
            << layer;
        EXPECT_GT(change.cwiseAbs().maxCoeff(),
                  second.cwiseAbs().maxCoeff() + roundings * sizes.maxCoeff())
            << layer << ": the function changes to first order";
    }
}

/// Two heads, the second all zeros: it may turn into any direction, and ranks are below those
/// nearby.
LocalVerdict at_a_special_point(Index d, Index count) {
    const Dataset data = examples_of("linear", d, count);
    Model model = integer_heads(data, 2, 3);
    model.heads.heads[1].V.setZero();
    model.heads.heads[1].Q.setZero();
    return judged(data, model).verdict;
}

TEST(LocalDetermination, ASpecialPointIsDeterminedByDataOfFullRankOnly) {
    EXPECT_EQ(at_a_special_point(3, 12), LocalVerdict::singular);
    EXPECT_EQ(at_a_special_point(2, 30), LocalVerdict::determined);
}

TEST(LocalDetermination, RefusesWhatHasNoHeadsOrIsOfAnotherLayer) {
    const Dataset data = examples_of("linear", 2, 5);
    Model model = integer_heads(data, 0, 1);
    EXPECT_REFUSED("few heads: the model has no heads", judged(data, model));
    const Dataset other = examples_of("decay=1/2", 2, 5);
    EXPECT_REFUSED("few heads: the model is of layer linear, d = 2, o = 2",
                   judged(other, integer_heads(data, 1, 1)));
}

}  // namespace
}  // namespace attest
