#include "core/stack/stack_fit.hpp"

#include "core/base/interrupt.hpp"
#include "core/stack/jacobian.hpp"

#include <Eigen/Cholesky>

#include <algorithm>
#include <cmath>

namespace attest {

namespace {

constexpr double kFirstDamping = 1.0;
constexpr double kMostDamping = 1e14;
constexpr double kLess = 1.0 / 3.0;
constexpr double kMore = 4.0;
constexpr double kProgress = 0.99;

/// Residuals at a point, and their derivative.
struct Linearised {
    Vector r;
    Matrix J;
};

double residual_of(StackLoss loss, double f, double y) {
    return loss == StackLoss::values ? f - y : std::max(0.0, 1.0 - y * f);
}

double slope_of(StackLoss loss, double f, double y) {
    return loss == StackLoss::values ? 1.0 : (y * f < 1.0 ? -y : 0.0);
}

/// The rows of A, o for each input, mixed as StackTargets says.
Matrix mixed(const Matrix& A, const StackTargets& targets) {
    const Matrix& mix = targets.mix;
    if (mix.size() == 0) {
        return A;
    }
    const Index groups = std::ssize(targets.inputs) / mix.cols();
    const Index o = A.rows() / (groups * mix.cols());
    Matrix B = Matrix::Zero(groups * mix.rows() * o, A.cols());
    for (Index g = 0; g < groups; ++g) {
        for (Index j = 0; j < mix.rows(); ++j) {
            for (Index k = 0; k < mix.cols(); ++k) {
                B.middleRows((g * mix.rows() + j) * o, o) +=
                    mix(j, k) * A.middleRows((g * mix.cols() + k) * o, o);
            }
        }
    }
    return B;
}

Linearised linearised(const StackAt<double>& stack, const StackTargets& targets) {
    StackJacobian<double> jacobian(stack);
    const Index n = targets.y.size();
    Linearised at{Vector(n), Matrix(n, jacobian.layout().num_parameters)};
    Index k = 0;
    for (const Matrix& X : targets.inputs) {
        const StackDerivative<double> found = jacobian.at(X);
        const Vector f = read_out(stack.shape.readout, found.output);
        for (Index i = 0; i < f.size() && k < n; ++i, ++k) {
            at.r(k) = residual_of(targets.loss, f(i), targets.y(k));
            at.J.row(k) = slope_of(targets.loss, f(i), targets.y(k)) * found.J.row(i);
        }
    }
    return {mixed(at.r, targets), mixed(at.J, targets)};
}

void require_groups(const StackTargets& targets) {
    const Index s = targets.mix.cols();
    const auto inputs = std::ssize(targets.inputs);
    require(s == 0 || (inputs > 0 && inputs % s == 0 && targets.y.size() % inputs == 0),
            "fit_stack: {} inputs in groups of {}, with {} targets",
            inputs,
            s,
            targets.y.size());
}

/// (JᵀJ + μ)⁻¹Jᵀr, by the smaller of the two Gram matrices.
Vector damped_step(const Linearised& at, double damping) {
    if (at.J.rows() < at.J.cols()) {
        Matrix G = at.J * at.J.transpose();
        G.diagonal().array() += damping;
        return at.J.transpose() * G.llt().solve(at.r);
    }
    Matrix G = at.J.transpose() * at.J;
    G.diagonal().array() += damping;
    return G.llt().solve(at.J.transpose() * at.r);
}

}  // namespace

Vector residuals(const StackAt<double>& stack, const StackTargets& targets) {
    require_groups(targets);
    const StackLayout layout = layout_of(stack.shape);
    const Index n = targets.y.size();
    Vector r(n);
    Index k = 0;
    for (const Matrix& X : targets.inputs) {
        const Vector f = read_out(stack.shape.readout, forward_trace(stack, layout, X).back());
        for (Index i = 0; i < f.size() && k < n; ++i, ++k) {
            r(k) = residual_of(targets.loss, f(i), targets.y(k));
        }
    }
    require(k == n, "fit_stack: {} targets, but inputs with {} outputs", n, k);
    return mixed(r, targets);
}

StackFit fit_stack(StackAt<double> start,
                   const StackTargets& targets,
                   const StackFitOptions& options) {
    const double scale = mixed(targets.y, targets).norm();
    double error = residuals(start, targets).norm();
    double damping = kFirstDamping;
    Linearised at = linearised(start, targets);
    StackFit fit;
    double milestone = error;
    Index since = 0;
    while (fit.steps < options.steps && since < options.patience &&
           error > options.enough * scale && damping < kMostDamping) {
        throw_if_interrupted("fit_stack");
        ++fit.steps;
        ++since;
        const Vector step = damped_step(at, damping);
        StackAt<double> next = start;
        for (std::size_t k = 0; k < next.parameters.size(); ++k) {
            next.parameters[k] -= step(static_cast<Index>(k));
        }
        const double next_error = residuals(next, targets).norm();
        if (std::isfinite(next_error) && next_error < error) {
            start = std::move(next);
            error = next_error;
            damping *= kLess;
            at = linearised(start, targets);
        } else {
            damping *= kMore;
        }
        if (error < kProgress * milestone) {
            milestone = error;
            since = 0;
        }
    }
    fit.parameters = std::move(start.parameters);
    fit.relative = error / scale;
    return fit;
}

}  // namespace attest
