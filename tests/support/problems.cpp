#include "tests/support/problems.hpp"

#include "core/model/forward.hpp"
#include "core/rng/sample.hpp"

#include <Eigen/QR>

namespace attest::test {

Matrix normal_matrix(Index rows, Index cols, const Stream& stream) {
    return grid_matrix(grid_normal(), rows, cols, stream);
}

Parameters normal_parameters(Index d, Index o, Index heads, const Stream& stream) {
    Parameters theta{d, o, {}};
    for (Index h = 0; h < heads; ++h) {
        theta.heads.push_back({normal_matrix(o, d, stream.child("V").child(h)),
                               normal_matrix(d, d, stream.child("Q").child(h))});
    }
    return theta;
}

Dataset planted_dataset(const Parameters& theta,
                        Index num_sequences,
                        Index n,
                        const Stream& stream) {
    Dataset data;
    data.tokens = normal_matrix(theta.d, num_sequences * n, stream);
    data.labels = LabelKind::per_sequence;
    data.y.resize(theta.o, num_sequences);
    data.offsets.push_back(0);
    for (Index i = 0; i < num_sequences; ++i) {
        data.offsets.push_back((i + 1) * n);
        const Matrix Z = data.tokens.middleCols(i * n, n);
        data.y.col(i) = attend<double>(theta, Z, Z.col(n - 1));
    }
    data.truth.heads = theta;
    return data;
}

Matrix matrix_with_singular_values(Index rows, const Vector& sigma, const Stream& stream) {
    const Index cols = sigma.size();
    const Matrix left =
        Eigen::HouseholderQR<Matrix>(normal_matrix(rows, cols, stream.child("left")))
            .householderQ() *
        Matrix::Identity(rows, cols);
    const Matrix right =
        Eigen::HouseholderQR<Matrix>(normal_matrix(cols, cols, stream.child("right")))
            .householderQ();
    return left * sigma.asDiagonal() * right.transpose();
}

}  // namespace attest::test
