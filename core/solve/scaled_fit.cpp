#include "core/solve/scaled_fit.hpp"

#include "core/base/bitwise.hpp"
#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "core/data/token_matrix.hpp"
#include "core/features/cubic.hpp"
#include "core/solve/accuracy.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace attest {

namespace {

// Features that a ridge exceeds by more leave nothing of the labels but their product with it.
constexpr int kRidgeReach = 200;

/// Row p times 2^exponents[p]·2^sign.
Matrix times_powers(const Matrix& P, const std::vector<int>& exponents, int sign) {
    Matrix result(P.rows(), P.cols());
    for (Index a = 0; a < P.cols(); ++a) {
        for (Index p = 0; p < P.rows(); ++p) {
            result(p, a) = std::ldexp(P(p, a), sign * exponents[static_cast<std::size_t>(p)]);
        }
    }
    return result;
}

/// The exponent of the largest entry after row p is multiplied by 2^exponents[p].
int largest_exponent(const Matrix& P, const std::vector<int>& exponents) {
    int largest = -ExponentRange::kNone;
    for (Index p = 0; p < P.rows(); ++p) {
        const double size = P.row(p).cwiseAbs().maxCoeff();
        if (size > 0.0) {
            largest = std::max(largest, std::ilogb(size) + exponents[static_cast<std::size_t>(p)]);
        }
    }
    return largest;
}

/// What a relative error b of P~ becomes in P = 2^e P~, row by row: g/(1 − g) with
/// g = b·max 2^e·‖P~‖/‖P‖, since ‖P*‖ ≥ ‖P‖(1 − g).
double bound_after(double bound, const Matrix& scaled, const std::vector<int>& exponents) {
    const int most = *std::max_element(exponents.begin(), exponents.end());
    std::vector<int> below = exponents;
    for (int& e : below) {
        e -= most;
    }
    const double size = times_powers(scaled, below, 1).norm();
    if (!(scaled.norm() > 0.0)) {
        return bound;
    }
    const double g = size > 0.0 ? bound * scaled.norm() / size : 1.0;
    return g < 1.0 ? g / (1.0 - g) : std::numeric_limits<double>::infinity();
}

SolveOptions scaled_options(SolveOptions options, const PowerScale& scale) {
    if (!(options.ridge > 0.0)) {
        return options;
    }
    const int exponent = -2 * scale.features().front();
    if (std::ilogb(options.ridge) + exponent > kRidgeReach) {
        throw InvalidInput(
            formatted("least squares: the ridge {} is about 2^{} times the mean square of the "
                      "features: no coefficient is left beside it; take a ridge of about 2^{}",
                      round_trip(options.ridge),
                      std::ilogb(options.ridge) + exponent,
                      -exponent));
    }
    options.ridge =
        std::max(std::ldexp(options.ridge, exponent), std::numeric_limits<double>::min());
    return options;
}

LeastSquaresFit solve_scaled(const SequenceSource& data,
                             const PowerScale& scale,
                             const SolveOptions& options,
                             const FitFunction& fit) {
    const auto scaled = scaled_source(data, scale);
    return unscaled(fit(*scaled, scaled_options(options, scale)), scale);
}

std::vector<SolveAttempt> joined(std::vector<SolveAttempt> first,
                                 const std::vector<SolveAttempt>& then) {
    first.insert(first.end(), then.begin(), then.end());
    return first;
}

/// Refuses coefficients that are nothing because features or labels left the range of doubles on
/// the way, of layers whose examples are not scaled.
void refuse_vanished(const LeastSquaresFit& fit, const MomentSource& source) {
    constexpr double kOrdinary = 0x1p200;  // squares of products of two are doubles
    const bool refused = fit.status == SolveStatus::refused;
    if (refused || fit.P.cwiseAbs().maxCoeff() >= std::numeric_limits<double>::min() * 0x1p60) {
        return;
    }
    const SourceShape shape = source.shape();
    double features = 0.0;
    double labels = 0.0;
    for (Index b = 0; b < shape.num_blocks; ++b) {
        const MomentBatch batch = source.block(b);
        const Matrix H = feature_columns(batch, shape.layout);
        features = std::max(features, H.allFinite() ? H.cwiseAbs().maxCoeff() : HUGE_VAL);
        labels = std::max(labels, batch.y.cwiseAbs().maxCoeff());
    }
    const auto ordinary = [](double size) { return size >= 1.0 / kOrdinary && size <= kOrdinary; };
    require(is_zero(labels) || (ordinary(features) && ordinary(labels)),
            "least squares: features of {} and labels of {} leave the range of doubles on the "
            "way; bring tokens and labels nearer to 1 by powers of two",
            round_trip(features),
            round_trip(labels));
}

}  // namespace

void refuse_coefficients(int exponent) {
    const bool large = exponent > 0;
    const int tokens = (std::abs(exponent) + 2) / 3;
    throw InvalidInput(
        formatted("least squares: coefficients of about 2^{}{}{}{}{}",
                  exponent,
                  large ? " are beyond the largest double, 2^1024"
                        : " vanish below the least double, 2^-1074",
                  large ? ": multiply the tokens by 2^" : ": divide the tokens by 2^",
                  tokens,
                  large ? ", or divide the labels" : ", or multiply the labels"));
}

bool by_coordinate(const PowerScale& scale) {
    const auto differ = [](const std::vector<int>& e) {
        return std::adjacent_find(e.begin(), e.end(), std::not_equal_to<>()) != e.end();
    };
    return differ(scale.tokens) || differ(scale.queries);
}

LeastSquaresFit unscaled(LeastSquaresFit fit, const PowerScale& scale) {
    if (fit.status == SolveStatus::refused || scale.is_identity()) {
        return fit;
    }
    std::vector<int> exponents = scale.features();
    for (int& e : exponents) {
        e = scale.labels - e;
    }
    const Matrix scaled = std::move(fit.P);
    const int largest = largest_exponent(scaled, exponents);
    if (largest >= std::numeric_limits<double>::max_exponent) {
        refuse_coefficients(largest);
    }
    fit.P = times_powers(scaled, exponents, 1);
    const Matrix lost = scaled - times_powers(fit.P, exponents, -1);
    const double vanished = lost.isZero(0.0) ? 0.0 : lost.norm() / scaled.norm();
    if (vanished >= kLargestError) {
        Index p = 0;
        const double most = lost.rowwise().norm().maxCoeff(&p);
        refuse_coefficients(std::ilogb(most) + exponents[static_cast<std::size_t>(p)]);
    }
    const double bound = fit.error_bound + vanished;
    fit.error_bound = bound;
    if (by_coordinate(scale)) {
        fit.error_bound = bound_after(bound, scaled, exponents);
        fit.scaled = ScaledCoordinates{scale.tokens, bound};
    }
    return fit;
}

LeastSquaresFit fit_scaled(const MomentSource& source,
                           const SolveOptions& options,
                           const FitFunction& fit) {
    const SequenceSource* const data = source.sequences();
    if (data == nullptr || !data->shape().layer.is_linear()) {
        LeastSquaresFit found = fit(source, options);
        refuse_vanished(found, source);
        return found;
    }
    std::vector<SolveAttempt> before;
    Index rank = -1;
    if (!(options.ridge > 0.0) && source.shape().num_examples >= feature_dim(data->shape().d)) {
        const PowerScale apart = power_scale(*data, ScaleBy::coordinate);
        if (by_coordinate(apart)) {
            LeastSquaresFit found = solve_scaled(*data, apart, options, fit);
            if (found.status == SolveStatus::unique) {
                found.note += found.note.empty() ? "" : ", ";
                found.note += "each coordinate scaled by a power of two";
                return found;
            }
            before = std::move(found.attempts);
            rank = found.rank;
        }
    }
    const PowerScale together = power_scale(*data, ScaleBy::one_power);
    LeastSquaresFit found = together.is_identity() ? fit(source, scaled_options(options, together))
                                                   : solve_scaled(*data, together, options, fit);
    if (found.status == SolveStatus::minimum_norm_at_numerical_rank && rank > found.rank) {
        found.note += formatted("; with scaled coordinates the rank is at least {}", rank);
    }
    found.attempts = joined(std::move(before), found.attempts);
    return found;
}

}  // namespace attest
