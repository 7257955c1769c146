#pragma once

#include "core/features/cubic.hpp"

#include <optional>

namespace attest {

/// Pᵀ H for every example of a batch, without forming H: o×B. P is ψ×o. O(B ψ o).
[[nodiscard]] Matrix predict(const Matrix& P,
                             const MomentBatch& batch,
                             const FeatureLayout& layout);

/// Pᵀ H for every example of a source, in order: o×N. Where a product of tokens and coefficients
/// could leave the range of doubles, in numbers of more exponents. Throws InvalidInput where an
/// output is beyond the largest double.
[[nodiscard]] Matrix predict(const Matrix& P, const MomentSource& source);

/// Squared error of P on a labelled source.
struct Risk {
    double risk = 0.0;      ///< (1/N) Σ ‖Pᵀ H(Z_i) − y_i‖²
    double mse = 0.0;       ///< risk / o
    double relative = 0.0;  ///< risk / ((1/N) Σ ‖y_i‖²)
    int exponent = 0;       ///< risk and mse are to be multiplied by 2^exponent; 0 where doubles
                            ///< hold them
};

/// As predict; a risk is the square of labels, and may need the exponent where they do not.
[[nodiscard]] Risk empirical_risk(const Matrix& P, const MomentSource& source);

/// Outputs, and their squared error where the source has labels.
struct Prediction {
    Matrix y;  ///< o×N
    std::optional<Risk> risk;
};

/// predict and empirical_risk in one pass over the source. Throws InvalidInput when labels and
/// coefficients disagree on o.
[[nodiscard]] Prediction predict_and_score(const Matrix& P, const MomentSource& source);

/// Whether no product of coefficients and tokens, nor its square, can overflow or vanish in double.
[[nodiscard]] bool is_ordinary(const Matrix& P, const MomentSource& source);

/// predict(P, source) through numbers with a longer exponent. Throws InvalidInput for an output
/// beyond the largest double.
[[nodiscard]] Matrix predict_wide(const Matrix& P, const MomentSource& source);

/// empirical_risk(P, source) in the same way, with an exponent where doubles do not hold it.
[[nodiscard]] Risk risk_wide(const Matrix& P, const MomentSource& source);

}  // namespace attest
