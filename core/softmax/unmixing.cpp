#include "core/softmax/unmixing.hpp"

#include "core/algebra/lapack.hpp"
#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "core/softmax/net_search.hpp"

#include <cmath>

namespace attest {

namespace {

constexpr double kLeastProbability = 1e-3;

/// Weighted normal equations of one head's Θ.
struct ThetaNormal {
    Matrix A;
    Vector b;
};

/// The probabilities of all heads on one row, m(k−1) steps: least squares of y − Σ_i W_iᵀ x_0.
Vector unmixed_row(const SoftmaxHeads& heads, const Matrix& X, const Vector& y) {
    const auto m = static_cast<Index>(heads.size());
    const Index steps = X.cols() - 1;
    Matrix design(X.rows(), m * steps);
    Vector target = y;
    const Matrix differences = X.rightCols(steps).colwise() - X.col(0);
    for (Index i = 0; i < m; ++i) {
        const Matrix& W = heads[static_cast<std::size_t>(i)].W;
        design.middleCols(i * steps, steps) = W.transpose() * differences;
        target -= W.transpose() * X.col(0);
    }
    const ThinQr qr = thin_qr(design);
    if (!(qr.R.diagonal().cwiseAbs().minCoeff() > 1e-12)) {
        return Vector();  // equal tokens: the row says nothing
    }
    return solve_upper(qr.R, qr.Q.transpose() * target);
}

void add_row(ThetaNormal& normal, const Vector& q, const Matrix& X, Index a) {
    const double p0 = 1.0 - q.sum();
    const Index d = X.rows();
    if (!(p0 > kLeastProbability && q.minCoeff() > kLeastProbability)) {
        return;
    }
    Vector v(d * d);
    for (Index j = 0; j < q.size(); ++j) {
        const double weight = q(j) * p0 * q(j) * p0;
        for (Index u = 0; u < d; ++u) {
            v.segment(u * d, d) = X(u, a) * (X.col(j + 1) - X.col(0));
        }
        normal.A.selfadjointView<Eigen::Lower>().rankUpdate(v, weight);
        normal.b += weight * std::log(q(j) / p0) * v;
    }
}

}  // namespace

bool rows_are_injective(Index d, Index k, Index m) {
    return d >= m * (k - 1);
}

Unmixing unmix(const SoftmaxHeads& start, const SoftmaxExamples& examples, Index rounds) {
    const Index d = examples.d();
    const Index k = examples.k;
    const auto m = static_cast<Index>(start.size());
    require(m >= 1 && rows_are_injective(d, k, m),
            "unmix: got d = {}, m = {}, k = {}, expected d >= m(k-1)",
            d,
            m,
            k);
    Unmixing result{start, {}};
    for (Index round = 0; round < rounds; ++round) {
        std::vector<ThetaNormal> normals(static_cast<std::size_t>(m),
                                         {Matrix::Zero(d * d, d * d), Vector::Zero(d * d)});
        for (Index column = 0; column < examples.X.cols(); ++column) {
            const Matrix X = examples.X.middleCols((column / k) * k, k);
            const Vector q = unmixed_row(result.heads, X, examples.Y.col(column));
            for (Index i = 0; i < m && q.size() > 0; ++i) {
                add_row(normals[static_cast<std::size_t>(i)],
                        q.segment(i * (k - 1), k - 1),
                        X,
                        column % k);
            }
        }
        Matrix thetas(d * d, m);
        for (Index i = 0; i < m; ++i) {
            const CholeskyFactor factor = cholesky(normals[static_cast<std::size_t>(i)].A);
            if (!factor.positive) {
                return result;  // too few rows are left to determine Θ: what was reached stands
            }
            thetas.col(i) = cholesky_solve(factor, normals[static_cast<std::size_t>(i)].b);
        }
        NetTuple fitted = fit_values_to(thetas, examples);
        result.heads = std::move(fitted.heads);
        result.errors.push_back(fitted.relative_error);
    }
    return result;
}

}  // namespace attest
