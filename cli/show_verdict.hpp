#pragma once

#include "cli/output.hpp"
#include "core/certify/numerical/enclosure.hpp"
#include "core/certify/numerical/spectrum.hpp"
#include "core/questions/certify.hpp"
#include "core/solve/operator_spectrum.hpp"

namespace attest::cli {

/// Sizes of the data set, which every level shows first.
void describe_data(Output& output, const SequenceShape& data);

inline void describe_data(Output& output, const Dataset& data) {
    describe_data(output, sequence_shape(data));
}

/// The verdict with its evidence, as the level found it, then queries and margin.
void show_verdict(Output& output, const Certification& found, CertifyLevel level, Index o);

/// The exit code of an answer.
[[nodiscard]] int exit_code(DataVerdict answer);

/// λ_min: what floating point sees, what is proved, or both; null is absent.
void show_lambda_min(Output& output,
                     const NumericalSpectrum* spectrum,
                     const LambdaMinEnclosure* enclosure);

/// Both ends as products with the features see them.
void show_operator_spectrum(Output& output, const OperatorSpectrum& spectrum);

/// λ_max and the condition of H on its numerical row space.
void show_condition(Output& output, const NumericalSpectrum& spectrum);

}  // namespace attest::cli
