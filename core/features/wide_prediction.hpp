#pragma once

#include "core/features/predict.hpp"

namespace attest {

/// Whether no product of coefficients and tokens, nor its square, can overflow or vanish in double.
[[nodiscard]] bool is_ordinary(const Matrix& P, const MomentSource& source);

/// predict(P, source) through numbers with a longer exponent. Throws InvalidInput for an output
/// beyond the largest double.
[[nodiscard]] Matrix predict_wide(const Matrix& P, const MomentSource& source);

/// empirical_risk(P, source) in the same way, with an exponent where doubles do not hold it.
[[nodiscard]] Risk risk_wide(const Matrix& P, const MomentSource& source);

}  // namespace attest
