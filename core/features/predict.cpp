#include "core/features/predict.hpp"

#include "core/base/bitwise.hpp"

namespace attest {

Matrix predict(const Matrix& P, const MomentBatch& batch) {
    const Index d = batch.z.rows();
    require(P.rows() == feature_dim(d),
            "predict: P has {} rows, expected {}",
            P.rows(),
            feature_dim(d));
    Matrix Y(P.cols(), batch.size());
    for (Index a = 0; a < P.cols(); ++a) {
        // Column a of P, read as the d×q matrix with entry (l, pair).
        const Matrix coefficients = P.col(a).reshaped(d, packed_dim(d));
        const Matrix keys = coefficients * batch.S;
        Y.row(a) = keys.cwiseProduct(batch.z).colwise().sum();
    }
    return Y;
}

Matrix predict(const Matrix& P, const MomentSource& source) {
    const SourceShape shape = source.shape();
    Matrix Y(P.cols(), shape.num_examples);
    Index at = 0;
    for (Index b = 0; b < shape.num_blocks; ++b) {
        const MomentBatch batch = source.block(b);
        Y.middleCols(at, batch.size()) = predict(P, batch);
        at += batch.size();
    }
    return Y;
}

Risk empirical_risk(const Matrix& P, const MomentSource& source) {
    const SourceShape shape = source.shape();
    require(shape.o == P.cols(), "empirical_risk: labels and coefficients disagree on o");
    double residual = 0.0;
    double power = 0.0;
    for (Index b = 0; b < shape.num_blocks; ++b) {
        const MomentBatch batch = source.block(b);
        residual += (predict(P, batch) - batch.y).squaredNorm();
        power += batch.y.squaredNorm();
    }
    const auto N = static_cast<double>(shape.num_examples);
    const double relative = is_zero(power) ? 0.0 : residual / power;
    return {residual / N, residual / N / static_cast<double>(shape.o), relative};
}

}  // namespace attest
