#include "core/softmax/linear_program.hpp"

#include "core/algebra/lapack.hpp"
#include "core/base/error.hpp"
#include "core/base/text.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace attest {

namespace {

constexpr Index kMostIterations = 100;
constexpr double kTolerance = 1e-9;
constexpr double kBackOff = 0.9995;  // how much of the way to the boundary a step may go

using Array = Eigen::ArrayXd;

/// y with its slack w = u − y, their multipliers z and v, and λ. Where u is infinite, w is 1 and v
/// is 0 throughout and neither enters.
struct Iterate {
    Array y, w, z, v;
    Vector lambda;
};

class InteriorPoint {
public:
    explicit InteriorPoint(const LinearProgram& program)
        : p_(program),
          bounded_((program.u.array() < std::numeric_limits<double>::infinity()).cast<double>()),
          pairs_(static_cast<double>(program.c.size()) + bounded_.sum()) {
        upper_ = (bounded_ > 0.5).select(program.u.array(), 2.0);
        const double scale = 1.0 + program.c.cwiseAbs().maxCoeff();
        at_.y = upper_ / 2.0;
        at_.w = (bounded_ > 0.5).select(upper_ - at_.y, 1.0);
        at_.z = Array::Constant(program.c.size(), scale);
        at_.v = bounded_ * scale;
        at_.lambda = Vector::Zero(program.b.size());
    }

    ProgramSolution run() {
        ProgramSolution solution;
        for (;;) {
            measure(solution);
            if (std::max(solution.residual, std::abs(solution.gap)) < kTolerance) {
                solution.status = ProgramStatus::optimal;
                break;
            }
            if (solution.iterations == kMostIterations || !step()) {
                break;
            }
            ++solution.iterations;
        }
        solution.y = at_.y;
        solution.lambda = at_.lambda;
        return solution;
    }

private:
    [[nodiscard]] double mu() const {
        return ((at_.y * at_.z).sum() + (bounded_ * at_.w * at_.v).sum()) / pairs_;
    }

    void measure(ProgramSolution& solution) {
        primal_ = p_.b - p_.A * at_.y.matrix();
        dual_ = (p_.c - p_.A.transpose() * at_.lambda).array() - at_.z + at_.v;
        slack_ = bounded_ * (upper_ - at_.y - at_.w);
        solution.objective = p_.c.dot(at_.y.matrix());
        const double dual = p_.b.dot(at_.lambda) - (bounded_ * upper_ * at_.v).sum();
        solution.gap = (solution.objective - dual) / (1.0 + std::abs(solution.objective));
        solution.residual =
            std::max({primal_.cwiseAbs().maxCoeff() / (1.0 + p_.b.cwiseAbs().maxCoeff()),
                      dual_.abs().maxCoeff() / (1.0 + p_.c.cwiseAbs().maxCoeff()),
                      slack_.abs().maxCoeff()});
    }

    /// The Newton direction for given right-hand sides of the products y z and w v.
    [[nodiscard]] Iterate direction(const CholeskyFactor& factor,
                                    const Array& theta,
                                    const Array& yz,
                                    const Array& wv) const {
        const Array g = yz / at_.y - bounded_ * (wv - at_.v * slack_) / at_.w - dual_;
        Iterate d;
        d.lambda = cholesky_solve(factor, primal_ - p_.A * (theta * g).matrix());
        d.y = theta * ((p_.A.transpose() * d.lambda).array() + g);
        d.w = bounded_ * (slack_ - d.y);
        d.z = (yz - at_.z * d.y) / at_.y;
        d.v = bounded_ * (wv - at_.v * d.w) / at_.w;
        return d;
    }

    /// The longest step along a direction that keeps x ≥ 0.
    static double longest(const Array& x, const Array& dx, const Array& active) {
        double step = 1.0;
        for (Index t = 0; t < x.size(); ++t) {
            if (active(t) > 0.5 && dx(t) < 0.0) {
                step = std::min(step, -x(t) / dx(t));
            }
        }
        return step;
    }

    bool step() {
        const Array theta = 1.0 / (at_.z / at_.y + bounded_ * at_.v / at_.w);
        Matrix normal = Matrix::Zero(p_.A.rows(), p_.A.rows());
        const Vector root = theta.sqrt();  // once a column, not once an entry
        add_syrk(normal, p_.A * root.asDiagonal());
        normal.diagonal().array() += 1e-14 * normal.diagonal().maxCoeff();
        if (!normal.allFinite()) {
            return false;  // the multipliers of an infeasible program grow without bound
        }
        const CholeskyFactor factor = cholesky(normal);
        if (!factor.positive) {
            return false;
        }
        const Array ones = Array::Ones(at_.y.size());
        const Iterate predictor =
            direction(factor, theta, -at_.y * at_.z, -bounded_ * at_.w * at_.v);
        const double primal =
            std::min(longest(at_.y, predictor.y, ones), longest(at_.w, predictor.w, bounded_));
        const double dual =
            std::min(longest(at_.z, predictor.z, ones), longest(at_.v, predictor.v, bounded_));
        const double now = mu();
        const double after =
            (((at_.y + primal * predictor.y) * (at_.z + dual * predictor.z)).sum() +
             (bounded_ * (at_.w + primal * predictor.w) * (at_.v + dual * predictor.v)).sum()) /
            pairs_;
        const double target = now * std::pow(after / now, 3.0);
        const Iterate d =
            direction(factor,
                      theta,
                      target - at_.y * at_.z - predictor.y * predictor.z,
                      bounded_ * (target - at_.w * at_.v - predictor.w * predictor.v));
        return advance(d, ones);
    }

    bool advance(const Iterate& d, const Array& ones) {
        const double primal = std::min(
            1.0, kBackOff * std::min(longest(at_.y, d.y, ones), longest(at_.w, d.w, bounded_)));
        const double dual = std::min(
            1.0, kBackOff * std::min(longest(at_.z, d.z, ones), longest(at_.v, d.v, bounded_)));
        if (!(std::max(primal, dual) > 1e-10)) {
            return false;
        }
        at_.y += primal * d.y;
        at_.w += primal * d.w;
        at_.z += dual * d.z;
        at_.v += dual * d.v;
        at_.lambda += dual * d.lambda;
        return true;
    }

    const LinearProgram& p_;
    Array bounded_;  ///< 1 where u is finite, else 0
    double pairs_;
    Array upper_;
    Iterate at_;
    Vector primal_;
    Array dual_;
    Array slack_;
};

}  // namespace

ProgramSolution solve(const LinearProgram& program) {
    const Index n = program.A.rows();
    const Index T = program.A.cols();
    require(
        program.b.size() == n && program.c.size() == T && program.u.size() == T && n >= 1 && T >= 1,
        "linear program: A is {}x{}, b has {}, c {} and u {} entries, expected matching shapes",
        n,
        T,
        program.b.size(),
        program.c.size(),
        program.u.size());
    require(program.u.minCoeff() > 0.0,
            "linear program: got an upper bound that is not positive, expected all positive");
    return InteriorPoint(program).run();
}

}  // namespace attest
