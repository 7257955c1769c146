#include "core/distil/leading_risk.hpp"

#include "core/algebra/dense_least_squares.hpp"
#include "core/base/error.hpp"
#include "core/data/moment_source.hpp"
#include "core/features/predict.hpp"
#include "core/solve/solvers.hpp"

#include <cmath>
#include <limits>

namespace attest {

namespace {

/// The least risk of the data's layer on these labels.
Risk least_squares_risk(Dataset data, const Matrix& labels) {
    data.y = labels;
    data.truth = {};
    if (data.labels == LabelKind::none) {
        data.labels = LabelKind::per_sequence;
    }
    const DatasetSource source(data);
    return empirical_risk(fit_least_squares(source, "svd", {}).P, source);
}

double mean_square(const Vector& values) {
    return values.squaredNorm() / static_cast<double>(values.size());
}

/// Cov over the tokens of a value and of weights, both columns of one example.
Vector covariance(const Matrix& values, const Vector& weights) {
    const Vector centred = weights.array() - weights.mean();
    return values * centred / static_cast<double>(weights.size());
}

/// Functions that a normalised head moves by at second order, and ½ V Cov(z, a²) beside them; row
/// i·o + a is output a of example i.
struct SecondOrder {
    Matrix freedom;
    Vector target;
};

SecondOrder second_order(const SoftmaxLayer& layer, const Dataset& data) {
    const Head& head = layer.heads.front();
    const Index o = layer.o;
    const Index D = layer.d + 1;
    const std::vector<AttendedTokens> examples = attended_tokens(data);
    const Index rows = o * std::ssize(examples);
    SecondOrder found{Matrix::Zero(rows, o * D + D * D + D), Vector(rows)};
    for (Index i = 0; i < std::ssize(examples); ++i) {
        const auto [first, count, query] = examples[static_cast<std::size_t>(i)];
        const Matrix Z = data.tokens.middleCols(first, count);
        const Matrix lifted = with_constant(Z);
        const Vector asking = with_constant(data.tokens.col(query));
        const Matrix values = head.V * Z;
        const Vector scores = layer.tau * (Z.transpose() * (head.Q * data.tokens.col(query)));
        const Vector mean = lifted.rowwise().mean();
        const Vector covariant = covariance(values, scores);
        for (Index j = 0; j < D; ++j) {
            found.freedom.block(i * o, j * o, o, o) = mean(j) * Matrix::Identity(o, o);
            const Vector spread = covariance(values, lifted.row(j).transpose());
            for (Index k = 0; k < D; ++k) {
                found.freedom.block(i * o, o * D + j * D + k, o, 1) = spread * asking(k);
            }
            found.freedom.block(i * o, o * D + D * D + j, o, 1) = asking(j) * covariant;
        }
        found.target.segment(i * o, o) = 0.5 * covariance(values, scores.cwiseAbs2());
    }
    return found;
}

}  // namespace

LeadingRisk leading_risk(const SoftmaxLayer& layer, const Dataset& data) {
    const ScoreSeries series = score_series(layer, data);
    for (std::size_t k = 0; k < series.terms.size(); ++k) {
        const Risk left = least_squares_risk(data, series.terms[k]);
        if (left.relative > kNoResidual) {
            return {
                2 * static_cast<int>(k), left.risk, std::sqrt(mean_square(series.remainders[k]))};
        }
    }
    throw InvalidInput(
        "leading risk: the layer's features have all terms of the series to second order");
}

LeadingRisk normalised_leading_risk(const SoftmaxLayer& layer, const Dataset& data) {
    require(
        layer.heads.size() == 1 && !layer.biased && layer.direct.size() == 0 && data.d() == layer.d,
        "normalised leading risk: got {} heads on {} entries, expected one without biases on {}",
        layer.heads.size(),
        data.d(),
        layer.d);
    const SecondOrder found = second_order(layer, data);
    const double threshold =
        static_cast<double>(found.freedom.rows()) * std::numeric_limits<double>::epsilon();
    const Matrix X = eigen_cod(found.freedom, found.target, threshold).X;
    const Vector left = found.freedom * X - found.target;
    return {4, left.squaredNorm() / static_cast<double>(attended_tokens(data).size()), 0.0};
}

}  // namespace attest
