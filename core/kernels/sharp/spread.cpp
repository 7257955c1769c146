#include "core/kernels/sharp/spread.hpp"

#include <algorithm>
#include <cmath>

namespace attest {

namespace {

Matrix mean_squares(const std::vector<Eigen::MatrixXf>& errors) {
    Matrix squares = Matrix::Zero(errors.front().rows(), errors.front().cols());
    for (const Eigen::MatrixXf& error : errors) {
        squares += error.cast<double>().cwiseAbs2();
    }
    return squares / static_cast<double>(errors.size());
}

/// One number a row, or a row alone, has no other to be pooled with.
Matrix pooled(const Matrix& squares) {
    const double mean = squares.mean();
    if (squares.rows() == 1 || squares.cols() == 1 || !(mean > 0.0)) {
        return squares.cwiseMax(mean / 4.0);
    }
    const Vector of_rows = squares.rowwise().mean();
    const Eigen::RowVectorXd of_columns = squares.colwise().mean();
    return of_rows * (of_columns / mean);
}

}  // namespace

Matrix pooled_sigma(const std::vector<Eigen::MatrixXf>& one,
                    const std::vector<Eigen::MatrixXf>& other) {
    const Matrix of_one = pooled(mean_squares(one));
    const Matrix of_other = pooled(mean_squares(other));
    return of_one.cwiseMax(of_other).cwiseSqrt();
}

double regression_gain(const Matrix& error, const Matrix& expected, const Matrix& sigma) {
    double above = 0.0;
    double below = 0.0;
    for (Index at = 0; at < error.size(); ++at) {
        const double s = sigma.data()[at];
        if (s > 0.0) {
            above += error.data()[at] / s * (expected.data()[at] / s);
            below += expected.data()[at] / s * (expected.data()[at] / s);
        }
    }
    return below > 0.0 ? above / below : 0.0;
}

}  // namespace attest
