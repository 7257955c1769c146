#include "core/kernels/sharp/spread.hpp"

namespace attest {

namespace {

Matrix mean_squares(const std::vector<Eigen::MatrixXf>& errors) {
    Matrix squares = Matrix::Zero(errors.front().rows(), errors.front().cols());
    for (const Eigen::MatrixXf& error : errors) {
        squares += error.cast<double>().cwiseAbs2();
    }
    return squares / static_cast<double>(errors.size());
}

}  // namespace

FamilySpread family_spread(const std::vector<Eigen::MatrixXf>& errors) {
    const Matrix squares = mean_squares(errors);
    const double mean = squares.mean();
    // One number a row, or a row alone, has no other to be pooled with.
    if (squares.cols() == 1 || !(mean > 0.0)) {
        return {squares.rowwise().maxCoeff().cwiseMax(mean / 4.0), Vector::Ones(squares.cols())};
    }
    if (squares.rows() == 1) {
        return {Vector::Ones(1), squares.row(0).transpose().cwiseMax(mean / 4.0)};
    }
    return {squares.rowwise().mean(), squares.colwise().mean().transpose() / mean};
}

Matrix sigma_of(const FamilySpread& one, const FamilySpread& other) {
    const Matrix of_one = one.rows * one.columns.transpose();
    const Matrix of_other = other.rows * other.columns.transpose();
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
