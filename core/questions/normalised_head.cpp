#include "core/questions/normalised_head.hpp"

#include "core/algebra/lapack.hpp"
#include "core/base/error.hpp"
#include "core/base/memory.hpp"
#include "core/base/text.hpp"
#include "core/data/model_arrays.hpp"
#include "core/features/cubic.hpp"

#include <algorithm>
#include <cmath>

namespace attest {

namespace {

/// Beside the size of the rows before the numerator is eliminated: below it the last counts as 0,
/// and the one before must not.
constexpr double kZero = 1e-11;
constexpr double kOpen = 1e-8;

/// Row i is vec(w_i z_iᵀ), w_i the sum of the tokens: the denominator is its product with vec(Q).
Matrix denominator_rows(const Dataset& data) {
    const Index d = data.d();
    Matrix rows(data.num_sequences(), d * d);
    for (Index i = 0; i < rows.rows(); ++i) {
        const Vector w = data.sequence(i).rowwise().sum();
        const Vector z = data.tokens.col(data.query_token(i));
        rows.row(i) = (w * z.transpose()).reshaped();
    }
    return rows;
}

/// 1/√(1 + ‖y‖²): labels near a zero of the denominator are large, and their rows as uncertain.
Vector row_weights(const Matrix& y) {
    return (1.0 + y.colwise().squaredNorm().array()).rsqrt().matrix().transpose();
}

/// The rows y_a·w zᵀ outside the column space of H, for all outputs a below each other.
Matrix outside_of_features(const Dataset& data, const Matrix& rows, const Vector& weights) {
    const MomentBatch batch = sequence_moments<double>(data, 0, data.num_sequences());
    const Matrix H = feature_columns(batch, data.layout()).transpose();
    const Matrix basis = thin_qr(weights.asDiagonal() * H).Q;
    Matrix outside(rows.rows() * data.o(), rows.cols());
    for (Index a = 0; a < data.o(); ++a) {
        const Vector scale = weights.cwiseProduct(data.y.row(a).transpose());
        const Matrix part = scale.asDiagonal() * rows;
        outside.middleRows(a * rows.rows(), rows.rows()) =
            part - basis * (basis.transpose() * part);
    }
    return outside;
}

/// V of y·(denominator) = V S Q z, in the least-squares sense.
Matrix values_of(const Dataset& data,
                 const Matrix& keys,
                 const Vector& below,
                 const Vector& weights) {
    const ThinQr qr = thin_qr((keys * weights.asDiagonal()).transpose());
    const Matrix right = (data.y * below.cwiseProduct(weights).asDiagonal()).transpose();
    return solve_upper(qr.R, qr.Q.transpose() * right).transpose();
}

}  // namespace

NormalisedHead fit_normalised_head(const Dataset& data) {
    require(data.layer.is_linear() && data.labels == LabelKind::per_sequence,
            "normalised head: got the layer {} and labels {}, expected linear and per_sequence",
            to_string(data.layer),
            to_string(data.labels));
    const Index d = data.d();
    const Index psi = data.layout().psi();
    const Index N = data.num_sequences();
    const Index unknowns = data.o() * psi + d * d;
    if (N * data.o() < unknowns - 1 || N < psi) {
        throw NotAvailable(
            formatted("normalised head: {} equations for {} unknowns; take at least "
                      "{} sequences",
                      N * data.o(),
                      unknowns,
                      std::max(psi, (unknowns + data.o() - 1) / data.o()) + d));
    }
    require_memory(
        8.0 * static_cast<double>(N) * static_cast<double>(3 * psi + 2 * data.o() * d * d),
        "a normalised head",
        "take fewer sequences");
    const Matrix rows = denominator_rows(data);
    const Vector weights = row_weights(data.y);
    const Svd parts = svd(outside_of_features(data, rows, weights));
    NormalisedHead found;
    found.sigma = parts.sigma;
    found.size =
        (data.y * weights.asDiagonal()).norm() * rows.norm() / std::sqrt(static_cast<double>(N));
    const Index last = d * d - 1;
    const double before = last > 0 ? parts.sigma(last - 1) : found.size;
    if (!(parts.sigma(last) <= kZero * found.size) || !(before > kOpen * found.size)) {
        throw NotAvailable(
            formatted("normalised head: {}; the least singular values are {} and {} of {}",
                      before > kOpen * found.size ? "no single normalised head has these labels"
                                                  : "the data leave more than one head open",
                      round_trip(before),
                      round_trip(parts.sigma(last)),
                      round_trip(found.size)));
    }
    Vector q = parts.V.col(last);
    Index at = 0;
    q.cwiseAbs().maxCoeff(&at);
    q *= q(at) < 0.0 ? -1.0 : 1.0;
    found.Q = q.reshaped(d, d);
    const Vector below = rows * q;
    Matrix keys(d, N);
    for (Index i = 0; i < N; ++i) {
        const Vector asked = found.Q * data.tokens.col(data.query_token(i));
        keys.col(i) = data.sequence(i) * (data.sequence(i).transpose() * asked);
    }
    found.V = values_of(data, keys, below, weights);
    const Matrix outputs = found.V * keys * below.cwiseInverse().asDiagonal();
    found.relative_risk = (outputs - data.y).squaredNorm() / data.y.squaredNorm();
    return found;
}

Output describe(const NormalisedHead& found, const Dataset& data) {
    const Vector& sigma = found.sigma;
    Output output;
    output.add("layer", "normalised", "normalised attention, one head");
    output.add("num_examples", data.num_examples());
    output.add("d", data.d());
    output.add("o", data.o());
    const double least = sigma(sigma.size() - 1) / found.size;
    output.add("least_singular_value",
               number_or_null(least),
               formatted("{} of the equations: Q lies there", brief(least)));
    if (sigma.size() > 1) {
        const double gap = sigma(sigma.size() - 2) / found.size;
        output.add("next_singular_value",
                   number_or_null(gap),
                   formatted("{} of the equations: no other head fits (numerical)", brief(gap)));
    }
    output.add("relative", number_or_null(found.relative_risk), brief(found.relative_risk));
    return output;
}

void write_normalised_head(const std::string& path, const NormalisedHead& head) {
    NpzWriter file;
    add_heads(
        file, "normalised_V", "normalised_Q", {head.V.cols(), head.V.rows(), {{head.V, head.Q}}});
    file.write(path);
}

}  // namespace attest
