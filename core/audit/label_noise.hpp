#pragma once

#include "core/audit/factored_source.hpp"

#include <optional>
#include <string_view>

namespace attest {

/// Expected excess risk of least squares on other data under label noise: σ²·o·trace/N, numerical.
struct OutOfDistribution {
    double sigma = 0.0;        ///< standard deviation of the noise in each output
    double trace = 0.0;        ///< tr(Λ_other Λ_D⁺), the mean leverage of the other data
    double excess_risk = 0.0;  ///< infinite where the other data leave the row space
};

/// The standard deviation of the noise in each output, estimated from what the labels leave; see
/// below. Nothing without labels or with N ≤ ψ.
[[nodiscard]] std::optional<double> noise_estimate(const FactoredSource& data);

/// Without `sigma` the noise is estimated from what the labels leave: residual·N/((N − ψ)·o) is its
/// unbiased variance when some P is the truth. `name` is the other data's in error messages. Throws
/// InvalidInput when d disagrees, where the noise cannot be estimated, or where its square leaves
/// the range of doubles.
[[nodiscard]] OutOfDistribution risk_elsewhere(const FactoredSource& data,
                                               const Dataset& other,
                                               std::string_view name,
                                               std::optional<double> sigma);

/// How far the minimiser is from the truth on each query, for all of them at once with probability
/// `confidence`: √(energy/N · leverage), numerical.
struct TruthDistance {
    double sigma = 0.0;
    double confidence = 0.0;
    Vector within;         ///< one a query
    double at_most = 0.0;  ///< on every query
};

/// By projected_noise_bound at confidence 0.95, for noise of scale `sigma` in each output. Throws
/// InvalidInput where the square of the noise leaves the range of doubles.
[[nodiscard]] TruthDistance distance_to_truth(const FactoredSource& data,
                                              const Dataset& queries,
                                              double sigma);

}  // namespace attest
