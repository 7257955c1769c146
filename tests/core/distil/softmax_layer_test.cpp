#include "core/distil/softmax_layer.hpp"

#include "core/data/model_arrays.hpp"
#include "tasks/agnostic_labels.hpp"
#include "tests/core/distil/softmax_problems.hpp"
#include "tests/support/error_message.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace attest::test {
namespace {

/// Sums of n exponentials and products of d entries, each relative to its own size: 30 roundings
/// for each of n·d terms.
double rounding(Index n, Index d, double size) {
    return 30.0 * static_cast<double>(n * d) * 0x1p-53 * size;
}

TEST(SoftmaxLayer, AveragesTwoTokensWithTheWeightsOfTheirScores) {
    SoftmaxLayer layer{1, 1, false, {{Matrix::Constant(1, 1, 2.0), Matrix::Ones(1, 1)}}, {}, 1.0};
    Dataset data;
    data.tokens = Matrix{{3.0, 1.0}};  // scores 3·1 and 1·1
    data.offsets = {0, 2};

    const double p = 1.0 / (1.0 + std::exp(-2.0));
    EXPECT_NEAR(outputs(layer, data)(0, 0), 2.0 * (3.0 * p + (1.0 - p)), 1e-15 * 8.0);

    layer.tau = 0.5;  // twice the temperature
    const double q = 1.0 / (1.0 + std::exp(-1.0));
    EXPECT_NEAR(outputs(layer, data)(0, 0), 2.0 * (3.0 * q + (1.0 - q)), 1e-15 * 8.0);
}

TEST(SoftmaxLayer, AgreesWithTheTasksOwnSoftmax) {
    const SoftmaxLayer layer = random_softmax(3, 2, 2, 0);
    const Dataset data = softmax_data(layer, "linear", 5, 20, 0);
    for (Index i = 0; i < 20; ++i) {
        Vector expected = Vector::Zero(2);
        for (const Head& head : layer.heads) {
            // The task divides scores by √d.
            expected += softmax_label(head.V, std::sqrt(3.0) * head.Q, data.sequence(i));
        }
        EXPECT_LT((data.y.col(i) - expected).norm(), rounding(5, 3, 8.0)) << i;
    }
}

TEST(SoftmaxLayer, OfPrefixesSeesTheTokensSoFar) {
    const SoftmaxLayer layer = random_softmax(2, 2, 1, 1);
    Dataset whole = softmax_data(layer, "linear", 4, 3, 1);
    Dataset prefixes = whole;
    prefixes.labels = LabelKind::per_prefix;
    const Matrix y = outputs(layer, prefixes);
    ASSERT_EQ(y.cols(), 12);
    for (Index i = 0; i < 3; ++i) {
        EXPECT_EQ(y.col(4 * i + 3), whole.y.col(i));
        const Vector first = layer.heads[0].V * whole.tokens.col(4 * i);
        EXPECT_LT((y.col(4 * i) - first).norm(), rounding(1, 2, 8.0)) << "one token has weight 1";
    }
}

TEST(SoftmaxLayer, OfAnImportedModelKeepsBiases) {
    Model model;
    model.d = 1;
    model.o = 1;
    model.layer = layer_named("affine");
    Matrix V(1, 2);
    V << 1.0, 2.0;
    model.layer_heads.heads = {{V, Matrix::Zero(2, 2), 0}};
    model.layer_heads.direct = Matrix::Zero(1, 2);
    model.layer_heads.direct(0, 0) = 10.0;
    Dataset data;
    data.tokens = Matrix{{3.0, 1.0}};
    data.offsets = {0, 2};

    // Scores 0: the mean token is 2, its value 1 + 2·2, and the output's bias 10.
    EXPECT_EQ(outputs(softmax_layer(model), data)(0, 0), 15.0);
}

TEST(SoftmaxLayer, OfOtherSumsIsRefusedByName) {
    Model model;
    model.d = 1;
    model.o = 1;
    model.layer = layer_named("decay=1/2");
    EXPECT_REFUSED("decay=1/2", softmax_layer(model));
    model.layer = {};
    EXPECT_REFUSED("coefficients only", softmax_layer(model));
}

TEST(SoftmaxLayerFile, ReadsModelsHeadsOfSoftmaxAndWeights) {
    const TemporaryFolder folder;
    const SoftmaxLayer layer = random_softmax(2, 2, 1, 3);
    const Head& head = layer.heads[0];
    const Dataset data = softmax_data(layer, "linear", 3, 4, 3);
    const auto expect_same = [&](const NpzWriter& file, const char* what) {
        file.write(folder.file("layer.npz"));
        const SoftmaxLayer read = read_softmax_layer(
            folder.file("layer.npz"), "", {.as = TrainedLayer::torch_mha, .scale = 1.0});
        EXPECT_LT((outputs(read, data) - data.y).norm(), rounding(12, 2, data.y.norm())) << what;
    };

    NpzWriter model;
    add_heads(model, "V", "Q", {2, 2, {head}});
    expect_same(model, "V and Q");

    NpzWriter softmax;
    add_heads(
        softmax, "truth_W", "truth_Theta", {2, 2, {{head.V.transpose(), head.Q.transpose()}}});
    expect_same(softmax, "truth_W and truth_Theta");

    NpzWriter weights;  // keys z, queries Q z, values z, output V
    NpyArray in{DType::float64, {6, 2}, {}};
    append_rows(in, head.Q);
    append_rows(in, Matrix::Identity(2, 2));
    append_rows(in, Matrix::Identity(2, 2));
    NpyArray out{DType::float64, {2, 2}, {}};
    append_rows(out, head.V);
    weights.add("in_proj_weight", in);
    weights.add("out_proj.weight", out);
    expect_same(weights, "PyTorch's names");
}

}  // namespace
}  // namespace attest::test
