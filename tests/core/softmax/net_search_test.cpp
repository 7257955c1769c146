#include "core/softmax/net_search.hpp"

#include "core/algebra/lapack.hpp"
#include "core/base/error.hpp"
#include "core/softmax/diagnostics.hpp"
#include "tests/core/softmax/planted.hpp"
#include "tests/support/problems.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

namespace attest::test {
namespace {

RC_GTEST_PROP(BestTuples, AreThoseOfExhaustiveLeastSquares, (std::uint64_t seed)) {
    const Index d = *rc::gen::inRange<Index>(1, 4);
    const Index m = *rc::gen::inRange<Index>(1, 5);
    const Index blocks = m + *rc::gen::inRange<Index>(0, 4);
    const Matrix Z = normal_matrix(blocks * d, 60, Stream(seed).child("Z"));
    const Matrix Y = normal_matrix(2, 60, Stream(seed).child("Y"));

    const std::vector<std::vector<Index>> best =
        best_tuples(Z * Z.transpose(), Z * Y.transpose(), d, m, 3);

    // Every subset by QR: mask over the blocks.
    std::vector<std::pair<double, std::vector<Index>>> all;
    for (Index mask = 0; mask < (Index{1} << blocks); ++mask) {
        std::vector<Index> subset;
        Matrix rows(0, 60);
        for (Index i = 0; i < blocks; ++i) {
            if ((mask >> i) % 2 == 1) {
                subset.push_back(i);
                rows.conservativeResize(rows.rows() + d, 60);
                rows.bottomRows(d) = Z.middleRows(i * d, d);
            }
        }
        if (static_cast<Index>(subset.size()) == m) {
            all.emplace_back(
                -(thin_qr(rows.transpose()).Q.transpose() * Y.transpose()).squaredNorm(), subset);
        }
    }
    std::sort(all.begin(), all.end());
    RC_ASSERT(best.size() == std::min<std::size_t>(3, all.size()));
    for (std::size_t i = 0; i < best.size(); ++i) {
        RC_ASSERT(best[i] == all[i].second);
    }
}

ThetaHull true_hull(const SoftmaxHeads& heads) {
    const AffineHull own = affine_hull(flattened_thetas(heads));
    ThetaHull hull;
    hull.x0 = own.x0;
    hull.directions = own.directions;
    hull.found = true;
    return hull;
}

TEST(NetPoints, AreTheGridOfABall) {
    ThetaHull hull;
    hull.x0 = Vector::Zero(9);
    hull.directions = Matrix::Identity(9, 2);
    NetOptions options;
    // 13 points an axis, the corners cut off: 113 points; one axis keeps all 41.
    EXPECT_EQ(net_points(hull, options).cols(), 113);
    hull.directions = Matrix::Identity(9, 1);
    EXPECT_EQ(net_points(hull, options).cols(), 41);
    hull.directions = Matrix(9, 0);
    EXPECT_EQ(net_points(hull, options).cols(), 1);
    hull.x0(0) = 1.5;
    EXPECT_EQ(net_points(hull, options).cols(), 0);
}

TEST(NetSearch, FindsTheHeadsInTheirOwnHull) {
    const Planted planted(setting(TokenLaw::gaussian, 4, 2, 2, 3.0), 300, 1);
    const SoftmaxExamples training = planted.source().draw(0, 300);
    NetOptions options;
    options.largest_norm = 4.5;

    const NetSearch search = net_search(true_hull(planted.heads()), training, options);

    ASSERT_EQ(search.status, NetStatus::searched);
    EXPECT_EQ(search.tuples, 820.0);
    ASSERT_EQ(search.best.size(), 5U);
    // Half a grid step of at most 2·4.5/40 on a norm of 3.
    EXPECT_LT(recovery_error(search.best.front().heads, planted.heads()).theta, 0.5 * 0.225 / 3.0);
    EXPECT_LE(search.best[0].relative_error, search.best[4].relative_error);
}

TEST(NetSearch, SaysWhenTheWindowOrTheBudgetIsTooSmall) {
    const Planted planted(setting(TokenLaw::gaussian, 3, 2, 2, 3.0), 50, 2);
    const SoftmaxExamples training = planted.source().draw(0, 50);
    const ThetaHull hull = true_hull(planted.heads());
    NetOptions options;
    options.largest_norm = 0.1;
    EXPECT_EQ(net_search(hull, training, options).status, NetStatus::empty);
    options.largest_norm = 4.5;
    options.most_tuples = 819.0;
    EXPECT_EQ(net_search(hull, training, options).status, NetStatus::budget);
}

TEST(FitValues, RecoversTheValuesOfTheTrueThetas) {
    const Planted planted(setting(TokenLaw::gaussian, 4, 2, 3, 3.0), 200, 3);

    const NetTuple fit =
        fit_values_to(flattened_thetas(planted.heads()), planted.source().draw(0, 200));

    // Relative residuals at rounding level square to 1e-29 or so; 200·8 rows of 12 columns.
    EXPECT_LT(fit.relative_error, 1600.0 * 12.0 * 0x1p-104);
    EXPECT_LT(recovery_error(fit.heads, planted.heads()).value, 30.0 * 1600.0 * 0x1p-52);
}

}  // namespace
}  // namespace attest::test
