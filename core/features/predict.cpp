#include "core/features/predict.hpp"

#include "core/algebra/lapack.hpp"
#include "core/base/bitwise.hpp"
#include "core/data/token_matrix.hpp"
#include "core/exact/reals.hpp"

#include <cmath>
#include <limits>
#include <sstream>
#include <type_traits>

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

/// A scalar with exponents for cubes of doubles times doubles, and for the squares of these.
using Wide = std::
    conditional_t<(std::numeric_limits<long double>::max_exponent >= 16384), long double, Real50>;

/// Factors in the highest product that the layer's output has for a token: cubes for the paper's.
int degree_of(const Layer& layer) {
    constexpr int kCubic = 3;
    return layer.form == TokenForm::degree ? static_cast<int>(2 * layer.highest_degree + 1)
                                           : kCubic;
}

/// visit(moments) of the examples of a source in order, some at a time.
template <class Visit>
void for_each_wide_batch(const SequenceSource& data, const Visit& visit) {
    const SequenceShape all = data.shape();
    if (!all.layer.is_linear()) {
        data.for_each_part([&](const Dataset& part) {
            for (Index i = 0; i < part.num_sequences(); ++i) {
                visit(sequence_moments<Wide>(part, i, i + 1));
            }
        });
        return;
    }
    if (all.labels != LabelKind::per_prefix) {
        for (Index i = 0; i < all.num_sequences(); ++i) {
            visit(moments_of_runs<Wide>(data, all, i));
        }
        return;
    }
    VectorOf<Wide> s = VectorOf<Wide>::Zero(packed_dim(all.d));
    for (Index first = 0; first < all.num_examples(); first += kMomentBlock) {
        const Index count = std::min(kMomentBlock, all.num_examples() - first);
        const MomentBatchOf<Wide> batch =
            prefix_moments<Wide>(data.examples(first, first + count), s, 0, count);
        s = batch.S.rightCols(1);
        visit(batch);
    }
}

/// visit(outputs, labels) of the examples of a source in order, some at a time.
template <class Visit>
void for_each_wide(const Matrix& P, const MomentSource& source, const Visit& visit) {
    const MatrixOf<Wide> coefficients = P.cast<Wide>();
    const FeatureLayout layout = source.shape().layout;
    const auto outputs = [&](const MomentBatchOf<Wide>& batch) {
        MatrixOf<Wide> Y = MatrixOf<Wide>::Zero(P.cols(), batch.size());
        for (Index i = 0; i < batch.size(); ++i) {
            const VectorOf<Wide> h =
                features_of_moments<Wide>(layout, batch.S.col(i), batch.u.col(i));
            Y.col(i) = coefficients.transpose() * h;
        }
        visit(Y, batch.y);
    };
    require(
        P.rows() == layout.psi(), "predict: P has {} rows, expected {}", P.rows(), layout.psi());
    if (const SequenceSource* const data = source.sequences(); data != nullptr) {
        for_each_wide_batch(*data, outputs);
        return;
    }
    for (Index b = 0; b < source.shape().num_blocks; ++b) {
        const MomentBatch batch = source.block(b);
        outputs({batch.S.cast<Wide>(), batch.u.cast<Wide>(), batch.y.cast<Wide>()});
    }
}

[[noreturn]] void refuse_output(Index output, Index example, const Wide& value) {
    std::ostringstream digits;  // formatted() would show a double
    digits << value;
    throw InvalidInput(
        formatted("predict: output {} of example {} is {}, beyond the largest double, 1.8e308; "
                  "divide the tokens or the coefficients",
                  output,
                  example,
                  digits.str()));
}

/// value·2^−exponent, exponent 0 where a normal double holds the value.
struct ScaledDouble {
    double value;
    int exponent;
};

ScaledDouble scaled_double(const Wide& value) {
    using std::frexp;
    int exponent = 0;
    const Wide fraction = frexp(value, &exponent);
    const bool held = exponent > std::numeric_limits<double>::min_exponent &&
                      exponent <= std::numeric_limits<double>::max_exponent;
    if (held || !(value > 0)) {
        return {static_cast<double>(value), 0};
    }
    return {static_cast<double>(fraction), exponent};
}

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

bool is_ordinary(const Matrix& P, const MomentSource& source) {
    constexpr int kReach = 400;
    const ExponentRange coefficients = exponent_range(P);
    if (!coefficients.within(-kReach, kReach)) {
        return false;
    }
    const SequenceSource* const data = source.sequences();
    if (data == nullptr) {
        return true;
    }
    ExponentRange tokens;
    ExponentRange labels;
    for_each_run(*data, 0, data->shape().num_tokens(), [&](const TokenRun& run) {
        tokens.include(exponent_range(run.tokens));
        labels.include(exponent_range(run.labels));
    });
    const int degree = degree_of(data->shape().layer);
    const int reach = 450 / degree;
    return tokens.within(-reach, reach) && (labels.empty() || std::abs(labels.high) <= kReach) &&
           (tokens.empty() || coefficients.empty() ||
            degree * tokens.high + coefficients.high <= kReach);
}

Matrix predict_wide(const Matrix& P, const MomentSource& source) {
    Matrix Y(P.cols(), source.shape().num_examples);
    Index at = 0;
    for_each_wide(P, source, [&](const MatrixOf<Wide>& outputs, const MatrixOf<Wide>& /*labels*/) {
        for (Index i = 0; i < outputs.cols(); ++i, ++at) {
            for (Index a = 0; a < outputs.rows(); ++a) {
                Y(a, at) = static_cast<double>(outputs(a, i));
                if (!std::isfinite(Y(a, at))) {
                    refuse_output(a, at, outputs(a, i));
                }
            }
        }
    });
    return Y;
}

Risk risk_wide(const Matrix& P, const MomentSource& source) {
    Wide residual = 0;
    Wide power = 0;
    for_each_wide(P, source, [&](const MatrixOf<Wide>& outputs, const MatrixOf<Wide>& labels) {
        residual += (outputs - labels).squaredNorm();
        power += labels.squaredNorm();
    });
    const SourceShape shape = source.shape();
    const ScaledDouble mean = scaled_double(Wide(residual / Wide(shape.num_examples)));
    const ScaledDouble relative =
        power > 0 ? scaled_double(Wide(residual / power)) : ScaledDouble{0.0, 0};
    return {mean.value,
            mean.value / static_cast<double>(shape.o),
            std::ldexp(relative.value, relative.exponent),
            mean.exponent};
}

}  // namespace attest
