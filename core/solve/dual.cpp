#include "core/solve/dual.hpp"

#include "core/algebra/lapack.hpp"
#include "core/solve/accuracy.hpp"
#include "core/solve/coordinates.hpp"
#include "core/solve/iterative.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace attest {

namespace {

/// K, lower triangle: ⟨S,S'⟩ weighs a pair by 1/w², twice in the symmetric norm.
Matrix kernel(const MomentSource& source, const Vector& weights) {
    const Index d = source.shape().d;
    const MomentBatch all = collect(source);
    Vector root(packed_dim(d));
    for (Index p = 0; p < root.size(); ++p) {
        root(p) = 1.0 / weights(p * d);
    }
    Matrix ss = Matrix::Zero(all.size(), all.size());
    Matrix zz = Matrix::Zero(all.size(), all.size());
    add_syrk(ss, (root.asDiagonal() * all.S).transpose());
    add_syrk(zz, all.z.transpose());
    return ss.cwiseProduct(zz);
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
    const Index psi = feature_dim(shape.d);
    const Index N = shape.num_examples;
    if (N > psi && !(options.ridge > 0.0)) {
        return refusal("dual", formatted("N = {} > psi = {}: the kernel is singular", N, psi));
    }
    SolveOptions given = options;
    given.coordinates = Coordinates::given;
    const SolveCoordinates coordinates = solve_coordinates(source, given);
    const Vector weights = norm_weights(shape.d, options.norm);
    Matrix K = kernel(*coordinates.source, weights);
    const double ridge = summed_ridge(source, options, coordinates);
    K.diagonal().array() += ridge;
    const double norm = std::sqrt(K.diagonal().maxCoeff());  // at most ‖H‖
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
    const double size = (weights.asDiagonal() * solution.P).norm();
    const double least = norm * fit.rcond;
    const double left = size > 0.0 ? solution.residual / (least * size) : 0.0;
    const double share = residual_share(ridge * solution.alpha.norm(), norm, size);
    const double rounding = backward_stable_error(psi, {1.0 / fit.rcond, share});
    if (!(left <= rounding)) {
        return refusal("dual",
                       formatted("refinement does not converge: error {}", round_trip(left)));
    }
    return with_error_bound(std::move(fit), rounding + left);
}

}  // namespace attest
