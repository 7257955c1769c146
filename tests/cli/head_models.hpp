#pragma once

#include "core/base/shape.hpp"
#include "tests/support/heads.hpp"
#include "tests/support/temporary_folder.hpp"

#include <string>

namespace attest::test {

/// 150 Gaussian sequences of 6 tokens with 2 planted heads and label noise; d = o = 3.
[[nodiscard]] std::string planted_data(const TemporaryFolder& folder, const std::string& noise);

/// Sixty Gaussian sequences of n tokens with one planted head and label noise 0.1; d = o = 2, ψ
/// = 6.
[[nodiscard]] std::string planted_layer(const TemporaryFolder& folder,
                                        const std::string& name,
                                        const std::string& n);

/// A model of generic coefficients, without heads.
[[nodiscard]] std::string generic_model(const TemporaryFolder& folder, Index d);

/// Expects that the outputs of both models on the data differ by at most kFunctionBar and rounding,
/// relative to what coefficients of this size can reach: |Δy| ≤ ‖Δp‖ ‖S‖_F ‖z‖.
void expect_same_outputs(const TemporaryFolder& folder,
                         const std::string& model,
                         const std::string& other,
                         const std::string& data);

}  // namespace attest::test
