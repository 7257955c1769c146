#include "core/heads/value_fit.hpp"

#include "core/algebra/lapack.hpp"
#include "core/features/gauge.hpp"
#include "core/heads/split_heads.hpp"

#include <cmath>
#include <limits>

namespace attest {

namespace {

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();

/// A least-squares problem's range and its solution.
struct Projection {
    Matrix basis;
    Matrix solution;
};

Projection project(const Matrix& A, const Matrix& rhs) {
    const double tiny = static_cast<double>(A.cols()) * kEpsilon;
    if (A.rows() >= A.cols()) {
        const ThinQr qr = thin_qr(A);
        if (triangular_rcond(qr.R) > tiny) {
            return {qr.Q, solve_upper(qr.R, qr.Q.transpose() * rhs)};
        }
    }
    const Svd decomposition = svd(A);
    const Vector& sigma = decomposition.sigma;
    const double threshold = sigma.size() > 0 ? tiny * sigma(0) : 0.0;
    const Index rank = (sigma.array() > threshold).count();
    const Matrix basis = decomposition.U.leftCols(rank);
    const Matrix coordinates =
        sigma.head(rank).cwiseInverse().asDiagonal() * (basis.transpose() * rhs);
    return {basis, decomposition.V.leftCols(rank) * coordinates};
}

}  // namespace

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
    const Projection projection = project(design, target.goal);
    fit.basis = projection.basis;
    fit.residual = target.goal - fit.basis * (fit.basis.transpose() * target.goal);
    fit.error = fit.residual.norm();
    // Rows (h, b) of the solution, one column an output, become V[(a,b), h].
    fit.V.resize(target.o * d, H);
    for (Index h = 0; h < H; ++h) {
        for (Index a = 0; a < target.o; ++a) {
            fit.V.col(h).segment(a * d, d) = projection.solution.col(a).segment(h * d, d);
        }
    }
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
