#include "core/questions/normalised_head.hpp"

#include "core/base/error.hpp"
#include "core/rng/sample.hpp"

#include <gtest/gtest.h>

namespace attest {
namespace {

/// Gaussian tokens, labelled by the sum over `heads` of normalised heads.
Dataset labelled(Index d, Index count, Index heads) {
    const Stream stream(5);
    Dataset data;
    data.tokens = grid_matrix(grid_normal(), d, 6 * count, stream.child("Z"));
    data.labels = LabelKind::per_sequence;
    data.y = Matrix::Zero(2, count);
    for (Index i = 0; i <= count; ++i) {
        data.offsets.push_back(6 * i);
    }
    for (Index h = 0; h < heads; ++h) {
        const Matrix V = grid_matrix(grid_normal(), 2, d, stream.child("V").child(h));
        const Matrix Q = grid_matrix(grid_normal(), d, d, stream.child("Q").child(h));
        for (Index i = 0; i < count; ++i) {
            const Vector scores = data.sequence(i).transpose() * (Q * data.tokens.col(6 * i + 5));
            data.y.col(i) += V * (data.sequence(i) * scores) / scores.sum();
        }
    }
    return data;
}

TEST(NormalisedHead, IsFoundUpToTheScaleOfQ) {
    for (const Index d : {1, 2, 3}) {
        const NormalisedHead found = fit_normalised_head(labelled(d, 80, 1));
        const Matrix V = grid_matrix(grid_normal(), 2, d, Stream(5).child("V").child(0));
        const Matrix Q = grid_matrix(grid_normal(), d, d, Stream(5).child("Q").child(0));
        EXPECT_LT((found.V - V).norm(), 1e-9 * V.norm()) << "d = " << d;
        const double cosine = found.Q.cwiseProduct(Q).sum() / Q.norm();
        EXPECT_NEAR(std::abs(cosine), 1.0, 1e-12);
        EXPECT_NEAR(found.Q.norm(), 1.0, 1e-12);
        EXPECT_LT(found.relative_risk, 1e-18);
    }
}

TEST(NormalisedHead, IsRefusedForTwoHeads) {
    EXPECT_THROW((void)fit_normalised_head(labelled(2, 80, 2)), NotAvailable);
}

TEST(NormalisedHead, IsRefusedWhereTheDataLeaveMoreOpen) {
    Dataset flat = labelled(2, 80, 1);
    flat.tokens.own().row(1) = flat.tokens.view().row(0);
    EXPECT_THROW((void)fit_normalised_head(flat), NotAvailable);
    EXPECT_THROW((void)fit_normalised_head(labelled(2, 7, 1)), NotAvailable) << "too few";
}

TEST(NormalisedHead, NeedsLabels) {
    Dataset data = labelled(2, 80, 1);
    data.labels = LabelKind::none;
    data.y.resize(0, 0);
    EXPECT_THROW((void)fit_normalised_head(data), InvalidInput);
}

}  // namespace
}  // namespace attest
