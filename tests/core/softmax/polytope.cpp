#include "tests/core/softmax/polytope.hpp"

#include "core/algebra/lapack.hpp"
#include "core/base/error.hpp"
#include "core/softmax/linear_program.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
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

constexpr double kKept = 0.8;
constexpr double kUnbounded = std::numeric_limits<double>::infinity();

double quantile(const Vector& values, double fraction) {
    std::vector<double> sorted(values.data(), values.data() + values.size());
    const auto place = static_cast<std::size_t>(fraction * static_cast<double>(sorted.size() - 1));
    std::nth_element(
        sorted.begin(), sorted.begin() + static_cast<std::ptrdiff_t>(place), sorted.end());
    return sorted[place];
}

/// argmin Σ |⟨v_t, x⟩ − c_t| ω_t through its dual, max Σ c_t η_t with V η = 0 and |η_t| ≤ ω_t.
std::optional<Vector> least_absolute(const Matrix& v, const Vector& c, const Vector& omega) {
    const ProgramSolution solution = solve({v, v * omega, -c, 2.0 * omega});
    if (solution.status != ProgramStatus::optimal) {
        return std::nullopt;
    }
    return Vector(-solution.lambda);
}

/// The least κ with |⟨v_t, x⟩ − c_t| ≤ κ s_t for some x, through its dual.
std::optional<double> least_scale(const Matrix& v, const Vector& c, const Vector& s) {
    const Index n = v.rows();
    const Index T = v.cols();
    LinearProgram program{Matrix(n + 1, 2 * T), Vector::Unit(n + 1, n), Vector(2 * T), {}};
    program.A << v, -v, s.transpose(), s.transpose();
    program.c << c, -c;
    program.u = Vector::Constant(2 * T, kUnbounded);
    const ProgramSolution solution = solve(program);
    if (solution.status != ProgramStatus::optimal) {
        return std::nullopt;
    }
    return std::max(0.0, -solution.objective);
}

/// max ⟨g, x⟩ over |⟨v_t, x⟩ − c_t| ≤ κ s_t, through its dual.
std::optional<double> largest(const ThetaPolytope& K, const Vector& g) {
    const Matrix& v = K.kept.v;
    const Vector slack = K.kappa * K.kept.s;
    LinearProgram program{Matrix(v.rows(), 2 * v.cols()), g, Vector(2 * v.cols()), {}};
    program.A << v, -v;
    program.c << K.kept.c + slack, slack - K.kept.c;
    program.u = Vector::Constant(2 * v.cols(), kUnbounded);
    const ProgramSolution solution = solve(program);
    if (solution.status != ProgramStatus::optimal) {
        return std::nullopt;
    }
    return solution.objective;
}

void find_least_point(ThetaPolytope& K) {
    const Index T = K.kept.count();
    const Vector inverse = K.kept.s.cwiseInverse();
    const Matrix G = inverse.asDiagonal() * K.kept.v.transpose();
    const Vector target = K.kept.c.cwiseProduct(inverse);
    Matrix both(2 * T, G.cols());
    both << G, -G;
    Vector h(2 * T);
    h << target.array() - K.kappa, -target.array() - K.kappa;
    const std::optional<Vector> x = least_distance(both, h);
    K.found = x.has_value();
    if (x) {
        K.x0 = *x;
    }
}

/// Constraints with s floored at its median, in units of the median.
AffineConstraints floored(const AffineConstraints& constraints, double median) {
    AffineConstraints result = constraints;
    result.s = constraints.s.cwiseMax(median);
    return result;
}

}  // namespace

ThetaPolytope robust_polytope(const AffineConstraints& constraints) {
    ThetaPolytope K;
    if (constraints.count() == 0) {
        return K;
    }
    const double median = std::max(quantile(constraints.s, 0.5), 1e-300);
    const AffineConstraints all = floored(constraints, median);
    // The programs see s in units of its median: s itself can be tiny, and they would not end.
    const std::optional<Vector> center =
        least_absolute(all.v, all.c, median * all.s.cwiseInverse());
    if (!center) {
        return K;
    }
    K.center = *center;
    const Vector misfits = (all.v.transpose() * K.center - all.c).cwiseAbs().cwiseQuotient(all.s);
    std::vector<Index> order(static_cast<std::size_t>(misfits.size()));
    std::iota(order.begin(), order.end(), Index{0});
    std::stable_sort(
        order.begin(), order.end(), [&](Index a, Index b) { return misfits(a) < misfits(b); });
    order.resize(static_cast<std::size_t>(kKept * static_cast<double>(order.size())));
    std::sort(order.begin(), order.end());
    K.kept = {all.v(Eigen::all, order), all.c(order), all.s(order)};
    const std::optional<double> least = least_scale(K.kept.v, K.kept.c, K.kept.s / median);
    if (!least) {
        return K;
    }
    K.least_kappa = *least / median;
    K.kappa = std::max({1.0, 1.5 * K.least_kappa, quantile(misfits, kKept)});
    find_least_point(K);
    return K;
}

ThetaPolytope polytope_with(const AffineConstraints& constraints, double kappa) {
    ThetaPolytope K;
    const double median = std::max(quantile(constraints.s, 0.5), 1e-300);
    K.kept = floored(constraints, median);
    K.kappa = kappa;
    find_least_point(K);
    return K;
}

std::optional<double> width(const ThetaPolytope& K, const Vector& direction) {
    const std::optional<double> high = largest(K, direction);
    const std::optional<double> low = largest(K, -direction);
    if (!high || !low) {
        return std::nullopt;
    }
    return *high + *low;
}

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
