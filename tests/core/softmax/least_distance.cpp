#include "tests/core/softmax/least_distance.hpp"

#include "core/algebra/lapack.hpp"
#include "core/base/error.hpp"

#include <algorithm>
#include <vector>

namespace attest::test {

namespace {

/// Least squares on the chosen columns; a dependent column leaves a tiny pivot and is refused by
/// returning nothing.
std::optional<Vector> fit_columns(const Matrix& E,
                                  const Vector& f,
                                  const std::vector<Index>& chosen) {
    const ThinQr qr = thin_qr(E(Eigen::all, chosen));
    const Vector pivots = qr.R.diagonal().cwiseAbs();
    if (qr.R.rows() < qr.R.cols() || !(pivots.minCoeff() > 1e-13 * pivots.maxCoeff())) {
        return std::nullopt;
    }
    return Vector(solve_upper(qr.R, qr.Q.transpose() * f));
}

/// The feasible point on the way from x to the fit, with what became zero left out.
void move_towards(Vector& x, const Vector& fit, std::vector<Index>& chosen) {
    double step = 1.0;
    for (std::size_t i = 0; i < chosen.size(); ++i) {
        const double goal = fit(static_cast<Index>(i));
        if (!(goal > 0.0)) {
            step = std::min(step, x(chosen[i]) / (x(chosen[i]) - goal));
        }
    }
    std::vector<Index> kept;
    for (std::size_t i = 0; i < chosen.size(); ++i) {
        const double goal = fit(static_cast<Index>(i));
        double& entry = x(chosen[i]);
        const bool blocks = !(goal > 0.0) && !(entry / (entry - goal) > step);
        entry = blocks ? 0.0 : entry + step * (goal - entry);
        if (entry > 0.0) {
            kept.push_back(chosen[i]);
        } else {
            entry = 0.0;
        }
    }
    chosen = std::move(kept);
}

}  // namespace

Vector nonnegative_least_squares(const Matrix& E, const Vector& f) {
    require(E.rows() == f.size(), "nonnegative_least_squares: E and f disagree on rows");
    const Vector sizes = E.colwise().norm().transpose();
    Vector x = Vector::Zero(E.cols());
    std::vector<Index> chosen;
    std::vector<char> refused(static_cast<std::size_t>(E.cols()), 0);
    for (Index iteration = 0; iteration < 3 * E.cols(); ++iteration) {
        const Vector residual = f - E * x;
        Vector slope = E.transpose() * residual;
        for (Index t = 0; t < slope.size(); ++t) {
            if (x(t) > 0.0 || refused[static_cast<std::size_t>(t)] != 0) {
                slope(t) = -1.0;
            }
        }
        Index enters = 0;
        if (slope.size() == 0 || slope.maxCoeff(&enters) <= 1e-12 * sizes(enters) * f.norm()) {
            break;
        }
        std::vector<Index> trial = chosen;
        trial.push_back(enters);
        std::optional<Vector> fit = fit_columns(E, f, trial);
        if (!fit || !((*fit)(fit->size() - 1) > 0.0)) {
            refused[static_cast<std::size_t>(enters)] = 1;  // until something else moves
            continue;
        }
        std::fill(refused.begin(), refused.end(), 0);
        chosen = std::move(trial);
        while (fit && fit->size() > 0 && !(fit->minCoeff() > 0.0)) {
            move_towards(x, *fit, chosen);
            fit = fit_columns(E, f, chosen);
        }
        for (std::size_t i = 0; fit && i < chosen.size(); ++i) {
            x(chosen[i]) = (*fit)(static_cast<Index>(i));
        }
    }
    return x;
}

std::optional<Vector> least_distance(const Matrix& G, const Vector& h) {
    require(G.rows() == h.size(), "least_distance: G and h disagree on rows");
    const Index n = G.cols();
    Matrix E(n + 1, G.rows());
    E << G.transpose(), h.transpose();
    const Vector f = Vector::Unit(n + 1, n);
    const Vector residual = E * nonnegative_least_squares(E, f) - f;
    if (!(residual.norm() > 1e-9)) {
        return std::nullopt;
    }
    return Vector(-residual.head(n) / residual(n));
}

}  // namespace attest::test
