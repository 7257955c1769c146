#include "core/solve/reference.hpp"

#include "core/algebra/matrix.hpp"
#include "core/algebra/residual_ratio.hpp"
#include "core/exact/reals.hpp"
#include "core/features/cubic.hpp"
#include "core/solve/accuracy.hpp"
#include "core/solve/scaled_fit.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

namespace attest {

namespace {

/// Coefficients rounded to double, and what share of them vanished below the least double: of the
/// coefficients themselves, and of those of scaled tokens.
struct RoundedCoefficients {
    Matrix P;
    double vanished = 0.0;
    double vanished_scaled = 0.0;
};

/// ‖2^e A‖², row by row.
Real50 squared_norm(const MatrixOf<Real50>& A, const std::vector<int>& exponents) {
    Real50 sum = 0;
    for (Index p = 0; p < A.rows(); ++p) {
        const int e = exponents.empty() ? 0 : exponents[static_cast<std::size_t>(p)];
        for (Index a = 0; a < A.cols(); ++a) {
            sum += ldexp(Real50(A(p, a) * A(p, a)), 2 * e);
        }
    }
    return sum;
}

/// The nearest doubles. Row p of scaled tokens' coefficients is 2^exponents[p] times that of P; no
/// exponents: they are the same. Throws InvalidInput where a coefficient is beyond the largest
/// double, or where a tenth of either vanishes.
RoundedCoefficients rounded(const MatrixOf<Real50>& P, const std::vector<int>& exponents) {
    RoundedCoefficients result{P.cast<double>()};
    MatrixOf<Real50> lost = P;
    for (Index k = 0; k < P.size(); ++k) {
        const double nearest = result.P.data()[k];
        int exponent = 0;
        (void)frexp(P.data()[k], &exponent);
        if (!std::isfinite(nearest)) {
            refuse_coefficients(exponent);
        }
        const bool rounding_only = P.data()[k] == 0 || std::isnormal(nearest);
        lost.data()[k] = rounding_only ? Real50(0) : Real50(P.data()[k] - nearest);
    }
    const Real50 size = squared_norm(P, {});
    if (size > 0) {
        result.vanished = static_cast<double>(Real50(sqrt(squared_norm(lost, {}) / size)));
        result.vanished_scaled = static_cast<double>(
            Real50(sqrt(squared_norm(lost, exponents) / squared_norm(P, exponents))));
    }
    if (std::max(result.vanished, result.vanished_scaled) >= kLargestError) {
        Index p = 0;
        Index a = 0;
        (void)lost.cwiseAbs().maxCoeff(&p, &a);
        int exponent = 0;
        (void)frexp(lost(p, a), &exponent);
        refuse_coefficients(exponent);
    }
    return result;
}

using Wide = MatrixOf<Real50>;

constexpr Index kLargestPsi = 300;

/// Pivots below this share of the diagonal are rounding of the 50 digits, or nearly so.
const Real50 kSmallestPivot("1e-40");

struct WideProblem {
    Wide H;  ///< N×ψ
    Wide Y;  ///< N×o
};

WideProblem wide_problem(const MomentSource& source) {
    MomentBatchOf<Real50> batch;
    if (const Dataset* const data = source.dataset(); data != nullptr) {
        batch = sequence_moments<Real50>(*data, 0, data->num_sequences());
    } else {
        const MomentBatch all = collect(source);
        batch = {all.S.cast<Real50>(), all.u.cast<Real50>(), all.y.cast<Real50>()};
    }
    return {feature_columns<Real50>(batch, source.shape().layout).transpose(), batch.y.transpose()};
}

/// Lower triangle of A Aᵀ.
Wide gram(const Wide& A) {
    Wide G = Wide::Zero(A.rows(), A.rows());
    for (Index i = 0; i < A.rows(); ++i) {
        for (Index j = 0; j <= i; ++j) {
            Real50 sum = 0;
            for (Index k = 0; k < A.cols(); ++k) {
                sum += A(i, k) * A(j, k);
            }
            G(i, j) = sum;
        }
    }
    return G;
}

/// Overwrites the lower triangle of A by its Cholesky factor; the least pivot as a share of its
/// diagonal entry, or 0 where one is not positive.
Real50 factor(Wide& A) {
    Real50 least = 1;
    for (Index j = 0; j < A.rows(); ++j) {
        const Real50 diagonal = A(j, j);
        for (Index k = 0; k < j; ++k) {
            A(j, j) -= A(j, k) * A(j, k);
        }
        if (A(j, j) <= 0) {
            return 0;
        }
        least = std::min<Real50>(least, A(j, j) / diagonal);
        A(j, j) = sqrt(A(j, j));
        for (Index i = j + 1; i < A.rows(); ++i) {
            for (Index k = 0; k < j; ++k) {
                A(i, j) -= A(i, k) * A(j, k);
            }
            A(i, j) /= A(j, j);
        }
    }
    return least;
}

Wide solve(const Wide& L, Wide B) {
    for (Index c = 0; c < B.cols(); ++c) {
        for (Index i = 0; i < L.rows(); ++i) {
            for (Index k = 0; k < i; ++k) {
                B(i, c) -= L(i, k) * B(k, c);
            }
            B(i, c) /= L(i, i);
        }
        for (Index i = L.rows() - 1; i >= 0; --i) {
            for (Index k = i + 1; k < L.rows(); ++k) {
                B(i, c) -= L(k, i) * B(k, c);
            }
            B(i, c) /= L(i, i);
        }
    }
    return B;
}

Wide product_with_transposed(const Wide& A, const Wide& B) {
    Wide C = Wide::Zero(A.cols(), B.cols());
    for (Index i = 0; i < A.rows(); ++i) {
        for (Index j = 0; j < A.cols(); ++j) {
            for (Index c = 0; c < B.cols(); ++c) {
                C(j, c) += A(i, j) * B(i, c);
            }
        }
    }
    return C;
}

/// Squares of the norm's weights: 1, and 1/multiplicity in the symmetric norm.
Wide squared_weights(const FeatureLayout& layout, Norm norm) {
    Wide squares(layout.psi(), 1);
    for (Index i = 0; i < layout.psi(); ++i) {
        squares(i, 0) = norm == Norm::sym ? Real50(1) / layout.multiplicity(i) : Real50(1);
    }
    return squares;
}

/// The solution and the least pivot behind it, 0 where the matrix is not positive definite.
struct WideSolution {
    Wide P;
    Real50 least_pivot;
    Wide lengths = {};  ///< of the columns of the features, the ridge's below them; primal only
};

WideSolution solve_primal(const WideProblem& problem, const Wide& weights, const Real50& ridge) {
    Wide A = gram(problem.H.transpose());
    for (Index i = 0; i < A.rows(); ++i) {
        A(i, i) += ridge * weights(i, 0);
    }
    const Wide lengths = A.diagonal().unaryExpr([](const Real50& x) { return Real50(sqrt(x)); });
    const Real50 least = factor(A);
    if (least < kSmallestPivot) {
        return {Wide(), least};
    }
    return {solve(A, product_with_transposed(problem.H, problem.Y)), least, lengths};
}

WideSolution solve_dual(const WideProblem& problem, const Wide& weights) {
    Wide scaled = problem.H;
    for (Index i = 0; i < scaled.cols(); ++i) {
        scaled.col(i) /= sqrt(weights(i, 0));
    }
    Wide K = gram(scaled);
    const Real50 least = factor(K);
    if (least < kSmallestPivot) {
        return {Wide(), least};
    }
    Wide P = product_with_transposed(problem.H, solve(K, problem.Y));
    for (Index i = 0; i < P.rows(); ++i) {
        P.row(i) /= weights(i, 0);
    }
    return {P, least};
}

/// What 50 digits leave of an error in 2^e P, relative to it. Cholesky's is normwise for columns of
/// length 1, P~ = lengths·P (Higham 2002, theorem 10.6, and §20.4 for the labels' part).
double error_of(const WideSolution& solution,
                const WideProblem& problem,
                const std::vector<int>& exponents) {
    const Index psi = solution.P.rows();
    const auto pivot = static_cast<double>(solution.least_pivot);
    const Real50 unit = static_cast<double>(psi) * 1e-50 / pivot;
    if (solution.lengths.size() == 0) {
        return static_cast<double>(unit) * static_cast<double>(problem.H.rows()) / std::sqrt(pivot);
    }
    Real50 inside = 0;
    Real50 size = 0;
    Real50 most = 0;
    for (Index p = 0; p < psi; ++p) {
        const Real50 weight =
            exponents.empty() ? Real50(1)
                              : Real50(ldexp(Real50(1), exponents[static_cast<std::size_t>(p)]));
        const Real50 square = solution.P.row(p).squaredNorm();
        inside += square * solution.lengths(p, 0) * solution.lengths(p, 0);
        size += square * weight * weight;
        most = std::max<Real50>(most, weight / solution.lengths(p, 0));
    }
    const Real50 numbers = sqrt(inside) * static_cast<double>(psi) + problem.Y.norm();
    if (size == 0) {
        return numbers == 0 ? 0.0 : std::numeric_limits<double>::infinity();
    }
    return static_cast<double>(Real50(unit * numbers * most / sqrt(size)));
}

}  // namespace

LeastSquaresFit fit_reference(const MomentSource& source, const SolveOptions& options) {
    const SourceShape shape = source.shape();
    const Index psi = shape.psi();
    if (psi > kLargestPsi) {
        return refusal("reference",
                       formatted("psi = {} > {}: 50 digits would take too long", psi, kLargestPsi));
    }
    const WideProblem problem = wide_problem(source);
    const Wide weights = squared_weights(shape.layout, options.norm);
    const bool primal = shape.num_examples >= psi || options.ridge > 0.0;
    const WideSolution solution =
        primal ? solve_primal(problem, weights, Real50(options.ridge) * shape.num_examples)
               : solve_dual(problem, weights);
    if (solution.P.size() == 0) {
        return refusal("reference", "the features are deficient to 50 digits");
    }
    LeastSquaresFit fit;
    fit.solver = "reference";
    const Dataset* const data = source.dataset();
    const PowerScale scale =
        data != nullptr ? power_scale(*data, ScaleBy::coordinate) : PowerScale{};
    RoundedCoefficients coefficients = rounded(solution.P, scale.features());
    fit.P = std::move(coefficients.P);
    fit.rank = options.ridge > 0.0 ? -1 : std::min(psi, shape.num_examples);
    fit.status = primal ? SolveStatus::unique : SolveStatus::minimum_norm;
    fit.rcond = std::sqrt(static_cast<double>(solution.least_pivot));
    const double rounding = gamma_bound(1) + error_of(solution, problem, {});
    if (by_coordinate(scale) && primal && !(options.ridge > 0.0)) {
        fit.scaled = ScaledCoordinates{scale.tokens,
                                       gamma_bound(1) + coefficients.vanished_scaled +
                                           error_of(solution, problem, scale.features())};
    }
    return with_error_bound(std::move(fit), rounding + coefficients.vanished);
}

}  // namespace attest
