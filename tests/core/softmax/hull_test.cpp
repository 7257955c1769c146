#include "core/softmax/hull.hpp"

#include "core/algebra/lapack.hpp"
#include "core/base/error.hpp"
#include "core/rng/sample.hpp"
#include "core/softmax/attention.hpp"
#include "core/softmax/diagnostics.hpp"
#include "core/softmax/single_head_probe.hpp"
#include "tests/core/softmax/planted.hpp"
#include "tests/support/error_message.hpp"
#include "tests/support/problems.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

namespace attest::test {

namespace {

/// Rows whose logits all heads share, by construction: differences are projected so that every Θ_i
/// gives the same logit. `outliers` rows at the front get another logit.
SculptedRows agreeing_rows(const SoftmaxHeads& heads, Index count, Index outliers) {
    const Index d = heads.front().W.rows();
    SculptedRows rows{d,
                      1,
                      Vector::Ones(count),
                      normal_matrix(d, count, Stream(1)),
                      Matrix::Zero(d, count),
                      Matrix::Zero(d, count),
                      normal_matrix(d, count, Stream(2)),
                      Vector(count)};
    for (Index t = 0; t < count; ++t) {
        Matrix keys(d, static_cast<Index>(heads.size()) - 1);
        for (Index i = 0; i < keys.cols(); ++i) {
            keys.col(i) =
                (heads[static_cast<std::size_t>(i) + 1].Theta - heads[0].Theta).transpose() *
                rows.tokens.col(t);
        }
        Vector difference = rows.differences.col(t);
        for (Index sweep = 0; sweep < 2; ++sweep) {  // twice is enough (Parlett)
            for (Index i = 0; i < keys.cols(); ++i) {
                Vector key = keys.col(i);
                for (Index l = 0; l < i; ++l) {
                    key -= keys.col(l) * (keys.col(l).dot(key) / keys.col(l).squaredNorm());
                }
                keys.col(i) = key;
                difference -= key * (key.dot(difference) / key.squaredNorm());
            }
        }
        rows.differences.col(t) = difference;
        rows.logits(t) =
            rows.tokens.col(t).dot(heads[0].Theta * difference) + (t < outliers ? 1.0 : 0.0);
    }
    return rows;
}

SoftmaxHeads heads_of(Index d, Index m) {
    return Planted(setting(TokenLaw::gaussian, d, 2, m, 3.0), 1, m).heads();
}

TEST(SpectralHull, OfExactConstraintsContainsEveryHead) {
    for (Index m = 1; m <= 3; ++m) {
        const SoftmaxHeads heads = heads_of(4, m);

        const ThetaHull hull = spectral_hull(constraints_of(agreeing_rows(heads, 200, 0)), m);

        ASSERT_TRUE(hull.found);
        const HullError error = hull_error(hull, heads);
        // Total least squares on exact data: rounding times the condition of the 17−m non-zero
        // singular values, which the gap bounds from below.
        const double condition = hull.sigma(0) / hull.sigma(hull.sigma.size() - m - 1);
        EXPECT_LT(error.distance, 30.0 * 17.0 * 0x1p-52 * condition) << m;
        EXPECT_LT(error.angle_degrees, 60.0 * 30.0 * 17.0 * 0x1p-52 * condition) << m;
        EXPECT_GT(hull.gap, 1e6);
    }
}

/// Orthonormal basis of the linear span of (x, 1), x in the affine space: (d²+1)×m.
Matrix homogeneous(const Vector& x0, const Matrix& directions) {
    Matrix B = Matrix::Zero(x0.size() + 1, directions.cols() + 1);
    B.topLeftCorner(x0.size(), 1) = x0;
    B(x0.size(), 0) = 1.0;
    B.topRightCorner(x0.size(), directions.cols()) = directions;
    return thin_qr(B).Q;
}

Matrix homogeneous_hull(const SoftmaxHeads& heads) {
    const AffineHull own = affine_hull(flattened_thetas(heads));
    return homogeneous(own.x0, own.directions);
}

/// The sine of the largest angle between the columns' span A and the span B, both orthonormal.
double largest_sine(const Matrix& A, const Matrix& B) {
    return singular_values(A - B * (B.transpose() * A))(0);
}

/// What the first `outliers` rows can turn the hull by. The estimate B̂ minimises ‖diag(w) A B‖_F
/// over orthonormal B, A the rows (v, −c), so it does no worse than the truth B, which the good
/// rows G annihilate: w_good·‖G B̂‖ ≤ ‖diag(w) A B̂‖ ≤ w_bad·‖O B‖_F. And G B̂ = G·(part of B̂ off B),
/// so the sine is at most (w_bad/w_good)·‖O B‖_F/σ, σ the least singular value of G off B. A row
/// beyond 30 widths weighs 1/√901, one within the median's, of which a width is 1.5, at least 1/√(1
/// + 1/1.5²).
double outlier_bar(const AffineConstraints& constraints,
                   Index outliers,
                   const SoftmaxHeads& heads) {
    Matrix A(constraints.count(), constraints.v.rows() + 1);
    A << constraints.v.transpose(), -constraints.c;
    const Matrix B = homogeneous_hull(heads);
    const Vector sigma = singular_values(A.bottomRows(A.rows() - outliers));
    const double weights = std::sqrt((1.0 + 1.0 / 2.25) / 901.0);
    return weights * (A.topRows(outliers) * B).norm() / sigma(sigma.size() - B.cols() - 1);
}

TEST(SpectralHull, BearsAMinorityOfRowsOnWhichTheHeadsDisagree) {
    const SoftmaxHeads heads = heads_of(4, 2);
    const AffineConstraints constraints = constraints_of(agreeing_rows(heads, 400, 40));

    const ThetaHull hull = spectral_hull(constraints, 2);

    ASSERT_TRUE(hull.found);
    const Matrix found = homogeneous(hull.x0, hull.directions);
    const double bar = outlier_bar(constraints, 40, heads);
    EXPECT_LT(bar, 0.1) << "the bar says something";
    EXPECT_LT(largest_sine(homogeneous_hull(heads), found), bar);
    // The negative control: as many outliers as good rows leave nothing to find.
    const ThetaHull lost = spectral_hull(constraints_of(agreeing_rows(heads, 400, 300)), 2);
    EXPECT_GT(largest_sine(homogeneous_hull(heads), homogeneous(lost.x0, lost.directions)), bar);
}

TEST(SpectralHull, NeedsAsManyConstraintsAsUnknowns) {
    const SoftmaxHeads heads = heads_of(3, 2);
    EXPECT_FALSE(spectral_hull(constraints_of(agreeing_rows(heads, 10, 0)), 2).found);
    EXPECT_TRUE(spectral_hull(constraints_of(agreeing_rows(heads, 11, 0)), 2).found);
    EXPECT_REFUSED("spectral_hull: got m = 0",
                   spectral_hull(constraints_of(agreeing_rows(heads, 20, 0)), 0));
}

/// What ⟨x̄, Θ_i⟩ = ‖x̄‖² is asked for whatever the points are.
constexpr double kProductBar = 1e-10;

RC_GTEST_PROP(AffineHull, LeastNormPointHasTheSameProductWithEveryHead, (std::uint64_t seed)) {
    const Index m = *rc::gen::inRange<Index>(1, 5);
    const Matrix points = normal_matrix(16, m, Stream(seed));

    const AffineHull hull = affine_hull(points);

    // ⟨x̄, Θ_i⟩ = ‖x̄‖² for all i; the projection is off by the rounding of 16-term products,
    // magnified where the points are nearly dependent: ‖x̄‖ is at least σ_min/√m.
    const double scale = points.norm() * points.norm();
    for (Index i = 0; i < m; ++i) {
        const double error = std::abs(hull.x0.dot(points.col(i)) - hull.x0.squaredNorm());
        RC_ASSERT(error < 1000.0 * 16.0 * 0x1p-52 * scale);
        RC_ASSERT(error < kProductBar);
    }
    RC_ASSERT(hull.directions.cols() == m - 1);
}

TEST(AffineHull, OfTwoPointsOnALineIsTheFootOfThePerpendicular) {
    Matrix points(2, 2);
    points << 1.0, 1.0, 3.0, -5.0;

    const AffineHull hull = affine_hull(points);

    EXPECT_LT((hull.x0 - Eigen::Vector2d(1.0, 0.0)).norm(), 0x1p-48);
    EXPECT_LT(std::abs(std::abs(hull.directions(1, 0)) - 1.0), 0x1p-48);
}

TEST(GapFor, ReadsTheRatioBelowTheNullSpace) {
    ThetaHull hull;
    hull.sigma = Eigen::Vector4d(8.0, 4.0, 1.0, 0.5);
    EXPECT_EQ(gap_for(hull, 1), 2.0);
    EXPECT_EQ(gap_for(hull, 2), 4.0);
    EXPECT_THROW((void)gap_for(hull, 4), InvalidInput);
}

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
    EXPECT_REFUSED("read_single_head: the inputs are not those of attest probe --softmax --d 2",
                   read_single_head(data));
    EXPECT_REFUSED(
        "read_single_head: expected one answer for each sequence, under the key y, and no query",
        read_single_head(softmax_queries(2)));
}

}  // namespace

}  // namespace attest::test
