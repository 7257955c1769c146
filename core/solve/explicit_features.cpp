#include "core/solve/explicit_features.hpp"

#include "core/algebra/dense_least_squares.hpp"
#include "core/algebra/residual_ratio.hpp"
#include "core/features/predict.hpp"
#include "core/solve/accuracy.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace attest {

namespace {

using Driver = DenseLeastSquares (*)(Matrix A, const Matrix& B, double threshold);

struct ExplicitProblem {
    Matrix A;  ///< N×ψ, or (N+ψ)×ψ with a ridge; columns divided by the norm's weights
    Matrix B;
};

ExplicitProblem explicit_problem(const MomentSource& source,
                                 const SolveOptions& options,
                                 const Vector& weights) {
    const SourceShape shape = source.shape();
    const Index psi = shape.psi();
    const Index below = options.ridge > 0.0 ? psi : 0;
    ExplicitProblem problem{Matrix::Zero(shape.num_examples + below, psi),
                            Matrix::Zero(shape.num_examples + below, shape.o)};
    Index at = 0;
    for (Index b = 0; b < shape.num_blocks; ++b) {
        const MomentBatch batch = source.block(b);
        problem.A.middleRows(at, batch.size()) =
            (weights.cwiseInverse().asDiagonal() * feature_columns(batch, shape.layout))
                .transpose();
        problem.B.middleRows(at, batch.size()) = batch.y.transpose();
        at += batch.size();
    }
    if (below > 0) {
        const double root = std::sqrt(options.ridge * static_cast<double>(shape.num_examples));
        problem.A.bottomRows(psi).diagonal().setConstant(root);
    }
    return problem;
}

double residual_norm(const MomentSource& source, const SolveOptions& options, const Matrix& P) {
    const auto N = static_cast<double>(source.shape().num_examples);
    const double size = coefficient_norm(P, source.shape().layout, options.norm);
    const Risk risk = empirical_risk(P, source);
    return std::sqrt(N * (std::ldexp(risk.risk, risk.exponent) + options.ridge * size * size));
}

LeastSquaresFit fit_explicit(std::string_view name,
                             Driver driver,
                             const MomentSource& source,
                             const SolveOptions& options) {
    const SourceShape shape = source.shape();
    const Index psi = shape.psi();
    const Vector weights = norm_weights(shape.layout, options.norm);
    ExplicitProblem problem = explicit_problem(source, options, weights);
    const double longest = std::sqrt(problem.A.colwise().squaredNorm().maxCoeff());
    const Index full = std::min(problem.A.rows(), psi);
    const double threshold = static_cast<double>(std::max(problem.A.rows(), psi)) * kEpsilon;
    const DenseLeastSquares solution = driver(std::move(problem.A), problem.B, threshold);
    if (solution.X.size() == 0) {
        return refusal(name, "the features do not have full rank, or N < psi");
    }
    if (solution.rank < 0 && solution.rcond < static_cast<double>(full) * kEpsilon) {
        return refusal(
            name, formatted("numerically rank deficient, 1/cond = {}", round_trip(solution.rcond)));
    }
    if (solution.backward_error > kRatioBound * threshold) {
        return refusal(name,
                       formatted("the library's factors are off by {} of the features",
                                 round_trip(solution.backward_error)));
    }
    const Index rank = solution.rank < 0 ? full : solution.rank;
    if (options.ridge > 0.0 && rank < psi) {
        return refusal(
            name, "the ridge is lost in rounding: it leaves singular values that count as zero");
    }
    LeastSquaresFit fit;
    fit.solver = name;
    fit.rank = options.ridge > 0.0 ? -1 : rank;
    fit.status = status_of_rank(rank, full, psi);
    fit.rcond = solution.rcond;
    fit.P = weights.cwiseInverse().asDiagonal() * solution.X;
    if (fit.status != SolveStatus::unique) {
        fit.note = rank_note(fit.status, rank, psi);
    }
    if (rank == 0) {
        return fit;
    }
    const double share =
        residual_share(residual_norm(source, options, fit.P), longest, solution.X.norm());
    // Measured on two vectors, of which an error in one direction holds a share of 1/√ψ.
    const double off =
        solution.backward_error * std::sqrt(static_cast<double>(psi)) / gamma_bound(1);
    const double bound = backward_stable_error(psi, {1.0 / fit.rcond, share, off});
    if (solution.rank < 0) {
        return with_error_bound(std::move(fit), bound);
    }
    fit.error_bound = bound;
    return fit;
}

}  // namespace

LeastSquaresFit fit_gels(const MomentSource& source, const SolveOptions& options) {
    return fit_explicit("gels", lapack_gels, source, options);
}

LeastSquaresFit fit_gelsy(const MomentSource& source, const SolveOptions& options) {
    return fit_explicit("gelsy", lapack_gelsy, source, options);
}

LeastSquaresFit fit_gelsd(const MomentSource& source, const SolveOptions& options) {
    return fit_explicit("gelsd", lapack_gelsd, source, options);
}

LeastSquaresFit fit_eigen_householder(const MomentSource& source, const SolveOptions& options) {
    return fit_explicit("eigen_householder", eigen_householder, source, options);
}

LeastSquaresFit fit_eigen_cod(const MomentSource& source, const SolveOptions& options) {
    return fit_explicit("eigen_cod", eigen_cod, source, options);
}

LeastSquaresFit fit_eigen_bdcsvd(const MomentSource& source, const SolveOptions& options) {
    return fit_explicit("eigen_bdcsvd", eigen_bdcsvd, source, options);
}

}  // namespace attest
