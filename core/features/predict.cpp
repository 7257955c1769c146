#include "core/features/predict.hpp"

#include "core/base/bitwise.hpp"

namespace attest {

namespace {

/// Sums over the examples seen so far.
struct SquaredErrors {
    double residual = 0.0;
    double power = 0.0;  ///< of the labels

    void add(const Matrix& outputs, const Matrix& y) {
        residual += (outputs - y).squaredNorm();
        power += y.squaredNorm();
    }

    [[nodiscard]] Risk risk(const SourceShape& shape) const {
        const auto N = static_cast<double>(shape.num_examples);
        const double relative = is_zero(power) ? 0.0 : residual / power;
        return {residual / N, residual / N / static_cast<double>(shape.o), relative};
    }
};

}  // namespace

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
    SquaredErrors errors;
    for (Index b = 0; b < shape.num_blocks; ++b) {
        const MomentBatch batch = source.block(b);
        errors.add(predict(P, batch), batch.y);
    }
    return errors.risk(shape);
}

Prediction predict_and_score(const Matrix& P, const MomentSource& source) {
    const SourceShape shape = source.shape();
    require(shape.o == 0 || shape.o == P.cols(),
            "predict_and_score: labels and coefficients disagree on o");
    Prediction found{Matrix(P.cols(), shape.num_examples), std::nullopt};
    SquaredErrors errors;
    Index at = 0;
    for (Index b = 0; b < shape.num_blocks; ++b) {
        const MomentBatch batch = source.block(b);
        found.y.middleCols(at, batch.size()) = predict(P, batch);
        if (shape.o > 0) {
            errors.add(found.y.middleCols(at, batch.size()), batch.y);
        }
        at += batch.size();
    }
    if (shape.o > 0) {
        found.risk = errors.risk(shape);
    }
    return found;
}

}  // namespace attest
