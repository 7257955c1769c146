#include "core/solve/iterative.hpp"

#include "core/algebra/lapack.hpp"
#include "core/base/bitwise.hpp"
#include "core/base/interrupt.hpp"
#include "core/base/progress_scope.hpp"
#include "core/solve/accuracy.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

namespace attest {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Norm of the residual of the augmented problem: what ridge leaves counts.
double augmented_residual(const LeastSquaresProblem& problem,
                          const ConjugateGradientResult& result) {
    const double penalty =
        problem.ridge > 0.0
            ? problem.ridge * (problem.weights.asDiagonal() * result.P).squaredNorm()
            : 0.0;
    return std::sqrt(problem.features.squared_norm(result.residual) + penalty);
}

/// The spread of M⁻¹G, bounded or measured.
HiddenSpread spread_of(const LeastSquaresProblem& problem,
                       const Preconditioner& preconditioner,
                       const ConjugateGradientOptions& control) {
    const double departure = preconditioner.departure;
    return departure < kKnownDeparture ? HiddenSpread{1.0 - departure, 1.0 + departure, 0.0}
                                       : measured_spread(problem, preconditioner.apply, control);
}

/// How far P~ may be from the minimiser: by rounding, and by what iterating left.
struct ErrorParts {
    double rounding = kInfinity;
    double unconverged = kInfinity;
};

ErrorParts error_parts(const SolveCoordinates& coordinates,
                       const LeastSquaresProblem& problem,
                       const ConjugateGradientResult& result,
                       const Preconditioner& preconditioner,
                       const HiddenSpread& spread) {
    const double size = result.P.norm();
    if (!std::isfinite(size)) {
        return {};
    }
    if (is_zero(size) && is_zero(problem.features.squared_norm(problem.labels))) {
        return {0.0, 0.0};
    }
    const Index d = coordinates.L.rows();
    Conditioning conditioning;
    conditioning.condition =
        std::sqrt(std::max(1.0, spread.largest / spread.smallest / preconditioner.rcond));
    conditioning.residual = residual_share(
        augmented_residual(problem, result), problem.features.longest_feature(), size);
    // z~ = L⁻¹ z by substitution is off by d·u·cond(L) (Higham 2002, theorem 8.5), H~ thrice that.
    conditioning.input =
        coordinates.scale > 0.0 ? 0.0 : 3.0 * static_cast<double>(d) * coordinates.token_condition;
    const double least = std::sqrt(preconditioner.norm1 * preconditioner.rcond);
    return {backward_stable_error(problem.features.shape().psi(), conditioning),
            result.gradient / (spread.smallest * least * size)};
}

using Row = Eigen::RowVectorXd;

/// The coefficients of the first column's iteration, from which Lanczos' tridiagonal matrix
/// follows.
struct Coefficients {
    std::vector<double> alpha;
    std::vector<double> beta;
    std::vector<double> power;  ///< of the column before the step
};

/// Extreme eigenvalues of the Lanczos matrix (Golub & Van Loan 2013, §11.3.5).
/// Only of the steps whose gradient stood well above rounding: later ones are not conjugate.
void set_ritz_values(const Coefficients& c, double rounding, ConjugateGradientResult& result) {
    constexpr double kWellAbove = 100.0;
    const auto meaningless = std::find_if(c.power.begin(), c.power.end(), [&](double power) {
        return power <= kWellAbove * rounding;
    });
    const Index k = meaningless - c.power.begin();
    if (k == 0) {
        return;
    }
    Matrix T = Matrix::Zero(k, k);
    for (Index i = 0; i < k; ++i) {
        const auto at = static_cast<std::size_t>(i);
        T(i, i) = 1.0 / c.alpha[at] + (i > 0 ? c.beta[at - 1] / c.alpha[at - 1] : 0.0);
        if (i + 1 < k) {
            T(i + 1, i) = std::sqrt(c.beta[at]) / c.alpha[at];
        }
    }
    const Vector values = symmetric_eigenvalues(T);
    result.smallest = values(0);
    result.largest = values(k - 1);
}

Row quotient(const Row& above, const Row& below) {
    return (below.array() > 0.0).select(above.cwiseQuotient(below), 0.0);
}

class Iteration {
public:
    Iteration(const LeastSquaresProblem& problem,
              const std::function<Matrix(const Matrix&)>& precondition)
        : problem_(problem), precondition_(precondition) {}

    /// Residual, gradient and direction afresh at P.
    void start(const Matrix& P) {
        P_ = P;
        residual_ = problem_.labels;
        if (!P.isZero(0.0)) {
            residual_ -= problem_.features.apply(P);
            set_gradient(problem_.features.apply_transposed(residual_));
        } else {
            set_gradient(problem_.cross.size() > 0 ? problem_.cross
                                                   : problem_.features.apply_transposed(residual_));
        }
        direction_ = preconditioned_;
    }

    /// ⟨∇, M⁻¹∇⟩ summed over the columns.
    [[nodiscard]] double gradient() const { return power_.sum(); }

    [[nodiscard]] const Row& power() const { return power_; }

    [[nodiscard]] const Matrix& solution() const { return P_; }

    [[nodiscard]] const Matrix& residual() const { return residual_; }

    /// One step; appends the coefficients of the first column.
    void step(Coefficients& coefficients) {
        const Matrix values = problem_.features.apply(direction_);
        Row curvature = problem_.features.square_sums(values).transpose();
        if (problem_.ridge > 0.0) {
            curvature += problem_.ridge *
                         (problem_.weights.asDiagonal() * direction_).colwise().squaredNorm();
        }
        const Row alpha = quotient(power_, curvature);
        P_ += direction_ * alpha.asDiagonal();
        residual_ -= alpha.asDiagonal() * values;
        const Row before = power_;
        set_gradient(problem_.features.apply_transposed(residual_));
        const Row beta = quotient(power_, before);
        direction_ = preconditioned_ + direction_ * beta.asDiagonal();
        if (alpha(0) > 0.0) {
            coefficients.alpha.push_back(alpha(0));
            coefficients.beta.push_back(beta(0));
            coefficients.power.push_back(before(0));
        }
    }

private:
    /// From H rᵀ.
    void set_gradient(Matrix gradient) {
        if (problem_.ridge > 0.0) {
            const Matrix& centre = problem_.centre;
            const Matrix pulled = centre.size() > 0 ? Matrix(P_ - centre) : P_;
            gradient -= problem_.ridge * (problem_.weights.cwiseAbs2().asDiagonal() * pulled);
        }
        preconditioned_ = precondition_(gradient);
        power_ = gradient.cwiseProduct(preconditioned_).colwise().sum().cwiseMax(0.0);
    }

    const LeastSquaresProblem& problem_;
    const std::function<Matrix(const Matrix&)>& precondition_;
    Matrix P_;
    Matrix residual_;
    Matrix preconditioned_;
    Matrix direction_;
    Row power_;
};

}  // namespace

double summed_ridge(Index num_examples,
                    const SolveOptions& options,
                    const SolveCoordinates& coordinates) {
    if (!(options.ridge > 0.0)) {
        return 0.0;
    }
    return options.ridge * static_cast<double>(num_examples) / std::pow(coordinates.scale, 6);
}

LeastSquaresFit fit_iteratively(std::string_view solver,
                                const SolveCoordinates& coordinates,
                                const SolveOptions& options,
                                const Preconditioner& preconditioner,
                                const ConjugateGradientOptions& control) {
    return fit_iteratively(solver,
                           FeatureOperator(*coordinates.source),
                           coordinates,
                           options,
                           preconditioner,
                           control);
}

LeastSquaresFit fit_iteratively(std::string_view solver,
                                const FeatureMap& features,
                                const SolveCoordinates& coordinates,
                                const SolveOptions& options,
                                const Preconditioner& preconditioner,
                                const ConjugateGradientOptions& control) {
    const SourceShape shape = features.shape();
    const LeastSquaresProblem problem{features,
                                      features.labels(),
                                      summed_ridge(shape.num_examples, options, coordinates),
                                      norm_weights(shape.layout, options.norm),
                                      preconditioner.cross};
    const HiddenSpread spread = spread_of(problem, preconditioner, control);
    if (!(spread.smallest > 0.0) || !(spread.missed <= kLargestMissed)) {
        return refusal(
            solver,
            formatted("not resolved: a known answer is missed by {}, the features may be deficient",
                      round_trip(spread.missed)));
    }
    const ConjugateGradientResult result =
        conjugate_gradient(problem, preconditioner.apply, control);
    const ErrorParts error = error_parts(coordinates, problem, result, preconditioner, spread);
    if (!(error.unconverged <= error.rounding)) {
        return refusal(solver,
                       formatted("not converged after {} iterations: error {}, rounding allows {}",
                                 result.iterations,
                                 round_trip(error.unconverged),
                                 round_trip(error.rounding)));
    }
    LeastSquaresFit fit;
    fit.solver = solver;
    fit.status = SolveStatus::unique;
    fit.rank = options.ridge > 0.0 ? -1 : shape.psi();
    fit.rcond = std::sqrt(preconditioner.rcond * spread.smallest / spread.largest);
    fit.P = back_to_tokens(result.P, coordinates);
    fit.note = formatted(
        "{}{} iterations", coordinates.scale > 0.0 ? "" : "whitened, ", result.iterations);
    const double growth = error_growth(result.P, fit.P, coordinates);
    return with_error_bound(std::move(fit), growth * (error.rounding + error.unconverged));
}

ConjugateGradientResult conjugate_gradient(const LeastSquaresProblem& problem,
                                           const std::function<Matrix(const Matrix&)>& precondition,
                                           const ConjugateGradientOptions& options) {
    Iteration iteration(problem, precondition);
    iteration.start(Matrix::Zero(problem.weights.size(), problem.labels.rows()));
    ConjugateGradientResult result;
    result.P = iteration.solution();
    Coefficients coefficients;
    // What rounding alone leaves of a gradient: some two units of the labels after sums in blocks,
    // seen through M^{-1/2} H, whose norm is near 1. Only the effort hangs on it: the caller bounds
    // the error by the gradient computed afresh.
    constexpr double kRounding = 2.0 * std::numeric_limits<double>::epsilon();
    const double floor = kRounding * kRounding * problem.features.squared_norm(problem.labels);
    for (int round = 0; round < 2; ++round) {
        double best = iteration.gradient();
        double halved = best;
        Index waited = 0;
        Coefficients mine;
        while (best > floor && waited < options.patience &&
               result.iterations < options.max_iterations) {
            throw_if_stopped("conjugate_gradient");
            note_progress("iterations", result.iterations, options.max_iterations);
            iteration.step(mine);
            ++result.iterations;
            if (iteration.gradient() < best) {
                best = iteration.gradient();
                result.P = iteration.solution();
            }
            waited = best <= 0.25 * halved ? 0 : waited + 1;
            halved = waited == 0 ? best : halved;
        }
        coefficients = round == 0 ? mine : coefficients;
        iteration.start(result.P);
        if (iteration.gradient() <= std::max(4.0 * best, floor)) {
            break;  // the recursion told the truth
        }
    }
    set_ritz_values(coefficients, iteration.power()(0), result);
    result.residual = iteration.residual();
    result.gradient = std::sqrt(iteration.gradient());
    return result;
}

}  // namespace attest
