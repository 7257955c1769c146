#pragma once

#include "tests/support/problems.hpp"

namespace attest::test {

/// d = 1, so that H = z³ and Λ is a number: sequences of one token each.
[[nodiscard]] inline Dataset scalars(const Matrix& z) {
    Dataset data;
    data.tokens = z;
    for (Index i = 0; i <= z.cols(); ++i) {
        data.offsets.push_back(i);
    }
    return data;
}

/// Four times z = 1 with labels 1, 1, 1, −1: the minimiser is 1/2, its risk 3/4.
[[nodiscard]] inline Dataset one_sign_wrong() {
    Dataset data = scalars(Matrix{{1, 1, 1, 1}});
    data.labels = LabelKind::per_sequence;
    data.y = Matrix{{1, 1, 1, -1}};
    return data;
}

/// Labelled sequences of n tokens, d = 2, ψ = 6: of full rank for n ≥ 2, of rank 4 for n = 1.
[[nodiscard]] inline Dataset planted(Index N, Index n, std::uint64_t seed = 7) {
    const Stream stream = Stream(seed).child("audit");
    return planted_dataset(
        normal_parameters(2, 2, 1, stream.child("theta")), N, n, stream.child("data"));
}

}  // namespace attest::test
