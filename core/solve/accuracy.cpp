#include "core/solve/accuracy.hpp"

#include "core/algebra/residual_ratio.hpp"

#include <cmath>
#include <limits>

namespace attest {

namespace {

double unit_error(Index psi) {
    return kRatioBound * std::sqrt(static_cast<double>(psi)) * gamma_bound(1);
}

/// An error as a share of the exact solution, from its share of the computed one.
double of_exact(double share) {
    return share < 1.0 ? share / (1.0 - share) : std::numeric_limits<double>::infinity();
}

}  // namespace

double backward_stable_error(Index psi, const Conditioning& conditioning) {
    const double kappa = conditioning.condition;
    const double unit = unit_error(psi) + conditioning.input * gamma_bound(1);
    return of_exact(unit * kappa * (1.0 + kappa * conditioning.residual));
}

double normal_equations_error(Index psi, const Conditioning& conditioning) {
    const double kappa = conditioning.condition;
    return of_exact(unit_error(psi) * kappa * kappa * (1.0 + conditioning.residual));
}

double residual_share(double residual_norm, double feature_norm, double P_norm) {
    if (!(residual_norm > 0.0)) {
        return 0.0;
    }
    const double scale = feature_norm * P_norm;
    return scale > 0.0 ? residual_norm / scale : std::numeric_limits<double>::infinity();
}

LeastSquaresFit with_error_bound(LeastSquaresFit fit, double error_bound) {
    fit.error_bound = error_bound;
    if (error_bound < kLargestError) {
        return fit;
    }
    return refusal(fit.solver,
                   formatted("no digit is assured: 1/cond = {}, error bound {}",
                             round_trip(fit.rcond),
                             round_trip(error_bound)));
}

}  // namespace attest
