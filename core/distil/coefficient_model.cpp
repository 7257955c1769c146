#include "core/distil/coefficient_model.hpp"

#include "core/base/bitwise.hpp"
#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "core/features/predict.hpp"
#include "core/rng/sample.hpp"

#include <algorithm>
#include <cmath>

namespace attest {

namespace {

/// Examples whose features stand in memory at a time.
constexpr Index kBlock = 256;

}  // namespace

PrefixData<double> moment_data(const MomentSource& source) {
    const MomentBatch batch = collect(source);
    PrefixData<double> data;
    data.d = batch.S.rows() + batch.u.rows();
    data.o = batch.y.rows();
    data.length = 1;
    data.num_sequences = batch.size();
    data.labelled = 1;
    data.tokens.resize(data.d, batch.size());
    data.tokens.topRows(batch.S.rows()) = batch.S;
    data.tokens.bottomRows(batch.u.rows()) = batch.u;
    data.y = batch.y;
    data.label_power = batch.y.squaredNorm() / static_cast<double>(batch.size());
    require(data.label_power > 0.0, "moment_data: every label is zero, nothing can be learned");
    return data;
}

CoefficientModel::CoefficientModel(const PrefixData<double>& data, const FeatureLayout& layout)
    : TrainedModel<double>(data), layout_(layout), o_(data.o) {
    require(data.d == layout.q() + layout.m() && data.length == 1,
            "coefficient model: got {} rows and {} tokens a sequence, expected {} and 1",
            data.d,
            data.length,
            layout.q() + layout.m());
    units_ =
        (data.tokens.rowwise().squaredNorm() / static_cast<double>(data.num_sequences)).cwiseSqrt();
    units_ = units_.unaryExpr([](double unit) { return is_zero(unit) ? 1.0 : unit; });
    for (Index first = 0; first < data.num_sequences; first += kBlock) {
        const Index count = std::min(kBlock, data.num_sequences - first);
        const MomentBatch block = in_units(data.tokens.middleCols(first, count));
        feature_power_ += feature_columns(block, layout_).squaredNorm();
    }
    feature_power_ /= static_cast<double>(data.num_sequences);
}

MomentBatch CoefficientModel::in_units(const Matrix& tokens) const {
    const Matrix scaled = units_.cwiseInverse().asDiagonal() * tokens;
    return {scaled.topRows(layout_.q()), scaled.bottomRows(layout_.m()), {}};
}

Vector CoefficientModel::start(const Stream& stream) const {
    const Matrix entries = grid_matrix(grid_normal(), num_parameters(), 1, stream);
    return entries.col(0) / std::sqrt(static_cast<double>(layout_.psi()));
}

Vector CoefficientModel::gradient(const Vector& theta, std::span<const Index> sequences) const {
    const Eigen::Map<const Matrix> P(theta.data(), layout_.psi(), o_);
    const auto size = static_cast<Index>(sequences.size());
    Matrix tokens(data().d, size);
    Matrix residual(o_, size);
    for (Index k = 0; k < size; ++k) {
        tokens.col(k) = data().tokens.col(sequences[static_cast<std::size_t>(k)]);
        residual.col(k) = -data().y.col(sequences[static_cast<std::size_t>(k)]);
    }
    const Matrix H = feature_columns(in_units(tokens), layout_);
    residual += P.transpose() * H;
    residual *= 2.0 / (static_cast<double>(size) * data().label_power);
    const Matrix sum = H * residual.transpose();
    return sum.reshaped();
}

double CoefficientModel::loss(const Vector& theta, const PrefixData<double>& data) const {
    const Matrix P = theta.reshaped(layout_.psi(), o_);
    const Matrix residual = predict(P, in_units(data.tokens), layout_) - data.y;
    return residual.squaredNorm() / (static_cast<double>(data.num_sequences) * data.label_power);
}

}  // namespace attest
