#include "core/train/prefix_data.hpp"

#include "core/algebra/symmetric_pack.hpp"
#include "core/base/error.hpp"
#include "core/train/residuals.hpp"
#include "tests/core/train/problem.hpp"
#include "tests/support/error_message.hpp"
#include "tests/support/problems.hpp"

#include <gtest/gtest.h>

namespace attest {
namespace {

using test::prefix_dataset;

TEST(PrefixData, HoldsTheSequencesAndTheMeanSquareOfTheirLabels) {
    Dataset data;
    data.tokens = Matrix{{1, 2, 3, 4}};
    data.offsets = {0, 2, 4};
    data.labels = LabelKind::per_prefix;
    data.y = Matrix{{1, -1, 3, 1}};

    const PrefixData<float> prefixes = prefix_data<float>(data);

    EXPECT_EQ(prefixes.length, 2);
    EXPECT_EQ(prefixes.num_sequences, 2);
    EXPECT_EQ(prefixes.sequence(1), (MatrixOf<float>{{3.0F, 4.0F}}));
    EXPECT_EQ(prefixes.labels(1), (MatrixOf<float>{{3.0F, 1.0F}}));
    EXPECT_EQ(prefixes.label_power, 3.0);
}

TEST(PrefixData, PackedPrefixesAreThePackedProducts) {
    const PrefixData<double> data = prefix_data<double>(prefix_dataset(3, 1, 5, 2));
    const Matrix S = packed_prefixes(data, 1);
    for (Index t = 0; t < 5; ++t) {
        const Matrix Z = data.sequence(1).leftCols(t + 1);
        // Tokens on a grid: every order of summation gives the same double.
        EXPECT_EQ(S.col(t), pack<double>(Z * Z.transpose())) << t;
    }
}

TEST(PrefixData, OneLabelASequenceBelongsToAllItsTokens) {
    const PrefixData<double> whole =
        prefix_data<double>(prefix_dataset(3, 1, 5, 2, 0, LabelKind::per_sequence));
    const PrefixData<double> prefixes = prefix_data<double>(prefix_dataset(3, 1, 5, 2));

    EXPECT_EQ(whole.labelled, 1);
    EXPECT_EQ(whole.queries(1), prefixes.sequence(1).rightCols(1));
    EXPECT_EQ(whole.labels(1), prefixes.labels(1).rightCols(1));
    EXPECT_EQ(packed_prefixes(whole, 1), packed_prefixes(prefixes, 1).rightCols(1));
}

TEST(PrefixData, RefusesTwoLengthsAndNothingToLearn) {
    Dataset data = prefix_dataset(2, 1, 4, 2);
    data.offsets = {0, 3, 8};
    EXPECT_EQ(test::invalid_input_message([&] { (void)prefix_data<double>(data); }),
              "prefix_data: sequence 1 has 5 tokens, expected 3 as in sequence 0");
    data = prefix_dataset(2, 1, 4, 2);
    data.labels = LabelKind::none;
    data.y.resize(0, 0);
    EXPECT_EQ(test::invalid_input_message([&] { (void)prefix_data<double>(data); }),
              "prefix_data: got no labels, expected some");
    data = prefix_dataset(2, 1, 4, 2);
    data.y.setZero();
    EXPECT_EQ(test::invalid_input_message([&] { (void)prefix_data<double>(data); }),
              "prefix_data: every label is zero, nothing can be learned");
}

}  // namespace
}  // namespace attest
