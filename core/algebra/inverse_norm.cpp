#include "core/algebra/inverse_norm.hpp"

#include <algorithm>
#include <cmath>

namespace attest {

template <class Scalar>
double inverse_norm1(Index n,
                     const std::function<MatrixOf<Scalar>(const MatrixOf<Scalar>&)>& solve) {
    using Column = MatrixOf<Scalar>;
    const auto norm1 = [](const Column& v) { return v.template cast<double>().cwiseAbs().sum(); };
    Column x = Column::Constant(n, 1, Scalar(1) / static_cast<Scalar>(n));
    double estimate = 0.0;
    for (int step = 0; step < 5; ++step) {
        const Column y = solve(x);
        estimate = std::max(estimate, norm1(y));
        const Column signs =
            y.unaryExpr([](Scalar v) { return v < Scalar(0) ? Scalar(-1) : Scalar(1); });
        const Column gradient = solve(signs);
        Index row = 0;
        const Scalar steepest = gradient.col(0).cwiseAbs().maxCoeff(&row);
        if (step > 0 && !(steepest > gradient.col(0).dot(x.col(0)))) {
            break;
        }
        x.setZero();
        x(row, 0) = Scalar(1);
    }
    for (Index i = 0; i < n; ++i) {
        const double size =
            1.0 + static_cast<double>(i) / static_cast<double>(std::max<Index>(n - 1, 1));
        x(i, 0) = static_cast<Scalar>(i % 2 == 0 ? size : -size);
    }
    return std::max(estimate, 2.0 * norm1(solve(x)) / (3.0 * static_cast<double>(n)));
}

template double inverse_norm1<double>(Index, const std::function<Matrix(const Matrix&)>&);
template double inverse_norm1<float>(Index,
                                     const std::function<MatrixOf<float>(const MatrixOf<float>&)>&);

}  // namespace attest
