#include "bench/experiments/text/softmax_heads.hpp"

#include "core/rng/sample.hpp"
#include "tests/support/error_message.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

namespace attest {
namespace {

Dataset small_data() {
    Dataset data;
    data.tokens = grid_matrix(grid_normal(), 3, 20, Stream(1).child("tokens"));
    data.y = grid_matrix(grid_normal(), 2, 5, Stream(1).child("y"));
    data.labels = LabelKind::per_sequence;
    data.offsets = {0, 4, 8, 12, 16, 20};
    return data;
}

TEST(SoftmaxHeads, AttendToEveryTokenAlikeWhenQIsZero) {
    const Dataset dataset = small_data();
    const PrefixData<double> data = prefix_data<double>(dataset);
    const SoftmaxHeads model(data, 1);
    Vector theta = Vector::Zero(model.num_parameters());
    const Matrix V{{1, 0, 0}, {0, 2, 0}};
    theta.head(6) = Eigen::Map<const Vector>(V.data(), 6);
    const Vector mean = data.sequence(2).rowwise().mean();
    EXPECT_LT((model.outputs(theta, data).col(2) - V * mean).norm(), 8.0 * 0x1p-52 * mean.norm());
}

TEST(SoftmaxHeads, GradientIsTheDifferenceQuotientOfTheLoss) {
    const Dataset dataset = small_data();
    const PrefixData<double> data = prefix_data<double>(dataset);
    const SoftmaxHeads model(data, 2);
    const Vector theta = model.start(Stream(3));
    std::vector<Index> all(5);
    std::iota(all.begin(), all.end(), Index{0});
    const Vector gradient = model.gradient(theta, all);
    // Central differences: truncation h²·f'''/6 and rounding ε/h meet at h = 2⁻¹⁷; what is left is
    // of size 2⁻³⁴ times derivatives of size 1 to 10.
    const double h = 0x1p-17;
    for (Index k = 0; k < theta.size(); ++k) {
        Vector up = theta;
        Vector down = theta;
        up(k) += h;
        down(k) -= h;
        const double slope = (model.loss(up, data) - model.loss(down, data)) / (2.0 * h);
        EXPECT_NEAR(gradient(k), slope, 0x1p-28) << k;
    }
}

TEST(SoftmaxHeads, RefuseLabelsAtEveryPrefix) {
    Dataset dataset = small_data();
    dataset.labels = LabelKind::per_prefix;
    dataset.y = Matrix::Ones(2, 20);
    const PrefixData<double> data = prefix_data<double>(dataset);
    EXPECT_EQ(test::invalid_input_message([&] { static_cast<void>(SoftmaxHeads(data, 1)); }),
              "SoftmaxHeads: got 1 heads and 4 labels a sequence, expected some and one");
}

}  // namespace
}  // namespace attest
