#pragma once

#include "core/algebra/matrix.hpp"

#include <vector>

namespace attest {

/// σ of each number from the errors of two families of replicas: the mean square of each family
/// pooled over rows and columns, row mean·column mean/mean where there are both, else at least a
/// quarter of the mean; the larger of both families.
[[nodiscard]] Matrix pooled_sigma(const std::vector<Eigen::MatrixXf>& one,
                                  const std::vector<Eigen::MatrixXf>& other);

/// c of the regression error = c·expected with weights 1/σ²; 0 where nothing is expected.
[[nodiscard]] double regression_gain(const Matrix& error,
                                     const Matrix& expected,
                                     const Matrix& sigma);

}  // namespace attest
