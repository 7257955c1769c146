#pragma once

#include "cli/output.hpp"
#include "core/certify/enclosure.hpp"
#include "core/certify/minimum_eigenvalue.hpp"
#include "core/solve/operator_spectrum.hpp"

namespace attest::cli {

/// λ_min: what floating point sees, what is proved, or both; null is absent.
void show_lambda_min(Output& output,
                     const NumericalSpectrum* spectrum,
                     const LambdaMinEnclosure* enclosure);

/// Both ends as products with the features see them.
void show_operator_spectrum(Output& output, const OperatorSpectrum& spectrum);

/// λ_max and the condition of H on its numerical row space.
void show_condition(Output& output, const NumericalSpectrum& spectrum);

}  // namespace attest::cli
