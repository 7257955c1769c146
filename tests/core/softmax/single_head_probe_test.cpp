#include "core/softmax/single_head_probe.hpp"

#include "core/softmax/attention.hpp"
#include "tests/support/error_message.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace attest {
namespace {

/// Entries from −1.5 to 1.5.
Matrix some_matrix(Index rows, Index cols, Index seed) {
    Matrix A(rows, cols);
    for (Index i = 0; i < rows; ++i) {
        for (Index j = 0; j < cols; ++j) {
            A(i, j) = static_cast<double>((i * 5 + j * 7 + seed * 3 + i * j) % 13 - 6) / 4.0;
        }
    }
    return A;
}

/// From the definition: Σ p_t V z_t with p_t ∝ exp(z_tᵀ A z).
Dataset answered(const Matrix& V, const Matrix& A) {
    Dataset data = softmax_queries(A.rows());
    data.labels = LabelKind::per_sequence;
    data.y.resize(V.rows(), data.num_sequences());
    for (Index s = 0; s < data.num_sequences(); ++s) {
        const Matrix Z = data.sequence(s);
        Vector weights = (Z.transpose() * A * Z.rightCols(1)).array().exp();
        weights /= weights.sum();
        data.y.col(s) = V * Z * weights;
    }
    return data;
}

TEST(SingleHeadProbe, ReadsValuesAndLogitsOffShortInputs) {
    for (const Index d : {1, 2, 3, 6}) {
        const Matrix V = some_matrix(2, d, 1);
        const Matrix A = some_matrix(d, d, 2);
        const SingleHead head = read_single_head(answered(V, A));
        EXPECT_TRUE(head.unread.empty()) << d;
        EXPECT_EQ(head.V, V) << "the answers to single tokens";
        EXPECT_LE((head.A - A).cwiseAbs().maxCoeff(), head.error) << d;
        EXPECT_LT(head.error, 1e-12) << d;
    }
}

TEST(SingleHeadProbe, AgreesWithTheSoftmaxLayerOfThePaper) {
    const Index d = 3;
    const SoftmaxHead paper{some_matrix(d, d, 4), some_matrix(d, d, 5)};
    Dataset data = softmax_queries(d);
    data.labels = LabelKind::per_sequence;
    data.y.resize(d, data.num_sequences());
    for (Index s = 0; s < data.num_sequences(); ++s) {
        const Matrix Z = data.sequence(s);
        data.y.col(s) = softmax_attention({paper}, Z, Z.cols()).rightCols(1);
    }
    const SingleHead head = read_single_head(data);
    EXPECT_LE((head.A - paper.Theta.transpose()).cwiseAbs().maxCoeff(), head.error);
    EXPECT_EQ(head.V, paper.W.transpose());
}

TEST(SingleHeadProbe, NamesTheLogitsThatNoAnswerShows) {
    Matrix V = some_matrix(2, 3, 1);
    V.col(1).setZero();
    Matrix A = some_matrix(3, 3, 2);
    A(2, 0) = 80.0;  // a weight of 1 in double
    const SingleHead head = read_single_head(answered(V, A));
    const std::vector<std::pair<Index, Index>> expected{{1, 0}, {1, 1}, {1, 2}, {2, 0}};
    EXPECT_EQ(head.unread, expected);
}

TEST(SingleHeadProbe, FindsThatTwoHeadsAreNotOne) {
    const Dataset first = answered(some_matrix(3, 3, 1), some_matrix(3, 3, 2));
    Dataset sum = answered(some_matrix(3, 3, 7), some_matrix(3, 3, 9));
    sum.y += first.y;
    EXPECT_GT(read_single_head(sum).misfit, 1e-3);
    EXPECT_LT(read_single_head(first).misfit, 1e-14);
}

TEST(SingleHeadProbe, RefusesOtherInputs) {
    Dataset data = answered(some_matrix(2, 2, 1), some_matrix(2, 2, 2));
    data.tokens.own()(0, 0) = 2.0;
    EXPECT_EQ(test::invalid_input_message([&] { (void)read_single_head(data); }),
              "read_single_head: the inputs are not those of attest probe --softmax --d 2");
    EXPECT_EQ(test::invalid_input_message([] { (void)read_single_head(softmax_queries(2)); }),
              "read_single_head: expected one answer for each sequence, under the key y, and no "
              "query");
}

}  // namespace
}  // namespace attest
