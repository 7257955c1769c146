#pragma once

#include "core/algebra/matrix.hpp"

#include <vector>

namespace attest {

/// What the replicas of one family say of a result: the mean square of their errors is about
/// rows·columns, row mean·column mean/mean where there are both, else at least a quarter of the
/// mean.
struct FamilySpread {
    Vector rows;
    Vector columns;
};

[[nodiscard]] FamilySpread family_spread(const std::vector<Eigen::MatrixXf>& errors);

/// σ of each number: the larger of both families'.
[[nodiscard]] Matrix sigma_of(const FamilySpread& one, const FamilySpread& other);

/// c of the regression error = c·expected with weights 1/σ²; 0 where nothing is expected.
[[nodiscard]] double regression_gain(const Matrix& error,
                                     const Matrix& expected,
                                     const Matrix& sigma);

}  // namespace attest
