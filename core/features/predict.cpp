#include "core/features/predict.hpp"

#include "core/algebra/lapack.hpp"
#include "core/base/bitwise.hpp"
#include "core/features/wide_prediction.hpp"

namespace attest {

namespace {

/// Pᵀ H batch by batch, P brought once into the form in which it multiplies S.
class OutputsOf {
public:
    OutputsOf(const Matrix& P, const FeatureLayout& layout) {
        require(P.rows() == layout.psi(),
                "predict: P has {} rows, expected {}",
                P.rows(),
                layout.psi());
        for (Index a = 0; a < P.cols(); ++a) {
            factors_.push_back(layout.by_factors(P.col(a)));
        }
    }

    [[nodiscard]] Matrix operator()(const MomentBatch& batch) const {
        Matrix Y(std::ssize(factors_), batch.size());
        for (Index a = 0; a < Y.rows(); ++a) {
            Matrix keys = Matrix::Zero(batch.u.rows(), batch.size());
            add_product(keys, factors_[static_cast<std::size_t>(a)], batch.S);
            Y.row(a) = keys.cwiseProduct(batch.u).colwise().sum();
        }
        return Y;
    }

private:
    std::vector<Matrix> factors_;
};

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

Matrix predict(const Matrix& P, const MomentBatch& batch, const FeatureLayout& layout) {
    return OutputsOf(P, layout)(batch);
}

Matrix predict(const Matrix& P, const MomentSource& source) {
    if (!is_ordinary(P, source)) {
        return predict_wide(P, source);
    }
    const SourceShape shape = source.shape();
    const OutputsOf outputs(P, shape.layout);
    Matrix Y(P.cols(), shape.num_examples);
    Index at = 0;
    for (Index b = 0; b < shape.num_blocks; ++b) {
        const MomentBatch batch = source.block(b);
        Y.middleCols(at, batch.size()) = outputs(batch);
        at += batch.size();
    }
    return Y;
}

Risk empirical_risk(const Matrix& P, const MomentSource& source) {
    const SourceShape shape = source.shape();
    require(shape.o == P.cols(), "empirical_risk: labels and coefficients disagree on o");
    if (!is_ordinary(P, source)) {
        return risk_wide(P, source);
    }
    const OutputsOf outputs(P, shape.layout);
    SquaredErrors errors;
    for (Index b = 0; b < shape.num_blocks; ++b) {
        const MomentBatch batch = source.block(b);
        errors.add(outputs(batch), batch.y);
    }
    return errors.risk(shape);
}

Prediction predict_and_score(const Matrix& P, const MomentSource& source) {
    const SourceShape shape = source.shape();
    require(shape.o == 0 || shape.o == P.cols(),
            "predict_and_score: labels and coefficients disagree on o");
    if (!is_ordinary(P, source)) {
        Prediction found{predict_wide(P, source), std::nullopt};
        if (shape.o > 0) {
            found.risk = risk_wide(P, source);
        }
        return found;
    }
    Prediction found{Matrix(P.cols(), shape.num_examples), std::nullopt};
    const OutputsOf outputs(P, shape.layout);
    SquaredErrors errors;
    Index at = 0;
    for (Index b = 0; b < shape.num_blocks; ++b) {
        const MomentBatch batch = source.block(b);
        found.y.middleCols(at, batch.size()) = outputs(batch);
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
