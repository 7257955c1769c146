#pragma once

#include "core/data/dataset.hpp"

#include <utility>
#include <vector>

namespace attest {

/// Sequences of equal or different lengths as one data set without labels.
[[nodiscard]] inline Dataset sequences(const std::vector<Matrix>& examples) {
    Dataset data;
    data.offsets.push_back(0);
    Matrix tokens;
    for (const Matrix& Z : examples) {
        const Index before = tokens.cols();
        tokens.conservativeResize(Z.rows(), before + Z.cols());
        tokens.rightCols(Z.cols()) = Z;
        data.offsets.push_back(before + Z.cols());
    }
    data.tokens = std::move(tokens);
    return data;
}

/// Labels, one column an example.
[[nodiscard]] inline Dataset with_labels(Dataset data, const Matrix& y) {
    data.labels = LabelKind::per_sequence;
    data.y = y;
    return data;
}

/// Six examples of d = 2 whose 6×6 feature matrix is unimodular: det Λ = 6⁻⁶ = 1/46656.
[[nodiscard]] inline Dataset unimodular_six() {
    return sequences({Matrix{{0, 0, 1}, {0, 1, 0}},
                      Matrix{{0, 1, 0}, {0, 0, 1}},
                      Matrix{{1, 0, 1}, {0, 1, 0}},
                      Matrix{{1, 1, 0}, {0, 0, 1}},
                      Matrix{{1, 0, 1}, {1, 1, 0}},
                      Matrix{{1, 1, 0}, {1, 0, 1}}});
}

/// Five examples of d = 2 with rank 5 and null vector S_11 z_2 − S_22 z_1.
[[nodiscard]] inline Dataset deficient_five() {
    return sequences({Matrix{{0, 0}, {0, 1}},
                      Matrix{{0, 1}, {0, 0}},
                      Matrix{{0, 1}, {0, 1}},
                      Matrix{{-1, 1}, {1, 1}},
                      Matrix{{0, 2}, {1, 1}}});
}

/// Four sequences of one-hot tokens, d = 2, that span the features of all of them: rank 4, S_12 =
/// 0.
[[nodiscard]] inline Dataset one_hot_four() {
    return sequences(
        {Matrix{{1}, {0}}, Matrix{{0}, {1}}, Matrix{{0, 1}, {1, 0}}, Matrix{{1, 0}, {0, 1}}});
}

}  // namespace attest
