#include "core/softmax/hull.hpp"

#include "core/algebra/lapack.hpp"
#include "core/base/error.hpp"
#include "core/base/text.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace attest {

namespace {

constexpr Index kChunk = 1024;  // rows of a step of the streamed QR
constexpr Index kRounds = 5;
constexpr double kScoreFloor = 0.05;
constexpr double kHuberWidth = 1.5;
constexpr double kLargestRatio = 30.0;

double median(std::vector<double> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

double median(const Vector& v) {
    return median(std::vector<double>(v.data(), v.data() + v.size()));
}

/// SVD of the rows (v_t, −c_t)·weight_t through the triangular factor, 2T(d²+1)² flops.
Svd weighted_svd(const AffineConstraints& constraints, const Vector& weights) {
    const Index n = constraints.v.rows();
    Matrix R(0, n + 1);
    for (Index first = 0; first < constraints.count(); first += kChunk) {
        const Index count = std::min(kChunk, constraints.count() - first);
        Matrix rows(count, n + 1);
        rows.leftCols(n) = constraints.v.middleCols(first, count).transpose();
        rows.col(n) = -constraints.c.segment(first, count);
        rows = weights.segment(first, count).asDiagonal() * rows;
        R = stack_qr(R, rows);
    }
    return svd(R);
}

/// The affine hull {θ : (θ, 1) ∈ span B}, B (d²+1)×m with orthonormal columns.
AffineHull dehomogenise(const Matrix& B) {
    const Index n = B.rows() - 1;
    const Index m = B.cols();
    const Vector b = B.row(n).transpose();
    AffineHull hull{B.topRows(n) * (b / b.squaredNorm()), Matrix(n, 0)};
    if (m > 1) {
        // Coefficients orthogonal to b: the last m−1 columns of a full orthogonal basis of b.
        Matrix full(m, m);
        full << b, Matrix::Identity(m, m - 1);
        Index largest = 0;
        b.cwiseAbs().maxCoeff(&largest);
        Index column = 1;
        for (Index e = 0; e < m; ++e) {
            if (e != largest) {
                full.col(column++) = Vector::Unit(m, e);
            }
        }
        const Matrix kernel = thin_qr(full).Q.rightCols(m - 1);
        hull.directions = thin_qr(B.topRows(n) * kernel).Q;
        hull.x0 -= hull.directions * (hull.directions.transpose() * hull.x0);
    }
    return hull;
}

/// Signs fixed: the entry of largest size in every column is positive.
Matrix with_fixed_signs(Matrix A) {
    for (Index j = 0; j < A.cols(); ++j) {
        Index largest = 0;
        A.col(j).cwiseAbs().maxCoeff(&largest);
        if (A(largest, j) < 0.0) {
            A.col(j) = -A.col(j);
        }
    }
    return A;
}

/// How ill each constraint fits the hull: its misfit at x0, or its slope along a direction.
Vector misfits(const AffineConstraints& constraints, const AffineHull& hull) {
    Vector rho = (constraints.v.transpose() * hull.x0 - constraints.c).cwiseAbs();
    if (hull.directions.cols() > 0) {
        const Matrix slopes = (constraints.v.transpose() * hull.directions).cwiseAbs();
        rho = rho.cwiseMax(hull.x0.norm() * slopes.rowwise().maxCoeff());
    }
    return rho;
}

}  // namespace

AffineConstraints constraints_of(const SculptedRows& rows) {
    const Index d = rows.d;
    const Index T = rows.count() * rows.steps;
    AffineConstraints constraints{Matrix(d * d, T), rows.logits, Vector(T)};
    for (Index t = 0; t < T; ++t) {
        const Index row = t / rows.steps;
        constraints.s(t) = rows.scores(row);
        for (Index u = 0; u < d; ++u) {
            constraints.v.col(t).segment(u * d, d) = rows.tokens(u, row) * rows.differences.col(t);
        }
    }
    return constraints;
}

ThetaHull spectral_hull(const AffineConstraints& constraints, Index m) {
    const Index n = constraints.v.rows();
    require(m >= 1 && m <= n, "spectral_hull: got m = {}, expected 1 to {}", m, n);
    ThetaHull result;
    if (constraints.count() < n + m) {
        return result;
    }
    const double floor = std::max(kScoreFloor * median(constraints.s), 1e-300);
    const Vector base = constraints.s.cwiseMax(floor).cwiseInverse();
    Vector weights = base;
    for (Index round = 0;; ++round) {
        const Svd decomposition = weighted_svd(constraints, weights);
        const Matrix B = decomposition.V.rightCols(m);
        if (!(B.row(n).norm() > 1e-12)) {
            return result;
        }
        const AffineHull hull = dehomogenise(B);
        result.x0 = hull.x0;
        result.directions = with_fixed_signs(hull.directions);
        result.sigma = decomposition.sigma;
        if (round == kRounds) {
            break;
        }
        const Vector rho = misfits(constraints, hull);
        const double width = kHuberWidth * std::max(median(rho), 1e-300);
        weights = (rho / width).cwiseMin(kLargestRatio);
        weights = base.array() / (1.0 + weights.array().square()).sqrt();
    }
    result.gap = gap_for(result, m);
    result.found = true;
    return result;
}

double gap_for(const ThetaHull& hull, Index j) {
    const Index n = hull.sigma.size();
    require(j >= 1 && j < n, "gap_for: got j = {}, expected 1 to {}", j, n - 1);
    return hull.sigma(n - j - 1) / std::max(hull.sigma(n - j), 1e-300);
}

AffineHull affine_hull(const Matrix& points) {
    Matrix homogeneous(points.rows() + 1, points.cols());
    homogeneous << points, Matrix::Ones(1, points.cols());
    return dehomogenise(thin_qr(homogeneous).Q);
}

}  // namespace attest
