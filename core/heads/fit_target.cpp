#include "core/heads/fit_target.hpp"

#include "core/algebra/lapack.hpp"
#include "core/base/bitwise.hpp"
#include "core/base/choice.hpp"
#include "core/features/coefficients.hpp"
#include "core/heads/isometric.hpp"
#include "core/heads/least_squares.hpp"
#include "core/heads/split_heads.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace attest {

namespace {

constexpr Choices<FitEnd, 5> kFitEndNames{{{FitEnd::target, "target"},
                                           {FitEnd::stationary, "stationary"},
                                           {FitEnd::stalled, "stalled"},
                                           {FitEnd::iterations, "iterations"},
                                           {FitEnd::interrupted, "interrupted"}}};

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();

}  // namespace

std::string_view to_string(FitEnd end) {
    return name_of(kFitEndNames, end);
}

std::optional<FitEnd> reason_to_stop(const std::vector<double>& history,
                                     Index iterations,
                                     const FitControl& control) {
    if (history.back() <= control.target) {
        return FitEnd::target;
    }
    if (iterations >= control.max_iterations) {
        return FitEnd::iterations;
    }
    const auto window = static_cast<std::size_t>(control.stall_window);
    if (history.size() > window &&
        history.back() > history[history.size() - 1 - window] * (1.0 - control.stall_decrease)) {
        return FitEnd::stalled;
    }
    if (control.interrupt && control.interrupt()) {
        return FitEnd::interrupted;
    }
    return std::nullopt;
}

FitTarget frobenius_target(const Matrix& P, Index d) {
    require(d >= 1 && P.rows() == feature_dim(d),
            "frobenius_target: P has {} rows, expected {}",
            P.rows(),
            feature_dim(d));
    require(P.allFinite(), "frobenius_target: P holds a NaN or an infinity");
    const Matrix p = isometric(P, d);
    const double scale = p.norm();
    require(std::isfinite(scale) && (scale > 0.0 || P.isZero(0.0)),
            "frobenius_target: the squares of P overflow or vanish; scale P first");
    return {d, P.cols(), P, Matrix(), p, scale};
}

FitTarget weighted_target(const Matrix& P, Index d, const Matrix& R) {
    FitTarget target = frobenius_target(P, d);
    require(R.cols() == P.rows(),
            "weighted_target: the factor has {} columns, expected {}",
            R.cols(),
            P.rows());
    require(R.allFinite(), "weighted_target: the factor holds a NaN or an infinity");
    const Svd decomposition = svd(R * norm_weights(d, Norm::sym).cwiseInverse().asDiagonal());
    const Vector& sigma = decomposition.sigma;
    const double largest = sigma.size() > 0 ? sigma(0) : 0.0;
    const double threshold = static_cast<double>(std::max(R.rows(), R.cols())) * kEpsilon * largest;
    const Index rank = (sigma.array() > threshold).count();
    require(rank >= 1, "weighted_target: the second moment is zero");
    target.L = sigma.head(rank).asDiagonal() * decomposition.V.leftCols(rank).transpose();
    target.goal = target.L * target.goal;
    target.scale = target.goal.norm();
    return target;
}

double relative_residual(const FitTarget& target, const Matrix& P) {
    require(P.rows() == target.P.rows() && P.cols() == target.P.cols(),
            "relative_residual: the coefficients do not have the target's shape");
    const Matrix p = isometric(P - target.P, target.d);
    const double error = target.L.size() > 0 ? (target.L * p).norm() : p.norm();
    if (is_zero(target.scale)) {
        return is_zero(error) ? 0.0 : std::numeric_limits<double>::infinity();
    }
    return error / target.scale;
}

double relative_residual(const FitTarget& target, const Parameters& heads) {
    return relative_residual(target, coefficients(heads));
}

Matrix value_design(const Matrix& Q, Index d) {
    require(Q.cols() == d * d, "value_design: Q does not have d² columns");
    const double pair_weight = std::sqrt(0.5);
    Matrix B = Matrix::Zero(feature_dim(d), Q.rows() * d);
    for (Index h = 0; h < Q.rows(); ++h) {
        for (Index b = 0; b < d; ++b) {
            for (Index c = 0; c < d; ++c) {
                const double weight = b == c ? 1.0 : pair_weight;
                B.col(h * d + b).segment(pack_index(d, b, c) * d, d) =
                    weight * Q.row(h).segment(c * d, d).transpose();
            }
        }
    }
    return B;
}

Matrix values_of_solution(const Matrix& solution, Index d) {
    require(solution.rows() % d == 0, "values_of_solution: the rows are not H·d");
    Matrix V(solution.cols() * d, solution.rows() / d);
    for (Index h = 0; h < V.cols(); ++h) {
        for (Index a = 0; a < solution.cols(); ++a) {
            V.col(h).segment(a * d, d) = solution.col(a).segment(h * d, d);
        }
    }
    return V;
}

Matrix solution_of_values(const Matrix& V, Index d) {
    require(V.rows() % d == 0, "solution_of_values: the rows are not o·d");
    Matrix solution(V.cols() * d, V.rows() / d);
    for (Index h = 0; h < V.cols(); ++h) {
        solution.middleRows(h * d, d) = V.col(h).reshaped(d, solution.cols());
    }
    return solution;
}

ValueFit fit_values(const FitTarget& target, const Matrix& Q) {
    const Index d = target.d;
    const Index H = Q.rows();
    ValueFit fit;
    if (H == 0) {
        fit = {Matrix(target.o * d, 0), Matrix(target.goal.rows(), 0), target.goal, target.scale};
        return fit;
    }
    Matrix design = value_design(Q, d);
    if (target.L.size() > 0) {
        Matrix weighted = Matrix::Zero(target.L.rows(), design.cols());
        add_product(weighted, target.L, design);
        design = weighted;
    }
    const LeastSquares solve = least_squares(design, target.goal);
    fit.basis = solve.basis;
    fit.residual = target.goal - fit.basis * (fit.basis.transpose() * target.goal);
    fit.error = fit.residual.norm();
    fit.V = values_of_solution(solve.solution, d);
    return fit;
}

Parameters balanced_heads(const HeadFactors& factors, Index d) {
    if (factors.Q.rows() == 0) {
        return {d, factors.V.rows() / d, {}};
    }
    return split_tensor(factors.V * factors.Q, d, factors.Q.rows()).heads;
}

HeadFactors head_factors(const Parameters& heads) {
    check_shapes(heads);
    HeadFactors factors{Matrix(heads.o * heads.d, heads.num_heads()),
                        Matrix(heads.num_heads(), heads.d * heads.d)};
    for (Index h = 0; h < heads.num_heads(); ++h) {
        const Head& head = heads.heads[static_cast<std::size_t>(h)];
        factors.V.col(h) = flatten<double>(head.V);
        factors.Q.row(h) = flatten<double>(head.Q).transpose();
    }
    return factors;
}

}  // namespace attest
