#include "core/solve/explicit_features.hpp"

#include "core/algebra/dense_least_squares.hpp"
#include "core/algebra/lapack.hpp"
#include "core/algebra/residual_ratio.hpp"
#include "core/base/memory.hpp"
#include "core/features/predict.hpp"
#include "core/solve/accuracy.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace attest {

namespace {

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

}  // namespace

LeastSquaresFit fit_explicit(std::string_view name,
                             DenseDriver driver,
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

namespace {

/// ⟨W, X_{i,a}⟩ = Σ W[(a,b),(k,l)] X(Z)[b, kd+l]: the entries of X in the order of row-major
/// flatten(W).
Vector literal_row(const Matrix& S, const Vector& z, Index a, Index o) {
    const Index d = z.size();
    Vector row = Vector::Zero(o * d * d * d);
    for (Index b = 0; b < d; ++b) {
        for (Index k = 0; k < d; ++k) {
            for (Index l = 0; l < d; ++l) {
                row(((a * d + b) * d + k) * d + l) = S(b, k) * z(l);
            }
        }
    }
    return row;
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

LeastSquaresFit fit_normal_equations(const Moments& moments,
                                     const FeatureLayout& layout,
                                     const SolveOptions& options) {
    const Index psi = layout.psi();
    const Vector weights = norm_weights(layout, options.norm);
    const Vector inverse = weights.cwiseInverse();
    Matrix A = inverse.asDiagonal() * moments.Lambda * inverse.asDiagonal();
    A.diagonal().array() += options.ridge;
    const CholeskyFactor factor = cholesky(A);
    if (factor.rcond < static_cast<double>(psi) * std::numeric_limits<double>::epsilon()) {
        return refusal("normal",
                       formatted("the second moment is numerically singular, 1/cond = {}",
                                 round_trip(factor.rcond)));
    }
    LeastSquaresFit fit;
    fit.solver = "normal";
    fit.rcond = std::sqrt(factor.rcond);
    const Matrix rhs = inverse.asDiagonal() * moments.cross;
    fit.P = inverse.asDiagonal() * cholesky_solve(factor, rhs);
    fit.status = SolveStatus::unique;
    fit.rank = options.ridge > 0.0 ? -1 : psi;
    // ‖Y‖² − ⟨P, HᵀY⟩ is the squared residual, the ridge's part included, divided by N.
    const double squared = moments.label_power - fit.P.cwiseProduct(moments.cross).sum();
    const double share = residual_share(std::sqrt(std::max(0.0, squared)),
                                        std::sqrt(A.diagonal().maxCoeff()),
                                        (weights.asDiagonal() * fit.P).norm());
    const double bound = normal_equations_error(psi, {1.0 / fit.rcond, share});
    return with_error_bound(std::move(fit), bound);
}

double literal_bytes(const SourceShape& shape) {
    const auto unknowns = static_cast<double>(shape.o * shape.m() * shape.m() * shape.m());
    const auto rows = static_cast<double>(shape.num_examples * shape.o);
    return 8.0 * (3.0 * rows * unknowns + 4.0 * unknowns * unknowns);
}

LeastSquaresFit fit_literal(const MomentSource& source) {
    const SourceShape shape = source.shape();
    if (shape.layout != FeatureLayout(shape.m())) {
        return refusal("literal", "Algorithm 1 as printed is of the paper's layer");
    }
    require_memory(literal_bytes(shape),
                   formatted("Algorithm 1 as printed at d = {}", shape.m()),
                   "use --solver svd, the same function from psi unknowns");
    const MomentBatch all = collect(source);
    const Index d = shape.m();
    const Index unknowns = shape.o * d * d * d;
    Matrix A(shape.num_examples * shape.o, unknowns);
    Vector rhs(A.rows());
    for (Index i = 0; i < all.size(); ++i) {
        const Matrix S = unpack<double>(all.S.col(i), d);
        for (Index a = 0; a < shape.o; ++a) {
            A.row(i * shape.o + a) = literal_row(S, all.u.col(i), a, shape.o).transpose();
            rhs(i * shape.o + a) = all.y(a, i);
        }
    }
    const Svd decomposition = svd(A);
    const Vector& sigma = decomposition.sigma;
    const double threshold = static_cast<double>(std::max(A.rows(), A.cols())) *
                             std::numeric_limits<double>::epsilon() * sigma(0);
    LeastSquaresFit fit;
    fit.solver = "literal";
    const Index kept = (sigma.array() > threshold).count();
    const Vector coordinates =
        (decomposition.U.leftCols(kept).transpose() * rhs).cwiseQuotient(sigma.head(kept));
    const Vector w = decomposition.V.leftCols(kept) * coordinates;
    fit.P = coefficients_of_tensor<double>(fold<double>(w, shape.o * d, d * d), d);
    // The unknowns decouple over outputs, and each output has rank at most psi: W is never unique
    // for d > 1.
    fit.rank = kept / shape.o;
    fit.status = status_of_rank(fit.rank, shape.num_examples, feature_dim(d));
    if (kept > 0) {
        fit.rcond = sigma(kept - 1) / sigma(0);
        const double longest = std::sqrt(A.colwise().squaredNorm().maxCoeff());
        const double share = residual_share((A * w - rhs).norm(), longest, w.norm());
        fit.error_bound = backward_stable_error(unknowns, {1.0 / fit.rcond, share});
    }
    return fit;
}

}  // namespace attest
