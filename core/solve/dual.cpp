#include "core/solve/dual.hpp"

#include "core/algebra/lapack.hpp"
#include "core/base/interrupt.hpp"
#include "core/solve/accuracy.hpp"
#include "core/solve/coordinates.hpp"
#include "core/solve/iterative.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace attest {

namespace {

/// Adds ⟨s,s'⟩⟨u,u'⟩ of all pairs of examples over one block of features, lower triangle. A feature
/// weighs 1/w², which for a pair of the symmetric norm is twice; that is its state entry's doing
/// and its query entry's: w(p·m + l) = w(p·m)·w(l) / w(0).
void add_block_kernel(Matrix& K,
                      const MomentBatch& all,
                      const FeatureBlock& block,
                      const Vector& weights) {
    Vector state(block.states);
    for (Index p = 0; p < block.states; ++p) {
        state(p) = 1.0 / weights(p * block.queries);
    }
    Vector query(block.queries);
    for (Index l = 0; l < block.queries; ++l) {
        query(l) = weights(0) / weights(l);
    }
    // N² numbers at a time: to clear them, too, may take a good part of a second.
    throw_if_stopped("dual");
    Matrix ss = Matrix::Zero(all.size(), all.size());
    throw_if_stopped("dual");
    add_syrk(ss,
             (state.asDiagonal() * all.S.middleRows(block.first_state, block.states)).transpose());
    throw_if_stopped("dual");
    Matrix uu = Matrix::Zero(all.size(), all.size());
    throw_if_stopped("dual");
    add_syrk(uu,
             (query.asDiagonal() * all.u.middleRows(block.first_query, block.queries)).transpose());
    throw_if_stopped("dual");
    K += ss.cwiseProduct(uu);
}

/// K, lower triangle.
Matrix kernel(const MomentSource& source, const Vector& weights) {
    const MomentBatch all = collect(source);
    Matrix K = Matrix::Zero(all.size(), all.size());
    Index first = 0;
    for (const FeatureBlock& block : source.shape().layout.blocks()) {
        const Index size = block.states * block.queries;
        add_block_kernel(K, all, block, weights.segment(first, size));
        first += size;
    }
    return K;
}

/// α and P = W⁻² Hᵀ α, refined until the residual y − H P − N·R·α stops halving.
struct DualSolution {
    Matrix alpha;  ///< N×o
    Matrix P;
    double residual = 0.0;
};

class DualIteration {
public:
    DualIteration(const FeatureOperator& features, const Vector& weights, double ridge)
        : features_(features),
          inverse_(weights.cwiseAbs2().cwiseInverse()),
          y_(features.labels()),
          ridge_(ridge) {}

    [[nodiscard]] Matrix residual(const DualSolution& at) const {
        Matrix r = y_ - features_.apply(at.P);
        r -= ridge_ * at.alpha.transpose();
        return r.transpose();
    }

    [[nodiscard]] DualSolution solve(const CholeskyFactor& factor) const {
        DualSolution at{Matrix::Zero(y_.cols(), y_.rows()),
                        Matrix::Zero(inverse_.size(), y_.rows()),
                        y_.norm()};
        for (int step = 0; step < 10; ++step) {
            DualSolution next = at;
            next.alpha += cholesky_solve(factor, residual(at));
            next.P = inverse_.asDiagonal() * features_.apply_transposed(next.alpha.transpose());
            next.residual = residual(next).norm();
            const bool halved = next.residual <= 0.5 * at.residual;
            if (next.residual < at.residual) {
                at = std::move(next);
            }
            if (!halved) {
                break;
            }
        }
        return at;
    }

private:
    const FeatureOperator& features_;
    Vector inverse_;
    Matrix y_;
    double ridge_;
};

}  // namespace

LeastSquaresFit fit_dual(const MomentSource& source, const SolveOptions& options) {
    const SourceShape shape = source.shape();
    const Index psi = shape.psi();
    const Index N = shape.num_examples;
    if (N > psi && !(options.ridge > 0.0)) {
        return refusal("dual", formatted("N = {} > psi = {}: the kernel is singular", N, psi));
    }
    SolveOptions given = options;
    given.coordinates = Coordinates::given;
    const SolveCoordinates coordinates = solve_coordinates(source, given);
    const Vector weights = norm_weights(shape.layout, options.norm);
    Matrix K = kernel(*coordinates.source, weights);
    const double ridge = summed_ridge(N, options, coordinates);
    K.diagonal().array() += ridge;
    const double feature_norm = std::sqrt(K.diagonal().maxCoeff());  // at most ‖H‖
    const CholeskyFactor factor = cholesky(K);
    if (!factor.positive || factor.rcond < std::numeric_limits<double>::epsilon()) {
        return refusal(
            "dual",
            formatted("N = {}: the kernel is singular, 1/cond = {}", N, round_trip(factor.rcond)));
    }
    const FeatureOperator features(*coordinates.source);
    const DualSolution solution = DualIteration(features, weights, ridge).solve(factor);
    LeastSquaresFit fit;
    fit.solver = "dual";
    fit.rank = options.ridge > 0.0 ? -1 : std::min(N, psi);
    const bool unique = options.ridge > 0.0 || N == psi;
    fit.status = unique ? SolveStatus::unique : SolveStatus::minimum_norm;
    fit.rcond = std::sqrt(factor.rcond);
    fit.P = back_to_tokens(solution.P, coordinates);
    if (!unique) {
        fit.note = formatted("N = {} < psi = {}: the minimiser of least norm", N, psi);
    }
    const double P_norm = (weights.asDiagonal() * solution.P).norm();
    const double least = feature_norm * fit.rcond;
    const double left = P_norm > 0.0 ? solution.residual / (least * P_norm) : 0.0;
    const double share = residual_share(ridge * solution.alpha.norm(), feature_norm, P_norm);
    const double rounding = backward_stable_error(psi, {1.0 / fit.rcond, share});
    if (!(left <= rounding)) {
        return refusal("dual",
                       formatted("refinement does not converge: error {}", round_trip(left)));
    }
    return with_error_bound(std::move(fit), rounding + left);
}

}  // namespace attest
