#pragma once

#include "core/moments/power_scale.hpp"
#include "core/solve/problem.hpp"

#include <functional>

namespace attest {

using FitFunction = std::function<LeastSquaresFit(const MomentSource&, const SolveOptions&)>;

/// `fit` on examples that powers of two have brought to size 1, where their size asks for it, and
/// its coefficients brought back. First each coordinate by its own power, which keeps a unique
/// minimiser and nothing else: so without ridge, N ≥ ψ, and only a unique answer counts. Else all
/// by one power, which keeps both norms. Sources without sequences are solved as they are. Throws
/// InvalidInput where the coefficients leave the range of doubles, or a ridge is beyond it.
[[nodiscard]] LeastSquaresFit fit_scaled(const MomentSource& source,
                                         const SolveOptions& options,
                                         const FitFunction& fit);

/// The coefficients of the examples themselves from those of the scaled ones, with bounds that
/// account for what vanishes below the least double. Throws InvalidInput where a coefficient is
/// beyond the largest, or where a tenth of them vanishes.
[[nodiscard]] LeastSquaresFit unscaled(LeastSquaresFit fit, const PowerScale& scale);

/// Throws InvalidInput: coefficients of about 2^exponent leave the range of doubles, and what
/// brings them back.
[[noreturn]] void refuse_coefficients(int exponent);

/// Whether coordinates have powers of their own.
[[nodiscard]] bool by_coordinate(const PowerScale& scale);

}  // namespace attest
