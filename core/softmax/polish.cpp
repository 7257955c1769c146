#include "core/softmax/polish.hpp"

#include "core/algebra/lapack.hpp"
#include "core/algebra/matrix.hpp"
#include "core/base/error.hpp"
#include "core/base/interrupt.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace attest {

namespace {

constexpr double kRaise = 5.0;
constexpr double kLower = 0.2;

/// What is known at one point: the eliminated values and the residual.
struct Point {
    std::vector<Matrix> thetas;
    Matrix basis;     ///< (B·k)×(m·d), orthonormal: range of Z
    Matrix W;         ///< (m·d)×d
    Matrix residual;  ///< d×(B·k)
    double error = 0.0;
};

Point at(std::vector<Matrix> thetas, const SoftmaxExamples& examples) {
    const Index d = examples.d();
    const auto m = static_cast<Index>(thetas.size());
    Matrix Z(examples.X.cols(), m * d);
    for (Index i = 0; i < m; ++i) {
        Z.middleCols(i * d, d) =
            mixed_tokens(thetas[static_cast<std::size_t>(i)], examples.X, examples.k).transpose();
    }
    const Svd s = svd(Z);
    // Directions that no example excites are left out: W is the minimum-norm solution.
    const double threshold = 1e-13 * s.sigma(0);
    Index rank = 0;
    while (rank < s.sigma.size() && s.sigma(rank) > threshold) {
        ++rank;
    }
    Point point{std::move(thetas), s.U.leftCols(rank), {}, {}, 0.0};
    const Matrix products = point.basis.transpose() * examples.Y.transpose();
    point.W = s.V.leftCols(rank) * s.sigma.head(rank).cwiseInverse().asDiagonal() * products;
    point.residual = examples.Y - (Z * point.W).transpose();
    point.error = point.residual.squaredNorm() / examples.Y.squaredNorm();
    return point;
}

SoftmaxHeads heads_of(const Point& point) {
    SoftmaxHeads heads;
    const Index d = point.residual.rows();
    for (std::size_t i = 0; i < point.thetas.size(); ++i) {
        heads.push_back({point.thetas[i], point.W.middleRows(static_cast<Index>(i) * d, d)});
    }
    return heads;
}

/// Normal matrix and gradient of the projected residual.
struct Normal {
    Matrix A;
    Vector gradient;
};

Normal linearise(const Point& point, const SoftmaxExamples& examples) {
    const SoftmaxHeads heads = heads_of(point);
    const Index d = examples.d();
    const auto m = static_cast<Index>(heads.size());
    Normal normal{Matrix::Zero(m * d * d, m * d * d), Vector::Zero(m * d * d)};
    Matrix J(m * d * d, examples.X.cols());
    for (Index c = 0; c < d; ++c) {
        for (Index i = 0; i < m; ++i) {
            J.middleRows(i * d * d, d * d) =
                theta_jacobian(heads[static_cast<std::size_t>(i)], examples, c);
        }
        normal.gradient += J * point.residual.row(c).transpose();
        Matrix inside = Matrix::Zero(J.rows(), point.basis.cols());
        add_product(inside, J, point.basis);
        add_product(J, -inside, point.basis.transpose());
        add_syrk(normal.A, J);
    }
    return normal;
}

std::vector<Matrix> moved(const std::vector<Matrix>& thetas, const Vector& step) {
    std::vector<Matrix> result = thetas;
    const Index d = thetas.front().rows();
    for (std::size_t i = 0; i < thetas.size(); ++i) {
        result[i] += fold<double>(step.segment(static_cast<Index>(i) * d * d, d * d), d, d);
    }
    return result;
}

/// One run: a point, its linearisation while it is valid, and the damping.
class Descent {
public:
    Descent(const std::vector<Matrix>& thetas, const SoftmaxExamples& examples)
        : examples_(examples), point_(at(thetas, examples)) {}

    /// One damped step; whether it was accepted.
    bool step() {
        if (!normal_) {
            normal_ = linearise(point_, examples_);
        }
        Matrix damped = normal_->A;
        damped.diagonal().array() += mu_ * std::max(normal_->A.diagonal().mean(), 1e-300);
        const CholeskyFactor factor = cholesky(damped);
        if (factor.positive) {
            Point trial =
                at(moved(point_.thetas, cholesky_solve(factor, normal_->gradient)), examples_);
            if (trial.error < point_.error) {
                point_ = std::move(trial);
                normal_.reset();
                mu_ = std::max(mu_ * kLower, 1e-15);
                return true;
            }
        }
        mu_ *= kRaise;
        return false;
    }

    /// No step of any length lowers the error.
    [[nodiscard]] bool stuck() const { return mu_ > 1e12; }

    [[nodiscard]] const Point& point() const { return point_; }

private:
    const SoftmaxExamples& examples_;
    Point point_;
    std::optional<Normal> normal_;
    double mu_ = 1e-2;  ///< in units of the normal matrix's mean diagonal
};

}  // namespace

FitControl polish_control() {
    FitControl control;
    control.max_iterations = 80;
    control.target = 1e-26;
    control.interrupt = interrupted;
    return control;
}

Matrix theta_jacobian(const SoftmaxHead& head, const SoftmaxExamples& examples, Index c) {
    const Index d = examples.d();
    const Index k = examples.k;
    Matrix J(d * d, examples.X.cols());
    const Vector w = head.W.col(c);
    for (Index i = 0; i < examples.count(); ++i) {
        const Matrix X = examples.X.middleCols(i * k, k);
        const Matrix P = attention_weights(head.Theta, X);
        const Vector values = X.transpose() * w;
        for (Index a = 0; a < k; ++a) {
            // C_a w = Σ_j p_j x_j (x_j·w) − μ (μ·w).
            const double mean = P.col(a).dot(values);
            const Vector slope = X * (P.col(a).array() * (values.array() - mean)).matrix();
            for (Index u = 0; u < d; ++u) {
                J.col(i * k + a).segment(u * d, d) = X(u, a) * slope;
            }
        }
    }
    return J;
}

SoftmaxFit polish(const std::vector<Matrix>& thetas,
                  const SoftmaxExamples& examples,
                  const FitControl& control) {
    check(examples);
    const Index d = examples.d();
    require(!thetas.empty() && std::all_of(thetas.begin(),
                                           thetas.end(),
                                           [&](const Matrix& Theta) {
                                               return Theta.rows() == d && Theta.cols() == d;
                                           }),
            "polish: expected at least one d×d Theta to start from");
    Descent descent(thetas, examples);
    SoftmaxFit fit;
    fit.history.push_back(descent.point().error);
    std::optional<FitEnd> end;
    while (!end) {
        end = reason_to_stop(fit.history, fit.iterations, control);
        if (end) {
            break;
        }
        ++fit.iterations;
        if (descent.step()) {
            fit.history.push_back(descent.point().error);
        } else if (descent.stuck()) {
            end = FitEnd::stationary;
        }
    }
    fit.end = *end;
    fit.heads = heads_of(descent.point());
    fit.relative_error = descent.point().error;
    return fit;
}

}  // namespace attest
