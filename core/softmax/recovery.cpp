#include "core/softmax/recovery.hpp"

#include "core/algebra/flatten.hpp"
#include "core/algebra/lapack.hpp"
#include "core/base/error.hpp"
#include "core/base/text.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>
#include <vector>

namespace attest {

namespace {

constexpr std::size_t kMostMatched = 8;

double relative_distance(const Matrix& estimate, const Matrix& truth) {
    return (estimate - truth).norm() / truth.norm();
}

}  // namespace

RecoveryError recovery_error(const SoftmaxHeads& learned, const SoftmaxHeads& planted) {
    require(learned.size() == planted.size() && !planted.empty() && planted.size() <= kMostMatched,
            "recovery_error: got {} learned and {} planted heads, expected as many, from 1 to {}",
            learned.size(),
            planted.size(),
            kMostMatched);
    std::vector<std::size_t> order(planted.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    RecoveryError best{std::numeric_limits<double>::infinity(), 0.0};
    do {
        RecoveryError error;
        for (std::size_t i = 0; i < planted.size(); ++i) {
            const SoftmaxHead& head = learned[order[i]];
            error.theta = std::max(error.theta, relative_distance(head.Theta, planted[i].Theta));
            error.value = std::max(error.value, relative_distance(head.W, planted[i].W));
        }
        if (error.worst() < best.worst()) {
            best = error;
        }
    } while (std::next_permutation(order.begin(), order.end()));
    return best;
}

SoftmaxOutcome outcome_against(SoftmaxOutcome outcome,
                               const SoftmaxHeads& learned,
                               const SoftmaxHeads& planted) {
    if (learned.size() == planted.size()) {
        return outcome;
    }
    return outcome == SoftmaxOutcome::recovered || outcome == SoftmaxOutcome::predicts
               ? SoftmaxOutcome::predicts
               : SoftmaxOutcome::failed;
}

Matrix flattened_thetas(const SoftmaxHeads& heads) {
    require(!heads.empty(), "flattened_thetas: got no heads, expected at least one");
    Matrix thetas(heads.front().Theta.size(), static_cast<Index>(heads.size()));
    for (std::size_t i = 0; i < heads.size(); ++i) {
        thetas.col(static_cast<Index>(i)) = flatten(heads[i].Theta);
    }
    return thetas;
}

HullError hull_error(const ThetaHull& hull, const SoftmaxHeads& planted) {
    const Matrix thetas = flattened_thetas(planted);
    require(hull.found && hull.x0.size() == thetas.rows() &&
                hull.directions.cols() + 1 == thetas.cols(),
            "hull_error: expected a hull of as many heads of the same size");
    HullError error;
    for (Index i = 0; i < thetas.cols(); ++i) {
        Vector off = thetas.col(i) - hull.x0;
        off -= hull.directions * (hull.directions.transpose() * off);
        error.distance = std::max(error.distance, off.norm() / thetas.col(i).norm());
    }
    if (thetas.cols() > 1) {
        const AffineHull own = affine_hull(thetas);
        const Matrix outside =
            own.directions - hull.directions * (hull.directions.transpose() * own.directions);
        const double sine = std::min(1.0, singular_values(outside)(0));
        error.angle_degrees = std::asin(sine) * 180.0 / std::numbers::pi;
    }
    return error;
}

double sum_error(const Matrix& W, const SoftmaxHeads& planted) {
    return relative_distance(W, sum_of_values(planted));
}

}  // namespace attest
